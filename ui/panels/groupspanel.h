#pragma once

#include "core/session/sessionhandle.h"

#include <QPointer>
#include <QWidget>

class QAbstractItemModel;
class QAction;
class QLineEdit;
class QSortFilterProxyModel;
class QTabWidget;
class QTableView;

namespace topicscope::ui
{

class Banner;
class ElidedLabel;
class GroupListModel;
class GroupMemberModel;
class GroupOffsetModel;

/// The consumer groups of one connection, and of the one selected its members and how far it has
/// come in each partition; from there to the records. Only looks: joins and commits nothing.
///
/// Lists when it is shown and when asked; the selected group is read then, too.
///
/// Thread: GUI. Nothing here waits.
class GroupsPanel final : public QWidget
{
    Q_OBJECT
public:
    explicit GroupsPanel(QWidget *parent = nullptr);
    ~GroupsPanel() override;
    Q_DISABLE_COPY_MOVE(GroupsPanel)

    /// Whose groups; not owned. Null: none.
    void setSession(SessionHandle *session);
    void refresh();

signals:
    /// The record at a committed offset is asked for.
    void openRequested(const topicscope::TopicPartition &partition, topicscope::Offset offset);

protected:
    void showEvent(QShowEvent *event) override;

private:
    QTableView *makeTable(const QString &name, const QString &accessibleName,
                          QAbstractItemModel *model);
    void buildLayout();
    void onListed(const GroupList &list);
    void onSelected();
    void onDescribed(const GroupInfo &group);
    void onFailed(RequestId id, const Error &error);
    void clearGroup(const QString &heading);
    void updateOpen();
    void open();
    QString selectedId() const;

    QPointer<SessionHandle> m_session;
    RequestId m_listing;
    RequestId m_describing;
    QString m_wantedId; ///< the group selected last, by the list before this one, too

    GroupListModel *m_groups;
    GroupOffsetModel *m_offsets;
    GroupMemberModel *m_members;
    QSortFilterProxyModel *m_groupProxy;
    QSortFilterProxyModel *m_offsetProxy;
    QLineEdit *m_filter;
    QAction *m_refresh;
    QAction *m_open;
    Banner *m_banner;
    QTableView *m_groupTable;
    ElidedLabel *m_status;
    ElidedLabel *m_heading;
    ElidedLabel *m_note;
    QTabWidget *m_tabs;
    QTableView *m_offsetTable;
    QTableView *m_memberTable;
};

} // namespace topicscope::ui
