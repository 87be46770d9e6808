#include "core/session/sessionhandle.h"

#include "core/session/sessionworker.h"

#include <QCoreApplication>

#include <algorithm>

namespace topicscope
{

using namespace Qt::StringLiterals;

SessionHandle::SessionHandle(const SessionFactory &factory, const SessionConfig &config,
                             QObject *parent)
    : QObject(parent)
    , m_config(config)
    , m_backOff(config.reconnectFirst, config.reconnectMax)
    , m_retry(this)
    , m_worker(new SessionWorker(factory, config))
    , m_thread(new QThread)
{
    m_retry.setSingleShot(true);
    connect(&m_retry, &QTimer::timeout, this, &SessionHandle::connectSoon);

    m_thread->setObjectName(u"session %1"_s.arg(config.endpoint()));
    m_worker->moveToThread(m_thread.get());
    connect(m_thread.get(), &QThread::started, m_worker, &SessionWorker::start);
    connect(m_thread.get(), &QThread::finished, m_worker, &QObject::deleteLater);
    connectWorker();
    m_thread->start();
    runNext();
}

SessionHandle::~SessionHandle()
{
    // What was posted and has not begun yet finds its stop requested.
    if (m_running)
        m_running->stop.request_stop();
    m_closing = true;
    // Whoever published must hear whether the record left: "unknown" only where it is.
    if (m_running && m_running->gate && !m_running->gate->shut())
        QCoreApplication::sendPostedEvents(this, QEvent::MetaCall); // the answer may be here
    if (m_running)
        m_waiting.push_front(*std::exchange(m_running, {}));
    for (const Request &request : std::exchange(m_waiting, {})) {
        if (!request.gate)
            continue;
        const ErrorPlace where{{}, {}, {}, m_config.endpoint(), {}};
        Error error = Error::make(ErrorKind::OutcomeUnknown, u"closed before the answer"_s, where);
        if (request.gate->shut()) {
            error = Error::make(ErrorKind::Closed, u"closed before it was sent"_s, where);
            error.retriable = true;
        }
        emit failed(request.id, error);
    }
}

void SessionHandle::connectWorker()
{
    connect(m_worker, &SessionWorker::started, this, [this](const Capabilities &capabilities) {
        m_capabilities = capabilities;
        emit capabilitiesKnown(capabilities);
    });
    connect(m_worker, &SessionWorker::reading, this, [this](int percent) {
        m_percentRead = percent;
        emit reading(percent);
    });
    connect(m_worker, &SessionWorker::remarked, this, &SessionHandle::remarked);
    connect(m_worker, &SessionWorker::opened, this, &SessionHandle::onAnswered);
    connect(m_worker, &SessionWorker::openFailed, this,
            [this](RequestId, const Error &error) { onFailure(error); });
    connect(m_worker, &SessionWorker::topicsListed, this,
            [this](RequestId id, const TopicList &topics) {
                onAnswered();
                emit topicsListed(id, topics);
            });
    connect(m_worker, &SessionWorker::clusterDescribed, this, &SessionHandle::clusterDescribed);
    connect(m_worker, &SessionWorker::topicsDescribed, this,
            [this](RequestId id, const TopicList &topics) {
                onAnswered();
                emit topicsDescribed(id, topics);
            });
    connect(m_worker, &SessionWorker::topicRulesRead, this, &SessionHandle::topicRulesRead);
    connect(m_worker, &SessionWorker::fetched, this,
            [this](RequestId id, const FetchResult &result) {
                onAnswered();
                if (isWanted(id))
                    emit fetched(id, result);
            });
    connect(m_worker, &SessionWorker::fetchFailed, this,
            [this](RequestId id, const TopicPartition &partition, const Error &error) {
                onFailure(error);
                if (isWanted(id))
                    emit fetchFailed(id, partition, error);
            });
    connect(m_worker, &SessionWorker::published, this,
            [this](RequestId id, const PublishResult &result) {
                onAnswered();
                onPublishEnded(id);
                emit published(id, result);
            });
    connect(m_worker, &SessionWorker::lookedFor, this,
            [this](RequestId id, const LookForResult &result) {
                onAnswered();
                emit lookedFor(id, result);
            });
    connect(m_worker, &SessionWorker::groupsListed, this,
            [this](RequestId id, const GroupList &list) {
                onAnswered();
                emit groupsListed(id, list);
            });
    connect(m_worker, &SessionWorker::groupDescribed, this,
            [this](RequestId id, const GroupInfo &group) {
                onAnswered();
                emit groupDescribed(id, group);
            });
    connect(m_worker, &SessionWorker::offsetsFound, this,
            [this](RequestId id, const QList<TimeOffset> &offsets) {
                onAnswered();
                emit offsetsFound(id, offsets);
            });
    connect(m_worker, &SessionWorker::failed, this, [this](RequestId id, const Error &error) {
        onFailure(error);
        onPublishEnded(id);
        emit failed(id, error);
    });
    connect(m_worker, &SessionWorker::finished, this, &SessionHandle::onFinished);
}

RequestId SessionHandle::listTopics()
{
    return coalesce(Kind::ListTopics,
                    [](SessionWorker &worker, RequestId id, const std::stop_token &stop) {
                        worker.listTopics(id, stop);
                    });
}

RequestId SessionHandle::describeTopics(const QStringList &names)
{
    auto waiting = std::ranges::find(m_waiting, Kind::DescribeTopics, &Request::kind);
    QStringList all = names;
    if (waiting != m_waiting.end()) {
        all = waiting->topics;
        for (const QString &name : names) {
            if (!all.contains(name))
                all.append(name);
        }
    }
    Run run = [all](SessionWorker &worker, RequestId id, const std::stop_token &stop) {
        worker.describeTopics(id, all, stop);
    };
    if (waiting != m_waiting.end()) {
        waiting->topics = std::move(all);
        waiting->run = std::move(run);
        return waiting->id;
    }
    return enqueue(Kind::DescribeTopics, std::move(run), {}, std::move(all));
}

RequestId SessionHandle::readTopicRules(const QString &topic)
{
    return replace(Kind::ReadTopicRules,
                   [topic](SessionWorker &worker, RequestId id, const std::stop_token &stop) {
                       worker.readTopicRules(id, topic, stop);
                   });
}

RequestId SessionHandle::fetch(std::vector<FetchRequest> requests)
{
    return replace(Kind::Fetch,
                   [requests = std::move(requests)](SessionWorker &worker, RequestId id,
                                                    const std::stop_token &stop) {
                       worker.fetch(id, requests, stop);
                   });
}

Result<RequestId> SessionHandle::publish(PublishRequest request)
{
    if (std::ranges::count(m_waiting, Kind::Publish, &Request::kind) >= kMaxWaitingPublishes) {
        return Error::make(
            ErrorKind::Busy, u"%1 records are waiting to be published"_s.arg(kMaxWaitingPublishes),
            {request.topic, request.partition, std::nullopt, m_config.endpoint(), std::nullopt});
    }
    auto gate = std::make_shared<SendGate>();
    return enqueue(
        Kind::Publish,
        [request = std::move(request), gate](SessionWorker &worker, RequestId id,
                                             const std::stop_token &stop) {
            worker.publish(id, request, gate, stop);
        },
        gate);
}

RequestId SessionHandle::lookFor(const TopicPartition &partition, Offset from,
                                 const QByteArray &value)
{
    return enqueue(Kind::LookFor, [partition, from, value](SessionWorker &worker, RequestId id,
                                                           const std::stop_token &stop) {
        worker.lookFor(id, partition, from, value, stop);
    });
}

RequestId SessionHandle::listGroups()
{
    return coalesce(Kind::ListGroups,
                    [](SessionWorker &worker, RequestId id, const std::stop_token &stop) {
                        worker.listGroups(id, stop);
                    });
}

RequestId SessionHandle::describeGroup(const QString &group)
{
    return replace(Kind::DescribeGroup,
                   [group](SessionWorker &worker, RequestId id, const std::stop_token &stop) {
                       worker.describeGroup(id, group, stop);
                   });
}

RequestId SessionHandle::offsetsAtTime(const QList<TopicPartition> &partitions, qint64 timeMs)
{
    return replace(Kind::OffsetsAtTime, [partitions, timeMs](SessionWorker &worker, RequestId id,
                                                             const std::stop_token &stop) {
        worker.offsetsAtTime(id, partitions, timeMs, stop);
    });
}

void SessionHandle::cancel(RequestId id)
{
    if (m_running && m_running->id == id) {
        m_running->stop.request_stop();
        return;
    }
    const auto waiting = std::ranges::find(m_waiting, id, &Request::id);
    if (waiting == m_waiting.end())
        return;
    const bool isFetch = waiting->kind == Kind::Fetch;
    m_waiting.erase(waiting);
    QMetaObject::invokeMethod(
        this,
        [this, id, isFetch] {
            if (isFetch)
                emit fetchFinished(id);
            else
                emit failed(id, Error::make(ErrorKind::Cancelled, {}));
        },
        Qt::QueuedConnection);
}

void SessionHandle::reconnectNow()
{
    m_retry.stop();
    if (m_running)
        m_running->isOverruled = true;
    // Whether it still lets us in is not known before it has: others wait for that.
    if (m_state == ConnectionState::Connected)
        setState(ConnectionState::Connecting);
    QMetaObject::invokeMethod(m_worker, &SessionWorker::forgetRefusal);
    connectSoon();
}

void SessionHandle::connectSoon()
{
    m_connectionInDoubt = true;
    runNext();
}

RequestId SessionHandle::coalesce(Kind kind, Run run)
{
    const auto waiting = std::ranges::find(m_waiting, kind, &Request::kind);
    return waiting != m_waiting.end() ? waiting->id : enqueue(kind, std::move(run));
}

RequestId SessionHandle::replace(Kind kind, Run run)
{
    const auto waiting = std::ranges::find(m_waiting, kind, &Request::kind);
    if (waiting != m_waiting.end())
        cancel(waiting->id);
    if (m_running && m_running->kind == kind)
        m_running->stop.request_stop();
    return enqueue(kind, std::move(run));
}

RequestId SessionHandle::enqueue(Kind kind, Run run, std::shared_ptr<SendGate> gate,
                                 QStringList topics)
{
    const RequestId id{++m_lastId};
    m_waiting.push_back(
        {id, kind, std::move(run), std::stop_source(), std::move(gate), std::move(topics)});
    // A request connects by itself, so it need not wait for an attempt that only does that.
    if (m_running && m_running->kind == Kind::Connect)
        m_running->stop.request_stop();
    runNext();
    return id;
}

void SessionHandle::runNext()
{
    if (m_running || m_closing)
        return;
    if (m_waiting.empty()) {
        if (!m_connectionInDoubt)
            return;
        m_waiting.push_back({RequestId{++m_lastId},
                             Kind::Connect,
                             [](SessionWorker &worker, RequestId id, const std::stop_token &stop) {
                                 worker.open(id, stop);
                             },
                             std::stop_source(),
                             {}});
    }
    m_running = std::move(m_waiting.front());
    m_waiting.pop_front();
    QMetaObject::invokeMethod(m_worker,
                              [worker = m_worker, id = m_running->id, run = m_running->run,
                               stop = m_running->stop.get_token()] { run(*worker, id, stop); });
}

bool SessionHandle::isWanted(RequestId id) const
{
    return m_running && m_running->id == id && !m_running->stop.stop_requested();
}

/// It has its answer, so the destructor need not give it one.
void SessionHandle::onPublishEnded(RequestId id)
{
    if (m_running && m_running->id == id)
        m_running->gate.reset();
}

void SessionHandle::onFinished(RequestId id)
{
    Q_ASSERT(m_running && m_running->id == id);
    const bool isFetch = m_running->kind == Kind::Fetch;
    m_running.reset();
    runNext();
    if (isFetch)
        emit fetchFinished(id);
}

void SessionHandle::onAnswered()
{
    m_connectionInDoubt = false;
    m_retry.stop();
    m_backOff.reset();
    setState(ConnectionState::Connected);
}

void SessionHandle::onFailure(const Error &error)
{
    if (error.kind == ErrorKind::Broker || error.kind == ErrorKind::PartitionsChanged) {
        onAnswered();
    } else if (error.kind == ErrorKind::OutcomeUnknown) {
        m_connectionInDoubt = true; // the answer is lost; is the broker?
    } else if (isConnectionFailure(error) || provesUnusable(error)) {
        m_connectionInDoubt = m_running && m_running->isOverruled;
        if (!isTriedAgain(error))
            m_retry.stop();
        else if (!m_retry.isActive())
            m_retry.start(m_backOff.next());
        lose(error);
    }
}

/// Whether it is not this one request that cannot be done, but any: the settings are wrong, or what
/// they name cannot be used.
bool SessionHandle::provesUnusable(const Error &error) const
{
    if (!m_running || error.kind == ErrorKind::Cancelled)
        return false;
    return m_running->kind == Kind::Connect ||
           (m_running->kind == Kind::ListTopics && error.kind == ErrorKind::InvalidArgument);
}

/// Lost for another reason than before is news as well; the same in other words is not.
void SessionHandle::lose(const Error &error)
{
    const bool isNews =
        m_state == ConnectionState::Lost &&
        (m_lastError.kind != error.kind || m_lastError.networkCause != error.networkCause);
    m_lastError = error;
    setState(ConnectionState::Lost);
    if (isNews)
        emit stateChanged(m_state);
}

void SessionHandle::setState(ConnectionState state)
{
    if (m_state == state)
        return;
    m_state = state;
    m_percentRead.reset();
    emit stateChanged(state);
}

} // namespace topicscope
