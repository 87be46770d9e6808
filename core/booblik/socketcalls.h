#pragma once

#include <QString>
#include <QtGlobal>

#include <chrono>
#include <cstddef>
#include <span>

namespace topicscope::booblik
{

// The three system calls on a connected, non-blocking socket that a blocking client needs, the same
// on POSIX and Windows. QTcpSocket makes and owns the socket; its own read and write paths would
// cost a copy and hide when the first byte leaves.
// Thread: the one that owns the socket.

struct Transfer {
    enum class State {
        Done,    ///< `bytes` were moved, at least 1
        Blocked, ///< nothing can be moved now
        Ended,   ///< receive only: the peer has shut down its sending side
        Failed,  ///< see `error`
    };
    State state = State::Blocked;
    qsizetype bytes = 0;
    QString error; ///< the system's words
};

Transfer receiveBytes(qintptr socket, std::span<std::byte> into);
Transfer sendBytes(qintptr socket, std::span<const std::byte> bytes);

/// One socket to wait for, and what came of it.
struct SocketWait {
    qintptr socket = -1;
    bool forReading = true;
    bool forWriting = false;
    bool readable = false; ///< also set for an error or an end, which the next call reports
    bool writable = false;
};

/// Waits until one of the sockets is ready, at most `limit`. Sockets below 0 are passed over.
void waitForSockets(std::span<SocketWait> waits, std::chrono::milliseconds limit);

} // namespace topicscope::booblik
