#include "core/transfer/recordfile.h"

#include "core/base/bytewriter.h"
#include "core/hash/crc32c.h"
#include "core/records/recordcodec.h"

#include <QFileDevice>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtEndian>

#include <cstring>
#include <limits>

namespace topicscope::transfer
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 kBlockBytes = qint64(256) * 1024;
constexpr int kVersion = 1;

/// Takes fields out of one object; the first that is not what it must be sticks.
class Fields
{
public:
    explicit Fields(const QJsonObject &object)
        : m_object(object)
    {
    }

    const QString &problem() const { return m_problem; }
    void fail(const QString &why)
    {
        if (m_problem.isEmpty())
            m_problem = why;
    }

    bool has(QLatin1StringView name) const { return m_object.contains(name); }

    QString text(QLatin1StringView name)
    {
        const QJsonValue value = m_object.value(name);
        QString text = value.toString();
        if (!value.isString() || !text.isValidUtf16())
            fail(u"\"%1\" is no text"_s.arg(name));
        return text;
    }
    bool boolean(QLatin1StringView name, bool otherwise = false) const
    {
        return m_object.value(name).toBool(otherwise);
    }
    qint64 number(QLatin1StringView name, qint64 min = 0,
                  qint64 max = std::numeric_limits<qint64>::max())
    {
        const QJsonValue value = m_object.value(name);
        const qint64 number = value.toInteger(min);
        // What does not fit 64 bits became a double, and is not exact.
        const bool exact = value.isDouble() && value.toInteger(0) == value.toInteger(1);
        if (!exact || number < min || number > max)
            fail(u"\"%1\" is no whole number in its range"_s.arg(name));
        return number;
    }
    /// An offset, which has one behind it.
    Offset offset(QLatin1StringView name)
    {
        return Offset{number(name, 0, std::numeric_limits<qint64>::max() - 1)};
    }
    /// Null where it says so, or is not there at all.
    std::optional<QByteArray> bytes(QLatin1StringView name)
    {
        const QJsonValue value = m_object.value(name);
        if (value.isNull() || value.isUndefined())
            return std::nullopt;
        const QJsonObject object = value.toObject();
        const QString encoding = object.value(u"encoding"_s).toString();
        const QJsonValue data = object.value(u"data"_s);
        if (data.isString() && encoding == u"utf-8"_s && data.toString().isValidUtf16())
            return data.toString().toUtf8();
        if (data.isString() && encoding == u"base64"_s) {
            if (auto decoded = QByteArray::fromBase64Encoding(
                    data.toString().toLatin1(), QByteArray::AbortOnBase64DecodingErrors))
                return *decoded;
        }
        fail(u"\"%1\" is neither null nor bytes"_s.arg(name));
        return std::nullopt;
    }
    TopicPartition partition()
    {
        return {text(QLatin1StringView("topic")),
                PartitionId{qint32(number(QLatin1StringView("partition"), 0,
                                          std::numeric_limits<qint32>::max()))}};
    }
    QJsonValue value(QLatin1StringView name) const { return m_object.value(name); }

private:
    const QJsonObject &m_object;
    QString m_problem;
};

ExportSource sourceOf(Fields &fields)
{
    if (fields.text(QLatin1StringView("format")) != u"topicscope-records"_s)
        fields.fail(u"another format"_s);
    if (const qint64 version = fields.number(QLatin1StringView("version")); version != kVersion)
        fields.fail(
            u"version %1 of the format, only %2 is understood"_s.arg(version).arg(kVersion));
    ExportSource source;
    source.address = fields.text(QLatin1StringView("source"));
    const QJsonObject object = fields.value(QLatin1StringView("capabilities")).toObject();
    const Fields can(object);
    source.capabilities.keys = can.boolean(QLatin1StringView("keys"));
    source.capabilities.timestamps = can.boolean(QLatin1StringView("timestamps"));
    source.capabilities.headers = can.boolean(QLatin1StringView("headers"));
    source.capabilities.recordChecksums = can.boolean(QLatin1StringView("recordChecksums"));
    source.capabilities.emptyValues = can.boolean(QLatin1StringView("emptyValues"));
    source.capabilities.nullValues = can.boolean(QLatin1StringView("nullValues"));
    return source;
}

ExportRange rangeOf(Fields &fields)
{
    ExportRange range;
    range.partition = fields.partition();
    range.from = Offset{fields.number(QLatin1StringView("from"))};
    range.to = Offset{fields.number(QLatin1StringView("to"))};
    range.logStart = Offset{fields.number(QLatin1StringView("logStart"))};
    range.highWatermark = Offset{fields.number(QLatin1StringView("highWatermark"))};
    return range;
}

ExportCount countOf(Fields &fields)
{
    ExportCount count;
    count.partition = fields.partition();
    count.from = Offset{fields.number(QLatin1StringView("from"))};
    count.to = Offset{fields.number(QLatin1StringView("to"))};
    count.records = fields.number(QLatin1StringView("records"));
    count.withoutRecord = fields.number(QLatin1StringView("withoutRecord"));
    count.complete = fields.boolean(QLatin1StringView("complete"));
    return count;
}

void takeChecksum(Fields &fields, FileRecord &record)
{
    const QJsonValue value = fields.value(QLatin1StringView("crc32c"));
    if (value.isUndefined())
        return;
    const QJsonObject object = value.toObject();
    const QString stored = object.value(u"stored"_s).toString();
    bool ok = false;
    record.storedCrc = stored.toUInt(&ok, 16);
    if (!ok || stored.size() != 8)
        fields.fail(u"\"crc32c\" is no checksum"_s);
    if (record.content.key || !record.content.headers.isEmpty() || !record.content.value)
        fields.fail(u"a checksum of its own beside a key, headers or a null value"_s);
    if (!fields.problem().isEmpty())
        return;
    record.sizeDamaged = fields.boolean(QLatin1StringView("sizeDamaged"));
    record.damaged = record.sizeDamaged || !object.value(u"ok"_s).toBool(true) ||
                     crc32c(asBytes(*record.content.value)) != *record.storedCrc;
}

FileRecord recordOf(Fields &fields)
{
    FileRecord record;
    record.partition = fields.partition();
    record.offset = fields.offset(QLatin1StringView("offset"));
    record.content.key = fields.bytes(QLatin1StringView("key"));
    if (!fields.has(QLatin1StringView("value")))
        fields.fail(u"a record without \"value\""_s);
    record.content.value = fields.bytes(QLatin1StringView("value"));
    if (auto headers = headersIn(fields.value(QLatin1StringView("headers")).toArray()))
        record.content.headers = *std::move(headers);
    else
        fields.fail(headers.error().detail);
    if (fields.has(QLatin1StringView("timestamp")) &&
        !fields.value(QLatin1StringView("timestamp")).isNull()) {
        record.content.timestampMs =
            fields.number(QLatin1StringView("timestamp"), std::numeric_limits<qint64>::min());
        record.logAppendTime =
            fields.value(QLatin1StringView("timestampType")).toString() == u"logAppend"_s;
    }
    record.batchVerified = fields.value(QLatin1StringView("checksum")).toString() == u"batch"_s;
    takeChecksum(fields, record);
    return record;
}

FileNote noteOf(Fields &fields, ExportNote::Kind kind)
{
    FileNote note{fields.partition(),
                  {kind, fields.offset(QLatin1StringView("offset")),
                   Offset{fields.number(QLatin1StringView("end"))},
                   fields.value(QLatin1StringView("text")).toString()}};
    if (note.note.end <= note.note.first)
        fields.fail(u"\"end\" is not behind \"offset\""_s);
    return note;
}

FileLine lineOf(Fields &fields)
{
    const QString type = fields.text(QLatin1StringView("type"));
    if (type == u"record"_s)
        return recordOf(fields);
    if (type == u"export"_s)
        return sourceOf(fields);
    if (type == u"partition"_s)
        return rangeOf(fields);
    if (type == u"partition-end"_s)
        return countOf(fields);
    if (type == u"export-end"_s) {
        return FileEnd{fields.number(QLatin1StringView("records")),
                       fields.boolean(QLatin1StringView("complete"))};
    }
    if (const auto kind = noteNamed(type))
        return noteOf(fields, *kind);
    return FileUnknown{type};
}

} // namespace

Result<HeaderList> headersIn(const QJsonArray &array)
{
    HeaderList headers;
    for (const auto &entry : array) {
        const QJsonObject object = entry.toObject();
        Fields header(object);
        const auto name = header.bytes(QLatin1StringView("name"));
        auto value = header.bytes(QLatin1StringView("value"));
        if (!header.problem().isEmpty())
            return Error::make(ErrorKind::Protocol, u"a header's "_s + header.problem());
        if (!name)
            return Error::make(ErrorKind::Protocol, u"a header without a name"_s);
        if (!header.has(QLatin1StringView("value")))
            return Error::make(ErrorKind::Protocol, u"a header without \"value\""_s);
        headers.append({*name, std::move(value)});
    }
    return headers;
}

Error RecordFileReader::wrong(const QString &why) const
{
    const auto *const file = qobject_cast<const QFileDevice *>(m_device);
    return Error::make(ErrorKind::Protocol, u"line %1: %2"_s.arg(m_lineNumber).arg(why),
                       {{}, {}, {}, file ? file->fileName() : QString(), m_linePosition});
}

/// False at the end.
Result<bool> RecordFileReader::readLine()
{
    m_line.clear();
    m_linePosition = m_position;
    ++m_lineNumber;
    while (true) {
        const char *const begin = m_buffer.constData() + m_taken;
        const qsizetype size = m_buffer.size() - m_taken;
        const void *const feed = size > 0 ? std::memchr(begin, '\n', size_t(size)) : nullptr;
        const qsizetype take = feed ? static_cast<const char *>(feed) - begin : size;
        if (m_line.size() + take > m_maxLineBytes)
            return wrong(u"longer than %1 bytes"_s.arg(m_maxLineBytes));
        m_line.append(begin, take);
        m_taken += take + (feed ? 1 : 0);
        m_position += take + (feed ? 1 : 0);
        if (feed)
            return true;
        m_buffer.resize(kBlockBytes);
        m_taken = 0;
        const qint64 read = m_device->read(m_buffer.data(), kBlockBytes);
        m_buffer.resize(std::max<qint64>(read, 0));
        if (read < 0) {
            Error error = wrong(m_device->errorString());
            error.kind = ErrorKind::Io;
            return error;
        }
        if (read == 0)
            return !m_line.isEmpty();
    }
}

QByteArray withEscapedMarks(QByteArray json)
{
    if (json.contains("\"\xEF\xBB\xBF"))
        json.replace("\"\xEF\xBB\xBF", "\"\\ufeff");
    return json;
}

Result<std::optional<FileLine>> RecordFileReader::next()
{
    do {
        const auto read = readLine();
        if (!read)
            return read.error();
        if (!*read)
            return std::optional<FileLine>();
    } while (m_line.trimmed().isEmpty());

    m_line = withEscapedMarks(std::move(m_line));
    QJsonParseError parsed;
    const QJsonDocument document = QJsonDocument::fromJson(m_line, &parsed);
    if (parsed.error != QJsonParseError::NoError || !document.isObject()) {
        return wrong(parsed.error == QJsonParseError::NoError ? u"no JSON object"_s
                                                              : parsed.errorString());
    }
    const QJsonObject object = document.object();
    Fields fields(object);
    FileLine line = lineOf(fields);
    if (!fields.problem().isEmpty())
        return wrong(fields.problem());
    if (!m_hasHeader && !std::holds_alternative<ExportSource>(line))
        return wrong(u"this is no export of records: the first line says otherwise"_s);
    m_hasHeader = true;
    return std::optional(std::move(line));
}

Result<void> RecordFileReader::seek(qint64 linePosition)
{
    if (!m_device->seek(linePosition)) {
        Error error = wrong(m_device->errorString());
        error.kind = ErrorKind::Io;
        return error;
    }
    m_buffer.clear();
    m_taken = 0;
    m_position = linePosition;
    m_lineNumber = 0;
    m_hasHeader = true;
    return {};
}

void ChunkBuilder::append(const FileRecord &from)
{
    Record record;
    record.offset = from.offset;
    record.flags.setFlag(RecordFlag::HasKey, from.content.key.has_value());
    record.flags.setFlag(RecordFlag::NullValue, !from.content.value.has_value());
    record.flags.setFlag(RecordFlag::HasTimestamp, from.content.timestampMs.has_value());
    record.flags.setFlag(RecordFlag::LogAppendTime, from.logAppendTime);
    record.flags.setFlag(RecordFlag::HasHeaders, !from.content.headers.isEmpty());
    record.flags.setFlag(RecordFlag::BatchVerified, from.batchVerified);
    record.flags.setFlag(RecordFlag::SizeDamaged, from.sizeDamaged);
    const QByteArray value = from.content.value.value_or(QByteArray());
    const auto begin = quint32(m_bytes.size());
    record.keyBegin = begin;
    if (from.storedCrc) {
        record.flags.setFlag(RecordFlag::ChecksumMismatch, from.damaged);
        record.flags.setFlag(RecordFlag::ChecksumVerified, !from.damaged);
        char header[kRecordHeaderBytes];
        qToBigEndian(qint32(value.size()), header);
        qToBigEndian(*from.storedCrc, header + 4);
        m_bytes.append(header, kRecordHeaderBytes);
    } else {
        m_bytes += from.content.key.value_or(QByteArray());
        record.keySize = quint32(m_bytes.size()) - begin;
        if (!from.content.headers.isEmpty())
            appendHeaders(m_bytes, from.content.headers);
    }
    record.valueBegin = quint32(m_bytes.size());
    m_bytes += value;
    record.valueSize = quint32(value.size());
    record.frameBytes = quint32(m_bytes.size()) - begin;
    m_records.push_back(record);
    m_timestampsMs.push_back(from.content.timestampMs.value_or(0));
}

RecordChunkPtr ChunkBuilder::take(const TopicPartition &partition)
{
    m_bytes.squeeze();
    m_records.shrink_to_fit();
    m_timestampsMs.shrink_to_fit();
    return std::make_shared<const RecordChunk>(partition, std::exchange(m_bytes, {}),
                                               std::exchange(m_records, {}),
                                               std::exchange(m_timestampsMs, {}));
}

} // namespace topicscope::transfer
