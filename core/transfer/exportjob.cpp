#include "core/transfer/exportjob.h"

#include "core/base/saturate.h"

#include <QElapsedTimer>

#include <algorithm>

namespace topicscope::transfer
{

using namespace Qt::StringLiterals;

namespace
{

constexpr double kLongestMs = 1e15; // a time 64 bits have
constexpr qint64 kProgressEveryMs = 100;

QList<TopicPartition> partitionsOf(const ExportChoice &choice)
{
    if (choice.chosen.empty())
        return choice.partitions;
    QList<TopicPartition> partitions;
    for (const auto &[partition, spans] : choice.chosen)
        partitions += partition;
    return partitions;
}

/// @param log  all there is of the partition  @param wanted  what the scope makes of it
ExportPart partOf(const search::PartitionLedger &log, const search::PartitionLedger &wanted,
                  const ExportChoice &choice)
{
    ExportPart part{{log.partition(), {}, {}, log.begin(), log.end()}};
    ExportRange &range = part.range;
    if (const auto chosen = choice.chosen.find(log.partition()); chosen != choice.chosen.end()) {
        // What is gone meanwhile is noted.
        part.chosen = chosen->second;
        range.from = part.chosen.front().first;
        range.to = part.chosen.back().end;
    } else if (const auto pending = wanted.pending()) {
        range.from = pending->first;
        range.to = pending->end;
    } else {
        range.from = range.to = std::clamp(wanted.begin(), range.logStart, range.highWatermark);
    }
    return part;
}

} // namespace

Result<std::vector<ExportPart>> planExport(BrokerSession &session, const ExportChoice &choice,
                                           const CallContext &context)
{
    const QList<TopicPartition> partitions = partitionsOf(choice);
    if (partitions.isEmpty())
        return Error::make(ErrorKind::InvalidArgument, u"nothing is chosen"_s);
    const auto log = search::planSearch(session, partitions, {}, context);
    if (!log)
        return log.error();
    const auto wanted = search::planSearch(session, partitions, choice.scope, context);
    if (!wanted)
        return wanted.error();
    std::vector<ExportPart> parts;
    parts.reserve(log->size());
    for (size_t i = 0; i < log->size(); ++i) {
        for (const search::PartitionLedger &ledger : {(*log)[i], (*wanted)[i]}) {
            if (ledger.error())
                return *ledger.error();
        }
        parts.push_back(partOf((*log)[i], (*wanted)[i], choice));
    }
    return parts;
}

ExportSummary writeExport(BrokerSession &session, const std::vector<ExportPart> &parts,
                          const ExportOptions &options, ExportFile &file,
                          const std::function<void(const ExportProgress &)> &progress,
                          const std::stop_token &stop)
{
    ExportSummary summary;
    ExportProgress shown;
    for (const ExportPart &part : parts)
        shown.allOffsets = saturatingSum(shown.allOffsets, part.range.to - part.range.from);
    QElapsedTimer clock;
    clock.start();
    qint64 shownAt = -kProgressEveryMs;
    const auto tell = [&](const ExportCount &count) {
        const qint64 elapsed = clock.elapsed();
        if (elapsed - shownAt < kProgressEveryMs)
            return;
        shownAt = elapsed;
        shown.partition = count.partition;
        shown.offsets = summary.offsets + (count.to - count.from);
        shown.records = summary.records + count.records;
        shown.bytes = file.writer().bytesWritten();
        shown.elapsed = std::chrono::milliseconds(elapsed);
        if (shown.offsets > 0) {
            const double left =
                double(elapsed) * double(shown.allOffsets - shown.offsets) / double(shown.offsets);
            shown.left = std::chrono::milliseconds(qint64(std::min(left, kLongestMs)));
        }
        progress(shown);
    };

    bool isWhole = true;
    for (const ExportPart &part : parts) {
        const ExportOutcome outcome =
            exportPartition(session, part, options, file.writer(), tell, stop);
        const ExportCount &count = outcome.count;
        ++summary.partitions;
        summary.records += count.records;
        summary.withoutRecord += count.withoutRecord;
        summary.offsets += count.to - count.from;
        summary.findings += outcome.findings;
        summary.undecided += outcome.undecided;
        summary.missed = saturatingSum(summary.missed, outcome.missed);
        summary.last = count.partition;
        summary.lastOffset = count.to;
        isWhole = isWhole && count.isWhole();
        if (!outcome.error)
            continue;
        // One that fails hides no other: what can be had is in the unfinished file.
        if (!summary.error)
            summary.error = outcome.error;
        if (stop.stop_requested() || file.writer().error())
            break;
    }
    file.writer().end(!summary.error && isWhole);
    file.writer().flush();
    if (!summary.error)
        summary.error = file.writer().error();
    if (!summary.error && !isWhole)
        summary.error = Error::make(ErrorKind::Protocol, u"the count is not right"_s);
    if (!summary.error) {
        if (const auto committed = file.commit(); !committed)
            summary.error = committed.error();
    }
    summary.finished = !summary.error;
    summary.path = summary.finished ? file.path() : file.partPath();
    summary.bytes = file.writer().bytesWritten();
    summary.inexact = file.writer().inexact();
    return summary;
}

} // namespace topicscope::transfer
