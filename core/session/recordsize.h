#pragma once

#include "core/records/headers.h"
#include "core/session/topicinfo.h"

namespace topicscope
{

/// What a record takes of its topic's limit, before compression and without the engine's overhead
/// (TopicRules::recordOverhead). Thread: any (pure).
inline qint64 recordBytes(qint64 keyBytes, qint64 valueBytes, const HeaderList &headers)
{
    qint64 bytes = keyBytes + valueBytes;
    for (const RecordHeader &header : headers)
        bytes += header.name.size() + (header.value ? header.value->size() : 0);
    return bytes;
}

/// Whether a record of so many recordBytes() is taken, as far as that is known, uncompressed.
inline bool fits(qint64 recordBytes, const TopicRules &rules)
{
    return !rules.maxRecordBytes || recordBytes + rules.recordOverhead <= *rules.maxRecordBytes;
}

} // namespace topicscope
