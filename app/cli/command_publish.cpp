#include "app/cli/command_publish.h"

#include "app/cli/client.h"
#include "app/cli/errorlines.h"
#include "app/cli/payloadargument.h"
#include "core/records/jsonline.h"
#include "core/sessionfactory.h"

namespace topicscope::cli
{

using namespace Qt::StringLiterals;

namespace
{

std::optional<AckPolicy> ackByName(const QString &name)
{
    for (const AckPolicy policy : {AckPolicy::None, AckPolicy::Written, AckPolicy::Forced,
                                   AckPolicy::Acks0, AckPolicy::Acks1, AckPolicy::AcksAll}) {
        if (ackPolicyName(policy) == name)
            return policy;
    }
    return std::nullopt;
}

std::optional<Compression> compressionByName(const QString &name)
{
    for (const Compression compression : {Compression::None, Compression::Gzip, Compression::Snappy,
                                          Compression::Lz4, Compression::Zstd}) {
        if (compressionName(compression) == name)
            return compression;
    }
    return std::nullopt;
}

Error refusal(const QString &why)
{
    return Error::make(ErrorKind::InvalidArgument, why);
}

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
    if (line.positional().size() != 1)
        return refusal(u"needs one topic"_s);
    PublishRequest request;
    request.topic = line.positional().constFirst();

    const auto name = line.value(u"ack"_s);
    const auto ack = name ? ackByName(*name) : capabilities.ackPolicies.value(0);
    if (!ack || !capabilities.ackPolicies.contains(*ack)) {
        QStringList names;
        for (const AckPolicy policy : capabilities.ackPolicies)
            names += ackPolicyName(policy);
        return refusal(u"--ack needs one of: "_s + names.join(u", "_s));
    }
    request.ack = *ack;
    if (line.has(u"partition"_s)) {
        const auto partition =
            line.number(u"partition"_s, 0, 0, std::numeric_limits<qint32>::max());
        if (!partition)
            return partition.error();
        request.partition = PartitionId{qint32(*partition)};
    }
    request.partitioner = capabilities.partitioners.constFirst();
    if (const auto named = line.value(u"partitioner"_s)) {
        const auto partitioner = Partitioner::byName(*named);
        if (!partitioner)
            return refusal(
                u"unknown partitioner '%1'; 'topicscope-cli hash' lists them"_s.arg(*named));
        request.partitioner = partitioner->algorithm();
    }
    if (const auto named = line.value(u"compression"_s)) {
        const auto compression = compressionByName(*named);
        QStringList names;
        for (const Compression one : capabilities.compressions)
            names += compressionName(one);
        if (names.isEmpty())
            return refusal(u"this broker compresses nothing"_s);
        if (!compression || !capabilities.compressions.contains(*compression))
            return refusal(u"--compression needs one of: "_s + names.join(u", "_s));
        request.compression = *compression;
    }
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
        .summary = u"Publish one record"_s,
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
            u"--json prints one object: type published, topic, partition, offset, logEndOffset\n"
            u"(both null when not confirmed) and ack.\n"
            u"\n"
            u"Examples:\n"
            u"  topicscope-cli publish orders --key order-42 --value '{\"id\":42}'\n"
            u"  topicscope-cli publish orders --key 42 --key-format int64-be --null-value\n"
            u"  topicscope-cli publish orders --partition 1 --ack forced --value-file fix.bin\n"
            u"  date | topicscope-cli publish clicks --value -\n"_s,
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
                {u"read-only"_s, {}, u"refuse to publish, as a read-only connection does"_s},
            },
        .rawArguments = false,
        .run = runPublish,
    };
}

} // namespace topicscope::cli
