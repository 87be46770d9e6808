#include "core/records/rowstate.h"

namespace topicscope
{

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
    case RowKind::NotExported:
        return RowState::Normal;
    }
    return RowState::Normal;
}

} // namespace topicscope
