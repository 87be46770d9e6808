#pragma once

#include "core/session/brokersession.h"

#include <optional>
#include <stop_token>

namespace topicscope
{

/// Offsets of one partition.
struct OffsetSpan {
    Offset first;
    Offset end; ///< first offset behind them

    bool operator==(const OffsetSpan &) const = default;
};

/// Offsets that were wanted and have nothing to be looked at.
struct Absence {
    enum class Kind {
        TooLarge,      ///< one record, larger than may be fetched
        DamagedSize,   ///< a size no record can have, up to where the log is readable again
        Missing,       ///< no records although there should be, up to where there are some again
        BelowLogStart, ///< removed by retention
        BehindEnd,     ///< the log has no such offsets: not yet, or not any more
        NotCommitted,  ///< a committed read ends before an open transaction
    };
    Kind kind = Kind::Missing;
    QString reason = {}; ///< technical, where something is known beyond the kind
};

struct ReadLimits {
    Isolation isolation = Isolation::ReadUncommitted;
    qint32 maxBytes = kDefaultMaxBytes; ///< of one answer
    /// A record larger than maxBytes is fetched by itself up to this size.
    qint32 maxRecordBytes = 16 * 1024 * 1024;
};

/// Says what is wanted of a partition and takes it, in offset order. Each offset is told of once,
/// by rows() or by absent().
class RangeSink
{
public:
    RangeSink() = default;
    virtual ~RangeSink() = default;
    Q_DISABLE_COPY_MOVE(RangeSink)

    /// Where to read on, and up to where; nullopt: nowhere any more.
    virtual std::optional<OffsetSpan> wanted() = 0;
    /// The answer's records and gaps up to `end`, which is not behind wanted()'s. False when
    /// stopped meanwhile: then the answer counts as not read.
    virtual bool rows(const FetchResult &result, Offset end) = 0;
    /// The same up to `end`, without any.
    virtual void absent(Offset end, const Absence &absence) = 0;
    /// Nothing more can be read.
    virtual void failed(const Error &error) = 0;
    /// After each answer that brought it further.
    virtual void advanced() = 0;
};

/// Reads what is wanted until nothing is, it failed, or it is stopped (which is no failure). Damage
/// is told and stepped over; what retention removed or was cut off meanwhile is told as that; a
/// connection that was closed while idle is tried once more.
/// Thread: the session's; blocking, back within 50 ms of a stop plus what rows() takes.
void readRange(BrokerSession &session, const TopicPartition &partition, const ReadLimits &limits,
               RangeSink &sink, const std::stop_token &stop);

} // namespace topicscope
