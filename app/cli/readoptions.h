#pragma once

#include "app/cli/client.h"
#include "app/cli/commandline.h"
#include "app/cli/recordprinter.h"
#include "app/cli/targets.h"
#include "core/records/logplace.h"
#include "core/search/filter.h"

namespace topicscope::cli
{

/// What fetch and follow have in common.
struct ReadArguments {
    LogPlace from;                ///< unless one of the next two is set
    std::optional<qint64> at;     ///< --at, in ms since 1970
    std::optional<QString> group; ///< --group
    qint64 count;                 ///< very large when not given
    qint32 maxBytes;
    RecordPrinter::Format format;
    Isolation isolation;
    PrintedFormats formats;
    std::optional<search::Filter> filter;
};

/// --from, --at, --group, --count, --filter, --max-bytes, --isolation, --raw, --key-format,
/// --value-format and --registry; `from` names the default of --from.
QList<Option> readOptions(const QString &from);
/// The first of these, about which records are meant: up to --filter.
QList<Option> rangeOptions(const QString &from);

/// What those say. @error InvalidArgument, also without any positional argument.
Result<ReadArguments> readArguments(const CommandLine &line, LogPlace from);
/// Puts begin into the targets by --from, --at or --group; those that cannot say are told and left
/// out. Returns an ExitCode.
int findBeginnings(Client &client, QList<Target> &targets, const ReadArguments &arguments);

/// The part of a reading verb that is its own. Returns an ExitCode.
using ReadBody = int (*)(Client &client, const ReadArguments &arguments,
                         const QList<Target> &targets, RecordPrinter &printer);

/// Runs a verb that prints records: checks its command line, asks the broker which partitions are
/// meant and where reading begins, prints the header and hands over to `body`. Returns an ExitCode.
int readTargets(const QString &verb, const CommandLine &line, LogPlace from, ReadBody body);

/// --time-zone; main() obeys it.
Option timeZoneOption();

/// --isolation, and what it says. @error InvalidArgument
Option isolationOption();
Result<Isolation> parseIsolation(const CommandLine &line);

/// A time as people type it, or ms since 1970.
std::optional<qint64> parseTimeOption(const QString &text);

/// An expression of the filter language. @error InvalidArgument with its column.
Result<search::Filter> parseFilter(const QString &text);
/// The language in short, for --help.
QString filterHelp();

/// How records are printed, for --help.
QString readingHelp();

} // namespace topicscope::cli
