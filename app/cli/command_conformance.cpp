#include "app/cli/command_conformance.h"

#include "app/cli/errorlines.h"
#include "app/cli/output.h"
#include "core/base/bytewriter.h"
#include "core/booblik/connection.h"
#include "core/booblik/produce.h"
#include "core/booblik/responsecodec.h"
#include "core/booblik/topichandle.h"
#include "core/records/payloadformat.h"
#include "core/records/recordcodec.h"

#include <algorithm>

namespace topicscope::cli
{

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{

constexpr std::chrono::milliseconds kLimit = 15s; // a verb has 20

/// What a verb prints, one key=value a line.
using Lines = QStringList;

CallContext call()
{
    return CallContext(kLimit);
}

Error wrongArgument(const QString &why)
{
    return Error::make(ErrorKind::InvalidArgument, why);
}

Result<qint64> number(const QString &text, qint64 max)
{
    // Negative numbers are the broker's to refuse.
    if (const auto value = parseNumber(text, -max - 1, max))
        return *value;
    return wrongArgument(u"'%1' is no number of that size"_s.arg(text));
}

Result<qint32> number32(const QString &text)
{
    const auto value = number(text, std::numeric_limits<qint32>::max());
    if (!value)
        return value.error();
    return qint32(*value);
}

/// Exactly the digits of whole bytes; "" is no bytes.
Result<QByteArray> bytes(const QString &hex)
{
    auto parsed = parseHex(hex);
    if (parsed && parsed->size() * 2 != hex.size())
        return wrongArgument(u"'%1' is not plain hex digits"_s.arg(hex));
    return parsed;
}

Result<Lines> metadata(booblik::Connection &connection, const QStringList &arguments)
{
    const auto answer = connection.metadata({arguments[0]}, call());
    if (!answer)
        return answer.error();
    Lines lines;
    for (const booblik::wire::MetadataTopic &topic : answer->topics) {
        for (const booblik::wire::MetadataPartition &partition : topic.partitions) {
            lines += u"partition=%1 %2 %3"_s.arg(partition.partitionId)
                         .arg(partition.logStartOffset)
                         .arg(partition.highWatermark);
        }
    }
    return lines;
}

Result<Lines> produce(booblik::Connection &connection, const QStringList &arguments)
{
    booblik::wire::ProduceRequest request;
    request.topicName = arguments[0];
    const auto partition = number32(arguments[1]);
    if (!partition)
        return partition.error();
    request.partitionId = *partition;
    const qsizetype ack = QStringList({u"none"_s, u"written"_s, u"forced"_s}).indexOf(arguments[2]);
    if (ack < 0)
        return wrongArgument(u"ack is none, written or forced, not '%1'"_s.arg(arguments[2]));
    request.ackPolicy = qint8(ack);
    // "" is one record of no bytes: the broker has to see it and refuse it.
    for (const QString &hex : arguments[3].split(u',')) {
        auto record = bytes(hex);
        if (!record)
            return std::move(record).error();
        request.records += *std::move(record);
    }
    const auto answer = booblik::produceOnce(connection, request, booblik::Silence::Trust, call());
    if (!answer)
        return answer.error();
    if (!*answer)
        return Lines();
    return Lines{u"baseOffset=%1"_s.arg((*answer)->baseOffset),
                 u"logEndOffset=%1"_s.arg((*answer)->logEndOffset)};
}

Result<Lines> produceKeyed(booblik::Connection &connection, const QStringList &arguments)
{
    const auto key = bytes(arguments[1]);
    if (!key)
        return key.error();
    const auto payload = bytes(arguments[2]);
    if (!payload)
        return payload.error();
    booblik::TopicHandle topic(arguments[0], PartitionAlgorithm::BooblikFnv1a);
    if (auto refreshed = topic.refresh(connection, call()); !refreshed)
        return std::move(refreshed).error();
    const auto partition = topic.route(*key);
    if (!partition)
        return partition.error();
    const auto answer = booblik::produceOnce(
        connection,
        {topic.name(), partition->value, booblik::wireAck(AckPolicy::Written), {*payload}},
        booblik::Silence::Trust, call());
    if (!answer)
        return answer.error();
    return Lines{u"partition=%1"_s.arg(partition->value),
                 u"baseOffset=%1"_s.arg((*answer)->baseOffset)};
}

Result<Lines> fetch(booblik::Connection &connection, const QStringList &arguments)
{
    booblik::wire::FetchRequest request;
    request.topicName = arguments[0];
    const auto partition = number32(arguments[1]);
    if (!partition)
        return partition.error();
    const auto offset = number(arguments[2], std::numeric_limits<qint64>::max());
    if (!offset)
        return offset.error();
    const auto maxBytes = number32(arguments[3]);
    if (!maxBytes)
        return maxBytes.error();
    request.partitionId = *partition;
    request.fetchOffset = *offset;
    request.maxBytes = *maxBytes;

    if (const auto sent = connection.send(request, call()); !sent)
        return sent.error();
    auto answer = connection.receive(call());
    if (!answer)
        return std::move(answer).error();
    const auto header = booblik::decodeFetchResponse(answer->body());
    if (!header)
        return header.error();
    const auto decoded = decodeRecords(
        {request.topicName, PartitionId{request.partitionId}}, answer->frame,
        booblik::kResponseHeaderBytes + header->payloadBegin, Offset{*offset}, DecodeMode::Strict);
    if (!decoded)
        return decoded.error();

    Lines lines{u"highWatermark=%1"_s.arg(header->highWatermark)};
    const bool cut = decoded->end != PayloadEnd::Clean;
    if (decoded->chunk->isEmpty() && cut)
        lines += u"recordExceedsMaxBytes=%1"_s.arg(decoded->endRecordBytes);
    for (const Record &record : decoded->chunk->records())
        lines += u"record="_s + hexString(decoded->chunk->value(record));
    return lines;
}

struct Verb {
    QString name;
    qsizetype argumentCount;
    Result<Lines> (*run)(booblik::Connection &, const QStringList &);
};

int print(const QStringList &lines, int code)
{
    Output out;
    for (const QString &line : lines)
        out.line(line);
    return out.finish(code);
}

int runConformance(const CommandLine &line)
{
    const QString name = line.positional().value(0);
    const QStringList arguments = line.positional().mid(1);
    if (name == u"capabilities"_s) {
        return print(
            {u"roles=producer,consumer"_s, u"name=topicscope-cli " TOPICSCOPE_VERSION ""_s},
            ExitOk);
    }
    const std::initializer_list<Verb> verbs{{u"metadata"_s, 1, metadata},
                                            {u"produce"_s, 4, produce},
                                            {u"produce-keyed"_s, 3, produceKeyed},
                                            {u"fetch"_s, 4, fetch}};
    const auto verb =
        std::find_if(verbs.begin(), verbs.end(), [&](const Verb &v) { return v.name == name; });
    if (verb == verbs.end())
        return usageError(u"conformance"_s, u"unknown verb '%1'"_s.arg(name));
    if (arguments.size() != verb->argumentCount) {
        return usageError(u"conformance"_s, u"%1 needs %2 arguments, not %3"_s.arg(
                                                name, QString::number(verb->argumentCount),
                                                QString::number(arguments.size())));
    }
    SessionConfig config;
    const QString broker = qEnvironmentVariable("BOOBLIK_BROKER");
    if (broker.isEmpty() || !parseEndpoint(broker, &config.host, &config.port))
        return usageError(u"conformance"_s, u"BOOBLIK_BROKER has to be HOST:PORT"_s);

    booblik::Connection connection(config);
    const auto lines = verb->run(connection, arguments);
    if (lines)
        return print(*lines, ExitOk);
    const Error &error = lines.error();
    if (error.kind == ErrorKind::Broker) // being refused is an answer
        return print({u"error="_s + error.brokerName}, ExitOk);
    if (error.kind == ErrorKind::InvalidArgument && !connection.isOpen())
        return usageError(u"conformance"_s, error.detail);
    printError(errorLine(error));
    return ExitFailed;
}

} // namespace

Command conformanceCommand()
{
    return {
        .verb = u"conformance"_s,
        .arguments = u"VERB [ARGUMENT...]"_s,
        .summary = u"The client's side of booblik's conformance kit"_s,
        .details =
            u"The broker's address is in the environment: BOOBLIK_BROKER=host:port. Prints\n"
            u"key=value lines. A refusal by the broker is an answer: error=NAME, exit code 0. A\n"
            u"failure of ours is exit code 1, a wrong command line 2. Decoding is strict: a "
            u"record\n"
            u"with a wrong checksum is a failure.\n"
            u"\n"
            u"Verbs:\n"
            u"  capabilities                            roles= and name=; needs no broker\n"
            u"  metadata TOPIC                          partition=ID LOGSTART HIGHWATERMARK\n"
            u"  produce TOPIC PARTITION ACK HEX[,HEX]   baseOffset=, logEndOffset=\n"
            u"  produce-keyed TOPIC KEYHEX PAYLOADHEX   partition=, baseOffset=\n"
            u"  fetch TOPIC PARTITION OFFSET MAXBYTES   highWatermark=, then record=HEX each, or\n"
            u"                                          recordExceedsMaxBytes=SIZE\n"_s,
        .options = {},
        .rawArguments = true,
        .run = runConformance,
    };
}

} // namespace topicscope::cli
