#include "app/cli/command_topics.h"

#include "app/cli/client.h"
#include "core/base/bytewriter.h"
#include "core/records/jsonline.h"
#include "core/records/payloadformat.h"

#include <algorithm>
#include <limits>

namespace topicscope::cli
{

using namespace Qt::StringLiterals;

namespace
{

qint64 records(const TopicInfo &topic)
{
    qint64 sum = 0;
    for (const PartitionInfo &partition : topic.partitions) {
        const qint64 span = partition.error ? 0 : partition.offsetSpan();
        // A broker may claim anything.
        sum = span > std::numeric_limits<qint64>::max() - sum ? std::numeric_limits<qint64>::max()
                                                              : sum + span;
    }
    return sum;
}

void printJson(Client &client, const TopicInfo &topic)
{
    JsonLine json;
    json.text("type", u"topic"_s)
        .text("topic", topic.name)
        .number("partitions", topic.partitions.size())
        .number("records", records(topic));
    if (topic.error)
        json.text("error", describe(*topic.error));
    client.out().line(json.take());
}

int printTopics(Client &client, const TopicList &topics)
{
    qsizetype width = 5;
    for (const TopicInfo &topic : topics)
        width = std::max(width, topic.name.size());
    if (!client.json())
        client.out().line(u"TOPIC"_s.leftJustified(width) + u"  PARTITIONS       RECORDS"_s);
    for (const TopicInfo &topic : topics) {
        if (client.json()) {
            printJson(client, topic);
            continue;
        }
        QString row = previewText(asBytes(topic.name.toUtf8())).leftJustified(width);
        row += QString::number(topic.partitions.size()).rightJustified(12);
        row += QString::number(records(topic)).rightJustified(14);
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
    return withTopics(u"topics"_s, line, printTopics);
}

} // namespace

Command topicsCommand()
{
    return {
        .verb = u"topics"_s,
        .arguments = {},
        .summary = u"List the topics"_s,
        .details = u"RECORDS is the sum over the partitions of high watermark - log start offset.\n"
                   u"\n"
                   u"Example:\n"
                   u"  topicscope-cli topics --broker broker.example:9092\n"_s,
        .options = brokerOptions(),
        .rawArguments = false,
        .run = runTopics,
    };
}

} // namespace topicscope::cli
