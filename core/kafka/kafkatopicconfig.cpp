#include "core/kafka/kafkatopicconfig.h"

#include "core/kafka/kafkaadmin.h"
#include "core/kafka/kafkaerrors.h"
#include "core/kafka/kafkametadata.h"
#include "core/session/recordsize.h"

namespace topicscope::kafka
{

using namespace Qt::StringLiterals;

namespace
{

using ConfigResource =
    std::unique_ptr<rd_kafka_ConfigResource_t, Destroy<&rd_kafka_ConfigResource_destroy>>;

/// What is known of a refusal is worth no long wait.
constexpr std::chrono::milliseconds kExplainWithin{3'000};

Error withReplicas(const Error &error, const QMap<QString, TopicSetting> &config,
                   const HandlePtr &handle, const CallContext &context)
{
    const auto topic = describeTopic(handle, error.where.topic, context);
    const int wanted = config.value(u"min.insync.replicas"_s).value.toInt();
    if (!topic || !error.where.partition)
        return error;
    for (const PartitionInfo &partition : topic->partitions) {
        if (partition.id != *error.where.partition || partition.inSyncReplicas.size() >= wanted)
            continue;
        Error explained = fromCode(RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS, {}, error.where);
        explained.replicas = ReplicaCounts{int(partition.inSyncReplicas.size()),
                                           int(partition.replicas.size()), wanted};
        explained.detail = u"%1 of %2 replicas in sync, min.insync.replicas is %3"_s
                               .arg(partition.inSyncReplicas.size())
                               .arg(partition.replicas.size())
                               .arg(wanted);
        return explained;
    }
    return error;
}

} // namespace

Result<QMap<QString, TopicSetting>> topicConfig(const HandlePtr &handle, const QString &topic,
                                                const CallContext &context)
{
    const ConfigResource asked(
        rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, topic.toUtf8().constData()));
    const auto event = askAdmin(
        handle, RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS,
        [&asked](rd_kafka_t *client, const rd_kafka_AdminOptions_t *options,
                 rd_kafka_queue_t *queue) {
            rd_kafka_ConfigResource_t *resource = asked.get();
            rd_kafka_DescribeConfigs(client, &resource, 1, options, queue);
        },
        context);
    if (!event)
        return event.error();
    size_t count = 0;
    const auto *resources = rd_kafka_DescribeConfigs_result_resources(
        rd_kafka_event_DescribeConfigs_result(event->get()), &count);
    QMap<QString, TopicSetting> found;
    for (size_t i = 0; i < count; ++i) {
        const auto code = rd_kafka_ConfigResource_error(resources[i]);
        if (code != RD_KAFKA_RESP_ERR_NO_ERROR)
            return fromCode(code, {}, {topic, {}, {}, handle->endpoint(), {}});
        size_t entries = 0;
        const auto *entry = rd_kafka_ConfigResource_configs(resources[i], &entries);
        for (size_t at = 0; at < entries; ++at)
            found.insert(QString::fromUtf8(rd_kafka_ConfigEntry_name(entry[at])),
                         {QString::fromUtf8(rd_kafka_ConfigEntry_value(entry[at])),
                          rd_kafka_ConfigEntry_source(entry[at]) ==
                              RD_KAFKA_CONFIG_SOURCE_DYNAMIC_TOPIC_CONFIG});
    }
    return found;
}

TopicRules rulesOf(const QMap<QString, TopicSetting> &config)
{
    // A batch of one record, format 2: 61 bytes, then length, attributes, both deltas, the lengths
    // of key and value and the count of headers, each of one byte or more.
    constexpr qint64 kOverhead = 61 + 7;
    TopicRules rules;
    rules.recordOverhead = kOverhead;
    for (const QString &policy : config.value(u"cleanup.policy"_s).value.split(u','))
        rules.compacted = rules.compacted || policy.trimmed() == u"compact"_s;
    const TopicSetting limit = config.value(u"max.message.bytes"_s);
    bool ok = false;
    const qint64 bytes = limit.value.toLongLong(&ok);
    if (ok)
        rules.maxRecordBytes = bytes;
    rules.limitIsDefault = ok && !limit.isTopics;
    return rules;
}

Error explainedRefusal(Error error, const PublishRequest &request, const HandlePtr &handle,
                       const CallContext &context)
{
    const bool tooLarge = error.brokerName == u"MSG_SIZE_TOO_LARGE"_s ||
                          error.brokerName == u"RECORD_LIST_TOO_LARGE"_s;
    const bool tooFew =
        request.ack == AckPolicy::AcksAll &&
        (error.kind == ErrorKind::Timeout || error.brokerName.startsWith(u"NOT_ENOUGH_REPLICAS"_s));
    if (!tooLarge && !tooFew)
        return error;
    // The publish itself may have used up its time.
    const CallContext briefly(kExplainWithin, context.stop);
    const auto config = topicConfig(handle, request.topic, briefly);
    if (!config)
        return error;
    if (tooFew)
        return withReplicas(error, *config, handle, briefly);
    if (const auto limit = rulesOf(*config).maxRecordBytes) {
        error.recordBytes = recordBytes(request.key ? request.key->size() : 0,
                                        request.value ? request.value->size() : 0, request.headers);
        error.limitBytes = *limit;
    }
    return error;
}

} // namespace topicscope::kafka
