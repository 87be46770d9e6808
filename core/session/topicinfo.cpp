#include "core/session/topicinfo.h"

#include <algorithm>

namespace topicscope
{

PartitionHealth healthOf(const PartitionInfo &partition)
{
    if (partition.leader == -1)
        return PartitionHealth::Leaderless;
    if (!outOfSyncReplicas(partition).isEmpty())
        return PartitionHealth::OutOfSync;
    if (partition.leader && !partition.replicas.isEmpty() &&
        partition.replicas.constFirst() != *partition.leader)
        return PartitionHealth::LeaderNotPreferred;
    return PartitionHealth::Ok;
}

QList<qint32> outOfSyncReplicas(const PartitionInfo &partition)
{
    QList<qint32> missing;
    for (const qint32 replica : partition.replicas) {
        if (!partition.inSyncReplicas.contains(replica))
            missing.append(replica);
    }
    return missing;
}

bool lacksOffsets(const TopicInfo &topic)
{
    return std::ranges::any_of(topic.partitions, [](const PartitionInfo &partition) {
        return !partition.offsetsKnown && !partition.error;
    });
}

} // namespace topicscope
