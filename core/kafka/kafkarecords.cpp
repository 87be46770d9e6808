#include "core/kafka/kafkarecords.h"

#include "core/records/headers.h"

#include <cstring>

namespace topicscope::kafka
{

namespace
{

/// Calls `each` with name, value (null: null) and the value's size.
template <typename Each>
void eachHeader(const rd_kafka_message_t &message, const Each &each)
{
    rd_kafka_headers_t *headers = nullptr; // the message's
    if (rd_kafka_message_headers(&message, &headers) != RD_KAFKA_RESP_ERR_NO_ERROR)
        return;
    const char *name = nullptr;
    const void *value = nullptr;
    size_t size = 0;
    for (size_t i = 0;
         rd_kafka_header_get_all(headers, i, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR;
         ++i)
        each(name, value, size);
}

} // namespace

qsizetype bytesOf(const rd_kafka_message_t &message)
{
    size_t bytes = message.key_len + message.len;
    eachHeader(message, [&bytes](const char *name, const void * /*value*/, size_t size) {
        bytes += std::strlen(name) + size;
    });
    return qsizetype(bytes);
}

FetchBuilder::FetchBuilder(TopicPartition partition, Offset fetchOffset, Isolation isolation)
    : m_partition(std::move(partition))
    , m_fetchOffset(fetchOffset)
    , m_next(fetchOffset)
    , m_gapKind(isolation == Isolation::ReadCommitted ? OffsetGap::Kind::NotCommitted
                                                      : OffsetGap::Kind::NoRecords)
{
}

void FetchBuilder::reserve(qsizetype records, qsizetype bytes)
{
    m_records.reserve(size_t(records));
    m_bytes.reserve(bytes);
}

void FetchBuilder::add(const rd_kafka_message_t &message)
{
    const Offset offset{message.offset};
    addGap(offset);

    Record record;
    record.offset = offset;
    record.flags = RecordFlag::BatchVerified;
    record.keyBegin = quint32(m_bytes.size());
    if (message.key) {
        record.flags |= RecordFlag::HasKey;
        record.keySize = quint32(message.key_len);
        m_bytes.append(static_cast<const char *>(message.key), qsizetype(message.key_len));
    }
    addHeaders(message, record);
    record.valueBegin = quint32(m_bytes.size());
    if (message.payload) {
        record.valueSize = quint32(message.len);
        m_bytes.append(static_cast<const char *>(message.payload), qsizetype(message.len));
    } else {
        record.flags |= RecordFlag::NullValue;
    }
    record.frameBytes = quint32(m_bytes.size()) - record.keyBegin;

    auto type = RD_KAFKA_TIMESTAMP_NOT_AVAILABLE;
    record.timestampMs = rd_kafka_message_timestamp(&message, &type);
    if (type != RD_KAFKA_TIMESTAMP_NOT_AVAILABLE)
        record.flags |= RecordFlag::HasTimestamp;
    if (type == RD_KAFKA_TIMESTAMP_LOG_APPEND_TIME)
        record.flags |= RecordFlag::LogAppendTime;
    m_records.push_back(record);
    m_next = offset + 1;
}

void FetchBuilder::addHeaders(const rd_kafka_message_t &message, Record &record)
{
    HeaderList list;
    eachHeader(message, [&list](const char *name, const void *value, size_t size) {
        RecordHeader header{QByteArray(name), std::nullopt};
        if (value)
            header.value = QByteArray(static_cast<const char *>(value), qsizetype(size));
        list.append(std::move(header));
    });
    if (list.isEmpty())
        return;
    record.flags |= RecordFlag::HasHeaders;
    appendHeaders(m_bytes, list);
}

void FetchBuilder::addGap(Offset end)
{
    addGap(end, m_gapKind, {});
}

void FetchBuilder::addUnreadable(Offset end, const QString &reason)
{
    addGap(end, OffsetGap::Kind::Unreadable, reason);
}

void FetchBuilder::addGap(Offset end, OffsetGap::Kind kind, const QString &reason)
{
    if (end <= m_next)
        return;
    m_gaps.push_back({m_next, end, kind, reason});
    m_next = end;
}

FetchResult FetchBuilder::take(Offset highWatermark, FetchEnd end)
{
    FetchResult result;
    result.partition = m_partition;
    result.fetchOffset = m_fetchOffset;
    result.chunk = std::make_shared<const RecordChunk>(m_partition, std::exchange(m_bytes, {}),
                                                       std::exchange(m_records, {}));
    result.gaps = std::exchange(m_gaps, {});
    result.nextOffset = m_next;
    result.highWatermark = highWatermark;
    result.end = end;
    m_fetchOffset = m_next;
    return result;
}

} // namespace topicscope::kafka
