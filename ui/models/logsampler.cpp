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

void LogSampler::open(const QString &topic)
{
    stop();
    m_topic = topic;
    m_profiles.clear();
    m_fetches = 0;
    emit changed();
}

void LogSampler::setEnds(PartitionId partition, Offset begin, Offset end)
{
    PartitionProfile &profile = m_profiles[partition];
    if (profile.begin() == begin && profile.end() == end)
        return;
    profile.setEnds(begin, end);
    if (!m_announce.isActive())
        m_announce.start();
}

void LogSampler::add(const std::vector<RecordBlock> &blocks)
{
    for (const RecordBlock &block : blocks)
        m_profiles[block.partition].add(block);
    if (!m_announce.isActive())
        m_announce.start();
}

void LogSampler::start()
{
    if (std::exchange(m_running, true))
        return;
    next();
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
    bool some = true;
    while (some && requests.size() < size_t(kTurn)) {
        some = false;
        for (auto &[id, profile] : m_profiles) {
            if (m_fetches >= kMostFetches || requests.size() >= size_t(kTurn))
                break;
            const auto offset = profile.nextUnknown();
            if (!offset)
                continue;
            some = true;
            ++m_fetches;
            FetchRequest request;
            request.partition = {m_topic, id};
            request.offset = *offset;
            request.maxBytes = kSampleBytes;
            request.isolation = m_isolation;
            requests.push_back(request);
        }
    }
    if (requests.empty()) {
        stop();
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
        m_profiles[result.partition.partition].addPeak(result.nextOffset, result.endRecordBytes);
    add(blocks);
}

void LogSampler::onFinished(RequestId id)
{
    if (id != m_request || !m_running)
        return;
    if (m_session->state() == ConnectionState::Lost)
        stop(); // a map is not worth trying again and again
    else
        next();
}

} // namespace topicscope::ui
