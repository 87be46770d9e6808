#pragma once

#include "core/records/recordstore.h"

namespace topicscope
{

/// What a record row is, from the viewer's point of view. Everything but Normal and Tombstone
/// counts as flagged.
enum class RowState {
    Normal,
    Tombstone,
    ChecksumMismatch,
    Oversized,
    Damaged,
    Gap,
};

constexpr bool isFlagged(RowState state)
{
    return state != RowState::Normal && state != RowState::Tombstone;
}

/// Thread: any (pure).
RowState stateOf(const RowRef &row);

} // namespace topicscope
