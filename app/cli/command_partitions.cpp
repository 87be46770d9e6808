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

void printPartition(Client &client, const TopicInfo &topic, const PartitionInfo &partition,
                    qsizetype nameWidth)
{
    const auto error = topic.error ? topic.error : partition.error;
    if (client.json()) {
        JsonLine json;
        json.text("type", u"partition"_s)
            .text("topic", topic.name)
            .number("partition", partition.id.value)
            .number("logStartOffset", partition.logStartOffset.value)
            .number("highWatermark", partition.highWatermark.value);
        if (error)
            json.text("error", describe(*error));
        client.out().line(json.take());
        return;
    }
    QString row = previewText(asBytes(topic.name.toUtf8())).leftJustified(nameWidth);
    row += QString::number(partition.id.value).rightJustified(11);
    row += QString::number(partition.logStartOffset.value).rightJustified(14);
    row += QString::number(partition.highWatermark.value).rightJustified(16);
    row += QString::number(partition.offsetSpan()).rightJustified(12);
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
    if (!client.json() && !shown.isEmpty()) {
        client.out().line(u"TOPIC"_s.leftJustified(width) +
                          u"  PARTITION     LOG START  HIGH WATERMARK     RECORDS"_s);
    }
    for (const TopicInfo &topic : shown) {
        for (const PartitionInfo &partition : topic.partitions)
            printPartition(client, topic, partition, width);
    }
    return code;
}

int runPartitions(const CommandLine &line)
{
    return withTopics(u"partitions"_s, line, [&](Client &client, const TopicList &topics) {
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
                   u"\n"
                   u"Example:\n"
                   u"  topicscope-cli partitions orders clicks\n"_s,
        .options = brokerOptions(),
        .rawArguments = false,
        .run = runPartitions,
    };
}

} // namespace topicscope::cli
