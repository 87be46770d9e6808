#pragma once

#include "core/search/search.h"
#include "core/transfer/exportfile.h"
#include "core/transfer/exportrun.h"

#include <chrono>
#include <map>

namespace topicscope::transfer
{

/// What goes into one file.
struct ExportChoice {
    QList<TopicPartition> partitions;
    search::SearchScope scope = {};
    /// Not empty: of these partitions only these offsets, see ExportPart, in place of the two
    /// above.
    std::map<TopicPartition, std::vector<OffsetSpan>> chosen = {};
};

/// Looks up where each partition stands now. All of what was chosen or none: a part of it would
/// look like all of it.
/// @error InvalidArgument: nothing chosen; what planSearch() returns; a partition's own.
/// Thread: the session's; blocking.
Result<std::vector<ExportPart>> planExport(BrokerSession &session, const ExportChoice &choice,
                                           const CallContext &context);

struct ExportProgress {
    TopicPartition partition; ///< the one being written
    qint64 offsets = 0;       ///< gone through, of all partitions
    qint64 allOffsets = 0;
    qint64 records = 0;
    qint64 bytes = 0; ///< written
    std::chrono::milliseconds elapsed{0};
    std::optional<std::chrono::milliseconds> left; ///< by the offsets so far; nullopt: unknown
};

/// What all partitions came to.
struct ExportSummary {
    QString path; ///< of what there is now: the file's own, or that of its unfinished part
    bool finished = false;
    qint64 partitions = 0; ///< begun
    qint64 records = 0;
    qint64 withoutRecord = 0; ///< offsets that notes are about
    qint64 offsets = 0;       ///< gone through; finished: records + withoutRecord
    qint64 bytes = 0;
    qint64 findings = 0;  ///< see ExportOutcome
    qint64 undecided = 0; ///< see ExportOutcome
    qint64 missed = 0;    ///< see ExportOutcome
    qint64 inexact = 0;   ///< records the format could not keep to the last byte
    TopicPartition last;  ///< where it ended, and how far that partition came
    Offset lastOffset;
    std::optional<Error> error; ///< the first, why it is not finished; Cancelled when stopped
};

/// Writes the parts into the file and gives it its name when every offset is accounted for; else it
/// stays what it is, in whole lines.
/// @param progress  called at most ten times a second
/// Thread: the session's; blocking, back within 50 ms of a stop plus what one answer takes to
/// write.
ExportSummary writeExport(BrokerSession &session, const std::vector<ExportPart> &parts,
                          const ExportOptions &options, ExportFile &file,
                          const std::function<void(const ExportProgress &)> &progress,
                          const std::stop_token &stop);

} // namespace topicscope::transfer
