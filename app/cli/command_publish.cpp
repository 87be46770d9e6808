#include "app/cli/command_publish.h"

#include "app/cli/client.h"
#include "app/cli/errorlines.h"
#include "app/cli/jsonline.h"
#include "app/cli/payloadargument.h"
#include "core/records/recordcodec.h"

namespace topicscope::cli
{

using namespace Qt::StringLiterals;

namespace
{

std::optional<AckPolicy> ackByName(const QString &name)
{
    for (const AckPolicy policy : {AckPolicy::None, AckPolicy::Written, AckPolicy::Forced}) {
        if (ackPolicyName(policy) == name)
            return policy;
    }
    return std::nullopt;
}

Error refusal(const QString &why)
{
    return Error::make(ErrorKind::InvalidArgument, why);
}

/// @error InvalidArgument: a wrong command line. Io: a file that cannot be read.
Result<PublishRequest> publishRequest(const CommandLine &line)
{
    if (line.positional().size() != 1)
        return refusal(u"needs one topic"_s);
    PublishRequest request;
    request.topic = line.positional().constFirst();

    const auto ack = ackByName(line.value(u"ack"_s).value_or(u"written"_s));
    if (!ack)
        return refusal(u"--ack needs none, written or forced"_s);
    request.ack = *ack;
    if (line.has(u"partition"_s)) {
        const auto partition =
            line.number(u"partition"_s, 0, 0, std::numeric_limits<qint32>::max());
        if (!partition)
            return partition.error();
        request.partition = PartitionId{qint32(*partition)};
    }
    if (const auto name = line.value(u"partitioner"_s)) {
        const auto partitioner = Partitioner::byName(*name);
        if (!partitioner)
            return refusal(
                u"unknown partitioner '%1'; 'topicscope-cli hash' lists them"_s.arg(*name));
        request.partitioner = partitioner->algorithm();
    }
    auto key = payloadArgument(line, u"key"_s, kMaxRecordBytes);
    if (!key)
        return std::move(key).error();
    request.key = *std::move(key);
    auto value = payloadArgument(line, u"value"_s, kMaxRecordBytes);
    if (!value)
        return std::move(value).error();
    request.value = *std::move(value);
    if (!request.value)
        return refusal(u"needs a value: --value, --value-hex or --value-file"_s);
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
        result.offset ? u"published to %1 at offset %2 (ack %3)"_s.arg(
                            where, QString::number(result.offset->value), ackPolicyName(result.ack))
                      : u"sent to %1, not confirmed (ack none)"_s.arg(where));
}

int runPublish(const CommandLine &line)
{
    auto config = sessionConfig(line);
    if (!config)
        return usageError(u"publish"_s, config.error().detail);
    config->readOnly = line.has(u"read-only"_s);
    const auto request = publishRequest(line);
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
            u"is the topic's first. An empty key (--key \"\") is a key. booblik stores no key: it\n"
            u"only selects the partition. It stores no empty value either.\n"
            u"\n"
            u"Ack policies: none = nothing is confirmed; written = in the log, survives a killed\n"
            u"broker; forced = behind a disk barrier, survives a power cut.\n"
            u"\n"
            u"A record is sent once and never again by the program. Exit code 3 means that it was\n"
            u"sent and no answer came: look for it with fetch before publishing again.\n"
            u"\n"
            u"--json prints one object: type published, topic, partition, offset, logEndOffset\n"
            u"(both null with ack none) and ack.\n"
            u"\n"
            u"Examples:\n"
            u"  topicscope-cli publish orders --key order-42 --value '{\"id\":42}'\n"
            u"  topicscope-cli publish orders --partition 1 --ack forced --value-file fix.bin\n"
            u"  date | topicscope-cli publish clicks --value -\n"_s,
        .options = brokerOptions() + payloadOptions(u"key"_s, u"the key"_s) +
                   payloadOptions(u"value"_s, u"the value"_s) +
                   QList<Option>{
                       {u"ack"_s, u"POLICY"_s, u"none, written (default) or forced"_s},
                       {u"partition"_s, u"N"_s, u"the partition by hand, whatever the key"_s},
                       {u"partitioner"_s, u"NAME"_s,
                        u"how a key selects the partition (default booblik);\n"
                        u"'topicscope-cli hash' shows them all"_s},
                       {u"read-only"_s, {}, u"refuse to publish, as a read-only connection does"_s},
                   },
        .rawArguments = false,
        .run = runPublish,
    };
}

} // namespace topicscope::cli
