#pragma once

#include "core/base/ids.h"
#include "core/records/recordchunk.h"

#include <QString>

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace topicscope
{

inline constexpr qint32 kDefaultMaxBytes = 1024 * 1024;

/// Which records of transactions are shown. Engines without transactions do not look at it.
enum class Isolation {
    ReadUncommitted, ///< everything in the log, up to the high watermark
    ReadCommitted,   ///< not those of open and aborted transactions, up to the last stable offset
};

struct FetchRequest {
    TopicPartition partition;
    Offset offset;
    qint32 maxBytes = kDefaultMaxBytes;
    std::chrono::milliseconds maxWait{
        0};              ///< how long the broker may hold the answer for new records
    qint32 minBytes = 0; ///< what it waits for, when maxWait > 0
    Isolation isolation = Isolation::ReadUncommitted;
};

/// Offsets without records the reader could be given.
struct OffsetGap {
    enum class Kind {
        NoRecords,    ///< compacted away, deleted, or control records
        Aborted,      ///< records of aborted transactions, left out by a committed read
        NotCommitted, ///< one of those two: left out by a committed read, and not looked into
        Unreadable,   ///< a batch that is damaged or that this build cannot unpack
        NotExported,  ///< of a record file: left out when it was written
    };
    Offset first;
    Offset end; ///< first offset behind the gap
    Kind kind = Kind::NoRecords;
    QString reason; ///< Unreadable: the library's words, without payload; NotExported: the file's

    bool operator==(const OffsetGap &) const = default;
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
    /// In order, between the records of the chunk, before or behind them. Records and gaps together
    /// cover fetchOffset … nextOffset.
    std::vector<OffsetGap> gaps;
    Offset nextOffset;    ///< where to go on
    Offset highWatermark; ///< may lie before nextOffset: it is sampled first
    /// Where an engine has transactions: reading committed records ends here. Told when such a read
    /// has come to it.
    std::optional<Offset> lastStableOffset;
    FetchEnd end = FetchEnd::More;
    qint64 endRecordBytes = 0; ///< size of the record `end` is about; 0 = unknown
};

/// What follow mode begins with.
struct FollowRequest {
    std::vector<std::pair<TopicPartition, Offset>> from;
    qint32 maxBytes = kDefaultMaxBytes; ///< of one answer, a partition
    Isolation isolation = Isolation::ReadUncommitted;
};

/// Goes through a result's records and gaps in offset order, until a callback returns false.
template <typename OnRecord, typename OnGap>
void forEachRow(const FetchResult &result, OnRecord onRecord, OnGap onGap)
{
    auto gap = result.gaps.begin();
    for (const Record &record : result.chunk->records()) {
        for (; gap != result.gaps.end() && gap->first < record.offset; ++gap) {
            if (!onGap(*gap))
                return;
        }
        if (!onRecord(record))
            return;
    }
    for (; gap != result.gaps.end(); ++gap) {
        if (!onGap(*gap))
            return;
    }
}

} // namespace topicscope
