#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/segments/offsetindex.h"
#include "core/segments/posixfile.h"
#include "core/segments/segmentfile.h"

#include <QByteArray>
#include <QDateTime>
#include <QString>
#include <QStringList>

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <span>

namespace topicscope::broker
{

/// A range of one segment file, for an answer. Keeps the file readable when retention unlinks it.
struct LogSlice {
    std::shared_ptr<const PosixFile> file;
    qint64 position = 0;
    qint64 bytes = 0;           ///< to the end of that segment, at most what was asked for
    qint64 bytesToEndOfLog = 0; ///< later segments included
};

/// One partition's records in its directory of segment files: append, read, roll, retention.
///
/// append() only encodes into a buffer; write() hands that to the system in one piece. Everything
/// that looks at the log (read, offsets) must be preceded by write(), and write() must have
/// succeeded before a request is acknowledged. sync() makes all of it durable, whatever rolls lie
/// in between. After a failed write the log refuses to append for good: what is in the file is then
/// uncertain, and a restart finds out. A roll or sync() that only lacks descriptors is a retriable
/// error instead: nothing is uncertain then, and the next call tries again.
///
/// Thread: one.
class PartitionLog
{
public:
    struct Options {
        qint64 capacityBytes = 0;
        qint64 indexIntervalBytes = 4096;
        bool presized = false; ///< files get their full capacity when they are created
    };

    /// Opens and verifies all segments, or begins with an empty one. Cuts what is not a record off
    /// the last segment; those bytes are saved below `saveDirectory` first.
    /// @param warnings  one line for each hole, overlap or repair
    /// @error Io; Cancelled when the thread was asked to end (QThread::requestInterruption).
    static Result<std::unique_ptr<PartitionLog>>
    open(const TopicPartition &partition, const QString &directory, const QString &saveDirectory,
         const Options &options, QStringList *warnings);
    ~PartitionLog();
    Q_DISABLE_COPY_MOVE(PartitionLog)

    const TopicPartition &partition() const { return m_partition; }
    qint64 capacityBytes() const { return m_options.capacityBytes; }

    /// Appends `count` records that stand as in a PRODUCE request: i32 size, body. Each must fit a
    /// segment. @return the first one's offset.
    /// @error Io; records before the one that failed may stay. The log has failed unless retriable.
    Result<Offset> append(std::span<const std::byte> records, qint32 count);
    /// Hands appended records to the system. @error Io; the log has failed then.
    Result<void> write();
    /// write(), then waits until everything is on the medium, directory entries included.
    /// @error Io; the log has failed unless retriable.
    Result<void> sync();
    bool hasFailed() const { return m_failed; }

    Offset startOffset() const { return m_segments.front()->base; }
    /// Offset of the next record.
    Offset endOffset() const;
    /// Bytes of all records kept, their headers included.
    qint64 logBytes() const;
    int segmentCount() const { return int(m_segments.size()); }
    /// Bytes ever appended since opening; grows only. For waiting until so many more have come.
    qint64 appendedBytes() const { return m_appendedBytes; }
    /// Records appended since the last sync().
    qint64 unsyncedRecords() const { return m_unsyncedRecords; }

    /// Where the record at `offset` and those behind it are; empty (no file) at the end of the log.
    /// @return nullopt when the offset is out of range or in a hole.
    /// @error Io
    Result<std::optional<LogSlice>> read(Offset offset, qint32 maxBytes);

    /// Deletes segments from the oldest on, never the active one: by size first, then by age.
    /// @return number of segments deleted
    int applyRetention(std::optional<qint64> maxBytes,
                       std::optional<std::chrono::milliseconds> maxAge, const QDateTime &now);

private:
    struct Segment {
        Segment(Offset first, QString filePath, qint64 indexIntervalBytes)
            : base(first)
            , path(std::move(filePath))
            , index(indexIntervalBytes)
        {
        }

        Offset base;
        QString path;
        qint64 count = 0; ///< records
        qint64 bytes = 0; ///< where they end
        OffsetIndex index;
        std::weak_ptr<const PosixFile> readers; ///< the file, while anybody has it open
    };

    PartitionLog(TopicPartition partition, QString directory, const Options &options);

    Segment &active() { return *m_segments.back(); }
    const Segment &active() const { return *m_segments.back(); }
    Result<void> recover(const QString &saveDirectory, QStringList *warnings);
    void warnAboutGaps(QStringList *warnings) const;
    Result<void> createSegment(Offset base);
    Result<void> roll();
    Result<void> writeTail();
    Result<std::shared_ptr<const PosixFile>> fileOf(Segment &segment);
    Result<std::optional<qint64>> positionOf(const Segment &segment, const PosixFile &file,
                                             qint64 number) const;
    bool removeOldest();
    Error fail(Error error);

    TopicPartition m_partition;
    QString m_directory;
    Options m_options;
    std::deque<std::unique_ptr<Segment>> m_segments; ///< ascending; never empty after open()
    std::shared_ptr<PosixFile> m_activeFile;
    std::shared_ptr<const PosixFile> m_lastRead; ///< of a segment that is not active

    QByteArray m_tail; ///< appended to the active segment, not yet written
    qint64 m_tailRecords = 0;
    qint64 m_appendedBytes = 0;
    qint64 m_unsyncedRecords = 0;
    Offset m_unsyncedFrom; ///< segments from this one on may hold bytes that are not durable
    bool m_directoryUnsynced = false;
    bool m_failed = false;
};

} // namespace topicscope::broker
