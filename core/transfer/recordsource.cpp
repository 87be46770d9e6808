#include "core/transfer/recordsource.h"

#include "core/records/timeinput.h"
#include "core/transfer/fileerror.h"
#include "core/transfer/recordfile.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace topicscope::transfer
{

using namespace Qt::StringLiterals;

namespace
{

using NamedFormat = std::pair<SourceFormat, QLatin1StringView>;

constexpr std::array<NamedFormat, 4> kFormatNames{{
    {SourceFormat::Ndjson, QLatin1StringView("ndjson")},
    {SourceFormat::Csv, QLatin1StringView("csv")},
    {SourceFormat::Lines, QLatin1StringView("lines")},
    {SourceFormat::Files, QLatin1StringView("files")},
}};

constexpr qint64 kBlockBytes = qint64(256) * 1024;
constexpr size_t kMaxFields = 10'000;

class NdjsonSource final : public RecordSource
{
public:
    explicit NdjsonSource(const QString &path)
        : m_file(path)
        , m_reader(&m_file)
    {
    }

    QFile &file() { return m_file; }

    Result<std::optional<SourceRecord>> next() override
    {
        while (true) {
            auto line = m_reader.next();
            if (!line) {
                Error error = line.error();
                error.kind = ErrorKind::Io; // not what a peer sent
                return error;
            }
            if (!*line) {
                if (!m_isWhole)
                    return fileError(
                        ErrorKind::Io, m_file.fileName(),
                        u"the file is not whole: it was cut, or its export did not come "
                        "to an end; there are no more than %1 records"_s.arg(m_number));
                return std::optional<SourceRecord>();
            }
            if (const auto *const end = std::get_if<FileEnd>(&**line))
                m_isWhole = end->complete;
            auto *const record = std::get_if<FileRecord>(&**line);
            if (!record)
                continue;
            SourceRecord source{
                ++m_number, std::move(record->content), record->partition.partition, {}};
            if (record->damaged)
                source.problem = u"its checksum is not that of its bytes"_s;
            return std::optional(std::move(source));
        }
    }

private:
    QFile m_file;
    RecordFileReader m_reader;
    qint64 m_number = 0;
    bool m_isWhole = false;
};

/// A value a line.
class LinesSource final : public RecordSource
{
public:
    explicit LinesSource(const QString &path)
        : m_file(path)
    {
    }

    QFile &file() { return m_file; }

    Result<std::optional<SourceRecord>> next() override
    {
        // In blocks: a pipe says that it is at its end when it merely has nothing yet.
        qsizetype end = m_buffer.indexOf('\n');
        while (end < 0 && !m_isAtEnd) {
            if (m_buffer.size() > kMaxSourceBytes)
                return fileError(
                    ErrorKind::Io, m_file.fileName(),
                    u"line %1 is longer than %2 bytes"_s.arg(m_number + 1).arg(kMaxSourceBytes));
            const qsizetype had = m_buffer.size();
            m_buffer.resize(had + kBlockBytes);
            const qint64 read = m_file.read(m_buffer.data() + had, kBlockBytes);
            m_buffer.resize(had + qsizetype(std::max<qint64>(read, 0)));
            if (read < 0)
                return fileError(ErrorKind::Io, m_file.fileName(), m_file.errorString());
            m_isAtEnd = read == 0;
            end = m_buffer.indexOf('\n', had);
        }
        if (end < 0 && m_buffer.isEmpty())
            return std::optional<SourceRecord>();
        SourceRecord record{++m_number, {}, {}, {}};
        record.content.value = m_buffer.first(end < 0 ? m_buffer.size() : end);
        m_buffer.remove(0, end < 0 ? m_buffer.size() : end + 1);
        return std::optional(std::move(record));
    }

private:
    QFile m_file;
    QByteArray m_buffer; ///< read and not yet handed out
    bool m_isAtEnd = false;
    qint64 m_number = 0;
};

class FilesSource final : public RecordSource
{
public:
    explicit FilesSource(const QString &path)
        : m_directory(path)
        , m_names(m_directory.entryList(QDir::Files, QDir::Name))
    {
    }

    Result<std::optional<SourceRecord>> next() override
    {
        if (m_number >= m_names.size())
            return std::optional<SourceRecord>();
        const QString name = m_names[m_number];
        QFile file(m_directory.filePath(name));
        if (!file.open(QIODevice::ReadOnly))
            return fileError(ErrorKind::Io, file.fileName(), file.errorString());
        SourceRecord record{++m_number, {}, partitionIn(name), {}};
        if (file.size() > kMaxSourceBytes) {
            record.problem = u"more than %1 bytes"_s.arg(kMaxSourceBytes);
            record.content.value = QByteArray();
            return std::optional(std::move(record));
        }
        record.content.value = file.readAll();
        if (file.error() != QFileDevice::NoError)
            return fileError(ErrorKind::Io, file.fileName(), file.errorString());
        return std::optional(std::move(record));
    }

private:
    /// As the export of one file a record names them.
    static std::optional<PartitionId> partitionIn(const QString &name)
    {
        static const QRegularExpression form(u"-(\\d{1,10})-\\d{20}$"_s);
        const auto match = form.match(name);
        bool ok = false;
        const int number = match.captured(1).toInt(&ok);
        return ok ? std::optional(PartitionId{number}) : std::nullopt;
    }

    QDir m_directory;
    QStringList m_names;
    qsizetype m_number = 0;
};

/// The first row.
Result<QStringList> namesIn(CsvReader &reader, const QString &path)
{
    const auto row = reader.next();
    if (!row)
        return row.error();
    if (!*row)
        return fileError(ErrorKind::Io, path, u"the file is empty"_s);
    QStringList names;
    for (const CsvReader::Field &field : **row)
        names += QString::fromUtf8(field.text); // without a byte order mark in front
    return names;
}

std::optional<qsizetype> indexOf(const QStringList &names, const QString &name)
{
    const qsizetype index = names.indexOf(name);
    return index < 0 ? std::nullopt : std::optional(index);
}

/// By columns nobody else would have together.
bool isExport(const QStringList &names)
{
    return names.contains(u"valueEncoding"_s) && names.contains(u"keyEncoding"_s) &&
           names.contains(u"type"_s);
}

class CsvSource final : public RecordSource
{
public:
    explicit CsvSource(const QString &path)
        : m_file(path)
        , m_reader(&m_file)
    {
    }

    QFile &file() { return m_file; }

    /// Reads the first row and finds the columns.
    Result<void> begin(const CsvMapping &mapping)
    {
        auto names = namesIn(m_reader, m_file.fileName());
        if (!names)
            return names.error();
        m_names = *std::move(names);
        const auto columns = CsvColumns::find(m_names, mapping);
        if (!columns)
            return columns.error();
        m_columns = *columns;
        if (!m_columns.value && (!mapping.value || !mapping.value->isEmpty()))
            return Error::make(
                ErrorKind::InvalidArgument,
                u"which column is the value? There are: %1"_s.arg(m_names.join(u", "_s)));
        // Only of an export: elsewhere columns of these names may mean anything.
        if (isExport(m_names)) {
            m_type = indexOf(m_names, u"type"_s);
            m_checksum = indexOf(m_names, u"checksum"_s);
            m_keyEncoding = encodingOf(m_columns.key);
            m_valueEncoding = encodingOf(m_columns.value);
        }
        if (mapping.headers == CsvMapping::kOtherColumns)
            findOthers();
        return {};
    }

    Result<std::optional<SourceRecord>> next() override
    {
        while (true) {
            auto row = m_reader.next();
            if (!row)
                return row.error();
            if (!*row)
                return std::optional<SourceRecord>();
            if ((*row)->size() == 1 && (**row)[0].isNull())
                continue; // a blank line is no null value
            if (qsizetype((*row)->size()) != m_names.size())
                return wrong(u"%1 fields instead of %2"_s.arg((*row)->size()).arg(m_names.size()));
            if (m_type && at(**row, *m_type).text != "record")
                continue; // a note
            return recordOf(**row);
        }
    }

private:
    Error wrong(const QString &why) const
    {
        return fileError(ErrorKind::Io, m_file.fileName(),
                         u"row %1: %2"_s.arg(m_reader.rowNumber()).arg(why));
    }

    using Row = CsvReader::Row;
    using Column = std::optional<qsizetype>;

    static const CsvReader::Field &at(const Row &row, qsizetype column)
    {
        return row[size_t(column)];
    }

    Column encodingOf(const Column &column) const
    {
        return column ? indexOf(m_names, m_names[*column] + u"Encoding"_s) : Column();
    }

    /// The columns that are nothing else.
    void findOthers()
    {
        const std::array used{m_columns.key,       m_columns.value, m_columns.partition,
                              m_columns.timestamp, m_type,          m_checksum,
                              m_keyEncoding,       m_valueEncoding};
        for (qsizetype i = 0; i < m_names.size(); ++i) {
            if (std::ranges::find(used, Column(i)) == used.end())
                m_others.append(i);
        }
    }

    Result<std::optional<SourceRecord>> recordOf(const Row &row)
    {
        SourceRecord record{++m_number, {}, {}, {}};
        auto value = bytes(row, m_columns.value, m_valueEncoding);
        if (!value)
            return value.error();
        record.content.value = *std::move(value);
        auto key = bytes(row, m_columns.key, m_keyEncoding);
        if (!key)
            return key.error();
        record.content.key = *std::move(key);
        const auto partition = partitionOf(row);
        if (!partition)
            return partition.error();
        record.partition = *partition;
        const auto time = timeOf(row);
        if (!time)
            return time.error();
        record.content.timestampMs = *time;
        auto headers = headersOf(row);
        if (!headers)
            return headers.error();
        record.content.headers = *std::move(headers);
        if (m_checksum && at(row, *m_checksum).text == "mismatch")
            record.problem = u"its checksum is not that of its bytes"_s;
        return std::optional(std::move(record));
    }

    Result<std::optional<QByteArray>> bytes(const Row &row, const Column &column,
                                            const Column &encoding) const
    {
        if (!column)
            return std::optional<QByteArray>();
        const CsvReader::Field &field = at(row, *column);
        if (!encoding)
            return field.isNull() ? std::optional<QByteArray>() : std::optional(field.text);
        const QByteArray &name = at(row, *encoding).text;
        if (name == "utf-8")
            return std::optional(field.text);
        if (name == "null")
            return std::optional<QByteArray>();
        auto decoded =
            QByteArray::fromBase64Encoding(field.text, QByteArray::AbortOnBase64DecodingErrors);
        if (name != "base64" || !decoded)
            return wrong(u"bytes in no encoding that is known"_s);
        return std::optional(*std::move(decoded));
    }

    Result<std::optional<PartitionId>> partitionOf(const Row &row) const
    {
        if (!m_columns.partition || at(row, *m_columns.partition).text.isEmpty())
            return std::optional<PartitionId>();
        const QByteArray &text = at(row, *m_columns.partition).text;
        bool isNumber = false;
        const int number = text.toInt(&isNumber);
        if (!isNumber || number < -1)
            return wrong(u"\"%1\" is no partition"_s.arg(QString::fromUtf8(text.left(40))));
        return number == -1 ? std::optional<PartitionId>() : PartitionId{number}; // -1: none
    }

    Result<std::optional<qint64>> timeOf(const Row &row) const
    {
        if (!m_columns.timestamp || at(row, *m_columns.timestamp).text.isEmpty())
            return std::optional<qint64>();
        const QByteArray &text = at(row, *m_columns.timestamp).text;
        bool isNumber = false;
        const qint64 number = text.toLongLong(&isNumber);
        if (isNumber)
            return number == -1 ? std::optional<qint64>() : std::optional(number); // -1: none
        static const QRegularExpression date(u"^\\d{4}-"_s); // not "-1h", nor "14:05" of some day
        const QString typed = QString::fromUtf8(text.left(40));
        const auto time = date.match(typed).hasMatch() ? parseTime(typed, 0) : std::nullopt;
        if (!time)
            return wrong(u"\"%1\" is no time"_s.arg(typed));
        return time;
    }

    Result<HeaderList> headersOf(const Row &row) const
    {
        HeaderList headers;
        for (const qsizetype column : m_others) {
            if (const CsvReader::Field &field = at(row, column); !field.isNull())
                headers.append({m_names[column].toUtf8(), field.text});
        }
        if (!m_columns.headers || at(row, *m_columns.headers).isNull())
            return headers;
        const auto document =
            QJsonDocument::fromJson(withEscapedMarks(at(row, *m_columns.headers).text));
        auto listed = headersIn(document.array());
        if (!document.isArray() || !listed)
            return wrong(u"\"%1\" is no list of headers"_s.arg(m_names[*m_columns.headers]));
        return listed;
    }

    QFile m_file;
    CsvReader m_reader;
    qint64 m_number = 0;
    QStringList m_names;
    CsvColumns m_columns;
    QList<qsizetype> m_others; ///< each is a header
    // Of an export.
    Column m_type;
    Column m_keyEncoding;
    Column m_valueEncoding;
    Column m_checksum;
};

template <typename Source, typename Begin>
Result<std::unique_ptr<RecordSource>> opened(const QString &path, Begin begin)
{
    auto source = std::make_unique<Source>(path);
    if (!source->file().open(QIODevice::ReadOnly))
        return fileError(ErrorKind::Io, path, source->file().errorString());
    if (Result<void> begun = begin(*source); !begun)
        return begun.error();
    return std::unique_ptr<RecordSource>(std::move(source));
}

} // namespace

QString sourceFormatName(SourceFormat format)
{
    return std::ranges::find(kFormatNames, format, &NamedFormat::first)->second;
}

std::optional<SourceFormat> sourceFormatNamed(const QString &name)
{
    const auto *const found = std::ranges::find(kFormatNames, name, &NamedFormat::second);
    return found == kFormatNames.end() ? std::nullopt : std::optional(found->first);
}

Result<CsvMapping> CsvMapping::parse(const QString &text)
{
    CsvMapping mapping;
    for (const QString &part : text.split(u',', Qt::SkipEmptyParts)) {
        const QString field = part.section(u'=', 0, 0).trimmed();
        std::optional<QString> *const column = field == u"key"_s         ? &mapping.key
                                               : field == u"value"_s     ? &mapping.value
                                               : field == u"partition"_s ? &mapping.partition
                                               : field == u"headers"_s   ? &mapping.headers
                                               : field == u"timestamp"_s ? &mapping.timestamp
                                                                         : nullptr;
        if (!column || !part.contains(u'='))
            return Error::make(ErrorKind::InvalidArgument,
                               u"\"%1\" is no key=, value=, partition=, headers= or timestamp= "
                               "with a column"_s.arg(part));
        *column = part.section(u'=', 1).trimmed();
    }
    return mapping;
}

QString CsvMapping::columnAt(const QStringList &names, qsizetype index)
{
    const QString &name = names[index];
    const bool isClear = !name.isEmpty() && name != kOtherColumns && names.indexOf(name) == index;
    return isClear ? name : QString::number(index + 1);
}

Result<CsvColumns> CsvColumns::find(const QStringList &names, const CsvMapping &mapping)
{
    QString missing;
    const auto find = [&](const std::optional<QString> &wanted,
                          const QString &usual) -> std::optional<qsizetype> {
        if (!wanted)
            return indexOf(names, usual);
        if (wanted->isEmpty())
            return std::nullopt;
        if (const auto named = indexOf(names, *wanted))
            return named;
        if (const int number = wanted->toInt(); number >= 1 && number <= names.size())
            return number - 1;
        missing = *wanted;
        return std::nullopt;
    };
    CsvColumns columns;
    columns.key = find(mapping.key, u"key"_s);
    columns.value = find(mapping.value, u"value"_s);
    columns.partition = find(mapping.partition, u"partition"_s);
    columns.timestamp = find(mapping.timestamp, u"timestamp"_s);
    if (mapping.headers ? *mapping.headers != CsvMapping::kOtherColumns : isExport(names))
        columns.headers = find(mapping.headers, u"headers"_s);
    if (!missing.isEmpty())
        return Error::make(ErrorKind::InvalidArgument,
                           u"no column \"%1\"; there are: %2"_s.arg(missing, names.join(u", "_s)));
    return columns;
}

Result<std::unique_ptr<RecordSource>> openSource(const QString &path, SourceFormat format,
                                                 const CsvMapping &mapping)
{
    const auto fromTheStart = [](const auto &) { return Result<void>(); };
    switch (format) {
    case SourceFormat::Ndjson:
        return opened<NdjsonSource>(path, fromTheStart);
    case SourceFormat::Lines:
        return opened<LinesSource>(path, fromTheStart);
    case SourceFormat::Csv:
        return opened<CsvSource>(path, [&](CsvSource &source) { return source.begin(mapping); });
    case SourceFormat::Files:
        break;
    }
    if (!QFileInfo(path).isDir())
        return fileError(ErrorKind::Io, path, u"this is no directory"_s);
    return std::unique_ptr<RecordSource>(std::make_unique<FilesSource>(path));
}

Result<QStringList> csvColumns(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fileError(ErrorKind::Io, path, file.errorString());
    CsvReader reader(&file);
    return namesIn(reader, path);
}

// ----------------------------------------------------------------------------------------- CSV

int CsvReader::peek()
{
    if (m_at == m_buffer.size()) {
        m_buffer.resize(kBlockBytes);
        const qint64 read = m_device->read(m_buffer.data(), kBlockBytes);
        m_hasFailed = m_hasFailed || read < 0;
        m_buffer.resize(qsizetype(std::max<qint64>(read, 0)));
        m_at = 0;
        if (m_buffer.isEmpty())
            return -1;
    }
    return uchar(m_buffer[m_at]);
}

int CsvReader::get()
{
    const int byte = peek();
    m_at += byte < 0 ? 0 : 1;
    return byte;
}

Error CsvReader::wrong(const QString &why) const
{
    return Error::make(ErrorKind::Io, u"row %1: %2"_s.arg(m_rowNumber).arg(why));
}

Result<std::optional<CsvReader::Row>> CsvReader::next()
{
    if (m_rowNumber == 0 && peek() == 0xEF && m_buffer.startsWith("\xEF\xBB\xBF"))
        m_at = 3; // a byte order mark, before what may be a quote
    const bool isAtEnd = peek() < 0;
    if (m_hasFailed)
        return wrong(m_device->errorString());
    if (isAtEnd)
        return std::optional<Row>();
    ++m_rowNumber;
    Row row;
    qint64 bytes = 0;
    while (true) {
        Field field;
        field.isQuoted = peek() == '"';
        if (field.isQuoted) {
            get();
            while (true) {
                const int byte = get();
                if (byte < 0)
                    return wrong(u"a quote that does not end"_s);
                if (byte == '"' && peek() != '"')
                    break;
                if (byte == '"')
                    get();
                field.text += char(byte);
                if (++bytes > kMaxSourceBytes)
                    return wrong(u"more than %1 bytes"_s.arg(kMaxSourceBytes));
            }
        } else {
            for (int byte = peek(); byte >= 0 && byte != ',' && byte != '\n'; byte = peek()) {
                if (byte == '"')
                    return wrong(u"a quote inside a field that does not begin with one"_s);
                field.text += char(get());
                if (++bytes > kMaxSourceBytes)
                    return wrong(u"more than %1 bytes"_s.arg(kMaxSourceBytes));
            }
            if (peek() != ',' && field.text.endsWith('\r'))
                field.text.chop(1);
        }
        if (row.size() == kMaxFields)
            return wrong(u"more than %1 fields"_s.arg(kMaxFields));
        row.push_back(std::move(field));
        int byte = get();
        if (byte == '\r' && peek() == '\n')
            byte = get();
        if (m_hasFailed)
            return wrong(m_device->errorString());
        if (byte < 0 || byte == '\n')
            return std::optional(std::move(row));
        if (byte != ',')
            return wrong(u"something behind a closing quote"_s);
    }
}

} // namespace topicscope::transfer
