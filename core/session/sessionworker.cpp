#include "core/session/sessionworker.h"

#include "core/session/backoff.h"
#include "core/session/lookfor.h"

#include <QThread>

namespace topicscope
{

SessionWorker::SessionWorker(SessionFactory factory, SessionConfig config)
    : m_factory(std::move(factory))
    , m_config(std::move(config))
{
}

SessionWorker::~SessionWorker() = default;

CallContext SessionWorker::context(const std::stop_token &stop) const
{
    return CallContext(m_config.requestTimeout, stop);
}

void SessionWorker::start()
{
    Q_ASSERT(QThread::currentThread() == thread());
    m_session = m_factory(m_config);
    m_session->setReading([this](int percent) { emit reading(percent); });
    m_capabilities = m_session->capabilities();
    emit started(m_capabilities);
}

void SessionWorker::tellOfSource()
{
    if (const Capabilities now = m_session->capabilities(); now != m_capabilities) {
        m_capabilities = now;
        emit started(now);
    }
    if (const QString now = m_session->remark(); now != m_remark) {
        m_remark = now;
        emit remarked(now);
    }
}

/// Runs a call of the session. Once a login was refused nothing is asked any more: each attempt
/// counts towards locking the account.
template <typename Call>
auto SessionWorker::ask(Call call) -> decltype(call())
{
    if (m_refusal)
        return *m_refusal;
    auto result = call();
    if (!result && isLoginRefused(result.error())) {
        m_refusal = result.error();
        m_session->close(); // an engine may go on trying in the background
    }
    if (result)
        tellOfSource();
    return result;
}

void SessionWorker::forgetRefusal()
{
    m_refusal.reset();
    if (m_config.refusal.shared)
        m_config.refusal.shared->forget();
    m_session->close(); // its clients heed what they heard when they were made
}

void SessionWorker::open(RequestId id, const std::stop_token &stop)
{
    Q_ASSERT(QThread::currentThread() == thread());
    const auto result = ask([&] { return m_session->open(context(stop)); });
    if (result)
        emit opened(id);
    else
        emit openFailed(id, result.error());
    emit finished(id);
}

void SessionWorker::listTopics(RequestId id, const std::stop_token &stop)
{
    Q_ASSERT(QThread::currentThread() == thread());
    const auto result = ask([&] { return m_session->listTopics(context(stop)); });
    if (result) {
        // Topics without the brokers are worth more than none: its failure alone is no failure.
        if (m_session->capabilities().brokers) {
            if (const auto cluster = m_session->describeCluster(context(stop)))
                emit clusterDescribed(id, *cluster);
        }
        emit topicsListed(id, *result);
    } else {
        emit failed(id, result.error());
    }
    emit finished(id);
}

void SessionWorker::describeTopics(RequestId id, const QStringList &names,
                                   const std::stop_token &stop)
{
    Q_ASSERT(QThread::currentThread() == thread());
    const auto result = ask([&] { return m_session->describeTopics(names, context(stop)); });
    if (result)
        emit topicsDescribed(id, *result);
    else
        emit failed(id, result.error());
    emit finished(id);
}

void SessionWorker::readTopicRules(RequestId id, const QString &topic, const std::stop_token &stop)
{
    Q_ASSERT(QThread::currentThread() == thread());
    const auto result = ask([&] { return m_session->topicRules(topic, context(stop)); });
    emit topicRulesRead(id, result ? std::optional(*result) : std::nullopt);
    // Others may be answered all the same: a user may lack the right, or a broker be slow in this.
    if (!result && isLoginRefused(result.error()))
        emit failed(id, result.error());
    emit finished(id);
}

void SessionWorker::fetch(RequestId id, const std::vector<FetchRequest> &requests,
                          const std::stop_token &stop)
{
    Q_ASSERT(QThread::currentThread() == thread());
    bool connectionFailed = false;
    std::optional<Error> unreachable; // what the rest fails with, untried
    m_session->expect(requests);
    for (const FetchRequest &request : requests) {
        if (connectionFailed && !unreachable) {
            if (const auto reopened = ask([&] { return m_session->open(context(stop)); });
                !reopened)
                unreachable = reopened.error();
        }
        if (stop.stop_requested())
            break;
        if (unreachable) {
            emit fetchFailed(id, request.partition, *unreachable);
            continue;
        }
        const auto result = ask([&] { return m_session->fetch(request, context(stop)); });
        if (stop.stop_requested())
            break;
        connectionFailed = !result && isConnectionFailure(result.error());
        if (result)
            emit fetched(id, *result);
        else
            emit fetchFailed(id, request.partition, result.error());
    }
    m_session->expect({});
    emit finished(id);
}

void SessionWorker::publish(RequestId id, const PublishRequest &request,
                            std::shared_ptr<SendGate> gate, const std::stop_token &stop)
{
    Q_ASSERT(QThread::currentThread() == thread());
    CallContext context(m_config.publishTimeout, stop);
    context.gate = std::move(gate);
    // Once and never again: whether to send it another time is the user's decision alone.
    const auto result = ask([&] { return m_session->publish(request, context); });
    if (result)
        emit published(id, *result);
    else
        emit failed(id, result.error());
    emit finished(id);
}

void SessionWorker::lookFor(RequestId id, const TopicPartition &partition, Offset from,
                            const QByteArray &value, const std::stop_token &stop)
{
    Q_ASSERT(QThread::currentThread() == thread());
    const auto result =
        ask([&] { return topicscope::lookFor(*m_session, partition, from, value, stop); });
    if (result)
        emit lookedFor(id, *result);
    else
        emit failed(id, result.error());
    emit finished(id);
}

void SessionWorker::listGroups(RequestId id, const std::stop_token &stop)
{
    Q_ASSERT(QThread::currentThread() == thread());
    GroupReader *groups = m_session->groups();
    const auto result = groups ? ask([&] { return groups->listGroups(context(stop)); })
                               : noGroups(m_config.endpoint());
    if (result)
        emit groupsListed(id, *result);
    else
        emit failed(id, result.error());
    emit finished(id);
}

void SessionWorker::describeGroup(RequestId id, const QString &group, const std::stop_token &stop)
{
    Q_ASSERT(QThread::currentThread() == thread());
    GroupReader *groups = m_session->groups();
    const auto result = groups ? ask([&] { return groups->describeGroup(group, context(stop)); })
                               : noGroups(m_config.endpoint());
    if (result)
        emit groupDescribed(id, *result);
    else
        emit failed(id, result.error());
    emit finished(id);
}

void SessionWorker::offsetsAtTime(RequestId id, const QList<TopicPartition> &partitions,
                                  qint64 timeMs, const std::stop_token &stop)
{
    Q_ASSERT(QThread::currentThread() == thread());
    const auto result =
        ask([&] { return m_session->offsetsAtTime(partitions, timeMs, context(stop)); });
    if (result)
        emit offsetsFound(id, *result);
    else
        emit failed(id, result.error());
    emit finished(id);
}

} // namespace topicscope
