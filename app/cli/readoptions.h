#pragma once

#include "app/cli/commandline.h"
#include "app/cli/recordprinter.h"
#include "app/cli/targets.h"

namespace topicscope::cli
{

/// What fetch and follow have in common.
struct ReadArguments {
    From from;
    qint64 count; ///< very large when not given
    qint32 maxBytes;
    RecordPrinter::Format format;
};

/// --from, --count, --max-bytes and --raw; `from` names the default of --from.
QList<Option> readOptions(const QString &from);

/// @error InvalidArgument, also without any positional argument.
Result<ReadArguments> readArguments(const CommandLine &line, From from);

/// How records are printed, for --help.
QString readingHelp();

} // namespace topicscope::cli
