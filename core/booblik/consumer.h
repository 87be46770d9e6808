#pragma once

#include "core/booblik/rangereader.h"
#include "core/booblik/topichandle.h"
#include "core/session/topicinfo.h"

#include <optional>
#include <variant>

namespace topicscope::booblik
{

/// Where a consumer begins. The ends are looked up when they are needed, not when they are named.
struct Earliest {
};
struct Latest {
};
using StartPosition = std::variant<Earliest, Latest, Offset>;

/// Reads one partition from a position on, poll by poll. The position is the number to store for
/// going on later, and it lies behind every record of the last poll: store it after they have been
/// handled.
/// Thread: confined to one thread; blocking. It owns its connection.
class Consumer
{
public:
    /// Defaults of the reference's clients, with a wait: polling at the end is not a busy loop.
    static ReadOptions defaultOptions();

    Consumer(SessionConfig config, TopicPartition partition, StartPosition start,
             ReadOptions options = defaultOptions());

    /// Waits up to the options' maxWait for records. Empty and CaughtUp: nothing new, not the end.
    /// @error RecordExceedsMaxBytes (offset, recordBytes, limitBytes): the position is unchanged;
    /// only a larger max bytes, or a seek(), gets on.
    /// @error Broker: OFFSET_OUT_OF_RANGE comes with the numbers of the log in its detail.
    /// @error Protocol: an answer that is empty below the high watermark, or damaged sizes.
    /// @error as Connection::send() and receive().
    Result<FetchResult> poll(const CallContext &context);

    void seek(StartPosition position);
    /// Next offset to be read; nullopt while the start is Earliest or Latest and not looked up yet.
    std::optional<Offset> position() const;
    /// Of the last successful poll; 0 before.
    Offset highWatermark() const { return m_highWatermark; }
    /// Records behind, as of the last successful poll; never negative.
    qint64 lag() const;

private:
    Result<void> lookUpStart(const CallContext &context);
    Result<PartitionInfo> partitionInfo(const CallContext &context);

    Connection m_connection;
    RangeReader m_reader;
    StartPosition m_start;
    Offset m_highWatermark;
};

} // namespace topicscope::booblik
