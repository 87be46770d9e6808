#include "core/session/rangereader.h"

#include "core/records/recordcodec.h"
#include "core/session/holeprobe.h"

#include <algorithm>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

bool isOutOfRange(const Error &error)
{
    return error.kind == ErrorKind::Broker && error.brokerName == u"OFFSET_OUT_OF_RANGE"_s;
}

class RangeReader
{
public:
    RangeReader(BrokerSession &session, const TopicPartition &partition, const ReadLimits &limits,
                RangeSink &sink, const std::stop_token &stop)
        : m_session(session)
        , m_partition(partition)
        , m_limits(limits)
        , m_sink(sink)
        , m_stop(stop)
        , m_maxBytes(limits.maxBytes)
    {
    }

    void run()
    {
        while (!m_failed) {
            const auto span = m_sink.wanted();
            if (!span)
                return;
            const auto result = fetch(span->first);
            if (m_stop.stop_requested())
                return;
            if (result)
                take(*result, *span);
            else
                takeError(result.error(), *span);
            if (m_stop.stop_requested())
                return;
            m_sink.advanced();
        }
    }

private:
    CallContext context() const { return CallContext(m_session.config().requestTimeout, m_stop); }

    Result<FetchResult> fetch(Offset offset)
    {
        FetchRequest request;
        request.partition = m_partition;
        request.offset = offset;
        request.maxBytes = m_maxBytes;
        request.isolation = m_limits.isolation;
        return m_session.fetch(request, context());
    }

    void take(const FetchResult &result, const OffsetSpan &span)
    {
        const Offset next = std::min(result.nextOffset, span.end);
        if (!m_sink.rows(result, next))
            return;
        m_triedAgain = false;
        if (next > span.first)
            m_maxBytes = m_limits.maxBytes;
        if (next < span.end)
            takeEnd(result, next, span);
    }

    /// What stands behind the records, where the span goes on.
    void takeEnd(const FetchResult &result, Offset next, const OffsetSpan &span)
    {
        switch (result.end) {
        case FetchEnd::More:
            if (next == span.first)
                fail(Error::make(ErrorKind::Protocol, u"an answer without records and end"_s,
                                 {m_partition.topic, m_partition.partition, next, {}, {}}));
            return;
        case FetchEnd::CaughtUp:
            if (result.lastStableOffset && *result.lastStableOffset <= next &&
                result.highWatermark > next)
                m_sink.absent(span.end, {Absence::Kind::NotCommitted});
            else
                behindEnd(span, result.highWatermark);
            return;
        case FetchEnd::RecordExceedsMaxBytes:
            takeTooLarge(result, next);
            return;
        case FetchEnd::ImpossibleSize:
            stepOver(next, span,
                     {Absence::Kind::DamagedSize, u"size %1"_s.arg(result.endRecordBytes)});
            return;
        case FetchEnd::EmptyBelowHighWatermark:
            stepOver(next, span, {Absence::Kind::Missing});
            return;
        }
    }

    void behindEnd(const OffsetSpan &span, Offset highWatermark)
    {
        m_sink.absent(span.end, {Absence::Kind::BehindEnd,
                                 u"the log ends at %1 now"_s.arg(highWatermark.value)});
    }

    /// Asks for it by itself: as much as it needs or, where nobody knows, twice as much each time.
    void takeTooLarge(const FetchResult &result, Offset next)
    {
        const bool known = result.endRecordBytes > 0;
        const qint64 needed =
            known ? result.endRecordBytes + kRecordHeaderBytes
                  : std::min<qint64>(qint64(m_maxBytes) * 2, m_limits.maxRecordBytes);
        if (needed > m_maxBytes && needed <= m_limits.maxRecordBytes) {
            m_maxBytes = qint32(needed);
            return;
        }
        m_maxBytes = m_limits.maxBytes;
        m_sink.absent(next + 1, {Absence::Kind::TooLarge,
                                 known ? u"%1 bytes"_s.arg(result.endRecordBytes) : QString()});
    }

    /// Damage from `first` on, up to where records come again.
    void stepOver(Offset first, const OffsetSpan &span, const Absence &absence)
    {
        HoleProbe probe(first, span.end);
        while (const auto offset = probe.next()) {
            const auto result = fetch(*offset);
            if (m_stop.stop_requested())
                return;
            if (!result && !isOutOfRange(result.error())) {
                fail(result.error());
                return;
            }
            // Behind damage the broker may answer from the middle of a record: only a record whose
            // checksum is right shows that reading goes on.
            probe.tell(*offset, result && !result->chunk->isEmpty() &&
                                    !result->chunk->records().front().flags.testFlag(
                                        RecordFlag::ChecksumMismatch));
        }
        m_sink.absent(probe.end(), absence);
    }

    void takeError(const Error &error, const OffsetSpan &span)
    {
        if (isOutOfRange(error)) {
            resolveOutOfRange(error, span);
        } else if (error.kind == ErrorKind::Network && !m_triedAgain) {
            m_triedAgain = true; // an idle connection may have been closed
        } else {
            fail(error);
        }
    }

    /// Retention went on, or the log was cut back, since the span was made.
    void resolveOutOfRange(const Error &error, const OffsetSpan &span)
    {
        const auto topics = m_session.describeTopics({m_partition.topic}, context());
        if (m_stop.stop_requested())
            return;
        if (!topics) {
            fail(topics.error());
            return;
        }
        for (const TopicInfo &topic : *topics) {
            const auto info =
                std::ranges::find(topic.partitions, m_partition.partition, &PartitionInfo::id);
            if (info == topic.partitions.end() || info->error || !info->offsetsKnown)
                continue;
            if (span.first < info->logStartOffset)
                m_sink.absent(std::min(info->logStartOffset, span.end),
                              {Absence::Kind::BelowLogStart});
            else if (span.first >= info->highWatermark)
                behindEnd(span, info->highWatermark);
            else
                stepOver(span.first, span, {Absence::Kind::Missing});
            return;
        }
        fail(error);
    }

    void fail(const Error &error)
    {
        if (error.kind == ErrorKind::Cancelled)
            return;
        m_failed = true;
        m_sink.failed(error);
    }

    BrokerSession &m_session;
    const TopicPartition &m_partition;
    const ReadLimits &m_limits;
    RangeSink &m_sink;
    const std::stop_token &m_stop;
    qint32 m_maxBytes; ///< for the next fetch; more for a record that is larger
    bool m_triedAgain = false;
    bool m_failed = false;
};

} // namespace

void readRange(BrokerSession &session, const TopicPartition &partition, const ReadLimits &limits,
               RangeSink &sink, const std::stop_token &stop)
{
    RangeReader(session, partition, limits, sink, stop).run();
}

} // namespace topicscope
