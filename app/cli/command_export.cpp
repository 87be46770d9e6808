#include "app/cli/command_export.h"

#include "app/cli/client.h"
#include "app/cli/errorlines.h"
#include "app/cli/readoptions.h"
#include "core/base/digits.h"
#include "core/transfer/exportjob.h"

#include <QElapsedTimer>

#include <algorithm>
#include <limits>

namespace topicscope::cli
{

using namespace Qt::StringLiterals;
using namespace topicscope::transfer;

namespace
{

constexpr qint64 kProgressMs = 2'000;

struct ExportArguments {
    ReadArguments read;
    QString output;
    ExportFormat format;
    std::optional<qint64> to;
    qint32 maxRecordBytes;
    bool force;
};

/// @error InvalidArgument
Result<ExportArguments> exportArguments(const CommandLine &line)
{
    const auto read = readArguments(line, LogPlace::start());
    if (!read)
        return read.error();
    const auto output = line.value(u"output"_s);
    if (!output || output->isEmpty())
        return Error::make(ErrorKind::InvalidArgument, u"--output says where to"_s);
    const QString name = line.value(u"format"_s).value_or(u"ndjson"_s);
    const auto format = exportFormatNamed(name);
    if (!format) {
        return Error::make(ErrorKind::InvalidArgument,
                           u"--format is ndjson, csv, kcat or raw, not '%1'"_s.arg(name));
    }
    std::optional<qint64> to;
    if (line.has(u"to"_s)) {
        const auto number = line.number(u"to"_s, 0);
        if (!number)
            return number.error();
        to = *number;
    }
    const auto largest = line.number(u"max-record-bytes"_s, ExportOptions().limits.maxRecordBytes,
                                     1, kMaxExportedBytes);
    if (!largest)
        return largest.error();
    return ExportArguments{*read, *output, *format, to, qint32(*largest), line.has(u"force"_s)};
}

ExportRange rangeOf(const Target &target, const ExportArguments &arguments)
{
    ExportRange range{target.partition, target.begin, target.end, target.logStart, target.end};
    if (arguments.to)
        range.to = std::clamp(Offset{*arguments.to}, range.from, range.to);
    return range;
}

Error behindTheEnd(const Target &target)
{
    return Error::make(ErrorKind::InvalidArgument,
                       u"%1: the log ends at %2, before offset %3"_s.arg(
                           nameOf(target.partition), QString::number(target.end.value),
                           QString::number(target.begin.value)));
}

/// What was lost by the format's nature, and is better said.
void sayInexact(Client &client, const ExportArguments &arguments, qint64 inexact)
{
    if (inexact == 0)
        return;
    client.note(
        (arguments.format == ExportFormat::Kcat
             ? u"%1 records have bytes that are no UTF-8: in kcat's JSON they are replaced"_s
             : u"%1 records have a key, headers or a null value, which raw files lack"_s)
            .arg(groupedDigits(inexact)));
}

QString countText(const ExportSummary &summary)
{
    return u"records: %1, offsets without a record: %2"_s.arg(groupedDigits(summary.records),
                                                              groupedDigits(summary.withoutRecord));
}

/// @return an ExitCode
int writeAll(Client &client, const ExportArguments &arguments, const QList<Target> &targets,
             ExportFile &file)
{
    ExportOptions options;
    options.limits.isolation = arguments.read.isolation;
    options.limits.maxRecordBytes = arguments.maxRecordBytes;
    options.filter = arguments.read.filter;
    options.count = arguments.read.count;
    std::vector<ExportPart> parts;
    for (const Target &target : targets)
        parts.push_back({rangeOf(target, arguments)});

    QElapsedTimer told;
    told.start();
    const auto progress = [&](const ExportProgress &now) {
        if (told.elapsed() < kProgressMs)
            return;
        told.restart();
        client.note(u"%1: %2 of %3 offsets, %4 records"_s.arg(
            nameOf(now.partition), groupedDigits(now.offsets), groupedDigits(now.allOffsets),
            groupedDigits(now.records)));
    };
    const ExportSummary summary =
        writeExport(client.session(), parts, options, file, progress, client.call().stop);
    sayInexact(client, arguments, summary.inexact);
    if (!summary.finished) {
        const int code = client.fail(*summary.error);
        client.note(u"not finished: %1 holds what was read before, in whole lines: %2; %3 up to "
                    "offset %4"_s.arg(summary.path, countText(summary), nameOf(summary.last),
                                      QString::number(summary.lastOffset.value)));
        return code;
    }
    client.note(u"%1: %2; that is each of %3 offsets, partitions: %4"_s.arg(
        summary.path, countText(summary), groupedDigits(summary.offsets),
        groupedDigits(summary.partitions)));
    if (summary.undecided > 0) {
        client.note(u"%1 records are not decided: the filter would have taken too many steps"_s.arg(
            groupedDigits(summary.undecided)));
    }
    return summary.findings + summary.undecided > 0 ? ExitFindings : ExitOk;
}

int runExport(const CommandLine &line)
{
    const auto arguments = exportArguments(line);
    if (!arguments)
        return usageError(u"export"_s, arguments.error().detail);
    return withTopics(u"export"_s, line, {.names = topicsOf(line.positional())},
                      [&](Client &client, const TopicList &topics) {
                          auto targets = findTargets(topics, line.positional());
                          if (!targets)
                              return client.fail(targets.error());
                          // A part of what was asked for would look like all of it.
                          if (const int failed = findBeginnings(client, *targets, arguments->read))
                              return failed;
                          for (const Target &target : std::as_const(*targets)) {
                              if (target.begin > target.end)
                                  return client.fail(behindTheEnd(target));
                          }
                          const auto file = ExportFile::create(arguments->output, arguments->format,
                                                               {client.session().config().address(),
                                                                client.session().capabilities()},
                                                               arguments->force);
                          if (!file) {
                              Error error = file.error();
                              if (error.kind == ErrorKind::InvalidArgument && !arguments->force)
                                  error.detail += u"; --force replaces it"_s;
                              return client.fail(error);
                          }
                          return writeAll(client, *arguments, *targets, **file);
                      });
}

} // namespace

Command exportCommand()
{
    return {
        .verb = u"export"_s,
        .arguments = u"TOPIC[/PARTITION]..."_s,
        .summary = u"Write records to a file, without loss"_s,
        .details =
            u"Reads up to the end each partition has when the program looks. Writes FILE.part and\n"
            u"gives it its name when every offset is accounted for: as a record, or in a note "
            u"that\n"
            u"says why there is none. Ended by Ctrl-C, or by an error, FILE.part stays, with "
            u"whole\n"
            u"lines. Progress and the count are on standard error.\n"
            u"\n"
            u"Formats; docs/export.md describes them:\n"
            u"  ndjson  everything there is of a record, to the byte\n"
            u"  csv     RFC 4180; null is an empty field, empty is \"\"\n"
            u"  kcat    what kcat -J prints; bytes that are no UTF-8 are lost, and counted\n"
            u"  raw     FILE is a directory with one file a record: its value\n"
            u"\n"
            u"Examples:\n"
            u"  topicscope-cli export orders --output orders.ndjson\n"
            u"  topicscope-cli export orders/1 --from -1000 --format csv --output orders.csv\n"
            u"  topicscope-cli export orders --filter 'flag:crc' --output damaged.ndjson\n"_s,
        .options =
            QList<Option>{
                {u"output"_s, u"FILE"_s, u"where to; with --format raw a new directory"_s, u'o'},
                {u"format"_s, u"FORMAT"_s, u"ndjson (default), csv, kcat, raw"_s},
                {u"force"_s, {}, u"replace FILE, and FILE.part, if it is there"_s},
                {u"to"_s, u"OFFSET"_s, u"up to, not including, OFFSET"_s},
                {u"max-record-bytes"_s, u"N"_s,
                 u"the largest record that is fetched (default %1)"_s.arg(
                     ExportOptions().limits.maxRecordBytes)},
            } +
            rangeOptions(u"start"_s) + QList<Option>{isolationOption()} + brokerOptions(),
        .rawArguments = false,
        .run = runExport,
    };
}

} // namespace topicscope::cli
