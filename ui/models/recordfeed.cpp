#include "ui/models/recordfeed.h"

#include <algorithm>

namespace topicscope::ui
{

namespace
{

constexpr int kTickMs = 1000 / 30;
constexpr qint64 kRateWindowMs = 3000;

} // namespace

RecordFeed::RecordFeed(const SessionFactory &factory, const SessionConfig &config,
                       FollowRequest request, QObject *parent)
    : QObject(parent)
    , m_handle(factory, config, std::move(request))
{
    m_clock.start();
    m_tick.setSingleShot(true);
    m_tick.setInterval(kTickMs);
    connect(&m_tick, &QTimer::timeout, this, &RecordFeed::handOn);
    connect(&m_handle, &FollowHandle::fetched, this, &RecordFeed::onFetched);
    connect(&m_handle, &FollowHandle::partitionFailed, this, &RecordFeed::partitionFailed);
    connect(&m_handle, &FollowHandle::stateChanged, this, &RecordFeed::stateChanged);
}

void RecordFeed::onFetched(const FetchResult &result)
{
    m_pending.push_back(result);
    if (!m_held && !m_tick.isActive())
        m_tick.start();
}

void RecordFeed::setHeld(bool held)
{
    m_held = held;
    if (!held && !m_pending.empty() && !m_tick.isActive())
        m_tick.start();
}

void RecordFeed::handOn()
{
    if (m_held || m_pending.empty())
        return;
    const auto results = std::exchange(m_pending, {});
    qint64 records = 0;
    for (const FetchResult &result : results) {
        records += qint64(result.chunk->records().size());
        const Offset behind = result.nextOffset;
        if (result.end == FetchEnd::RecordExceedsMaxBytes)
            m_handle.skipTo(result.partition, behind + 1);
        else if (result.end == FetchEnd::EmptyBelowHighWatermark ||
                 result.end == FetchEnd::ImpossibleSize)
            m_handle.skipTo(result.partition, std::max(behind + 1, result.highWatermark));
    }
    const qint64 now = m_clock.elapsed();
    m_recent.emplace_back(now, records);
    while (m_recent.front().first < now - kRateWindowMs)
        m_recent.pop_front();
    emit arrived(results);
    for (size_t i = 0; i < results.size(); ++i)
        m_handle.returnCredit();
}

double RecordFeed::rate() const
{
    const qint64 now = m_clock.elapsed();
    qint64 records = 0;
    for (const auto &[at, count] : m_recent) {
        if (at >= now - kRateWindowMs)
            records += count;
    }
    return double(records) * 1000 / double(std::clamp<qint64>(now, 1, kRateWindowMs));
}

} // namespace topicscope::ui
