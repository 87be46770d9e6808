#pragma once

#include "core/base/ids.h"
#include "core/records/recordchunk.h"

#include <chrono>
#include <optional>

namespace topicscope
{

inline constexpr qint32 kDefaultMaxBytes = 1024 * 1024;

struct FetchRequest {
    TopicPartition partition;
    Offset offset;
    qint32 maxBytes = kDefaultMaxBytes;
    std::chrono::milliseconds maxWait{
        0};              ///< how long the broker may hold the answer for new records
    qint32 minBytes = 0; ///< what it waits for, when maxWait > 0
};

/// What stands at FetchResult::nextOffset, behind the records returned.
enum class FetchEnd {
    More,                    ///< fetch on
    CaughtUp,                ///< no records, and the high watermark is reached: not an error
    RecordExceedsMaxBytes,   ///< no records: the next one does not fit; unchanged it never will
    EmptyBelowHighWatermark, ///< no records although there should be: a damaged log; do not retry
    ImpossibleSize,          ///< the next record's size field is damaged
};

struct FetchResult {
    TopicPartition partition;
    Offset fetchOffset;   ///< as asked
    RecordChunkPtr chunk; ///< never null; may be empty
    Offset nextOffset;    ///< where to go on
    Offset highWatermark; ///< may lie before nextOffset: it is sampled first
    FetchEnd end = FetchEnd::More;
    qint64 endRecordBytes = 0; ///< size of the record `end` is about; 0 = unknown
};

} // namespace topicscope
