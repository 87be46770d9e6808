#include "core/search/partitionscan.h"

#include "core/records/recordcodec.h"
#include "core/session/holeprobe.h"

#include <algorithm>

namespace topicscope::search
{

using namespace Qt::StringLiterals;

namespace
{

bool isOutOfRange(const Error &error)
{
    return error.kind == ErrorKind::Broker && error.brokerName == u"OFFSET_OUT_OF_RANGE"_s;
}

class PartitionScan
{
public:
    PartitionScan(BrokerSession &session, const Filter &filter, const ScanOptions &options,
                  PartitionLedger &ledger, const ScanCallbacks &callbacks,
                  const std::stop_token &stop)
        : m_session(session)
        , m_filter(filter)
        , m_options(options)
        , m_ledger(ledger)
        , m_callbacks(callbacks)
        , m_stop(stop)
        , m_maxBytes(options.maxBytes)
    {
    }

    void run()
    {
        for (auto range = m_ledger.pending(); range; range = m_ledger.pending()) {
            const auto result = fetch(range->first);
            if (m_stop.stop_requested())
                return;
            if (result)
                take(*result, *range);
            else
                takeError(result.error(), *range);
            if (m_stop.stop_requested())
                return;
            m_callbacks.advanced();
        }
    }

private:
    CallContext context() const { return CallContext(m_session.config().requestTimeout, m_stop); }

    Result<FetchResult> fetch(Offset offset)
    {
        FetchRequest request;
        request.partition = m_ledger.partition();
        request.offset = offset;
        request.maxBytes = m_maxBytes;
        request.isolation = m_options.isolation;
        return m_session.fetch(request, context());
    }

    void take(const FetchResult &result, const LedgerRange &range)
    {
        const Offset next = std::min(result.nextOffset, range.end);
        if (!takeRecords(result, next))
            return; // stopped: this answer counts as not fetched
        m_triedAgain = false;
        m_maxBytes = m_options.maxBytes;
        if (next < range.end)
            takeEnd(result, next, range);
    }

    /// @return false when stopped meanwhile
    bool takeRecords(const FetchResult &result, Offset to)
    {
        const std::vector<Record> &records = result.chunk->records();
        const auto end =
            size_t(std::ranges::lower_bound(records, to, {}, &Record::offset) - records.begin());
        const Filter::Matches matches = m_filter.matchesIn(*result.chunk, 0, end, m_stop);
        if (m_stop.stop_requested())
            return false;
        if (!matches.hits.empty())
            m_callbacks.found(subsetOf(result.chunk, matches.hits));
        m_ledger.hits += qint64(matches.hits.size());
        m_ledger.records += qint64(end);
        m_ledger.bytes += qint64(result.chunk->bytes().size());
        note(result, matches.undecided, to);
        return true;
    }

    /// Up to `to` all is scanned, but for batches that cannot be read and what was not decided.
    void note(const FetchResult &result, const std::vector<size_t> &undecided, Offset to)
    {
        auto gap = result.gaps.begin();
        const auto noteGapsBefore = [&](Offset offset) {
            for (; gap != result.gaps.end() && gap->first < offset; ++gap) {
                if (gap->kind != OffsetGap::Kind::Unreadable)
                    continue;
                m_ledger.advance(gap->first, Coverage::Scanned);
                m_ledger.advance(std::min(gap->end, to), Coverage::Unreadable, gap->reason);
            }
        };
        for (const size_t index : undecided) {
            const Offset offset = result.chunk->records()[index].offset;
            noteGapsBefore(offset);
            m_ledger.advance(offset, Coverage::Scanned);
            m_ledger.advance(offset + 1, Coverage::Undecided);
        }
        noteGapsBefore(to);
        m_ledger.advance(to, Coverage::Scanned);
    }

    /// What stands behind the records, where the range goes on.
    void takeEnd(const FetchResult &result, Offset next, const LedgerRange &range)
    {
        switch (result.end) {
        case FetchEnd::More:
            if (next == range.first)
                fail(Error::make(ErrorKind::Protocol, u"an answer without records and end"_s));
            return;
        case FetchEnd::CaughtUp:
            if (result.lastStableOffset && *result.lastStableOffset <= next &&
                result.highWatermark > next)
                m_ledger.advance(range.end, Coverage::NotCommitted);
            else
                m_ledger.advance(range.end, Coverage::BehindEnd,
                                 u"the log ends at %1 now"_s.arg(result.highWatermark.value));
            return;
        case FetchEnd::RecordExceedsMaxBytes:
            takeTooLarge(result, next);
            return;
        case FetchEnd::ImpossibleSize:
            stepOver(next, range, Coverage::DamagedSize, u"size %1"_s.arg(result.endRecordBytes));
            return;
        case FetchEnd::EmptyBelowHighWatermark:
            stepOver(next, range, Coverage::Missing, {});
            return;
        }
    }

    void takeTooLarge(const FetchResult &result, Offset next)
    {
        const qint64 needed = result.endRecordBytes + kRecordHeaderBytes;
        const bool known = result.endRecordBytes > 0;
        if (m_askedWhole != next && (!known || needed <= m_options.maxRecordBytes)) {
            m_askedWhole = next;
            m_maxBytes =
                std::max(m_options.maxBytes, known ? qint32(needed) : m_options.maxRecordBytes);
            return;
        }
        m_ledger.advance(next + 1, Coverage::TooLarge,
                         known ? u"%1 bytes"_s.arg(result.endRecordBytes) : QString());
    }

    /// Damage from `first` on, up to where records come again.
    void stepOver(Offset first, const LedgerRange &range, Coverage coverage, const QString &reason)
    {
        HoleProbe probe(first, range.end);
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
        m_ledger.advance(probe.end(), coverage, reason);
    }

    void takeError(const Error &error, const LedgerRange &range)
    {
        if (isOutOfRange(error)) {
            resolveOutOfRange(error, range);
        } else if (error.kind == ErrorKind::Network && !m_triedAgain) {
            m_triedAgain = true; // an idle connection may have been closed
        } else {
            fail(error);
        }
    }

    /// Retention went on, or the log was cut back, since the range was made.
    void resolveOutOfRange(const Error &error, const LedgerRange &range)
    {
        const auto topics = m_session.describeTopics({m_ledger.partition().topic}, context());
        if (m_stop.stop_requested())
            return;
        if (!topics) {
            fail(topics.error());
            return;
        }
        for (const TopicInfo &topic : *topics) {
            const auto info = std::ranges::find(topic.partitions, m_ledger.partition().partition,
                                                &PartitionInfo::id);
            if (info == topic.partitions.end() || info->error || !info->offsetsKnown)
                continue;
            if (range.first < info->logStartOffset)
                m_ledger.advance(info->logStartOffset, Coverage::BelowLogStart);
            else if (range.first >= info->highWatermark)
                m_ledger.advance(range.end, Coverage::BehindEnd,
                                 u"the log ends at %1 now"_s.arg(info->highWatermark.value));
            else
                stepOver(range.first, range, Coverage::Missing, {});
            return;
        }
        fail(error);
    }

    void fail(const Error &error)
    {
        if (error.kind != ErrorKind::Cancelled)
            m_ledger.fail(error);
    }

    BrokerSession &m_session;
    const Filter &m_filter;
    const ScanOptions &m_options;
    PartitionLedger &m_ledger;
    const ScanCallbacks &m_callbacks;
    const std::stop_token &m_stop;
    qint32 m_maxBytes;                  ///< for the next fetch; more for a record that is larger
    std::optional<Offset> m_askedWhole; ///< a record that was asked for with more
    bool m_triedAgain = false;
};

} // namespace

void scanPartition(BrokerSession &session, const Filter &filter, const ScanOptions &options,
                   PartitionLedger &ledger, const ScanCallbacks &callbacks,
                   const std::stop_token &stop)
{
    PartitionScan(session, filter, options, ledger, callbacks, stop).run();
}

} // namespace topicscope::search
