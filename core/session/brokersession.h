#pragma once

#include "core/base/callcontext.h"
#include "core/base/result.h"
#include "core/session/capabilities.h"
#include "core/session/clusterinfo.h"
#include "core/session/fetch.h"
#include "core/session/groups.h"
#include "core/session/publish.h"
#include "core/session/sessionconfig.h"
#include "core/session/topicinfo.h"

#include <functional>
#include <memory>
#include <vector>

namespace topicscope
{

/// Reads several partitions as they grow, on connections of its own, losing and skipping nothing:
/// it asks for more only when next() is called, which is what gives back-pressure.
/// Thread: confined to the thread that made it; blocking.
class RecordFollower
{
public:
    virtual ~RecordFollower() = default;

    /// Waits for the next batch of any partition; partitions take turns when several have records.
    /// Results with end RecordExceedsMaxBytes, EmptyBelowHighWatermark or ImpossibleSize come once;
    /// that partition then rests until skipTo() is called for it.
    /// @error Timeout when the context's deadline passes without a batch; nothing is lost, call
    /// again.
    /// @error Network, Protocol: the follower is dead; open a new one at positions().
    /// @error Broker with where.partition set: that partition rests; call again for the others.
    virtual Result<FetchResult> next(const CallContext &context) = 0;

    /// Goes on at `offset` in one partition (after an oversized or damaged record).
    virtual void skipTo(const TopicPartition &partition, Offset offset) = 0;

    /// Next offset per partition: everything before it has been returned by next().
    virtual std::vector<std::pair<TopicPartition, Offset>> positions() const = 0;
};

/// One broker, as every caller sees it. Blocking; each call takes a CallContext and is back within
/// 50 ms of a cancel. Opened lazily: every call (re)connects when there is no connection.
/// Thread: confined to one thread. Not a QObject.
class BrokerSession
{
public:
    explicit BrokerSession(SessionConfig config)
        : m_config(std::move(config))
    {
    }
    virtual ~BrokerSession() = default;
    Q_DISABLE_COPY_MOVE(BrokerSession)

    const SessionConfig &config() const { return m_config; }

    virtual Capabilities capabilities() const = 0;

    /// What is wrong with the source as a whole although it can be read, in sentences; known once
    /// open() succeeded, empty: nothing.
    virtual QString remark() const { return {}; }

    /// How much of a source that has to be read before it can be used is read.
    using Reading = std::function<void(int percent)>;
    /// Hears of it on the session's thread, while a call reads; growing figures, each once.
    void setReading(Reading told) { m_reading = std::move(told); }

    /// Connects. @error Network, Timeout, Cancelled.
    virtual Result<void> open(const CallContext &context) = 0;

    /// All topics with their partitions, by name. Offsets that would have to be looked up are not
    /// (PartitionInfo::offsetsKnown): a cluster may have tens of thousands of partitions.
    /// Looking leaves no trace.
    virtual Result<TopicList> listTopics(const CallContext &context) = 0;

    /// These topics as they are now, with offsets, by name; those that are not there are left out.
    virtual Result<TopicList> describeTopics(const QStringList &names, const CallContext &context);

    /// What the topic demands of a record. Only where Capabilities::topicRules is set.
    /// @error Unsupported; Broker (TOPIC_AUTHORIZATION_FAILED, ...): this user may not know.
    virtual Result<TopicRules> topicRules(const QString &topic, const CallContext &context);

    /// The brokers as of the last listTopics(). Only where Capabilities::brokers is set.
    /// @error Unsupported.
    virtual Result<ClusterInfo> describeCluster(const CallContext &context);

    /// @error Broker (OFFSET_OUT_OF_RANGE, UNKNOWN_TOPIC_OR_PARTITION, ...), Network, Protocol,
    /// Timeout, Cancelled; InvalidArgument when maxWait is not below the request timeout.
    virtual Result<FetchResult> fetch(const FetchRequest &request, const CallContext &context) = 0;

    /// Fetches that come next, of several partitions and one isolation level, in this order: an
    /// engine may begin with some before it is asked for them. Empty: no more come.
    virtual void expect(const std::vector<FetchRequest> & /*requests*/) {}

    /// Publishes one record, once: never repeated by us. Refused with ReadOnly here, before the
    /// engine is asked, when the session is read-only; with InvalidArgument when the ack policy or
    /// the compression is not one of the engine's.
    /// @error ReadOnly, InvalidArgument, PartitionsChanged, Broker: nothing was stored.
    /// @error Network, Timeout, Cancelled: nothing was sent.
    /// @error OutcomeUnknown: sent, and no answer came; where.offset is the end offset before
    /// sending.
    Result<PublishResult> publish(const PublishRequest &request, const CallContext &context);

    /// Follows partitions from the given offsets on connections of their own.
    virtual Result<std::unique_ptr<RecordFollower>> follow(const FollowRequest &request,
                                                           const CallContext &context) = 0;

    /// Where each partition stood at a time, in ms since 1970: its first record at or after it.
    /// Each partition answers for itself. @error Unsupported where records have no times;
    /// InvalidArgument for times before 1970.
    virtual Result<QList<TimeOffset>> offsetsAtTime(const QList<TopicPartition> &partitions,
                                                    qint64 timeMs, const CallContext &context);

    /// Its consumer groups; null where an engine has none (Capabilities::groups).
    virtual GroupReader *groups() { return nullptr; }

    virtual void close() = 0;

protected:
    /// Empty: nobody listens.
    const Reading &reading() const { return m_reading; }

private:
    /// Asks context.mayBeSent() before the first byte of the record.
    virtual Result<PublishResult> doPublish(const PublishRequest &request,
                                            const CallContext &context) = 0;

    SessionConfig m_config;
    Reading m_reading;
};

/// Makes a session for a config, on the thread that will own it. Injected by `app` and by tests.
using SessionFactory = std::function<std::unique_ptr<BrokerSession>(const SessionConfig &)>;

} // namespace topicscope
