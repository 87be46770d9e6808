#include "app/cli/readoptions.h"

#include "app/cli/command.h"

namespace topicscope::cli
{

using namespace Qt::StringLiterals;

namespace
{

/// @error InvalidArgument, also without any positional argument.
Result<ReadArguments> readArguments(const CommandLine &line, From from)
{
    if (line.positional().isEmpty())
        return Error::make(ErrorKind::InvalidArgument, u"no topic given"_s);
    if (line.has(u"raw"_s) && line.has(u"json"_s))
        return Error::make(ErrorKind::InvalidArgument, u"--raw and --json exclude each other"_s);
    if (const auto text = line.value(u"from"_s)) {
        const Result<From> parsed = From::parse(*text);
        if (!parsed)
            return parsed.error();
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
    return ReadArguments{from, *count, qint32(*maxBytes), format};
}

} // namespace

QList<Option> readOptions(const QString &from)
{
    return {
        {u"from"_s, u"OFFSET"_s,
         u"begin at OFFSET; -N for N records before the end, start, end\n(default %1)"_s.arg(from)},
        {u"count"_s, u"N"_s, u"print at most N records"_s, u'n'},
        {u"max-bytes"_s, u"N"_s,
         u"bytes asked for at a time (default %1); a record that does\nnot fit is shown as too "
         u"large, with the number that fetches it"_s.arg(kDefaultMaxBytes)},
        {u"raw"_s, {}, u"print the values' bytes and nothing else"_s},
    };
}

int readTargets(const QString &verb, const CommandLine &line, From from, ReadBody body)
{
    const auto arguments = readArguments(line, from);
    if (!arguments)
        return usageError(verb, arguments.error().detail);

    return withTopics(verb, line, [&](Client &client, const TopicList &topics) {
        const auto targets = findTargets(topics, line.positional());
        if (!targets)
            return client.fail(targets.error());
        RecordPrinter printer(client.out(), arguments->format, *targets, arguments->maxBytes,
                              client.session().capabilities());
        printer.header();
        return body(client, *arguments, *targets, printer);
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
           u"  too-large     size (absent when unknown), maxBytes\n"
           u"  damaged-size  size (the impossible number)\n"
           u"  missing       no record although there should be one: the log is damaged\n"
           u"Integers are exact to 64 bits.\n"_s;
}

} // namespace topicscope::cli
