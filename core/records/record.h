#pragma once

#include "core/base/ids.h"

#include <QFlags>
#include <QtGlobal>

namespace topicscope
{

enum class RecordFlag : quint32 {
    HasKey = 1 << 0,           ///< keyBegin and keySize are meaningful (size 0 = empty key)
    NullValue = 1 << 1,        ///< no value at all: a tombstone
    HasTimestamp = 1 << 2,     ///< the chunk knows its time
    ChecksumVerified = 1 << 3, ///< the stored checksum was recomputed and is equal
    ChecksumMismatch = 1 << 4, ///< the stored checksum was recomputed and differs
    /// Comes with ChecksumMismatch: it differs because one bit of the size field is flipped. The
    /// value shown is the one whose checksum is right.
    SizeDamaged = 1 << 5,
    /// The engine checked the checksum of the batch the record came in; it has none of its own.
    BatchVerified = 1 << 6,
    HasHeaders = 1 << 7,    ///< one header at least
    LogAppendTime = 1 << 8, ///< the timestamp is the broker's, not the producer's
};
Q_DECLARE_FLAGS(RecordFlags, RecordFlag)
Q_DECLARE_OPERATORS_FOR_FLAGS(RecordFlags)

/// Index entry of one record inside a RecordChunk; byte positions count from the chunk's first
/// byte. Its time is kept by the chunk: not every engine has one.
struct Record {
    Offset offset;
    quint32 keyBegin = 0;
    quint32 keySize = 0;
    quint32 valueBegin = 0;
    quint32 valueSize = 0;
    RecordFlags flags;
    quint32 frameBytes = 0; ///< stored size of the whole record, its header included
};
static_assert(sizeof(Record) == 32, "a million of these are held; keep it small");

} // namespace topicscope
