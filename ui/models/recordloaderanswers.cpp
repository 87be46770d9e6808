// What RecordLoader does with answers: records, ends, holes, whole records.

#include "core/base/digits.h"
#include "core/records/recordcodec.h"
#include "core/session/fetchblocks.h"
#include "ui/models/recordloader.h"

#include <algorithm>
#include <limits>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

/// Largest answer asked for when a record's size is not known, or proved wrong.
constexpr qint64 kMaxWholeBytes = kMaxRecordBytes + kRecordHeaderBytes;

/// Why one record alone did not come. Empty when a larger answer may hold it.
QString whyNotWhole(const FetchResult &result, qint64 asked)
{
    switch (result.end) {
    case FetchEnd::More:
    case FetchEnd::CaughtUp:
        return RecordLoader::tr("the log ends before it now");
    case FetchEnd::EmptyBelowHighWatermark:
        return RecordLoader::tr("the broker sends nothing there, although its log goes on");
    case FetchEnd::ImpossibleSize:
        return RecordLoader::tr("its size field is damaged");
    case FetchEnd::RecordExceedsMaxBytes:
        if (asked >= kMaxWholeBytes || result.endRecordBytes > kMaxRecordBytes)
            return RecordLoader::tr("it is larger than any record a broker takes");
        break;
    }
    return {};
}

bool isOutOfRange(const Error &error)
{
    return error.kind == ErrorKind::Broker && error.brokerName == u"OFFSET_OUT_OF_RANGE"_s;
}

} // namespace

void RecordLoader::takeEnds(Part &known, const FetchResult &result)
{
    known.highWatermark = std::max(result.highWatermark, result.nextOffset);
    if (result.lastStableOffset)
        known.lastStable = result.lastStableOffset;
    else if (known.lastStable && m_isolation == Isolation::ReadCommitted)
        known.lastStable = std::max(*known.lastStable, result.nextOffset); // read up to there
}

void RecordLoader::onFetched(RequestId id, const FetchResult &result)
{
    if (id != m_request || m_job == Job::None)
        return;
    if (Part *known = partOf(result.partition.partition))
        takeEnds(*known, result);
    if (m_job == Job::Whole) {
        takeWhole(result);
        return;
    }
    if (m_job == Job::LookingUp) {
        for (const Record &record : result.chunk->records()) {
            if (!m_timeThere)
                m_timeThere = result.chunk->timestampMs(record);
        }
        m_lookUpNext = result.nextOffset;
        return;
    }
    if (Task *wanted = task(result.partition.partition); wanted && !wanted->done) {
        if (wanted->probe)
            takeProbe(*wanted, result);
        else
            take(*wanted, result);
    }
}

void RecordLoader::take(Task &task, const FetchResult &result)
{
    if (result.fetchOffset != task.next)
        return;
    if (!result.chunk->isEmpty()) {
        const auto &records = result.chunk->records();
        const qint64 bytes = records.back().valueBegin + records.back().valueSize;
        m_averageBytes = double(bytes) / double(records.size());
    }
    for (RecordBlock &block : blocksOf(result, task.next, task.limit))
        addBlock(task, std::move(block));
    task.next = std::min(result.nextOffset, task.limit);
    if (task.next < task.limit) {
        const bool tooLarge = result.end == FetchEnd::RecordExceedsMaxBytes;
        if (tooLarge && maxBytesFor(task) < m_maxBytes) {
            task.asksForAll = true; // too large for the little asked for; again with all there is
        } else if (tooLarge) {
            addBlock(task, RecordBlock::note(RowKind::Oversized, task.partition, task.next,
                                             task.next + 1, result.endRecordBytes));
            task.next = task.next + 1;
        } else if (result.end == FetchEnd::EmptyBelowHighWatermark) {
            startProbe(task, task.next, RowKind::Unreadable, 0);
        } else if (result.end == FetchEnd::ImpossibleSize) {
            startProbe(task, task.next, RowKind::ImpossibleSize, result.endRecordBytes);
        }
    }
    checkDone(task, result);
    if (m_job == Job::Newer && !isMerged())
        deliverWhatIsNext();
}

void RecordLoader::checkDone(Task &task, const FetchResult &result)
{
    if (task.probe)
        return;
    if (task.next >= task.limit || result.end == FetchEnd::CaughtUp) {
        task.done = true;
    } else if (m_job == Job::Newer) {
        task.done = task.rows >= pageRows() ||
                    task.bytes >= std::min<qint64>(m_maxBytes / 2, loadBytes()) ||
                    task.next >= readableEnd(*partOf(task.partition));
    } else {
        keepWithinReason(task);
    }
}

/// Older records of unexpected size: come nearer to the window instead of holding back too much.
void RecordLoader::keepWithinReason(Task &task)
{
    const double left = double(task.limit - task.next) * m_averageBytes;
    const qint64 most = loadBytes();
    if (double(task.bytes) + left <= double(most))
        return;
    const qint64 rows = std::max<qint64>(1, qint64(double(most) / 2 / m_averageBytes));
    if (task.limit + -rows > task.next) {
        task.next = task.limit + -rows;
        task.blocks.clear();
        task.bytes = 0;
        task.rows = 0;
        return;
    }
    while (task.bytes > most && task.blocks.size() > 1) {
        task.bytes -= task.blocks.front().heldBytes();
        task.rows -= task.blocks.front().rows;
        task.blocks.erase(task.blocks.begin());
    }
}

void RecordLoader::addBlock(Task &task, RecordBlock block)
{
    task.bytes += block.heldBytes();
    task.rows += block.rows;
    task.blocks.push_back(std::move(block));
}

void RecordLoader::onFetchFailed(RequestId id, const TopicPartition &partition, const Error &error)
{
    if (id != m_request || m_job == Job::None)
        return;
    Task *failedTask = task(partition.partition);
    if (!failedTask) {
        fail(error);
        return;
    }
    if (!isOutOfRange(error) && error.kind == ErrorKind::Broker && m_parts.size() > 1) {
        noteRefusal(*failedTask, error);
    } else if (!isOutOfRange(error)) {
        failedTask->done = true;
        failedTask->failed = true;
        fail(error);
    } else if (failedTask->probe) {
        failedTask->probe->tell(*failedTask->probe->next(), false);
    } else {
        failedTask->outOfRange = true;
    }
}

/// One row for all that is left of the partition in this direction.
void RecordLoader::noteRefusal(Task &task, const Error &error)
{
    const Part &known = *partOf(task.partition);
    const bool older = m_job == Job::Older;
    const Offset first = older ? known.logStart : task.next;
    const Offset end = older ? task.limit : std::max(task.next, readableEnd(known));
    task.probe.reset();
    task.blocks.clear();
    task.next = end;
    task.done = true;
    if (first < end) {
        RecordBlock note = RecordBlock::note(RowKind::Refused, task.partition, first, end);
        note.noteReason = error.brokerName.isEmpty() ? error.detail : error.brokerName;
        addBlock(task, std::move(note));
    }
    emit partRefused(error);
}

void RecordLoader::onFetchFinished(RequestId id)
{
    if (id != m_request || m_job == Job::None)
        return;
    if (m_job == Job::LookingUp) {
        if (m_firstError) {
            endJob();
            return;
        }
        const Part &known = *partOf(m_lookedUp.first);
        if (!m_timeThere && m_lookUpNext > m_lookUpAsked && m_lookUpNext < readableEnd(known)) {
            askForTime(); // a gap; what is behind it?
            return;
        }
        QList<TopicPartition> others;
        for (const Part &each : m_parts) {
            if (each.id != m_lookedUp.first)
                others.append({m_topic, each.id});
        }
        if (m_timeThere)
            m_request = m_session->offsetsAtTime(others, *m_timeThere);
        else
            onOffsetsFound(m_request, {}); // nothing there has a time: the others are at their end
        return;
    }
    if (m_job == Job::Whole) {
        if (m_whole.next == 0)
            endJob();
        else
            requestWhole(m_whole.next);
        return;
    }
    for (Task &each : m_tasks) {
        if (!each.probe || each.probe->next())
            continue;
        // The hole's end is known: one row for all of it.
        const Offset end = each.probe->end();
        addBlock(each, RecordBlock::note(each.probeKind, each.partition, each.probe->first(), end,
                                         each.probeBytes));
        each.probe.reset();
        each.next = end;
        each.done = end >= each.limit || end >= partOf(each.partition)->highWatermark;
    }
    if (m_job == Job::Newer && !isMerged())
        deliverWhatIsNext();
    if (std::ranges::any_of(m_tasks, &Task::outOfRange))
        m_request = m_session->describeTopics({m_topic}); // where does the log begin and end now?
    else
        step();
}

void RecordLoader::onTopicsDescribed(RequestId id, const TopicList &topics)
{
    if (id != m_request && id != m_offsetsRead)
        return;
    const auto found = std::ranges::find(topics, m_topic, &TopicInfo::name);
    if (found != topics.end()) {
        for (const PartitionInfo &info : found->partitions) {
            Part *known = partOf(info.id);
            if (known && info.offsetsKnown) {
                known->logStart = info.logStartOffset;
                known->highWatermark = info.highWatermark;
                if (info.lastStableOffset)
                    known->lastStable = info.lastStableOffset;
            }
        }
        m_sinceOffsets.start();
    }
    if (id == m_offsetsRead)
        m_offsetsRead = {};
    emit rangesChanged();
    skipRemoved();
    tellShortened();
    if (id != m_request || m_job == Job::None)
        return;
    if (found == topics.end()) {
        Error error = Error::make(ErrorKind::Broker, {}, {m_topic, {}, {}, {}, {}});
        error.brokerName = u"UNKNOWN_TOPIC_OR_PARTITION"_s;
        fail(error);
        endJob();
    } else if (m_job == Job::ReadingOffsets) {
        startShow();
    } else {
        resolveOutOfRange();
    }
}

void RecordLoader::onFailed(RequestId id, const Error &error)
{
    if (id == m_offsetsRead)
        m_offsetsRead = {};
    if (id != m_request || m_job == Job::None)
        return;
    fail(error);
    endJob();
}

// ----------------------------------------------------------------------------------------- holes

void RecordLoader::resolveOutOfRange()
{
    for (Task &each : m_tasks) {
        if (!std::exchange(each.outOfRange, false))
            continue;
        const Part &known = *partOf(each.partition);
        if (each.next < known.logStart) {
            const Offset end = std::min(known.logStart, each.limit);
            addBlock(each,
                     RecordBlock::note(RowKind::BelowLogStart, each.partition, each.next, end));
            each.next = end;
            each.done = each.next >= each.limit;
        } else if (each.next > known.highWatermark) {
            each.done = true;
            emit noticed(tr("%1 / %2 ends at offset %3 now: its log was shortened.")
                             .arg(m_topic, QString::number(each.partition.value),
                                  groupedDigits(known.highWatermark.value)));
        } else {
            startProbe(each, each.next, RowKind::Hole, 0);
        }
    }
    step();
}

void RecordLoader::followFailed(const TopicPartition &partition, const Error &error)
{
    Part *known = partOf(partition.partition);
    if (!known || !isOutOfRange(error))
        return;
    known->rest = error.where.offset.value_or(known->end);
    readOffsets();
}

/// Where following rests below the log start offset. Not before all it brought up to there is held.
void RecordLoader::skipRemoved()
{
    for (Part &each : m_parts) {
        if (!m_following || !each.rest || each.end < *each.rest || each.end >= each.logStart)
            continue;
        each.rest.reset();
        const Offset logStart = each.logStart;
        deliver({RecordBlock::note(RowKind::BelowLogStart, each.id, each.end, logStart)});
        emit followGoesOn(each.id, logStart);
    }
}

/// Where following rests behind the end of the log.
void RecordLoader::tellShortened()
{
    QStringList all;
    for (Part &each : m_parts) {
        if (!m_following || !each.rest || *each.rest <= each.highWatermark)
            continue;
        all.append(tr("partition %1 was cut back from offset %2 to %3")
                       .arg(QString::number(each.id.value), groupedDigits(each.rest->value),
                            groupedDigits(each.highWatermark.value)));
        each.rest.reset();
    }
    if (!all.isEmpty())
        emit logShortened(all.join(u"; "_s));
}

void RecordLoader::startProbe(Task &task, Offset first, RowKind kind, qint64 bytes)
{
    task.probe.emplace(
        first, std::min(task.limit, std::max(first + 1, partOf(task.partition)->highWatermark)));
    task.probeKind = kind;
    task.probeBytes = bytes;
}

void RecordLoader::takeProbe(Task &task, const FetchResult &result)
{
    // Behind damage the broker may answer from the middle of a record: only a record whose checksum
    // is right shows that reading goes on.
    const bool readable =
        !result.chunk->isEmpty() &&
        !result.chunk->records().front().flags.testFlag(RecordFlag::ChecksumMismatch);
    if (const auto tried = task.probe->next(); tried && result.fetchOffset == *tried)
        task.probe->tell(*tried, readable);
}

// --------------------------------------------------------------------------------- whole records

void RecordLoader::fetchWhole(PartitionId partition, Offset offset, qint64 bytes)
{
    if (m_job != Job::None)
        return;
    m_again = [=, this] { fetchWhole(partition, offset, bytes); };
    m_whole = {partition, offset};
    begin(Job::Whole);
    requestWhole(bytes > 0 ? bytes + kRecordHeaderBytes : qint64(m_maxBytes) * 2);
}

void RecordLoader::requestWhole(qint64 maxBytes)
{
    m_whole.asked = maxBytes;
    m_whole.next = 0;
    FetchRequest request;
    request.partition = {m_topic, m_whole.partition};
    request.offset = m_whole.offset;
    request.maxBytes = qint32(std::min<qint64>(maxBytes, std::numeric_limits<qint32>::max()));
    request.isolation = m_isolation;
    m_request = m_session->fetch({request});
}

void RecordLoader::takeWhole(const FetchResult &result)
{
    if (!result.chunk->isEmpty()) {
        const RecordBlock block =
            RecordBlock::records(result.chunk).trimmed(m_whole.offset, m_whole.offset + 1);
        if (block.rows == 1)
            m_model->replaceNote(block);
        return;
    }
    const QString reason = whyNotWhole(result, m_whole.asked);
    if (!reason.isEmpty()) {
        emit noticed(tr("Offset %1 of %2 / %3 cannot be fetched whole: %4.")
                         .arg(groupedDigits(m_whole.offset.value), m_topic,
                              QString::number(m_whole.partition.value), reason));
        return;
    }
    // The size was not known, or was another one: once more, larger.
    m_whole.next = std::min(std::max(result.endRecordBytes + kRecordHeaderBytes, m_whole.asked * 2),
                            kMaxWholeBytes);
}

} // namespace topicscope::ui
