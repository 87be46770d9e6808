#pragma once

#include "core/records/recordstore.h"
#include "core/session/fetch.h"

#include <vector>

namespace topicscope
{

/// The rows of a result with from <= offset < to, in offset order: its records and, between them, a
/// note for each gap. Blocks that share the result's chunk divide its memory by their records.
/// Thread: any (pure).
std::vector<RecordBlock> blocksOf(const FetchResult &result, Offset from, Offset to);

} // namespace topicscope
