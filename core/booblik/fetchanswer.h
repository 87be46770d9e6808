#pragma once

#include "core/base/result.h"
#include "core/booblik/connection.h"
#include "core/booblik/messages.h"
#include "core/session/fetch.h"

namespace topicscope::booblik
{

/// The wire's form of a fetch; waits above the protocol's 60 s are cut to it.
wire::FetchRequest toWire(const FetchRequest &request);

/// A FETCH answer of which only the size fields have been read: enough to know where to go on, so
/// that the next range can be asked for before this one's checksums are computed.
struct ScannedAnswer {
    wire::FetchResponse header;
    qsizetype payloadBegin = 0; ///< in the frame
    /// Where to go on, unless a size turns out to be damaged: then FetchResult::nextOffset.
    Offset nextOffset;
    /// Whether the records behind can be had by fetching at nextOffset: there were whole records,
    /// and nothing impossible behind them.
    bool goesOn = false;
};

/// @error Protocol: the answer's own lengths do not agree.
/// Thread: any (pure).
Result<ScannedAnswer> scanAnswer(const Answer &answer, const FetchRequest &request);

/// Verifies and indexes a scanned answer. The frame's bytes become the chunk's, uncopied.
/// @param request  what the answer is to
/// Never fails on damage: that is told by FetchResult::end and the records' flags.
FetchResult toFetchResult(const FetchRequest &request, const ScannedAnswer &scanned, Answer answer);

} // namespace topicscope::booblik
