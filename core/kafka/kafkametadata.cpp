#include "core/kafka/kafkametadata.h"

#include "core/kafka/kafkaerrors.h"

#include <algorithm>

namespace topicscope::kafka
{

using namespace Qt::StringLiterals;

namespace
{

PartitionInfo toPartition(const rd_kafka_metadata_partition &partition, const ErrorPlace &topic)
{
    PartitionInfo result;
    result.id = PartitionId{partition.id};
    result.leader = partition.leader;
    for (int i = 0; i < partition.replica_cnt; ++i)
        result.replicas.append(partition.replicas[i]);
    for (int i = 0; i < partition.isr_cnt; ++i)
        result.inSyncReplicas.append(partition.isrs[i]);
    // A replica that is away is no reason not to read from the leader.
    if (partition.err != RD_KAFKA_RESP_ERR_NO_ERROR &&
        partition.err != RD_KAFKA_RESP_ERR_REPLICA_NOT_AVAILABLE) {
        ErrorPlace where = topic;
        where.partition = result.id;
        result.error = fromCode(partition.err, {}, where);
    }
    return result;
}

TopicInfo toTopic(const rd_kafka_metadata_topic &topic, const QString &endpoint)
{
    TopicInfo result;
    result.name = QString::fromUtf8(topic.topic);
    result.internal = result.name.startsWith(u"__"_s);
    const ErrorPlace where{result.name, {}, {}, endpoint, {}};
    if (topic.err != RD_KAFKA_RESP_ERR_NO_ERROR)
        result.error = fromCode(topic.err, {}, where);
    for (int i = 0; i < topic.partition_cnt; ++i)
        result.partitions.append(toPartition(topic.partitions[i], where));
    std::ranges::sort(result.partitions, {}, &PartitionInfo::id);
    return result;
}

} // namespace

Result<OffsetAnswers> offsetsFor(const HandlePtr &handle,
                                 const std::vector<TopicPartition> &partitions, qint64 time,
                                 const CallContext &context)
{
    return handle->call<OffsetAnswers>(
        [partitions, time](rd_kafka_t *client, int timeout) -> Result<OffsetAnswers> {
            const PartitionList list(rd_kafka_topic_partition_list_new(int(partitions.size())));
            for (const TopicPartition &partition : partitions) {
                rd_kafka_topic_partition_list_add(list.get(), partition.topic.toUtf8().constData(),
                                                  partition.partition.value)
                    ->offset = time;
            }
            const auto code = rd_kafka_offsets_for_times(client, list.get(), timeout);
            // With an error for all, each partition still has its own answer or error.
            if (code == RD_KAFKA_RESP_ERR__TIMED_OUT || code == RD_KAFKA_RESP_ERR__TRANSPORT)
                return fromCode(code);
            OffsetAnswers answers;
            for (int i = 0; i < list->cnt; ++i) {
                const auto &element = list->elems[i];
                const TopicPartition partition{QString::fromUtf8(element.topic),
                                               PartitionId{element.partition}};
                const auto own = element.err != RD_KAFKA_RESP_ERR_NO_ERROR ? element.err : code;
                if (own == RD_KAFKA_RESP_ERR_NO_ERROR)
                    answers.insert(partition, element.offset);
                else
                    answers.insert(
                        partition,
                        fromCode(own, {}, {partition.topic, partition.partition, {}, {}, {}}));
            }
            return answers;
        },
        context);
}

Result<TopicList> listTopics(const HandlePtr &handle, const CallContext &context)
{
    auto topics = handle->call<TopicList>(
        [endpoint = handle->endpoint()](rd_kafka_t *client, int timeout) -> Result<TopicList> {
            const rd_kafka_metadata_t *answer = nullptr;
            const auto code = rd_kafka_metadata(client, 1, nullptr, &answer, timeout);
            if (code != RD_KAFKA_RESP_ERR_NO_ERROR)
                return fromCode(code, {}, {{}, {}, {}, endpoint, {}});
            const Metadata metadata(answer);
            TopicList result;
            result.reserve(answer->topic_cnt);
            for (int i = 0; i < answer->topic_cnt; ++i)
                result.append(toTopic(answer->topics[i], endpoint));
            return result;
        },
        context);
    if (topics)
        std::ranges::sort(*topics, {}, &TopicInfo::name);
    return topics;
}

Result<TopicInfo> describeTopic(const HandlePtr &handle, const QString &name,
                                const CallContext &context)
{
    return handle->call<TopicInfo>(
        [name, endpoint = handle->endpoint()](rd_kafka_t *client,
                                              int timeout) -> Result<TopicInfo> {
            const ErrorPlace where{name, {}, {}, endpoint, {}};
            const Topic topic(rd_kafka_topic_new(client, name.toUtf8().constData(), nullptr));
            if (!topic)
                return fromCode(rd_kafka_last_error(), {}, where);
            const rd_kafka_metadata_t *answer = nullptr;
            const auto code = rd_kafka_metadata(client, 0, topic.get(), &answer, timeout);
            if (code != RD_KAFKA_RESP_ERR_NO_ERROR)
                return fromCode(code, {}, where);
            const Metadata metadata(answer);
            for (int i = 0; i < answer->topic_cnt; ++i) {
                TopicInfo info = toTopic(answer->topics[i], endpoint);
                if (info.name != name)
                    continue;
                if (info.error)
                    return *info.error;
                return info;
            }
            return fromCode(RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART, {}, where);
        },
        context);
}

Result<void> addOffsets(const HandlePtr &handle, TopicList &topics, const CallContext &context)
{
    std::vector<TopicPartition> readable;
    for (const TopicInfo &topic : topics) {
        for (const PartitionInfo &partition : topic.partitions) {
            if (!topic.error && !partition.error && partition.leader != -1)
                readable.push_back({topic.name, partition.id});
        }
    }
    if (readable.empty())
        return {};
    const auto first = offsetsFor(handle, readable, kEarliest, context);
    if (!first)
        return first.error();
    const auto end = offsetsFor(handle, readable, kLatest, context);
    if (!end)
        return end.error();
    for (TopicInfo &topic : topics) {
        for (PartitionInfo &partition : topic.partitions) {
            const TopicPartition key{topic.name, partition.id};
            const auto low = first->constFind(key);
            const auto high = end->constFind(key);
            if (low == first->cend() || high == end->cend())
                continue;
            if (!*low || !*high) {
                partition.error = (*low ? *high : *low).error();
                continue;
            }
            partition.logStartOffset = Offset{low->value()};
            partition.highWatermark = Offset{high->value()};
        }
    }
    return {};
}

Result<QList<TimeOffset>> offsetsAtTime(const HandlePtr &handle,
                                        const QList<TopicPartition> &partitions, qint64 timeMs,
                                        const CallContext &context)
{
    if (timeMs < 0) // −1 and −2 would be taken for the ends
        return Error::make(ErrorKind::InvalidArgument, u"a time before 1970"_s);
    const std::vector<TopicPartition> all(partitions.begin(), partitions.end());
    if (all.empty())
        return QList<TimeOffset>();
    const auto found = offsetsFor(handle, all, timeMs, context);
    if (!found)
        return found.error();
    std::vector<TopicPartition> later; // without a record that young
    for (const TopicPartition &partition : all) {
        const auto answer = found->constFind(partition);
        if (answer != found->cend() && *answer && answer->value() < 0)
            later.push_back(partition);
    }
    OffsetAnswers ends;
    if (!later.empty()) {
        auto looked = offsetsFor(handle, later, kLatest, context);
        if (!looked)
            return std::move(looked).error();
        ends = std::move(looked).value();
    }
    QList<TimeOffset> offsets;
    for (const TopicPartition &partition : all) {
        TimeOffset offset{partition, {}, ends.contains(partition), {}};
        const auto &answers = offset.afterLast ? ends : *found;
        const auto answer = answers.constFind(partition);
        if (answer == answers.cend())
            offset.error = fromCode(RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART, {},
                                    {partition.topic, partition.partition, {}, {}, {}});
        else if (*answer)
            offset.offset = Offset{answer->value()};
        else
            offset.error = answer->error();
        offsets.append(offset);
    }
    return offsets;
}

Result<Offset> endOffset(const HandlePtr &handle, const TopicPartition &partition,
                         const CallContext &context)
{
    const auto answers = offsetsFor(handle, {partition}, kLatest, context);
    if (!answers)
        return answers.error();
    const auto found = answers->constFind(partition);
    if (found == answers->cend())
        return fromCode(RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART, {},
                        {partition.topic, partition.partition, {}, handle->endpoint(), {}});
    if (!*found)
        return found->error();
    return Offset{found->value()};
}

} // namespace topicscope::kafka
