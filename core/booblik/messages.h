#pragma once

#include "core/base/ids.h"
#include "core/session/topicinfo.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QtGlobal>

// The booblik protocol's messages with the protocol's own names. Big-endian; topic names are u16
// length + UTF-8. A frame is i32 length (not counting itself) and that many bytes:
//
//   request   i16 apiKey, i16 apiVersion, i32 correlationId, body
//   response  i32 correlationId, i16 errorCode, body (absent when errorCode != 0)
namespace topicscope::booblik::wire
{

inline constexpr qint32 kMaxRequestFrame = 8'388'608; ///< largest frameLength a broker reads
/// Largest frameLength we accept from a broker for a FETCH of `maxBytes`: the answer's own 18 bytes
/// come on top. Other answers: kMaxRequestFrame.
inline constexpr qint32 kFetchResponseOverhead = 18;
inline constexpr qint32 kMinResponseFrame = 6;
inline constexpr qint32 kRequestHeaderBytes = 8;
inline constexpr qint32 kMaxHoldMs = 60'000; ///< the broker clamps longer waits without notice
inline constexpr int kMaxTopicUnits = 249;   ///< UTF-16 units

enum class ApiKey : qint16 { Produce = 1, Fetch = 2, Metadata = 3 };

enum class ErrorCode : qint16 {
    None = 0,
    UnknownTopicOrPartition = 1,
    OffsetOutOfRange = 2,
    RecordTooLarge = 3,
    UnsupportedVersion = 4,
    CorruptRequest = 5,
};

/// "OFFSET_OUT_OF_RANGE"; "UNKNOWN(17)" for codes the protocol does not have.
QString errorCodeName(qint16 code);

struct RequestHeader {
    qint16 apiKey = 0;
    qint16 apiVersion = 0;
    qint32 correlationId = 0;
};

struct ProduceRequest {
    QString topicName;
    qint32 partitionId = 0;
    qint8 ackPolicy = 1; ///< 0 NONE, 1 WRITTEN, 2 FORCED
    QList<QByteArray> records;
};

struct ProduceResponse {
    qint64 baseOffset = 0;
    qint64 logEndOffset = 0;
};

struct FetchRequest {
    QString topicName;
    qint32 partitionId = 0;
    qint64 fetchOffset = 0;
    qint32 maxBytes = 0;
    qint32 maxWaitMillis = 0; ///< v2 only
    qint32 minBytes = 0;      ///< v2 only
};

struct FetchResponse {
    qint64 highWatermark = 0;
    qint32 payloadBytes = 0;
    qsizetype payloadBegin = 0; ///< where the payload begins in the body decoded
};

struct MetadataRequest {
    QList<QString> topicNames; ///< empty = all
};

struct MetadataPartition {
    qint32 partitionId = 0;
    qint64 logStartOffset = 0;
    qint64 highWatermark = 0;
};

struct MetadataTopic {
    QString topicName;
    QList<MetadataPartition> partitions;
};

struct MetadataResponse {
    QList<MetadataTopic> topics;
};

} // namespace topicscope::booblik::wire
