#pragma once

#include "core/booblik/connection.h"
#include "core/booblik/fetchanswer.h"
#include "core/session/fetch.h"

#include <optional>

namespace topicscope::booblik
{

/// How to read a partition forward.
struct ReadOptions {
    qint32 maxBytes = kDefaultMaxBytes;
    std::chrono::milliseconds maxWait{0};
    qint32 minBytes = 0;
    enum class Ahead {
        Never,          ///< one request, one answer
        BelowWatermark, ///< ask for the next range while records are known to be there
        Always,         ///< also at the end: the broker holds the request, for maxWait
    };
    Ahead ahead = Ahead::BelowWatermark;
};

/// Reads one partition forward. The next range is asked for as soon as the end of this one is
/// known, before its checksums are computed, so that it travels meanwhile; at most one answer is
/// ahead, and it waits in the socket's buffers.
///
/// The connection must not be used for anything else while isAsking().
/// Thread: confined to the connection's.
class RangeReader
{
public:
    RangeReader(Connection &connection, TopicPartition partition, Offset from, ReadOptions options);

    const TopicPartition &partition() const { return m_partition; }
    const ReadOptions &options() const { return m_options; }
    /// Next offset to be returned; everything before it was.
    Offset position() const { return m_position; }
    /// Goes on elsewhere. Drops the connection when a request for another offset is under way.
    void seek(Offset offset);

    /// One answer. The position moves behind its whole records and stays where FetchResult::end
    /// says that there is no way on.
    /// @error as Connection::send() and receive(); the position is unchanged and next() may be
    /// called again, which asks anew.
    Result<FetchResult> next(const CallContext &context);

    /// Sends the request for the position unless it is under way.
    Result<void> ask(const CallContext &context);
    bool isAsking() const
    {
        return m_asked && m_asked->epoch == m_connection.epoch() && m_connection.isOpen();
    }
    /// The answer when it is there, without waiting; then the next range is asked for as by next().
    Result<std::optional<FetchResult>> tryNext(const CallContext &context);

private:
    struct Asked {
        Offset offset;
        quint64 epoch = 0; ///< of the connection: a request on a dropped one is lost
    };

    Result<FetchResult> take(Answer answer, const CallContext &context);
    FetchRequest requestAt(Offset offset) const;

    Connection &m_connection;
    TopicPartition m_partition;
    ReadOptions m_options;
    Offset m_position;
    std::optional<Asked> m_asked;
};

} // namespace topicscope::booblik
