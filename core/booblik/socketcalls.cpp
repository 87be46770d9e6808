#include "core/booblik/socketcalls.h"

#include <algorithm>
#include <limits>
#include <vector>

#ifdef Q_OS_WIN
#include <winsock2.h>
#else
#include <cerrno>
#include <poll.h>
#include <sys/socket.h>
#endif

namespace topicscope::booblik
{

namespace
{

#ifdef Q_OS_WIN
using NativeSocket = SOCKET;
using PollEntry = WSAPOLLFD;
constexpr int kSendFlags = 0;

int lastError()
{
    return WSAGetLastError();
}
bool isBlocked(int error)
{
    return error == WSAEWOULDBLOCK;
}
bool isInterrupted(int error)
{
    return error == WSAEINTR;
}
int pollSockets(PollEntry *entries, size_t count, int milliseconds)
{
    return WSAPoll(entries, ULONG(count), milliseconds);
}
#else
using NativeSocket = int;
using PollEntry = pollfd;
#ifdef MSG_NOSIGNAL
constexpr int kSendFlags = MSG_NOSIGNAL;
#else
constexpr int kSendFlags = 0; // Qt ignores SIGPIPE for the process where sockets cannot
#endif

int lastError()
{
    return errno;
}
bool isBlocked(int error)
{
    return error == EAGAIN || error == EWOULDBLOCK;
}
bool isInterrupted(int error)
{
    return error == EINTR;
}
int pollSockets(PollEntry *entries, size_t count, int milliseconds)
{
    return ::poll(entries, nfds_t(count), milliseconds);
}
#endif

/// Sizes are capped because Windows takes an int.
size_t capped(size_t bytes)
{
    return std::min(bytes, size_t(std::numeric_limits<int>::max()));
}

template <typename Call>
Transfer transfer(Call call)
{
    for (;;) {
        const auto moved = call();
        if (moved > 0)
            return {Transfer::State::Done, qsizetype(moved), {}};
        if (moved == 0)
            return {Transfer::State::Ended, 0, {}};
        const int error = lastError();
        if (isInterrupted(error))
            continue;
        if (isBlocked(error))
            return {Transfer::State::Blocked, 0, {}};
        return {Transfer::State::Failed, 0, qt_error_string(error)};
    }
}

} // namespace

Transfer receiveBytes(qintptr socket, std::span<std::byte> into)
{
    Q_ASSERT(!into.empty());
    return transfer([&] {
        return ::recv(NativeSocket(socket), reinterpret_cast<char *>(into.data()),
                      capped(into.size()), 0);
    });
}

Transfer sendBytes(qintptr socket, std::span<const std::byte> bytes)
{
    Q_ASSERT(!bytes.empty());
    return transfer([&] {
        return ::send(NativeSocket(socket), reinterpret_cast<const char *>(bytes.data()),
                      capped(bytes.size()), kSendFlags);
    });
}

void waitForSockets(std::span<SocketWait> waits, std::chrono::milliseconds limit)
{
    std::vector<PollEntry> entries(waits.size());
    for (size_t i = 0; i < waits.size(); ++i) {
        entries[i].fd = NativeSocket(waits[i].socket);
        entries[i].events =
            short((waits[i].forReading ? POLLIN : 0) | (waits[i].forWriting ? POLLOUT : 0));
        waits[i].readable = false;
        waits[i].writable = false;
    }
    const int milliseconds = int(std::clamp<qint64>(limit.count(), 0, 60'000));
    if (pollSockets(entries.data(), entries.size(), milliseconds) <= 0)
        return; // the time is over, or a signal came: the caller looks at its context and comes
                // back
    for (size_t i = 0; i < waits.size(); ++i) {
        const int events = entries[i].revents;
        const bool broken = (events & (POLLERR | POLLHUP | POLLNVAL)) != 0;
        waits[i].readable = broken || (events & POLLIN) != 0;
        waits[i].writable = broken || (events & POLLOUT) != 0;
    }
}

} // namespace topicscope::booblik
