#include "core/kafka/kafkarecords.h"

#include "core/records/headers.h"

#include <algorithm>

namespace topicscope::kafka
{

namespace
{

/// The library parses them anew with every call.
HeaderList headersOf(const rd_kafka_message_t &message)
{
    HeaderList list;
    rd_kafka_headers_t *headers = nullptr; // the message's
    if (rd_kafka_message_headers(&message, &headers) != RD_KAFKA_RESP_ERR_NO_ERROR)
        return list;
    const char *name = nullptr;
    const void *value = nullptr;
    size_t size = 0;
    for (size_t i = 0;
         rd_kafka_header_get_all(headers, i, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR;
         ++i) {
        RecordHeader header{QByteArray(name), std::nullopt};
        if (value)
            header.value = QByteArray(static_cast<const char *>(value), qsizetype(size));
        list.append(std::move(header));
    }
    return list;
}

} // namespace

FetchBuilder::FetchBuilder(TopicPartition partition, Offset fetchOffset, Isolation isolation)
    : m_partition(std::move(partition))
    , m_fetchOffset(fetchOffset)
    , m_next(fetchOffset)
    , m_gapKind(isolation == Isolation::ReadCommitted ? OffsetGap::Kind::NotCommitted
                                                      : OffsetGap::Kind::NoRecords)
{
}

qsizetype FetchBuilder::addFront(const std::deque<Message> &waiting, qint64 maxBytes)
{
    const rd_kafka_message_t &first = *waiting.front();
    const auto isOther = [&first](const Message &message) {
        return message->err != RD_KAFKA_RESP_ERR_NO_ERROR || message->rkt != first.rkt ||
               message->partition != first.partition;
    };
    const auto end = std::ranges::find_if(waiting, isOther);
    if (m_records.empty()) { // nothing is copied while it grows, but for headers
        qint64 bytes = 0;
        for (auto each = waiting.begin(); each != end; ++each) {
            const qint64 more = qint64((*each)->key_len) + qint64((*each)->len);
            if (bytes > 0 && bytes + more > maxBytes)
                break;
            bytes += more;
        }
        m_bytes.reserve(bytes);
        m_records.reserve(size_t(end - waiting.begin()));
        m_timestampsMs.reserve(m_records.capacity());
    }
    const auto refused = std::find_if_not(
        waiting.begin(), end, [&](const Message &message) { return add(*message, maxBytes); });
    return refused - waiting.begin();
}

/// False, and nothing was added, where it made more than maxBytes.
bool FetchBuilder::add(const rd_kafka_message_t &message, qint64 maxBytes)
{
    const qsizetype before = m_bytes.size();
    const qint64 room = before == 0 ? INT64_MAX : maxBytes - before;
    if (room < 0 || message.key_len + message.len > size_t(room))
        return false;
    Record record;
    record.offset = Offset{message.offset};
    record.flags = RecordFlag::BatchVerified;
    record.keyBegin = quint32(before);
    if (message.key) {
        record.flags |= RecordFlag::HasKey;
        record.keySize = quint32(message.key_len);
        m_bytes.append(static_cast<const char *>(message.key), qsizetype(message.key_len));
    }
    if (const HeaderList headers = headersOf(message); !headers.isEmpty()) {
        record.flags |= RecordFlag::HasHeaders;
        appendHeaders(m_bytes, headers);
    }
    record.valueBegin = quint32(m_bytes.size());
    if (message.payload) {
        record.valueSize = quint32(message.len);
        m_bytes.append(static_cast<const char *>(message.payload), qsizetype(message.len));
    } else {
        record.flags |= RecordFlag::NullValue;
    }
    record.frameBytes = quint32(m_bytes.size() - before);
    if (record.frameBytes > room) { // its headers
        m_bytes.truncate(before);
        return false;
    }

    auto type = RD_KAFKA_TIMESTAMP_NOT_AVAILABLE;
    m_timestampsMs.push_back(rd_kafka_message_timestamp(&message, &type));
    if (type != RD_KAFKA_TIMESTAMP_NOT_AVAILABLE)
        record.flags |= RecordFlag::HasTimestamp;
    if (type == RD_KAFKA_TIMESTAMP_LOG_APPEND_TIME)
        record.flags |= RecordFlag::LogAppendTime;
    addGap(record.offset);
    m_records.push_back(record);
    m_next = record.offset + 1;
    return true;
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
    // Rows stay for as long as a tab is open: nothing is held for records that did not come.
    m_bytes.squeeze();
    m_records.shrink_to_fit();
    m_timestampsMs.shrink_to_fit();
    FetchResult result;
    result.partition = m_partition;
    result.fetchOffset = m_fetchOffset;
    result.chunk = std::make_shared<const RecordChunk>(m_partition, std::exchange(m_bytes, {}),
                                                       std::exchange(m_records, {}),
                                                       std::exchange(m_timestampsMs, {}));
    result.gaps = std::exchange(m_gaps, {});
    result.nextOffset = m_next;
    result.highWatermark = highWatermark;
    result.end = end;
    m_fetchOffset = m_next;
    return result;
}

} // namespace topicscope::kafka
