#pragma once

#include <QSet>
#include <QString>

#include <librdkafka/rdkafka.h>

#include <mutex>

namespace topicscope::kafka
{

/// Knows which brokers of a client are connected at this moment, while errors wait to be read.
/// Thread: any; the library's own threads call in.
class BrokerWatch
{
public:
    /// Makes a client that is made with this configuration tell its brokers' states. This must
    /// outlive it.
    void watch(rd_kafka_conf_t *conf);

    /// Whether a broker has been asked for a login and has not answered yet.
    bool isLoggingIn() const;
    /// Whether any broker is connected and ready.
    bool isConnected() const;
    /// Whether this one is: "host:port".
    bool isConnected(const QString &endpoint) const;
    /// Connections lost, and attempts at one that failed, so far.
    quint64 losses() const;
    /// Logins that ended without success so far.
    quint64 failedLogins() const;

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
    quint64 m_failedLogins = 0;
};

} // namespace topicscope::kafka
