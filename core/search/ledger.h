#pragma once

#include "core/base/error.h"
#include "core/base/ids.h"

#include <QString>

#include <array>
#include <optional>
#include <vector>

namespace topicscope::search
{

/// What became of offsets that were to be searched.
enum class Coverage {
    Pending,       ///< not reached
    Scanned,       ///< every record there is was looked at
    Undecided,     ///< a record that would have taken more steps than allowed
    TooLarge,      ///< a record larger than may be fetched
    DamagedSize,   ///< damaged log: a size no record can have, up to where it is readable again
    Missing,       ///< damaged log: no records, up to where it is readable again
    Unreadable,    ///< a batch that is damaged or cannot be unpacked
    BelowLogStart, ///< removed by retention
    BehindEnd,     ///< the log has no such offsets: not yet, or not any more
    NotExported,   ///< a record file has no such offsets: left out when it was written
    LeftOut,       ///< left out by a committed read, as it was asked to: no miss
    NotCommitted,  ///< a committed read ends before an open transaction
    Failed,        ///< see PartitionLedger::error()
    Mixed,         ///< several of these, too many to list one by one; offsets() counts them
};
inline constexpr size_t kCoverages = size_t(Coverage::Mixed) + 1;

/// Asked for, and not in the log, or not in the file that is read instead of it: nothing is missed.
bool isOutside(Coverage coverage);
/// Stable name for programs: "pending", "scanned", "too-large", …
QString coverageName(Coverage coverage);
/// For people: "removed by retention".
QString coverageText(Coverage coverage);

struct LedgerRange {
    Offset first;
    Offset end;
    Coverage coverage = Coverage::Pending;
    QString reason = {}; ///< technical, where something is known beyond the coverage

    qint64 size() const { return end - first; }
    bool operator==(const LedgerRange &) const = default;
};

/// What has been searched of one partition, and what not. Its ranges tile begin() … end() at all
/// times, without a gap and without overlap: they are made in no other way than by dividing what is
/// pending. So a ledger is a plan before the search, its progress while it runs and its account
/// behind it; handed in again, it is gone on with.
/// Thread: any; a value.
class PartitionLedger
{
public:
    /// A list longer than this is shortened, by Mixed.
    static constexpr size_t kMaxRanges = 1000;

    /// All of first … end is pending, apart from what lies outside of the log.
    PartitionLedger(TopicPartition partition, Offset first, Offset end, Offset logStart,
                    Offset logEnd);
    /// Where nobody can say which offsets there are.
    PartitionLedger(TopicPartition partition, const Error &error);

    const TopicPartition &partition() const { return m_partition; }
    const std::vector<LedgerRange> &ranges() const { return m_ranges; }
    Offset begin() const { return m_begin; }
    Offset end() const { return m_end; }
    /// Why there are Failed ranges, or no ranges at all.
    const std::optional<Error> &error() const { return m_error; }

    /// The first range still to be searched.
    std::optional<LedgerRange> pending() const;
    /// pending() up to `to` is this now, clamped to it.
    void advance(Offset to, Coverage coverage, const QString &reason = {});
    /// All that is pending cannot be searched.
    void fail(const Error &error);
    /// What failed is pending again. Not of a partition that could not be asked.
    void reopen();

    /// Number of offsets, not of records.
    qint64 offsets(Coverage coverage) const { return m_offsets[size_t(coverage)]; }
    qint64 size() const { return m_end - m_begin; }

    qint64 records = 0; ///< looked at
    qint64 bytes = 0;   ///< of the answers they came in
    qint64 hits = 0;

private:
    void append(Offset end, Coverage coverage);

    TopicPartition m_partition;
    Offset m_begin;
    Offset m_end;
    std::vector<LedgerRange> m_ranges;
    std::array<qint64, kCoverages> m_offsets{};
    std::optional<Error> m_error;
};

using Ledger = std::vector<PartitionLedger>; ///< by topic and partition

/// All partitions together.
struct LedgerTotals {
    qint64 offsets = 0;                  ///< asked for and in the log
    std::array<qint64, kCoverages> by{}; ///< offsets by coverage
    qint64 records = 0;
    qint64 bytes = 0;
    qint64 hits = 0;
    int partitions = 0;
    int unknown = 0; ///< partitions that could not be asked

    qint64 of(Coverage coverage) const { return by[size_t(coverage)]; }
    /// In the log and asked for, and yet not looked at.
    qint64 notSearched() const { return offsets - of(Coverage::Scanned) - of(Coverage::LeftOut); }
    bool isComplete() const { return unknown == 0 && notSearched() == 0; }
};

LedgerTotals totalsOf(const Ledger &ledger);

/// The outcome of a search in one or two sentences. Says "no hits" of nothing but what was
/// searched, and what was not.
QString outcomeText(const Ledger &ledger);

/// One line a person reads about a range that was not searched: "offsets 5 to 9: removed by
/// retention".
QString rangeText(const LedgerRange &range);

} // namespace topicscope::search
