#pragma once

#include "core/kafka/kafkasession.h"
#include "tests/core/kafka/readall.h"
#include "tests/support/kafkatest.h"

#include <memory>

// What the tests of the session against a real Kafka share.

namespace topicscope::test
{

inline FetchRequest fetchFrom(const QString &topic, int partition, qint64 offset)
{
    FetchRequest request;
    request.partition = {topic, PartitionId{partition}};
    request.offset = Offset{offset};
    return request;
}

/// Of offsets without records.
inline OffsetGap gap(qint64 first, qint64 end, OffsetGap::Kind kind = OffsetGap::Kind::NoRecords)
{
    return {Offset{first}, Offset{end}, kind, {}};
}

/// By the cluster's first door, as `admin` where one has to log in.
inline SessionConfig configFor(const KafkaCluster &cluster)
{
    SessionConfig config;
    config.engine = Engine::Kafka;
    config.properties = cluster.clientProperties();
    return config;
}

} // namespace topicscope::test
