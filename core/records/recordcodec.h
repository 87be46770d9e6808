#pragma once

#include "core/base/result.h"
#include "core/records/recordchunk.h"

#include <QByteArray>

#include <limits>

namespace topicscope
{

// The record framing that a booblik FETCH payload and a segment file share:
//
//   0  i32  size     >= 1, bytes of the body
//   4  u32  crc      CRC-32C of the body alone
//   8       body     `size` bytes
//
// All integers big-endian. Source: booblik's wire protocol, FETCH payload, and its segment format.

inline constexpr qint64 kRecordHeaderBytes = 8;
/// No record above this can come in over the wire: 8 MiB frame, less the smallest PRODUCE around
/// it.
inline constexpr qint64 kMaxRecordBytes = 8'388'585;

/// Whether decoding stops at the first bad record or goes on behind it.
enum class DecodeMode {
    KeepGoing, ///< a failed checksum is flagged on the record; an impossible size ends the payload
    Strict,    ///< the first failure is the result's error
};

/// How a payload ended.
enum class PayloadEnd {
    Clean,          ///< exactly behind a record (or empty)
    CutHeader,      ///< 1..7 bytes left: the next record's header is cut off
    CutBody,        ///< a whole header, but fewer bytes than it says
    ImpossibleSize, ///< a size <= 0 where a record must begin: damage, not a cut
    Doubtful,       ///< behind a damaged record whose size does not lead to another one
};

/// The whole records at the beginning of a payload, by their size fields alone.
struct RecordWalk {
    qint64 records = 0;
    qint64 bytes = 0; ///< of whole records
    PayloadEnd end = PayloadEnd::Clean;
    qint32 endRecordBytes = 0; ///< CutBody and ImpossibleSize: the size field; else 0
};

/// Walks at most `most` records, back to back, without looking at their checksums.
/// Thread: any (pure).
RecordWalk walkRecords(std::span<const std::byte> payload,
                       qint64 most = std::numeric_limits<qint64>::max());

struct DecodedRecords {
    RecordChunkPtr chunk; ///< never null; whole records only
    PayloadEnd end = PayloadEnd::Clean;
    qint32 endRecordBytes = 0; ///< CutBody and ImpossibleSize: the size field; else 0
    qint64 consumedBytes = 0;  ///< bytes of whole records, from the payload's first byte
};

/// Decodes stored records back to back, in order; offsets are consecutive from `first`.
/// @param bytes         owned by the chunk afterwards; not copied
/// @param payloadBegin  where the records begin in `bytes`, so that a frame need not be cut
/// The length is checked before the checksum: a record that is cut is not damaged. For a damaged
/// record, a size with one bit flipped back is looked for whose body has the stored checksum
/// (SizeDamaged). Otherwise it is believed to be as long as it says, unless something else than a
/// record follows: then the payload ends there (Doubtful), to be fetched again from the next
/// offset. Keeps no claimed size: nothing is allocated from a size field.
/// @error Strict only: Checksum (offset, byte, both sums), Protocol for an impossible size.
/// Thread: any (pure).
Result<DecodedRecords> decodeRecords(TopicPartition partition, QByteArray bytes,
                                     qsizetype payloadBegin, Offset first,
                                     DecodeMode mode = DecodeMode::KeepGoing);

/// Appends one record as it is stored. `body` must not be empty.
void appendStoredRecord(QByteArray &out, std::span<const std::byte> body);

} // namespace topicscope
