#pragma once

#include "core/search/filter.h"
#include "core/session/rangereader.h"
#include "core/transfer/exportwriter.h"

#include <functional>
#include <limits>
#include <optional>
#include <stop_token>
#include <vector>

namespace topicscope::transfer
{

/// No larger record can be exported: a file's reader has its bounds, too.
inline constexpr qint32 kMaxExportedBytes = 512 * 1024 * 1024;

struct ExportOptions {
    ReadLimits limits{.maxRecordBytes = 256 * 1024 * 1024};
    std::optional<search::Filter> filter; ///< what does not match is noted, not written
    qint64 count = std::numeric_limits<qint64>::max(); ///< records of a part, at most
};

/// What is wanted of one partition.
struct ExportPart {
    ExportRange range;
    /// Not empty: only these offsets of the range, in order and apart from one another; the others
    /// are noted. What lies far between them is not even fetched.
    std::vector<OffsetSpan> chosen = {};
};

struct ExportOutcome {
    ExportCount count;
    qint64 findings = 0;        ///< damaged records, and notes that are findings
    qint64 undecided = 0;       ///< records the filter gave up on: noted as filtered
    qint64 missed = 0;          ///< wanted offsets without a record, the filter's doing excepted
    std::optional<Error> error; ///< what ended it early; Cancelled when stopped
};

/// Writes one partition's range: each offset becomes a record or part of a note, nothing is left
/// out in silence. Damage is noted and stepped over. The writer gets the partition's beginning and,
/// however it ends, its end.
/// @param progress  called after each answer with what was counted so far
/// Thread: the session's; blocking, back within 50 ms of a stop plus what one answer takes to
/// write.
ExportOutcome exportPartition(BrokerSession &session, const ExportPart &part,
                              const ExportOptions &options, ExportWriter &writer,
                              const std::function<void(const ExportCount &)> &progress,
                              const std::stop_token &stop);

} // namespace topicscope::transfer
