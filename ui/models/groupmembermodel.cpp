#include "ui/models/groupmembermodel.h"

#include "ui/plaintooltip.h"

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

QString assignmentText(const QList<TopicPartition> &assignment)
{
    QString text;
    QString topic;
    for (const TopicPartition &partition : assignment) {
        if (text.isEmpty() || partition.topic != topic)
            text += (text.isEmpty() ? QString() : u" · "_s) + partition.topic + u' ';
        else
            text += u", "_s;
        text += QString::number(partition.partition.value);
        topic = partition.topic;
    }
    return text;
}

GroupMemberModel::GroupMemberModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void GroupMemberModel::setMembers(const QList<GroupMember> &members)
{
    beginResetModel();
    m_rows = members;
    endResetModel();
}

int GroupMemberModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int GroupMemberModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant GroupMemberModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const GroupMember &row = m_rows.at(index.row());
    QString text;
    switch (index.column()) {
    case ClientColumn:
        text = row.instanceId.isEmpty() ? row.clientId
                                        : u"%1 (%2)"_s.arg(row.clientId, row.instanceId);
        break;
    case HostColumn:
        text = row.host;
        break;
    case PartitionsColumn:
        text = row.assignment.isEmpty() ? tr("none") : assignmentText(row.assignment);
        break;
    case MemberColumn:
        text = row.memberId;
        break;
    default:
        break;
    }
    return role == Qt::ToolTipRole ? plainToolTip(text) : text;
}

QVariant GroupMemberModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case ClientColumn:
        return tr("Client");
    case HostColumn:
        return tr("Host");
    case PartitionsColumn:
        return tr("Partitions");
    case MemberColumn:
        return tr("Member");
    default:
        return {};
    }
}

} // namespace topicscope::ui
