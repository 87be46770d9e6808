#include "app/cli/command_partitions.h"

#include "app/cli/client.h"
#include "app/cli/targets.h"
#include "core/base/bytewriter.h"
#include "core/records/jsonline.h"
#include "core/records/payloadformat.h"

#include <algorithm>

namespace topicscope::cli
{

using namespace Qt::StringLiterals;

namespace
{

QString ids(const QList<qint32> &brokers)
{
    QStringList texts;
    for (const qint32 id : brokers)
        texts.append(QString::number(id));
    return texts.isEmpty() ? u"-"_s : texts.join(u',');
}

QString replicaCells(const PartitionInfo &partition)
{
    if (!partition.leader)
        return {};
    return (*partition.leader < 0 ? u"none"_s : QString::number(*partition.leader))
               .rightJustified(8) +
           ids(partition.replicas).rightJustified(12) +
           ids(outOfSyncReplicas(partition)).rightJustified(13);
}

void printJson(Client &client, const TopicInfo &topic, const PartitionInfo &partition,
               const std::optional<Error> &error)
{
    const auto known = [&partition](Offset offset) {
        return partition.offsetsKnown ? std::optional(offset.value) : std::nullopt;
    };
    JsonLine json;
    json.text("type", u"partition"_s)
        .text("topic", topic.name)
        .number("partition", partition.id.value)
        .number("logStartOffset", known(partition.logStartOffset))
        .number("highWatermark", known(partition.highWatermark));
    if (partition.leader) {
        json.number("leader",
                    *partition.leader < 0 ? std::nullopt : std::optional<qint64>(*partition.leader))
            .numbers("replicas", partition.replicas)
            .numbers("inSync", partition.inSyncReplicas)
            .numbers("outOfSync", outOfSyncReplicas(partition));
    }
    if (error)
        json.text("error", describe(*error));
    client.out().line(json.take());
}

void printPartition(Client &client, const TopicInfo &topic, const PartitionInfo &partition,
                    qsizetype nameWidth)
{
    const auto error = topic.error ? topic.error : partition.error;
    if (client.json()) {
        printJson(client, topic, partition, error);
        return;
    }
    const auto known = [&partition](qint64 number) {
        return partition.offsetsKnown ? QString::number(number) : u"-"_s;
    };
    QString row = previewText(asBytes(topic.name.toUtf8())).leftJustified(nameWidth);
    row += QString::number(partition.id.value).rightJustified(11);
    row += known(partition.logStartOffset.value).rightJustified(14);
    row += known(partition.highWatermark.value).rightJustified(16);
    row += known(partition.offsetSpan()).rightJustified(12);
    row += replicaCells(partition);
    if (error)
        row += u"  "_s + describe(*error);
    client.out().line(row);
}

/// Those named, or all. @return an ExitCode
int printPartitions(Client &client, const TopicList &topics, const QStringList &names)
{
    TopicList shown;
    int code = ExitOk;
    for (const QString &name : names) {
        const auto topic = std::find_if(topics.begin(), topics.end(),
                                        [&](const TopicInfo &t) { return t.name == name; });
        if (topic != topics.end())
            shown += *topic;
        else
            code = client.fail(noSuchTopic(name));
    }
    if (names.isEmpty())
        shown = topics;

    qsizetype width = 5;
    for (const TopicInfo &topic : shown)
        width = std::max(width, topic.name.size());
    const bool replicated = std::ranges::any_of(shown, [](const TopicInfo &topic) {
        return !topic.partitions.isEmpty() && topic.partitions.constFirst().leader;
    });
    if (!client.json() && !shown.isEmpty()) {
        client.out().line(u"TOPIC"_s.leftJustified(width) +
                          u"  PARTITION     LOG START  HIGH WATERMARK     RECORDS"_s +
                          (replicated ? u"  LEADER    REPLICAS  OUT OF SYNC"_s : QString()));
    }
    for (const TopicInfo &topic : shown) {
        for (const PartitionInfo &partition : topic.partitions)
            printPartition(client, topic, partition, width);
    }
    return code;
}

int runPartitions(const CommandLine &line)
{
    const TopicChoice choice{.names = line.positional(), .internal = line.has(u"internal"_s)};
    return withTopics(u"partitions"_s, line, choice, [&](Client &client, const TopicList &topics) {
        return printPartitions(client, topics, line.positional());
    });
}

} // namespace

Command partitionsCommand()
{
    return {
        .verb = u"partitions"_s,
        .arguments = u"[TOPIC...]"_s,
        .summary = u"List partitions with log start offset and high watermark"_s,
        .details = u"Without a TOPIC all topics are listed.\n"
                   u"LEADER, REPLICAS and OUT OF SYNC are broker ids, where the broker is a "
                   u"cluster.\n"
                   u"\n"
                   u"Example:\n"
                   u"  topicscope-cli partitions orders clicks\n"_s,
        .options = brokerOptions() << internalOption(),
        .rawArguments = false,
        .run = runPartitions,
    };
}

} // namespace topicscope::cli
