#include "core/session/followworker.h"

#include <QThread>

#include <algorithm>

namespace topicscope
{

FollowWorker::FollowWorker(SessionFactory factory, SessionConfig config, FollowRequest request,
                           int credits, std::stop_token stop)
    : m_factory(std::move(factory))
    , m_config(std::move(config))
    , m_request(std::move(request))
    , m_credits(credits)
    , m_maxCredits(credits)
    , m_stop(std::move(stop))
    , m_backOff(m_config.reconnectFirst, m_config.reconnectMax)
    , m_retry(this)
{
    m_retry.setSingleShot(true);
    connect(&m_retry, &QTimer::timeout, this, &FollowWorker::connectNow);
}

FollowWorker::~FollowWorker() = default;

void FollowWorker::start()
{
    Q_ASSERT(QThread::currentThread() == thread());
    m_session = m_factory(m_config);
    connectNow();
}

void FollowWorker::addCredit()
{
    Q_ASSERT(QThread::currentThread() == thread());
    Q_ASSERT(m_credits < m_maxCredits);
    m_credits = std::min(m_credits + 1, m_maxCredits);
    stepLater();
}

void FollowWorker::skipTo(const TopicPartition &partition, Offset offset)
{
    Q_ASSERT(QThread::currentThread() == thread());
    std::erase_if(m_resting, [&](const Position &at) { return at.first == partition; });
    if (m_follower) {
        m_follower->skipTo(partition, offset);
        return;
    }
    for (Position &position : m_request.from) {
        if (position.first == partition)
            position.second = offset;
    }
}

void FollowWorker::connectNow()
{
    Q_ASSERT(QThread::currentThread() == thread());
    const CallContext context(m_config.requestTimeout, m_stop);
    if (const auto opened = m_session->open(context); !opened) {
        lost(opened.error());
        return;
    }
    auto follower = m_session->follow(m_request, context);
    if (!follower) {
        lost(follower.error());
        return;
    }
    m_follower = std::move(follower).value();
    m_backOff.reset();
    emit stateChanged(ConnectionState::Connected, {});
    stepLater();
}

void FollowWorker::stepLater()
{
    if (m_stepPosted || !m_follower || m_credits == 0 || m_stop.stop_requested())
        return;
    m_stepPosted = true;
    QMetaObject::invokeMethod(this, &FollowWorker::step, Qt::QueuedConnection);
}

void FollowWorker::step()
{
    Q_ASSERT(QThread::currentThread() == thread());
    m_stepPosted = false;
    if (!m_follower || m_credits == 0)
        return;
    const auto result = m_follower->next(CallContext(kStep, m_stop));
    if (result)
        deliver(*result);
    else if (result.error().kind == ErrorKind::Broker && result.error().where.partition)
        emit partitionFailed({result.error().where.topic, *result.error().where.partition},
                             result.error());
    else if (result.error().kind != ErrorKind::Timeout)
        lost(result.error());
    stepLater();
}

void FollowWorker::deliver(const FetchResult &result)
{
    if (result.end != FetchEnd::More && result.end != FetchEnd::CaughtUp) {
        // A new follower comes to the same record again; the receiver knows about it already.
        const Position at{result.partition, result.nextOffset};
        const bool known = std::ranges::find(m_resting, at) != m_resting.end();
        if (known && result.chunk->isEmpty())
            return;
        if (!known)
            m_resting.push_back(at);
    }
    --m_credits;
    emit fetched(result);
}

void FollowWorker::lost(const Error &error)
{
    if (error.kind == ErrorKind::Cancelled)
        return; // we are being closed
    if (m_follower) {
        m_request.from = m_follower->positions();
        m_follower.reset();
    }
    if (isTriedAgain(error))
        m_retry.start(m_backOff.next());
    else
        m_session->close(); // an engine may go on trying in the background
    emit stateChanged(ConnectionState::Lost, error);
}

} // namespace topicscope
