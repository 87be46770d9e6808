#include "app/cli/recordprinter.h"

#include "app/cli/errorlines.h"
#include "core/base/bytewriter.h"
#include "core/records/payloadformat.h"
#include "core/records/recordcodec.h"
#include "core/records/timestyle.h"
#include "core/session/recordjson.h"

#include <algorithm>

namespace topicscope::cli
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kSizeWidth = 9;
constexpr int kCrcWidth = 19; // "e3069283 != 9a71bb4c"
constexpr qsizetype kValueChars = 100;
constexpr int kTimeWidth = 29; // "2026-11-30 05:24:08.123+01:00"
constexpr int kKeyWidth = 16;

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

std::optional<std::span<const std::byte>> payloadOf(const RecordChunk &chunk, const Record &record,
                                                    PayloadPart part)
{
    if (part == PayloadPart::Key) {
        return record.flags.testFlag(RecordFlag::HasKey) ? std::optional(chunk.key(record))
                                                         : std::nullopt;
    }
    return record.flags.testFlag(RecordFlag::NullValue) ? std::nullopt
                                                        : std::optional(chunk.value(record));
}

QString timeText(const RecordChunk &chunk, const Record &record)
{
    const auto timestamp = chunk.timestampMs(record);
    return timestamp ? TimeStyle::current().text(*timestamp) : u"-"_s;
}

/// Its type for programs, and for people what it is.
std::pair<QString, QString> describe(const OffsetGap &gap)
{
    const QString reason = previewText(asBytes(gap.reason.toUtf8()));
    switch (gap.kind) {
    case OffsetGap::Kind::NoRecords:
        return {u"gap"_s, u"no records (compacted, deleted, or control records)"_s};
    case OffsetGap::Kind::Aborted:
        return {u"aborted"_s, u"records of aborted transactions"_s};
    case OffsetGap::Kind::NotCommitted:
        return {u"not-committed"_s, u"no committed records"_s};
    case OffsetGap::Kind::NotExported:
        return {u"filtered"_s, u"not in this file: "_s + reason};
    case OffsetGap::Kind::Unreadable:
        break;
    }
    return {u"unreadable"_s, u"a batch that cannot be read: "_s + reason};
}

} // namespace

RecordPrinter::RecordPrinter(Output &out, Format format, const QList<Target> &targets,
                             qint32 maxBytes, const Capabilities &capabilities,
                             PrintedFormats formats)
    : m_out(out)
    , m_format(format)
    , m_maxBytes(maxBytes)
    , m_capabilities(capabilities)
    , m_formats(std::move(formats))
{
    for (const Target &target : targets) {
        m_partitionWidth = std::max(m_partitionWidth, int(name(target.partition).size()));
        m_offsetWidth = std::max(m_offsetWidth, int(QString::number(target.end.value).size()));
    }
}

void RecordPrinter::header()
{
    if (m_format == Format::Columns) {
        columns({u"PARTITION"_s, u"OFFSET"_s, u"TIME"_s, u"KEY"_s, u"SIZE"_s, u"CRC-32C"_s,
                 u"VALUE"_s});
    }
}

void RecordPrinter::columns(const Row &row)
{
    QString line = row.partition.leftJustified(m_partitionWidth) + u' ' +
                   row.offset.rightJustified(m_offsetWidth) + u' ';
    if (m_capabilities.timestamps)
        line += row.time.leftJustified(kTimeWidth) + u' ';
    if (m_capabilities.keys)
        line += row.key.leftJustified(kKeyWidth) + u' ';
    line += row.size.rightJustified(kSizeWidth) + u"  "_s;
    if (m_capabilities.recordChecksums)
        line += row.crc.leftJustified(kCrcWidth) + u' ';
    m_out.line(line + row.rest);
}

/// nullopt: null, empty, or nothing to decode it by.
std::optional<DecodedPayload> RecordPrinter::decoded(const RecordChunk &chunk, const Record &record,
                                                     PayloadPart part, qsizetype most)
{
    const auto &format = part == PayloadPart::Key ? m_formats.key : m_formats.value;
    const auto bytes = payloadOf(chunk, record, part);
    if (!format || !bytes || bytes->empty())
        return std::nullopt;
    const DecodedPayload result = format->decode(*bytes, {chunk.partition().topic, part, {}}, most);
    if (m_formats.registry && !result.problem.isEmpty() &&
        result.problem == m_formats.registry->problem())
        m_lacksSchema = true;
    return result;
}

/// Null and empty differ; so does the text "null", which stands in no angle brackets.
QString RecordPrinter::shown(const RecordChunk &chunk, const Record &record, PayloadPart part,
                             qsizetype most)
{
    const auto bytes = payloadOf(chunk, record, part);
    if (!bytes)
        return u"<null>"_s;
    const auto text = decoded(chunk, record, part, most);
    if (!text)
        return previewText(*bytes, most);
    return text->problem.isEmpty() ? text->text : text->text + u" ("_s + text->problem + u')';
}

void RecordPrinter::addDecoded(JsonLine &json, const char *name, const RecordChunk &chunk,
                               const Record &record, PayloadPart part)
{
    const auto text = decoded(chunk, record, part, PayloadCodec::kMaxLaidOutChars);
    if (!text)
        return;
    const auto &format = part == PayloadPart::Key ? m_formats.key : m_formats.value;
    JsonLine object;
    object.text("format", (text->chosen ? text->chosen : format.get())->name());
    if (!text->why.isEmpty())
        object.text("why", text->why);
    if (text->problem.isEmpty())
        object.text("text", text->text);
    else
        object.text("problem", text->problem);
    json.object(name, object);
}

bool RecordPrinter::wants(const RecordChunk &chunk, const Record &record)
{
    if (!m_filter)
        return true;
    const search::Verdict verdict = m_filter->matches(chunk, record);
    if (verdict == search::Verdict::Undecided) {
        ++m_undecided;
        m_hasFindings = true;
    }
    return verdict == search::Verdict::Yes;
}

void RecordPrinter::record(const RecordChunk &chunk, const Record &record)
{
    const auto value = chunk.value(record);
    const bool damaged = record.flags.testFlag(RecordFlag::ChecksumMismatch);
    m_lacksSchema = false;
    m_hasFindings = m_hasFindings || damaged;
    switch (m_format) {
    case Format::Raw:
        m_out.bytes(toByteArray(value));
        return;
    case Format::Columns:
        columns({name(chunk.partition()), QString::number(record.offset.value),
                 timeText(chunk, record), shown(chunk, record, PayloadPart::Key, kKeyWidth),
                 QString::number(record.valueSize), crcText(chunk, record),
                 shown(chunk, record, PayloadPart::Value, kValueChars)});
        break;
    case Format::Json: {
        JsonLine json = recordJson(chunk, record, m_capabilities);
        addDecoded(json, "keyDecoded", chunk, record, PayloadPart::Key);
        addDecoded(json, "valueDecoded", chunk, record, PayloadPart::Value);
        m_out.line(json.take());
        break;
    }
    }
    m_shownRaw += m_lacksSchema ? 1 : 0;
}

void RecordPrinter::gap(const TopicPartition &partition, const OffsetGap &gap)
{
    const auto [type, text] = describe(gap);
    const bool unreadable = gap.kind == OffsetGap::Kind::Unreadable;
    m_hasFindings = m_hasFindings || unreadable;
    if (m_filter && !unreadable)
        return;
    const QString range = gap.end - gap.first == 1
                              ? QString::number(gap.first.value)
                              : u"%1 to %2"_s.arg(gap.first.value).arg(gap.end.value - 1);
    const QString why = u"offsets %1: %2"_s.arg(range, text);
    switch (m_format) {
    case Format::Columns:
        columns({name(partition), QString::number(gap.first.value), {}, {}, {}, {}, why});
        return;
    case Format::Raw:
        if (unreadable)
            printError(u"%1 %2"_s.arg(name(partition), why));
        return;
    case Format::Json:
        m_out.line(rowJson(type, partition, gap.first)
                       .number("end", gap.end.value)
                       .text("text", why)
                       .take());
        return;
    }
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
        columns({name(result.partition),
                 QString::number(result.nextOffset.value),
                 {},
                 {},
                 size,
                 u"not fetched"_s,
                 why});
        return;
    case Format::Raw:
        printError(u"%1 offset %2: %3"_s.arg(name(result.partition),
                                             QString::number(result.nextOffset.value), why));
        return;
    case Format::Json:
        break;
    }
    JsonLine json = rowJson(type, result.partition, result.nextOffset);
    if (result.end != FetchEnd::EmptyBelowHighWatermark && result.endRecordBytes != 0)
        json.number("size", result.endRecordBytes);
    if (result.end == FetchEnd::RecordExceedsMaxBytes)
        json.number("maxBytes", m_maxBytes);
    m_out.line(json.number("highWatermark", result.highWatermark.value).text("text", why).take());
}

} // namespace topicscope::cli
