#include "core/booblik/hostlookup.h"

#include <QUrl>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#ifdef Q_OS_WIN
#include <winsock2.h>
#include <ws2tcpip.h>
#else
#include <netdb.h>
#include <sys/socket.h>
#endif

namespace topicscope::booblik
{

using namespace Qt::StringLiterals;

namespace
{

struct Lookup {
    std::mutex mutex;
    std::condition_variable answered;
    std::optional<Result<QList<QHostAddress>>> answer;
};

Error hostUnknown(const QString &detail)
{
    Error error = Error::make(ErrorKind::Network, detail);
    error.networkCause = NetworkCause::HostUnknown;
    return error;
}

} // namespace

Result<QList<QHostAddress>> systemResolver(const QString &host)
{
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    const QByteArray ascii = QUrl::toAce(host);
    if (ascii.isEmpty())
        return hostUnknown(u"\"%1\" is not a host name"_s.arg(host));
    addrinfo *found = nullptr;
    const int status = getaddrinfo(ascii.constData(), nullptr, &hints, &found);
    if (status != 0) {
#ifdef Q_OS_WIN
        const QString reason = qt_error_string(status);
#else
        const QString reason = QString::fromLocal8Bit(gai_strerror(status));
#endif
        return hostUnknown(u"host name %1: %2"_s.arg(host, reason));
    }
    QList<QHostAddress> addresses;
    for (const addrinfo *entry = found; entry; entry = entry->ai_next) {
        const QHostAddress address(entry->ai_addr);
        if (!address.isNull() && !addresses.contains(address))
            addresses.append(address);
    }
    freeaddrinfo(found);
    if (addresses.isEmpty())
        return hostUnknown(u"host name %1 has no address"_s.arg(host));
    return addresses;
}

Result<QList<QHostAddress>> lookUpHost(const QString &host, const CallContext &context,
                                       const Resolver &resolver)
{
    if (const QHostAddress literal(host); !literal.isNull())
        return QList<QHostAddress>{literal};

    const auto lookup = std::make_shared<Lookup>();
    std::thread([lookup, host, resolver] {
        auto answer = resolver(host);
        const std::scoped_lock lock(lookup->mutex);
        lookup->answer = std::move(answer);
        lookup->answered.notify_one();
    }).detach();

    std::unique_lock lock(lookup->mutex);
    while (!lookup->answer) {
        if (auto interruption = context.interruption()) {
            interruption->detail = u"while looking up host name %1"_s.arg(host);
            return *std::move(interruption);
        }
        lookup->answered.wait_for(lock, context.slice());
    }
    return *std::move(lookup->answer);
}

} // namespace topicscope::booblik
