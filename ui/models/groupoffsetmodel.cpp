#include "ui/models/groupoffsetmodel.h"

#include "core/base/digits.h"
#include "ui/errortext.h"
#include "ui/plaintooltip.h"

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

bool isNumber(int column)
{
    return column >= GroupOffsetModel::CommittedColumn && column <= GroupOffsetModel::LagColumn;
}

} // namespace

GroupOffsetModel::GroupOffsetModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void GroupOffsetModel::setGroup(const GroupInfo &group)
{
    beginResetModel();
    m_rows = group.offsets;
    m_readers.clear();
    for (const GroupMember &member : group.members) {
        for (const TopicPartition &partition : member.assignment)
            m_readers.insert(partition, member.clientId);
    }
    endResetModel();
}

int GroupOffsetModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int GroupOffsetModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QString GroupOffsetModel::note(const GroupOffset &row) const
{
    if (row.gone)
        return tr("topic gone");
    if (row.error)
        return errorText(*row.error).title;
    if (const auto reader = m_readers.constFind(row.partition); reader != m_readers.cend())
        return *reader;
    return {};
}

QString GroupOffsetModel::text(const GroupOffset &row, int column) const
{
    switch (column) {
    case PartitionColumn:
        return u"%1 / %2"_s.arg(row.partition.topic,
                                QString::number(row.partition.partition.value));
    case CommittedColumn:
        return row.committed ? groupedDigits(row.committed->value) : tr("none");
    case EndColumn:
        return row.end ? groupedDigits(row.end->value) : QString();
    case LagColumn: {
        const auto lag = row.lag();
        return lag ? groupedDigits(*lag) : QString();
    }
    case NoteColumn:
        return note(row);
    default:
        return {};
    }
}

QVariant GroupOffsetModel::sortKey(const GroupOffset &row, int rowNumber, int column) const
{
    switch (column) {
    case PartitionColumn:
        return qint64(rowNumber);
    case CommittedColumn:
        return row.committed ? row.committed->value : qint64(-1);
    case EndColumn:
        return row.end ? row.end->value : qint64(-1);
    case LagColumn:
        return row.lag().value_or(-1);
    default:
        return text(row, column);
    }
}

QString GroupOffsetModel::toolTip(const GroupOffset &row, int column) const
{
    if (column == CommittedColumn && !row.committed)
        return tr("The group has committed no offset here, which is not 0: its readers begin "
                  "where their own settings say.");
    if (column == CommittedColumn && !row.metadata.isEmpty())
        return tr("Committed with the text “%1”").arg(row.metadata);
    if (column == NoteColumn && row.gone)
        return tr("The topic, or this partition of it, is not there any more; its offset is kept.");
    if (column == NoteColumn && row.error)
        return errorText(*row.error).full();
    return text(row, column);
}

QVariant GroupOffsetModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const GroupOffset &row = m_rows.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::ToolTipRole:
        return plainToolTip(toolTip(row, index.column()));
    case Qt::TextAlignmentRole:
        return int((isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case SortRole:
        return sortKey(row, index.row(), index.column());
    case TroubleRole:
        return row.gone || row.error;
    default:
        return {};
    }
}

QVariant GroupOffsetModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::ToolTipRole && section == LagColumn)
        return tr("Offsets from the committed one to the end. Transaction markers and gaps count, "
                  "so there may be fewer records.");
    if (role == Qt::ToolTipRole && section == EndColumn)
        return tr("The high watermark");
    if (role == Qt::TextAlignmentRole)
        return int((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case PartitionColumn:
        return tr("Partition");
    case CommittedColumn:
        return tr("Committed");
    case EndColumn:
        return tr("End");
    case LagColumn:
        return tr("Lag");
    case NoteColumn:
        return tr("Read by");
    default:
        return {};
    }
}

} // namespace topicscope::ui
