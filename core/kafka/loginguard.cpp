#include "core/kafka/loginguard.h"

#include <algorithm>

#ifdef Q_OS_WIN
#include <winsock2.h>
#else
#include <cerrno>
#include <sys/socket.h>
#endif

namespace topicscope::kafka
{

using namespace Qt::StringLiterals;

const int LoginGuard::kHeldBack = ECANCELED;

void LoginGuard::watch(rd_kafka_conf_t *conf)
{
    rd_kafka_conf_interceptor_add_on_new(conf, "topicscope", &LoginGuard::onNew, this);
}

rd_kafka_resp_err_t LoginGuard::onNew(rd_kafka_t *client, const rd_kafka_conf_t * /*conf*/,
                                      void *self, char * /*text*/, size_t /*textSize*/)
{
    return rd_kafka_interceptor_add_on_broker_state_change(client, "topicscope",
                                                           &LoginGuard::onState, self);
}

rd_kafka_resp_err_t LoginGuard::onState(rd_kafka_t * /*client*/, int32_t /*id*/,
                                        const char * /*protocol*/, const char *name, int port,
                                        const char *state, void *self)
{
    auto *guard = static_cast<LoginGuard *>(self);
    // Not by id: a bootstrap broker is given its own while it is connected.
    const QString broker = u"%1:%2"_s.arg(QString::fromUtf8(name)).arg(port);
    const QLatin1StringView now(state);
    const std::scoped_lock lock(guard->m_mutex);
    if (now == "UP"_L1)
        guard->m_connected.insert(broker);
    else if (now != "UPDATE"_L1) // of a connection that is up
        guard->m_connected.remove(broker);
    if (now == "DOWN"_L1)
        ++guard->m_losses;
    if (now.startsWith("AUTH"_L1)) // AUTH_HANDSHAKE, AUTH_REQ, AUTH_LEGACY
        guard->m_loggingIn.insert(broker);
    else if (guard->m_loggingIn.remove(broker) && now == "DOWN"_L1)
        ++guard->m_failures; // its error waits to be read by now
    return RD_KAFKA_RESP_ERR_NO_ERROR;
}

int LoginGuard::connect(int socket, const sockaddr *address, int length) const
{
    {
        const std::scoped_lock lock(m_mutex);
        if (m_closed || m_heard != m_failures)
            return kHeldBack;
    }
#ifdef Q_OS_WIN
    if (::connect(SOCKET(socket), address, length) == 0)
        return 0;
    const int error = WSAGetLastError();
    return error == WSAEWOULDBLOCK ? 0 : error;
#else
    if (::connect(socket, address, socklen_t(length)) == 0)
        return 0;
    return errno == EINPROGRESS ? 0 : errno;
#endif
}

quint64 LoginGuard::failures() const
{
    const std::scoped_lock lock(m_mutex);
    return m_failures;
}

void LoginGuard::heard(quint64 failures)
{
    const std::scoped_lock lock(m_mutex);
    m_heard = std::max(m_heard, failures);
}

void LoginGuard::close()
{
    const std::scoped_lock lock(m_mutex);
    m_closed = true;
}

bool LoginGuard::isLoggingIn() const
{
    const std::scoped_lock lock(m_mutex);
    return !m_loggingIn.isEmpty();
}

bool LoginGuard::isConnected() const
{
    const std::scoped_lock lock(m_mutex);
    return !m_connected.isEmpty();
}

bool LoginGuard::isConnected(const QString &endpoint) const
{
    const std::scoped_lock lock(m_mutex);
    return m_connected.contains(endpoint);
}

quint64 LoginGuard::losses() const
{
    const std::scoped_lock lock(m_mutex);
    return m_losses;
}

} // namespace topicscope::kafka
