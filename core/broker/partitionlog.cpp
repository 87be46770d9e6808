#include "core/broker/partitionlog.h"

#include "core/base/bytewriter.h"
#include "core/hash/crc32c.h"
#include "core/records/recordcodec.h"
#include "core/segments/logdirectory.h"
#include "core/segments/tailrepair.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QThread>
#include <QtEndian>

#include <algorithm>
#include <array>
#include <limits>

namespace topicscope::broker
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qsizetype kTailBytes = 256 << 10;
constexpr qint64 kScanBytes = 8192;

} // namespace

Result<std::unique_ptr<PartitionLog>>
PartitionLog::open(const TopicPartition &partition, const QString &directory,
                   const QString &saveDirectory, const Options &options, QStringList *warnings)
{
    if (!QDir().mkpath(directory)) {
        return Error::make(ErrorKind::Io, u"the directory cannot be created"_s,
                           {partition.topic, partition.partition, {}, directory, {}});
    }
    // Also when it was there already: whoever made it may have died before syncing its name.
    if (auto synced = syncDirectory(QDir(directory).filePath(u".."_s)); !synced)
        return synced.error();
    std::unique_ptr<PartitionLog> log(new PartitionLog(partition, directory, options));
    if (auto recovered = log->recover(saveDirectory, warnings); !recovered) {
        Error error = recovered.error();
        error.where.topic = partition.topic;
        error.where.partition = partition.partition;
        return error;
    }
    return log;
}

PartitionLog::PartitionLog(TopicPartition partition, QString directory, const Options &options)
    : m_partition(std::move(partition))
    , m_directory(std::move(directory))
    , m_options(options)
{
}

PartitionLog::~PartitionLog() = default;

Result<void> PartitionLog::recover(const QString &saveDirectory, QStringList *warnings)
{
    const auto entries = listSegments(m_directory);
    if (!entries)
        return entries.error();
    for (const SegmentEntry &entry : *entries) {
        if (QThread::currentThread()->isInterruptionRequested())
            return Error::make(ErrorKind::Cancelled, u"interrupted while opening"_s);
        const bool last = &entry == &entries->last();
        auto file = PosixFile::open(entry.path,
                                    last ? PosixFile::Mode::ReadWrite : PosixFile::Mode::ReadOnly);
        if (!file)
            return file.error();
        auto segment =
            std::make_unique<Segment>(entry.base, entry.path, m_options.indexIntervalBytes);
        const auto walk = walkSegment(**file, [&](qint64 number, qint64 position, qint32) {
            segment->index.add(number, position);
        });
        if (!walk)
            return walk.error();
        if (walk->recordCount > std::numeric_limits<qint64>::max() - entry.base.value) {
            return Error::make(ErrorKind::Io, u"the offsets of this file are beyond 2^63"_s,
                               {{}, {}, entry.base, entry.path, {}});
        }
        segment->count = walk->recordCount;
        segment->bytes = walk->endPosition;
        m_segments.push_back(std::move(segment));
        // Segments in the middle are never written again: what is behind their records stays where
        // it is, as evidence.
        if (!last)
            continue;
        const auto removed = removeTail(**file, *walk, saveDirectory);
        if (!removed)
            return removed.error();
        if (removed->bytes > 0) {
            warnings->append(u"%1: %2 bytes behind offset %3 were no whole record; removed, and "
                             "saved as %4"_s.arg(partitionDirectoryName(m_partition))
                                 .arg(removed->bytes)
                                 .arg(endOffset().value)
                                 .arg(removed->savedPath));
        }
        m_activeFile = *file;
        active().readers = m_activeFile;
    }
    if (m_segments.empty())
        return createSegment(Offset{0});
    // A killed broker leaves files that no barrier has covered, and names nobody synced. The first
    // barrier takes them all in, once; syncing what is on the medium already costs next to nothing.
    m_unsyncedFrom = m_segments.front()->base;
    m_directoryUnsynced = true;
    warnAboutGaps(warnings);
    return {};
}

void PartitionLog::warnAboutGaps(QStringList *warnings) const
{
    const QString name = partitionDirectoryName(m_partition);
    for (size_t i = 1; i < m_segments.size(); ++i) {
        const Offset end = m_segments[i - 1]->base + m_segments[i - 1]->count;
        const Offset next = m_segments[i]->base;
        if (end < next) {
            warnings->append(u"%1: hole: offsets %2 to %3 are lost"_s.arg(name).arg(end.value).arg(
                next.value - 1));
        } else if (end > next) {
            warnings->append(u"%1: overlap: offsets %2 to %3 are in two segments; the later one is "
                             "served"_s.arg(name)
                                 .arg(next.value)
                                 .arg(end.value - 1));
        }
    }
}

Offset PartitionLog::endOffset() const
{
    return active().base + active().count;
}

qint64 PartitionLog::logBytes() const
{
    qint64 bytes = 0;
    for (const auto &segment : m_segments)
        bytes += segment->bytes;
    return bytes;
}

Result<Offset> PartitionLog::append(std::span<const std::byte> records, qint32 count)
{
    if (m_failed)
        return Error::make(ErrorKind::Io, u"the partition failed earlier"_s);
    const Offset first = endOffset() + m_tailRecords;
    const std::byte *next = records.data();
    for (qint32 i = 0; i < count; ++i) {
        const auto size = qFromBigEndian<qint32>(next);
        const std::span<const std::byte> body(next + sizeof(qint32), size_t(size));
        next += sizeof(qint32) + size_t(size);
        const qint64 stored = kRecordHeaderBytes + size;
        Q_ASSERT(stored <= m_options.capacityBytes);
        const qint64 end = active().bytes + m_tail.size();
        if (end > 0 && end + stored > m_options.capacityBytes) {
            if (auto rolled = roll(); !rolled)
                return rolled.error();
        }
        active().index.add(active().count + m_tailRecords, active().bytes + m_tail.size());
        appendStoredRecord(m_tail, body);
        ++m_tailRecords;
        if (m_tail.size() >= kTailBytes) {
            if (auto written = write(); !written)
                return written.error();
        }
    }
    return first;
}

Result<void> PartitionLog::write()
{
    if (m_tail.isEmpty())
        return {};
    if (auto written = writeTail(); !written) {
        active().index.truncate(active().bytes);
        return fail(written.error());
    }
    return {};
}

Result<void> PartitionLog::writeTail()
{
    if (auto written = m_activeFile->write(active().bytes, asBytes(m_tail)); !written) {
        // Nobody has seen these bytes: leave a file that ends with a whole record, if possible.
        if (auto cut = m_activeFile->resize(active().bytes); !cut)
            return cut;
        return written;
    }
    active().bytes += m_tail.size();
    active().count += m_tailRecords;
    m_appendedBytes += m_tail.size();
    m_unsyncedRecords += m_tailRecords;
    m_tailRecords = 0;
    if (m_tail.capacity() > 4 * kTailBytes)
        m_tail = {};
    else
        m_tail.resize(0);
    return {};
}

Result<void> PartitionLog::roll()
{
    if (auto written = write(); !written)
        return written;
    if (auto created = createSegment(endOffset()); !created)
        return fail(created.error());
    return {};
}

Result<void> PartitionLog::createSegment(Offset base)
{
    const QString path = QDir(m_directory).filePath(segmentFileName(base));
    const auto file = PosixFile::open(path, PosixFile::Mode::CreateNew);
    if (!file)
        return file.error();
    if (m_options.presized) {
        if (auto sized = (*file)->resize(m_options.capacityBytes); !sized)
            return sized;
    }
    m_activeFile = *file;
    m_segments.push_back(std::make_unique<Segment>(base, path, m_options.indexIntervalBytes));
    active().readers = m_activeFile;
    m_directoryUnsynced = true;
    return {};
}

Result<void> PartitionLog::sync()
{
    if (auto written = write(); !written)
        return written;
    // Rolled since the last barrier: those files have to reach the medium as well.
    for (const auto &segment : m_segments) {
        if (segment->base < m_unsyncedFrom || segment == m_segments.back())
            continue;
        const auto file = PosixFile::open(segment->path, PosixFile::Mode::ReadOnly);
        if (!file)
            return fail(file.error());
        if (auto synced = (*file)->sync(); !synced)
            return fail(synced.error());
    }
    if (auto synced = m_activeFile->sync(); !synced)
        return fail(synced.error());
    if (m_directoryUnsynced) {
        if (auto synced = syncDirectory(m_directory); !synced)
            return fail(synced.error());
    }
    m_unsyncedFrom = active().base;
    m_directoryUnsynced = false;
    m_unsyncedRecords = 0;
    return {};
}

Result<std::optional<LogSlice>> PartitionLog::read(Offset offset, qint32 maxBytes)
{
    Q_ASSERT(m_tail.isEmpty());
    using Answer = std::optional<LogSlice>;
    if (offset == endOffset())
        return Answer(LogSlice{});
    if (offset < startOffset() || offset > endOffset())
        return Answer();
    // Where segments overlap, the one with the larger base offset has the record.
    const auto behind =
        std::upper_bound(m_segments.begin(), m_segments.end(), offset,
                         [](Offset wanted, const auto &s) { return wanted < s->base; });
    const auto found = std::prev(behind);
    Segment &segment = **found;
    if (offset >= segment.base + segment.count)
        return Answer();
    auto file = fileOf(segment);
    if (!file)
        return file.error();
    const auto position = positionOf(segment, **file, offset - segment.base);
    if (!position)
        return position.error();
    if (!*position)
        return Answer();
    LogSlice slice;
    slice.file = std::move(file).value();
    slice.position = **position;
    slice.bytes = std::min<qint64>(maxBytes, segment.bytes - slice.position);
    slice.bytesToEndOfLog = segment.bytes - slice.position;
    for (auto later = behind; later != m_segments.end(); ++later)
        slice.bytesToEndOfLog += (*later)->bytes;
    return Answer(std::move(slice));
}

/// All readers of a segment share one descriptor, however many and slow they are.
Result<std::shared_ptr<const PosixFile>> PartitionLog::fileOf(Segment &segment)
{
    if (&segment == &active())
        return std::shared_ptr<const PosixFile>(m_activeFile);
    m_lastRead = segment.readers.lock();
    if (!m_lastRead) {
        auto file = PosixFile::open(segment.path, PosixFile::Mode::ReadOnly);
        if (!file)
            return file.error();
        m_lastRead = std::move(file).value();
        segment.readers = m_lastRead;
    }
    return m_lastRead;
}

/// Walks from the nearest index entry. Sizes are looked at again here, as the disk may have changed
/// under us: nullopt when they lead nowhere.
Result<std::optional<qint64>> PartitionLog::positionOf(const Segment &segment,
                                                       const PosixFile &file, qint64 number) const
{
    const OffsetIndex::Entry entry = segment.index.find(number);
    qint64 position = entry.position;
    qint64 left = number - entry.number;
    std::array<std::byte, kScanBytes> buffer; // NOLINT(*-member-init): filled by read()
    while (left > 0) {
        const auto read = file.read(position, buffer);
        if (!read)
            return read.error();
        qint64 at = 0;
        while (left > 0 && at + kRecordHeaderBytes <= *read) {
            const auto size = qFromBigEndian<qint32>(buffer.data() + at);
            if (size <= 0 || position + at + kRecordHeaderBytes + size >= segment.bytes)
                return std::optional<qint64>();
            at += kRecordHeaderBytes + size;
            --left;
        }
        if (at == 0)
            return std::optional<qint64>();
        position += at;
    }
    return std::optional<qint64>(position);
}

int PartitionLog::applyRetention(std::optional<qint64> maxBytes,
                                 std::optional<std::chrono::milliseconds> maxAge,
                                 const QDateTime &now)
{
    int removed = 0;
    if (maxBytes) {
        qint64 bytes = logBytes();
        while (m_segments.size() > 1 && bytes > *maxBytes) {
            bytes -= m_segments.front()->bytes;
            if (!removeOldest())
                return removed;
            ++removed;
        }
    }
    while (maxAge && m_segments.size() > 1) {
        const QDateTime modified = QFileInfo(m_segments.front()->path).lastModified();
        if (!modified.isValid() || modified.msecsTo(now) <= maxAge->count())
            break;
        if (!removeOldest())
            break;
        ++removed;
    }
    return removed;
}

bool PartitionLog::removeOldest()
{
    // A name that is already gone is as good as removed.
    const QString &path = m_segments.front()->path;
    if (!QFile::remove(path) && QFile::exists(path))
        return false;
    if (m_lastRead == m_segments.front()->readers.lock())
        m_lastRead.reset();
    m_segments.pop_front();
    m_directoryUnsynced = true;
    return true;
}

Error PartitionLog::fail(Error error)
{
    m_failed = !error.retriable;
    m_tail = {};
    m_tailRecords = 0;
    error.where.topic = m_partition.topic;
    error.where.partition = m_partition.partition;
    return error;
}

} // namespace topicscope::broker
