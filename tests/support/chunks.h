#pragma once

#include "core/records/headers.h"
#include "core/records/recordcodec.h"

#include <QByteArrayList>

#include <optional>
#include <vector>

namespace topicscope::test
{

/// A chunk with these values at consecutive offsets from `first`, as a fetch would bring it.
inline RecordChunkPtr chunkOf(qint32 partition, qint64 first, const QByteArrayList &values,
                              const QString &topic = QStringLiteral("orders"))
{
    QByteArray bytes;
    for (const QByteArray &value : values)
        appendStoredRecord(bytes,
                           std::as_bytes(std::span(value.constData(), size_t(value.size()))));
    return decodeRecords({topic, PartitionId{partition}}, bytes, 0, Offset{first}).value().chunk;
}

/// The same with `count` values "r-<offset>".
inline RecordChunkPtr chunkOf(qint32 partition, qint64 first, int count)
{
    QByteArrayList values;
    for (qint64 offset = first; offset < first + count; ++offset)
        values << "r-" + QByteArray::number(offset);
    return chunkOf(partition, first, values);
}

/// One record as a Kafka engine brings it. Null is nullopt; a time of nullopt: it has none.
struct FullRecord {
    std::optional<QByteArray> key;
    HeaderList headers;
    std::optional<QByteArray> value;
    std::optional<qint64> timestampMs;
    RecordFlags more = {};
};

/// A chunk with these at consecutive offsets from `first`, laid out as RecordChunk has them.
inline RecordChunkPtr fullChunkOf(qint64 first, const std::vector<FullRecord> &all)
{
    QByteArray bytes;
    std::vector<Record> records;
    std::vector<qint64> timestampsMs;
    for (const FullRecord &full : all) {
        Record record;
        record.offset = Offset{first++};
        record.flags = full.more | RecordFlag::BatchVerified;
        record.flags.setFlag(RecordFlag::HasKey, full.key.has_value());
        record.flags.setFlag(RecordFlag::NullValue, !full.value.has_value());
        record.flags.setFlag(RecordFlag::HasHeaders, !full.headers.isEmpty());
        record.flags.setFlag(RecordFlag::HasTimestamp, full.timestampMs.has_value());
        timestampsMs.push_back(full.timestampMs.value_or(0));
        record.keyBegin = quint32(bytes.size());
        bytes += full.key.value_or(QByteArray());
        record.keySize = quint32(bytes.size()) - record.keyBegin;
        if (!full.headers.isEmpty())
            appendHeaders(bytes, full.headers);
        record.valueBegin = quint32(bytes.size());
        bytes += full.value.value_or(QByteArray());
        record.valueSize = quint32(bytes.size()) - record.valueBegin;
        record.frameBytes = quint32(bytes.size()) - record.keyBegin;
        records.push_back(record);
    }
    const TopicPartition from{QStringLiteral("orders"), PartitionId{0}};
    return std::make_shared<const RecordChunk>(from, bytes, records, timestampsMs);
}

} // namespace topicscope::test
