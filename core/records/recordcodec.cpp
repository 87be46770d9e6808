#include "core/records/recordcodec.h"

#include "core/base/bytewriter.h"
#include "core/hash/crc32c.h"

#include <QtEndian>

namespace topicscope
{

using namespace Qt::StringLiterals;

Result<DecodedRecords> decodeRecords(TopicPartition partition, QByteArray bytes,
                                     qsizetype payloadBegin, Offset first, DecodeMode mode)
{
    Q_ASSERT(payloadBegin >= 0 && payloadBegin <= bytes.size());
    DecodedRecords result;
    std::vector<Record> records;
    const std::span<const std::byte> all = asBytes(bytes);
    const size_t total = all.size();
    auto position = size_t(payloadBegin);
    while (position < total) {
        const size_t left = total - position;
        if (left < size_t(kRecordHeaderBytes)) {
            result.end = PayloadEnd::CutHeader;
            break;
        }
        const auto size = qFromBigEndian<qint32>(all.data() + position);
        const Offset offset = first + qint64(records.size());
        if (size <= 0) {
            if (mode == DecodeMode::Strict) {
                return Error::make(ErrorKind::Protocol, u"impossible record size %1"_s.arg(size),
                                   {partition.topic,
                                    partition.partition,
                                    offset,
                                    {},
                                    qint64(position) - payloadBegin});
            }
            result.end = PayloadEnd::ImpossibleSize;
            result.endRecordBytes = size;
            break;
        }
        // Length before checksum: a record that is cut always fails its checksum.
        if (size_t(size) > left - size_t(kRecordHeaderBytes)) {
            result.end = PayloadEnd::CutBody;
            result.endRecordBytes = size;
            break;
        }
        const size_t bodyBegin = position + size_t(kRecordHeaderBytes);
        const auto stored = qFromBigEndian<quint32>(all.data() + position + 4);
        const quint32 computed = crc32c(all.subspan(bodyBegin, size_t(size)));
        if (stored != computed && mode == DecodeMode::Strict) {
            Error error = Error::make(ErrorKind::Checksum, {},
                                      {partition.topic,
                                       partition.partition,
                                       offset,
                                       {},
                                       qint64(position) - payloadBegin});
            error.storedCrc = stored;
            error.computedCrc = computed;
            return error;
        }
        Record record;
        record.offset = offset;
        record.valueBegin = quint32(bodyBegin);
        record.valueSize = quint32(size);
        record.frameBytes = quint32(size) + quint32(kRecordHeaderBytes);
        record.flags =
            stored == computed ? RecordFlag::ChecksumVerified : RecordFlag::ChecksumMismatch;
        records.push_back(record);
        position = bodyBegin + size_t(size);
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
