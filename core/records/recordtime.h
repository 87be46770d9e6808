#pragma once

#include "core/records/record.h"

namespace topicscope
{

/// Kafka's way of saying that a record has no time.
constexpr qint64 kNoTimestamp = -1;

/// Whether its timestampMs is a time.
inline bool hasTime(const Record &record)
{
    return record.flags.testFlag(RecordFlag::HasTimestamp) && record.timestampMs != kNoTimestamp;
}

} // namespace topicscope
