#pragma once

#include "core/base/result.h"
#include "core/session/brokersession.h"
#include "core/session/workerthread.h"

#include <QHash>
#include <QObject>

#include <stop_token>
#include <vector>

namespace topicscope
{

class SessionWorker;

enum class ConnectionState {
    Connecting, ///< first attempt running
    Connected,
    Lost, ///< was or could not be connected; the next attempt comes after a back-off
};

/// One open session as the UI sees it: requests go out at once and come back as signals carrying
/// the RequestId; nothing here waits. The session itself lives on a thread of its own, which runs
/// one request at a time. Receivers compare ids and drop answers they no longer wait for.
///
/// Queue policy: listTopics at most one waiting; fetch newest wins (an older one is stopped and
/// ends with fetchFinished without more results); publish first in first out, 16 deep, then Busy.
///
/// A lost connection is retried with a back-off of 0.5 s doubling to 15 s until it is back.
///
/// Thread: lives on its creator's thread; all signals arrive there.
class SessionHandle final : public QObject
{
    Q_OBJECT
public:
    SessionHandle(const SessionFactory &factory, const SessionConfig &config,
                  QObject *parent = nullptr);
    /// Cancels everything and joins the thread; bounded by one wait slice.
    ~SessionHandle() override;
    Q_DISABLE_COPY_MOVE(SessionHandle)

    static constexpr int kMaxWaitingPublishes = 16;

    const SessionConfig &config() const { return m_config; }
    /// Known as soon as the worker has made its session; before that nothing is set.
    const Capabilities &capabilities() const { return m_capabilities; }
    ConnectionState state() const { return m_state; }
    /// Why the state is Lost.
    const Error &lastError() const { return m_lastError; }

    /// Answer: topicsListed or failed. Several calls may share one answer and one id.
    RequestId listTopics();

    /// Runs the requests in order. Each answers with fetched or fetchFailed (one bad partition does
    /// not hide the others); then fetchFinished, always. Empty list: fetchFinished alone.
    RequestId fetch(std::vector<FetchRequest> requests);

    /// Answer: published or failed. @error Busy at once when 16 are waiting; nothing was queued.
    Result<RequestId> publish(PublishRequest request);

    /// Searches a partition from `from` to its current end for a record with this value: did a
    /// publish whose answer was lost arrive? Answer: lookedFor or failed.
    RequestId lookFor(const TopicPartition &partition, Offset from, const QByteArray &value);

    /// Stops a waiting or running request: it ends with failed(Cancelled) or fetchFinished.
    void cancel(RequestId id);

    /// Tries to connect now instead of after the back-off.
    void reconnectNow();

signals:
    void stateChanged(topicscope::ConnectionState state);
    void capabilitiesKnown(const topicscope::Capabilities &capabilities);
    void topicsListed(topicscope::RequestId id, const topicscope::TopicList &topics);
    void fetched(topicscope::RequestId id, const topicscope::FetchResult &result);
    void fetchFailed(topicscope::RequestId id, const topicscope::TopicPartition &partition,
                     const topicscope::Error &error);
    void fetchFinished(topicscope::RequestId id);
    void published(topicscope::RequestId id, const topicscope::PublishResult &result);
    /// `offset` is nullopt when the record is not there (all of from … end was read).
    void lookedFor(topicscope::RequestId id, std::optional<topicscope::Offset> offset);
    void failed(topicscope::RequestId id, const topicscope::Error &error);

private:
    SessionConfig m_config;
    Capabilities m_capabilities;
    ConnectionState m_state = ConnectionState::Connecting;
    Error m_lastError;
    // Implementation follows with the worker.
};

} // namespace topicscope
