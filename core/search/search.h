#pragma once

#include "core/records/logplace.h"
#include "core/search/partitionscan.h"
#include "core/session/brokersession.h"

#include <QList>

#include <chrono>
#include <optional>

namespace topicscope::search
{

/// Which offsets are searched in each partition: from … to, `to` left out. The newest N are
/// {LogPlace::end(N), LogPlace::end()}.
struct SearchScope {
    LogPlace from = LogPlace::start();
    LogPlace to = LogPlace::end();
};

/// "0,3-5": partitions as they are listed by hand, each once and in order. nullopt when it is no
/// such list, or one of more than 100,000.
std::optional<QList<PartitionId>> parsePartitions(const QString &text);

/// What is to be searched, before anything was: a ledger with all of it pending, sorted by topic
/// and partition, each once. High watermarks are read once, here; what comes later is not searched.
/// A partition that cannot say where it stands has its error and hides no other.
/// @error what describing the topics, or offsetsAtTime(), returns for all of them.
/// Thread: the session's; blocking.
Result<Ledger> planSearch(BrokerSession &session, const QList<TopicPartition> &partitions,
                          const SearchScope &scope, const CallContext &context);

struct SearchProgress {
    Ledger ledger; ///< as it is now
    LedgerTotals totals;
    int ended = 0; ///< partitions
    std::chrono::milliseconds elapsed{0};
    double bytesPerSecond = 0;                     ///< since the start
    std::optional<std::chrono::milliseconds> left; ///< by the offsets so far; nullopt: unknown
};

/// Hears of a search while it runs, on the threads that search.
class SearchObserver
{
public:
    SearchObserver() = default;
    virtual ~SearchObserver() = default;
    Q_DISABLE_COPY_MOVE(SearchObserver)

    /// Hits of the ledger's partition number `partition`: in offset order, and for one partition
    /// never twice at a time. May wait, which makes the search of this partition wait.
    virtual void found(size_t partition, const RecordChunkPtr &hits) = 0;
    /// Nothing more comes of this partition in this run.
    virtual void ended(size_t partition) { Q_UNUSED(partition) }
    /// At most ten times a second, and never twice at a time.
    virtual void progressed(const SearchProgress &progress) { Q_UNUSED(progress) }
};

struct SearchOptions {
    ScanOptions scan;
    int sessions = 4; ///< at most this many partitions at a time, each on a thread of its own
};

/// Searches all that is pending in the ledger; when stopped, what is left stays pending, and a
/// later run with the same ledger goes on there. Partitions begin in the ledger's order.
///
/// Which records are hits does not depend on how the search was divided: sorted by partition and
/// offset, ten runs over the same log give the same.
/// Thread: blocking, from any; makes its sessions and threads and has ended them when it is back.
void runSearch(const SessionFactory &factory, const SessionConfig &config, const Filter &filter,
               const SearchOptions &options, Ledger &ledger, SearchObserver &observer,
               const std::stop_token &stop);

} // namespace topicscope::search
