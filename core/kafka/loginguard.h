#pragma once

#include <QSet>
#include <QString>

#include <librdkafka/rdkafka.h>

#include <mutex>

struct sockaddr;

namespace topicscope::kafka
{

/// Keeps a client from repeating a login that was refused, which could lock the account. The
/// library connects again by itself, whether its errors are read or not; so after a login that did
/// not succeed there is no new connection until somebody has read why, and none at all after a
/// refusal.
///
/// And knows which brokers are connected at this moment, while errors wait to be read.
///
/// Thread: any; the library's own threads call in.
class LoginGuard
{
public:
    /// Makes a client that is made with this configuration tell its brokers' states. The guard must
    /// outlive it.
    void watch(rd_kafka_conf_t *conf);

    /// For the library's connect callback: begins to connect, unless a login is not to be tried.
    /// @return an error number; kHeldBack when it is not
    int connect(int socket, const sockaddr *address, int length) const;
    static const int kHeldBack;

    /// Logins that ended without success so far. Read this, then the client's errors, then tell.
    quint64 failures() const;
    /// The errors of so many failures have been read.
    void heard(quint64 failures);
    /// The login was refused: no more of it.
    void close();

    /// Whether a broker has been asked for a login and has not answered yet.
    bool isLoggingIn() const;
    /// Whether any broker is connected and ready.
    bool isConnected() const;
    /// Whether this one is: "host:port".
    bool isConnected(const QString &endpoint) const;
    /// Connections lost, and attempts at one that failed, so far.
    quint64 losses() const;

private:
    static rd_kafka_resp_err_t onNew(rd_kafka_t *client, const rd_kafka_conf_t *conf, void *self,
                                     char *text, size_t textSize);
    static rd_kafka_resp_err_t onState(rd_kafka_t *client, int32_t id, const char *protocol,
                                       const char *name, int port, const char *state, void *self);

    mutable std::mutex m_mutex;
    // "host:port"
    QSet<QString> m_loggingIn;
    QSet<QString> m_connected;
    quint64 m_losses = 0;
    quint64 m_failures = 0;
    quint64 m_heard = 0;
    bool m_closed = false;
};

} // namespace topicscope::kafka
