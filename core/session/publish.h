#pragma once

#include "core/base/ids.h"
#include "core/hash/partitioner.h"
#include "core/records/headers.h"
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
    HeaderList headers;                ///< none where the engine has no headers
    std::optional<qint64> timestampMs; ///< ms since the epoch; nullopt: the moment of sending
    AckPolicy ack = AckPolicy::Written;
    Compression compression = Compression::None;
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
    std::optional<qint64> timestampMs;  ///< as stored, where the engine says so
    Offset endOffsetBefore;             ///< high watermark just before sending
};

} // namespace topicscope
