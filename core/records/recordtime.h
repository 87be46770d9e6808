#pragma once

#include "core/records/recordchunk.h"

namespace topicscope
{

/// Kafka's way of saying that a record has no time.
constexpr qint64 kNoTimestamp = -1;

/// Its timestamp if that is a time, in ms since the epoch.
inline std::optional<qint64> timeOf(const RecordChunk &chunk, const Record &record)
{
    const auto timestamp = chunk.timestampMs(record);
    return timestamp == kNoTimestamp ? std::nullopt : timestamp;
}

} // namespace topicscope
