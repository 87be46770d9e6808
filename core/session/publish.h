#pragma once

#include "core/base/ids.h"
#include "core/hash/partitioner.h"
#include "core/session/capabilities.h"

#include <QByteArray>

#include <optional>

namespace topicscope
{

/// One record to publish. Null and empty are different: nullopt is null, an empty array is empty.
struct PublishRequest {
    QString topic;
    std::optional<PartitionId> partition; ///< by hand; otherwise the key chooses
    std::optional<QByteArray> key;        ///< nullopt: no key, the partitions in turn
    std::optional<QByteArray> value;
    AckPolicy ack = AckPolicy::Written;
    PartitionAlgorithm partitioner = PartitionAlgorithm::BooblikFnv1a;
    /// Partition count the user was shown; when the broker has another one now, nothing is sent and
    /// the result is PartitionsChanged. nullopt: not checked.
    std::optional<qint32> expectedPartitionCount;
};

struct PublishResult {
    TopicPartition partition;
    AckPolicy ack = AckPolicy::Written;
    std::optional<Offset> offset;       ///< nullopt for ack none: sent, not confirmed
    std::optional<Offset> logEndOffset; ///< nullopt for ack none
    Offset endOffsetBefore;             ///< high watermark just before sending
};

} // namespace topicscope
