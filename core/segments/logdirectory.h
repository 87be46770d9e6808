#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"

#include <QList>
#include <QString>

namespace topicscope
{

// A data directory has one sub-directory "<topic>-<partition>" for each partition, with its segment
// files. Everything else in either is not ours and is left alone.

/// "orders-1": the directory of a partition.
QString partitionDirectoryName(const TopicPartition &partition);

struct SegmentEntry {
    Offset base;
    QString path;
};

/// The segment files of one partition directory, ascending by base offset.
/// @error Io when the directory cannot be read, or holds a name that looks like a segment and is
/// none (digits of another script, say): going on without it would lose its records silently.
Result<QList<SegmentEntry>> listSegments(const QString &directory);

} // namespace topicscope
