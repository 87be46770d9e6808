#include "core/session/brokersession.h"

namespace topicscope
{

using namespace Qt::StringLiterals;

QString ackPolicyName(AckPolicy policy)
{
    switch (policy) {
    case AckPolicy::None:
        return u"none"_s;
    case AckPolicy::Written:
        return u"written"_s;
    case AckPolicy::Forced:
        return u"forced"_s;
    case AckPolicy::Acks0:
        return u"0"_s;
    case AckPolicy::Acks1:
        return u"1"_s;
    case AckPolicy::AcksAll:
        return u"all"_s;
    }
    return {};
}

Result<TopicList> BrokerSession::describeTopics(const QStringList &names,
                                                const CallContext &context)
{
    auto topics = listTopics(context); // of this engine: with offsets
    if (topics)
        topics->removeIf([&names](const TopicInfo &topic) { return !names.contains(topic.name); });
    return topics;
}

Result<TopicRules> BrokerSession::topicRules(const QString & /*topic*/,
                                             const CallContext & /*context*/)
{
    return Error::make(ErrorKind::Unsupported, u"this engine has no rules for single topics"_s);
}

Result<ClusterInfo> BrokerSession::describeCluster(const CallContext & /*context*/)
{
    return Error::make(ErrorKind::Unsupported, u"this engine is one broker, no cluster"_s);
}

QString compressionName(Compression compression)
{
    switch (compression) {
    case Compression::None:
        return u"none"_s;
    case Compression::Gzip:
        return u"gzip"_s;
    case Compression::Snappy:
        return u"snappy"_s;
    case Compression::Lz4:
        return u"lz4"_s;
    case Compression::Zstd:
        return u"zstd"_s;
    }
    return {};
}

Result<PublishResult> BrokerSession::publish(const PublishRequest &request,
                                             const CallContext &context)
{
    // The only way to an engine's doPublish(): no caller can go round this.
    if (m_config.readOnly) {
        return Error::make(ErrorKind::ReadOnly, u"the connection is marked read-only"_s,
                           {request.topic, request.partition, {}, m_config.endpoint(), {}});
    }
    if (!capabilities().publish)
        return Error::make(ErrorKind::Unsupported, u"this engine cannot publish"_s);
    const QList<AckPolicy> policies = capabilities().ackPolicies;
    if (!policies.contains(request.ack)) {
        return Error::make(
            ErrorKind::InvalidArgument,
            u"this engine has no ack policy \"%1\""_s.arg(ackPolicyName(request.ack)),
            {request.topic, request.partition, {}, m_config.endpoint(), {}});
    }
    if (request.compression != Compression::None &&
        !capabilities().compressions.contains(request.compression)) {
        return Error::make(
            ErrorKind::InvalidArgument,
            u"this engine has no compression \"%1\""_s.arg(compressionName(request.compression)),
            {request.topic, request.partition, {}, m_config.endpoint(), {}});
    }
    return doPublish(request, context);
}

Result<QList<TimeOffset>> BrokerSession::offsetsAtTime(const QList<TopicPartition> & /*partitions*/,
                                                       qint64 /*timeMs*/,
                                                       const CallContext & /*context*/)
{
    return Error::make(ErrorKind::Unsupported,
                       u"this broker keeps no times of records: offsets alone tell places"_s,
                       {{}, {}, {}, m_config.endpoint(), {}});
}

} // namespace topicscope
