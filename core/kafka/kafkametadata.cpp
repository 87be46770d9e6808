#include "core/kafka/kafkametadata.h"

#include "core/kafka/kafkaerrors.h"

#include <QDeadlineTimer>
#include <QSet>

#include <algorithm>
#include <map>
#include <optional>
#include <span>

namespace topicscope::kafka
{

using namespace Qt::StringLiterals;

namespace
{

/// More topics than these are cheaper asked for all at once.
constexpr qsizetype kMaxAskedEach = 64;
/// Partitions looked up at once: a broker answers a request for very many late or not at all.
constexpr size_t kMaxLookedUp = 1000;
/// Of a partition in a request; the library leaves it be where it has nothing to say.
constexpr auto kNotAnswered = RD_KAFKA_RESP_ERR__BAD_MSG;
/// For one leader's answers: a living one gives them in far less.
constexpr std::chrono::milliseconds kMaxLeaderWait{5'000};
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
    auto code = partition.err;
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
    if (topic.err != RD_KAFKA_RESP_ERR_NO_ERROR)
        result.error = fromCode(topic.err, {}, where);
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
            found.err != RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART)
            return std::optional(toTopic(found, endpoint));
    }
    return std::optional<TopicInfo>();
}

Result<OffsetAnswers> askOffsets(const HandlePtr &handle, std::span<const TopicPartition> asked,
                                 qint64 time, const CallContext &context)
{
    return handle->call<OffsetAnswers>(
        [partitions = std::vector(asked.begin(), asked.end()),
         time](rd_kafka_t *client, int timeout) -> Result<OffsetAnswers> {
            const PartitionList list(rd_kafka_topic_partition_list_new(int(partitions.size())));
            for (const TopicPartition &partition : partitions) {
                auto *element = rd_kafka_topic_partition_list_add(
                    list.get(), partition.topic.toUtf8().constData(), partition.partition.value);
                element->offset = time;
                element->err = kNotAnswered; // stays where the answer does not name it
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
                auto own = element.err != RD_KAFKA_RESP_ERR_NO_ERROR ? element.err : code;
                const qint64 least = time < 0 ? 0 : -1; // -1: no record is that young
                if (own == RD_KAFKA_RESP_ERR_NO_ERROR && element.offset < least)
                    own = RD_KAFKA_RESP_ERR__BAD_MSG;
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

/// Of one leader; in one request a thousand partitions.
Result<OffsetAnswers> askLeader(const HandlePtr &handle,
                                const std::vector<TopicPartition> &partitions, qint64 time,
                                const CallContext &context)
{
    OffsetAnswers all;
    std::span<const TopicPartition> rest(partitions);
    while (!rest.empty()) {
        const size_t count = std::min(kMaxLookedUp, rest.size());
        const auto some = askOffsets(handle, rest.first(count), time, context);
        if (!some)
            return some.error();
        all.insert(*some);
        rest = rest.subspan(count);
    }
    return all;
}

using ByLeader = std::map<qint32, std::vector<TopicPartition>>;

/// Who leads these now; partitions that are not there or have no leader get their answer at once.
Result<ByLeader> leadersOf(const HandlePtr &handle, const std::vector<TopicPartition> &partitions,
                           OffsetAnswers &answers, const CallContext &context)
{
    QSet<QString> names;
    for (const TopicPartition &partition : partitions)
        names.insert(partition.topic);
    const auto topics = describeTopics(handle, names.values(), context);
    if (!topics)
        return topics.error();
    QHash<TopicPartition, PartitionInfo> known;
    for (const TopicInfo &topic : *topics) {
        for (const PartitionInfo &partition : topic.partitions)
            known.insert({topic.name, partition.id}, partition);
    }
    ByLeader result;
    for (const TopicPartition &partition : partitions) {
        const ErrorPlace where{partition.topic, partition.partition, {}, handle->endpoint(), {}};
        const auto found = known.constFind(partition);
        if (found == known.cend())
            answers.insert(partition, fromCode(RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART, {}, where));
        else if (found->leader.value_or(-1) == -1)
            answers.insert(partition, fromCode(RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE, {}, where));
        else
            result[*found->leader].push_back(partition);
    }
    return result;
}

} // namespace

Result<OffsetAnswers> offsetsFor(const HandlePtr &handle,
                                 const std::vector<TopicPartition> &partitions, qint64 time,
                                 const CallContext &context)
{
    if (partitions.size() <= 1)
        return askLeader(handle, partitions, time, context);
    // Leader by leader: one that died a moment ago answers nobody, and the others' answers would
    // be lost with its own.
    OffsetAnswers answers;
    const auto leaders = leadersOf(handle, partitions, answers, context);
    if (!leaders)
        return leaders.error();
    for (const auto &[leader, led] : *leaders) {
        const auto asked = askLeader(handle, led, time, context.within(kMaxLeaderWait));
        if (asked) {
            answers.insert(*asked);
            continue;
        }
        if (auto interrupted = context.interruption())
            return *std::move(interrupted);
        if (leaders->size() == 1)
            return asked.error();
        for (const TopicPartition &partition : led)
            answers.insert(partition, asked.error());
    }
    return answers;
}

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
    QStringList missing = names;
    TopicList found;
    if (names.size() > kMaxAskedEach) {
        auto all = listTopics(handle, context);
        if (!all)
            return std::move(all).error();
        QSet<QString> wanted(names.begin(), names.end());
        for (TopicInfo &topic : all->topics) {
            if (wanted.remove(topic.name))
                found.append(std::move(topic));
        }
        // Gone or denied? A list leaves out both.
        missing = wanted.values();
    }
    return handle->call<TopicList>(
        [missing, topics = std::move(found), endpoint = handle->endpoint()](
            rd_kafka_t *client, int timeout) mutable -> Result<TopicList> {
            const QDeadlineTimer deadline(timeout);
            for (const QString &name : std::as_const(missing)) {
                auto topic = askTopic(client, name, endpoint,
                                      int(std::max<qint64>(deadline.remainingTime(), 1)));
                if (!topic)
                    return std::move(topic).error();
                if (*topic)
                    topics.append(std::move(**topic));
            }
            std::ranges::sort(topics, {}, &TopicInfo::name);
            return topics;
        },
        context);
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

Result<void> addOffsets(const HandlePtr &handle, TopicList &topics, const CallContext &context)
{
    // Leader by leader: one that died a moment ago answers nobody, and the others' answers would
    // be lost with its own.
    std::map<qint32, std::vector<TopicPartition>> byLeader;
    for (const TopicInfo &topic : topics) {
        for (const PartitionInfo &partition : topic.partitions) {
            if (!topic.error && !partition.error && partition.leader.value_or(-1) != -1)
                byLeader[*partition.leader].push_back({topic.name, partition.id});
        }
    }
    OffsetAnswers first;
    OffsetAnswers end;
    std::map<qint32, Error> silent;
    for (const auto &[leader, partitions] : byLeader) {
        const CallContext limited = context.within(kMaxLeaderWait);
        auto firstHere = askLeader(handle, partitions, kEarliest, limited);
        auto endHere = firstHere ? askLeader(handle, partitions, kLatest, limited) : firstHere;
        if (endHere) {
            first.insert(*firstHere);
            end.insert(*endHere);
        } else if (const auto interrupted = context.interruption()) {
            return *interrupted;
        } else {
            silent.emplace(leader, std::move(endHere).error());
        }
    }
    if (!silent.empty() && silent.size() == byLeader.size())
        return silent.begin()->second;
    for (TopicInfo &topic : topics) {
        for (PartitionInfo &partition : topic.partitions) {
            if (topic.error || partition.error)
                continue;
            if (const auto found = silent.find(partition.leader.value_or(-1));
                found != silent.end()) {
                partition.error = found->second;
                partition.error->where.topic = topic.name;
                partition.error->where.partition = partition.id;
                continue;
            }
            const TopicPartition key{topic.name, partition.id};
            const auto low = first.constFind(key);
            const auto high = end.constFind(key);
            if (low == first.cend() || high == end.cend())
                continue;
            if (!*low || !*high) {
                partition.error = (*low ? *high : *low).error();
                continue;
            }
            partition.logStartOffset = Offset{low->value()};
            partition.highWatermark = Offset{high->value()};
            partition.offsetsKnown = true;
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

void addLastStableOffsets(const HandlePtr &committed, TopicList &topics, const CallContext &context)
{
    std::vector<TopicPartition> readable;
    for (const TopicInfo &topic : std::as_const(topics)) {
        for (const PartitionInfo &partition : topic.partitions) {
            if (!topic.error && !partition.error && partition.offsetsKnown)
                readable.push_back({topic.name, partition.id});
        }
    }
    if (readable.empty())
        return;
    const auto ends = offsetsFor(committed, readable, kLatest, context);
    if (!ends)
        return;
    for (TopicInfo &topic : topics) {
        for (PartitionInfo &partition : topic.partitions) {
            const auto end = ends->constFind({topic.name, partition.id});
            if (end != ends->cend() && *end)
                partition.lastStableOffset = Offset{end->value()};
        }
    }
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
