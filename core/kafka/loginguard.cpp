#include "core/kafka/loginguard.h"

#ifdef Q_OS_WIN
#include <winsock2.h>
#else
#include <cerrno>
#include <sys/socket.h>
#endif

namespace topicscope::kafka
{

const int LoginGuard::kHeldBack = ECANCELED;

LoginGuard::LoginGuard(const BrokerWatch &brokers, std::shared_ptr<LoginRefusal> refusal)
    : m_brokers(brokers)
    , m_refusal(std::move(refusal))
    , m_forgotten(m_refusal->forgotten())
{
}

int LoginGuard::connect(int socket, const sockaddr *address, int length) const
{
    if (m_heard != m_brokers.failedLogins() || refusal())
        return kHeldBack;
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

void LoginGuard::heard(quint64 failedLogins)
{
    m_heard = failedLogins;
}

void LoginGuard::refuse(const Error &error)
{
    m_refusal->add(error);
}

std::optional<Error> LoginGuard::refusal() const
{
    return m_refusal->since(m_forgotten);
}

} // namespace topicscope::kafka
