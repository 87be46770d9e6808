#pragma once

#include "app/cli/commandline.h"

#include <QList>
#include <QString>

namespace topicscope::cli
{

/// What the program ends with; printed by --help.
enum ExitCode : int {
    ExitOk = 0,
    ExitFailed = 1,
    ExitUsage = 2,
    ExitOutcomeUnknown = 3, ///< a publish was sent and no answer came
    ExitFindings = 4,       ///< done, but something read is damaged or could not be shown
    ExitInterrupted = 130,  ///< Ctrl-C or SIGTERM
};

/// One verb: how it is called, its help, and what it does.
struct Command {
    QString verb;
    QString arguments; ///< positional arguments as the usage line shows them, e.g. "TOPIC..."
    QString summary;   ///< one line for the list of verbs
    QString details;   ///< the rest of its help, below the options
    QList<Option> options;
    /// Hands everything behind the verb over as positional arguments, untouched.
    bool rawArguments = false;
    /// Returns an ExitCode.
    int (*run)(const CommandLine &line) = nullptr;
};

/// "topicscope-cli VERB --help".
QString helpText(const Command &command);

/// Prints why a command line cannot be carried out and how to get help. Returns ExitUsage.
int usageError(const QString &verb, const QString &why);

} // namespace topicscope::cli
