#pragma once

#include "core/kafka/kafkahandle.h"
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
