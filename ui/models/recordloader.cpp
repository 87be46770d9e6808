#include "ui/models/recordloader.h"

#include "core/session/fetchblocks.h"

#include <algorithm>
#include <limits>

namespace topicscope::ui
{

namespace
{

constexpr int kFirstPageRows = 500;
constexpr int kMaxPageRows = 8000;
/// What one load may hold back before it is inserted, per partition.
constexpr qint64 kMaxLoadBytes = qint64(8) * 1024 * 1024;
/// Answers are not made smaller than this.
constexpr qint32 kMinAskedBytes = 64 * 1024;
constexpr Offset kNoLimit{std::numeric_limits<qint64>::max()};

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
    connect(session, &SessionHandle::topicsDescribed, this, &RecordLoader::onTopicsDescribed);
    connect(session, &SessionHandle::offsetsFound, this, &RecordLoader::onOffsetsFound);
    connect(session, &SessionHandle::failed, this, &RecordLoader::onFailed);
}

void RecordLoader::open(const TopicInfo &topic, std::optional<PartitionId> partition)
{
    cancel();
    m_topic = topic.name;
    m_parts.clear();
    m_firstPart = 0;
    m_lastPart = 0;
    m_hasArrivals = false;
    m_sinceOffsets.invalidate();
    m_averageBytes = 0;
    for (const PartitionInfo &info : topic.partitions) {
        if (!partition || info.id == *partition) {
            m_parts.push_back({info.id, info.logStartOffset, info.highWatermark, info.highWatermark,
                               info.highWatermark});
        }
    }
    m_indexes.clear();
    for (size_t i = 0; i < m_parts.size(); ++i)
        m_indexes.insert(m_parts[i].id.value, i);
    m_model->clear();
    emit rangesChanged();
}

const RecordLoader::Part *RecordLoader::part(PartitionId id) const
{
    const size_t index = indexOf(id);
    return index < m_parts.size() ? &m_parts[index] : nullptr;
}

Offset RecordLoader::readableEnd(const Part &part) const
{
    return m_isolation == Isolation::ReadCommitted && part.lastStable
               ? std::min(*part.lastStable, part.highWatermark)
               : part.highWatermark;
}

RecordLoader::Part *RecordLoader::partOf(PartitionId id)
{
    const size_t index = indexOf(id);
    return index < m_parts.size() ? &m_parts[index] : nullptr;
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
    return std::clamp(rows / int(shares()), kMinPageRows, kMaxPageRows);
}

/// What one load may bring of each partition: all of them together half of the budget, so that one
/// load never pushes out what it brought itself.
qint64 RecordLoader::loadBytes() const
{
    return std::min(kMaxLoadBytes, m_model->store().byteBudget() / 2 / qint64(shares()));
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
    if (m_hasArrivals) { // what is new belongs between the rows shown
        showNewest();
        return;
    }
    m_again = [this] { loadNewer(); };
    startNewer();
}

void RecordLoader::readOffsets()
{
    if (!m_offsetsRead)
        m_offsetsRead = m_session->describeTopics({m_topic});
}

void RecordLoader::retry()
{
    if (m_job == Job::None && m_again) {
        m_failed = false;
        const auto again = m_again; // it puts another one in its place
        again();
    }
}

void RecordLoader::cancel()
{
    if (m_job == Job::None)
        return;
    m_session->cancel(m_request);
    m_request = {};
    m_failed = std::exchange(m_showing, false) && m_model->store().isEmpty();
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
        request.isolation = m_isolation;
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
    const double share = double(m_maxBytes) / double(shares());
    const double wanted = m_job == Job::Older && m_averageBytes > 0
                              ? double(task.limit - task.next) * m_averageBytes * 1.25
                              : share;
    return qint32(std::clamp(wanted, std::min(double(kMinAskedBytes), double(m_maxBytes)),
                             double(m_maxBytes)));
}

void RecordLoader::finishJob()
{
    if (m_job == Job::Older) {
        if (isMerged())
            mergeOlder();
        else
            m_model->prepend(takeOlder());
        m_evictedInFront = false;
        // What is shown first are the newest: those stay. So do arrivals, which cannot be read
        // again.
        if (!m_following && !m_hasArrivals && !m_showing && m_model->store().overBudget()) {
            m_model->evictBack(m_visible().second);
            syncParts(false);
            m_evictedBehind = true;
        }
        emit rangesChanged();
    } else if (m_job == Job::Newer && isMerged()) {
        mergeNewer();
    }
    if (m_job == Job::Newer)
        m_evictedBehind = false;
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

bool RecordLoader::evictOldest()
{
    if (!m_model->store().overBudget())
        return true;
    m_model->evictFront(std::max(0, m_visible().first));
    syncParts(true);
    m_evictedInFront = true;
    emit rangesChanged();
    return !m_model->store().overBudget();
}

void RecordLoader::keepToBudget()
{
    if (evictOldest() || m_following)
        return;
    m_model->evictBack(m_visible().second);
    syncParts(false);
    emit rangesChanged();
}

// ----------------------------------------------------------------------------------------- follow

qint64 RecordLoader::appendFollowed(const std::vector<FetchResult> &results)
{
    std::vector<RecordBlock> blocks;
    for (const FetchResult &result : results) {
        Part *known = partOf(result.partition.partition);
        if (!known)
            continue;
        takeEnds(*known, result);
        for (RecordBlock &block : blocksOf(result, known->end, kNoLimit)) {
            known->end = block.end;
            blocks.push_back(std::move(block));
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
    qint64 rows = 0;
    for (const RecordBlock &block : blocks)
        rows += block.rows;
    if (!blocks.empty())
        deliver(std::move(blocks));
    return rows;
}

} // namespace topicscope::ui
