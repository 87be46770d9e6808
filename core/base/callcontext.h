#pragma once

#include "core/base/error.h"

#include <QDeadlineTimer>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>

namespace topicscope
{

/// Blocking code waits in slices no longer than this and looks at its CallContext in between, which
/// bounds how long a cancel takes.
inline constexpr std::chrono::milliseconds kWaitSlice{20};

/// What must not be sent any more against what must not be given up any more: whoever comes first
/// decides. Thread: any.
class SendGate
{
public:
    /// The sender, before the first byte. False: shut, nothing may be sent.
    bool pass() { return decide(State::Passed); }
    /// Whoever gives up. False: passed, something may have been sent.
    bool shut() { return decide(State::Shut); }

private:
    enum class State { Open, Passed, Shut };

    bool decide(State wanted)
    {
        State found = State::Open;
        return m_state.compare_exchange_strong(found, wanted) || found == wanted;
    }

    std::atomic<State> m_state = State::Open;
};

/// How long a blocking call may take, and who may interrupt it. Given to every blocking call.
/// Thread: the token may be triggered from any thread; the rest belongs to the caller.
struct CallContext {
    QDeadlineTimer deadline{QDeadlineTimer::Forever};
    std::stop_token stop;
    std::shared_ptr<SendGate> gate; ///< for what must not be sent twice; may be null

    CallContext() = default;
    explicit CallContext(QDeadlineTimer d, std::stop_token s = {})
        : deadline(d)
        , stop(std::move(s))
    {
    }
    explicit CallContext(std::chrono::milliseconds limit, std::stop_token s = {})
        : deadline(limit)
        , stop(std::move(s))
    {
    }

    /// Cancelled or Timeout when the call has to end now.
    std::optional<Error> interruption() const
    {
        if (stop.stop_requested())
            return Error::make(ErrorKind::Cancelled, {});
        if (deadline.hasExpired())
            return Error::make(ErrorKind::Timeout, {});
        return std::nullopt;
    }

    /// Time for the next wait: at most one slice, at most what is left, at least 0.
    std::chrono::milliseconds slice() const
    {
        if (deadline.isForever())
            return kWaitSlice;
        const auto left = std::chrono::milliseconds(deadline.remainingTime());
        return std::min(left, kWaitSlice);
    }

    /// The same call, ending no later than `limit` from now.
    CallContext within(std::chrono::milliseconds limit) const
    {
        CallContext limited = *this;
        limited.deadline = std::min(QDeadlineTimer(limit), deadline);
        return limited;
    }

    /// Asked once, before what cannot be taken back.
    bool mayBeSent() const { return !gate || gate->pass(); }
};

} // namespace topicscope
