#pragma once

#include "core/session/brokersession.h"
#include "core/session/sessionhandle.h"
#include "ui/models/topictreemodel.h"

#include <QObject>
#include <QTimer>

#include <chrono>
#include <optional>
#include <vector>

namespace topicscope::ui
{

/// The connections that are open now, one session each, and the tree of their topics, which is read
/// again at an interval while they are connected.
/// Thread: GUI.
class OpenConnections final : public QObject
{
    Q_OBJECT
public:
    explicit OpenConnections(SessionFactory factory, QObject *parent = nullptr);
    ~OpenConnections() override;
    Q_DISABLE_COPY_MOVE(OpenConnections)

    /// Opens a connection, or finds the open one with the same configuration.
    ConnectionId open(const SessionConfig &config);
    void close(ConnectionId id);
    /// The open one with this configuration, whatever its secrets.
    std::optional<ConnectionId> find(const SessionConfig &config) const;
    /// Null when there is no such connection (any more).
    SessionHandle *session(ConnectionId id) const;
    std::vector<ConnectionId> ids() const;
    TopicTreeModel *model() { return &m_model; }
    const SessionFactory &factory() const { return m_factory; }

    /// 0: only when asked.
    void setRefreshInterval(std::chrono::milliseconds interval);
    void refresh();
    void retry(ConnectionId id);
    /// Asks for the offsets of these topics, the first ones first, and brings them into the model.
    /// Takes the place of what was asked for before and has not been looked up yet.
    void wantOffsets(ConnectionId id, const QStringList &topics);

signals:
    void stateChanged(topicscope::ui::ConnectionId id);
    /// See SessionHandle::percentRead().
    void reading(topicscope::ui::ConnectionId id);
    /// The topics were listed; the model has them.
    void topicsListed(topicscope::ui::ConnectionId id);
    /// Of some of them the model has the offsets now.
    void topicsDescribed(topicscope::ui::ConnectionId id, const QStringList &topics);
    /// They could not be; what the model had stays.
    void listingFailed(topicscope::ui::ConnectionId id, const topicscope::Error &error);
    void closed(topicscope::ui::ConnectionId id);

private:
    struct Connection {
        ConnectionId id;
        SessionHandle *session;    ///< child of this
        RequestId listing = {};    ///< the answer waited for
        RequestId describing = {}; ///< the same, about offsets
        QStringList wanted = {};   ///< topics whose offsets are looked up next
    };

    Connection *find(ConnectionId id);
    void list(Connection &connection);
    void wire(ConnectionId id, SessionHandle *session);
    void describeNext(Connection &connection);
    void onStateChanged(ConnectionId id);

    SessionFactory m_factory;
    TopicTreeModel m_model;
    std::vector<Connection> m_connections;
    quint32 m_lastId = 0;
    QTimer m_refreshTimer;
};

} // namespace topicscope::ui
