#include "app/cli/command_topics.h"

#include "app/cli/client.h"
#include "core/base/bytewriter.h"
#include "core/records/jsonline.h"
#include "core/records/payloadformat.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace topicscope::cli
{

using namespace Qt::StringLiterals;

namespace
{

/// Of the partitions whose offsets are known; nullopt: of none.
std::optional<qint64> records(const TopicInfo &topic)
{
    std::optional<qint64> sum;
    for (const PartitionInfo &partition : topic.partitions) {
        if (!partition.offsetsKnown || partition.error)
            continue;
        const qint64 span = partition.offsetSpan();
        const qint64 before = sum.value_or(0);
        // A broker may claim anything.
        sum = span > std::numeric_limits<qint64>::max() - before
                  ? std::numeric_limits<qint64>::max()
                  : before + span;
    }
    return sum || !topic.partitions.isEmpty() || topic.error ? sum : 0;
}

qsizetype count(const TopicInfo &topic, PartitionHealth health)
{
    return std::ranges::count(topic.partitions, health, healthOf);
}

bool hasReplicas(const TopicInfo &topic)
{
    return std::ranges::any_of(topic.partitions, [](const PartitionInfo &partition) {
        return partition.leader.has_value();
    });
}

void printJson(Client &client, const TopicInfo &topic)
{
    JsonLine json;
    json.text("type", u"topic"_s)
        .text("topic", topic.name)
        .number("partitions", topic.partitions.size())
        .number("records", records(topic));
    if (hasReplicas(topic)) {
        json.boolean("internal", topic.internal)
            .number("leaderless", count(topic, PartitionHealth::Leaderless))
            .number("outOfSync", count(topic, PartitionHealth::OutOfSync));
    }
    if (topic.error)
        json.text("error", describe(*topic.error));
    client.out().line(json.take());
}

int printTopics(Client &client, const TopicList &topics)
{
    qsizetype width = 5;
    for (const TopicInfo &topic : topics)
        width = std::max(width, topic.name.size());
    const bool replicated = std::ranges::any_of(topics, hasReplicas);
    if (!client.json()) {
        client.out().line(u"TOPIC"_s.leftJustified(width) + u"  PARTITIONS       RECORDS"_s +
                          (replicated ? u"  LEADERLESS  OUT OF SYNC"_s : QString()));
    }
    for (const TopicInfo &topic : topics) {
        if (client.json()) {
            printJson(client, topic);
            continue;
        }
        const auto sum = records(topic);
        QString row = previewText(asBytes(topic.name.toUtf8())).leftJustified(width);
        row += QString::number(topic.partitions.size()).rightJustified(12);
        row += (sum ? QString::number(*sum) : u"-"_s).rightJustified(14);
        if (replicated) {
            row += QString::number(count(topic, PartitionHealth::Leaderless)).rightJustified(12) +
                   QString::number(count(topic, PartitionHealth::OutOfSync)).rightJustified(13);
        }
        if (topic.error)
            row += u"  "_s + describe(*topic.error);
        client.out().line(row);
    }
    return ExitOk;
}

int runTopics(const CommandLine &line)
{
    if (!line.positional().isEmpty())
        return usageError(u"topics"_s, u"unexpected '%1'"_s.arg(line.positional().constFirst()));
    return withTopics(u"topics"_s, line, {.internal = line.has(u"internal"_s)}, printTopics);
}

} // namespace

Command topicsCommand()
{
    return {
        .verb = u"topics"_s,
        .arguments = {},
        .summary = u"List the topics"_s,
        .details = u"RECORDS is the sum over the partitions of high watermark - log start offset.\n"
                   u"LEADERLESS and OUT OF SYNC count partitions, where the broker is a cluster.\n"
                   u"\n"
                   u"Example:\n"
                   u"  topicscope-cli topics --broker broker.example:9092\n"_s,
        .options = brokerOptions() << internalOption(),
        .rawArguments = false,
        .run = runTopics,
    };
}

} // namespace topicscope::cli
