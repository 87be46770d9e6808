#pragma once

#include "core/base/result.h"
#include "core/records/structurewriter.h"

namespace topicscope
{

/// One CBOR value in diagnostic notation (RFC 8949, section 8): every integer exactly, byte strings
/// as h'00ff', tags as 1(1363896240), indefinite lengths as [_ 1, 2] and (_ "ab", "c"), keys of any
/// type, duplicates kept. Malformed UTF-8 in text is drawn. Stops when the text is full: what
/// follows is not looked at then.
/// @error InvalidArgument: why in detail, where.byte is the begin of the item that is wrong; also
/// for bytes behind the value and for nesting beyond kMaxDepth.
/// Thread: any (pure).
Result<ShapedText> cborText(std::span<const std::byte> bytes, const TextShape &shape);

} // namespace topicscope
