#include "core/booblik/boobliksession.h"

#include "core/booblik/fetchanswer.h"
#include "core/booblik/produce.h"
#include "core/booblik/subscription.h"
#include "core/records/recordcodec.h"

namespace topicscope::booblik
{

using namespace Qt::StringLiterals;

BooblikSession::BooblikSession(const SessionConfig &config)
    : BrokerSession(config)
    , m_connection(config)
{
}

Capabilities BooblikSession::capabilities() const
{
    Capabilities result;
    result.recordChecksums = true;
    result.publish = true;
    result.ackPolicies = {AckPolicy::Written, AckPolicy::Forced, AckPolicy::None};
    result.partitioners = {PartitionAlgorithm::BooblikFnv1a, PartitionAlgorithm::BooblikLegacy,
                           PartitionAlgorithm::Murmur2Random, PartitionAlgorithm::ConsistentRandom,
                           PartitionAlgorithm::Fnv1aRandom};
    result.maxRecordBytes = kMaxRecordBytes;
    return result;
}

Result<void> BooblikSession::open(const CallContext &context)
{
    return m_connection.open(context);
}

void BooblikSession::close()
{
    m_connection.close();
}

Result<TopicList> BooblikSession::listTopics(const CallContext &context)
{
    const auto answer = m_connection.metadata({}, context);
    if (!answer)
        return answer.error();
    TopicList topics;
    topics.reserve(answer->topics.size());
    for (const wire::MetadataTopic &topic : answer->topics)
        topics.append(toTopicInfo(topic, config().endpoint()));
    return topics;
}

Result<FetchResult> BooblikSession::fetch(const FetchRequest &request, const CallContext &context)
{
    if (auto sent = m_connection.send(toWire(request), context); !sent)
        return std::move(sent).error();
    auto answer = m_connection.receive(context);
    if (!answer)
        return explained(std::move(answer).error(), request, context);
    const auto scanned = scanAnswer(*answer, request);
    if (!scanned)
        return m_connection.drop(scanned.error());
    return toFetchResult(request, *scanned, std::move(answer).value());
}

Error BooblikSession::explained(Error error, const FetchRequest &request,
                                const CallContext &context)
{
    if (error.brokerCode != qint16(wire::ErrorCode::OffsetOutOfRange))
        return error;
    TopicHandle topic(request.partition.topic, PartitionAlgorithm::BooblikFnv1a);
    if (topic.refresh(m_connection, context)) {
        if (const PartitionInfo *partition = topic.find(request.partition.partition))
            error.detail = explainOutOfRange(request.offset, *partition);
    }
    return error;
}

Result<std::unique_ptr<RecordFollower>> BooblikSession::follow(const FollowRequest &request,
                                                               const CallContext &context)
{
    ReadOptions options;
    options.maxBytes = request.maxBytes;
    options.maxWait = Subscription::holdTime(config());
    options.minBytes = 1;
    options.ahead = ReadOptions::Ahead::Always;
    auto subscription = std::make_unique<Subscription>(config(), request.from, options);
    if (auto opened = subscription->open(context); !opened)
        return std::move(opened).error();
    return std::unique_ptr<RecordFollower>(std::move(subscription));
}

Result<PublishResult> BooblikSession::doPublish(const PublishRequest &request,
                                                const CallContext &context)
{
    const CallContext limited = context.within(config().publishTimeout);
    ErrorPlace where{request.topic, request.partition, {}, config().endpoint(), {}};
    if (!request.value || request.value->isEmpty()) {
        return Error::make(
            ErrorKind::InvalidArgument,
            (request.value ? u"an empty value"_s : u"a null value"_s) +
                u" cannot be stored: a booblik record is at least one byte, because length 0 marks "
                "the end of its log"_s,
            where);
    }

    TopicHandle &topic =
        m_topics.try_emplace(request.topic, request.topic, request.partitioner).first->second;
    topic.setAlgorithm(request.partitioner);
    if (auto refreshed = topic.refresh(m_connection, limited); !refreshed)
        return std::move(refreshed).error();
    const auto count = qint32(topic.partitions().size());
    if (request.expectedPartitionCount && *request.expectedPartitionCount != count) {
        return Error::make(ErrorKind::PartitionsChanged,
                           u"the topic has %1 partitions, %2 were expected"_s.arg(count).arg(
                               *request.expectedPartitionCount),
                           where);
    }
    if (!request.partition) {
        const auto routed = topic.route(request.key);
        if (!routed)
            return routed.error();
        where.partition = *routed;
    }
    const PartitionInfo *const partition = topic.find(*where.partition);
    if (!partition) {
        return Error::make(ErrorKind::InvalidArgument,
                           u"there is no such partition: the topic has %1"_s.arg(count), where);
    }
    where.offset = partition->highWatermark;

    PublishResult result;
    result.partition = {request.topic, *where.partition};
    result.ack = request.ack;
    result.endOffsetBefore = partition->highWatermark;
    const wire::ProduceRequest produce{
        request.topic, where.partition->value, wireAck(request.ack), {*request.value}};
    if (!limited.mayBeSent())
        return Error::make(ErrorKind::Cancelled, u"given up before it was sent"_s, where);
    const auto stored = produceOnce(m_connection, produce, Silence::Settle, limited);
    if (!stored) {
        Error error = stored.error();
        error.where = where;
        return error;
    }
    if (*stored) {
        result.offset = Offset{(*stored)->baseOffset};
        result.logEndOffset = Offset{(*stored)->logEndOffset};
    }
    return result;
}

} // namespace topicscope::booblik
