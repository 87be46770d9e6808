#pragma once

#include "core/base/error.h"

#include <QString>

namespace topicscope::cli
{

/// Of a wrong command line.
inline Error refusal(const QString &why)
{
    return Error::make(ErrorKind::InvalidArgument, why);
}

/// What failed, where, and what to do next, in plain words; one or two sentences on one line.
QString errorLine(const Error &error);

/// The same for programs: one JSON object with kind, where and the numbers.
QByteArray errorJson(const Error &error);

/// The ExitCode an error ends the program with.
int exitCodeOf(const Error &error);

/// Names and reasons may come from a broker: what a terminal would obey is drawn.
QString drawn(const QString &text);

/// Writes "topicscope-cli: <text>" to standard error at once.
void printError(const QString &text);

} // namespace topicscope::cli
