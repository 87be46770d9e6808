#pragma once

#include "core/records/headers.h"

#include <QWidget>

class QAction;
class QTableView;
class QToolButton;

namespace topicscope::ui
{

class HeaderListModel;

/// Edits a record's headers in a grid, which is folded away while there are none: then one line
/// says so. Insert adds one, Delete removes it, Alt+Up and Alt+Down move it.
class HeadersEdit final : public QWidget
{
    Q_OBJECT
public:
    explicit HeadersEdit(QWidget *parent = nullptr);
    ~HeadersEdit() override;
    Q_DISABLE_COPY_MOVE(HeadersEdit)

    const HeaderList &headers() const;
    /// Unfolds the grid where there are some.
    void setHeaders(const HeaderList &headers);
    /// Takes over a cell that is still being edited. @return false: what is in it was refused.
    bool commit();

signals:
    void changed();
    /// What was typed was not taken, and why; for a status line.
    void refused(const QString &why);

private:
    QAction *makeAction(const QString &text, const QKeySequence &shortcut, const char *name);
    void setUnfolded(bool unfolded);
    void refresh();
    void add();
    void move(int by);
    void removeCurrent();

    HeaderListModel *m_model;
    QTableView *m_view;
    QToolButton *m_fold;
    QAction *m_add;
    QAction *m_remove;
    QAction *m_up;
    QAction *m_down;
    bool m_refused = false;
};

} // namespace topicscope::ui
