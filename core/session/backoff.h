#pragma once

#include "core/base/error.h"

#include <algorithm>
#include <chrono>

namespace topicscope
{

/// Waits between attempts: the first, then doubling up to the last.
/// Thread: confined to its owner.
class BackOff
{
public:
    BackOff(std::chrono::milliseconds first, std::chrono::milliseconds max)
        : m_first(first)
        , m_max(max)
        , m_next(first)
    {
    }

    std::chrono::milliseconds next()
    {
        const auto wait = std::min(m_next, m_max);
        m_next = std::min(2 * m_next, m_max);
        return wait;
    }
    void reset() { m_next = m_first; }

private:
    std::chrono::milliseconds m_first;
    std::chrono::milliseconds m_max;
    std::chrono::milliseconds m_next;
};

/// Whether a failure says that the broker cannot be reached or understood. A broker's refusal does
/// not: it is an answer.
inline bool isConnectionFailure(const Error &error)
{
    return error.kind == ErrorKind::Network || error.kind == ErrorKind::Timeout ||
           error.kind == ErrorKind::Protocol;
}

/// Whether the broker refused who we are, or we cannot say it. Not repeated by itself: that would
/// lock the account.
inline bool isLoginRefused(const Error &error)
{
    return error.kind == ErrorKind::Network && !error.retriable &&
           (error.networkCause == NetworkCause::LoginRefused ||
            error.networkCause == NetworkCause::NoTicket);
}

/// Whether the same is tried again by itself, since it may end otherwise: not what the broker will
/// answer the same way, nor what would lock the account.
inline bool isTriedAgain(const Error &error)
{
    return !isLoginRefused(error) && (error.retriable || isConnectionFailure(error));
}

} // namespace topicscope
