#include "core/transfer/exportwriter.h"

#include "core/base/bytewriter.h"
#include "core/records/headers.h"
#include "core/records/jsonline.h"
#include "core/records/payloadformat.h"
#include "core/records/recordtime.h"
#include "core/records/timestyle.h"
#include "core/session/recordjson.h"

#include <QFile>
#include <QStringConverter>
#include <QUrl>

#include <algorithm>
#include <array>

namespace topicscope::transfer
{

using namespace Qt::StringLiterals;

namespace
{

using NamedFormat = std::pair<ExportFormat, QLatin1StringView>;

constexpr std::array<NamedFormat, 4> kFormatNames{{
    {ExportFormat::Ndjson, QLatin1StringView("ndjson")},
    {ExportFormat::Csv, QLatin1StringView("csv")},
    {ExportFormat::Kcat, QLatin1StringView("kcat")},
    {ExportFormat::Raw, QLatin1StringView("raw")},
}};

Error writeFailed(const QFileDevice *file, const QString &why)
{
    return Error::make(ErrorKind::Io, why, {{}, {}, {}, file ? file->fileName() : QString(), {}});
}

/// What formats of lines share: a bounded buffer of whole lines in front of the device.
class LineWriter : public ExportWriter
{
public:
    explicit LineWriter(QIODevice *device)
        : m_device(device)
    {
    }

    void flush() final
    {
        if (error() || m_buffer.isEmpty())
            return;
        if (m_device->write(m_buffer) != m_buffer.size()) {
            fail(writeFailed(qobject_cast<QFileDevice *>(m_device), m_device->errorString()));
            return;
        }
        countBytes(m_buffer.size());
        m_buffer.clear();
    }

protected:
    void line(const QByteArray &text, const char *ending = "\n")
    {
        m_buffer += text;
        m_buffer += ending;
        if (m_buffer.size() >= kBufferBytes)
            flush();
    }

private:
    static constexpr qsizetype kBufferBytes = qsizetype(256) * 1024;

    QIODevice *m_device;
    QByteArray m_buffer;
};

class NdjsonWriter final : public LineWriter
{
public:
    NdjsonWriter(QIODevice *device, const ExportSource &source)
        : LineWriter(device)
        , m_capabilities(source.capabilities)
    {
        const Capabilities &can = m_capabilities;
        line(JsonLine()
                 .text("type", u"export"_s)
                 .text("format", u"topicscope-records"_s)
                 .number("version", 1)
                 .text("source", source.address)
                 .object("capabilities", JsonLine()
                                             .boolean("keys", can.keys)
                                             .boolean("timestamps", can.timestamps)
                                             .boolean("headers", can.headers)
                                             .boolean("recordChecksums", can.recordChecksums)
                                             .boolean("emptyValues", can.emptyValues)
                                             .boolean("nullValues", can.nullValues))
                 .take());
    }

    void beginPartition(const ExportRange &range) override
    {
        line(partitionLine(u"partition"_s, range.partition)
                 .number("from", range.from.value)
                 .number("to", range.to.value)
                 .number("logStart", range.logStart.value)
                 .number("highWatermark", range.highWatermark.value)
                 .take());
    }
    void record(const RecordChunk &chunk, const Record &record) override
    {
        line(recordJson(chunk, record, m_capabilities).take());
        ++m_records;
    }
    void note(const TopicPartition &partition, const ExportNote &note) override
    {
        line(rowJson(noteName(note.kind), partition, note.first)
                 .number("end", note.end.value)
                 .text("text", note.text)
                 .take());
    }
    void endPartition(const ExportCount &count) override
    {
        line(partitionLine(u"partition-end"_s, count.partition)
                 .number("from", count.from.value)
                 .number("to", count.to.value)
                 .number("records", count.records)
                 .number("withoutRecord", count.withoutRecord)
                 .boolean("complete", count.complete)
                 .take());
    }
    void end(bool complete) override
    {
        line(JsonLine()
                 .text("type", u"export-end"_s)
                 .number("records", m_records)
                 .boolean("complete", complete)
                 .take());
    }

private:
    static JsonLine partitionLine(const QString &type, const TopicPartition &partition)
    {
        return JsonLine()
            .text("type", type)
            .text("topic", partition.topic)
            .number("partition", partition.partition.value);
    }

    Capabilities m_capabilities;
    qint64 m_records = 0;
};

/// Fields in quotes where RFC 4180 wants them, and wherever they are empty: an empty field without
/// quotes is null.
class CsvWriter final : public LineWriter
{
public:
    explicit CsvWriter(QIODevice *device)
        : LineWriter(device)
    {
        line("type,topic,partition,offset,end,timestamp,timestampType,time,key,keyEncoding,"
             "headers,value,valueEncoding,checksum,note",
             "\r\n");
    }

    void record(const RecordChunk &chunk, const Record &record) override
    {
        begin("record", chunk.partition(), record.offset, record.offset + 1);
        const auto timestamp = chunk.timestampMs(record);
        plain(timestamp ? QByteArray::number(*timestamp) : QByteArray());
        plain(!timestamp                                         ? ""
              : record.flags.testFlag(RecordFlag::LogAppendTime) ? "logAppend"
                                                                 : "create");
        const auto time = timeOf(chunk, record);
        plain(time ? m_style.text(*time).toLatin1() : QByteArray());
        bytes(record.flags.testFlag(RecordFlag::HasKey), chunk.key(record));
        const QByteArray headers = headersOf(chunk, record);
        if (headers.isEmpty())
            plain({});
        else
            quoted(headers);
        bytes(!record.flags.testFlag(RecordFlag::NullValue), chunk.value(record));
        plain(record.flags.testFlag(RecordFlag::ChecksumMismatch)   ? "mismatch"
              : record.flags.testFlag(RecordFlag::ChecksumVerified) ? "ok"
              : record.flags.testFlag(RecordFlag::BatchVerified)    ? "batch"
                                                                    : "");
        plain({});
        end();
    }
    void note(const TopicPartition &partition, const ExportNote &note) override
    {
        begin(noteName(note.kind).toLatin1(), partition, note.first, note.end);
        for (int field = 0; field < 9; ++field)
            plain({});
        quoted(note.text.toUtf8());
        end();
    }

private:
    /// The same as in NDJSON; empty: none.
    static QByteArray headersOf(const RecordChunk &chunk, const Record &record)
    {
        QByteArray array;
        const auto headers = readHeaders(chunk.headers(record));
        if (!headers || headers->isEmpty())
            return array;
        for (const RecordHeader &header : *headers) {
            array += array.isEmpty() ? '[' : ',';
            array += headerJson(header).take();
        }
        return array + ']';
    }

    void begin(const QByteArray &type, const TopicPartition &partition, Offset offset, Offset end)
    {
        m_line = type;
        quoted(partition.topic.toUtf8());
        plain(QByteArray::number(partition.partition.value));
        plain(QByteArray::number(offset.value));
        plain(QByteArray::number(end.value));
    }
    void plain(const QByteArray &text)
    {
        m_line += ',';
        m_line += text;
    }
    void quoted(QByteArray text)
    {
        m_line += ",\"";
        m_line += text.replace('"', "\"\"");
        m_line += '"';
    }
    /// Two fields: the bytes and how they are written.
    void bytes(bool there, std::span<const std::byte> value)
    {
        if (!there) {
            plain({});
            plain("null");
        } else if (isValidUtf8(value) && std::ranges::find(value, std::byte{0}) == value.end()) {
            quoted(toByteArray(value));
            plain("utf-8");
        } else { // most readers stop at a zero
            quoted(toByteArray(value).toBase64());
            plain("base64");
        }
    }
    void end() { line(m_line, "\r\n"); }

    const TimeStyle m_style = TimeStyle::current();
    QByteArray m_line;
};

class KcatWriter final : public LineWriter
{
public:
    using LineWriter::LineWriter;

    void record(const RecordChunk &chunk, const Record &record) override
    {
        m_isExact = true;
        QByteArray json =
            "{\"topic\":" + JsonLine::quoted(chunk.partition().topic) +
            ",\"partition\":" + QByteArray::number(chunk.partition().partition.value) +
            ",\"offset\":" + QByteArray::number(record.offset.value);
        if (const auto timestamp = chunk.timestampMs(record)) {
            json += record.flags.testFlag(RecordFlag::LogAppendTime) ? R"(,"tstype":"logappend")"
                                                                     : R"(,"tstype":"create")";
            json += ",\"ts\":" + QByteArray::number(*timestamp);
        }
        json += ",\"broker\":-1"; // what kcat says when it does not know which one
        QByteArray headers;
        if (const auto list = readHeaders(chunk.headers(record))) {
            for (const RecordHeader &header : *list) {
                headers +=
                    (headers.isEmpty() ? "" : ",") + text(true, asBytes(header.name)) + ',' +
                    text(header.value.has_value(), asBytes(header.value.value_or(QByteArray())));
            }
        }
        if (!headers.isEmpty())
            json += ",\"headers\":[" + headers + ']';
        json += ",\"key\":" + text(record.flags.testFlag(RecordFlag::HasKey), chunk.key(record));
        json += ",\"payload\":" +
                text(!record.flags.testFlag(RecordFlag::NullValue), chunk.value(record));
        line(json + '}');
        if (!m_isExact)
            countInexact();
    }

private:
    QByteArray text(bool there, std::span<const std::byte> value)
    {
        if (!there)
            return "null";
        if (isValidUtf8(value)) // with a byte order mark, which QString would take away
            return JsonLine::quotedUtf8(value);
        m_isExact = false;
        QStringDecoder decoder(QStringConverter::Utf8, QStringConverter::Flag::ConvertInitialBom);
        return JsonLine::quoted(decoder(toByteArray(value)));
    }

    bool m_isExact = true;
};

class RawWriter final : public ExportWriter
{
public:
    explicit RawWriter(QString directory)
        : m_directory(std::move(directory))
    {
    }

    void record(const RecordChunk &chunk, const Record &record) override
    {
        if (error())
            return;
        if (record.flags & RecordFlag::NullValue) {
            countInexact();
            return;
        }
        if (record.flags & (RecordFlag::HasKey | RecordFlag::HasHeaders))
            countInexact();
        QByteArray topic = QUrl::toPercentEncoding(chunk.partition().topic, {}, "~");
        if (topic.startsWith('.')) // neither hidden nor a parent
            topic.replace(0, 1, "%2E");
        const QByteArray name = topic + '-' +
                                QByteArray::number(chunk.partition().partition.value) + '-' +
                                QByteArray::number(record.offset.value).rightJustified(20, '0');
        QFile file(m_directory + u'/' + QString::fromLatin1(name));
        const QByteArray value = toByteArray(chunk.value(record));
        if (!file.open(QIODevice::WriteOnly | QIODevice::NewOnly) ||
            file.write(value) != value.size() || !file.flush()) {
            fail(writeFailed(&file, file.errorString()));
            return;
        }
        countBytes(value.size());
    }

private:
    QString m_directory;
};

} // namespace

QString exportFormatName(ExportFormat format)
{
    const auto *const found = std::ranges::find(kFormatNames, format, &NamedFormat::first);
    return found == kFormatNames.end() ? QString() : found->second;
}

std::optional<ExportFormat> exportFormatNamed(const QString &name)
{
    const auto *const found = std::ranges::find(kFormatNames, name, &NamedFormat::second);
    return found == kFormatNames.end() ? std::nullopt : std::optional(found->first);
}

std::unique_ptr<ExportWriter> makeExportWriter(ExportFormat format, QIODevice *device,
                                               const ExportSource &source)
{
    switch (format) {
    case ExportFormat::Csv:
        return std::make_unique<CsvWriter>(device);
    case ExportFormat::Kcat:
        return std::make_unique<KcatWriter>(device);
    case ExportFormat::Ndjson:
    case ExportFormat::Raw:
        break;
    }
    return std::make_unique<NdjsonWriter>(device, source);
}

std::unique_ptr<ExportWriter> makeRawWriter(const QString &directory)
{
    return std::make_unique<RawWriter>(directory);
}

} // namespace topicscope::transfer
