#include "core/search/partitionscan.h"

#include <algorithm>
#include <utility>

namespace topicscope::search
{

using namespace Qt::StringLiterals;

namespace
{

Coverage coverageOf(Absence::Kind kind)
{
    switch (kind) {
    case Absence::Kind::TooLarge:
        return Coverage::TooLarge;
    case Absence::Kind::DamagedSize:
        return Coverage::DamagedSize;
    case Absence::Kind::Missing:
        return Coverage::Missing;
    case Absence::Kind::BelowLogStart:
        return Coverage::BelowLogStart;
    case Absence::Kind::BehindEnd:
        return Coverage::BehindEnd;
    case Absence::Kind::NotCommitted:
        return Coverage::NotCommitted;
    }
    return Coverage::Missing;
}

/// What a gap in an answer is in the ledger; the reason beside it.
std::pair<Coverage, QString> coverageOf(const OffsetGap &gap)
{
    switch (gap.kind) {
    case OffsetGap::Kind::NoRecords: // there is nothing to be looked at
        break;
    case OffsetGap::Kind::Aborted:
        return {Coverage::LeftOut, u"aborted transactions"_s};
    case OffsetGap::Kind::NotCommitted:
        return {Coverage::LeftOut, u"aborted transactions, or control records"_s};
    case OffsetGap::Kind::NotExported:
        return {Coverage::NotExported, gap.reason};
    case OffsetGap::Kind::Unreadable:
        return {Coverage::Unreadable, gap.reason};
    }
    return {Coverage::Scanned, {}};
}

/// Looks at what is pending in a ledger.
class PartitionScan final : public RangeSink
{
public:
    PartitionScan(const Filter &filter, PartitionLedger &ledger, const ScanCallbacks &callbacks,
                  const std::stop_token &stop)
        : m_filter(filter)
        , m_ledger(ledger)
        , m_callbacks(callbacks)
        , m_stop(stop)
    {
    }

    std::optional<OffsetSpan> wanted() override
    {
        const auto range = m_ledger.pending();
        return range ? std::optional(OffsetSpan{range->first, range->end}) : std::nullopt;
    }

    bool rows(const FetchResult &result, Offset to) override
    {
        const std::vector<Record> &records = result.chunk->records();
        const auto end =
            size_t(std::ranges::lower_bound(records, to, {}, &Record::offset) - records.begin());
        const Filter::Matches matches =
            m_filter.matchesIn(*result.chunk, 0, end, Filter::kSteps, m_stop);
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

    void absent(Offset end, const Absence &absence) override
    {
        m_ledger.advance(end, coverageOf(absence.kind), absence.reason);
    }
    void failed(const Error &error) override { m_ledger.fail(error); }
    void advanced() override { m_callbacks.advanced(); }

private:
    /// Up to `to` all is scanned, but for what was left out, cannot be read or was not decided.
    void note(const FetchResult &result, const std::vector<size_t> &undecided, Offset to)
    {
        auto gap = result.gaps.begin();
        const auto noteGapsBefore = [&](Offset offset) {
            for (; gap != result.gaps.end() && gap->first < offset; ++gap) {
                const auto [coverage, reason] = coverageOf(*gap);
                m_ledger.advance(gap->first, Coverage::Scanned);
                m_ledger.advance(std::min(gap->end, to), coverage, reason);
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

    const Filter &m_filter;
    PartitionLedger &m_ledger;
    const ScanCallbacks &m_callbacks;
    const std::stop_token &m_stop;
};

} // namespace

void scanPartition(BrokerSession &session, const Filter &filter, const ScanOptions &options,
                   PartitionLedger &ledger, const ScanCallbacks &callbacks,
                   const std::stop_token &stop)
{
    PartitionScan scan(filter, ledger, callbacks, stop);
    readRange(session, ledger.partition(), options, scan, stop);
}

} // namespace topicscope::search
