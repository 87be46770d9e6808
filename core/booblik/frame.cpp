#include "core/booblik/frame.h"

#include "core/base/bytereader.h"
#include "core/base/bytewriter.h"

namespace topicscope::booblik
{

using namespace Qt::StringLiterals;

QString wire::errorCodeName(qint16 code)
{
    switch (ErrorCode(code)) {
    case ErrorCode::None:
        return u"NONE"_s;
    case ErrorCode::UnknownTopicOrPartition:
        return u"UNKNOWN_TOPIC_OR_PARTITION"_s;
    case ErrorCode::OffsetOutOfRange:
        return u"OFFSET_OUT_OF_RANGE"_s;
    case ErrorCode::RecordTooLarge:
        return u"RECORD_TOO_LARGE"_s;
    case ErrorCode::UnsupportedVersion:
        return u"UNSUPPORTED_VERSION"_s;
    case ErrorCode::CorruptRequest:
        return u"CORRUPT_REQUEST"_s;
    }
    return u"UNKNOWN(%1)"_s.arg(code);
}

Result<QByteArray> encodeRequestFrame(wire::ApiKey key, qint16 version, qint32 correlationId,
                                      const QByteArray &body)
{
    const qint64 length = qint64(body.size()) + wire::kRequestHeaderBytes;
    if (length > wire::kMaxRequestFrame) {
        return Error::make(
            ErrorKind::InvalidArgument,
            u"a frame of %1 bytes is above the protocol's limit of %2"_s.arg(length).arg(
                wire::kMaxRequestFrame));
    }
    ByteWriter out(qsizetype(length) + 4);
    out.i32(qint32(length));
    out.i16(qint16(key));
    out.i16(version);
    out.i32(correlationId);
    out.bytes(body);
    return out.take();
}

QByteArray encodeResponseFrame(qint32 correlationId, qint16 errorCode, const QByteArray &body)
{
    Q_ASSERT(errorCode == 0 || body.isEmpty());
    ByteWriter out(body.size() + 10);
    out.i32(qint32(kResponseHeaderBytes + body.size()));
    out.i32(correlationId);
    out.i16(errorCode);
    out.bytes(body);
    return out.take();
}

Result<ResponseHeader> decodeResponseHeader(std::span<const std::byte> frame)
{
    ByteReader in(frame);
    ResponseHeader header;
    header.correlationId = in.i32();
    header.errorCode = in.i16();
    if (!in.ok()) {
        return Error::make(
            ErrorKind::Protocol,
            u"a response of %1 bytes is shorter than its header of 6"_s.arg(frame.size()));
    }
    if (header.errorCode != 0 && in.left() != 0) {
        return Error::make(ErrorKind::Protocol,
                           u"an error response with %1 bytes behind its code"_s.arg(in.left()));
    }
    return header;
}

std::optional<wire::RequestHeader> decodeRequestHeader(std::span<const std::byte> frame)
{
    ByteReader in(frame);
    wire::RequestHeader header;
    header.apiKey = in.i16();
    header.apiVersion = in.i16();
    header.correlationId = in.i32();
    if (!in.ok())
        return std::nullopt;
    return header;
}

} // namespace topicscope::booblik
