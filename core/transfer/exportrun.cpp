#include "core/transfer/exportrun.h"

#include "core/records/recordcodec.h"

#include <algorithm>

namespace topicscope::transfer
{

using namespace Qt::StringLiterals;

namespace
{

/// One partition on its way into a file.
class Run
{
public:
    Run(const ExportRange &range, const ExportOptions &options, ExportWriter &writer)
        : m_range(range)
        , m_options(options)
        , m_writer(writer)
        , m_maxBytes(options.maxBytes)
    {
        m_outcome.count = {range.partition, range.from, range.from};
        m_writer.beginPartition(range);
    }

    Offset at() const { return m_outcome.count.to; }
    qint32 maxBytes() const { return m_maxBytes; }
    bool isDone() const { return at() >= m_range.to || m_outcome.count.records >= m_options.count; }
    const ExportCount &count() const { return m_outcome.count; }
    void fail(Error error) { m_outcome.error = std::move(error); }
    bool failed() const { return m_outcome.error.has_value() || m_writer.error().has_value(); }

    void take(const FetchResult &result)
    {
        const auto wanted = [&](Offset offset) { return !isDone() && offset < m_range.to; };
        forEachRow(
            result,
            [&](const Record &record) {
                if (!wanted(record.offset))
                    return false;
                if (record.offset >= at())
                    this->record(*result.chunk, record);
                return true;
            },
            [&](const OffsetGap &gap) {
                if (!wanted(gap.first))
                    return false;
                note(ExportNote::of(gap));
                return true;
            });
        if (isDone())
            return;
        takeEnd(result);
    }

    ExportOutcome finish()
    {
        noteFiltered();
        m_outcome.count.complete = !m_outcome.error && isDone();
        m_writer.endPartition(m_outcome.count);
        if (m_writer.error())
            m_outcome.error = m_writer.error();
        return m_outcome;
    }

private:
    void record(const RecordChunk &chunk, const Record &record)
    {
        fillUpTo(record.offset);
        m_outcome.count.to = record.offset + 1;
        if (m_options.filter) {
            const search::Verdict verdict = m_options.filter->matches(chunk, record);
            m_outcome.undecided += verdict == search::Verdict::Undecided ? 1 : 0;
            if (verdict != search::Verdict::Yes) {
                if (!m_filtered)
                    m_filtered = {ExportNote::Kind::Filtered, record.offset, {}, {}};
                m_filtered->end = record.offset + 1;
                return;
            }
        }
        noteFiltered();
        m_outcome.findings += record.flags.testFlag(RecordFlag::ChecksumMismatch) ? 1 : 0;
        m_writer.record(chunk, record);
        ++m_outcome.count.records;
    }

    /// What does not begin where the last row ended leaves a gap of its own.
    void fillUpTo(Offset offset)
    {
        if (at() < offset)
            note({ExportNote::Kind::Missing, at(), offset, u"not in the broker's answer"_s});
    }

    void note(ExportNote note)
    {
        note.first = std::max(note.first, at());
        note.end = std::min(note.end, m_range.to);
        if (note.first >= note.end)
            return;
        if (note.first > at())
            fillUpTo(note.first);
        noteFiltered();
        write(note);
        m_outcome.count.to = note.end;
    }

    void noteFiltered()
    {
        if (!m_filtered)
            return;
        m_filtered->text = u"left out by the filter"_s;
        write(*m_filtered);
        m_filtered.reset();
    }

    void write(const ExportNote &note)
    {
        m_writer.note(m_range.partition, note);
        m_outcome.count.withoutRecord += note.offsets();
        m_outcome.findings += note.isFinding() ? 1 : 0;
    }

    void takeEnd(const FetchResult &result)
    {
        const Offset next = result.nextOffset;
        switch (result.end) {
        case FetchEnd::More:
            if (next <= result.fetchOffset) {
                fail(Error::make(
                    ErrorKind::Protocol, u"an answer without records"_s,
                    {m_range.partition.topic, m_range.partition.partition, at(), {}, {}}));
                return;
            }
            fillUpTo(std::min(next, m_range.to));
            m_maxBytes = m_options.maxBytes;
            return;
        case FetchEnd::CaughtUp:
            if (result.lastStableOffset && *result.lastStableOffset < m_range.to) {
                note({ExportNote::Kind::NotCommitted, at(), m_range.to,
                      u"behind the last stable offset"_s});
            } else {
                note({ExportNote::Kind::Missing, at(), m_range.to,
                      u"the log ends before, at %1"_s.arg(result.highWatermark.value)});
            }
            return;
        case FetchEnd::RecordExceedsMaxBytes: {
            fillUpTo(next);
            const qint64 wanted = result.endRecordBytes > 0
                                      ? result.endRecordBytes + kRecordHeaderBytes
                                      : qint64(m_maxBytes) * 2;
            if (wanted > m_maxBytes && wanted <= m_options.maxRecordBytes) {
                m_maxBytes = qint32(wanted);
                return;
            }
            note({ExportNote::Kind::TooLarge, next, next + 1,
                  result.endRecordBytes > 0 ? u"%1 bytes"_s.arg(result.endRecordBytes)
                                            : u"more than %1 bytes"_s.arg(m_maxBytes)});
            m_maxBytes = m_options.maxBytes;
            return;
        }
        case FetchEnd::ImpossibleSize:
            note({ExportNote::Kind::DamagedSize, next, next + 1,
                  u"an impossible size, %1: the log is damaged here"_s.arg(result.endRecordBytes)});
            return;
        case FetchEnd::EmptyBelowHighWatermark:
            note({ExportNote::Kind::Missing, at(), m_range.to,
                  u"no record although the log ends at %1: the log is damaged"_s.arg(
                      result.highWatermark.value)});
            return;
        }
    }

    const ExportRange &m_range;
    const ExportOptions &m_options;
    ExportWriter &m_writer;
    qint32 m_maxBytes;
    ExportOutcome m_outcome;
    std::optional<ExportNote> m_filtered; ///< a run of records that do not match, still growing
};

} // namespace

ExportOutcome exportPartition(BrokerSession &session, const ExportRange &range,
                              const ExportOptions &options, ExportWriter &writer,
                              const std::function<void(const ExportCount &)> &progress,
                              const std::stop_token &stop)
{
    Run run(range, options, writer);
    while (!run.isDone() && !run.failed()) {
        FetchRequest request{range.partition, run.at(), run.maxBytes()};
        request.isolation = options.isolation;
        const auto result =
            session.fetch(request, CallContext(session.config().requestTimeout, stop));
        if (result)
            run.take(*result);
        else
            run.fail(result.error());
        progress(run.count());
    }
    return run.finish();
}

} // namespace topicscope::transfer
