#include "ui/models/recordtablemodel.h"

#include "ui/plaintooltip.h"

#include <QElapsedTimer>

#include <algorithm>
#include <iterator>

namespace topicscope::ui
{

namespace
{

constexpr int kScanSliceMs = 5;

Qt::Alignment alignmentOf(RecordColumn column)
{
    return Qt::AlignVCenter | (isNumber(column) ? Qt::AlignRight : Qt::AlignLeft);
}

int flaggedIn(const RecordBlock &block)
{
    if (block.kind != RowKind::Record)
        return isFlagged(stateOf({&block})) ? 1 : 0;
    const auto begin = block.chunk->records().begin() + block.firstIndex;
    return int(std::count_if(begin, begin + block.rows, [](const Record &record) {
        return record.flags.testFlag(RecordFlag::ChecksumMismatch);
    }));
}

} // namespace

RecordTableModel::RecordTableModel(QObject *parent)
    : QAbstractTableModel(parent)
{
    m_scanTimer.setInterval(0);
    connect(&m_scanTimer, &QTimer::timeout, this, &RecordTableModel::scanSlice);
    reset({}, false);
}

void RecordTableModel::reset(const Capabilities &capabilities, bool withPartition)
{
    beginResetModel();
    m_columns.clear();
    if (withPartition)
        m_columns.push_back(RecordColumn::Partition);
    m_columns.insert(m_columns.end(), {RecordColumn::Offset, RecordColumn::Flags});
    if (capabilities.timestamps)
        m_columns.insert(m_columns.end(), {RecordColumn::Time, RecordColumn::TimeType});
    if (capabilities.keys)
        m_columns.push_back(RecordColumn::Key);
    if (capabilities.headers)
        m_columns.push_back(RecordColumn::Headers);
    if (capabilities.keys)
        m_columns.push_back(RecordColumn::KeySize);
    m_columns.push_back(RecordColumn::Size);
    if (capabilities.keys || capabilities.headers)
        m_columns.push_back(RecordColumn::TotalSize);
    if (capabilities.recordChecksums)
        m_columns.push_back(RecordColumn::Crc);
    else if (capabilities.headers)
        m_columns.push_back(RecordColumn::Batch);
    m_columns.push_back(RecordColumn::Value);
    m_store.clear();
    m_matches.clear();
    m_scannedFrom = 0;
    m_scanned = 0;
    m_flagged = 0;
    m_scanTimer.stop();
    endResetModel();
    emit windowChanged();
}

void RecordTableModel::clear()
{
    beginResetModel();
    m_store.clear();
    m_matches.clear();
    m_scannedFrom = 0;
    m_scanned = 0;
    m_flagged = 0;
    m_scanTimer.stop();
    endResetModel();
    emit windowChanged();
}

void RecordTableModel::setFormats(const RecordFormats &formats)
{
    m_formats = formats;
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

/// Takes note of the flagged rows among those about to come in. @return rows in all blocks
int RecordTableModel::countIn(const std::vector<RecordBlock> &blocks)
{
    int rows = 0;
    for (const RecordBlock &block : blocks) {
        rows += block.rows;
        m_flagged += flaggedIn(block);
    }
    return rows;
}

void RecordTableModel::append(std::vector<RecordBlock> blocks)
{
    const int rows = countIn(blocks);
    if (rows == 0)
        return;
    if (!isFiltered())
        beginInsertRows({}, rowCount(), rowCount() + rows - 1);
    const bool wasScanned = m_scanned == m_store.endRow();
    for (RecordBlock &block : blocks)
        m_store.append(std::move(block));
    if (!isFiltered()) {
        endInsertRows();
    } else if (wasScanned || m_store.rowCount() == rows) {
        m_scanned = m_store.endRow() - rows;
        if (m_store.rowCount() == rows)
            m_scannedFrom = m_scanned;
        scanSlice();
    }
    emit windowChanged();
}

void RecordTableModel::prepend(std::vector<RecordBlock> blocks)
{
    if (m_store.isEmpty()) {
        append(std::move(blocks));
        return;
    }
    const int rows = countIn(blocks);
    if (rows == 0)
        return;
    if (!isFiltered())
        beginInsertRows({}, 0, rows - 1);
    std::ranges::reverse(blocks);
    for (RecordBlock &block : blocks)
        m_store.prepend(std::move(block));
    if (isFiltered())
        scanSlice();
    else
        endInsertRows();
    emit windowChanged();
}

bool RecordTableModel::replaceNote(RecordBlock block)
{
    const auto at = m_store.find(block.partition, block.first);
    if (!at || m_store.at(*at).block->kind == RowKind::Record)
        return false;
    m_flagged += flaggedIn(block) - 1; // every note that can be replaced is flagged
    const int visible = rowOf(block.partition, block.first);
    m_store.replaceNote(*at, std::move(block));
    if (visible >= 0)
        emit dataChanged(index(visible, 0), index(visible, columnCount() - 1));
    emit windowChanged();
    return true;
}

void RecordTableModel::evictFront(int keep)
{
    const qint64 rows = m_store.rowsToEvictFront(keep < rowCount() ? storeRow(std::max(keep, 0))
                                                                   : m_store.endRow());
    if (rows == 0)
        return;
    const qint64 newFirst = m_store.firstRow() + rows;
    const int gone = isFiltered()
                         ? int(std::ranges::lower_bound(m_matches, newFirst) - m_matches.begin())
                         : int(rows);
    if (gone > 0)
        beginRemoveRows({}, 0, gone - 1);
    for (qint64 row = m_store.firstRow(); row < newFirst;) {
        const RecordBlock &block = *m_store.at(row).block;
        m_flagged -= flaggedIn(block);
        row += block.rows;
    }
    m_store.removeFront(rows);
    if (isFiltered()) {
        m_matches.erase(m_matches.begin(), m_matches.begin() + gone);
        clampScanned();
    }
    if (gone > 0)
        endRemoveRows();
    emit windowChanged();
}

void RecordTableModel::evictBack(int keep)
{
    const qint64 rows = m_store.rowsToEvictBack(keep >= 0 && rowCount() > 0
                                                    ? storeRow(std::min(keep, rowCount() - 1))
                                                    : m_store.firstRow());
    if (rows == 0)
        return;
    const qint64 newEnd = m_store.endRow() - rows;
    const int gone = isFiltered()
                         ? int(m_matches.end() - std::ranges::lower_bound(m_matches, newEnd))
                         : int(rows);
    if (gone > 0)
        beginRemoveRows({}, rowCount() - gone, rowCount() - 1);
    for (qint64 row = newEnd; row < m_store.endRow();) {
        const RecordBlock &block = *m_store.at(row).block;
        m_flagged -= flaggedIn(block);
        row += block.rows;
    }
    m_store.removeBack(rows);
    if (isFiltered()) {
        m_matches.erase(m_matches.end() - gone, m_matches.end());
        clampScanned();
    }
    if (gone > 0)
        endRemoveRows();
    emit windowChanged();
}

int RecordTableModel::section(RecordColumn column) const
{
    const auto found = std::ranges::find(m_columns, column);
    return found == m_columns.end() ? -1 : int(found - m_columns.begin());
}

qint64 RecordTableModel::storeRow(int row) const
{
    return isFiltered() ? m_matches[size_t(row)] : m_store.firstRow() + row;
}

RowRef RecordTableModel::row(int row) const
{
    return m_store.at(storeRow(row));
}

RowState RecordTableModel::rowState(int row) const
{
    return stateOf(m_store.at(storeRow(row)));
}

int RecordTableModel::rowOf(PartitionId partition, Offset offset) const
{
    const auto at = m_store.find(partition, offset);
    if (!at)
        return -1;
    if (!isFiltered())
        return int(*at - m_store.firstRow());
    const auto match = std::ranges::lower_bound(m_matches, *at);
    return match != m_matches.end() && *match == *at ? int(match - m_matches.begin()) : -1;
}

int RecordTableModel::nextFlagged(int row, int step) const
{
    for (row += step; row >= 0 && row < rowCount(); row += step) {
        if (isFlagged(rowState(row)))
            return row;
    }
    return -1;
}

// ---------------------------------------------------------------------------------------- filter

void RecordTableModel::setFilter(std::optional<search::Filter> filter)
{
    if (!filter && !m_filter)
        return;
    beginResetModel();
    m_filter = std::move(filter);
    m_matches.clear();
    m_scannedFrom = m_scanned = m_store.firstRow();
    endResetModel();
    m_scanTimer.stop();
    if (isFiltered())
        scanSlice();
    emit windowChanged();
}

std::deque<qint64> RecordTableModel::matchesIn(qint64 begin, qint64 end) const
{
    std::deque<qint64> found;
    for (qint64 row = begin; row < end;) {
        const RowRef ref = m_store.at(row);
        if (!ref.record) {
            found.push_back(row++);
            continue;
        }
        const qint64 left = ref.block->firstIndex + ref.block->rows - ref.index;
        const auto first = size_t(ref.index);
        const size_t last = first + size_t(std::min(left, end - row));
        const auto matches =
            m_filter->matchesIn(*ref.block->chunk, first, last, search::Filter::kStepsAtOnce);
        std::vector<size_t> shown;
        std::ranges::merge(matches.hits, matches.undecided, std::back_inserter(shown));
        for (const size_t index : shown)
            found.push_back(row + qint64(index - first));
        row += qint64(last - first);
    }
    return found;
}

/// What was looked at and is gone.
void RecordTableModel::clampScanned()
{
    m_scannedFrom = std::clamp(m_scannedFrom, m_store.firstRow(), m_store.endRow());
    m_scanned = std::clamp(m_scanned, m_store.firstRow(), m_store.endRow());
}

/// How many rows from `row` on (step 1), or before it (step -1), are looked at between two looks at
/// the clock: up to `most`, fewer of large ones.
qint64 RecordTableModel::pieceRows(qint64 row, int step, qint64 most) const
{
    constexpr qint64 kMostBytes = qint64(256) * 1024;
    most = std::min(most, step > 0 ? m_store.endRow() - row : row - m_store.firstRow());
    qint64 rows = 0;
    for (qint64 bytes = 0; rows < most && bytes < kMostBytes; ++rows) {
        const RowRef ref = m_store.at(step > 0 ? row + rows : row - 1 - rows);
        bytes += ref.record ? ref.record->frameBytes : 0;
    }
    return rows;
}

/// First what came in before the rows looked at, then what stands behind them.
void RecordTableModel::scanSlice()
{
    constexpr qint64 kMostRows = 64;
    std::deque<qint64> before;
    std::deque<qint64> behind;
    QElapsedTimer time;
    time.start();
    // What a row costs depends on the filter: a runaway pattern is found out by one alone.
    for (qint64 most = 1; isFilterScanning() && time.elapsed() < kScanSliceMs;
         most = std::min(2 * most, kMostRows)) {
        if (m_scannedFrom > m_store.firstRow()) {
            const qint64 begin = m_scannedFrom - pieceRows(m_scannedFrom, -1, most);
            const auto more = matchesIn(begin, m_scannedFrom);
            before.insert(before.begin(), more.begin(), more.end());
            m_scannedFrom = begin;
        } else {
            const qint64 end = m_scanned + pieceRows(m_scanned, 1, most);
            const auto more = matchesIn(m_scanned, end);
            behind.insert(behind.end(), more.begin(), more.end());
            m_scanned = end;
        }
    }
    if (!before.empty()) {
        beginInsertRows({}, 0, int(before.size()) - 1);
        m_matches.insert(m_matches.begin(), before.begin(), before.end());
        endInsertRows();
    }
    if (!behind.empty()) {
        beginInsertRows({}, rowCount(), rowCount() + int(behind.size()) - 1);
        m_matches.insert(m_matches.end(), behind.begin(), behind.end());
        endInsertRows();
    }
    if (isFilterScanning()) {
        m_scanTimer.start();
    } else if (m_scanTimer.isActive()) {
        m_scanTimer.stop();
        emit windowChanged();
    }
}

// ------------------------------------------------------------------------------------------ data

int RecordTableModel::rowCount(const QModelIndex &parent) const
{
    if (parent.isValid())
        return 0;
    return int(isFiltered() ? qint64(m_matches.size()) : m_store.rowCount());
}

int RecordTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_columns.size());
}

QVariant RecordTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const RecordColumn which = column(index.column());
    const RowRef ref = row(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return cellText(ref, which, m_formats);
    case Qt::ToolTipRole:
        return plainToolTip(cellToolTip(ref, which, m_formats));
    case Qt::TextAlignmentRole:
        return int(alignmentOf(which));
    case RowStateRole:
        return int(stateOf(ref));
    case NoteRole:
        return isCellNote(ref, which);
    case FixedPitchRole:
        return which == RecordColumn::Crc || (isNumber(which) && which != RecordColumn::Partition);
    case FlagCellRole:
        return which == RecordColumn::Flags;
    case SortRole: {
        const auto number = cellNumber(ref, which);
        return number ? QVariant(*number) : QVariant();
    }
    default:
        return {};
    }
}

QVariant RecordTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(alignmentOf(column(section)));
    if (role == Qt::DisplayRole)
        return columnTitle(column(section));
    return role == Qt::ToolTipRole ? columnToolTip(column(section)) : QVariant();
}

} // namespace topicscope::ui
