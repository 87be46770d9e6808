#include "core/session/lookfor.h"

#include "core/base/bytewriter.h"
#include "core/hash/crc32c.h"
#include "core/records/recordcodec.h"

#include <algorithm>

namespace topicscope
{

using namespace Qt::StringLiterals;

Result<LookForResult> lookFor(BrokerSession &session, const TopicPartition &partition, Offset from,
                              const QByteArray &value, const std::stop_token &stop)
{
    const std::span<const std::byte> wanted = asBytes(value);
    const quint32 wantedCrc = crc32c(wanted);

    FetchRequest request;
    request.partition = partition;
    request.offset = from;
    // The value fits, so whatever does not is another record.
    const qint64 frameBytes = std::min<qint64>(value.size(), kMaxRecordBytes) + kRecordHeaderBytes;
    request.maxBytes = std::max(kDefaultMaxBytes, qint32(frameBytes));

    std::optional<Offset> end;
    while (!end || request.offset < *end) {
        const auto result =
            session.fetch(request, CallContext(session.config().requestTimeout, stop));
        if (!result)
            return result.error();
        if (!end)
            end = result->highWatermark;
        for (const Record &record : result->chunk->records()) {
            if (record.offset >= *end)
                return LookForResult{std::nullopt, *end};
            if (record.valueSize != wanted.size() || record.flags.testFlag(RecordFlag::NullValue))
                continue;
            if (std::ranges::equal(result->chunk->value(record), wanted) ||
                result->chunk->storedCrc(record) == wantedCrc)
                return LookForResult{record.offset, *end};
        }
        request.offset = result->nextOffset;
        switch (result->end) {
        case FetchEnd::More:
            break;
        case FetchEnd::CaughtUp:
            return LookForResult{std::nullopt, *end};
        case FetchEnd::RecordExceedsMaxBytes:
            request.offset = request.offset + 1;
            break;
        case FetchEnd::EmptyBelowHighWatermark:
        case FetchEnd::ImpossibleSize:
            if (request.offset >= *end)
                break;
            return Error::make(ErrorKind::Protocol, u"the log is damaged here"_s,
                               {partition.topic, partition.partition, request.offset,
                                session.config().endpoint(), std::nullopt});
        }
    }
    return LookForResult{std::nullopt, *end};
}

} // namespace topicscope
