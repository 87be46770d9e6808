// The sessions and followers of a FakeBroker.

#include "tests/support/fakesession_p.h"

#include <algorithm>

namespace topicscope::test
{

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
        return open(lock, context);
    }

    Result<TopicList> listTopics(const CallContext &context) override
    {
        Lock lock(m_state->mutex);
        if (m_state->reading && !m_isOpen) { // such a source is read by whatever comes first
            if (auto opened = open(lock, context); !opened)
                return opened.error();
        }
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
    Result<void> open(Lock &lock, const CallContext &context)
    {
        if (m_state->reading && reading())
            reading()(*m_state->reading);
        if (auto error = m_state->enter(lock, Call::Open, context))
            return *error;
        m_isOpen = true;
        return {};
    }

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
    bool m_isOpen = false;
};

} // namespace

std::unique_ptr<BrokerSession> makeFakeSession(const SessionConfig &config, StatePtr state)
{
    return std::make_unique<FakeSession>(config, std::move(state));
}

} // namespace topicscope::test
