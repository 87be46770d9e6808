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

} // namespace topicscope
