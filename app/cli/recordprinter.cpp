#include "app/cli/recordprinter.h"

#include "app/cli/errorlines.h"
#include "app/cli/jsonline.h"
#include "core/base/bytewriter.h"
#include "core/records/payloadformat.h"
#include "core/records/recordcodec.h"

#include <algorithm>

namespace topicscope::cli
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kSizeWidth = 9;
constexpr int kCrcWidth = 19; // "e3069283 != 9a71bb4c"
constexpr qsizetype kValueChars = 100;

/// The topic's name comes from the broker: drawn, and never a format string.
QString name(const TopicPartition &partition)
{
    return previewText(asBytes(partition.topic.toUtf8())) + u'/' +
           QString::number(partition.partition.value);
}

QString hex(quint32 sum)
{
    return u"%1"_s.arg(sum, 8, 16, QChar(u'0'));
}

JsonLine place(const QString &type, const TopicPartition &partition, Offset offset)
{
    JsonLine json;
    json.text("type", type)
        .text("topic", partition.topic)
        .number("partition", partition.partition.value)
        .number("offset", offset.value);
    return json;
}

/// The checksum's column: "9a71bb4c ok", stored and computed where they differ, or "9a71bb4c size
/// bad" where only the size field is damaged.
QString crcText(const RecordChunk &chunk, const Record &record)
{
    const auto stored = chunk.storedCrc(record);
    if (!stored)
        return u"-"_s;
    if (record.flags.testFlag(RecordFlag::SizeDamaged))
        return hex(*stored) + u" size bad"_s;
    return record.flags.testFlag(RecordFlag::ChecksumMismatch)
               ? u"%1 ≠ %2"_s.arg(hex(*stored), hex(chunk.computedCrc(record)))
               : hex(*stored) + u" ok"_s;
}

} // namespace

RecordPrinter::RecordPrinter(Output &out, Format format, const QList<Target> &targets,
                             qint32 maxBytes)
    : m_out(out)
    , m_format(format)
    , m_maxBytes(maxBytes)
{
    for (const Target &target : targets) {
        m_partitionWidth = std::max(m_partitionWidth, int(name(target.partition).size()));
        m_offsetWidth = std::max(m_offsetWidth, int(QString::number(target.end.value).size()));
    }
}

void RecordPrinter::header()
{
    if (m_format == Format::Columns) {
        columns({u"PARTITION"_s, u"OFFSET"_s, u"SIZE"_s, u"CRC-32C"_s, u"VALUE"_s});
    }
}

void RecordPrinter::columns(const Row &row)
{
    m_out.line(row.partition.leftJustified(m_partitionWidth) + u' ' +
               row.offset.rightJustified(m_offsetWidth) + u' ' +
               row.size.rightJustified(kSizeWidth) + u"  "_s + row.crc.leftJustified(kCrcWidth) +
               u' ' + row.rest);
}

void RecordPrinter::record(const RecordChunk &chunk, const Record &record)
{
    const auto value = chunk.value(record);
    const bool damaged = record.flags.testFlag(RecordFlag::ChecksumMismatch);
    m_hasFindings = m_hasFindings || damaged;
    switch (m_format) {
    case Format::Raw:
        m_out.bytes(toByteArray(value));
        return;
    case Format::Columns:
        columns({name(chunk.partition()), QString::number(record.offset.value),
                 QString::number(record.valueSize), crcText(chunk, record),
                 previewText(value, kValueChars)});
        return;
    case Format::Json:
        break;
    }
    JsonLine json = place(u"record"_s, chunk.partition(), record.offset);
    json.number("size", record.valueSize);
    if (const auto stored = chunk.storedCrc(record)) {
        json.object("crc32c",
                    JsonLine()
                        .text("stored", hex(*stored))
                        .text("computed", hex(damaged ? chunk.computedCrc(record) : *stored))
                        .boolean("ok", !damaged));
    }
    if (record.flags.testFlag(RecordFlag::SizeDamaged))
        json.boolean("sizeDamaged", true);
    m_out.line(json.bytes("value", value).take());
}

void RecordPrinter::end(const FetchResult &result)
{
    QString type;
    QString why;
    QString size = u"?"_s;
    switch (result.end) {
    case FetchEnd::More:
    case FetchEnd::CaughtUp:
        return;
    case FetchEnd::RecordExceedsMaxBytes:
        type = u"too-large"_s;
        why = u"larger than --max-bytes %1"_s.arg(m_maxBytes);
        if (result.endRecordBytes > 0) {
            size = QString::number(result.endRecordBytes);
            why += u"; --max-bytes %1 fetches it"_s.arg(result.endRecordBytes + kRecordHeaderBytes);
        }
        break;
    case FetchEnd::EmptyBelowHighWatermark:
        type = u"missing"_s;
        why = u"no record although the log ends at %1: the log is damaged"_s.arg(
            result.highWatermark.value);
        break;
    case FetchEnd::ImpossibleSize:
        type = u"damaged-size"_s;
        size = QString::number(result.endRecordBytes);
        why = u"an impossible size: the log is damaged here"_s;
        break;
    }
    m_hasFindings = true;
    switch (m_format) {
    case Format::Columns:
        columns({name(result.partition), QString::number(result.nextOffset.value), size,
                 u"not fetched"_s, why});
        return;
    case Format::Raw:
        printError(u"%1 offset %2: %3"_s.arg(name(result.partition),
                                             QString::number(result.nextOffset.value), why));
        return;
    case Format::Json:
        break;
    }
    JsonLine json = place(type, result.partition, result.nextOffset);
    if (result.end != FetchEnd::EmptyBelowHighWatermark && result.endRecordBytes != 0)
        json.number("size", result.endRecordBytes);
    if (result.end == FetchEnd::RecordExceedsMaxBytes)
        json.number("maxBytes", m_maxBytes);
    m_out.line(json.number("highWatermark", result.highWatermark.value).text("text", why).take());
}

} // namespace topicscope::cli
