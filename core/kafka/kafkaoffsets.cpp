#include "core/kafka/kafkaoffsets.h"

#include "core/kafka/kafkaerrors.h"
#include "core/kafka/kafkametadata.h"

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

/// Partitions looked up at once: a broker answers a request for very many late or not at all.
constexpr size_t kMaxLookedUp = 1000;
/// Then it is none of a few, and the rest is not asked for once more.
constexpr int kMaxRefusals = 64;
/// Of a partition in a request; the library leaves it be where it has nothing to say.
constexpr auto kNotAnswered = RD_KAFKA_RESP_ERR__BAD_MSG;
/// For one leader's answers: a living one gives them in far less.
constexpr std::chrono::milliseconds kMaxLeaderWait{5'000};

/// In one request. @error Broker: one of them at least was refused.
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
            if (Error error = fromCode(code); error.kind == ErrorKind::Broker ||
                                              code == RD_KAFKA_RESP_ERR__TIMED_OUT ||
                                              code == RD_KAFKA_RESP_ERR__TRANSPORT)
                return error;
            OffsetAnswers answers;
            for (int i = 0; i < list->cnt; ++i) {
                const auto &element = list->elems[i];
                const TopicPartition partition{QString::fromUtf8(element.topic),
                                               PartitionId{element.partition}};
                auto own = codeOf(element.err);
                // With an error for all, a partition may have one of its own, which says more.
                if (code != RD_KAFKA_RESP_ERR_NO_ERROR &&
                    (own == RD_KAFKA_RESP_ERR_NO_ERROR || own == kNotAnswered))
                    own = code;
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

/// The same into `answers` when one of them is refused: the library keeps the others' answers to
/// itself then, so they are asked for in halves until it stands alone.
/// @error for those that have no answer yet
Result<void> askHalves(const HandlePtr &handle, std::span<const TopicPartition> asked, qint64 time,
                       const CallContext &context, int &refusals, OffsetAnswers &answers)
{
    const auto found = askOffsets(handle, asked, time, context);
    if (found) {
        answers.insert(*found);
        return {};
    }
    if (found.error().kind != ErrorKind::Broker)
        return found.error();
    if (asked.size() == 1 || ++refusals > kMaxRefusals) {
        for (const TopicPartition &partition : asked) {
            Error error = found.error();
            error.where = {partition.topic, partition.partition, {}, {}, {}};
            answers.insert(partition, std::move(error));
        }
        return {};
    }
    const size_t half = asked.size() / 2;
    auto first = askHalves(handle, asked.first(half), time, context, refusals, answers);
    return first ? askHalves(handle, asked.subspan(half), time, context, refusals, answers) : first;
}

/// Of one leader; in one request a thousand partitions. Those it did not answer in time have that
/// as their answer. @error it answered for none; Cancelled
Result<OffsetAnswers> askLeader(const HandlePtr &handle,
                                const std::vector<TopicPartition> &partitions, qint64 time,
                                const CallContext &context)
{
    OffsetAnswers answers;
    int refusals = 0;
    Result<void> asked;
    std::span<const TopicPartition> rest(partitions);
    while (asked && !rest.empty()) {
        const size_t count = std::min(kMaxLookedUp, rest.size());
        asked = askHalves(handle, rest.first(count), time, context, refusals, answers);
        rest = rest.subspan(count);
    }
    if (asked)
        return answers;
    if (answers.isEmpty() || asked.error().kind == ErrorKind::Cancelled)
        return asked.error();
    for (const TopicPartition &partition : partitions) {
        if (!answers.contains(partition))
            answers.insert(partition, asked.error());
    }
    return answers;
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
    QHash<QString, Error> failed;
    QHash<TopicPartition, PartitionInfo> known;
    for (const TopicInfo &topic : *topics) {
        if (topic.error)
            failed.insert(topic.name, *topic.error);
        for (const PartitionInfo &partition : topic.partitions)
            known.insert({topic.name, partition.id}, partition);
    }
    ByLeader result;
    for (const TopicPartition &partition : partitions) {
        const ErrorPlace where{partition.topic, partition.partition, {}, handle->endpoint(), {}};
        const auto found = known.constFind(partition);
        if (const auto reason = failed.constFind(partition.topic); reason != failed.cend())
            answers.insert(partition, *reason);
        else if (found == known.cend())
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
        auto firstHere = askLeader(handle, partitions, kEarliest, context.within(kMaxLeaderWait));
        // What was refused or not answered would be again.
        std::vector<TopicPartition> known;
        std::ranges::copy_if(partitions, std::back_inserter(known), [&](const auto &partition) {
            if (!firstHere)
                return false;
            const auto answer = firstHere->constFind(partition);
            return answer != firstHere->cend() && answer->ok();
        });
        auto endHere = firstHere && !known.empty()
                           ? askLeader(handle, known, kLatest, context.within(kMaxLeaderWait))
                           : firstHere;
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
            if (low == first.cend() || (*low && high == end.cend()))
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
