#pragma once

#include "core/records/recordcodec.h"

#include <QByteArrayList>

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

} // namespace topicscope::test
