#include "core/kafka/kafkasession.h"

#include "core/base/bytewriter.h"
#include "core/kafka/kafkaerrors.h"
#include "core/kafka/kafkafollower.h"
#include "core/kafka/kafkagaps.h"
#include "core/kafka/kafkagroups.h"
#include "core/kafka/kafkalimits.h"
#include "core/kafka/kafkametadata.h"
#include "core/kafka/kafkaoffsets.h"
#include "core/kafka/kafkatopicconfig.h"

#include <QRandomGenerator>

#include <algorithm>

namespace topicscope::kafka
{

using namespace Qt::StringLiterals;

namespace
{

/// For what is good to know and not waited for longer.
constexpr std::chrono::milliseconds kLookTime{2'000};

/// What every reading client is made with.
QMap<QString, QString> readingProperties(Isolation isolation)
{
    return {
        {u"enable.auto.commit"_s, u"false"_s},
        {u"enable.auto.offset.store"_s, u"false"_s},
        {u"auto.offset.reset"_s, u"error"_s}, // never a silent jump
        {u"enable.partition.eof"_s, u"true"_s},
        {u"check.crcs"_s, u"true"_s},
        {u"isolation.level"_s,
         isolation == Isolation::ReadCommitted ? u"read_committed"_s : u"read_uncommitted"_s},
    };
}

QMap<QString, QString> browsingProperties(Isolation isolation)
{
    auto properties = readingProperties(isolation);
    // Short, since the end of a partition is noticed only when the broker has waited this long.
    properties.insert(u"fetch.wait.max.ms"_s, u"20"_s);
    properties.insert(u"queued.min.messages"_s, u"10000"_s);
    properties.insert(u"queued.max.messages.kbytes"_s, u"16384"_s);
    return properties;
}

QMap<QString, QString> followingProperties(Isolation isolation)
{
    auto properties = readingProperties(isolation);
    properties.insert(u"fetch.wait.max.ms"_s, u"500"_s);
    // A full queue makes the library pause for a second (until 2.2): only the bytes bound it.
    properties.insert(u"queued.min.messages"_s, u"1000000"_s);
    properties.insert(u"queued.max.messages.kbytes"_s, u"65536"_s);
    return properties;
}

Result<PartitionId> choosePartition(const PublishRequest &request, const TopicInfo &topic,
                                    RoundRobin &inTurn)
{
    const auto count = qint32(topic.partitions.size());
    if (request.partition) {
        if (request.partition->value >= 0 && request.partition->value < count)
            return *request.partition;
        return Error::make(ErrorKind::InvalidArgument,
                           u"there is no such partition: the topic has %1"_s.arg(count));
    }
    const auto chosen = Partitioner(request.partitioner).explain(asBytesOrNull(request.key), count);
    if (!chosen)
        return chosen.error();
    if (chosen->index)
        return PartitionId{*chosen->index};
    QList<PartitionId> reachable;
    for (const PartitionInfo &partition : topic.partitions) {
        if (!partition.error)
            reachable.append(partition.id);
    }
    // Of none, let the first one say why.
    const auto next = inTurn.next(qint32(std::max<qsizetype>(reachable.size(), 1)));
    if (!next)
        return next.error();
    return reachable.value(*next, PartitionId{0});
}

/// The partition's end now; asked again for as long as its leader is just being changed, which
/// publishing itself would wait for, too.
Result<Offset> settledEnd(const HandlePtr &handle, const TopicPartition &partition,
                          const CallContext &context)
{
    Result<Offset> end = Offset{};
    const auto interrupted = handle->waitFor(
        [&](std::chrono::milliseconds slice) {
            end = endOffset(handle, partition, context);
            if (end || end.error().kind != ErrorKind::Broker || !end.error().retriable)
                return true;
            handle->serve(slice);
            return false;
        },
        context);
    if (interrupted && interrupted->kind == ErrorKind::Cancelled)
        return *interrupted;
    return end;
}

} // namespace

KafkaSession::KafkaSession(const SessionConfig &config)
    : BrokerSession(config)
    , m_inTurn(QRandomGenerator::global()->generate())
{
}

KafkaSession::~KafkaSession() = default;

Capabilities KafkaSession::capabilities() const
{
    Capabilities result;
    result.keys = true;
    result.timestamps = true;
    result.headers = true;
    result.transactions = true;
    result.emptyValues = true;
    result.nullValues = true;
    result.groups = true;
    result.offsetsByTime = true;
    result.brokers = true;
    result.topicRules = true;
    result.publish = true;
    result.ackPolicies = {AckPolicy::AcksAll, AckPolicy::Acks1, AckPolicy::Acks0};
    result.compressions = supportedCompressions();
    result.partitioners = {PartitionAlgorithm::Murmur2Random,    PartitionAlgorithm::Murmur2,
                           PartitionAlgorithm::ConsistentRandom, PartitionAlgorithm::Consistent,
                           PartitionAlgorithm::Fnv1aRandom,      PartitionAlgorithm::Fnv1a,
                           PartitionAlgorithm::Random,           PartitionAlgorithm::BooblikFnv1a};
    result.maxRecordBytes = kMaxRecordBytes;
    return result;
}

Result<KafkaSession::Reader *> KafkaSession::reader(Isolation isolation)
{
    Reader &reader = m_readers[isolation];
    if (!reader.handle) {
        auto handle = Handle::make(RD_KAFKA_CONSUMER, config(), browsingProperties(isolation));
        if (!handle)
            return std::move(handle).error();
        reader.handle = std::move(handle).value();
        reader.reader = std::make_unique<KafkaReader>(reader.handle);
    }
    return &reader;
}

Result<HandlePtr> KafkaSession::lookUp()
{
    const auto found = reader(Isolation::ReadUncommitted);
    if (!found)
        return found.error();
    return (*found)->handle;
}

Result<KafkaProducer *> KafkaSession::producer(AckPolicy ack, Compression compression)
{
    auto &producer = m_producers[{ack, compression}];
    if (!producer || producer->isSpent()) {
        auto made = KafkaProducer::make(config(), ack, compression);
        if (!made)
            return std::move(made).error();
        producer = std::move(made).value();
    }
    return producer.get();
}

Result<void> KafkaSession::open(const CallContext &context)
{
    const auto handle = lookUp();
    if (!handle)
        return handle.error();
    if (const auto cluster =
            kafka::describeCluster(*handle, context.within(config().connectTimeout));
        !cluster)
        return cluster.error();
    return {};
}

Result<TopicList> KafkaSession::listTopics(const CallContext &context)
{
    const auto handle = lookUp();
    if (!handle)
        return handle.error();
    auto listing = kafka::listTopics(*handle, context);
    if (!listing)
        return std::move(listing).error();
    m_cluster = std::move(listing->cluster);
    return std::move(listing->topics);
}

Result<TopicList> KafkaSession::describeTopics(const QStringList &names, const CallContext &context)
{
    const auto handle = lookUp();
    if (!handle)
        return handle.error();
    auto topics = kafka::describeTopics(*handle, names, context);
    if (!topics)
        return topics;
    if (auto added = addOffsets(*handle, *topics, context); !added)
        return std::move(added).error();
    if (names.size() == 1) { // somebody looks into it; for a tree it would be too much
        if (const auto committed = reader(Isolation::ReadCommitted))
            addLastStableOffsets((*committed)->handle, *topics, context.within(kLookTime));
    }
    return topics;
}

Result<TopicRules> KafkaSession::topicRules(const QString &topic, const CallContext &context)
{
    const auto handle = lookUp();
    if (!handle)
        return handle.error();
    const auto config = topicConfig(*handle, topic, context.within(kLookTime));
    if (!config)
        return config.error();
    return rulesOf(*config);
}

Result<ClusterInfo> KafkaSession::describeCluster(const CallContext &context)
{
    if (m_cluster)
        return *m_cluster;
    const auto handle = lookUp();
    if (!handle)
        return handle.error();
    return kafka::describeCluster(*handle, context);
}

Result<FetchResult> KafkaSession::fetch(const FetchRequest &request, const CallContext &context)
{
    const auto found = reader(request.isolation);
    if (!found)
        return found.error();
    auto result = (*found)->reader->fetch(request, context);
    if (result && request.isolation == Isolation::ReadCommitted) {
        if (const auto everything = reader(Isolation::ReadUncommitted)) {
            const CallContext limited = context.within(kLookTime);
            nameGaps(*result, [&](const FetchRequest &gap) {
                return (*everything)->reader->fetch(gap, limited);
            });
        }
    }
    return result;
}

void KafkaSession::expect(const std::vector<FetchRequest> &requests)
{
    for (auto &[isolation, known] : m_readers) {
        if (known.reader)
            known.reader->expect({});
    }
    if (requests.size() < 2)
        return;
    if (const auto found = reader(requests.front().isolation))
        (*found)->reader->expect(requests);
}

Result<std::unique_ptr<RecordFollower>> KafkaSession::follow(const FollowRequest &request,
                                                             const CallContext &context)
{
    auto handle = Handle::make(RD_KAFKA_CONSUMER, config(), followingProperties(request.isolation));
    if (!handle)
        return std::move(handle).error();
    std::unique_ptr<KafkaReader> everything;
    if (request.isolation == Isolation::ReadCommitted) {
        auto all = Handle::make(RD_KAFKA_CONSUMER, config(),
                                browsingProperties(Isolation::ReadUncommitted));
        if (!all)
            return std::move(all).error();
        everything = std::make_unique<KafkaReader>(std::move(all).value());
    }
    auto follower = std::make_unique<KafkaFollower>(std::move(handle).value(), request.maxBytes,
                                                    std::move(everything));
    if (auto opened = follower->open(request.from, context); !opened)
        return std::move(opened).error();
    return std::unique_ptr<RecordFollower>(std::move(follower));
}

Result<PublishResult> KafkaSession::doPublish(const PublishRequest &request,
                                              const CallContext &context)
{
    const CallContext limited = context.within(config().publishTimeout);
    ErrorPlace where{request.topic, request.partition, {}, config().endpoint(), {}};
    if (request.timestampMs == 0) {
        return Error::make(ErrorKind::InvalidArgument,
                           u"the library takes the time 0 for now; 1 is the earliest it sends"_s,
                           where);
    }
    const auto sender = producer(request.ack, request.compression);
    if (!sender)
        return sender.error();
    const auto topic = describeTopic((*sender)->handle(), request.topic, limited);
    if (!topic)
        return topic.error();
    const auto count = qint32(topic->partitions.size());
    if (request.expectedPartitionCount && *request.expectedPartitionCount != count) {
        return Error::make(ErrorKind::PartitionsChanged,
                           u"the topic has %1 partitions, %2 were expected"_s.arg(count).arg(
                               *request.expectedPartitionCount),
                           where);
    }
    const auto chosen = choosePartition(request, *topic, m_inTurn);
    if (!chosen) {
        Error error = chosen.error();
        error.where = where;
        return error;
    }
    where.partition = *chosen;

    // Where to look for the record, should its answer be lost.
    const auto handle = lookUp();
    if (!handle)
        return handle.error();
    const auto before = settledEnd(*handle, {request.topic, *chosen}, limited);
    if (!before)
        return before.error();

    // The library's own verdict comes first: it knows whether the record may have been stored.
    constexpr std::chrono::milliseconds kForTheVerdict{1'000};
    auto result = (*sender)->publish(request, {request.topic, *chosen},
                                     context.within(config().publishTimeout + kForTheVerdict));
    if (result) {
        result->endOffsetBefore = *before;
        return result;
    }
    Error error = result.error();
    if (error.kind != ErrorKind::OutcomeUnknown)
        return explainedRefusal(std::move(error), request, *handle, context);
    error.where.offset = *before;
    return error;
}

Result<QList<TimeOffset>> KafkaSession::offsetsAtTime(const QList<TopicPartition> &partitions,
                                                      qint64 timeMs, const CallContext &context)
{
    const auto handle = lookUp();
    return handle ? kafka::offsetsAtTime(*handle, partitions, timeMs, context) : handle.error();
}

Result<GroupList> KafkaSession::listGroups(const CallContext &context)
{
    const auto handle = lookUp();
    return handle ? kafka::listGroups(*handle, context) : handle.error();
}

Result<GroupInfo> KafkaSession::describeGroup(const QString &id, const CallContext &context)
{
    const auto handle = lookUp();
    return handle ? kafka::describeGroup(*handle, id, context) : handle.error();
}

void KafkaSession::close()
{
    m_producers.clear();
    for (auto &[isolation, reader] : m_readers) {
        reader.reader.reset();
        reader.handle.reset();
    }
    m_readers.clear();
    m_cluster.reset();
}

} // namespace topicscope::kafka
