#include "core/records/recordcodec.h"

#include "core/base/bytewriter.h"
#include "core/hash/crc32c.h"

#include <QtEndian>

namespace topicscope
{

using namespace Qt::StringLiterals;

RecordWalk walkRecords(std::span<const std::byte> payload)
{
    RecordWalk walk;
    size_t position = 0;
    while (position < payload.size()) {
        const size_t left = payload.size() - position;
        if (left < size_t(kRecordHeaderBytes)) {
            walk.end = PayloadEnd::CutHeader;
            break;
        }
        const qint32 size = qFromBigEndian<qint32>(payload.data() + position);
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

    std::vector<Record> records(size_t(walk.records));
    size_t position = size_t(payloadBegin);
    Offset offset = first;
    for (Record &record : records) {
        const size_t bodyBegin = position + size_t(kRecordHeaderBytes);
        const quint32 size = qFromBigEndian<quint32>(all.data() + position);
        const quint32 stored = qFromBigEndian<quint32>(all.data() + position + 4);
        const quint32 computed = crc32c(all.subspan(bodyBegin, size));
        if (stored != computed && mode == DecodeMode::Strict) {
            Error error = Error::make(ErrorKind::Checksum, {}, place(offset, position));
            error.storedCrc = stored;
            error.computedCrc = computed;
            return error;
        }
        record.offset = offset;
        record.valueBegin = quint32(bodyBegin);
        record.valueSize = size;
        record.frameBytes = size + quint32(kRecordHeaderBytes);
        record.flags =
            stored == computed ? RecordFlag::ChecksumVerified : RecordFlag::ChecksumMismatch;
        position = bodyBegin + size;
        offset = offset + 1;
    }
    if (walk.end == PayloadEnd::ImpossibleSize && mode == DecodeMode::Strict) {
        return Error::make(ErrorKind::Protocol,
                           u"impossible record size %1"_s.arg(walk.endRecordBytes),
                           place(offset, position));
    }
    DecodedRecords result;
    result.end = walk.end;
    result.endRecordBytes = walk.endRecordBytes;
    result.consumedBytes = walk.bytes;
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
