#include "core/booblik/requestcodec.h"

#include "core/base/bytereader.h"
#include "core/base/bytewriter.h"
#include "core/booblik/topicname.h"

#include <algorithm>

namespace topicscope::booblik
{

using namespace Qt::StringLiterals;

namespace
{

Error corrupt(const char *what)
{
    return Error::make(ErrorKind::Protocol, u"corrupt request: "_s + QLatin1StringView(what));
}

} // namespace

QByteArray encodeBody(const wire::ProduceRequest &request)
{
    qsizetype size = 11 + request.topicName.size() * 3;
    for (const QByteArray &record : request.records)
        size += 4 + record.size();
    ByteWriter out(size);
    writeTopicName(out, request.topicName);
    out.i32(request.partitionId);
    out.i8(request.ackPolicy);
    out.i32(qint32(request.records.size()));
    for (const QByteArray &record : request.records) {
        out.i32(qint32(record.size()));
        out.bytes(record);
    }
    return out.take();
}

QByteArray encodeBody(const wire::FetchRequest &request, qint16 version)
{
    ByteWriter out(26 + request.topicName.size() * 3);
    writeTopicName(out, request.topicName);
    out.i32(request.partitionId);
    out.i64(request.fetchOffset);
    out.i32(request.maxBytes);
    if (version >= 2) {
        out.i32(request.maxWaitMillis);
        out.i32(request.minBytes);
    }
    return out.take();
}

QByteArray encodeBody(const wire::MetadataRequest &request)
{
    ByteWriter out;
    out.i32(qint32(request.topicNames.size()));
    for (const QString &name : request.topicNames)
        writeTopicName(out, name);
    return out.take();
}

Result<ProduceView> decodeProduceView(std::span<const std::byte> body)
{
    ByteReader in(body);
    ProduceView request;
    request.topicName = readTopicName(in);
    request.partitionId = in.i32();
    request.ackPolicy = in.i8();
    request.recordCount = in.count(4);
    if (!in.ok() || request.partitionId < 0 || request.ackPolicy < 0 || request.ackPolicy > 2 ||
        request.recordCount < 1)
        return corrupt("PRODUCE");
    const qsizetype begin = in.position();
    for (qint32 i = 0; i < request.recordCount; ++i) {
        const qint32 size = in.i32();
        if (size < 1)
            return corrupt("PRODUCE record size");
        in.bytes(size);
        if (!in.ok())
            return corrupt("PRODUCE record");
        request.largestRecord = std::max(request.largestRecord, size);
    }
    request.records = body.subspan(size_t(begin), size_t(in.position() - begin));
    return request;
}

Result<wire::ProduceRequest> decodeProduceRequest(std::span<const std::byte> body)
{
    auto view = decodeProduceView(body);
    if (!view)
        return std::move(view).error();
    wire::ProduceRequest request;
    request.topicName = view->topicName;
    request.partitionId = view->partitionId;
    request.ackPolicy = view->ackPolicy;
    request.records.reserve(view->recordCount);
    ByteReader in(view->records);
    for (qint32 i = 0; i < view->recordCount; ++i)
        request.records.append(toByteArray(in.bytes(in.i32())));
    return request;
}

Result<wire::FetchRequest> decodeFetchRequest(std::span<const std::byte> body, qint16 version)
{
    ByteReader in(body);
    wire::FetchRequest request;
    request.topicName = readTopicName(in);
    request.partitionId = in.i32();
    request.fetchOffset = in.i64();
    request.maxBytes = in.i32();
    if (version >= 2) {
        request.maxWaitMillis = in.i32();
        request.minBytes = in.i32();
    }
    if (!in.ok() || request.partitionId < 0 || request.fetchOffset < 0 || request.maxBytes < 1 ||
        request.maxWaitMillis < 0 || request.minBytes < 0 || request.minBytes > request.maxBytes)
        return corrupt("FETCH");
    return request;
}

Result<wire::MetadataRequest> decodeMetadataRequest(std::span<const std::byte> body)
{
    ByteReader in(body);
    wire::MetadataRequest request;
    const qint32 count = in.count(2);
    for (qint32 i = 0; i < count && in.ok(); ++i)
        request.topicNames.append(readTopicName(in));
    if (!in.ok())
        return corrupt("METADATA");
    return request;
}

} // namespace topicscope::booblik
