#pragma once

#include "core/base/result.h"
#include "core/booblik/messages.h"

#include <QByteArray>

#include <optional>
#include <span>

namespace topicscope::booblik
{

/// Header of a response frame, length field not included.
struct ResponseHeader {
    qint32 correlationId = 0;
    qint16 errorCode = 0;
};
inline constexpr qsizetype kResponseHeaderBytes = 6;

/// Puts length and request header in front of a body.
/// @error InvalidArgument when the frame would be above 8 MiB: it must never be sent.
Result<QByteArray> encodeRequestFrame(wire::ApiKey key, qint16 version, qint32 correlationId,
                                      const QByteArray &body);

/// A whole response frame. With errorCode != 0 the body must be empty.
QByteArray encodeResponseFrame(qint32 correlationId, qint16 errorCode, const QByteArray &body);

/// Header of a response whose frame (without the length) is given.
/// @error Protocol when shorter than 6 bytes, or an error answer with a body.
Result<ResponseHeader> decodeResponseHeader(std::span<const std::byte> frame);

/// Header of a request; nullopt when the frame is shorter than 8 bytes.
std::optional<wire::RequestHeader> decodeRequestHeader(std::span<const std::byte> frame);

} // namespace topicscope::booblik
