#pragma once

#include "app/cli/commandline.h"

#include <QByteArray>

#include <optional>

namespace topicscope::cli
{

/// --NAME TEXT, with --NAME-format FORMAT, --NAME-hex DIGITS and --NAME-file FILE for a key or a
/// value.
QList<Option> payloadOptions(const QString &name, const QString &what);

/// The bytes those options give; nullopt when none of them is there. Empty bytes are bytes. "-" for
/// TEXT or FILE reads standard input.
/// @error InvalidArgument: several of them, bad hex, more than `maxBytes`. Io: unreadable file.
Result<std::optional<QByteArray>> payloadArgument(const CommandLine &line, const QString &name,
                                                  qint64 maxBytes);

} // namespace topicscope::cli
