#include "core/kafka/brokerwatch.h"

namespace topicscope::kafka
{

using namespace Qt::StringLiterals;

void BrokerWatch::watch(rd_kafka_conf_t *conf)
{
    rd_kafka_conf_interceptor_add_on_new(conf, "topicscope", &BrokerWatch::onNew, this);
}

rd_kafka_resp_err_t BrokerWatch::onNew(rd_kafka_t *client, const rd_kafka_conf_t * /*conf*/,
                                       void *self, char * /*text*/, size_t /*textSize*/)
{
    return rd_kafka_interceptor_add_on_broker_state_change(client, "topicscope",
                                                           &BrokerWatch::onState, self);
}

rd_kafka_resp_err_t BrokerWatch::onState(rd_kafka_t * /*client*/, int32_t /*id*/,
                                         const char * /*protocol*/, const char *name, int port,
                                         const char *state, void *self)
{
    auto *watch = static_cast<BrokerWatch *>(self);
    // Not by id: a bootstrap broker is given its own while it is connected.
    const QString broker = u"%1:%2"_s.arg(QString::fromUtf8(name)).arg(port);
    const QLatin1StringView now(state);
    const std::scoped_lock lock(watch->m_mutex);
    if (now == "UP"_L1)
        watch->m_connected.insert(broker);
    else if (now != "UPDATE"_L1) // of a connection that is up
        watch->m_connected.remove(broker);
    if (now == "DOWN"_L1)
        ++watch->m_losses;
    if (now.startsWith("AUTH"_L1)) // AUTH_HANDSHAKE, AUTH_REQ, AUTH_LEGACY
        watch->m_loggingIn.insert(broker);
    else if (watch->m_loggingIn.remove(broker) && now == "DOWN"_L1)
        ++watch->m_failedLogins; // its error waits to be read by now
    return RD_KAFKA_RESP_ERR_NO_ERROR;
}

bool BrokerWatch::isLoggingIn() const
{
    const std::scoped_lock lock(m_mutex);
    return !m_loggingIn.isEmpty();
}

bool BrokerWatch::isConnected() const
{
    const std::scoped_lock lock(m_mutex);
    return !m_connected.isEmpty();
}

bool BrokerWatch::isConnected(const QString &endpoint) const
{
    const std::scoped_lock lock(m_mutex);
    return m_connected.contains(endpoint);
}

quint64 BrokerWatch::losses() const
{
    const std::scoped_lock lock(m_mutex);
    return m_losses;
}

quint64 BrokerWatch::failedLogins() const
{
    const std::scoped_lock lock(m_mutex);
    return m_failedLogins;
}

} // namespace topicscope::kafka
