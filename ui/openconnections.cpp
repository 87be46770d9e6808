#include "ui/openconnections.h"

#include "core/profiles/secrets.h"

#include <algorithm>

namespace topicscope::ui
{

namespace
{

/// Few, so that what comes into view next waits for no long answer.
constexpr qsizetype kDescribedAtOnce = 64;

} // namespace

OpenConnections::OpenConnections(SessionFactory factory, QObject *parent)
    : QObject(parent)
    , m_factory(std::move(factory))
{
    connect(&m_refreshTimer, &QTimer::timeout, this, [this] {
        for (Connection &connection : m_connections) {
            if (connection.session->state() == ConnectionState::Connected && !connection.listing)
                list(connection);
        }
    });
}

OpenConnections::~OpenConnections() = default;

OpenConnections::Connection *OpenConnections::find(ConnectionId id)
{
    const auto found =
        std::find_if(m_connections.begin(), m_connections.end(),
                     [id](const Connection &connection) { return connection.id == id; });
    return found == m_connections.end() ? nullptr : &*found;
}

std::optional<ConnectionId> OpenConnections::find(const SessionConfig &config) const
{
    for (const Connection &connection : m_connections) {
        if (withoutSecrets(connection.session->config()) == withoutSecrets(config))
            return connection.id;
    }
    return std::nullopt;
}

ConnectionId OpenConnections::open(const SessionConfig &config)
{
    for (const Connection &connection : m_connections) {
        if (connection.session->config() == config)
            return connection.id;
    }
    const ConnectionId id{++m_lastId};
    SessionConfig shared = config;
    shared.refusal.shared = std::make_shared<LoginRefusal>(); // with the tabs and what they start
    auto *session = new SessionHandle(m_factory, shared, this);
    m_connections.push_back({id, session});
    m_model.addConnection(id, config);

    wire(id, session);
    list(m_connections.back());
    return id;
}

void OpenConnections::wire(ConnectionId id, SessionHandle *session)
{
    connect(session, &SessionHandle::stateChanged, this, [this, id] { onStateChanged(id); });
    connect(session, &SessionHandle::reading, this, [this, id](int percent) {
        m_model.setPercentRead(id, percent);
        emit reading(id);
    });
    connect(session, &SessionHandle::clusterDescribed, this,
            [this, id](RequestId, const ClusterInfo &cluster) { m_model.setCluster(id, cluster); });
    connect(session, &SessionHandle::topicsListed, this,
            [this, id](RequestId, const TopicList &topics) {
                if (Connection *connection = find(id))
                    connection->listing = {};
                m_model.setTopics(id, topics);
                emit topicsListed(id);
            });
    connect(session, &SessionHandle::topicsDescribed, this,
            [this, id](RequestId request, const TopicList &topics) {
                m_model.updateTopics(id, topics);
                QStringList names;
                for (const TopicInfo &topic : topics)
                    names.append(topic.name);
                emit topicsDescribed(id, names);
                Connection *connection = find(id);
                if (!connection || connection->describing != request)
                    return;
                connection->describing = {};
                describeNext(*connection);
            });
    connect(session, &SessionHandle::failed, this,
            [this, id](RequestId request, const Error &error) {
                Connection *connection = find(id);
                if (connection && connection->describing == request) {
                    connection->describing = {};
                    connection->wanted.clear(); // the next list wants them again
                    return;
                }
                if (!connection || connection->listing != request)
                    return; // somebody else's request
                connection->listing = {};
                emit listingFailed(id, error);
            });
}

void OpenConnections::close(ConnectionId id)
{
    const Connection *connection = find(id);
    if (!connection)
        return;
    connection->session->disconnect(this);
    connection->session->deleteLater();
    m_connections.erase(m_connections.begin() + (connection - m_connections.data()));
    m_model.removeConnection(id);
    emit closed(id);
}

SessionHandle *OpenConnections::session(ConnectionId id) const
{
    for (const Connection &connection : m_connections) {
        if (connection.id == id)
            return connection.session;
    }
    return nullptr;
}

std::vector<ConnectionId> OpenConnections::ids() const
{
    std::vector<ConnectionId> ids;
    ids.reserve(m_connections.size());
    for (const Connection &connection : m_connections)
        ids.push_back(connection.id);
    return ids;
}

void OpenConnections::setRefreshInterval(std::chrono::milliseconds interval)
{
    if (interval.count() > 0)
        m_refreshTimer.start(interval);
    else
        m_refreshTimer.stop();
}

void OpenConnections::refresh()
{
    for (Connection &connection : m_connections)
        list(connection);
}

void OpenConnections::retry(ConnectionId id)
{
    if (SessionHandle *handle = session(id))
        handle->reconnectNow();
}

void OpenConnections::wantOffsets(ConnectionId id, const QStringList &topics)
{
    if (Connection *connection = find(id)) {
        connection->wanted = topics;
        describeNext(*connection);
    }
}

void OpenConnections::describeNext(Connection &connection)
{
    if (connection.describing || connection.wanted.isEmpty())
        return;
    const QStringList next =
        connection.wanted.first(std::min(kDescribedAtOnce, connection.wanted.size()));
    connection.wanted.remove(0, next.size());
    m_model.setOffsetsAsked(connection.id, next);
    connection.describing = connection.session->describeTopics(next);
}

void OpenConnections::list(Connection &connection)
{
    connection.listing = connection.session->listTopics();
}

void OpenConnections::onStateChanged(ConnectionId id)
{
    Connection *connection = find(id);
    if (!connection)
        return;
    const SessionHandle &session = *connection->session;
    m_model.setConnectionState(id, session.state(), session.lastError());
    if (session.state() == ConnectionState::Connected && !connection->listing)
        list(*connection); // back again: what changed meanwhile?
    emit stateChanged(id);
}

} // namespace topicscope::ui
