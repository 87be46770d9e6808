#pragma once

#include "core/kafka/kafkahandle.h"
#include "core/records/recordchunk.h"
#include "core/session/fetch.h"

#include <deque>

namespace topicscope::kafka
{

/// Builds the answer to one fetch from the library's messages: their bytes copied one after the
/// other (key, headers, value), so that the library's own memory can go at once, and the gaps
/// between their offsets. Thread: confined to its owner.
class FetchBuilder
{
public:
    FetchBuilder(TopicPartition partition, Offset fetchOffset, Isolation isolation);

    /// Adds those in front that are records of the first one's partition, until maxBytes are
    /// reached: one that made it more waits, but the first may have any size. How many were added.
    /// Precondition: not empty, the first a record at or behind nextOffset().
    qsizetype addFront(const std::deque<Message> &waiting, qint64 maxBytes);
    /// No records from nextOffset() up to here.
    void addGap(Offset end);
    /// A batch that ends here cannot be read.
    void addUnreadable(Offset end, const QString &reason);

    Offset nextOffset() const { return m_next; }
    qint64 bytes() const { return m_bytes.size(); }
    bool isEmpty() const { return m_records.empty() && m_gaps.empty(); }

    /// Leaves the builder empty.
    FetchResult take(Offset highWatermark, FetchEnd end);

private:
    bool add(const rd_kafka_message_t &message, qint64 maxBytes);
    void addGap(Offset end, OffsetGap::Kind kind, const QString &reason);

    TopicPartition m_partition;
    Offset m_fetchOffset;
    Offset m_next;
    OffsetGap::Kind m_gapKind;
    QByteArray m_bytes;
    std::vector<Record> m_records;
    std::vector<qint64> m_timestampsMs;
    std::vector<OffsetGap> m_gaps;
};

} // namespace topicscope::kafka
