#pragma once

#include "core/kafka/kafkahandle.h"
#include "core/session/groups.h"
#include "core/session/topicinfo.h"

#include <QHash>

namespace topicscope::kafka
{

// Consumer groups by librdkafka's admin requests, which any client can send, a consumer that has no
// group included. They come back as events on a queue of their own, so a cancel needs no thread.
// Thread: any; blocking.

/// Asks every broker; those that do not answer within 10 s are told in GroupList::errors.
Result<GroupList> listGroups(const HandlePtr &handle, const CallContext &context);

/// Asks the group's coordinator, again while it is being moved; then the leaders of the partitions
/// for their ends. See GroupReader::describeGroup().
Result<GroupInfo> describeGroup(const HandlePtr &handle, const QString &id,
                                const CallContext &context);

/// The rows of a group before their ends are known: what it has committed, what its members are
/// assigned, and the other partitions of those topics.
/// @param topics  of each topic: as it is now, or why that is not known
QList<GroupOffset> groupRows(const QList<GroupOffset> &committed, const QList<GroupMember> &members,
                             const QHash<QString, Result<TopicInfo>> &topics);

} // namespace topicscope::kafka
