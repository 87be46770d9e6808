#pragma once

#include "core/base/result.h"
#include "core/booblik/messages.h"

#include <QByteArray>

#include <span>

namespace topicscope::booblik
{

// Request bodies, both directions. Layouts (body only, behind the 8 byte header):
//
//   PRODUCE v1    topicName, i32 partitionId, i8 ackPolicy, i32 recordCount,
//                 recordCount x (i32 size, bytes)
//   FETCH v1      topicName, i32 partitionId, i64 fetchOffset, i32 maxBytes
//   FETCH v2      as v1, then i32 maxWaitMillis, i32 minBytes
//   METADATA v1   i32 topicCount, topicCount x topicName
//
// Encoders validate nothing beyond what cannot be written: one place, the broker, decides.
// Decoders apply every field rule in wire order and ignore bytes left over; counts are bounded by
// the bytes left before anything is reserved. Their only error is Protocol (= CORRUPT_REQUEST).
// Thread: any (pure). Source: booblik's wire protocol.

QByteArray encodeBody(const wire::ProduceRequest &request);
QByteArray encodeBody(const wire::FetchRequest &request, qint16 version);
QByteArray encodeBody(const wire::MetadataRequest &request);

/// A PRODUCE request whose records stay where they were received.
struct ProduceView {
    QString topicName;
    qint32 partitionId = 0;
    qint8 ackPolicy = 1;
    qint32 recordCount = 0;
    qint32 largestRecord = 0;           ///< bytes of the largest body
    std::span<const std::byte> records; ///< recordCount x (i32 size, bytes), all checked
};

Result<ProduceView> decodeProduceView(std::span<const std::byte> body);
Result<wire::ProduceRequest> decodeProduceRequest(std::span<const std::byte> body);
Result<wire::FetchRequest> decodeFetchRequest(std::span<const std::byte> body, qint16 version);
Result<wire::MetadataRequest> decodeMetadataRequest(std::span<const std::byte> body);

} // namespace topicscope::booblik
