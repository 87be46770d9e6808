#include "core/booblik/responsecodec.h"

#include "core/base/bytereader.h"
#include "core/base/bytewriter.h"
#include "core/booblik/topicname.h"

namespace topicscope::booblik
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qsizetype kMetadataPartitionBytes = 20;
constexpr qsizetype kMetadataMinTopicBytes = 6;

Error protocolError(QString detail)
{
    return Error::make(ErrorKind::Protocol, std::move(detail));
}

} // namespace

QByteArray encodeBody(const wire::ProduceResponse &response)
{
    ByteWriter out(16);
    out.i64(response.baseOffset);
    out.i64(response.logEndOffset);
    return out.take();
}

QByteArray encodeBody(const wire::MetadataResponse &response)
{
    ByteWriter out;
    out.i32(qint32(response.topics.size()));
    for (const wire::MetadataTopic &topic : response.topics) {
        writeTopicName(out, topic.topicName);
        out.i32(qint32(topic.partitions.size()));
        for (const wire::MetadataPartition &partition : topic.partitions) {
            out.i32(partition.partitionId);
            out.i64(partition.logStartOffset);
            out.i64(partition.highWatermark);
        }
    }
    return out.take();
}

QByteArray encodeFetchBodyHeader(qint64 highWatermark, qint32 payloadBytes)
{
    ByteWriter out(12);
    out.i64(highWatermark);
    out.i32(payloadBytes);
    return out.take();
}

Result<wire::ProduceResponse> decodeProduceResponse(std::span<const std::byte> body)
{
    ByteReader in(body);
    wire::ProduceResponse response;
    response.baseOffset = in.i64();
    response.logEndOffset = in.i64();
    if (!in.ok() || in.left() != 0) {
        return protocolError(
            u"a PRODUCE answer of %1 bytes where 16 are expected"_s.arg(body.size()));
    }
    if (response.baseOffset < 0 || response.logEndOffset <= response.baseOffset) {
        return protocolError(
            u"a PRODUCE answer with base offset %1 and log end offset %2"_s.arg(response.baseOffset)
                .arg(response.logEndOffset));
    }
    return response;
}

Result<wire::FetchResponse> decodeFetchResponse(std::span<const std::byte> body)
{
    ByteReader in(body);
    wire::FetchResponse response;
    response.highWatermark = in.i64();
    response.payloadBytes = in.i32();
    if (!in.ok()) {
        return protocolError(
            u"a FETCH answer of %1 bytes where at least 12 are expected"_s.arg(body.size()));
    }
    if (response.payloadBytes != in.left()) {
        return protocolError(
            u"a FETCH answer says %1 payload bytes, but %2 are there"_s.arg(response.payloadBytes)
                .arg(in.left()));
    }
    if (response.highWatermark < 0)
        return protocolError(
            u"a FETCH answer with high watermark %1"_s.arg(response.highWatermark));
    response.payloadBegin = in.position();
    return response;
}

Result<wire::MetadataResponse> decodeMetadataResponse(std::span<const std::byte> body)
{
    ByteReader in(body);
    wire::MetadataResponse response;
    const qint32 topicCount = in.count(kMetadataMinTopicBytes);
    for (qint32 i = 0; i < topicCount && in.ok(); ++i) {
        wire::MetadataTopic topic;
        topic.topicName = readTopicNameUnchecked(in);
        const qint32 partitionCount = in.count(kMetadataPartitionBytes);
        topic.partitions.reserve(partitionCount);
        for (qint32 p = 0; p < partitionCount; ++p) {
            wire::MetadataPartition partition;
            partition.partitionId = in.i32();
            partition.logStartOffset = in.i64();
            partition.highWatermark = in.i64();
            if (in.ok() && (partition.logStartOffset < 0 || partition.highWatermark < 0)) {
                return protocolError(
                    u"a METADATA answer with offsets %1 … %2"_s.arg(partition.logStartOffset)
                        .arg(partition.highWatermark));
            }
            topic.partitions.append(partition);
        }
        response.topics.append(std::move(topic));
    }
    if (!in.ok() || in.left() != 0) {
        return protocolError(
            u"a METADATA answer of %1 bytes does not hold what its counts say"_s.arg(body.size()));
    }
    return response;
}

} // namespace topicscope::booblik
