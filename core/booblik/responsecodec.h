#pragma once

#include "core/base/result.h"
#include "core/booblik/messages.h"

#include <QByteArray>

#include <span>

namespace topicscope::booblik
{

// Response bodies, both directions. Layouts (behind correlationId and errorCode 0):
//
//   PRODUCE    i64 baseOffset, i64 logEndOffset
//   FETCH      i64 highWatermark, i32 payloadBytes, payload (records/recordcodec.h)
//   METADATA   i32 topicCount, topicCount x (topicName, i32 partitionCount,
//              partitionCount x (i32 partitionId, i64 logStartOffset, i64 highWatermark))
//
// Decoders return Protocol with the two numbers that do not agree. A short body, payloadBytes other
// than the bytes present, negative counts are errors; counts are bounded by the bytes left.
// METADATA's names and offsets are returned as they are: one bad topic must not hide the others.
// Thread: any (pure). Source: booblik's wire protocol.

QByteArray encodeBody(const wire::ProduceResponse &response);
QByteArray encodeBody(const wire::MetadataResponse &response);
/// highWatermark and payloadBytes only; the payload follows on the wire.
QByteArray encodeFetchBodyHeader(qint64 highWatermark, qint32 payloadBytes);

Result<wire::ProduceResponse> decodeProduceResponse(std::span<const std::byte> body);
Result<wire::FetchResponse> decodeFetchResponse(std::span<const std::byte> body);
Result<wire::MetadataResponse> decodeMetadataResponse(std::span<const std::byte> body);

} // namespace topicscope::booblik
