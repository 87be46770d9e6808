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

/// Which column of a CSV file is what. A column is said by its name, or by "1", "2", … where none
/// has that name; "" is none at all; nullopt is the column of the field's own name, if there is
/// one.
struct CsvMapping {
    /// Of `headers`: each column that is nothing else is a header of its name; a field that is null
    /// is none.
    static constexpr QStringView kOtherColumns = u"*";

    std::optional<QString> key = {};
    std::optional<QString> value = {}; ///< "": every value is null
    std::optional<QString> partition = {};
    std::optional<QString> headers = {}; ///< lists as exported; nullopt: of an export alone
    std::optional<QString> timestamp = {};

    /// "value=payload,key=id". @error InvalidArgument.
    static Result<CsvMapping> parse(const QString &text);
    /// What says the column at `index`, whatever its name.
    static QString columnAt(const QStringList &names, qsizetype index);
};

/// The same in a file with these columns: where they are.
struct CsvColumns {
    std::optional<qsizetype> key = {};
    std::optional<qsizetype> value = {}; ///< nullopt: not said which, or none at all
    std::optional<qsizetype> partition = {};
    std::optional<qsizetype> headers = {};
    std::optional<qsizetype> timestamp = {};

    /// @param names  as the first row has them  @error InvalidArgument: no such column.
    static Result<CsvColumns> find(const QStringList &names, const CsvMapping &mapping = {});
};

/// `mapping` counts for Csv: there has to be a value, or it is said that there is none. Null is an
/// empty field without quotes; columns KEYEncoding and VALUEEncoding as exported are obeyed. Times
/// are ms since 1970, or dates as parseTime() takes them.
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
