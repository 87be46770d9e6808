#pragma once

#include <QPersistentModelIndex>
#include <QTableView>

#include <functional>

namespace topicscope::ui
{

/// A table whose model is a window onto something longer: rows come and go at both ends while what
/// is on the screen stays where it is. Says when the user comes near an end.
/// Thread: GUI.
class RecordTableView final : public QTableView
{
    Q_OBJECT
public:
    explicit RecordTableView(QWidget *parent = nullptr);

    void setModel(QAbstractItemModel *model) override;
    /// Shown in the middle while there are no rows.
    void setPlaceholder(const QString &text);
    const QString &placeholder() const { return m_placeholder; }
    /// While there are no rows yet: rows drawn in outline, with the text of one column where it is
    /// known ahead. An empty function: none.
    void setOutline(int column, std::function<QString(int row)> text);
    /// The last row is on the screen, or there is none.
    bool isAtBottom() const;
    /// While on and at the bottom, new rows at the end are scrolled to.
    void setFollowsEnd(bool follows) { m_followsEnd = follows; }
    int rowsOnScreen() const;                ///< as many as there is room for
    std::pair<int, int> visibleRows() const; ///< (0, -1) when there are none
    /// Selects the row and brings it to the middle when it is not on the screen.
    void showRow(int row);

signals:
    void topNeared();
    void bottomNeared();
    void scrolled();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void rowsInserted(const QModelIndex &parent, int first, int last) override;
    void rowsAboutToBeRemoved(const QModelIndex &parent, int first, int last) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    void keepTop();
    void restoreTop();
    void checkEdges();
    void checkEdgesLater();

    void paintOutline(QPainter &painter) const;

    QString m_placeholder;
    int m_outlineColumn = -1;
    std::function<QString(int row)> m_outline;
    QPersistentModelIndex m_top;
    bool m_wasAtBottom = false;
    bool m_followsEnd = false;
    bool m_checkPosted = false;
};

} // namespace topicscope::ui
