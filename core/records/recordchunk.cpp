#include "core/records/recordchunk.h"

#include "core/hash/crc32c.h"

#include <QtEndian>

namespace topicscope
{

std::optional<quint32> RecordChunk::storedCrc(const Record &record) const
{
    if (!(record.flags & (RecordFlag::ChecksumVerified | RecordFlag::ChecksumMismatch)))
        return std::nullopt;
    return qFromBigEndian<quint32>(frame(record).data() + 4);
}

quint32 RecordChunk::computedCrc(const Record &record) const
{
    return crc32c(value(record));
}

RecordChunkPtr subsetOf(const RecordChunkPtr &chunk, std::span<const size_t> chosen)
{
    if (chosen.size() == chunk->records().size())
        return chunk;
    qsizetype size = 0;
    for (const size_t index : chosen)
        size += qsizetype(chunk->records()[index].frameBytes);
    QByteArray bytes;
    bytes.reserve(size);
    std::vector<Record> records;
    records.reserve(chosen.size());
    std::vector<qint64> timestampsMs;
    timestampsMs.reserve(chosen.size());
    for (const size_t index : chosen) {
        timestampsMs.push_back(chunk->timestampMs(chunk->records()[index]).value_or(0));
        Record record = chunk->records()[index];
        const auto frame = chunk->frame(record);
        // Fields may move down: by as much as is left out before them.
        const quint32 moved =
            record.valueBegin + record.valueSize - record.frameBytes - quint32(bytes.size());
        record.valueBegin -= moved;
        if (record.flags & (RecordFlag::HasKey | RecordFlag::HasHeaders))
            record.keyBegin -= moved;
        bytes.append(reinterpret_cast<const char *>(frame.data()), qsizetype(frame.size()));
        records.push_back(record);
    }
    return std::make_shared<const RecordChunk>(chunk->partition(), std::move(bytes),
                                               std::move(records), std::move(timestampsMs));
}

} // namespace topicscope
