#pragma once

#include "core/session/brokersession.h"

#include <optional>
#include <stop_token>

namespace topicscope
{

struct LookForResult {
    std::optional<Offset> offset; ///< the first one found; nullopt: not in the range
    Offset end;                   ///< of the range: the high watermark of the first answer

    bool operator==(const LookForResult &) const = default;
};

/// Searches a partition from `from` to the high watermark of the first answer for a record with
/// exactly this value, e.g. to settle a publish whose answer was lost. Blocking; each fetch takes
/// at most the session's request timeout.
///
/// A record whose checksum fails is still found when either its bytes or its stored checksum and
/// size are those of the value. Records larger than the value are stepped over unread.
/// @return nullopt as its offset when all of the range was read and it is not there.
/// @error what fetch() returns; Cancelled; Protocol where damage ends the readable log before the
/// range does, since then nobody can say.
/// Thread: the session's.
Result<LookForResult> lookFor(BrokerSession &session, const TopicPartition &partition, Offset from,
                              const QByteArray &value, const std::stop_token &stop);

} // namespace topicscope
