#pragma once

// Of the files that make up PayloadCodec::all().

#include "core/records/payloadcodec.h"

#include <memory>
#include <vector>

namespace topicscope
{

using Codecs = std::vector<std::unique_ptr<const PayloadCodec>>;

/// UTF-8, Latin-1 and UTF-16.
void addTextEncodings(Codecs &codecs);
/// CBOR, MessagePack, Protobuf without a schema.
void addStructures(Codecs &codecs);

Error refusal(const QString &why, std::optional<qint64> position = {});

/// Cut to maxChars, '…' where something is left out.
DecodedPayload cutText(QString text, bool more, qsizetype maxChars);
/// Hex digits on one line, cut as cutText() does.
DecodedPayload asHex(std::span<const std::byte> bytes, qsizetype maxChars,
                     const QString &problem = {});

} // namespace topicscope
