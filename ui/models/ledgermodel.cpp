#include "ui/models/ledgermodel.h"

#include "core/base/digits.h"
#include "ui/errortext.h"
#include "ui/plaintooltip.h"

namespace topicscope::ui
{

using namespace Qt::StringLiterals;
using search::Coverage;
using search::LedgerRange;
using search::PartitionLedger;

namespace
{

QString offsetsText(Offset first, Offset end)
{
    if (first == end)
        return LedgerModel::tr("none");
    return end - first == 1
               ? groupedDigits(first.value)
               : u"%1 … %2"_s.arg(groupedDigits(first.value), groupedDigits(end.value - 1));
}

} // namespace

LedgerModel::LedgerModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void LedgerModel::setLedger(const search::Ledger &ledger)
{
    std::vector<Row> rows;
    for (size_t i = 0; i < ledger.size(); ++i) {
        rows.push_back({i, kWhole});
        const std::vector<LedgerRange> &ranges = ledger[i].ranges();
        for (size_t range = 0; range < ranges.size(); ++range) {
            if (ranges[range].coverage != Coverage::Scanned)
                rows.push_back({i, range});
        }
    }
    // While a search runs, mostly the numbers change: what is selected stays so.
    if (rows == m_rows && ledger.size() == m_ledger.size()) {
        m_ledger = ledger;
        if (!rows.empty())
            emit dataChanged(index(0, 0), index(rowCount() - 1, NoteColumn));
        return;
    }
    beginResetModel();
    m_ledger = ledger;
    m_rows = std::move(rows);
    endResetModel();
}

int LedgerModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int LedgerModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : NoteColumn + 1;
}

QString LedgerModel::partitionText(const PartitionLedger &partition, int column) const
{
    switch (column) {
    case PartitionColumn:
        return QString::number(partition.partition().partition.value);
    case OffsetsColumn:
        return partition.ranges().empty() && partition.error()
                   ? tr("not known")
                   : offsetsText(partition.begin(), partition.end());
    case SearchedColumn:
        return groupedDigits(partition.offsets(Coverage::Scanned));
    case HitsColumn:
        return groupedDigits(partition.hits);
    default:
        break;
    }
    if (partition.error())
        return errorText(*partition.error()).full();
    const qint64 leftOut = partition.offsets(Coverage::LeftOut);
    if (partition.offsets(Coverage::Scanned) + leftOut != partition.size())
        return {};
    return leftOut > 0 ? tr("all searched that is committed") : tr("all searched");
}

QString LedgerModel::text(const Row &row, int column) const
{
    const PartitionLedger &partition = m_ledger[row.partition];
    if (row.range == kWhole)
        return partitionText(partition, column);
    const LedgerRange &range = partition.ranges()[row.range];
    if (column == OffsetsColumn)
        return offsetsText(range.first, range.end);
    if (column != NoteColumn)
        return {};
    const QString text = search::coverageText(range.coverage);
    return range.reason.isEmpty() ? text : u"%1 (%2)"_s.arg(text, range.reason);
}

bool LedgerModel::isTrouble(const Row &row) const
{
    const PartitionLedger &partition = m_ledger[row.partition];
    if (row.range == kWhole)
        return partition.error().has_value();
    const Coverage coverage = partition.ranges()[row.range].coverage;
    return coverage != Coverage::Pending && coverage != Coverage::LeftOut &&
           !search::isOutside(coverage);
}

QVariant LedgerModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Row &row = m_rows[size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::ToolTipRole:
        return plainToolTip(text(row, index.column()));
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter |
                   (index.column() == NoteColumn ? Qt::AlignLeft : Qt::AlignRight));
    case TroubleRole:
        return isTrouble(row);
    default:
        return {};
    }
}

QVariant LedgerModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (section == NoteColumn ? Qt::AlignLeft : Qt::AlignRight));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case PartitionColumn:
        return tr("Partition");
    case OffsetsColumn:
        return tr("Offsets");
    case SearchedColumn:
        return tr("Searched");
    case HitsColumn:
        return tr("Hits");
    case NoteColumn:
        return tr("What was not searched, and why");
    default:
        return {};
    }
}

} // namespace topicscope::ui
