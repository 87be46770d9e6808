#pragma once

#include "core/kafka/kafkahandle.h"
#include "core/session/clusterinfo.h"
#include "core/session/topicinfo.h"

namespace topicscope::kafka
{

/// A cluster's brokers and topics, from one answer.
struct Listing {
    ClusterInfo cluster;
    TopicList topics; ///< with leaders and replicas, by name; no offsets yet
};

/// All topics. Those and partitions with an error of their own are there, with it.
/// Thread: any; blocking.
Result<Listing> listTopics(const HandlePtr &handle, const CallContext &context);

/// Asks for the brokers; the answer lists all topics, too, so that none can be created by it.
Result<ClusterInfo> describeCluster(const HandlePtr &handle, const CallContext &context);

/// These topics as they are now, by name, without offsets; those that are not there are left out.
/// One that got no answer while others did has an error.
Result<TopicList> describeTopics(const HandlePtr &handle, const QStringList &names,
                                 const CallContext &context);

/// One topic as it is now. Also spares the first fetch or publish a wait of up to a second.
/// @error Broker (UNKNOWN_TOPIC_OR_PART, TOPIC_AUTHORIZATION_FAILED, ...).
Result<TopicInfo> describeTopic(const HandlePtr &handle, const QString &topic,
                                const CallContext &context);

} // namespace topicscope::kafka
