#pragma once

#include "core/base/result.h"
#include "core/records/structurewriter.h"

namespace topicscope
{

/// One MessagePack value in the notation of cborText(): keys of any type, duplicates kept, binary
/// as h'00ff'. What MessagePack alone has: ext(5, h'00ff') for an extension of type 5, and
/// timestamp("2026-11-30T05:24:08.123456789Z") for the one the specification defines (type -1).
/// Stops when the text is full: what follows is not looked at then.
/// @error InvalidArgument: why in detail, where.byte is the begin of the value that is wrong; also
/// for bytes behind the value and for nesting beyond kMaxDepth.
/// Thread: any (pure). Source: the MessagePack specification, "Formats".
Result<ShapedText> msgpackText(std::span<const std::byte> bytes, const TextShape &shape);

} // namespace topicscope
