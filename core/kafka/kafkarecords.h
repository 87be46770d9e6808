#pragma once

#include "core/kafka/kafkahandle.h"
#include "core/records/recordchunk.h"
#include "core/session/fetch.h"

namespace topicscope::kafka
{

/// Bytes of its key, headers and value.
qsizetype bytesOf(const rd_kafka_message_t &message);

/// Builds the answer to one fetch from the library's messages: their bytes copied one after the
/// other (key, headers, value), so that the library's own memory can go at once, and the gaps
/// between their offsets. Thread: confined to its owner.
class FetchBuilder
{
public:
    FetchBuilder(TopicPartition partition, Offset fetchOffset, Isolation isolation);

    /// What is about to be added, so that nothing is copied while it grows and nothing held unused.
    void reserve(qsizetype records, qsizetype bytes);
    /// Precondition: a record, at or behind nextOffset().
    void add(const rd_kafka_message_t &message);
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
    void addGap(Offset end, OffsetGap::Kind kind, const QString &reason);
    void addHeaders(const rd_kafka_message_t &message, Record &record);

    TopicPartition m_partition;
    Offset m_fetchOffset;
    Offset m_next;
    OffsetGap::Kind m_gapKind;
    QByteArray m_bytes;
    std::vector<Record> m_records;
    std::vector<OffsetGap> m_gaps;
};

} // namespace topicscope::kafka
