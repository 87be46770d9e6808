#pragma once

#include "core/base/result.h"
#include "core/session/topicinfo.h"

#include <QStringList>

namespace topicscope::cli
{

/// One partition to read and what it held when we asked.
struct Target {
    TopicPartition partition;
    Offset logStart;
    Offset end;   ///< the high watermark
    Offset begin; ///< where reading begins; the log start unless said otherwise
};

/// The partitions meant by "TOPIC" (all of it) and "TOPIC/PARTITION", in the order given, each
/// once. Looked up in what the broker has, so a typo asks it for nothing more.
/// @error InvalidArgument: the topic or partition is not there; or the broker's own error for it.
Result<QList<Target>> findTargets(const TopicList &topics, const QStringList &names);

/// The same partitions, whether they can be read or not. @error InvalidArgument; the topic's own.
Result<QList<TopicPartition>> findPartitions(const TopicList &topics, const QStringList &names);

/// "TOPIC/PARTITION", as it is typed.
QString nameOf(const TopicPartition &partition);

/// The topics of such names, each once.
QStringList topicsOf(const QStringList &names);

Error noSuchTopic(const QString &name);

} // namespace topicscope::cli
