#pragma once

#include "core/base/result.h"
#include "core/records/recordchunk.h"
#include "core/records/recordcontent.h"
#include "core/transfer/exportwriter.h"

#include <QByteArray>
#include <QIODevice>
#include <QJsonArray>

#include <variant>
#include <vector>

namespace topicscope::transfer
{

/// One record as a file tells it.
struct FileRecord {
    TopicPartition partition;
    Offset offset;
    RecordContent content; ///< timestampMs nullopt: it has none
    bool logAppendTime = false;
    bool batchVerified = false;
    bool sizeDamaged = false;
    bool damaged = false; ///< the file says so, or the checksum does not fit the value
    std::optional<quint32> storedCrc;
};

struct FileNote {
    TopicPartition partition;
    ExportNote note;
};

/// The last line: without it the file was cut.
struct FileEnd {
    qint64 records = 0;
    bool complete = false;
};

/// A line of a type this version does not know.
struct FileUnknown {
    QString type;
};

using FileLine = std::variant<ExportSource, ExportRange, FileRecord, FileNote, ExportCount, FileEnd,
                              FileUnknown>;

/// Qt takes a byte order mark away where a text of JSON begins with it; escaped it is a character.
QByteArray withEscapedMarks(QByteArray json);

/// Headers as they stand in a record's line. @error Protocol: the first that are none.
Result<HeaderList> headersIn(const QJsonArray &array);

/// Reads what the NDJSON writer wrote, a line at a time. Bytes are nobody's friend: a line has a
/// bound, nesting too (1024), fields nobody knows are stepped over, numbers must be whole and fit
/// 64 bits, and nothing is allocated for what is merely announced.
/// Thread: confined to one. The device is open for reading and outlives it.
class RecordFileReader
{
public:
    /// Enough for what the writer makes of a record of kMaxExportedBytes.
    static constexpr qint64 kMaxLineBytes = qint64(1024) * 1024 * 1024;

    explicit RecordFileReader(QIODevice *device, qint64 maxLineBytes = kMaxLineBytes)
        : m_device(device)
        , m_maxLineBytes(maxLineBytes)
    {
    }

    /// The next line that is not empty; nullopt at the end. The first one has to be an ExportSource
    /// of this version.
    /// @error Protocol: it is no such line, or longer than the bound; Io. Both name the line, and
    /// are final.
    Result<std::optional<FileLine>> next();

    /// Of the line next() returned last, from 1, and where it begins in the device.
    qint64 lineNumber() const { return m_lineNumber; }
    qint64 linePosition() const { return m_linePosition; }

    /// Where next() goes on in the device.
    qint64 position() const { return m_position; }

    /// Goes on at a line found before, behind the first. Line numbers count from there.
    Result<void> seek(qint64 linePosition);

private:
    Result<bool> readLine();
    Error wrong(const QString &why) const;

    QIODevice *m_device;
    qint64 m_maxLineBytes;
    QByteArray m_buffer;   ///< read, not yet taken
    qsizetype m_taken = 0; ///< of m_buffer
    QByteArray m_line;     ///< without its line feed
    qint64 m_position = 0; ///< of the byte at m_taken, in the device
    qint64 m_linePosition = 0;
    qint64 m_lineNumber = 0;
    bool m_hasHeader = false;
};

/// Puts records together as RecordChunk has them: with a checksum of their own as booblik stores
/// them, else key, headers and value one behind the other. Of one partition, in offset order.
class ChunkBuilder
{
public:
    void append(const FileRecord &record);
    qsizetype bytes() const { return m_bytes.size(); }
    /// What was appended; begins anew.
    RecordChunkPtr take(const TopicPartition &partition);

private:
    QByteArray m_bytes;
    std::vector<Record> m_records;
    std::vector<qint64> m_timestampsMs;
};

} // namespace topicscope::transfer
