#pragma once

#include "core/session/brokersession.h"
#include "core/session/connectionstate.h"
#include "core/session/workerthread.h"

#include <QObject>

#include <stop_token>
#include <utility>
#include <vector>

namespace topicscope
{

class FollowWorker;

/// Follow mode: a session and connections of its own, on a thread of its own, delivering the
/// batches of one or several partitions as they grow, from given offsets on.
///
/// Back-pressure by credits: the worker starts with kCredits and spends one for each batch it
/// delivers; the receiver calls returnCredit() once it has taken a batch in. Without credits the
/// worker does not ask the broker, so a pause (withholding credits) loses nothing.
///
/// A lost connection is retried with the back-off of SessionHandle, going on where it stopped:
/// every record is delivered once, in order. What would be answered the same way is not retried:
/// see isTriedAgain().
///
/// Thread: lives on its creator's thread; all signals arrive there, never from inside a call.
/// A receiver that wants to be rid of the handle uses deleteLater().
class FollowHandle final : public QObject
{
    Q_OBJECT
public:
    FollowHandle(const SessionFactory &factory, const SessionConfig &config, FollowRequest request,
                 QObject *parent = nullptr);
    /// Cancels and does not wait: a blocked call ends on its own thread, within one wait slice.
    ~FollowHandle() override;
    Q_DISABLE_COPY_MOVE(FollowHandle)

    static constexpr int kCredits = 2;

    ConnectionState state() const { return m_state; }
    const Error &lastError() const { return m_lastError; }

    void returnCredit();
    /// Goes on at `offset` in a partition that rests behind an oversized or damaged record.
    void skipTo(const TopicPartition &partition, Offset offset);

signals:
    /// Also when what is Lost already is not tried again any more.
    void stateChanged(topicscope::ConnectionState state);
    void fetched(const topicscope::FetchResult &result);
    /// One partition cannot be followed; the others go on.
    void partitionFailed(const topicscope::TopicPartition &partition,
                         const topicscope::Error &error);

private:
    ConnectionState m_state = ConnectionState::Connecting;
    Error m_lastError;
    std::stop_source m_stop;
    FollowWorker *m_worker; ///< lives on m_thread and dies with it, not with this
    ReleasedThread m_thread;
};

} // namespace topicscope
