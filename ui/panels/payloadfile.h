#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QFuture>
#include <QString>

#include <optional>

namespace topicscope::ui
{

/// What is known of a file to be published.
struct PayloadFile {
    qint64 size = 0;
    std::optional<QByteArray> bytes; ///< its contents, when no larger than was asked for
};

/// Looks at a regular file, and reads it whole when it has at most `maxBytes` (-1: never); reads no
/// more than that, also when the file grows meanwhile.
/// @error Io, with the path in where.endpoint: not there, not readable, not a regular file (a pipe
/// or a device has no size and may never end).
/// Thread: call from any; the file is touched on a thread of the global pool alone.
QFuture<Result<PayloadFile>> lookAtFile(const QString &path, qint64 maxBytes);

} // namespace topicscope::ui
