#include "core/records/recordcodec.h"

#include "core/base/bytewriter.h"
#include "core/hash/crc32c.h"

#include <QtEndian>

#include <optional>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

/// How often in one payload a flipped bit in a size field is looked for. It costs some checksums
/// over what is left, and more damage than this is not one flipped bit here and there.
constexpr int kMaxSizeRepairs = 16;

quint32 storedSum(std::span<const std::byte> record)
{
    return qFromBigEndian<quint32>(record.data() + 4);
}

/// Fills the index entry in place: returning one by value made the processor wait for its own
/// narrow stores when the struct was copied, which doubled the time of short records.
void index(Record &record, Offset offset, size_t position, qint32 size, RecordFlags flags)
{
    record.offset = offset;
    record.valueBegin = quint32(position) + quint32(kRecordHeaderBytes);
    record.valueSize = quint32(size);
    record.frameBytes = quint32(size) + quint32(kRecordHeaderBytes);
    record.flags = flags;
}

/// Whether bytes are no record. The end and a cut one speak neither for nor against.
bool contradicts(std::span<const std::byte> rest)
{
    const RecordWalk walk = walkRecords(rest, 1);
    if (walk.records == 1) {
        const auto body =
            rest.subspan(size_t(kRecordHeaderBytes), size_t(walk.bytes - kRecordHeaderBytes));
        return crc32c(body) != storedSum(rest);
    }
    return walk.end == PayloadEnd::ImpossibleSize || walk.endRecordBytes > kMaxRecordBytes;
}

/// The size of the first record, whose size field is `damaged`, if one bit of it is flipped: the
/// body's checksum then is the stored one. Nothing = no such size.
std::optional<qint32> sizeByChecksum(std::span<const std::byte> rest, qint32 damaged)
{
    const auto body = rest.subspan(size_t(kRecordHeaderBytes));
    for (int bit = 0; bit < 32; ++bit) {
        const auto size = qint32(quint32(damaged) ^ (1U << bit));
        if (size <= 0 || size_t(size) > body.size())
            continue;
        // Cheaper than the checksum, and nearly as telling: is there a plausible size behind it?
        const RecordWalk behind = walkRecords(body.subspan(size_t(size)), 1);
        if (behind.end == PayloadEnd::ImpossibleSize || behind.endRecordBytes > kMaxRecordBytes)
            continue;
        if (crc32c(body.first(size_t(size))) == storedSum(rest))
            return size;
    }
    return std::nullopt;
}

/// Decodes from `position` on, believing no size that the bytes around it do not confirm. Leaves
/// `position` behind the last record and says in `result` how the payload ended.
void decodeDoubtful(std::span<const std::byte> all, size_t &position, std::vector<Record> &records,
                    Offset offset, DecodedRecords &result)
{
    int repairs = 0;
    result.end = PayloadEnd::Clean;
    result.endRecordBytes = 0;
    while (position < all.size()) {
        const auto rest = all.subspan(position);
        const RecordWalk walk = walkRecords(rest, 1);
        if (walk.end == PayloadEnd::CutHeader && walk.records == 0) {
            result.end = walk.end;
            return;
        }
        auto size = qFromBigEndian<qint32>(rest.data());
        const bool whole = walk.records == 1;
        RecordFlags flags = RecordFlag::ChecksumVerified;
        if (!whole ||
            crc32c(rest.subspan(size_t(kRecordHeaderBytes), size_t(size))) != storedSum(rest)) {
            flags = RecordFlag::ChecksumMismatch;
            // Even when a record follows: one flipped bit may lead exactly over the next one.
            const auto repaired =
                repairs++ < kMaxSizeRepairs ? sizeByChecksum(rest, size) : std::nullopt;
            if (repaired) {
                size = *repaired;
                flags |= RecordFlag::SizeDamaged;
            } else if (!whole) {
                result.end = walk.end;
                result.endRecordBytes = walk.endRecordBytes;
                return;
            }
        }
        index(records.emplace_back(), offset, position, size, flags);
        position += records.back().frameBytes;
        offset = offset + 1;
        if (flags == RecordFlag::ChecksumMismatch && contradicts(all.subspan(position))) {
            result.end = PayloadEnd::Doubtful;
            return;
        }
    }
}

} // namespace

RecordWalk walkRecords(std::span<const std::byte> payload, qint64 most)
{
    RecordWalk walk;
    size_t position = 0;
    while (position < payload.size() && walk.records < most) {
        const size_t left = payload.size() - position;
        if (left < size_t(kRecordHeaderBytes)) {
            walk.end = PayloadEnd::CutHeader;
            break;
        }
        const auto size = qFromBigEndian<qint32>(payload.data() + position);
        if (size <= 0 || size_t(size) > left - size_t(kRecordHeaderBytes)) {
            walk.end = size <= 0 ? PayloadEnd::ImpossibleSize : PayloadEnd::CutBody;
            walk.endRecordBytes = size;
            break;
        }
        position += size_t(kRecordHeaderBytes) + size_t(size);
        ++walk.records;
    }
    walk.bytes = qint64(position);
    return walk;
}

Result<DecodedRecords> decodeRecords(TopicPartition partition, QByteArray bytes,
                                     qsizetype payloadBegin, Offset first, DecodeMode mode)
{
    Q_ASSERT(payloadBegin >= 0 && payloadBegin <= bytes.size());
    const std::span<const std::byte> all = asBytes(bytes);
    // Sizes before checksums: a record that is cut always fails its checksum. And the index gets
    // the memory it needs, no more.
    const RecordWalk walk = walkRecords(all.subspan(size_t(payloadBegin)));
    const auto place = [&](Offset offset, size_t position) {
        return ErrorPlace{
            partition.topic, partition.partition, offset, {}, qint64(position) - payloadBegin};
    };

    DecodedRecords result;
    result.end = walk.end;
    result.endRecordBytes = walk.endRecordBytes;
    std::vector<Record> records(size_t(walk.records));
    auto position = size_t(payloadBegin);
    Offset offset = first;
    for (Record &record : records) {
        const auto size = qFromBigEndian<qint32>(all.data() + position);
        const quint32 stored = storedSum(all.subspan(position));
        const quint32 computed =
            crc32c(all.subspan(position + size_t(kRecordHeaderBytes), size_t(size)));
        if (stored != computed) {
            if (mode == DecodeMode::KeepGoing)
                break;
            Error error = Error::make(ErrorKind::Checksum, {}, place(offset, position));
            error.storedCrc = stored;
            error.computedCrc = computed;
            return error;
        }
        index(record, offset, position, size, RecordFlag::ChecksumVerified);
        position += size_t(kRecordHeaderBytes) + size_t(size);
        offset = offset + 1;
    }
    if (mode == DecodeMode::Strict) {
        if (walk.end == PayloadEnd::ImpossibleSize) {
            return Error::make(ErrorKind::Protocol,
                               u"impossible record size %1"_s.arg(walk.endRecordBytes),
                               place(offset, position));
        }
    } else if (position < all.size()) {
        // Something does not check out, or the tail is cut: the walk may have been led astray.
        records.resize(size_t(offset - first));
        decodeDoubtful(all, position, records, offset, result);
    }
    result.consumedBytes = qint64(position) - payloadBegin;
    result.chunk = std::make_shared<const RecordChunk>(std::move(partition), std::move(bytes),
                                                       std::move(records));
    return result;
}

void appendStoredRecord(QByteArray &out, std::span<const std::byte> body)
{
    Q_ASSERT(!body.empty());
    char header[kRecordHeaderBytes];
    qToBigEndian(qint32(body.size()), header);
    qToBigEndian(crc32c(body), header + 4);
    out.append(header, sizeof(header));
    out.append(reinterpret_cast<const char *>(body.data()), qsizetype(body.size()));
}

} // namespace topicscope
