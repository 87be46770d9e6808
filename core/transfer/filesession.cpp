#include "core/transfer/filesession.h"

#include "core/transfer/fileerror.h"

#include <algorithm>

namespace topicscope::transfer
{

using namespace Qt::StringLiterals;

namespace
{

/// Of one answer.
constexpr int kMaxRows = 50'000;
/// Of what a note says.
constexpr qsizetype kMaxReason = 2'000;

Error refusal(qint16 code, const QString &name, const FetchRequest &request)
{
    Error error =
        Error::make(ErrorKind::Broker, u"not in this file"_s,
                    {request.partition.topic, request.partition.partition, request.offset, {}, {}});
    error.brokerCode = code;
    error.brokerName = name;
    return error;
}

OffsetGap gapOf(const ExportNote &note)
{
    switch (note.kind) {
    case ExportNote::Kind::Gap:
        return {note.first, note.end, OffsetGap::Kind::NoRecords, {}};
    case ExportNote::Kind::Aborted:
        return {note.first, note.end, OffsetGap::Kind::Aborted, {}};
    case ExportNote::Kind::NotCommitted:
        return {note.first, note.end, OffsetGap::Kind::NotCommitted, {}};
    case ExportNote::Kind::Filtered:
        return {note.first, note.end, OffsetGap::Kind::NotExported, note.text.left(kMaxReason)};
    default:
        return {note.first, note.end, OffsetGap::Kind::Unreadable,
                note.text.isEmpty()
                    ? noteName(note.kind)
                    : u"%1: %2"_s.arg(noteName(note.kind), note.text.left(kMaxReason))};
    }
}

/// The rows of one answer, one behind the other.
class Answer
{
public:
    explicit Answer(Offset from)
        : m_at(from)
    {
    }

    Offset at() const { return m_at; }
    bool isFull(qint32 maxBytes) const
    {
        return m_rows >= kMaxRows || m_records.bytes() + m_reasonBytes >= maxBytes;
    }
    void add(const FileRecord &record)
    {
        if (record.offset < m_at)
            return;
        fillUpTo(record.offset);
        m_records.append(record);
        m_at = record.offset + 1;
        ++m_rows;
    }
    void add(ExportNote note)
    {
        if (note.end <= m_at)
            return;
        note.first = std::max(note.first, m_at);
        fillUpTo(note.first);
        m_gaps.push_back(gapOf(note));
        m_reasonBytes += m_gaps.back().reason.size() * qsizetype(sizeof(QChar));
        m_at = note.end;
        ++m_rows;
    }
    void fillUpTo(Offset offset, const QString &why = {})
    {
        if (offset <= m_at)
            return;
        QString text = u"not in this file"_s;
        if (!why.isEmpty())
            text += u": "_s + why;
        m_gaps.push_back({m_at, offset, OffsetGap::Kind::Unreadable, text});
        m_at = offset;
    }
    FetchResult result(const FetchRequest &request, Offset end)
    {
        FetchResult result;
        result.partition = request.partition;
        result.fetchOffset = request.offset;
        result.chunk = m_records.take(request.partition);
        result.gaps = std::move(m_gaps);
        result.nextOffset = m_at;
        result.highWatermark = end;
        result.end = m_at > request.offset ? FetchEnd::More : FetchEnd::CaughtUp;
        return result;
    }

private:
    ChunkBuilder m_records;
    std::vector<OffsetGap> m_gaps;
    qsizetype m_reasonBytes = 0;
    Offset m_at;
    int m_rows = 0;
};

} // namespace

FileSession::FileSession(const SessionConfig &config)
    : BrokerSession(config)
    , m_file(config.host)
{
}

Capabilities FileSession::capabilities() const
{
    if (!m_reader)
        return {};
    Capabilities can = m_index->capabilities();
    can.offsetsByTime = can.timestamps;
    return can;
}

QString FileSession::remark() const
{
    return m_reader ? m_index->remark() : QString();
}

void FileSession::close()
{
    m_file.close();
    m_reader.reset();
    m_index.reset();
}

Result<void> FileSession::open(const CallContext &context)
{
    if (m_reader)
        return {};
    if (!m_index)
        m_index = FileIndex::of(m_file.fileName());
    auto built = m_index->build(context, reading());
    if (!built) {
        if (built.error().kind != ErrorKind::Cancelled)
            m_index.reset(); // the file may be another one the next time
        return built;
    }
    if (!m_file.open(QIODevice::ReadOnly | QIODevice::Unbuffered)) {
        m_index.reset();
        return fileError(ErrorKind::Io, m_file.fileName(), m_file.errorString());
    }
    m_reader.emplace(&m_file);
    return {};
}

/// What comes next reads the file as it is now.
Error FileSession::changed(qint64 position)
{
    close();
    return Error::make(ErrorKind::Io, u"the file has changed since it was opened"_s,
                       {{}, {}, {}, m_file.fileName(), position});
}

Result<TopicList> FileSession::listTopics(const CallContext &context)
{
    if (auto opened = open(context); !opened)
        return std::move(opened).error();
    TopicList topics;
    for (const auto &[name, partition] : m_index->partitions()) {
        if (topics.isEmpty() || topics.constLast().name != name.topic) {
            topics.append(TopicInfo());
            topics.last().name = name.topic;
        }
        PartitionInfo info;
        info.id = name.partition;
        info.logStartOffset = partition.begin.value_or(Offset());
        info.highWatermark = partition.end;
        topics.last().partitions.append(info);
    }
    return topics;
}

Result<FetchResult> FileSession::fetch(const FetchRequest &request, const CallContext &context)
{
    if (auto opened = open(context); !opened)
        return std::move(opened).error();
    const auto found = m_index->partitions().find(request.partition);
    if (found == m_index->partitions().end())
        return refusal(3, u"UNKNOWN_TOPIC_OR_PARTITION"_s, request);
    const FileIndex::Partition &partition = found->second;
    if (request.offset < partition.begin.value_or(Offset()) || request.offset > partition.end)
        return refusal(1, u"OFFSET_OUT_OF_RANGE"_s, request);

    // A note before the offset may reach up to it.
    const auto &entries = partition.entries;
    auto entry = std::ranges::upper_bound(entries, request.offset, {}, &FileIndex::Entry::offset);
    if (entry != entries.begin())
        --entry;
    Answer answer(request.offset);
    for (; entry != entries.end() && !answer.isFull(request.maxBytes); ++entry) {
        if (auto interruption = context.interruption())
            return *std::move(interruption);
        const auto line = lineAt(request.partition, *entry);
        if (!line)
            return line.error();
        if (const auto *const record = std::get_if<FileRecord>(&*line))
            answer.add(*record);
        else
            answer.add(std::get<FileNote>(*line).note);
    }
    if (entry == entries.end())
        answer.fillUpTo(partition.end, partition.whyNoMore);
    return answer.result(request, partition.end);
}

Result<FileLine> FileSession::lineAt(const TopicPartition &partition, const FileIndex::Entry &entry)
{
    if (m_reader->position() != entry.position) {
        if (auto sought = m_reader->seek(entry.position); !sought)
            return std::move(sought).error();
    }
    auto line = m_reader->next();
    if (!line)
        return line.error().kind == ErrorKind::Io ? line.error() : changed(entry.position);
    const auto *const record = *line ? std::get_if<FileRecord>(&**line) : nullptr;
    const auto *const note = *line ? std::get_if<FileNote>(&**line) : nullptr;
    const bool isIt =
        (record && record->partition == partition && record->offset == entry.offset) ||
        (note && note->partition == partition && note->note.first == entry.offset);
    if (!isIt)
        return changed(entry.position);
    return std::move(**line);
}

Result<QList<TimeOffset>> FileSession::offsetsAtTime(const QList<TopicPartition> &partitions,
                                                     qint64 timeMs, const CallContext &context)
{
    if (auto opened = open(context); !opened)
        return std::move(opened).error();
    if (!capabilities().offsetsByTime)
        return BrokerSession::offsetsAtTime(partitions, timeMs, context);
    if (timeMs < 0)
        return Error::make(ErrorKind::InvalidArgument, u"a time before 1970"_s);
    QList<TimeOffset> offsets;
    for (const TopicPartition &name : partitions) {
        const auto found = m_index->partitions().find(name);
        if (found == m_index->partitions().end()) {
            FetchRequest request;
            request.partition = name;
            offsets.append({name, {}, false, refusal(3, u"UNKNOWN_TOPIC_OR_PARTITION"_s, request)});
            continue;
        }
        auto offset = offsetAtTime(name, found->second, timeMs, context);
        if (!offset)
            return std::move(offset).error();
        offsets.append(std::move(offset).value());
    }
    return offsets;
}

Result<TimeOffset> FileSession::offsetAtTime(const TopicPartition &name,
                                             const FileIndex::Partition &partition, qint64 timeMs,
                                             const CallContext &context)
{
    const auto &latest = partition.latestMs; // never falls
    const auto stretch = std::ranges::lower_bound(latest, timeMs);
    if (stretch == latest.end())
        return TimeOffset{name, partition.end, true, {}};
    const auto first = size_t(stretch - latest.begin()) * FileIndex::kStretch;
    for (size_t i = first; i < partition.entries.size(); ++i) {
        if (auto interruption = context.interruption())
            return *std::move(interruption);
        const auto line = lineAt(name, partition.entries[i]);
        if (!line)
            return line.error();
        const auto *const record = std::get_if<FileRecord>(&*line);
        if (record && record->content.timestampMs.value_or(FileIndex::kNoTime) >= timeMs)
            return TimeOffset{name, record->offset, false, {}};
    }
    return changed(partition.entries[first].position);
}

Result<std::unique_ptr<RecordFollower>> FileSession::follow(const FollowRequest & /*request*/,
                                                            const CallContext & /*context*/)
{
    return Error::make(ErrorKind::Unsupported, u"a file does not grow: nothing to follow"_s);
}

Result<PublishResult> FileSession::doPublish(const PublishRequest & /*request*/,
                                             const CallContext & /*context*/)
{
    return Error::make(ErrorKind::ReadOnly, {});
}

} // namespace topicscope::transfer
