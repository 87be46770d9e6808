#pragma once

#include "core/base/result.h"
#include "core/records/protobufschema.h"
#include "core/records/structurewriter.h"

namespace topicscope
{

/// A Protocol Buffers message without its schema, by field numbers and wire types:
///
///   varint            1: 150 (and the negative number beside it where the top bit is set)
///   32 and 64 bits    2: 0x42280000, 3: 0x4045000000000000
///   length-delimited  4: "text", 5: {1: 2} or 6: h'00ff': nobody says which it is, so text is what
///                     is well-formed UTF-8 without controls, a message what is made of whole
///                     fields, bytes the rest
///   group             7: !{1: 2}
///
/// Guessed messages go kMaxGuessedDepth deep, and kMaxGuessedFields are looked at for it, or eight
/// a character to be shown; what lies deeper or behind is shown as bytes. Of what may be text as
/// many bytes are looked at. Stops when the text is full: what follows is not looked at then.
/// @error InvalidArgument: why in detail, where.byte is the begin of the field that is wrong; also
/// for groups beyond kMaxDepth.
/// Thread: any (pure). Source: the Protocol Buffers documentation, "Encoding".
Result<ShapedText> protobufText(std::span<const std::byte> bytes, const TextShape &shape);

/// The same by a schema: fields and enumerated values by name, numbers as the schema means them. In
/// the order they are written in, all of them: what is unknown to the schema or of another wire
/// type than it says is shown as above; what is not written is not shown.
/// @param message  index of the message's type
/// @param first    of `bytes`: what lies before belongs to an envelope
Result<ShapedText> protobufText(const ProtobufSchema &schema, int message,
                                std::span<const std::byte> bytes, const TextShape &shape,
                                qsizetype first = 0);

/// Every level is looked at once more for the one inside it.
inline constexpr qsizetype kMaxGuessedDepth = 64;
inline constexpr qint64 kMaxGuessedFields = 1'000'000;

} // namespace topicscope
