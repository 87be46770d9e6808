#include "core/records/rowstate.h"

namespace topicscope
{

std::optional<qint64> timeOf(const Record &record)
{
    constexpr qint64 kNone = -1;
    const bool has = record.flags.testFlag(RecordFlag::HasTimestamp) && record.timestampMs != kNone;
    return has ? std::optional(record.timestampMs) : std::nullopt;
}

RowState stateOf(const RowRef &row)
{
    switch (row.block->kind) {
    case RowKind::Record:
        if (row.record->flags & RecordFlag::ChecksumMismatch)
            return RowState::ChecksumMismatch;
        return row.record->flags & RecordFlag::NullValue ? RowState::Tombstone : RowState::Normal;
    case RowKind::Oversized:
        return RowState::Oversized;
    case RowKind::Unreadable:
    case RowKind::ImpossibleSize:
    case RowKind::UnreadableBatch:
    case RowKind::Refused:
        return RowState::Damaged;
    case RowKind::BelowLogStart:
    case RowKind::Hole:
        return RowState::Gap;
    case RowKind::NoRecords:
    case RowKind::Aborted:
    case RowKind::NotCommitted:
        return RowState::Normal;
    }
    return RowState::Normal;
}

} // namespace topicscope
