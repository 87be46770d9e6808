#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/records/recordcontent.h"

#include <QByteArray>
#include <QIODevice>
#include <QMap>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace topicscope::transfer
{

/// No larger record is read from a file, in bytes of its key, value and headers.
inline constexpr qint64 kMaxSourceBytes = qint64(512) * 1024 * 1024;

/// One record to publish, as a file has it.
struct SourceRecord {
    qint64 number = 0;                    ///< in the file, from 1
    RecordContent content;                ///< timestampMs nullopt: the file has none
    std::optional<PartitionId> partition; ///< it was in
    QString problem;                      ///< why it is not to be sent; empty: nothing
};

/// Reads records from a file, one after the other. Thread: confined to one.
class RecordSource
{
public:
    RecordSource() = default;
    virtual ~RecordSource() = default;
    Q_DISABLE_COPY_MOVE(RecordSource)

    /// nullopt at the end. @error Io, also where the file is not what it should be; with the line.
    virtual Result<std::optional<SourceRecord>> next() = 0;
};

enum class SourceFormat {
    Ndjson, ///< as exported; its notes are stepped over
    Csv,    ///< RFC 4180, the first row has the columns' names
    Lines,  ///< each line is a value; it ends with a line feed
    Files,  ///< a directory: each file is a value, in the order of their names
};

/// Stable name: "ndjson", "csv", "lines", "files".
QString sourceFormatName(SourceFormat format);
std::optional<SourceFormat> sourceFormatNamed(const QString &name);

/// Which column of a CSV file is what: by name, or "1", "2", … where no column has that name.
struct CsvMapping {
    QString key = {};
    QString value = {};
    QString partition = {};
    QString timestamp = {};

    /// "value=payload,key=id". @error InvalidArgument.
    static Result<CsvMapping> parse(const QString &text);
};

/// `mapping` counts for Csv; what it leaves empty is the column of that name, if there is one.
/// There has to be a value. Null is an empty field without quotes; columns KEYEncoding and
/// VALUEEncoding as exported are obeyed, and so is "headers".
/// @error Io; InvalidArgument: no such column.
Result<std::unique_ptr<RecordSource>> openSource(const QString &path, SourceFormat format,
                                                 const CsvMapping &mapping = {});

/// The names in the first row of a CSV file. @error Io.
Result<QStringList> csvColumns(const QString &path);

/// Reads RFC 4180, a row at a time, in whatever encoding. Rows end with CR LF or LF.
/// Thread: confined to one. The device is open for reading and outlives it.
class CsvReader
{
public:
    struct Field {
        QByteArray text;
        bool isQuoted = false; ///< tells an empty one from none

        bool isNull() const { return text.isEmpty() && !isQuoted; }
    };
    using Row = std::vector<Field>;

    explicit CsvReader(QIODevice *device)
        : m_device(device)
    {
    }

    /// nullopt at the end. @error Io: quotes where none may be, or a row that is too large.
    Result<std::optional<Row>> next();
    qint64 rowNumber() const { return m_rowNumber; } ///< of the last one, from 1

private:
    int get(); ///< the next byte; -1 at the end
    int peek();
    Error wrong(const QString &why) const;

    QIODevice *m_device;
    QByteArray m_buffer;
    qsizetype m_at = 0;
    bool m_hasFailed = false;
    qint64 m_rowNumber = 0;
};

} // namespace topicscope::transfer
