#include "core/session/recordjson.h"

#include "core/base/bytewriter.h"
#include "core/records/headers.h"

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

QString hex(quint32 sum)
{
    return u"%1"_s.arg(sum, 8, 16, QChar(u'0'));
}

/// The headers in order as [{"name":…,"value":…}]; a null value is null.
QList<JsonLine> headersJson(const RecordChunk &chunk, const Record &record)
{
    QList<JsonLine> array;
    const auto headers = readHeaders(chunk.headers(record));
    if (!headers)
        return array; // written by us from what the library had parsed
    for (const RecordHeader &header : *headers)
        array.append(headerJson(header));
    return array;
}

} // namespace

JsonLine rowJson(const QString &type, const TopicPartition &partition, Offset offset)
{
    JsonLine json;
    json.text("type", type)
        .text("topic", partition.topic)
        .number("partition", partition.partition.value)
        .number("offset", offset.value);
    return json;
}

JsonLine recordJson(const RecordChunk &chunk, const Record &record,
                    const Capabilities &capabilities)
{
    JsonLine json = rowJson(u"record"_s, chunk.partition(), record.offset);
    json.number("size", record.valueSize);
    if (const auto stored = chunk.storedCrc(record)) {
        const bool damaged = record.flags.testFlag(RecordFlag::ChecksumMismatch);
        json.object("crc32c",
                    JsonLine()
                        .text("stored", hex(*stored))
                        .text("computed", hex(damaged ? chunk.computedCrc(record) : *stored))
                        .boolean("ok", !damaged));
    }
    if (record.flags.testFlag(RecordFlag::SizeDamaged))
        json.boolean("sizeDamaged", true);
    if (capabilities.timestamps) {
        json.number("timestamp", chunk.timestampMs(record));
        if (record.flags.testFlag(RecordFlag::HasTimestamp)) {
            json.text("timestampType", record.flags.testFlag(RecordFlag::LogAppendTime)
                                           ? u"logAppend"_s
                                           : u"create"_s);
        }
    }
    if (capabilities.keys) {
        if (record.flags.testFlag(RecordFlag::HasKey))
            json.bytes("key", chunk.key(record));
        else
            json.null("key");
    }
    if (capabilities.headers)
        json.array("headers", headersJson(chunk, record));
    if (record.flags.testFlag(RecordFlag::NullValue))
        json.null("value");
    else
        json.bytes("value", chunk.value(record));
    if (record.flags.testFlag(RecordFlag::BatchVerified))
        json.text("checksum", u"batch"_s);
    return json;
}

} // namespace topicscope
