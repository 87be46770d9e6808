#pragma once

#include "core/search/filter.h"
#include "core/search/ledger.h"
#include "core/session/rangereader.h"

#include <functional>
#include <stop_token>

namespace topicscope::search
{

/// How partitions are read.
using ScanOptions = ReadLimits;

/// What a scan tells while it runs, on its own thread.
struct ScanCallbacks {
    /// Records that match, in offset order: a chunk of them alone.
    std::function<void(const RecordChunkPtr &hits)> found;
    /// The ledger has been advanced.
    std::function<void()> advanced;
};

/// Searches what is pending in a partition's ledger, until nothing is or it is stopped. Damage is
/// noted in the ledger and stepped over; a refusal or a lost broker ends this partition alone. The
/// ledger says at all times what has been searched: a hit is told before its range counts as
/// scanned, and told once.
/// Thread: the session's; blocking, back within 50 ms of a stop plus what one look at one record
/// takes.
void scanPartition(BrokerSession &session, const Filter &filter, const ScanOptions &options,
                   PartitionLedger &ledger, const ScanCallbacks &callbacks,
                   const std::stop_token &stop);

} // namespace topicscope::search
