#pragma once

#include "core/records/jsonline.h"
#include "core/records/recordchunk.h"
#include "core/session/capabilities.h"

namespace topicscope
{

// One row of a partition as a JSON object, the same for the command line and the clipboard:
//
//   {"type":"record","topic":"orders","partition":1,"offset":42,"size":5,
//    "crc32c":{"stored":"9a71bb4c","computed":"9a71bb4c","ok":true},
//    "value":{"encoding":"utf-8","data":"hello"}}
//
// "sizeDamaged" stands where the size field is. Where the engine has them: "timestamp" (ms since
// the epoch) with "timestampType", "key", and "headers" as [{"name":...,"value":...}]. What is null
// is null. "checksum":"batch" says that the checksum of its batch was verified. Thread: any (pure).

/// The fields every row begins with.
JsonLine rowJson(const QString &type, const TopicPartition &partition, Offset offset);
JsonLine recordJson(const RecordChunk &chunk, const Record &record,
                    const Capabilities &capabilities);

} // namespace topicscope
