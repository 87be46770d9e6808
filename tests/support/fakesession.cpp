#include "tests/support/fakesession.h"

#include "core/base/bytewriter.h"
#include "core/records/recordcodec.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>

namespace topicscope::test
{

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{

struct Partition {
    Offset logStart;
    QList<QByteArray> values; // as published; index 0 is offset 0
    QList<QByteArray> stored; // with header, perhaps damaged
    QList<qint64> timesMs;
    std::set<Offset> missing;
    std::optional<Offset> lastStable;
    std::optional<Error> error;
    std::optional<qint32> leader;
    QList<qint32> replicas;
    QList<qint32> inSync;

    Offset highWatermark() const { return Offset{values.size()}; }
};

struct Topic {
    std::vector<Partition> partitions;
    std::optional<Error> error;
    bool internal = false;
    std::optional<TopicRules> rules;

    TopicInfo info(const QString &name, bool withOffsets) const
    {
        TopicInfo info{name, {}, error, internal};
        if (error)
            return info;
        for (const Partition &partition : partitions) {
            PartitionInfo shown;
            shown.id = PartitionId{qint32(info.partitions.size())};
            shown.error = partition.error;
            shown.leader = partition.leader;
            shown.replicas = partition.replicas;
            shown.inSyncReplicas = partition.inSync;
            shown.offsetsKnown = withOffsets && partition.leader != -1;
            if (shown.offsetsKnown) {
                shown.logStartOffset = partition.logStart;
                shown.highWatermark = partition.highWatermark();
                shown.lastStableOffset = partition.lastStable.value_or(shown.highWatermark);
            }
            info.partitions.append(shown);
        }
        return info;
    }
};

struct Script {
    int calls = 0;
    bool blocked = false;
    bool deaf = false;
    int waiting = 0;
    bool admitted = false; // by releaseOne()
    int failures = 0;
    std::optional<Error> error;
};

constexpr qint16 kUnknownTopicOrPartition = 1;
constexpr qint16 kOffsetOutOfRange = 2;
constexpr qint16 kRecordTooLarge = 3;
constexpr qint16 kTopicAuthorizationFailed = 29;

constexpr auto kDeafness = 10s;

using Lock = std::unique_lock<std::mutex>;

} // namespace

struct FakeBroker::State {
    mutable std::mutex mutex;
    std::condition_variable changed;
    std::map<QString, Topic> topics;
    std::map<QString, GroupInfo> groups;
    QList<Error> groupListErrors;
    std::map<Call, Script> scripts;
    Capabilities capabilities = booblikCapabilities();
    bool down = false;
    int generation = 0; // counts breakdowns: a follower of an older one is dead
    bool offsetsAskedFor = false;
    ClusterInfo cluster;
    QList<QStringList> describedTopics;
    std::optional<bool> losePublish;
    RoundRobin roundRobin;
    std::vector<FetchRequest> fetchRequests;
    std::vector<PublishRequest> publishRequests;
    std::vector<FollowRequest> followRequests;
    int liveSessions = 0;
    int liveFollowers = 0;

    Partition *find(const TopicPartition &at)
    {
        const auto topic = topics.find(at.topic);
        const auto index = size_t(at.partition.value);
        if (topic == topics.end() || index >= topic->second.partitions.size())
            return nullptr;
        return &topic->second.partitions[index];
    }

    Partition &get(const QString &topic, qint32 partition)
    {
        Partition *found = find({topic, PartitionId{partition}});
        Q_ASSERT_X(found, "FakeBroker", "no such partition: addTopic() first");
        return *found;
    }

    /// Sleeps until something changes, at most one slice; the interruption, if there is one.
    std::optional<Error> sleep(Lock &lock, const CallContext &context)
    {
        if (auto interrupted = context.interruption())
            return interrupted;
        changed.wait_for(lock, std::max(context.slice(), std::chrono::milliseconds(1)));
        return context.interruption();
    }

    /// Counts the call, blocks and fails it as scripted.
    std::optional<Error> enter(Lock &lock, Call call, const CallContext &context)
    {
        Script &script = scripts[call];
        ++script.calls;
        if (script.blocked) {
            ++script.waiting;
            std::optional<Error> interrupted;
            const QDeadlineTimer deafUntil(script.deaf ? kDeafness : 0ms);
            while (script.blocked && !script.admitted && !down && !interrupted) {
                if (deafUntil.hasExpired())
                    interrupted = sleep(lock, context);
                else
                    changed.wait_for(lock, 50ms);
            }
            --script.waiting;
            script.admitted = false;
            if (interrupted)
                return interrupted;
        }
        if (auto interrupted = context.interruption())
            return interrupted;
        if (down)
            return networkError();
        if (script.failures > 0) {
            --script.failures;
            return script.error;
        }
        return std::nullopt;
    }

    Result<FetchResult> read(const FetchRequest &request)
    {
        const Partition *partition = find(request.partition);
        const ErrorPlace where{
            request.partition.topic, request.partition.partition, request.offset, {}, {}};
        if (!partition)
            return refused(kUnknownTopicOrPartition, u"UNKNOWN_TOPIC_OR_PARTITION"_s, where);
        if (partition->error) {
            Error error = *partition->error;
            error.where = where;
            return error;
        }
        if (request.offset < partition->logStart || request.offset > partition->highWatermark())
            return refused(kOffsetOutOfRange, u"OFFSET_OUT_OF_RANGE"_s, where);

        FetchResult result;
        result.partition = request.partition;
        result.fetchOffset = request.offset;
        result.highWatermark = partition->highWatermark();
        const bool committed = request.isolation == Isolation::ReadCommitted;
        const Offset end =
            committed ? partition->lastStable.value_or(result.highWatermark) : result.highWatermark;
        QByteArray payload;
        for (Offset at = request.offset;
             at < end && payload.size() < request.maxBytes && !partition->missing.contains(at);
             at = at + 1) {
            payload += partition->stored.at(at.value);
        }
        payload.truncate(request.maxBytes);
        auto decoded = decodeRecords(request.partition, payload, 0, request.offset);
        Q_ASSERT(decoded.ok());
        result.chunk =
            capabilities.timestamps ? timed(*decoded->chunk, payload, *partition) : decoded->chunk;
        result.nextOffset = request.offset + qint64(result.chunk->records().size());
        if (committed && result.nextOffset >= end)
            result.lastStableOffset = end;
        if (decoded->end == PayloadEnd::ImpossibleSize) {
            result.end = FetchEnd::ImpossibleSize;
            result.endRecordBytes = decoded->endRecordBytes;
        } else if (result.chunk->isEmpty()) {
            result.endRecordBytes = decoded->endRecordBytes;
            result.end = request.offset >= end               ? FetchEnd::CaughtUp
                         : decoded->end == PayloadEnd::Clean ? FetchEnd::EmptyBelowHighWatermark
                                                             : FetchEnd::RecordExceedsMaxBytes;
        }
        return result;
    }

    /// The same records with their times.
    static RecordChunkPtr timed(const RecordChunk &chunk, const QByteArray &payload,
                                const Partition &partition)
    {
        auto records = chunk.records();
        for (Record &record : records) {
            if (record.offset.value < partition.timesMs.size()) {
                record.flags |= RecordFlag::HasTimestamp;
                record.timestampMs = partition.timesMs[record.offset.value];
            }
        }
        return std::make_shared<const RecordChunk>(chunk.partition(), payload, std::move(records));
    }

    static Error refused(qint16 code, const QString &name, const ErrorPlace &where)
    {
        Error error = refusal(code, name);
        error.where = where;
        return error;
    }

    Offset append(Partition &partition, const QByteArray &value)
    {
        Q_ASSERT(!value.isEmpty());
        const Offset offset = partition.highWatermark();
        QByteArray stored;
        appendStoredRecord(stored, asBytes(value));
        partition.values.append(value);
        partition.stored.append(stored);
        return offset;
    }

    Result<PublishResult> publish(const PublishRequest &request)
    {
        const auto topic = topics.find(request.topic);
        if (topic == topics.end())
            return refused(kUnknownTopicOrPartition, u"UNKNOWN_TOPIC_OR_PARTITION"_s,
                           {request.topic, request.partition, {}, {}, {}});
        const auto count = qint32(topic->second.partitions.size());
        if (request.expectedPartitionCount && *request.expectedPartitionCount != count)
            return Error::make(ErrorKind::PartitionsChanged, u"%1 partitions now"_s.arg(count),
                               {request.topic, {}, {}, {}, {}});
        if (!request.value || (request.value->isEmpty() && !capabilities.emptyValues))
            return Error::make(ErrorKind::InvalidArgument, u"no value"_s);
        if (request.value->size() > capabilities.maxRecordBytes)
            return refused(kRecordTooLarge, u"RECORD_TOO_LARGE"_s,
                           {request.topic, request.partition, {}, {}, {}});

        PublishResult result;
        result.ack = request.ack;
        result.partition.topic = request.topic;
        if (request.partition) {
            result.partition.partition = *request.partition;
        } else {
            const auto choice =
                Partitioner(request.partitioner).explain(asBytesOrNull(request.key), count);
            if (!choice)
                return choice.error();
            result.partition.partition =
                PartitionId{choice->index ? *choice->index : roundRobin.next(count).value()};
        }
        Partition *partition = find(result.partition);
        const ErrorPlace where{
            request.topic, result.partition.partition, std::nullopt, {}, std::nullopt};
        if (!partition)
            return refused(kUnknownTopicOrPartition, u"UNKNOWN_TOPIC_OR_PARTITION"_s, where);
        result.endOffsetBefore = partition->highWatermark();
        const std::optional<bool> lose = std::exchange(losePublish, std::nullopt);
        if (!lose || *lose)
            append(*partition, *request.value);
        if (lose) {
            Error error = Error::make(ErrorKind::OutcomeUnknown, u"no answer came"_s, where);
            error.where.offset = result.endOffsetBefore;
            return error;
        }
        if (request.ack != AckPolicy::None) {
            result.offset = result.endOffsetBefore;
            result.logEndOffset = partition->highWatermark();
        }
        return result;
    }
};

namespace
{

using StatePtr = std::shared_ptr<FakeBroker::State>;

class FakeFollower final : public RecordFollower
{
public:
    FakeFollower(StatePtr state, std::vector<std::pair<TopicPartition, Offset>> from)
        : m_state(std::move(state))
        , m_generation(m_state->generation)
    {
        for (auto &[partition, offset] : from)
            m_partitions.push_back({std::move(partition), offset, false});
        ++m_state->liveFollowers;
    }

    ~FakeFollower() override
    {
        const Lock lock(m_state->mutex);
        --m_state->liveFollowers;
    }

    Result<FetchResult> next(const CallContext &context) override
    {
        Lock lock(m_state->mutex);
        if (auto error = m_state->enter(lock, Call::Next, context))
            return *error;
        for (;;) {
            if (m_state->down || m_state->generation != m_generation)
                return FakeBroker::networkError();
            for (size_t tried = 0; tried < m_partitions.size(); ++tried) {
                Followed &followed = m_partitions[m_turn++ % m_partitions.size()];
                if (followed.resting)
                    continue;
                FetchRequest request;
                request.partition = followed.partition;
                request.offset = followed.offset;
                auto result = m_state->read(request);
                if (result && result->end == FetchEnd::CaughtUp)
                    continue;
                followed.resting = !result || result->end != FetchEnd::More;
                if (result)
                    followed.offset = result->nextOffset;
                return result;
            }
            if (auto interrupted = m_state->sleep(lock, context))
                return *interrupted;
        }
    }

    void skipTo(const TopicPartition &partition, Offset offset) override
    {
        for (Followed &followed : m_partitions) {
            if (followed.partition == partition) {
                followed.offset = offset;
                followed.resting = false;
            }
        }
    }

    std::vector<std::pair<TopicPartition, Offset>> positions() const override
    {
        std::vector<std::pair<TopicPartition, Offset>> positions;
        for (const Followed &followed : m_partitions)
            positions.emplace_back(followed.partition, followed.offset);
        return positions;
    }

private:
    struct Followed {
        TopicPartition partition;
        Offset offset;
        bool resting = false;
    };

    StatePtr m_state;
    int m_generation;
    std::vector<Followed> m_partitions;
    size_t m_turn = 0;
};

class FakeSession final : public BrokerSession, public GroupReader
{
public:
    FakeSession(const SessionConfig &config, StatePtr state)
        : BrokerSession(config)
        , m_state(std::move(state))
    {
        const Lock lock(m_state->mutex);
        ++m_state->liveSessions;
    }

    ~FakeSession() override
    {
        const Lock lock(m_state->mutex);
        --m_state->liveSessions;
    }

    Capabilities capabilities() const override
    {
        const Lock lock(m_state->mutex);
        return m_state->capabilities;
    }

    Result<void> open(const CallContext &context) override
    {
        Lock lock(m_state->mutex);
        if (auto error = m_state->enter(lock, Call::Open, context))
            return *error;
        return {};
    }

    Result<TopicList> listTopics(const CallContext &context) override
    {
        Lock lock(m_state->mutex);
        if (auto error = m_state->enter(lock, Call::ListTopics, context))
            return *error;
        TopicList topics;
        for (const auto &[name, topic] : m_state->topics)
            topics.append(topic.info(name, !m_state->offsetsAskedFor));
        return topics;
    }

    Result<TopicList> describeTopics(const QStringList &names, const CallContext &context) override
    {
        Lock lock(m_state->mutex);
        if (!m_state->offsetsAskedFor) {
            lock.unlock();
            return BrokerSession::describeTopics(names, context);
        }
        m_state->describedTopics.append(names);
        if (auto error = m_state->enter(lock, Call::DescribeTopics, context))
            return *error;
        TopicList topics;
        for (const auto &[name, topic] : m_state->topics) {
            if (names.contains(name))
                topics.append(topic.info(name, true));
        }
        return topics;
    }

    Result<TopicRules> topicRules(const QString &name, const CallContext &context) override
    {
        Lock lock(m_state->mutex);
        if (auto error = m_state->enter(lock, Call::TopicRules, context))
            return *error;
        const auto topic = m_state->topics.find(name);
        if (topic == m_state->topics.end() || !topic->second.rules)
            return FakeBroker::refusal(kTopicAuthorizationFailed, u"TOPIC_AUTHORIZATION_FAILED"_s);
        return *topic->second.rules;
    }

    Result<ClusterInfo> describeCluster(const CallContext & /*context*/) override
    {
        const Lock lock(m_state->mutex);
        return m_state->cluster;
    }

    Result<FetchResult> fetch(const FetchRequest &request, const CallContext &context) override
    {
        Lock lock(m_state->mutex);
        m_state->fetchRequests.push_back(request);
        if (auto error = m_state->enter(lock, Call::Fetch, context))
            return *error;
        const QDeadlineTimer held(request.maxWait);
        auto result = m_state->read(request);
        while (result && result->end == FetchEnd::CaughtUp && !held.hasExpired()) {
            if (auto interrupted = m_state->sleep(lock, context))
                return *interrupted;
            if (m_state->down)
                return FakeBroker::networkError();
            result = m_state->read(request);
        }
        return result;
    }

    Result<std::unique_ptr<RecordFollower>> follow(const FollowRequest &request,
                                                   const CallContext &context) override
    {
        Lock lock(m_state->mutex);
        m_state->followRequests.push_back(request);
        if (auto error = m_state->enter(lock, Call::Follow, context))
            return *error;
        return std::unique_ptr<RecordFollower>(
            std::make_unique<FakeFollower>(m_state, request.from));
    }

    Result<QList<TimeOffset>> offsetsAtTime(const QList<TopicPartition> &partitions, qint64 timeMs,
                                            const CallContext &context) override
    {
        Lock lock(m_state->mutex);
        if (auto error = m_state->enter(lock, Call::OffsetsAtTime, context))
            return *error;
        if (!m_state->capabilities.offsetsByTime)
            return BrokerSession::offsetsAtTime(partitions, timeMs, context);
        QList<TimeOffset> offsets;
        for (const TopicPartition &at : partitions) {
            TimeOffset offset{at, {}, false, {}};
            if (const Partition *partition = m_state->find(at)) {
                const auto &times = partition->timesMs;
                const auto later = std::ranges::find_if(times, [&](auto t) { return t >= timeMs; });
                offset.afterLast = later == times.end();
                offset.offset =
                    offset.afterLast ? partition->highWatermark() : Offset{later - times.begin()};
                offset.error = partition->error;
            } else {
                offset.error = FakeBroker::State::refused(kUnknownTopicOrPartition,
                                                          u"UNKNOWN_TOPIC_OR_PARTITION"_s,
                                                          {at.topic, at.partition, {}, {}, {}});
            }
            offsets.append(offset);
        }
        return offsets;
    }

    GroupReader *groups() override
    {
        const Lock lock(m_state->mutex);
        return m_state->capabilities.groups ? this : nullptr;
    }

    Result<GroupList> listGroups(const CallContext &context) override
    {
        Lock lock(m_state->mutex);
        if (auto error = m_state->enter(lock, Call::ListGroups, context))
            return *error;
        GroupList list{{}, m_state->groupListErrors};
        for (const auto &[id, group] : m_state->groups)
            list.groups.append(group.summary);
        return list;
    }

    Result<GroupInfo> describeGroup(const QString &id, const CallContext &context) override
    {
        Lock lock(m_state->mutex);
        if (auto error = m_state->enter(lock, Call::DescribeGroup, context))
            return *error;
        const auto group = m_state->groups.find(id);
        if (group == m_state->groups.end())
            return Error::make(ErrorKind::InvalidArgument, u"there is no group '%1'"_s.arg(id));
        return group->second;
    }

    void close() override {}

private:
    Result<PublishResult> doPublish(const PublishRequest &request,
                                    const CallContext &context) override
    {
        Lock lock(m_state->mutex);
        m_state->publishRequests.push_back(request);
        if (auto error = m_state->enter(lock, Call::Publish, context))
            return *error;
        if (!context.mayBeSent())
            return Error::make(ErrorKind::Cancelled, {});
        auto result = m_state->publish(request);
        m_state->changed.notify_all();
        return result;
    }

    StatePtr m_state;
};

} // namespace

FakeBroker::FakeBroker()
    : m_state(std::make_shared<State>())
{
}

SessionFactory FakeBroker::factory() const
{
    return [state = m_state](const SessionConfig &config) {
        return std::make_unique<FakeSession>(config, state);
    };
}

void FakeBroker::addTopic(const QString &name, qint32 partitions)
{
    const Lock lock(m_state->mutex);
    m_state->topics[name].partitions.resize(size_t(partitions));
}

void FakeBroker::removeTopic(const QString &name)
{
    const Lock lock(m_state->mutex);
    m_state->topics.erase(name);
}

Offset FakeBroker::append(const QString &topic, qint32 partition, const QByteArray &value)
{
    const Lock lock(m_state->mutex);
    const Offset offset = m_state->append(m_state->get(topic, partition), value);
    m_state->changed.notify_all();
    return offset;
}

void FakeBroker::appendMany(const QString &topic, qint32 partition, int count,
                            const QByteArray &prefix)
{
    const Lock lock(m_state->mutex);
    Partition &target = m_state->get(topic, partition);
    for (int i = 0; i < count; ++i)
        m_state->append(target, prefix + QByteArray::number(target.highWatermark().value));
    m_state->changed.notify_all();
}

void FakeBroker::damage(const QString &topic, qint32 partition, Offset offset, Damage damage)
{
    const Lock lock(m_state->mutex);
    Partition &target = m_state->get(topic, partition);
    Q_ASSERT(offset < target.highWatermark());
    QByteArray &stored = target.stored[offset.value];
    switch (damage) {
    case Damage::Checksum:
        stored.back() = char(stored.back() ^ 1);
        break;
    case Damage::Size:
        stored.replace(0, 4, QByteArray(4, '\0'));
        break;
    case Damage::Missing:
        target.missing.insert(offset);
        break;
    }
}

void FakeBroker::setLogStart(const QString &topic, qint32 partition, Offset offset)
{
    const Lock lock(m_state->mutex);
    m_state->get(topic, partition).logStart = offset;
}

void FakeBroker::truncate(const QString &topic, qint32 partition, Offset end)
{
    const Lock lock(m_state->mutex);
    auto &log = m_state->get(topic, partition);
    log.values.resize(end.value);
    log.stored.resize(end.value);
    m_state->changed.notify_all();
}

QList<QByteArray> FakeBroker::values(const QString &topic, qint32 partition) const
{
    const Lock lock(m_state->mutex);
    return m_state->get(topic, partition).values;
}

void FakeBroker::setTimes(const QString &topic, qint32 partition, const QList<qint64> &timesMs)
{
    const Lock lock(m_state->mutex);
    m_state->get(topic, partition).timesMs = timesMs;
}

void FakeBroker::setGroup(const GroupInfo &group)
{
    const Lock lock(m_state->mutex);
    m_state->groups[group.summary.id] = group;
}

void FakeBroker::removeGroup(const QString &id)
{
    const Lock lock(m_state->mutex);
    m_state->groups.erase(id);
}

void FakeBroker::setGroupListErrors(const QList<Error> &errors)
{
    const Lock lock(m_state->mutex);
    m_state->groupListErrors = errors;
}

void FakeBroker::setCapabilities(const Capabilities &capabilities)
{
    const Lock lock(m_state->mutex);
    m_state->capabilities = capabilities;
}

void FakeBroker::setOffsetsAskedFor(bool askedFor)
{
    const Lock lock(m_state->mutex);
    m_state->offsetsAskedFor = askedFor;
}

void FakeBroker::setReplicas(const QString &topic, qint32 partition, qint32 leader,
                             const QList<qint32> &replicas, const QList<qint32> &inSync)
{
    const Lock lock(m_state->mutex);
    Partition &target = m_state->get(topic, partition);
    target.leader = leader;
    target.replicas = replicas;
    target.inSync = inSync;
}

void FakeBroker::setRules(const QString &topic, const TopicRules &rules)
{
    const Lock lock(m_state->mutex);
    m_state->topics[topic].rules = rules;
}

void FakeBroker::setInternal(const QString &topic, bool internal)
{
    const Lock lock(m_state->mutex);
    m_state->topics[topic].internal = internal;
}

void FakeBroker::failTopic(const QString &topic, const Error &error)
{
    const Lock lock(m_state->mutex);
    m_state->topics[topic].error = error;
}

void FakeBroker::setCluster(const ClusterInfo &cluster)
{
    const Lock lock(m_state->mutex);
    m_state->cluster = cluster;
}

void FakeBroker::failNext(Call call, const Error &error, int times)
{
    const Lock lock(m_state->mutex);
    Script &script = m_state->scripts[call];
    script.failures = times;
    script.error = error;
}

void FakeBroker::failPartition(const QString &topic, qint32 partition, const Error &error)
{
    const Lock lock(m_state->mutex);
    m_state->get(topic, partition).error = error;
    m_state->changed.notify_all();
}

void FakeBroker::setDown(bool down)
{
    const Lock lock(m_state->mutex);
    m_state->down = down;
    m_state->generation += down ? 1 : 0;
    m_state->changed.notify_all();
}

void FakeBroker::loseNextPublishAnswer(bool stored)
{
    const Lock lock(m_state->mutex);
    m_state->losePublish = stored;
}

void FakeBroker::block(Call call)
{
    const Lock lock(m_state->mutex);
    m_state->scripts[call].blocked = true;
}

void FakeBroker::blockDeaf(Call call)
{
    const Lock lock(m_state->mutex);
    m_state->scripts[call].blocked = true;
    m_state->scripts[call].deaf = true;
}

void FakeBroker::release(Call call)
{
    const Lock lock(m_state->mutex);
    m_state->scripts[call].blocked = false;
    m_state->scripts[call].deaf = false;
    m_state->changed.notify_all();
}

void FakeBroker::releaseOne(Call call)
{
    const Lock lock(m_state->mutex);
    Q_ASSERT_X(m_state->scripts[call].waiting > 0, "FakeBroker", "wait for blocked() first");
    m_state->scripts[call].admitted = true;
    m_state->changed.notify_all();
}

int FakeBroker::blocked(Call call) const
{
    const Lock lock(m_state->mutex);
    return m_state->scripts[call].waiting;
}

int FakeBroker::calls(Call call) const
{
    const Lock lock(m_state->mutex);
    return m_state->scripts[call].calls;
}

std::vector<FetchRequest> FakeBroker::fetchRequests() const
{
    const Lock lock(m_state->mutex);
    return m_state->fetchRequests;
}

void FakeBroker::setLastStable(const QString &topic, qint32 partition, std::optional<Offset> offset)
{
    const Lock lock(m_state->mutex);
    m_state->get(topic, partition).lastStable = offset;
    m_state->changed.notify_all();
}

std::vector<FollowRequest> FakeBroker::followRequests() const
{
    const Lock lock(m_state->mutex);
    return m_state->followRequests;
}

QList<QStringList> FakeBroker::describedTopics() const
{
    const Lock lock(m_state->mutex);
    return m_state->describedTopics;
}

std::vector<PublishRequest> FakeBroker::publishRequests() const
{
    const Lock lock(m_state->mutex);
    return m_state->publishRequests;
}

int FakeBroker::liveSessions() const
{
    const Lock lock(m_state->mutex);
    return m_state->liveSessions;
}

int FakeBroker::liveFollowers() const
{
    const Lock lock(m_state->mutex);
    return m_state->liveFollowers;
}

Error FakeBroker::networkError()
{
    return Error::make(ErrorKind::Network, u"connection refused"_s);
}

Error FakeBroker::refusal(qint16 code, const QString &name)
{
    Error error = Error::make(ErrorKind::Broker, {});
    error.brokerCode = code;
    error.brokerName = name;
    return error;
}

Capabilities FakeBroker::booblikCapabilities()
{
    Capabilities capabilities;
    capabilities.recordChecksums = true;
    capabilities.publish = true;
    capabilities.ackPolicies = {AckPolicy::Written, AckPolicy::Forced, AckPolicy::None};
    capabilities.partitioners = {
        PartitionAlgorithm::BooblikFnv1a, PartitionAlgorithm::BooblikLegacy,
        PartitionAlgorithm::Murmur2Random, PartitionAlgorithm::ConsistentRandom,
        PartitionAlgorithm::Fnv1aRandom};
    capabilities.maxRecordBytes = kMaxRecordBytes;
    return capabilities;
}

} // namespace topicscope::test
