#pragma once

#include "core/kafka/kafkahandle.h"
#include "core/session/clusterinfo.h"
#include "core/session/groups.h"
#include "core/session/topicinfo.h"

#include <QHash>

#include <vector>

namespace topicscope::kafka
{

// ListOffsets' special times. Source: Kafka protocol, ListOffsets request.
inline constexpr qint64 kLatest = -1;
inline constexpr qint64 kEarliest = -2;

/// What ListOffsets answered, per partition.
using OffsetAnswers = QHash<TopicPartition, Result<qint64>>;

/// The first offset at or after `time` (ms, kLatest or kEarliest), one request a leader; -1: no
/// record is that young. A partition that cannot answer has an error of its own, and so have all of
/// a leader that does not within five seconds. @error Network, Timeout, ...: nobody answered.
Result<OffsetAnswers> offsetsFor(const HandlePtr &handle,
                                 const std::vector<TopicPartition> &partitions, qint64 time,
                                 const CallContext &context);

/// See BrokerSession::offsetsAtTime().
Result<QList<TimeOffset>> offsetsAtTime(const HandlePtr &handle,
                                        const QList<TopicPartition> &partitions, qint64 timeMs,
                                        const CallContext &context);

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
Result<TopicList> describeTopics(const HandlePtr &handle, const QStringList &names,
                                 const CallContext &context);

/// One topic as it is now. Also spares the first fetch or publish a wait of up to a second.
/// @error Broker (UNKNOWN_TOPIC_OR_PART, TOPIC_AUTHORIZATION_FAILED, ...).
Result<TopicInfo> describeTopic(const HandlePtr &handle, const QString &topic,
                                const CallContext &context);

/// Looks up log start offset and high watermark (the last stable offset on a read-committed
/// handle) of all partitions that have a leader, one request a leader and thousand partitions. One
/// that cannot answer gets an error of its own, and so do all of a leader that does not within
/// five seconds. @error Network, Timeout, ...: no leader answered.
Result<void> addOffsets(const HandlePtr &handle, TopicList &topics, const CallContext &context);

/// Looks up the last stable offsets of all partitions with offsets; where there is no answer, they
/// stay unknown. @param committed  a read-committed handle
void addLastStableOffsets(const HandlePtr &committed, TopicList &topics,
                          const CallContext &context);

/// Where reading this partition ends now: its high watermark, or its last stable offset on a
/// read-committed handle.
Result<Offset> endOffset(const HandlePtr &handle, const TopicPartition &partition,
                         const CallContext &context);

} // namespace topicscope::kafka
