#include "app/cli/readoptions.h"

#include "app/cli/command.h"
#include "app/cli/errorlines.h"
#include "core/base/digits.h"
#include "core/decode/formats.h"
#include "core/records/payloadformat.h"
#include "core/records/timeinput.h"
#include "core/records/timestyle.h"

#include <QDateTime>

namespace topicscope::cli
{

using namespace Qt::StringLiterals;

namespace
{

constexpr std::chrono::seconds kRegistryPatience{5};

/// --key-format or --value-format; null: none. The registry's own are found with it, later.
Result<std::shared_ptr<const PayloadCodec>>
formatOption(const CommandLine &line, const QString &option,
             const std::shared_ptr<SchemaRegistry> &registry)
{
    const auto name = line.value(option);
    if (!name || (!registry && *name == u"registry"_s))
        return std::shared_ptr<const PayloadCodec>();
    auto format = formatNamed(*name, registry);
    if (!format) {
        Error error = std::move(format).error();
        error.kind = ErrorKind::InvalidArgument;
        error.detail = u"--%1: %2"_s.arg(
            option, error.where.endpoint.isEmpty() ? error.detail
                                                   : error.where.endpoint + u": "_s + error.detail);
        return error;
    }
    return format;
}

Result<PrintedFormats> printedFormats(const CommandLine &line,
                                      const std::shared_ptr<SchemaRegistry> &registry)
{
    const auto key = formatOption(line, u"key-format"_s, registry);
    if (!key)
        return key.error();
    const auto value = formatOption(line, u"value-format"_s, registry);
    if (!value)
        return value.error();
    return PrintedFormats{*key, *value, registry};
}

/// With the connection's registry, where a format asks for one.
/// @error InvalidArgument: there is none
Result<PrintedFormats> formatsFor(const CommandLine &line, const ReadArguments &arguments,
                                  const SessionConfig &config)
{
    const QStringList wanted{line.value(u"key-format"_s).value_or(QString()),
                             line.value(u"value-format"_s).value_or(QString())};
    auto properties = config.properties;
    const auto registry = RegistryConfig::takeFrom(properties);
    if (wanted.contains(u"registry"_s) && !registry) {
        return Error::make(ErrorKind::InvalidArgument, u"which registry? --registry URL says so"_s);
    }
    if (!registry || !(wanted.contains(u"registry"_s) || wanted.contains(u"auto"_s)))
        return arguments.formats;
    return printedFormats(line, std::make_shared<SchemaRegistry>(*registry,
                                                                 SchemaRegistry::Asking::Blocking,
                                                                 kRegistryPatience));
}

/// --at: partitions that cannot say are told, and left out. @return an ExitCode
int beginAtTime(Client &client, QList<Target> &targets, qint64 timeMs)
{
    QList<TopicPartition> partitions;
    for (const Target &target : std::as_const(targets))
        partitions += target.partition;
    const auto found = client.session().offsetsAtTime(partitions, timeMs, client.call());
    if (!found) {
        targets.clear();
        return client.fail(found.error());
    }
    int code = ExitOk;
    QList<Target> readable;
    for (qsizetype i = 0; i < targets.size(); ++i) {
        const TimeOffset &offset = found->at(i);
        if (offset.error) {
            code = client.fail(*offset.error);
            continue;
        }
        readable += targets.at(i);
        readable.last().begin = offset.offset;
        if (offset.afterLast) {
            client.note(u"%1: no record at or after %2: begins at the end, %3"_s.arg(
                nameOf(offset.partition), TimeStyle::current().text(timeMs),
                QString::number(offset.offset.value)));
        }
    }
    targets = readable;
    return code;
}

/// --group: where it has committed nothing, reading begins by default. @return an ExitCode
int beginAtGroup(Client &client, QList<Target> &targets, const QString &id,
                 const LogPlace &otherwise)
{
    GroupReader *groups = client.session().groups();
    auto group = groups ? groups->describeGroup(id, client.call())
                        : noGroups(client.session().config().endpoint());
    if (group && group->offsetsError)
        group = *group->offsetsError;
    if (!group) {
        targets.clear();
        return client.fail(group.error());
    }
    for (Target &target : targets) {
        const auto row =
            std::ranges::find(group->offsets, target.partition, &GroupOffset::partition);
        if (row != group->offsets.end() && row->committed) {
            target.begin = *row->committed;
            continue;
        }
        target.begin = otherwise.resolveWithin(target.logStart, target.end);
        client.note(u"%1: the group has committed nothing: begins at %2"_s.arg(
            nameOf(target.partition), QString::number(target.begin.value)));
    }
    return ExitOk;
}

} // namespace

Result<ReadArguments> readArguments(const CommandLine &line, LogPlace from)
{
    if (line.positional().isEmpty())
        return Error::make(ErrorKind::InvalidArgument, u"no topic given"_s);
    if (line.has(u"raw"_s) && line.has(u"json"_s))
        return Error::make(ErrorKind::InvalidArgument, u"--raw and --json exclude each other"_s);
    if (int(line.has(u"from"_s)) + int(line.has(u"at"_s)) + int(line.has(u"group"_s)) > 1) {
        return Error::make(ErrorKind::InvalidArgument,
                           u"--from, --at and --group exclude each other"_s);
    }
    std::optional<qint64> at;
    if (const auto text = line.value(u"at"_s)) {
        at = parseTimeOption(*text);
        if (!at) {
            return Error::make(
                ErrorKind::InvalidArgument,
                u"--at needs a time like 2026-11-30T14:05, 14:05, -1h or ms since 1970, not '%1'"_s
                    .arg(*text));
        }
    }
    if (const auto text = line.value(u"from"_s)) {
        const auto parsed = LogPlace::parse(*text);
        if (!parsed) {
            return Error::make(
                ErrorKind::InvalidArgument,
                u"--from needs an offset, -N, 'start' or 'end', not '%1'"_s.arg(*text));
        }
        from = *parsed;
    }
    const auto count = line.number(u"count"_s, std::numeric_limits<qint64>::max());
    if (!count)
        return count.error();
    const auto maxBytes =
        line.number(u"max-bytes"_s, kDefaultMaxBytes, 1, std::numeric_limits<qint32>::max());
    if (!maxBytes)
        return maxBytes.error();
    const auto format = line.has(u"raw"_s)    ? RecordPrinter::Format::Raw
                        : line.has(u"json"_s) ? RecordPrinter::Format::Json
                                              : RecordPrinter::Format::Columns;
    auto formats = printedFormats(line, {});
    if (!formats)
        return std::move(formats).error();
    if (line.has(u"raw"_s) && (line.has(u"key-format"_s) || line.has(u"value-format"_s))) {
        return Error::make(ErrorKind::InvalidArgument,
                           u"--raw prints the bytes: it excludes --key-format and "
                           u"--value-format"_s);
    }
    const auto isolation = parseIsolation(line);
    if (!isolation)
        return isolation.error();
    std::optional<search::Filter> filter;
    if (const auto text = line.value(u"filter"_s)) {
        const auto parsed = parseFilter(*text);
        if (!parsed)
            return Error::make(ErrorKind::InvalidArgument, u"--filter: "_s + parsed.error().detail);
        filter = *parsed;
    }
    return ReadArguments{from,   at,         line.value(u"group"_s),     *count, qint32(*maxBytes),
                         format, *isolation, std::move(formats).value(), filter};
}

int findBeginnings(Client &client, QList<Target> &targets, const ReadArguments &arguments)
{
    if (arguments.at)
        return beginAtTime(client, targets, *arguments.at);
    if (arguments.group)
        return beginAtGroup(client, targets, *arguments.group, arguments.from);
    for (Target &target : targets)
        target.begin = arguments.from.resolveWithin(target.logStart, target.end);
    return ExitOk;
}

std::optional<qint64> parseTimeOption(const QString &text)
{
    const auto ms = parseNumber(text, 0, std::numeric_limits<qint64>::max());
    return ms ? ms : parseTime(text, QDateTime::currentMSecsSinceEpoch());
}

Option timeZoneOption()
{
    return {u"time-zone"_s, u"ZONE"_s,
            u"of times printed and given: utc (default), local, a name as\n"
            u"Europe/Berlin, or epoch for ms since 1970"_s};
}

Option isolationOption()
{
    return {
        u"isolation"_s, u"LEVEL"_s,
        u"uncommitted (default): all that is in the log; committed: without\nthe records of open "
        u"and aborted transactions"_s};
}

Result<Isolation> parseIsolation(const CommandLine &line)
{
    const QString name = line.value(u"isolation"_s).value_or(u"uncommitted"_s);
    if (name == u"uncommitted"_s)
        return Isolation::ReadUncommitted;
    if (name == u"committed"_s)
        return Isolation::ReadCommitted;
    return Error::make(ErrorKind::InvalidArgument,
                       u"--isolation is committed or uncommitted, not '%1'"_s.arg(name));
}

Result<search::Filter> parseFilter(const QString &text)
{
    return search::Filter::parse(text, QDateTime::currentMSecsSinceEpoch());
}

QString filterHelp()
{
    return u"An expression is text to be found in key, value or a header, and comparisons:\n"
           u"  order-42  \"two words\"  x\"00ff\"       all of them, as these bytes\n"
           u"  key == \"a\"   value contains \"x\"      also !=, <, <=, >, >=, starts, ends,\n"
           u"                                       icontains, =~ /re/i, is null, is empty\n"
           u"  header[\"x\"] == \"y\"                   also exists\n"
           u"  json.user.id == 42                   in the value; json.a[0], json.a[*].b,\n"
           u"                                       json[\"odd name\"]; in the key: key.json.…\n"
           u"  size > 1 MiB   offset >= 5   partition == 3\n"
           u"  time > 2026-11-30T14:05   time > @-1h\n"
           u"  flag:crc   flag:tombstone            also size, verified, batch-verified, headers,\n"
           u"                                       log-append\n"
           u"  and, or, not, ( )\n"_s;
}

QList<Option> rangeOptions(const QString &from)
{
    return {
        {u"from"_s, u"OFFSET"_s,
         u"begin at OFFSET; -N for N records before the end, start, end\n(default %1)"_s.arg(from)},
        {u"at"_s, u"TIME"_s,
         u"begin at the first record at or after TIME: 2026-11-30T14:05\n"
         u"(without a zone as --time-zone says), 14:05, -1h, ms since 1970"_s},
        {u"group"_s, u"GROUP"_s, u"begin where this consumer group has committed"_s},
        timeZoneOption(),
        {u"count"_s, u"N"_s, u"at most N records"_s, u'n'},
        {u"filter"_s, u"EXPRESSION"_s,
         u"only records that match; 'topicscope-cli search --help'\ntells the language"_s},
    };
}

QList<Option> readOptions(const QString &from)
{
    return rangeOptions(from) +
           QList<Option>{
               {u"max-bytes"_s, u"N"_s,
                u"bytes asked for at a time (default %1); a record that does\nnot fit is shown as "
                u"too "
                u"large, with the number that fetches it"_s.arg(kDefaultMaxBytes)},
               isolationOption(),
               {u"raw"_s, {}, u"print the values' bytes and nothing else"_s},
               {u"key-format"_s, u"FORMAT"_s,
                u"how keys are read: text, latin1, utf16le, utf16be, json, hex, base64,\ncbor, "
                u"msgpack, "
                u"protobuf-raw, int8 … double-le, uuid; avro:FILE;\nprotobuf:FILE#MESSAGE; registry; auto"_s},
               {u"value-format"_s, u"FORMAT"_s, u"how values are read"_s},
               {u"registry"_s, u"URL"_s,
                u"the schema registry, for registry and auto; its login USER:PASSWORD\nis "
                u"TOPICSCOPE_SECRET_BASIC_AUTH_USER_INFO"_s},
           };
}

int readTargets(const QString &verb, const CommandLine &line, LogPlace from, ReadBody body)
{
    const auto arguments = readArguments(line, from);
    if (!arguments)
        return usageError(verb, arguments.error().detail);

    return withTopics(
        verb, line, {.names = topicsOf(line.positional())},
        [&](Client &client, const TopicList &topics) {
            auto targets = findTargets(topics, line.positional());
            if (!targets)
                return client.fail(targets.error());
            const int failed = findBeginnings(client, *targets, *arguments);
            if (targets->isEmpty())
                return failed;
            const auto formats = formatsFor(line, *arguments, client.session().config());
            if (!formats)
                return client.fail(formats.error());
            RecordPrinter printer(client.out(), arguments->format, *targets, arguments->maxBytes,
                                  client.session().capabilities(), *formats);
            if (arguments->filter)
                printer.setFilter(*arguments->filter);
            printer.header();
            const int code = body(client, *arguments, *targets, printer);
            if (printer.shownRaw() > 0) {
                client.note(u"%1; %2 records shown raw"_s.arg(formats->registry->problem(),
                                                              groupedDigits(printer.shownRaw())));
            }
            if (printer.undecided() > 0) {
                client.note(u"%1 records are not decided: the filter would have taken too many "
                            u"steps"_s.arg(groupedDigits(printer.undecided())));
            }
            return code == ExitOk ? failed : code;
        });
}

QString readingHelp()
{
    return u"Columns are for people: control characters are drawn, bytes that are no UTF-8 stand "
           u"as\n"
           u"\u2039FF\u203a, and values are cut. The checksum column says \"ok\", or shows the "
           u"stored and the\n"
           u"computed sum around a \u2260.\n"
           u"\n"
           u"With --json each line is one object with \"type\", \"topic\", \"partition\", "
           u"\"offset\":\n"
           u"  record        size, crc32c {stored, computed, ok}, value {encoding, data}; "
           u"encoding\n"
           u"                is utf-8 when that gives the bytes back exactly, else base64\n"
           u"                with --value-format also valueDecoded {format, text} or {format,\n"
           u"                problem}, with --key-format keyDecoded; why where it was chosen\n"
           u"  too-large     size (absent when unknown), maxBytes\n"
           u"  damaged-size  size (the impossible number)\n"
           u"  missing       no record although there should be one: the log is damaged\n"
           u"  gap           offsets up to \"end\" carry no record: compacted, deleted or control\n"
           u"                records (Apache Kafka)\n"
           u"  aborted       with --isolation committed: offsets up to \"end\" have records of\n"
           u"                aborted transactions\n"
           u"  not-committed as gap or aborted: not looked into\n"
           u"  unreadable    a batch, up to \"end\", that is damaged or cannot be unpacked\n"
           u"Integers are exact to 64 bits.\n"_s;
}

} // namespace topicscope::cli
