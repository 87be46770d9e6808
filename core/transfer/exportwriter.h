#pragma once

#include "core/base/result.h"
#include "core/records/recordchunk.h"
#include "core/session/capabilities.h"
#include "core/transfer/exportnote.h"

#include <QIODevice>

#include <memory>
#include <optional>

namespace topicscope::transfer
{

/// What is to be exported of one partition, and what it held when somebody looked.
struct ExportRange {
    TopicPartition partition;
    Offset from;
    Offset to; ///< first offset behind it
    Offset logStart;
    Offset highWatermark;

    bool operator==(const ExportRange &) const = default;
};

/// What became of one partition. All of it is accounted for when isWhole().
struct ExportCount {
    TopicPartition partition;
    Offset from;
    Offset to; ///< how far it came
    qint64 records = 0;
    qint64 withoutRecord = 0; ///< offsets that notes are about
    bool complete = false;    ///< came to the end of what was asked for

    bool isWhole() const { return complete && records + withoutRecord == to - from; }
    bool operator==(const ExportCount &) const = default;
};

enum class ExportFormat {
    Ndjson, ///< everything there is of a record; described in docs/export.md
    Csv,    ///< RFC 4180
    Kcat,   ///< what kcat -J prints: bytes that are no UTF-8 are lost
    Raw,    ///< a directory with one file a record: its value
};

/// Stable name: "ndjson", "csv", "kcat", "raw".
QString exportFormatName(ExportFormat format);
std::optional<ExportFormat> exportFormatNamed(const QString &name);

/// Writes records and notes in one format as they come; keeps none. What it writes ends with a
/// whole line after each call of flush(). After a failure it writes nothing more; error() tells.
/// Thread: confined to one.
class ExportWriter
{
public:
    ExportWriter() = default;
    virtual ~ExportWriter() = default;
    Q_DISABLE_COPY_MOVE(ExportWriter)

    virtual void beginPartition(const ExportRange & /*range*/) {}
    virtual void record(const RecordChunk &chunk, const Record &record) = 0;
    virtual void note(const TopicPartition & /*partition*/, const ExportNote & /*note*/) {}
    virtual void endPartition(const ExportCount & /*count*/) {}
    /// After the last partition. `complete`: all that was asked for is in it.
    virtual void end(bool /*complete*/) {}
    virtual void flush() {}

    const std::optional<Error> &error() const { return m_error; }
    qint64 bytesWritten() const { return m_bytes; }
    /// Records the format could not keep to the last byte.
    qint64 inexact() const { return m_inexact; }

protected:
    void fail(Error error)
    {
        if (!m_error)
            m_error = std::move(error);
    }
    void countBytes(qint64 bytes) { m_bytes += bytes; }
    void countInexact() { ++m_inexact; }

private:
    std::optional<Error> m_error;
    qint64 m_bytes = 0;
    qint64 m_inexact = 0;
};

/// Where exported records come from, as the file says it.
struct ExportSource {
    QString address; ///< SessionConfig::address(), which holds no secrets
    Capabilities capabilities;
};

/// For every format but Raw. `device` is open for writing and outlives the writer.
std::unique_ptr<ExportWriter> makeExportWriter(ExportFormat format, QIODevice *device,
                                               const ExportSource &source);
/// For Raw. The directory exists; files are named TOPIC-PARTITION-OFFSET, other characters of a
/// topic than letters, digits, '_', '-' and '.' as %XX. A null value makes no file.
std::unique_ptr<ExportWriter> makeRawWriter(const QString &directory);

} // namespace topicscope::transfer
