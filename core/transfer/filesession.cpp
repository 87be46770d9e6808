#include "core/transfer/filesession.h"

#include <algorithm>

namespace topicscope::transfer
{

using namespace Qt::StringLiterals;

namespace
{

constexpr size_t kMaxPartitions = 100'000;
/// Of one answer: notes take no bytes of it.
constexpr int kMaxRows = 50'000;

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
    default:
        return {note.first, note.end, OffsetGap::Kind::Unreadable,
                note.text.isEmpty() ? noteName(note.kind)
                                    : u"%1: %2"_s.arg(noteName(note.kind), note.text)};
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
        return m_rows >= kMaxRows || m_records.bytes() >= maxBytes;
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
        m_at = note.end;
        ++m_rows;
    }
    void fillUpTo(Offset offset)
    {
        if (offset <= m_at)
            return;
        m_gaps.push_back({m_at, offset, OffsetGap::Kind::Unreadable, u"not in this file"_s});
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
    Offset m_at;
    int m_rows = 0;
};

} // namespace

FileSession::FileSession(const SessionConfig &config)
    : BrokerSession(config)
    , m_file(config.host)
{
}

Error FileSession::wrong(const QString &why) const
{
    return Error::make(ErrorKind::Protocol, u"line %1: %2"_s.arg(m_reader->lineNumber()).arg(why),
                       {{}, {}, {}, m_file.fileName(), m_reader->linePosition()});
}

void FileSession::close()
{
    m_file.close();
    m_reader.reset();
    m_partitions.clear();
    m_isIndexed = false;
}

Result<void> FileSession::open(const CallContext &context)
{
    if (m_isIndexed)
        return {};
    if (!m_reader) {
        if (!m_file.open(QIODevice::ReadOnly | QIODevice::Unbuffered)) {
            return Error::make(ErrorKind::Io, m_file.errorString(),
                               {{}, {}, {}, m_file.fileName(), {}});
        }
        m_reader.emplace(&m_file);
    }
    while (true) {
        if (auto interruption = context.interruption())
            return *std::move(interruption);
        const auto line = m_reader->next();
        const auto indexed = line && *line ? index(**line) : Result<void>();
        if (!line || !indexed) {
            Error error = line ? indexed.error() : line.error();
            close();
            return error;
        }
        if (!*line)
            break;
    }
    for (auto &[name, partition] : m_partitions)
        partition.entries.shrink_to_fit();
    m_isIndexed = true;
    return {};
}

Result<FileSession::Partition *> FileSession::partitionOf(const TopicPartition &partition)
{
    if (m_partitions.size() >= kMaxPartitions && !m_partitions.contains(partition))
        return wrong(u"more than %1 partitions"_s.arg(kMaxPartitions));
    return &m_partitions[partition];
}

Result<void> FileSession::indexRows(const TopicPartition &name, Offset first, Offset end)
{
    const auto partition = partitionOf(name);
    if (!partition)
        return partition.error();
    Partition &rows = **partition;
    if (!rows.begin)
        rows.begin = first;
    if (first < std::max(rows.covered, *rows.begin))
        return wrong(u"offset %1 is out of order"_s.arg(first.value));
    rows.entries.push_back({first, m_reader->linePosition()});
    rows.covered = end;
    rows.end = std::max(rows.end, end);
    return {};
}

Result<void> FileSession::index(const FileLine &line)
{
    if (const auto *const record = std::get_if<FileRecord>(&line))
        return indexRows(record->partition, record->offset, record->offset + 1);
    if (const auto *const note = std::get_if<FileNote>(&line))
        return indexRows(note->partition, note->note.first, note->note.end);
    if (const auto *const source = std::get_if<ExportSource>(&line)) {
        m_capabilities = source->capabilities;
    } else if (const auto *const range = std::get_if<ExportRange>(&line)) {
        const auto partition = partitionOf(range->partition);
        if (!partition)
            return partition.error();
        if (!(*partition)->begin)
            (*partition)->begin = range->from;
        // Unless an end says otherwise: of a file that was cut, the rest is shown as not there.
        (*partition)->end = std::max({(*partition)->end, range->from, range->to});
    } else if (const auto *const count = std::get_if<ExportCount>(&line)) {
        const auto partition = partitionOf(count->partition);
        if (!partition)
            return partition.error();
        Partition &rows = **partition;
        if (!rows.begin)
            rows.begin = count->from;
        if (count->complete)
            rows.end = std::max({rows.covered, *rows.begin, count->to});
    }
    return {};
}

Result<TopicList> FileSession::listTopics(const CallContext &context)
{
    if (auto opened = open(context); !opened)
        return std::move(opened).error();
    TopicList topics;
    for (const auto &[name, partition] : m_partitions) {
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
    const auto found = m_partitions.find(request.partition);
    if (found == m_partitions.end())
        return refusal(3, u"UNKNOWN_TOPIC_OR_PARTITION"_s, request);
    const Partition &partition = found->second;
    if (request.offset < partition.begin.value_or(Offset()) || request.offset > partition.end)
        return refusal(1, u"OFFSET_OUT_OF_RANGE"_s, request);

    // A note before the offset may reach up to it.
    const auto &entries = partition.entries;
    auto entry = std::ranges::upper_bound(entries, request.offset, {}, &Entry::offset);
    if (entry != entries.begin())
        --entry;
    Answer answer(request.offset);
    for (; entry != entries.end() && !answer.isFull(request.maxBytes); ++entry) {
        if (auto interruption = context.interruption())
            return *std::move(interruption);
        if (m_reader->position() != entry->position) {
            if (auto sought = m_reader->seek(entry->position); !sought)
                return std::move(sought).error();
        }
        const auto line = m_reader->next();
        if (!line)
            return line.error();
        const auto *const record = *line ? std::get_if<FileRecord>(&**line) : nullptr;
        const auto *const note = *line ? std::get_if<FileNote>(&**line) : nullptr;
        if (record && record->partition == request.partition && record->offset == entry->offset)
            answer.add(*record);
        else if (note && note->partition == request.partition && note->note.first == entry->offset)
            answer.add(note->note);
        else
            return Error::make(ErrorKind::Protocol, u"the file has changed since it was opened"_s,
                               {{}, {}, {}, m_file.fileName(), entry->position});
    }
    if (entry == entries.end())
        answer.fillUpTo(partition.end);
    return answer.result(request, partition.end);
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
