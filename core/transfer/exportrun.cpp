#include "core/transfer/exportrun.h"

#include <algorithm>

namespace topicscope::transfer
{

using namespace Qt::StringLiterals;

namespace
{

const QString kFiltered = u"left out by the filter"_s;
const QString kNotChosen = u"not chosen"_s;

/// One partition on its way into a file.
class Run final : public RangeSink
{
public:
    Run(const ExportPart &part, const ExportOptions &options, ExportWriter &writer,
        const std::function<void(const ExportCount &)> &progress, const std::stop_token &stop)
        : m_range(part.range)
        , m_chosen(part.chosen)
        , m_options(options)
        , m_writer(writer)
        , m_progress(progress)
        , m_stop(stop)
        , m_nextChosen(m_chosen.begin())
    {
        m_outcome.count = {m_range.partition, m_range.from, m_range.from};
        m_writer.beginPartition(m_range);
    }

    std::optional<OffsetSpan> wanted() override
    {
        if (m_writer.error())
            return std::nullopt;
        leaveOutUpTo(nextChosen());
        return isDone() ? std::nullopt : std::optional(OffsetSpan{at(), m_range.to});
    }

    bool rows(const FetchResult &result, Offset end) override
    {
        const auto goesOn = [&](Offset offset) {
            return !isDone() && offset < end && !m_stop.stop_requested();
        };
        forEachRow(
            result,
            [&](const Record &record) {
                if (!goesOn(record.offset))
                    return false;
                if (record.offset >= at())
                    this->record(*result.chunk, record);
                return true;
            },
            [&](const OffsetGap &gap) {
                if (!goesOn(gap.first))
                    return false;
                note(ExportNote::of(gap));
                return true;
            });
        if (!isDone() && !m_stop.stop_requested())
            fillUpTo(end);
        return !m_stop.stop_requested();
    }

    void absent(Offset end, const Absence &absence) override
    {
        ExportNote note{ExportNote::Kind::Missing, at(), end, absence.reason};
        switch (absence.kind) {
        case Absence::Kind::TooLarge:
            note.kind = ExportNote::Kind::TooLarge;
            if (note.text.isEmpty())
                note.text = u"more than %1 bytes"_s.arg(m_options.limits.maxRecordBytes);
            break;
        case Absence::Kind::DamagedSize:
            note.kind = ExportNote::Kind::DamagedSize;
            note.text = u"an impossible %1: the log is damaged here"_s.arg(absence.reason);
            break;
        case Absence::Kind::Missing:
            note.text = u"no records although the log goes on: it is damaged"_s;
            break;
        case Absence::Kind::BelowLogStart:
            note.kind = ExportNote::Kind::Gap;
            note.text = u"removed by retention meanwhile"_s;
            break;
        case Absence::Kind::BehindEnd:
            break;
        case Absence::Kind::NotCommitted:
            note.kind = ExportNote::Kind::NotCommitted;
            note.text = u"behind the last stable offset"_s;
            break;
        }
        this->note(note);
    }

    void failed(const Error &error) override { m_outcome.error = error; }
    void advanced() override { m_progress(m_outcome.count); }

    ExportOutcome finish()
    {
        noteLeftOut();
        if (m_writer.error())
            m_outcome.error = m_writer.error();
        else if (!isDone() && !m_outcome.error)
            m_outcome.error = Error::make(ErrorKind::Cancelled, {});
        m_outcome.count.complete = !m_outcome.error && isDone();
        m_writer.endPartition(m_outcome.count);
        if (m_writer.error())
            m_outcome.error = m_writer.error();
        return m_outcome;
    }

private:
    Offset at() const { return m_outcome.count.to; }
    bool isDone() const { return at() >= m_range.to || m_outcome.count.records >= m_options.count; }

    /// From at() on; the range's end when there is none.
    Offset nextChosen()
    {
        if (m_chosen.empty())
            return at();
        while (m_nextChosen != m_chosen.end() && m_nextChosen->end <= at())
            ++m_nextChosen;
        return m_nextChosen == m_chosen.end() ? m_range.to : std::max(at(), m_nextChosen->first);
    }

    void record(const RecordChunk &chunk, const Record &record)
    {
        fillUpTo(record.offset);
        if (nextChosen() > record.offset) {
            leaveOut(record.offset + 1, kNotChosen);
            return;
        }
        if (m_options.filter) {
            const search::Verdict verdict = m_options.filter->matches(chunk, record);
            m_outcome.undecided += verdict == search::Verdict::Undecided ? 1 : 0;
            if (verdict != search::Verdict::Yes) {
                leaveOut(record.offset + 1, kFiltered);
                return;
            }
        }
        noteLeftOut();
        m_outcome.findings += record.flags.testFlag(RecordFlag::ChecksumMismatch) ? 1 : 0;
        m_outcome.count.to = record.offset + 1;
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
        fillUpTo(note.first);
        // Notes about what nobody asked for would be no more than noise.
        leaveOutUpTo(std::min(nextChosen(), note.end));
        note.first = at();
        if (note.first >= note.end)
            return;
        noteLeftOut();
        write(note);
        m_outcome.count.to = note.end;
    }

    void leaveOutUpTo(Offset end)
    {
        if (at() < end)
            leaveOut(end, kNotChosen);
    }

    void leaveOut(Offset end, const QString &why)
    {
        if (m_leftOut && m_leftOut->text != why)
            noteLeftOut();
        if (!m_leftOut)
            m_leftOut = {ExportNote::Kind::Filtered, at(), {}, why};
        m_leftOut->end = end;
        m_outcome.count.to = end;
    }

    void noteLeftOut()
    {
        if (m_leftOut)
            write(*m_leftOut);
        m_leftOut.reset();
    }

    void write(const ExportNote &note)
    {
        m_writer.note(m_range.partition, note);
        m_outcome.count.withoutRecord += note.offsets();
        m_outcome.findings += note.isFinding() ? 1 : 0;
        if (note.kind != ExportNote::Kind::Filtered)
            m_outcome.missed += wantedIn(note);
    }

    qint64 wantedIn(const ExportNote &note) const
    {
        if (m_chosen.empty())
            return note.offsets();
        qint64 offsets = 0;
        for (auto span = m_nextChosen; span != m_chosen.end() && span->first < note.end; ++span)
            offsets += std::min(span->end, note.end) - std::max(span->first, note.first);
        return offsets;
    }

    const ExportRange &m_range;
    const std::vector<OffsetSpan> &m_chosen;
    const ExportOptions &m_options;
    ExportWriter &m_writer;
    const std::function<void(const ExportCount &)> &m_progress;
    const std::stop_token &m_stop;
    std::vector<OffsetSpan>::const_iterator m_nextChosen; ///< the first that may lie before us
    ExportOutcome m_outcome;
    std::optional<ExportNote> m_leftOut; ///< a run of offsets nobody wants, still growing
};

} // namespace

ExportOutcome exportPartition(BrokerSession &session, const ExportPart &part,
                              const ExportOptions &options, ExportWriter &writer,
                              const std::function<void(const ExportCount &)> &progress,
                              const std::stop_token &stop)
{
    Run run(part, options, writer, progress, stop);
    readRange(session, part.range.partition, options.limits, run, stop);
    return run.finish();
}

} // namespace topicscope::transfer
