#include "ui/models/grouplistmodel.h"

#include "core/base/digits.h"
#include "ui/plaintooltip.h"

#include <QCoreApplication>

#include <algorithm>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

QString groupStateText(GroupState state)
{
    const auto tr = [](const char *text) {
        return QCoreApplication::translate("GroupState", text);
    };
    switch (state) {
    case GroupState::Unknown:
        return tr("unknown");
    case GroupState::PreparingRebalance:
        return tr("preparing rebalance");
    case GroupState::CompletingRebalance:
        return tr("completing rebalance");
    case GroupState::Assigning:
        return tr("assigning");
    case GroupState::Reconciling:
        return tr("reconciling");
    case GroupState::Stable:
        return tr("stable");
    case GroupState::Empty:
        return tr("empty");
    case GroupState::Dead:
        return tr("dead");
    }
    return {};
}

GroupListModel::GroupListModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void GroupListModel::setGroups(const QList<GroupSummary> &groups)
{
    beginResetModel();
    m_rows.clear();
    for (const GroupSummary &group : groups)
        m_rows.append({group, {}, {}});
    endResetModel();
}

void GroupListModel::setDescribed(const GroupInfo &group)
{
    const int at = rowOf(group.summary.id);
    if (at < 0)
        return;
    Row &row = m_rows[at];
    row.summary.state = group.summary.state;
    row.members = group.membersError ? std::nullopt : std::optional(qint64(group.members.size()));
    row.lag = group.totalLag();
    emit dataChanged(index(at, 0), index(at, ColumnCount - 1));
}

int GroupListModel::rowOf(const QString &id) const
{
    const auto found = std::ranges::find(m_rows, id, [](const Row &row) { return row.summary.id; });
    return found == m_rows.end() ? -1 : int(found - m_rows.begin());
}

int GroupListModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int GroupListModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QString GroupListModel::text(const Row &row, int column) const
{
    switch (column) {
    case GroupColumn:
        return row.summary.id;
    case StateColumn:
        return groupStateText(row.summary.state);
    case MembersColumn:
        return row.members ? groupedDigits(*row.members) : QString();
    case LagColumn:
        return row.lag ? groupedDigits(*row.lag) : QString();
    default:
        return {};
    }
}

QVariant GroupListModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row &row = m_rows.at(index.row());
    const bool isNumber = index.column() >= MembersColumn;
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::ToolTipRole:
        if (index.column() == StateColumn && row.summary.state == GroupState::Empty)
            return tr("No members; the offsets it has committed are kept.");
        if (index.column() == StateColumn && row.summary.isSimple)
            return tr("Only stores offsets: its readers divide the partitions themselves.");
        return plainToolTip(text(row, index.column()));
    case Qt::TextAlignmentRole:
        return int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case SortRole:
        if (index.column() == MembersColumn)
            return row.members.value_or(-1);
        if (index.column() == LagColumn)
            return row.lag.value_or(-1);
        return text(row, index.column());
    default:
        return {};
    }
}

QVariant GroupListModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::ToolTipRole && section >= MembersColumn)
        return tr("Known of the groups that were looked at");
    if (role == Qt::TextAlignmentRole)
        return int((section >= MembersColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case GroupColumn:
        return tr("Group");
    case StateColumn:
        return tr("State");
    case MembersColumn:
        return tr("Members");
    case LagColumn:
        return tr("Lag");
    default:
        return {};
    }
}

} // namespace topicscope::ui
