#pragma once

#include "core/session/groups.h"

#include <QAbstractTableModel>

namespace topicscope::ui
{

/// The members of one group and what they read. Thread: GUI.
class GroupMemberModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { ClientColumn, HostColumn, PartitionsColumn, MemberColumn, ColumnCount };

    explicit GroupMemberModel(QObject *parent = nullptr);
    Q_DISABLE_COPY_MOVE(GroupMemberModel)

    void setMembers(const QList<GroupMember> &members);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QList<GroupMember> m_rows;
};

/// "orders 0, 1, 2 · clicks 0": partitions sorted by topic.
QString assignmentText(const QList<TopicPartition> &assignment);

} // namespace topicscope::ui
