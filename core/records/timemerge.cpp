#include "core/records/timemerge.h"

#include <queue>

#include <algorithm>
#include <limits>

namespace topicscope
{

namespace
{

/// Heads of the queues are compared by these: the time, then the partition.
struct Head {
    qint64 timeMs;
    size_t queue;

    bool operator>(const Head &other) const
    {
        return std::pair(timeMs, queue) > std::pair(other.timeMs, other.queue);
    }
    bool operator<(const Head &other) const
    {
        return std::pair(timeMs, queue) < std::pair(other.timeMs, other.queue);
    }
};

constexpr qint64 kBeforeAll = std::numeric_limits<qint64>::min();
constexpr qint64 kBehindAll = std::numeric_limits<qint64>::max();

qint64 timeOf(const RecordBlock &block, int row, qint64 without)
{
    if (block.kind != RowKind::Record)
        return without;
    const Record &record = block.chunk->records()[size_t(block.firstIndex) + size_t(row)];
    return block.chunk->timestampMs(record).value_or(without);
}

/// The rows [from, to) of a block, with their share of its memory.
RecordBlock part(const RecordBlock &block, int from, int to)
{
    if (block.kind != RowKind::Record || (from == 0 && to == block.rows))
        return block;
    RecordBlock result = block;
    const auto &records = block.chunk->records();
    result.firstIndex = block.firstIndex + from;
    result.rows = to - from;
    // Offsets without a record between two rows belong to the row before them.
    result.first = from == 0 ? block.first : records[size_t(result.firstIndex)].offset;
    result.end =
        to == block.rows ? block.end : records[size_t(block.firstIndex) + size_t(to)].offset;
    result.chunkBytes = block.chunkBytes * to / block.rows - block.chunkBytes * from / block.rows;
    return result;
}

/// Whether some queue that may get more has nothing now.
bool mustWait(const std::vector<MergeQueue> &queues)
{
    return std::ranges::any_of(
        queues, [](const MergeQueue &queue) { return queue.blocks.empty() && !queue.isComplete; });
}

} // namespace

std::vector<RecordBlock> mergeForward(std::vector<MergeQueue> &queues)
{
    std::vector<RecordBlock> merged;
    if (mustWait(queues))
        return merged;
    std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
    for (size_t i = 0; i < queues.size(); ++i) {
        if (!queues[i].blocks.empty())
            heads.push({timeOf(queues[i].blocks.front(), 0, kBeforeAll), i});
    }
    while (!heads.empty()) {
        const size_t from = heads.top().queue;
        heads.pop();
        RecordBlock &block = queues[from].blocks.front();
        // As many rows as come before what the others have.
        int rows = 1;
        qint64 next = kBeforeAll;
        while (rows < block.rows) {
            next = timeOf(block, rows, kBeforeAll);
            if (!heads.empty() && heads.top() < Head{next, from})
                break;
            ++rows;
        }
        if (rows < block.rows) {
            merged.push_back(part(block, 0, rows));
            block = part(block, rows, block.rows);
            heads.push({next, from});
            continue;
        }
        merged.push_back(std::move(block));
        queues[from].blocks.pop_front();
        if (!queues[from].blocks.empty())
            heads.push({timeOf(queues[from].blocks.front(), 0, kBeforeAll), from});
        else if (!queues[from].isComplete)
            break;
    }
    return merged;
}

std::vector<RecordBlock> mergeBackward(std::vector<MergeQueue> &queues)
{
    std::vector<RecordBlock> merged;
    if (mustWait(queues))
        return merged;
    std::priority_queue<Head> tails;
    const auto timeOfLast = [](const RecordBlock &block) {
        return timeOf(block, block.rows - 1, kBehindAll);
    };
    for (size_t i = 0; i < queues.size(); ++i) {
        if (!queues[i].blocks.empty())
            tails.push({timeOfLast(queues[i].blocks.back()), i});
    }
    while (!tails.empty()) {
        const size_t from = tails.top().queue;
        tails.pop();
        RecordBlock &block = queues[from].blocks.back();
        int rows = 1; // from its end
        qint64 next = kBehindAll;
        while (rows < block.rows) {
            next = timeOf(block, block.rows - 1 - rows, kBehindAll);
            if (!tails.empty() && Head{next, from} < tails.top())
                break;
            ++rows;
        }
        if (rows < block.rows) {
            merged.push_back(part(block, block.rows - rows, block.rows));
            block = part(block, 0, block.rows - rows);
            tails.push({next, from});
            continue;
        }
        merged.push_back(std::move(block));
        queues[from].blocks.pop_back();
        if (!queues[from].blocks.empty())
            tails.push({timeOfLast(queues[from].blocks.back()), from});
        else if (!queues[from].isComplete)
            break;
    }
    std::ranges::reverse(merged);
    return merged;
}

} // namespace topicscope
