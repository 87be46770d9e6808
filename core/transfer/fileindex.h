#pragma once

#include "core/base/callcontext.h"
#include "core/session/brokersession.h"
#include "core/transfer/recordfile.h"

#include <QDateTime>
#include <QFile>
#include <QStringList>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace topicscope::transfer
{

/// Where the records and notes of an exported file stand: little more than 16 bytes of each line.
/// Made by reading the file once, which checks each line. What is wrong with it is said: a damaged
/// line ends the reading, what was before it stays; a file that was cut, or whose counts are not
/// right, is read as far as it goes. Thread: made by one thread at a time, whoever comes first;
/// constant once build() succeeded.
class FileIndex
{
public:
    /// A line with a record or a note.
    struct Entry {
        Offset offset;
        qint64 position = 0; ///< of the line, in the file
    };
    static constexpr size_t kStretch = 256;
    static constexpr qint64 kNoTime = -1;
    struct Partition {
        std::vector<Entry> entries; ///< in offset order
        /// Of each kStretch entries and all before them: their latest time; kNoTime where none has
        /// one.
        std::vector<qint64> latestMs;
        std::optional<Offset> begin;
        Offset covered;    ///< first offset behind the last entry
        Offset end;        ///< of the range: at least `covered`
        QString whyNoMore; ///< why nothing is there from `covered` on; empty: it was not exported
    };
    using Partitions = std::map<TopicPartition, Partition>;

    /// That of the file as it is now, the same for all who have it open. Not built yet.
    static std::shared_ptr<FileIndex> of(const QString &path);

    explicit FileIndex(const QString &path);
    Q_DISABLE_COPY_MOVE(FileIndex)

    /// Reads the file, unless that was done, or waits for another thread that does. When stopped,
    /// the next call goes on. A file may be large: the deadline is not looked at.
    /// @param told  hears how much of it is read, whoever does: growing figures, each once
    /// @error Io, also when it is no such file; Cancelled.
    Result<void> build(const CallContext &context, const BrokerSession::Reading &told = {});

    const Capabilities &capabilities() const { return m_capabilities; }
    const Partitions &partitions() const { return m_partitions; }
    /// What is wrong with the file as a whole, in sentences; empty: nothing.
    QString remark() const { return m_remarks.join(u' '); }

private:
    /// Which file it is, and whether it is still the same.
    struct Stamp {
        qint64 size = -1;
        QDateTime modified;

        bool operator==(const Stamp &) const = default;
    };
    /// What was counted of one partition's range since it began.
    struct Counted {
        qint64 records = 0;
        qint64 withoutRecord = 0;
        bool isOpen = false; ///< begun and not ended
    };

    static Stamp stampOf(const QString &path);
    Result<void> read(const CallContext &context, const BrokerSession::Reading &told);
    Result<void> take(const FileLine &line);
    Result<void> takeRows(const TopicPartition &partition, Offset first, Offset end,
                          qint64 timeMs = kNoTime);
    Result<void> takeBegin(const ExportRange &range);
    Result<void> takeEnd(const ExportCount &count);
    Result<Partition *> partitionOf(const TopicPartition &partition);
    void finish(const std::optional<Error> &damage);
    void say(const QString &remark);
    Error wrong(const QString &why) const;

    const QString m_path;
    const Stamp m_stamp;
    std::atomic<int> m_percent = 0;
    std::timed_mutex m_mutex; ///< of what build() does
    bool m_isBuilt = false;
    std::optional<Error> m_failure;
    QFile m_file;
    std::optional<RecordFileReader> m_reader; ///< while it is read
    std::map<TopicPartition, Counted> m_counted;
    qint64 m_records = 0;
    std::optional<FileEnd> m_end;
    Capabilities m_capabilities;
    Partitions m_partitions;
    QStringList m_remarks;
    qint64 m_moreRemarks = 0; ///< said, and not kept
};

} // namespace topicscope::transfer
