#include "core/booblik/fetchanswer.h"

#include "core/booblik/responsecodec.h"
#include "core/records/recordcodec.h"

#include <algorithm>
#include <limits>

namespace topicscope::booblik
{

using namespace Qt::StringLiterals;

namespace
{

/// What stands behind the whole records of a payload.
FetchEnd fetchEnd(const DecodedRecords &decoded, const FetchRequest &request,
                  const wire::FetchResponse &header)
{
    // An answer ends short of max bytes only where the segment ends, so a record that is cut there
    // is not too large for us: its size field is damaged, or bytes are missing. The same is true of
    // a size no broker can have taken in.
    const bool cutByLimit = header.payloadBytes >= request.maxBytes;
    const bool none = decoded.chunk->isEmpty();
    switch (decoded.end) {
    case PayloadEnd::ImpossibleSize:
        return FetchEnd::ImpossibleSize;
    case PayloadEnd::CutHeader:
        if (!none)
            return FetchEnd::More;
        return cutByLimit ? FetchEnd::RecordExceedsMaxBytes : FetchEnd::ImpossibleSize;
    case PayloadEnd::CutBody:
        if (!none)
            return FetchEnd::More;
        return cutByLimit && decoded.endRecordBytes <= kMaxRecordBytes
                   ? FetchEnd::RecordExceedsMaxBytes
                   : FetchEnd::ImpossibleSize;
    case PayloadEnd::Doubtful:
        return FetchEnd::More; // behind a damaged record: fetched again from its own beginning
    case PayloadEnd::Clean:
        break;
    }
    if (!none)
        return FetchEnd::More;
    return request.offset.value >= header.highWatermark ? FetchEnd::CaughtUp
                                                        : FetchEnd::EmptyBelowHighWatermark;
}

} // namespace

wire::FetchRequest toWire(const FetchRequest &request)
{
    const auto wait = std::clamp<qint64>(request.maxWait.count(), -1, wire::kMaxHoldMs);
    return {request.partition.topic,
            request.partition.partition.value,
            request.offset.value,
            request.maxBytes,
            qint32(wait),
            request.minBytes};
}

Result<ScannedAnswer> scanAnswer(const Answer &answer, const FetchRequest &request)
{
    auto header = decodeFetchResponse(answer.body());
    if (!header) {
        Error error = std::move(header).error();
        error.where = {
            request.partition.topic, request.partition.partition, request.offset, {}, {}};
        return error;
    }
    // So that no offset of a record in it can pass 2^63: there are fewer records than bytes.
    if (header->payloadBytes > std::numeric_limits<qint64>::max() - request.offset.value) {
        return Error::make(
            ErrorKind::Protocol, u"records beyond the last possible offset"_s,
            {request.partition.topic, request.partition.partition, request.offset, {}, {}});
    }
    ScannedAnswer scanned;
    scanned.header = *header;
    scanned.payloadBegin = kResponseHeaderBytes + header->payloadBegin;

    const RecordWalk walk =
        walkRecords(asBytes(answer.frame).subspan(size_t(scanned.payloadBegin)));
    scanned.nextOffset = request.offset + walk.records;
    scanned.goesOn = walk.records > 0 && walk.end != PayloadEnd::ImpossibleSize;
    return scanned;
}

FetchResult toFetchResult(const FetchRequest &request, const ScannedAnswer &scanned, Answer answer)
{
    // KeepGoing never fails: damage is described by its result.
    DecodedRecords decoded = decodeRecords(request.partition, std::move(answer.frame),
                                           scanned.payloadBegin, request.offset)
                                 .value();
    FetchResult result;
    result.partition = request.partition;
    result.fetchOffset = request.offset;
    result.nextOffset = request.offset + qint64(decoded.chunk->records().size());
    result.highWatermark = Offset{scanned.header.highWatermark};
    result.end = fetchEnd(decoded, request, scanned.header);
    if (result.end == FetchEnd::RecordExceedsMaxBytes || result.end == FetchEnd::ImpossibleSize)
        result.endRecordBytes = decoded.endRecordBytes;
    result.chunk = std::move(decoded.chunk);
    return result;
}

} // namespace topicscope::booblik
