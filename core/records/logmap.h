#pragma once

#include "core/records/recordstore.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace topicscope
{

/// Places in a topic that are to be seen, ascending in each partition.
using MarkedOffsets = std::map<PartitionId, std::vector<Offset>>;

/// What is known of a partition from the pieces of it that were seen, in a bounded number of
/// buckets of equal offset spans: enough to draw it at any length. Seen pieces may come in any
/// order and more than once. Thread: confined to its owner's.
class PartitionProfile
{
public:
    static constexpr qint64 kMaxBuckets = 1024;

    struct Bucket {
        qint64 offsetsSeen = 0; ///< offsets looked at; 0: nothing is known here
        qint64 records = 0;     ///< among them
        qint64 bytes = 0;       ///< of their keys, headers and values
        qint64 peakBytes = 0;   ///< of the largest
        std::optional<qint64> firstTimeMs;
    };

    explicit PartitionProfile(qint64 maxBuckets = kMaxBuckets)
        : m_maxBuckets(maxBuckets)
    {
        Q_ASSERT(maxBuckets > 0 && (maxBuckets & (maxBuckets - 1)) == 0); // a power of two
    }

    /// The log's ends as they are now; what was seen before its start is forgotten, and all when
    /// it begins before where it did: that is another log.
    void setEnds(Offset begin, Offset end);
    Offset begin() const { return m_begin; }
    Offset end() const { return m_end; }

    /// A piece of the log. Of a bucket's offsets those outside of the stretch seen so far count.
    void add(const RecordBlock &block);
    /// One record of this size is at this offset; nothing else is known of it.
    void addPeak(Offset offset, qint64 bytes);
    /// Rows with something wrong, by their offset; the first ones when there are too many.
    const std::set<Offset> &flagged() const { return m_flagged; }

    /// Offsets of a bucket; the last is the shortest.
    qint64 bucketSpan() const { return m_span; }
    qint64 bucketCount() const { return qint64(m_buckets.size()); }
    Offset bucketBegin(qint64 index) const { return m_origin + index * m_span; }
    const Bucket &bucket(qint64 index) const { return m_buckets[size_t(index)].known; }
    /// The bucket of an offset inside the log.
    qint64 bucketOf(Offset offset) const { return (offset - m_origin) / m_span; }
    /// All buckets from the one of `from` to the one before `to`, as one.
    Bucket between(Offset from, Offset to) const;

    /// The offset to look at next, so that what is known spreads evenly from coarse to fine;
    /// nullopt when something is known of every bucket.
    std::optional<Offset> nextUnknown();

private:
    struct Piece {
        Bucket known;
        Offset seenBegin; ///< the stretch seen
        Offset seenEnd;
    };
    /// What counts of a record.
    struct Seen {
        qint64 bytes;
        std::optional<qint64> timeMs;
    };

    void widen();
    void addRow(Offset offset, Offset end, const std::optional<Seen> &record);
    void flag(Offset offset);

    qint64 m_maxBuckets;
    Offset m_begin;
    Offset m_end;
    Offset m_origin; ///< of the first bucket
    qint64 m_span = 1;
    std::vector<Piece> m_buckets;
    std::set<Offset> m_flagged;
    quint64 m_tried = 0; ///< steps of nextUnknown()
};

} // namespace topicscope
