#pragma once

#include "core/base/result.h"
#include "core/segments/posixfile.h"
#include "core/segments/segmentfile.h"

#include <QString>

namespace topicscope
{

/// What removeTail() did.
struct RemovedTail {
    qint64 bytes = 0;  ///< 0 = there was nothing to remove
    QString savedPath; ///< where the removed bytes are now
};

/// Makes a segment that is going to be written end where its verified records end. Without this,
/// old bytes behind the end can join up with new records and come back as records.
///
/// Whatever is not zero behind the end is first copied to a new file in `saveDirectory` (created
/// when needed) and synced, then the file is cut. A tail of zeroes is what a file sized beforehand
/// has: it stays, and nothing is touched. The file keeps its modification time.
/// @error Io; then nothing was removed.
Result<RemovedTail> removeTail(PosixFile &file, const SegmentWalk &walk,
                               const QString &saveDirectory);

} // namespace topicscope
