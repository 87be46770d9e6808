#pragma once

#include "core/records/recordstore.h"

#include <deque>
#include <vector>

namespace topicscope
{

/// Rows of one partition, in offset order, that wait to be merged with those of others by time.
struct MergeQueue {
    std::deque<RecordBlock> blocks;
    /// There are no more behind them (backward: before them), so nothing has to wait for them.
    bool isComplete = false;
};

/// Takes rows from the fronts of the queues, the earliest time first; equal times by partition.
/// Within a partition the order is that of the offsets, whatever the times. Stops at a queue that
/// is empty and not complete, since what is to come there may be earlier than all others. A row
/// without a time stays with the one before it.
/// Consecutive rows of one chunk come as one block. Thread: any (pure).
std::vector<RecordBlock> mergeForward(std::vector<MergeQueue> &queues);

/// The same from the backs, the latest time first; a row without a time stays with the one behind
/// it. The result is in display order, the earliest first.
std::vector<RecordBlock> mergeBackward(std::vector<MergeQueue> &queues);

} // namespace topicscope
