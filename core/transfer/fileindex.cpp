#include "core/transfer/fileindex.h"

#include "core/transfer/fileerror.h"

#include <QFileInfo>
#include <QHash>

#include <algorithm>
#include <utility>

namespace topicscope::transfer
{

using namespace Qt::StringLiterals;

namespace
{

constexpr size_t kMaxPartitions = 100'000;
constexpr qsizetype kMaxRemarks = 10;

struct Registry {
    std::mutex mutex;
    QHash<QString, std::weak_ptr<FileIndex>> indexes; ///< by path
};

Registry &registry()
{
    static Registry registry;
    return registry;
}

QString nameOf(const TopicPartition &partition)
{
    return describe({partition.topic, partition.partition, {}, {}, {}});
}

} // namespace

std::shared_ptr<FileIndex> FileIndex::of(const QString &path)
{
    const QString name = QFileInfo(path).absoluteFilePath();
    Registry &shared = registry();
    const std::scoped_lock lock(shared.mutex);
    std::weak_ptr<FileIndex> &known = shared.indexes[name];
    std::shared_ptr<FileIndex> index = known.lock();
    if (!index || index->m_stamp != stampOf(name)) {
        index = std::make_shared<FileIndex>(name);
        known = index;
    }
    return index;
}

FileIndex::FileIndex(const QString &path)
    : m_path(path)
    , m_stamp(stampOf(path))
    , m_file(path)
{
}

FileIndex::Stamp FileIndex::stampOf(const QString &path)
{
    const QFileInfo info(path);
    return info.exists() ? Stamp{info.size(), info.lastModified()} : Stamp{};
}

Error FileIndex::wrong(const QString &why) const
{
    return Error::make(ErrorKind::Protocol, u"line %1: %2"_s.arg(m_reader->lineNumber()).arg(why),
                       {{}, {}, {}, m_path, m_reader->linePosition()});
}

Result<void> FileIndex::build(const CallContext &context, const BrokerSession::Reading &told)
{
    std::unique_lock lock(m_mutex, std::defer_lock);
    for (int before = -1; !lock.try_lock_for(kWaitSlice);) {
        if (const int now = m_percent; told && now > std::exchange(before, now))
            told(now);
        if (context.stop.stop_requested())
            return Error::make(ErrorKind::Cancelled, {});
    }
    if (m_isBuilt)
        return {};
    if (m_failure) // whoever has it already; a new session gets a new index, once it has changed
        return *m_failure;
    auto done = read(context, told);
    if (!done && done.error().kind == ErrorKind::Cancelled)
        return done;
    m_file.close();
    m_reader.reset();
    m_counted.clear();
    m_isBuilt = done.ok();
    if (!done)
        m_failure = done.error();
    return done;
}

Result<void> FileIndex::read(const CallContext &context, const BrokerSession::Reading &told)
{
    if (!m_reader) {
        if (!m_file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
            return fileError(ErrorKind::Io, m_path, m_file.errorString());
        m_reader.emplace(&m_file);
    }
    for (int before = -1;;) {
        if (context.stop.stop_requested())
            return Error::make(ErrorKind::Cancelled, {});
        const int now = int(m_reader->position() * 100 / std::max<qint64>(1, m_stamp.size));
        m_percent = now;
        if (told && now > std::exchange(before, now))
            told(now);
        const auto line = m_reader->next();
        const auto taken = line && *line ? take(**line) : Result<void>();
        if (line && taken && *line)
            continue;
        std::optional<Error> damage;
        if (!line)
            damage = line.error();
        else if (!taken)
            damage = taken.error();
        // Without a first line it is no such file at all.
        if (damage && (damage->kind == ErrorKind::Io || m_reader->lineNumber() == 1)) {
            damage->kind = ErrorKind::Io;
            return *damage;
        }
        finish(damage);
        return {};
    }
}

void FileIndex::say(const QString &remark)
{
    if (m_remarks.size() < kMaxRemarks)
        m_remarks.append(remark);
    else
        ++m_moreRemarks;
}

/// After the last line, or before the first that is wrong.
void FileIndex::finish(const std::optional<Error> &damage)
{
    QString whyNoMore;
    if (damage) {
        whyNoMore = u"the file is damaged: %1"_s.arg(damage->detail);
        m_remarks.prepend(
            u"The file is damaged, and read up to there only: %1."_s.arg(damage->detail));
    } else if (!m_end) {
        whyNoMore = u"the file ends before"_s;
        m_remarks.prepend(u"The file is not whole: it has no last line. It was cut, or its export "
                          "did not come to an end."_s);
    } else {
        if (!m_end->complete)
            m_remarks.prepend(u"The export was not finished: something is missing."_s);
        if (m_end->records != m_records)
            say(u"The file has %1 records, and says it has %2."_s.arg(
                QString::number(m_records), QString::number(m_end->records)));
    }
    if (m_moreRemarks > 0)
        m_remarks.append(u"And %1 more like this."_s.arg(m_moreRemarks));
    for (auto &[name, partition] : m_partitions) {
        partition.entries.shrink_to_fit();
        if (m_counted[name].isOpen)
            partition.whyNoMore = whyNoMore;
    }
}

Result<FileIndex::Partition *> FileIndex::partitionOf(const TopicPartition &partition)
{
    if (m_partitions.size() >= kMaxPartitions && !m_partitions.contains(partition))
        return wrong(u"more than %1 partitions"_s.arg(kMaxPartitions));
    return &m_partitions[partition];
}

Result<void> FileIndex::takeRows(const TopicPartition &name, Offset first, Offset end,
                                 qint64 timeMs)
{
    const auto partition = partitionOf(name);
    if (!partition)
        return partition.error();
    Partition &rows = **partition;
    if (!rows.begin)
        rows.begin = first;
    if (first < std::max(rows.covered, *rows.begin))
        return wrong(u"offset %1 is out of order"_s.arg(first.value));
    if (rows.entries.size() % kStretch == 0)
        rows.latestMs.push_back(rows.latestMs.empty() ? kNoTime : rows.latestMs.back());
    rows.latestMs.back() = std::max(rows.latestMs.back(), timeMs);
    rows.entries.push_back({first, m_reader->linePosition()});
    rows.covered = end;
    rows.end = std::max(rows.end, end);
    return {};
}

Result<void> FileIndex::takeBegin(const ExportRange &range)
{
    const auto partition = partitionOf(range.partition);
    if (!partition)
        return partition.error();
    Partition &rows = **partition;
    if (!rows.begin)
        rows.begin = range.from;
    // Unless an end says otherwise: of a file that was cut, the rest is shown as not there.
    rows.end = std::max({rows.end, range.from, range.to});
    m_counted[range.partition] = {0, 0, true};
    return {};
}

Result<void> FileIndex::takeEnd(const ExportCount &count)
{
    Counted &counted = m_counted[count.partition];
    if (!counted.isOpen)
        return wrong(u"%1 ends here and has not begun"_s.arg(nameOf(count.partition)));
    counted.isOpen = false;
    Partition &rows = m_partitions[count.partition];
    if (count.complete)
        rows.end = std::max({rows.covered, *rows.begin, count.to});
    else
        rows.whyNoMore = u"its export was not finished"_s;
    if (counted.records != count.records || counted.withoutRecord != count.withoutRecord) {
        say(u"%1 has %2 records and %3 offsets without one, and says it has %4 and %5."_s.arg(
            nameOf(count.partition), QString::number(counted.records),
            QString::number(counted.withoutRecord), QString::number(count.records),
            QString::number(count.withoutRecord)));
    }
    return {};
}

Result<void> FileIndex::take(const FileLine &line)
{
    if (const auto *const record = std::get_if<FileRecord>(&line)) {
        ++m_records;
        ++m_counted[record->partition].records;
        return takeRows(record->partition, record->offset, record->offset + 1,
                        record->content.timestampMs.value_or(kNoTime));
    }
    if (const auto *const note = std::get_if<FileNote>(&line)) {
        auto taken = takeRows(note->partition, note->note.first, note->note.end);
        if (taken) // in order behind what was there: no sum of them is larger than an offset
            m_counted[note->partition].withoutRecord += note->note.offsets();
        return taken;
    }
    if (const auto *const source = std::get_if<ExportSource>(&line))
        m_capabilities = source->capabilities;
    else if (const auto *const range = std::get_if<ExportRange>(&line))
        return takeBegin(*range);
    else if (const auto *const count = std::get_if<ExportCount>(&line))
        return takeEnd(*count);
    else if (const auto *const end = std::get_if<FileEnd>(&line))
        m_end = *end;
    return {};
}

} // namespace topicscope::transfer
