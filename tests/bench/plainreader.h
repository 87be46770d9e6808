#pragma once

#include "core/base/result.h"
#include "core/session/sessionconfig.h"

#include <QByteArray>

namespace topicscope::bench
{

/// What the client's reading is compared with: a blocking POSIX socket, one FETCH after the other,
/// the answer's bytes read, its size fields walked to know the next offset. No checksum, no index,
/// no cancelling, no safety.
/// @return records read from offset 0 of partition 0 to its end.
/// Thread: any; blocking without limit.
Result<qint64> readPlainly(const SessionConfig &config, const QByteArray &topic, qint32 maxBytes);

} // namespace topicscope::bench
