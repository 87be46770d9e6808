// What a test tells a FakeBroker, and asks it.

#include "tests/support/fakesession_p.h"

#include <algorithm>

namespace topicscope::test
{

FakeBroker::FakeBroker()
    : m_state(std::make_shared<State>())
{
}

SessionFactory FakeBroker::factory() const
{
    return
        [state = m_state](const SessionConfig &config) { return makeFakeSession(config, state); };
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

void FakeBroker::setReading(std::optional<int> percent)
{
    const Lock lock(m_state->mutex);
    m_state->reading = percent;
}

void FakeBroker::setLeftOut(const QString &topic, qint32 partition, const OffsetGap &gap)
{
    const Lock lock(m_state->mutex);
    m_state->get(topic, partition).leftOut.push_back(gap);
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

Error FakeBroker::loginRefusal()
{
    Error error = Error::make(ErrorKind::Network, u"PLAIN as me"_s);
    error.networkCause = NetworkCause::LoginRefused;
    error.retriable = false;
    return error;
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
