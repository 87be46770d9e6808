#include "ui/models/hitmodel.h"

#include "core/records/payloadformat.h"
#include "ui/plaintooltip.h"

#include <algorithm>
#include <chrono>

namespace topicscope::ui
{

using namespace std::chrono_literals;

namespace
{

constexpr auto kInsertEvery = 50ms;

} // namespace

RowRef HitModel::Part::at(int row) const
{
    const size_t block = size_t(std::ranges::upper_bound(ends, row) - ends.begin());
    const int index = row - (block == 0 ? 0 : ends[block - 1]);
    return {&blocks[block], &blocks[block].chunk->records()[size_t(index)], index};
}

HitModel::HitModel(QObject *parent, qint64 maxHits, qint64 maxBytes)
    : QAbstractTableModel(parent)
    , m_limit(maxHits, maxBytes)
    , m_maxHits(maxHits)
    , m_maxBytes(maxBytes)
{
    m_delay.setSingleShot(true);
    m_delay.setInterval(kInsertEvery);
    connect(&m_delay, &QTimer::timeout, this, &HitModel::flush);
    reset({}, {});
}

void HitModel::reset(const Capabilities &capabilities, const RecordFormats &formats,
                     std::optional<search::Filter> filter)
{
    beginResetModel();
    m_formats = formats;
    m_filter = std::move(filter);
    m_columns = {RecordColumn::Partition, RecordColumn::Offset};
    if (capabilities.timestamps)
        m_columns.push_back(RecordColumn::Time);
    if (capabilities.keys)
        m_columns.push_back(RecordColumn::Key);
    m_columns.push_back(RecordColumn::Value);
    m_limit = search::HitList(m_maxHits, m_maxBytes);
    m_parts.clear();
    m_order.clear();
    m_waiting.clear();
    m_delay.stop();
    endResetModel();
    emit hitsChanged();
}

void HitModel::add(size_t partition, const RecordChunkPtr &hits)
{
    m_waiting[partition].push_back(hits);
    if (!m_delay.isActive())
        m_delay.start();
}

void HitModel::flush()
{
    m_delay.stop();
    if (m_waiting.empty())
        return;
    for (const auto &[partition, chunks] : std::exchange(m_waiting, {}))
        insert(partition, chunks);
    emit hitsChanged();
}

void HitModel::insert(size_t partition, const std::vector<RecordChunkPtr> &chunks)
{
    std::vector<RecordBlock> kept;
    int rows = 0;
    for (const RecordChunkPtr &chunk : chunks) {
        if (RecordChunkPtr part = m_limit.add(partition, chunk)) {
            rows += int(part->records().size());
            kept.push_back(RecordBlock::records(std::move(part)));
        }
    }
    if (rows > 0) {
        int first = 0;
        for (const auto &[id, part] : m_parts)
            first += id <= partition ? part.rows() : 0;
        beginInsertRows({}, first, first + rows - 1);
        Part &part = m_parts[partition];
        for (RecordBlock &block : kept) {
            part.ends.push_back(part.rows() + block.rows);
            part.blocks.push_back(std::move(block));
        }
        renumber();
        endInsertRows();
    }
    // What gives way are the last ones, here as there.
    if (const qint64 tooMany = rowCount() - m_limit.kept(); tooMany > 0)
        removeLast(int(tooMany));
}

void HitModel::removeLast(int rows)
{
    beginRemoveRows({}, rowCount() - rows, rowCount() - 1);
    while (rows > 0) {
        Part &part = std::prev(m_parts.end())->second;
        const int before = part.ends.size() > 1 ? part.ends[part.ends.size() - 2] : 0;
        const int gone = std::min(rows, part.rows() - before);
        rows -= gone;
        part.ends.back() -= gone;
        if (part.ends.back() == before) {
            part.ends.pop_back();
            part.blocks.pop_back();
        }
        if (part.blocks.empty())
            m_parts.erase(std::prev(m_parts.end()));
    }
    renumber();
    endRemoveRows();
}

void HitModel::renumber()
{
    m_order.clear();
    int row = 0;
    for (auto &[id, part] : m_parts) {
        part.firstRow = row;
        row += part.rows();
        m_order.push_back(&part);
    }
}

RowRef HitModel::row(int row) const
{
    const auto behind = std::ranges::upper_bound(m_order, row, {}, &Part::firstRow);
    const Part &part = **std::prev(behind);
    return part.at(row - part.firstRow);
}

TopicPartition HitModel::partitionOf(int row) const
{
    return this->row(row).block->chunk->partition();
}

/// In the form chosen, or from a little before what was found on.
QString HitModel::valueText(const RowRef &row) const
{
    constexpr size_t kBefore = 24; // bytes; more would leave what was found no room
    const auto value = row.block->chunk->value(*row.record);
    const auto place = m_filter && !m_formats.value ? m_filter->placeIn(value) : std::nullopt;
    if (!place || *place <= 2 * kBefore)
        return cellText(row, RecordColumn::Value, m_formats);
    size_t begin = *place - kBefore;
    while (begin < *place &&
           (quint8(value[begin]) & 0xC0) == 0x80) // not in the middle of a character
        ++begin;
    return u'…' + previewText(value.subspan(begin));
}

int HitModel::firstNotBefore(const TopicPartition &partition, Offset offset) const
{
    int low = 0;
    int high = rowCount();
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const RowRef ref = row(middle);
        const TopicPartition &there = ref.block->chunk->partition();
        const bool before = there == partition ? ref.offset() < offset : there < partition;
        (before ? low : high) = before ? middle + 1 : middle;
    }
    return low;
}

int HitModel::nextRow(const TopicPartition &partition, Offset offset, int step) const
{
    const int found =
        step > 0 ? firstNotBefore(partition, offset + 1) : firstNotBefore(partition, offset) - 1;
    return found < rowCount() ? found : -1;
}

MarkedOffsets HitModel::places() const
{
    MarkedOffsets places;
    for (const Part *part : m_order) {
        std::vector<Offset> &offsets = places[part->blocks.front().partition];
        for (int row = 0; row < part->rows(); ++row)
            offsets.push_back(part->at(row).offset());
    }
    return places;
}

int HitModel::rowCount(const QModelIndex &parent) const
{
    if (parent.isValid() || m_order.empty())
        return 0;
    return m_order.back()->firstRow + m_order.back()->rows();
}

int HitModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_columns.size());
}

QVariant HitModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const RecordColumn which = column(index.column());
    const RowRef ref = row(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return which == RecordColumn::Value ? valueText(ref) : cellText(ref, which, m_formats);
    case Qt::ToolTipRole:
        return plainToolTip(cellToolTip(ref, which, m_formats));
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (isNumber(which) ? Qt::AlignRight : Qt::AlignLeft));
    case RowStateRole:
        return int(stateOf(ref));
    case NoteRole:
        return isCellNote(ref, which);
    case FixedPitchRole:
        return which == RecordColumn::Offset;
    default:
        return {};
    }
}

QVariant HitModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (isNumber(column(section)) ? Qt::AlignRight : Qt::AlignLeft));
    return role == Qt::DisplayRole ? QVariant(columnTitle(column(section))) : QVariant();
}

} // namespace topicscope::ui
