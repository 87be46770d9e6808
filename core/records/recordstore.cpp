#include "core/records/recordstore.h"

#include <algorithm>

namespace topicscope
{

RecordBlock RecordBlock::records(RecordChunkPtr chunk)
{
    Q_ASSERT(chunk && !chunk->isEmpty());
    RecordBlock block;
    block.partition = chunk->partition().partition;
    block.first = chunk->records().front().offset;
    block.end = chunk->records().back().offset + 1;
    block.rows = int(chunk->records().size());
    block.chunkBytes = chunk->heldBytes();
    block.chunk = std::move(chunk);
    return block;
}

RecordBlock RecordBlock::note(RowKind kind, PartitionId partition, Offset first, Offset end,
                              qint64 bytes)
{
    Q_ASSERT(kind != RowKind::Record);
    RecordBlock block;
    block.partition = partition;
    block.first = first;
    block.end = end;
    block.kind = kind;
    block.noteBytes = bytes;
    return block;
}

RecordBlock RecordBlock::trimmed(Offset from, Offset to) const
{
    RecordBlock result = *this;
    if (kind != RowKind::Record) {
        result.rows = end > from && first < to ? 1 : 0;
        return result;
    }
    const auto begin = chunk->records().begin() + firstIndex;
    const auto byOffset = [](const Record &record, Offset offset) {
        return record.offset < offset;
    };
    const auto low = std::lower_bound(begin, begin + rows, from, byOffset);
    const auto high = std::lower_bound(low, begin + rows, to, byOffset);
    result.firstIndex = int(low - chunk->records().begin());
    result.rows = int(high - low);
    result.first = std::max(first, from);
    result.end = std::min(end, to);
    return result;
}

qint64 RecordBlock::heldBytes() const
{
    // A fixed share for the chunk object and its allocations: a follower may bring chunks of one
    // small record each.
    constexpr qint64 kBlockBytes = 256;
    return kBlockBytes + chunkBytes;
}

qint64 RecordStore::endRow() const
{
    return m_blocks.empty() ? 0 : m_blocks.back().firstRow + m_blocks.back().block.rows;
}

std::deque<RecordStore::Placed>::const_iterator RecordStore::placeOf(qint64 row) const
{
    Q_ASSERT(row >= firstRow() && row < endRow());
    const auto behind = std::upper_bound(
        m_blocks.begin(), m_blocks.end(), row,
        [](qint64 wanted, const Placed &placed) { return wanted < placed.firstRow; });
    return behind - 1;
}

RowRef RecordStore::at(qint64 row) const
{
    const Placed &placed = *placeOf(row);
    if (placed.block.kind != RowKind::Record)
        return {&placed.block, nullptr, -1};
    const int index = placed.block.firstIndex + int(row - placed.firstRow);
    return {&placed.block, &placed.block.chunk->records()[size_t(index)], index};
}

std::optional<qint64> RecordStore::find(PartitionId partition, Offset offset) const
{
    for (const auto &[block, blockFirstRow] : m_blocks) {
        if (block.partition != partition || offset < block.first || offset >= block.end)
            continue;
        if (block.kind != RowKind::Record)
            return blockFirstRow;
        const RecordBlock found = block.trimmed(offset, offset + 1);
        if (found.rows == 1)
            return blockFirstRow + (found.firstIndex - block.firstIndex);
    }
    return std::nullopt;
}

std::optional<RecordStore::Range> RecordStore::range(PartitionId partition) const
{
    const auto found = m_ranges.constFind(partition.value);
    return found == m_ranges.cend() ? std::nullopt : std::optional(*found);
}

void RecordStore::hold(const RecordBlock &block)
{
    m_heldBytes += block.heldBytes();
    Range &range = m_ranges[block.partition.value];
    if (range.blocks++ == 0) {
        range.first = block.first;
        range.end = block.end;
    } else {
        range.first = std::min(range.first, block.first);
        range.end = std::max(range.end, block.end);
    }
}

void RecordStore::release(const RecordBlock &block, bool atFront)
{
    m_heldBytes -= block.heldBytes();
    Range &range = m_ranges[block.partition.value];
    if (--range.blocks == 0)
        m_ranges.remove(block.partition.value);
    else if (atFront)
        range.first = block.end;
    else
        range.end = block.first;
}

void RecordStore::append(RecordBlock block)
{
    Q_ASSERT(block.rows > 0);
    hold(block);
    m_blocks.push_back({std::move(block), endRow()});
}

void RecordStore::prepend(RecordBlock block)
{
    Q_ASSERT(block.rows > 0);
    hold(block);
    const qint64 row = firstRow() - block.rows;
    m_blocks.push_front({std::move(block), row});
}

void RecordStore::clear()
{
    m_blocks.clear();
    m_ranges.clear();
    m_heldBytes = 0;
}

void RecordStore::replaceNote(qint64 row, RecordBlock block)
{
    Q_ASSERT(block.rows == 1);
    const auto place = m_blocks.begin() + (placeOf(row) - m_blocks.cbegin());
    Q_ASSERT(place->block.kind != RowKind::Record);
    m_heldBytes += block.heldBytes() - place->block.heldBytes();
    place->block = std::move(block);
}

qint64 RecordStore::rowsToEvictFront(qint64 keep) const
{
    qint64 bytes = m_heldBytes;
    qint64 rows = 0;
    for (const auto &[block, blockFirstRow] : m_blocks) {
        const bool over = bytes > m_byteBudget || rowCount() - rows > m_rowBudget;
        if (!over || blockFirstRow + block.rows > keep || blockFirstRow + block.rows == endRow())
            break;
        bytes -= block.heldBytes();
        rows += block.rows;
    }
    return rows;
}

qint64 RecordStore::rowsToEvictBack(qint64 keep) const
{
    qint64 bytes = m_heldBytes;
    qint64 rows = 0;
    for (size_t i = m_blocks.size(); i-- > 0;) {
        const auto &[block, blockFirstRow] = m_blocks[i];
        const bool over = bytes > m_byteBudget || rowCount() - rows > m_rowBudget;
        if (!over || blockFirstRow <= keep || blockFirstRow == firstRow())
            break;
        bytes -= block.heldBytes();
        rows += block.rows;
    }
    return rows;
}

void RecordStore::removeFront(qint64 rows)
{
    for (const qint64 until = firstRow() + rows; !m_blocks.empty() && firstRow() < until;) {
        release(m_blocks.front().block, true);
        m_blocks.pop_front();
    }
}

void RecordStore::removeBack(qint64 rows)
{
    for (const qint64 until = endRow() - rows; !m_blocks.empty() && endRow() > until;) {
        release(m_blocks.back().block, false);
        m_blocks.pop_back();
    }
}

} // namespace topicscope
