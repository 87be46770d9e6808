#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/segments/posixfile.h"

#include <QString>

#include <functional>
#include <optional>

namespace topicscope
{

// A segment file holds stored records (core/records/recordcodec.h) back to back from byte 0: no
// header, no padding between records, no footer. It ends at the end of the file, or, when the file
// was sized beforehand, at the first size field that is zero. Source: booblik's segment format.

/// Positions in a segment are held in 32 bits; the broker's own limit is below.
inline constexpr qint64 kMaxSegmentBytes = 2'147'483'647;

/// "00000000000000000042.log". ASCII digits in every locale.
QString segmentFileName(Offset base);

/// What a name in a partition directory is.
enum class SegmentNameKind {
    Other,     ///< not a segment, to be ignored
    Segment,   ///< 20 ASCII digits and ".log"
    Malformed, ///< 24 characters ending in ".log", but not a number a broker of today writes
};
struct SegmentName {
    SegmentNameKind kind = SegmentNameKind::Other;
    Offset base; ///< kind Segment
};
SegmentName parseSegmentFileName(const QString &name);

/// Why a walk ended.
enum class SegmentStop {
    EndOfFile,        ///< exactly behind a record, or the file is empty
    ZeroSize,         ///< a size field of zero: the end of a file that was sized beforehand
    CutHeader,        ///< 1..7 bytes are left
    NegativeSize,     ///< no writer produces it
    BeyondEnd,        ///< the record would pass the end of the file
    ChecksumMismatch, ///< a whole record whose checksum is wrong
};

struct SegmentWalk {
    qint64 recordCount = 0; ///< whole, verified records from the beginning
    qint64 endPosition = 0; ///< where they end
    qint64 fileBytes = 0;
    SegmentStop stop = SegmentStop::EndOfFile;
    qint32 stopSize = 0;             ///< the size field at endPosition, where there is one
    std::optional<quint32> stored;   ///< ChecksumMismatch
    std::optional<quint32> computed; ///< ChecksumMismatch
};

/// Called for each verified record: its number in the file, its position, the bytes of its body.
using RecordVisitor = std::function<void(qint64 number, qint64 position, qint32 bodyBytes)>;

/// Verifies records from the beginning until one is not whole and right. The limit is the file's
/// length. Memory is one fixed buffer whatever a size field says.
/// @error Io, also for a file above kMaxSegmentBytes.
/// Thread: any.
Result<SegmentWalk> walkSegment(const PosixFile &file, const RecordVisitor &visit = {});

/// Position behind the last byte that is not zero, at or behind `from`; `from` when all are zero.
/// @error Io
Result<qint64> endOfNonZero(const PosixFile &file, qint64 from, qint64 fileBytes);

} // namespace topicscope
