#include "ui/models/recordloader.h"

#include "core/base/digits.h"
#include "core/records/recordcodec.h"

#include <algorithm>
#include <limits>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kFirstPageRows = 500;
constexpr int kMinPageRows = 20;
constexpr int kMaxPageRows = 8000;
/// What one load may hold back before it is inserted, per partition.
constexpr qint64 kMaxLoadBytes = qint64(8) * 1024 * 1024;
/// Answers are not made smaller than this.
constexpr qint32 kMinAskedBytes = 64 * 1024;
constexpr Offset kNoLimit{std::numeric_limits<qint64>::max()};
/// Largest answer asked for when a record's size is not known.
constexpr qint64 kMaxWholeBytes = qint64(1) << 30;

bool isOutOfRange(const Error &error)
{
    return error.kind == ErrorKind::Broker && error.brokerName == u"OFFSET_OUT_OF_RANGE"_s;
}

} // namespace

RecordLoader::RecordLoader(SessionHandle *session, RecordTableModel *model, QObject *parent)
    : QObject(parent)
    , m_session(session)
    , m_model(model)
    , m_visible([model] { return std::pair(0, model->rowCount() - 1); })
{
    connect(session, &SessionHandle::fetched, this, &RecordLoader::onFetched);
    connect(session, &SessionHandle::fetchFailed, this, &RecordLoader::onFetchFailed);
    connect(session, &SessionHandle::fetchFinished, this, &RecordLoader::onFetchFinished);
    connect(session, &SessionHandle::topicsListed, this, &RecordLoader::onTopicsListed);
    connect(session, &SessionHandle::failed, this, &RecordLoader::onFailed);
}

void RecordLoader::open(const TopicInfo &topic, std::optional<PartitionId> partition)
{
    cancel();
    m_topic = topic.name;
    m_parts.clear();
    m_averageBytes = 0;
    for (const PartitionInfo &info : topic.partitions) {
        if (!partition || info.id == *partition) {
            m_parts.push_back({info.id, info.logStartOffset, info.highWatermark, info.highWatermark,
                               info.highWatermark});
        }
    }
    m_model->clear();
    emit rangesChanged();
}

const RecordLoader::Part *RecordLoader::part(PartitionId id) const
{
    const auto found = std::ranges::find(m_parts, id, &Part::id);
    return found == m_parts.end() ? nullptr : &*found;
}

RecordLoader::Part *RecordLoader::partOf(PartitionId id)
{
    const auto found = std::ranges::find(m_parts, id, &Part::id);
    return found == m_parts.end() ? nullptr : &*found;
}

RecordLoader::Task *RecordLoader::task(PartitionId id)
{
    const auto found = std::ranges::find(m_tasks, id, &Task::partition);
    return found == m_tasks.end() ? nullptr : &*found;
}

int RecordLoader::pageRows() const
{
    const int rows =
        m_averageBytes > 0 ? int(std::min(m_maxBytes / m_averageBytes, 1e6)) : kFirstPageRows;
    return std::clamp(rows / int(std::max<size_t>(m_parts.size(), 1)), kMinPageRows, kMaxPageRows);
}

// ------------------------------------------------------------------------------------------ jobs

void RecordLoader::begin(Job job)
{
    m_job = job;
    m_failed = false;
    m_firstError.reset();
    m_tasks.clear();
    emit jobChanged();
}

void RecordLoader::showNewest()
{
    show([](const Part &each) { return each.highWatermark; });
}

void RecordLoader::show(Where where)
{
    cancel();
    m_where = std::move(where);
    m_showing = true;
    m_again = [this] { show(m_where); };
    begin(Job::ReadingOffsets);
    m_request = m_session->listTopics();
}

void RecordLoader::startShow()
{
    m_model->clear();
    bool fromSomewhere = false;
    for (Part &each : m_parts) {
        each.begin =
            std::clamp(m_where(each), each.logStart, std::max(each.logStart, each.highWatermark));
        each.end = each.begin;
        each.exhausted = false;
        fromSomewhere |= each.end < each.highWatermark;
    }
    emit rangesChanged();
    if (fromSomewhere)
        startNewer();
    else
        startOlder();
}

bool RecordLoader::canLoadOlder() const
{
    return std::ranges::any_of(
               m_parts, [](const Part &p) { return p.begin > p.logStart && !p.exhausted; }) &&
           !(m_following && m_model->store().overBudget());
}

bool RecordLoader::canLoadNewer() const
{
    return !m_following &&
           std::ranges::any_of(m_parts, [](const Part &p) { return p.end < p.highWatermark; });
}

void RecordLoader::loadOlder()
{
    if (m_job != Job::None || !canLoadOlder())
        return;
    m_again = [this] { loadOlder(); };
    startOlder();
}

void RecordLoader::loadNewer()
{
    if (m_job != Job::None || m_following)
        return;
    m_again = [this] { loadNewer(); };
    startNewer();
}

void RecordLoader::startOlder()
{
    begin(Job::Older);
    for (const Part &each : m_parts) {
        if (each.begin > each.logStart) {
            Task older;
            older.partition = each.id;
            older.next = std::max(each.logStart, each.begin + -qint64(pageRows()));
            older.limit = each.begin;
            m_tasks.push_back(std::move(older));
        }
    }
    step();
}

void RecordLoader::startNewer()
{
    begin(Job::Newer);
    for (const Part &each : m_parts) {
        Task newer;
        newer.partition = each.id;
        newer.next = each.end;
        newer.limit = kNoLimit;
        newer.done = each.end >= each.highWatermark && m_showing;
        m_tasks.push_back(std::move(newer));
    }
    step();
}

void RecordLoader::readOffsets()
{
    if (!m_offsetsRead)
        m_offsetsRead = m_session->listTopics();
}

void RecordLoader::retry()
{
    if (m_job == Job::None && m_again) {
        m_failed = false;
        m_again();
    }
}

void RecordLoader::cancel()
{
    if (m_job == Job::None)
        return;
    m_session->cancel(m_request);
    m_request = {};
    m_showing = false;
    m_tasks.clear();
    m_job = Job::None;
    emit jobChanged();
}

/// The next round: one request for each partition that is not done.
void RecordLoader::step()
{
    std::vector<FetchRequest> requests;
    for (const Task &each : m_tasks) {
        if (each.done)
            continue;
        const auto probed = each.probe ? each.probe->next() : std::nullopt;
        FetchRequest request;
        request.partition = {m_topic, each.partition};
        request.offset = probed.value_or(each.next);
        request.maxBytes = maxBytesFor(each);
        requests.push_back(request);
    }
    if (requests.empty()) {
        finishJob();
        return;
    }
    m_request = m_session->fetch(std::move(requests));
}

/// About as much as is wanted: an answer is held as a whole, however few of its records are.
qint32 RecordLoader::maxBytesFor(const Task &task) const
{
    if (task.asksForAll)
        return m_maxBytes;
    const double share = double(m_maxBytes) / double(m_parts.size());
    const double wanted = m_job == Job::Older && m_averageBytes > 0
                              ? double(task.limit - task.next) * m_averageBytes * 1.25
                              : share;
    return qint32(std::clamp(wanted, std::min(double(kMinAskedBytes), double(m_maxBytes)),
                             double(m_maxBytes)));
}

void RecordLoader::finishJob()
{
    if (m_job == Job::Older) {
        std::vector<RecordBlock> all;
        for (Task &each : m_tasks)
            std::ranges::move(each.blocks, std::back_inserter(all));
        for (const Task &each : m_tasks) {
            if (!each.blocks.empty())
                partOf(each.partition)->begin = each.blocks.front().first;
            else if (!m_firstError)
                partOf(each.partition)->exhausted = true; // or scrolling would ask for ever
        }
        m_model->prepend(std::move(all));
        if (!m_following && m_model->store().overBudget()) {
            m_model->evictBack(m_visible().second);
            syncParts(false);
        }
        emit rangesChanged();
    }
    endJob();
}

void RecordLoader::endJob()
{
    const bool wasShowing = std::exchange(m_showing, false);
    m_request = {};
    m_job = Job::None;
    m_tasks.clear();
    if (m_firstError) {
        m_failed = true;
        emit failed(*m_firstError);
    }
    if (wasShowing)
        emit shown();
    emit jobChanged();
}

void RecordLoader::fail(const Error &error)
{
    if (!m_firstError)
        m_firstError = error;
}

// --------------------------------------------------------------------------------------- answers

void RecordLoader::onFetched(RequestId id, const FetchResult &result)
{
    if (id != m_request || m_job == Job::None)
        return;
    if (Part *known = partOf(result.partition.partition))
        known->highWatermark = std::max(result.highWatermark, result.nextOffset);
    if (m_job == Job::Whole) {
        takeWhole(result);
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
        const RecordBlock block = RecordBlock::records(result.chunk).trimmed(task.next, task.limit);
        if (block.rows > 0)
            addBlock(task, block);
    }
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
}

void RecordLoader::checkDone(Task &task, const FetchResult &result)
{
    if (task.probe)
        return;
    if (task.next >= task.limit || result.end == FetchEnd::CaughtUp) {
        task.done = true;
    } else if (m_job == Job::Newer) {
        task.done = task.rows >= pageRows() || task.bytes >= m_maxBytes / 2 ||
                    task.next >= partOf(task.partition)->highWatermark;
    } else {
        keepWithinReason(task);
    }
}

/// Older records of unexpected size: come nearer to the window instead of holding back too much.
void RecordLoader::keepWithinReason(Task &task)
{
    const double left = double(task.limit - task.next) * m_averageBytes;
    if (double(task.bytes) + left <= double(kMaxLoadBytes))
        return;
    const qint64 rows = std::max<qint64>(kMinPageRows, qint64(kMaxLoadBytes / 2 / m_averageBytes));
    if (task.limit + -rows > task.next) {
        task.next = task.limit + -rows;
        task.blocks.clear();
        task.bytes = 0;
        task.rows = 0;
        return;
    }
    while (task.bytes > kMaxLoadBytes && task.blocks.size() > 1) {
        task.bytes -= task.blocks.front().heldBytes();
        task.rows -= task.blocks.front().rows;
        task.blocks.erase(task.blocks.begin());
    }
}

void RecordLoader::addBlock(Task &task, RecordBlock block)
{
    task.bytes += block.heldBytes();
    task.rows += block.rows;
    if (m_job == Job::Older)
        task.blocks.push_back(std::move(block));
    else
        deliver({std::move(block)});
}

void RecordLoader::deliver(std::vector<RecordBlock> blocks)
{
    for (const RecordBlock &block : blocks)
        partOf(block.partition)->end = block.end;
    m_model->append(std::move(blocks));
    evictOldest();
    emit rangesChanged();
}

bool RecordLoader::evictOldest()
{
    if (!m_model->store().overBudget())
        return true;
    m_model->evictFront(std::max(0, m_visible().first));
    syncParts(true);
    emit rangesChanged();
    return !m_model->store().overBudget();
}

void RecordLoader::syncParts(bool frontEvicted)
{
    for (Part &each : m_parts) {
        if (const auto held = m_model->store().range(each.id)) {
            each.begin = held->first;
            each.end = held->end;
        } else if (frontEvicted) {
            each.begin = each.end;
        } else {
            each.end = each.begin;
        }
    }
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
    if (!isOutOfRange(error)) {
        failedTask->done = true;
        fail(error);
    } else if (failedTask->probe) {
        failedTask->probe->tell(*failedTask->probe->next(), false);
    } else {
        failedTask->outOfRange = true;
    }
}

void RecordLoader::onFetchFinished(RequestId id)
{
    if (id != m_request || m_job == Job::None)
        return;
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
    if (std::ranges::any_of(m_tasks, &Task::outOfRange))
        m_request = m_session->listTopics(); // where does the log begin and end now?
    else
        step();
}

void RecordLoader::onTopicsListed(RequestId id, const TopicList &topics)
{
    if (id != m_request && id != m_offsetsRead)
        return;
    const auto found = std::ranges::find(topics, m_topic, &TopicInfo::name);
    if (found != topics.end()) {
        for (const PartitionInfo &info : found->partitions) {
            if (Part *known = partOf(info.id)) {
                known->logStart = info.logStartOffset;
                known->highWatermark = info.highWatermark;
            }
        }
    }
    if (id == m_offsetsRead)
        m_offsetsRead = {};
    emit rangesChanged();
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
    if (result.end != FetchEnd::RecordExceedsMaxBytes)
        return;
    // The size was not known, or was another one: once more, larger.
    m_whole.next = std::max(result.endRecordBytes + kRecordHeaderBytes, m_whole.asked * 2);
    if (m_whole.next <= kMaxWholeBytes)
        return;
    m_whole.next = 0;
    fail(Error::make(ErrorKind::RecordExceedsMaxBytes, {},
                     {m_topic, m_whole.partition, m_whole.offset, {}, {}}));
}

// ----------------------------------------------------------------------------------------- follow

void RecordLoader::appendFollowed(const std::vector<FetchResult> &results)
{
    std::vector<RecordBlock> blocks;
    for (const FetchResult &result : results) {
        Part *known = partOf(result.partition.partition);
        if (!known)
            continue;
        known->highWatermark = std::max(result.highWatermark, result.nextOffset);
        if (!result.chunk->isEmpty()) {
            const RecordBlock block =
                RecordBlock::records(result.chunk).trimmed(known->end, kNoLimit);
            if (block.rows > 0) {
                known->end = block.end;
                blocks.push_back(block);
            }
        }
        if (result.end == FetchEnd::More || result.end == FetchEnd::CaughtUp ||
            result.nextOffset < known->end)
            continue;
        const bool oversized = result.end == FetchEnd::RecordExceedsMaxBytes;
        const Offset end = oversized ? result.nextOffset + 1
                                     : std::max(result.nextOffset + 1, result.highWatermark);
        const RowKind kind = oversized                                ? RowKind::Oversized
                             : result.end == FetchEnd::ImpossibleSize ? RowKind::ImpossibleSize
                                                                      : RowKind::Unreadable;
        blocks.push_back(
            RecordBlock::note(kind, known->id, result.nextOffset, end, result.endRecordBytes));
        known->end = end;
    }
    if (!blocks.empty())
        deliver(std::move(blocks));
}

} // namespace topicscope::ui
