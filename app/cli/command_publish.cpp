#include "app/cli/command_publish.h"

#include "app/cli/client.h"
#include "app/cli/errorlines.h"
#include "app/cli/payloadargument.h"
#include "app/cli/publishfile.h"
#include "app/cli/publishoptions.h"
#include "core/records/jsonline.h"
#include "core/sessionfactory.h"

namespace topicscope::cli
{

using namespace Qt::StringLiterals;

namespace
{

/// --header and --timestamp.
Result<void> readHeaders(const CommandLine &line, const Capabilities &capabilities,
                         PublishRequest &request)
{
    for (const QString &header : line.values(u"header"_s)) {
        const qsizetype equals = header.indexOf(u'=');
        RecordHeader read{header.left(equals).toUtf8(), std::nullopt};
        if (equals >= 0)
            read.value = header.sliced(equals + 1).toUtf8();
        request.headers.append(read);
    }
    if (!request.headers.isEmpty() && !capabilities.headers)
        return refusal(u"this broker stores no headers"_s);
    if (line.has(u"timestamp"_s)) {
        if (!capabilities.timestamps)
            return refusal(u"this broker stores no timestamps"_s);
        const auto timestamp = line.number(u"timestamp"_s, 0);
        if (!timestamp)
            return timestamp.error();
        request.timestampMs = *timestamp;
    }
    return {};
}

/// @error InvalidArgument: a wrong command line. Io: a file that cannot be read.
Result<PublishRequest> publishRequest(const CommandLine &line, const Capabilities &capabilities)
{
    PublishRequest request;
    if (auto read = readDelivery(line, capabilities, request); !read)
        return read.error();
    auto key = payloadArgument(line, u"key"_s, capabilities.maxRecordBytes);
    if (!key)
        return std::move(key).error();
    request.key = *std::move(key);
    auto value = payloadArgument(line, u"value"_s, capabilities.maxRecordBytes);
    if (!value)
        return std::move(value).error();
    request.value = *std::move(value);
    const bool tombstone = line.has(u"null-value"_s);
    if (request.value && tombstone)
        return refusal(u"a value and --null-value exclude each other"_s);
    if (!request.value && !tombstone)
        return refusal(u"needs a value: --value, --value-hex, --value-file or --null-value"_s);
    if (tombstone && !capabilities.nullValues)
        return refusal(u"this broker stores no null values"_s);
    if (auto read = readHeaders(line, capabilities, request); !read)
        return std::move(read).error();
    return request;
}

void printResult(Client &client, const PublishResult &result)
{
    const auto number = [](const std::optional<Offset> &offset) {
        return offset ? std::optional(offset->value) : std::nullopt;
    };
    if (client.json()) {
        client.out().line(JsonLine()
                              .text("type", u"published"_s)
                              .text("topic", result.partition.topic)
                              .number("partition", result.partition.partition.value)
                              .number("offset", number(result.offset))
                              .number("logEndOffset", number(result.logEndOffset))
                              .text("ack", ackPolicyName(result.ack))
                              .take());
        return;
    }
    const QString where =
        result.partition.topic + u'/' + QString::number(result.partition.partition.value);
    client.out().line(
        result.offset
            ? u"published to %1 at offset %2 (ack %3)"_s.arg(
                  where, QString::number(result.offset->value), ackPolicyName(result.ack))
            : u"sent to %1, not confirmed (ack %2)"_s.arg(where, ackPolicyName(result.ack)));
}

int runPublish(const CommandLine &line)
{
    auto config = sessionConfig(line);
    if (!config)
        return configError(u"publish"_s, config.error());
    config->readOnly = config->readOnly || line.has(u"read-only"_s);
    if (line.has(u"input"_s))
        return publishFile(line, *config);
    const auto request = publishRequest(line, defaultSessionFactory()(*config)->capabilities());
    if (!request && request.error().kind != ErrorKind::Io)
        return usageError(u"publish"_s, request.error().detail);
    if (!request) {
        printError(errorLine(request.error()));
        return ExitFailed;
    }
    Client client(*config, line.has(u"json"_s));
    const auto result = client.session().publish(*request, client.call());
    if (!result) {
        // The outcome is what counts, also when Ctrl-C was what ended the wait.
        const int code = client.fail(result.error());
        return code == ExitOutcomeUnknown ? code : client.finish(code);
    }
    printResult(client, *result);
    return client.out().finish(ExitOk);
}

} // namespace

Command publishCommand()
{
    return {
        .verb = u"publish"_s,
        .arguments = u"TOPIC"_s,
        .summary = u"Publish one record, or those of a file"_s,
        .details =
            u"The partition is chosen by hand (--partition), by the key's hash, or, without a "
            u"key,\n"
            u"is booblik's first and any of Kafka's. An empty key (--key \"\") is a key.\n"
            u"booblik stores no key: it only selects the partition. It stores no empty value,\n"
            u"no headers and no timestamp either.\n"
            u"\n"
            u"Ack policies: none = nothing is confirmed; written = in the log, survives a killed\n"
            u"broker; forced = behind a disk barrier, survives a power cut. Kafka has its own:\n"
            u"0 = nothing is confirmed; 1 = in the leader's log; all = in the log of every "
            u"replica\n"
            u"in sync.\n"
            u"\n"
            u"A record is sent once and never again by the program. Exit code 3 means that it was\n"
            u"sent and no answer came: look for it with fetch before publishing again.\n"
            u"\n"
            u"With --input it publishes the records of a file, each once, and writes one outcome "
            u"a\n"
            u"record to FILE.outcomes. A run that was stopped, or whose broker went away, is gone "
            u"on\n"
            u"with by --resume: behind the last outcome known. What is unknown is not sent again.\n"
            u"Formats: ndjson (as export writes it), csv (its first row names the columns), lines\n"
            u"(each a value), files (a directory, each file a value). --dry-run sends nothing and\n"
            u"says of each record where it would go, or why it would be refused. Exit code 4 when\n"
            u"records were refused.\n"
            u"\n"
            u"--json prints one object: type published, topic, partition, offset, logEndOffset\n"
            u"(both null when not confirmed) and ack.\n"
            u"\n"
            u"Examples:\n"
            u"  topicscope-cli publish orders --key order-42 --value '{\"id\":42}'\n"
            u"  topicscope-cli publish orders --key 42 --key-format int64-be --null-value\n"
            u"  topicscope-cli publish orders --partition 1 --ack forced --value-file fix.bin\n"
            u"  date | topicscope-cli publish clicks --value -\n"
            u"  topicscope-cli publish orders --input orders.csv --columns key=id,value=doc "
            u"--dry-run\n"
            u"  topicscope-cli publish replay --input orders.ndjson --partitions keep --rate 100\n"_s,
        .options =
            brokerOptions() + payloadOptions(u"key"_s, u"the key"_s) +
            payloadOptions(u"value"_s, u"the value"_s) +
            QList<Option>{
                {u"ack"_s, u"POLICY"_s,
                 u"booblik: none, written (default), forced;\nKafka: 0, 1, all (default)"_s},
                {u"partition"_s, u"N"_s, u"the partition by hand, whatever the key"_s},
                {u"partitioner"_s, u"NAME"_s,
                 u"how a key selects the partition (default booblik, for Kafka\n"
                 u"murmur2_random); 'topicscope-cli hash' shows them all"_s},
                {u"compression"_s, u"NAME"_s, u"Kafka: none (default), gzip, snappy, lz4, zstd"_s},
                {u"header"_s, u"NAME=VALUE"_s,
                 u"a header, in the order given; without '=' its value is null"_s, u'H', true},
                {u"null-value"_s, {}, u"no value at all: a tombstone"_s},
                {u"timestamp"_s, u"MS"_s,
                 u"milliseconds since the epoch (default: when it is sent)"_s},
                {u"input"_s, u"FILE"_s, u"publish the records of a file (a directory for files)"_s,
                 u'i'},
                {u"format"_s, u"FORMAT"_s, u"of the file: ndjson (default), csv, lines, files"_s},
                {u"columns"_s, u"LIST"_s,
                 u"csv: key=, value=, partition=, headers=, timestamp= with a\n"
                 u"column's name or number; headers=* is each other column"_s},
                {u"partitions"_s, u"HOW"_s,
                 u"key (default) or keep: the partition each record was in"_s},
                {u"keep-times"_s, {}, u"publish with the file's times"_s},
                {u"drop"_s, {}, u"leave out headers, keys and times that are not stored there"_s},
                {u"rate"_s, u"N"_s, u"at most N records a second"_s},
                {u"dry-run"_s, {}, u"send nothing, say what would become of each record"_s},
                {u"outcomes"_s, u"FILE"_s, u"where to (default: the input's name and .outcomes)"_s},
                {u"resume"_s, {}, u"go on with a run that was stopped"_s},
                {u"read-only"_s, {}, u"refuse to publish, as a read-only connection does"_s},
            },
        .rawArguments = false,
        .run = runPublish,
    };
}

} // namespace topicscope::cli
