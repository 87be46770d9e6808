#pragma once

#include "core/base/result.h"
#include "core/session/backoff.h"
#include "core/session/brokersession.h"
#include "core/session/connectionstate.h"
#include "core/session/lookfor.h"
#include "core/session/workerthread.h"

#include <QObject>
#include <QTimer>

#include <deque>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace topicscope
{

class SessionWorker;

/// One open session as the UI sees it: requests go out at once and come back as signals carrying
/// the RequestId; nothing here waits. The session itself lives on a thread of its own, which runs
/// one request at a time. Receivers compare ids and drop answers they no longer wait for.
///
/// Queue policy: listTopics at most one waiting; describeTopics the same, for the names of all
/// calls; fetch newest wins (an older one is stopped and ends with fetchFinished without more
/// results); publish first in first out, 16 deep, then Busy; listGroups as listTopics;
/// describeGroup and offsetsAtTime newest wins (an older one ends with failed(Cancelled)).
///
/// A lost connection is retried with a back-off of 0.5 s doubling to 15 s (see SessionConfig) until
/// it is back. Requests do not wait for that: each tries at once, and its success ends the state
/// Lost. Publishing is never repeated. After a refused login every request ends with that refusal,
/// and nobody is asked, until reconnectNow().
///
/// Thread: lives on its creator's thread; all signals arrive there, never from inside a call but
/// the destructor's.
/// A receiver that wants to be rid of the handle uses deleteLater().
class SessionHandle final : public QObject
{
    Q_OBJECT
public:
    SessionHandle(const SessionFactory &factory, const SessionConfig &config,
                  QObject *parent = nullptr);
    /// Cancels everything and does not wait: a blocked call ends on its own thread, within one wait
    /// slice, and the session with it. Publishes without an answer get it from inside, see
    /// publish().
    ~SessionHandle() override;
    Q_DISABLE_COPY_MOVE(SessionHandle)

    static constexpr int kMaxWaitingPublishes = 16;

    const SessionConfig &config() const { return m_config; }
    /// Known as soon as the worker has made its session; before that nothing is set.
    const Capabilities &capabilities() const { return m_capabilities; }
    ConnectionState state() const { return m_state; }
    /// While Connecting: how much of a source is read that has to be, in per cent.
    std::optional<int> percentRead() const { return m_percentRead; }
    /// Why the state is Lost.
    const Error &lastError() const { return m_lastError; }

    /// Answer: topicsListed or failed. Several calls may share one answer and one id. Where
    /// Capabilities::brokers is set, clusterDescribed comes right before topicsListed.
    RequestId listTopics();

    /// Asks for these topics' offsets, leaders and replicas as they are now. Answer:
    /// topicsDescribed or failed. Several calls may share one answer, which then has the topics of
    /// all, and one id; cancel() of it ends it for all.
    RequestId describeTopics(const QStringList &names);

    /// Asks what the topic demands of a record. Answer: topicRulesRead, or failed(Cancelled) when
    /// a newer one took its place. Of the connection's state only a refused login says something.
    RequestId readTopicRules(const QString &topic);

    /// Runs the requests in order. Each answers with fetched or fetchFailed (one bad partition does
    /// not hide the others); then fetchFinished, always. Empty list: fetchFinished alone.
    RequestId fetch(std::vector<FetchRequest> requests);

    /// Answer: published or failed, also when the handle is destroyed: Closed, nothing was or will
    /// be sent; OutcomeUnknown where sending had begun. @error Busy at once when 16
    /// are waiting; nothing was queued.
    Result<RequestId> publish(PublishRequest request);

    /// Searches a partition from `from` to its current end for a record with this value: did a
    /// publish whose answer was lost arrive? Answer: lookedFor or failed.
    RequestId lookFor(const TopicPartition &partition, Offset from, const QByteArray &value);

    /// Answer: groupsListed or failed. Several calls may share one answer and one id.
    RequestId listGroups();

    /// Answer: groupDescribed or failed.
    RequestId describeGroup(const QString &group);

    /// See BrokerSession::offsetsAtTime(). Answer: offsetsFound or failed.
    RequestId offsetsAtTime(const QList<TopicPartition> &partitions, qint64 timeMs);

    /// Stops a waiting or running request: it ends with failed(Cancelled) or fetchFinished; with
    /// its answer when that was quicker; a publish already sent ends with failed(OutcomeUnknown).
    void cancel(RequestId id);

    /// Tries to connect now instead of after the back-off, also with a login that was refused; when
    /// a request is running and fails, once more behind it.
    void reconnectNow();

signals:
    void stateChanged(topicscope::ConnectionState state);
    /// Once at the beginning; of a source that has to be read first, again before its first answer.
    void capabilitiesKnown(const topicscope::Capabilities &capabilities);
    /// percentRead() is another.
    void reading(int percent);
    /// What is wrong with the source as a whole although it can be read; empty: nothing any more.
    void remarked(const QString &remark);
    void clusterDescribed(topicscope::RequestId id, const topicscope::ClusterInfo &cluster);
    void topicsListed(topicscope::RequestId id, const topicscope::TopicList &topics);
    /// Topics that are not there (any more) are left out.
    void topicsDescribed(topicscope::RequestId id, const topicscope::TopicList &topics);
    /// nullopt: they cannot be known, for want of the right or of an answer.
    void topicRulesRead(topicscope::RequestId id,
                        const std::optional<topicscope::TopicRules> &rules);
    void fetched(topicscope::RequestId id, const topicscope::FetchResult &result);
    void fetchFailed(topicscope::RequestId id, const topicscope::TopicPartition &partition,
                     const topicscope::Error &error);
    void fetchFinished(topicscope::RequestId id);
    void published(topicscope::RequestId id, const topicscope::PublishResult &result);
    /// `offset` is nullopt when the record is not there (all of from … end was read).
    void lookedFor(topicscope::RequestId id, const topicscope::LookForResult &result);
    void groupsListed(topicscope::RequestId id, const topicscope::GroupList &list);
    void groupDescribed(topicscope::RequestId id, const topicscope::GroupInfo &group);
    void offsetsFound(topicscope::RequestId id, const QList<topicscope::TimeOffset> &offsets);
    void failed(topicscope::RequestId id, const topicscope::Error &error);

private:
    enum class Kind {
        Connect,
        ListTopics,
        DescribeTopics,
        ReadTopicRules,
        Fetch,
        Publish,
        LookFor,
        ListGroups,
        DescribeGroup,
        OffsetsAtTime
    };
    using Run = std::function<void(SessionWorker &, RequestId, const std::stop_token &)>;
    struct Request {
        RequestId id;
        Kind kind = Kind::Connect;
        Run run; ///< called on the worker's thread
        std::stop_source stop;
        std::shared_ptr<SendGate> gate; ///< of a publish
        QStringList topics = {};        ///< of describeTopics
        bool isOverruled = false;       ///< its failure is no reason not to connect: reconnectNow()
    };

    /// The id of a waiting request of this kind, else a new one's.
    RequestId coalesce(Kind kind, Run run);
    /// In place of one of its kind that waits or runs.
    RequestId replace(Kind kind, Run run);
    RequestId enqueue(Kind kind, Run run, std::shared_ptr<SendGate> gate = {},
                      QStringList topics = {});
    void runNext();
    /// An attempt to connect, unless a request makes one.
    void connectSoon();
    void connectWorker();
    /// The running request, when it has this id and has not been stopped.
    bool isWanted(RequestId id) const;
    void onPublishEnded(RequestId id);
    void onFinished(RequestId id);
    void onAnswered();
    void onFailure(const Error &error);
    bool provesUnusable(const Error &error) const;
    void lose(const Error &error);
    void setState(ConnectionState state);

    SessionConfig m_config;
    Capabilities m_capabilities;
    ConnectionState m_state = ConnectionState::Connecting;
    std::optional<int> m_percentRead;
    Error m_lastError;
    bool m_closing = false;          ///< nothing more is given to the worker
    bool m_connectionInDoubt = true; ///< an attempt to connect shall settle the state
    BackOff m_backOff;
    QTimer m_retry;
    quint64 m_lastId = 0;
    std::deque<Request> m_waiting;
    std::optional<Request> m_running;
    SessionWorker *m_worker; ///< lives on m_thread and dies with it, not with this
    ReleasedThread m_thread;
};

} // namespace topicscope
