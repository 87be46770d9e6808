#pragma once

#include <QTreeView>

namespace topicscope::ui
{

/// A tree whose rows can carry a note (an address, the reason of a failure), drawn over the empty
/// cells at the end of the row. Knows no model: the role of the note is given.
class TopicTreeView final : public QTreeView
{
    Q_OBJECT
public:
    /// @param noteRole  QString; drawn when not empty
    explicit TopicTreeView(int noteRole, QWidget *parent = nullptr);

signals:
    /// Enter, Return or a double click on a row.
    void opened(const QModelIndex &index);

protected:
    void drawRow(QPainter *painter, const QStyleOptionViewItem &options,
                 const QModelIndex &index) const override;
    void keyPressEvent(QKeyEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;

private:
    int m_noteRole;
};

} // namespace topicscope::ui
