#pragma once

#include "core/decode/avroschema.h"
#include "core/records/structurewriter.h"

#include <cstddef>
#include <span>

namespace topicscope
{

/// One Avro datum in its binary encoding, written with this schema, as JSON that keeps more: bytes
/// as h'00ff', NaN and Infinity as such, keys of a map in their order, duplicates too. A value of a
/// union stands alone where the other branch is null, else as {"branch": value}. Logical types:
/// decimals are decimal numbers; dates, times and timestamps are the number with the time behind
/// it, /2026-11-30 05:24:08.123/. Stops when the text is full: what follows is not looked at then.
/// @param first  of `bytes`: what lies before belongs to an envelope
/// @error InvalidArgument: why in detail, where.byte is the begin of the value that is wrong; also
/// for bytes behind the datum and for nesting beyond kMaxDepth.
/// Thread: any (pure). Source: the Avro specification, 1.11, "Binary Encoding", "Logical Types".
Result<ShapedText> avroText(const AvroSchema &schema, std::span<const std::byte> bytes,
                            const TextShape &shape, qsizetype first = 0);

} // namespace topicscope
