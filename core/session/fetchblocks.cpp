#include "core/session/fetchblocks.h"

#include <algorithm>

namespace topicscope
{

namespace
{

RowKind rowKindOf(OffsetGap::Kind kind)
{
    switch (kind) {
    case OffsetGap::Kind::NoRecords:
        return RowKind::NoRecords;
    case OffsetGap::Kind::Aborted:
        return RowKind::Aborted;
    case OffsetGap::Kind::NotCommitted:
        return RowKind::NotCommitted;
    case OffsetGap::Kind::NotExported:
        return RowKind::NotExported;
    case OffsetGap::Kind::Unreadable:
        break;
    }
    return RowKind::UnreadableBatch;
}

} // namespace

std::vector<RecordBlock> blocksOf(const FetchResult &result, Offset from, Offset to)
{
    std::vector<RecordBlock> blocks;
    int rows = 0;
    const auto addRecords = [&](Offset begin, Offset end) {
        if (result.chunk->isEmpty())
            return;
        RecordBlock block = RecordBlock::records(result.chunk).trimmed(begin, end);
        if (block.rows == 0)
            return;
        rows += block.rows;
        blocks.push_back(std::move(block));
    };

    Offset next = from;
    for (const OffsetGap &gap : result.gaps) {
        const Offset first = std::max(gap.first, next);
        const Offset end = std::min(gap.end, to);
        if (first >= end)
            continue;
        addRecords(next, first);
        RecordBlock note =
            RecordBlock::note(rowKindOf(gap.kind), result.partition.partition, first, end);
        note.noteReason = gap.reason;
        blocks.push_back(std::move(note));
        next = end;
    }
    addRecords(next, to);
    for (RecordBlock &block : blocks) {
        if (block.kind == RowKind::Record && rows > 0)
            block.chunkBytes = block.chunkBytes * block.rows / rows;
    }
    return blocks;
}

} // namespace topicscope
