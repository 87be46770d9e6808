#include "app/cli/command_hash.h"

#include "app/cli/errorlines.h"
#include "app/cli/output.h"
#include "app/cli/payloadargument.h"
#include "core/base/bytewriter.h"
#include "core/hash/partitioner.h"
#include "core/records/jsonline.h"
#include "core/records/recordcodec.h"

namespace topicscope::cli
{

using namespace Qt::StringLiterals;

namespace
{

/// KEY, or what --key and its kin give. @error InvalidArgument, Io.
Result<QByteArray> keyOf(const CommandLine &line)
{
    auto key = payloadArgument(line, u"key"_s, kMaxRecordBytes);
    if (!key)
        return std::move(key).error();
    if (int(line.positional().size()) + int(key->has_value()) != 1) {
        return Error::make(ErrorKind::InvalidArgument,
                           u"needs one key: KEY, --key, --key-hex or --key-file"_s);
    }
    return key->has_value() ? **key : line.positional().constFirst().toUtf8();
}

int runHash(const CommandLine &line)
{
    const Result<qint64> count =
        line.number(u"partitions"_s, 0, 1, std::numeric_limits<qint32>::max());
    if (!count)
        return usageError(u"hash"_s, count.error().detail);
    const auto key = keyOf(line);
    if (!key && key.error().kind == ErrorKind::Io) {
        printError(errorLine(key.error()));
        return ExitFailed;
    }
    if (!key)
        return usageError(u"hash"_s, key.error().detail);
    if (!line.has(u"partitions"_s))
        return usageError(u"hash"_s, u"needs --partitions"_s);

    Output out;
    const bool json = line.has(u"json"_s);
    if (!json)
        out.line(u"PARTITIONER        PARTITION  HASH        FORMULA"_s);
    for (const Partitioner &partitioner : Partitioner::all()) {
        const auto chosen = partitioner.explain(asBytes(*key), qint32(*count));
        if (!chosen) {
            printError(errorLine(chosen.error()));
            return ExitFailed;
        }
        const auto number = [](const auto &known) {
            return known ? std::optional<qint64>(*known) : std::nullopt;
        };
        if (json) {
            out.line(JsonLine()
                         .text("type", u"hash"_s)
                         .text("partitioner", partitioner.name())
                         .number("hash", number(chosen->hash))
                         .number("partitions", chosen->partitionCount)
                         .number("partition", number(chosen->index))
                         .text("formula", chosen->formula)
                         .take());
        } else {
            out.line(u"%1 %2  %3  %4"_s.arg(
                partitioner.name().leftJustified(18),
                (chosen->index ? QString::number(*chosen->index) : u"any"_s).rightJustified(9),
                chosen->hash ? u"0x%1"_s.arg(*chosen->hash, 8, 16, QChar(u'0'))
                             : u"-"_s.leftJustified(10),
                chosen->formula));
        }
    }
    return out.finish(ExitOk);
}

} // namespace

Command hashCommand()
{
    return {
        .verb = u"hash"_s,
        .arguments = u"[KEY]"_s,
        .summary = u"Show the partition a key selects, by every partitioner"_s,
        .details =
            u"Needs no broker. An empty key (\"\") is a key. Clients with another\n"
            u"partitioner put the same key elsewhere. Names but booblik's own are librdkafka's;\n"
            u"Java's and Python's clients use murmur2_random.\n"
            u"\n"
            u"Example:\n"
            u"  topicscope-cli hash order-42 --partitions 3\n"_s,
        .options =
            QList<Option>{{u"partitions"_s, u"N"_s, u"how many partitions the topic has"_s, u'n'}} +
            payloadOptions(u"key"_s, u"the key"_s) +
            QList<Option>{{u"json"_s, {}, u"one JSON object a line"_s}},
        .rawArguments = false,
        .run = runHash,
    };
}

} // namespace topicscope::cli
