#pragma once

#include "core/kafka/brokerwatch.h"
#include "core/session/loginrefusal.h"

#include <atomic>
#include <memory>

struct sockaddr;

namespace topicscope::kafka
{

/// Keeps a client from repeating a login that was refused, to itself or to another of the same
/// connection, which could lock the account. The library connects again by itself, whether its
/// errors are read or not; so after a login that did not succeed there is no new connection until
/// somebody has read why, and none at all after a refusal.
///
/// Thread: any; the library's own threads call in.
class LoginGuard
{
public:
    /// `brokers` are this client's and must outlive the guard.
    LoginGuard(const BrokerWatch &brokers, std::shared_ptr<LoginRefusal> refusal);

    /// For the library's connect callback: begins to connect, unless a login is not to be tried.
    /// @return an error number; kHeldBack when it is not
    int connect(int socket, const sockaddr *address, int length) const;
    static const int kHeldBack;

    /// The errors of so many logins that failed have been read: of those there were before reading.
    void heard(quint64 failedLogins);
    /// The login was refused: no more of it.
    void refuse(const Error &error);
    /// Why none is tried any more.
    std::optional<Error> refusal() const;

private:
    const BrokerWatch &m_brokers;
    std::shared_ptr<LoginRefusal> m_refusal;
    quint64 m_forgotten; ///< refusals that are no longer heeded
    std::atomic<quint64> m_heard = 0;
};

} // namespace topicscope::kafka
