#include "core/kafka/kafkametadata.h"

#include "core/kafka/kafkaerrors.h"

#include <QDeadlineTimer>
#include <QSet>

#include <algorithm>
#include <optional>

namespace topicscope::kafka
{

using namespace Qt::StringLiterals;

namespace
{

/// More topics than these are cheaper asked for all at once.
constexpr qsizetype kMaxAskedEach = 64;
/// For topics a listing left out, each of which is asked for.
constexpr std::chrono::milliseconds kMaxMissingWait{5'000};
/// An answer for all topics holds this as well, and waits for it no longer.
constexpr int kKnownAlreadyMs = 1;

PartitionInfo toPartition(const rd_kafka_metadata_partition &partition, const ErrorPlace &topic)
{
    PartitionInfo result;
    result.id = PartitionId{partition.id};
    result.leader = partition.leader;
    result.offsetsKnown = false;
    for (int i = 0; i < partition.replica_cnt; ++i)
        result.replicas.append(partition.replicas[i]);
    for (int i = 0; i < partition.isr_cnt; ++i)
        result.inSyncReplicas.append(partition.isrs[i]);
    // A replica that is away is no reason not to read from the leader.
    auto code = codeOf(partition.err);
    if (code == RD_KAFKA_RESP_ERR_REPLICA_NOT_AVAILABLE)
        code = RD_KAFKA_RESP_ERR_NO_ERROR;
    if (code == RD_KAFKA_RESP_ERR_NO_ERROR && partition.leader == -1)
        code = RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE;
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR) {
        ErrorPlace where = topic;
        where.partition = result.id;
        result.error = fromCode(code, {}, where);
    }
    return result;
}

TopicInfo toTopic(const rd_kafka_metadata_topic &topic, const QString &endpoint)
{
    TopicInfo result;
    result.name = QString::fromUtf8(topic.topic);
    result.internal = result.name.startsWith(u"__"_s);
    const ErrorPlace where{result.name, {}, {}, endpoint, {}};
    if (const auto code = codeOf(topic.err); code != RD_KAFKA_RESP_ERR_NO_ERROR)
        result.error = fromCode(code, {}, where);
    for (int i = 0; i < topic.partition_cnt; ++i)
        result.partitions.append(toPartition(topic.partitions[i], where));
    std::ranges::sort(result.partitions, {}, &PartitionInfo::id);
    return result;
}

ClusterInfo toCluster(rd_kafka_t *client, const rd_kafka_metadata_t &answer)
{
    ClusterInfo result;
    for (int i = 0; i < answer.broker_cnt; ++i) {
        const auto &broker = answer.brokers[i];
        result.brokers.append({broker.id, QString::fromUtf8(broker.host), broker.port});
    }
    std::ranges::sort(result.brokers, {}, &BrokerInfo::id);
    if (const qint32 controller = rd_kafka_controllerid(client, kKnownAlreadyMs); controller >= 0)
        result.controller = controller;
    if (char *id = rd_kafka_clusterid(client, kKnownAlreadyMs)) {
        result.id = QString::fromUtf8(id);
        rd_kafka_mem_free(client, id);
    }
    return result;
}

/// A metadata request for `topic`; null: for all, never for those the client knows, since that one
/// may create what is gone (librdkafka 2.0.2).
Result<Metadata> askMetadata(rd_kafka_t *client, rd_kafka_topic_t *topic, const ErrorPlace &where,
                             int timeout)
{
    const rd_kafka_metadata_t *answer = nullptr;
    const auto code = rd_kafka_metadata(client, topic ? 0 : 1, topic, &answer, timeout);
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR)
        return fromCode(code, {}, where);
    return Metadata(answer);
}

/// One topic, with its error if it has one. nullopt: there is no such topic.
Result<std::optional<TopicInfo>> askTopic(rd_kafka_t *client, const QString &name,
                                          const QString &endpoint, int timeout)
{
    const ErrorPlace where{name, {}, {}, endpoint, {}};
    const Topic topic(rd_kafka_topic_new(client, name.toUtf8().constData(), nullptr));
    if (!topic) { // a name the library does not take, which is no reason to hide the others
        TopicInfo odd;
        odd.name = name;
        odd.error = fromCode(rd_kafka_last_error(), {}, where);
        return std::optional(std::move(odd));
    }
    const auto metadata = askMetadata(client, topic.get(), where, timeout);
    if (!metadata)
        return metadata.error();
    for (int i = 0; i < (*metadata)->topic_cnt; ++i) {
        const auto &found = (*metadata)->topics[i];
        if (QString::fromUtf8(found.topic) == name &&
            codeOf(found.err) != RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART)
            return std::optional(toTopic(found, endpoint));
    }
    return std::optional<TopicInfo>();
}

/// A topic of which nothing is known, and why.
TopicInfo unanswered(const QString &name, Error reason)
{
    reason.where.topic = name;
    TopicInfo topic;
    topic.name = name;
    topic.error = std::move(reason);
    return topic;
}

/// These, one after the other; those that are not there are left out. One that gets no answer in
/// time has that as its error, and so have all behind it. @error none got an answer.
Result<TopicList> askTopics(const HandlePtr &handle, const QStringList &names,
                            const CallContext &context)
{
    return handle->call<TopicList>(
        [names, endpoint = handle->endpoint()](rd_kafka_t *client,
                                               int timeout) -> Result<TopicList> {
            // A little less than there is: what was answered is not to be lost with the rest.
            const QDeadlineTimer deadline(timeout - timeout / 10);
            TopicList topics;
            for (qsizetype i = 0; i < names.size(); ++i) {
                const qint64 left = i == 0 ? timeout : std::max(deadline.remainingTime(), 1LL);
                auto topic = askTopic(client, names[i], endpoint, int(left));
                if (!topic && i == 0)
                    return std::move(topic).error();
                if (!topic) {
                    for (const QString &name : names.sliced(i))
                        topics.append(unanswered(name, topic.error()));
                    break;
                }
                if (*topic)
                    topics.append(std::move(**topic));
            }
            return topics;
        },
        context);
}

} // namespace

Result<Listing> listTopics(const HandlePtr &handle, const CallContext &context)
{
    return handle->call<Listing>(
        [endpoint = handle->endpoint()](rd_kafka_t *client, int timeout) -> Result<Listing> {
            const auto metadata = askMetadata(client, nullptr, {{}, {}, {}, endpoint, {}}, timeout);
            if (!metadata)
                return metadata.error();
            Listing result{toCluster(client, **metadata), {}};
            result.topics.reserve((*metadata)->topic_cnt);
            for (int i = 0; i < (*metadata)->topic_cnt; ++i)
                result.topics.append(toTopic((*metadata)->topics[i], endpoint));
            std::ranges::sort(result.topics, {}, &TopicInfo::name);
            return result;
        },
        context);
}

Result<ClusterInfo> describeCluster(const HandlePtr &handle, const CallContext &context)
{
    return handle->call<ClusterInfo>(
        [endpoint = handle->endpoint()](rd_kafka_t *client, int timeout) -> Result<ClusterInfo> {
            const auto metadata = askMetadata(client, nullptr, {{}, {}, {}, endpoint, {}}, timeout);
            if (!metadata)
                return metadata.error();
            return toCluster(client, **metadata);
        },
        context);
}

Result<TopicList> describeTopics(const HandlePtr &handle, const QStringList &names,
                                 const CallContext &context)
{
    TopicList topics;
    if (names.size() <= kMaxAskedEach) {
        auto asked = askTopics(handle, names, context);
        if (!asked)
            return asked;
        topics = std::move(asked).value();
    } else {
        auto all = listTopics(handle, context);
        if (!all)
            return std::move(all).error();
        QSet<QString> wanted(names.begin(), names.end());
        for (TopicInfo &topic : all->topics) {
            if (wanted.remove(topic.name))
                topics.append(std::move(topic));
        }
        // Gone or denied? A list leaves out both.
        const QStringList missing = wanted.values();
        const auto asked = askTopics(handle, missing, context.within(kMaxMissingWait));
        if (!asked && asked.error().kind == ErrorKind::Cancelled)
            return asked.error();
        if (asked)
            topics += *asked;
        for (const QString &name : asked ? QStringList() : missing)
            topics.append(unanswered(name, asked.error()));
    }
    std::ranges::sort(topics, {}, &TopicInfo::name);
    return topics;
}

Result<TopicInfo> describeTopic(const HandlePtr &handle, const QString &name,
                                const CallContext &context)
{
    return handle->call<TopicInfo>(
        [name, endpoint = handle->endpoint()](rd_kafka_t *client,
                                              int timeout) -> Result<TopicInfo> {
            const auto topic = askTopic(client, name, endpoint, timeout);
            if (!topic)
                return topic.error();
            if (!*topic) {
                return fromCode(RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART, {},
                                {name, {}, {}, endpoint, {}});
            }
            if ((*topic)->error)
                return *(*topic)->error;
            return **topic;
        },
        context);
}

} // namespace topicscope::kafka
