#pragma once

#include "core/records/payloadcodec.h"
#include "core/records/payloadformat.h"

namespace topicscope
{

/// The id of a registered schema in front of a payload, as Confluent's serializers write it: a
/// byte 0 and four bytes, big-endian; nullopt where there is none.
std::optional<qint32> schemaIdOf(std::span<const std::byte> bytes);

/// What a payload seems to be: one of PayloadCodec::all(). Cautious: text is text; CBOR and
/// MessagePack are only named where all of the bytes are one array or map of them (of long
/// payloads: as far as is looked). Numbers are never guessed. Looks at no more than `limit`
/// bytes, of binary ones at an eighth of that as text.
/// Thread: any (pure).
DetectedFormat detectFormat(std::span<const std::byte> bytes, qsizetype limit = kDetectBytes);

} // namespace topicscope
