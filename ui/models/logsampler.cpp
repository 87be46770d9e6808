#include "ui/models/logsampler.h"

#include "core/session/fetchblocks.h"

#include <limits>

namespace topicscope::ui
{

namespace
{

/// Some records of usual size.
constexpr qint32 kSampleBytes = 16 * 1024;
/// Fetches of one turn: few, so that stopping is soon done.
constexpr int kTurn = 8;
constexpr int kAnnounceMs = 100;
/// Of one partition, and of all of a topic together.
constexpr qint64 kFewestBuckets = 32;
constexpr quint64 kMostBuckets = quint64(16 * PartitionProfile::kMaxBuckets);

} // namespace

LogSampler::LogSampler(SessionFactory factory, SessionConfig config, QObject *parent)
    : QObject(parent)
    , m_factory(std::move(factory))
    , m_config(std::move(config))
{
    m_announce.setSingleShot(true);
    m_announce.setInterval(kAnnounceMs);
    connect(&m_announce, &QTimer::timeout, this, &LogSampler::changed);
}

void LogSampler::open(const QString &topic, size_t partitions)
{
    stop();
    m_topic = topic;
    m_gaveUp = false;
    m_ended = false;
    m_buckets = PartitionProfile::kMaxBuckets;
    while (m_buckets > kFewestBuckets && quint64(m_buckets) * partitions > kMostBuckets)
        m_buckets /= 2;
    m_profiles.clear();
    m_fetches = 0;
    emit changed();
}

PartitionProfile &LogSampler::profile(PartitionId partition)
{
    return m_profiles.try_emplace(partition, m_buckets).first->second;
}

void LogSampler::setEnds(PartitionId partition, Offset begin, Offset end)
{
    PartitionProfile &known = profile(partition);
    if (known.begin() == begin && known.end() == end)
        return;
    known.setEnds(begin, end);
    if (!m_announce.isActive())
        m_announce.start();
}

void LogSampler::add(const std::vector<RecordBlock> &blocks)
{
    for (const RecordBlock &block : blocks)
        profile(block.partition).add(block);
    if (!m_announce.isActive())
        m_announce.start();
}

void LogSampler::start()
{
    if (m_gaveUp || std::exchange(m_running, true))
        return;
    next();
}

void LogSampler::goOn()
{
    if (std::exchange(m_gaveUp, false))
        start();
}

void LogSampler::stop()
{
    m_running = false;
    m_request = {};
    if (m_session) {
        m_session->disconnect(this);
        m_session.release()->deleteLater(); // we may be in the middle of its signal
    }
}

/// One turn: the partitions take turns as well.
void LogSampler::next()
{
    std::vector<FetchRequest> requests;
    size_t knownAll = 0; // in a row
    while (knownAll < m_profiles.size() && requests.size() < size_t(kTurn) &&
           m_fetches < kMostFetches) {
        auto turn = m_profiles.upper_bound(m_lastAsked);
        if (turn == m_profiles.end())
            turn = m_profiles.begin();
        m_lastAsked = turn->first;
        const auto offset = turn->second.nextUnknown();
        if (!offset) {
            ++knownAll;
            continue;
        }
        knownAll = 0;
        ++m_fetches;
        FetchRequest request;
        request.partition = {m_topic, turn->first};
        request.offset = *offset;
        request.maxBytes = kSampleBytes;
        request.isolation = m_isolation;
        requests.push_back(request);
    }
    if (requests.empty()) {
        end();
        return;
    }
    if (!m_session) {
        m_session = std::make_unique<SessionHandle>(m_factory, m_config);
        connect(m_session.get(), &SessionHandle::fetched, this, &LogSampler::onFetched);
        connect(m_session.get(), &SessionHandle::fetchFinished, this, &LogSampler::onFinished);
    }
    m_request = m_session->fetch(std::move(requests));
}

void LogSampler::onFetched(RequestId id, const FetchResult &result)
{
    if (id != m_request)
        return;
    auto blocks = blocksOf(result, result.fetchOffset, Offset{std::numeric_limits<qint64>::max()});
    // Of a record larger than a sample at least the size is told.
    if (blocks.empty() && result.end == FetchEnd::RecordExceedsMaxBytes &&
        result.endRecordBytes > 0)
        profile(result.partition.partition).addPeak(result.nextOffset, result.endRecordBytes);
    add(blocks);
}

void LogSampler::onFinished(RequestId id)
{
    if (id != m_request || !m_running)
        return;
    m_gaveUp = m_session->state() == ConnectionState::Lost;
    if (m_gaveUp)
        end();
    else
        next();
}

void LogSampler::end()
{
    stop();
    if (!std::exchange(m_ended, true))
        emit ended();
}

} // namespace topicscope::ui
