// What the rows of TopicTreeModel say.

#include "core/base/digits.h"
#include "ui/errortext.h"
#include "ui/models/topictreenode.h"

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

bool isNameless(const SessionConfig &config)
{
    return config.displayName() == config.endpoint();
}

QString joined(const QList<qint32> &ids)
{
    QStringList texts;
    for (const qint32 id : ids)
        texts.append(QString::number(id));
    return texts.join(u", "_s);
}

QString replicaWords(const PartitionInfo &partition)
{
    if (!partition.leader)
        return {};
    const QString all =
        TopicTreeModel::tr("Replicas on brokers %1").arg(joined(partition.replicas));
    const QString missing = joined(outOfSyncReplicas(partition));
    switch (healthOf(partition)) {
    case PartitionHealth::Ok:
        return TopicTreeModel::tr("Broker %1 leads. %2, all in sync.")
            .arg(*partition.leader)
            .arg(all);
    case PartitionHealth::LeaderNotPreferred:
        return TopicTreeModel::tr(
                   "Broker %1 leads, though broker %2 is the preferred one. %3, all in "
                   "sync.")
            .arg(*partition.leader)
            .arg(partition.replicas.constFirst())
            .arg(all);
    case PartitionHealth::OutOfSync:
        return TopicTreeModel::tr("Broker %1 leads. %2; not in sync: %3.")
            .arg(QString::number(*partition.leader), all, missing);
    case PartitionHealth::Leaderless:
        return TopicTreeModel::tr(
                   "No broker leads: nothing can be read or published until one of the "
                   "replicas is back. %1; not in sync: %2.")
            .arg(all, missing.isEmpty() ? TopicTreeModel::tr("none") : missing);
    }
    return {};
}

QString topicMarks(int leaderless, int outOfSync)
{
    QStringList marks;
    if (leaderless > 0)
        marks += TopicTreeModel::tr("%1 leaderless").arg(leaderless);
    if (outOfSync > 0)
        marks += TopicTreeModel::tr("%1 out of sync").arg(outOfSync);
    return marks.join(u" · "_s);
}

} // namespace

QVariant TopicTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section == NameColumn ? int(Qt::AlignLeft | Qt::AlignVCenter)
                                     : int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const bool isTip = role == Qt::ToolTipRole;
    switch (section) {
    case NameColumn:
        return isTip ? tr("Connections, their topics and partitions") : tr("Topic");
    case RecordsColumn:
        return isTip ? tr("Offsets from the log start offset up to the high watermark; the bar is "
                          "relative to the topic's largest partition")
                     : tr("Records");
    case LogStartColumn:
        return isTip ? tr("Log start offset: the oldest record still kept") : tr("Log\nstart");
    case HighWatermarkColumn:
        return isTip ? tr("High watermark: the offset the next record gets")
                     : tr("High\nwatermark");
    case ReplicasColumn:
        return isTip ? tr("The broker that leads a partition, and how many of its replicas are in "
                          "sync")
                     : tr("Leader,\nin sync");
    default:
        return {};
    }
}

QString TopicTreeModel::displayText(const Node &node, int column)
{
    if (column == NameColumn) {
        if (node.kind == NodeKind::Brokers)
            return tr("Brokers");
        // Without a name of its own: the host here, the port in the note.
        const bool isAddress = node.kind == NodeKind::Connection && isNameless(node.config);
        return isAddress ? node.config.host : node.name;
    }
    if ((node.kind != NodeKind::Topic && node.kind != NodeKind::Partition) || node.error)
        return {};
    const bool isTopic = node.kind == NodeKind::Topic;
    if (column == ReplicasColumn) {
        if (isTopic)
            return {};
        const PartitionInfo &partition = node.partition;
        return partition.leader
                   ? u"%1 · %2/%3"_s.arg(*partition.leader)
                         .arg(partition.replicas.size() - outOfSyncReplicas(partition).size())
                         .arg(partition.replicas.size())
                   : QString();
    }
    const bool known = isTopic ? node.offsetsKnown : node.partition.offsetsKnown;
    if (column == RecordsColumn && isTopic && !node.readable)
        return {};
    if (column == RecordsColumn)
        return known ? groupedDigits(node.span) : u"…"_s;
    if (isTopic || !known)
        return {};
    return groupedDigits(column == LogStartColumn ? node.partition.logStartOffset.value
                                                  : node.partition.highWatermark.value);
}

QString TopicTreeModel::accessibleText(const Node &node, int column)
{
    if (column == NameColumn && node.kind == NodeKind::Partition)
        return tr("%1, partition %2").arg(node.parent->name, node.name);
    if (column == NameColumn && node.kind == NodeKind::Broker)
        return tr("Broker %1").arg(node.name);
    if (column == ReplicasColumn && node.kind == NodeKind::Partition)
        return replicaWords(node.partition);
    return displayText(node, column);
}

QVariant TopicTreeModel::sortKey(const Node &node, int column)
{
    if (node.kind == NodeKind::Connection)
        return qint64(node.row); // in the order they were opened, whatever is sorted by
    if (node.kind == NodeKind::Brokers || node.kind == NodeKind::Broker)
        return qint64(node.broker.id);
    const bool isPartition = node.kind == NodeKind::Partition;
    switch (column) {
    case RecordsColumn:
        return (isPartition ? node.partition.offsetsKnown : node.offsetsKnown) ? node.span : -1;
    case LogStartColumn:
        return isPartition ? node.partition.logStartOffset.value : qint64(node.row);
    case HighWatermarkColumn:
        return isPartition ? node.partition.highWatermark.value : qint64(node.row);
    case ReplicasColumn: // what needs looking after together
        return isPartition ? qint64(healthOf(node.partition))
                           : (qint64(node.leaderless) << 32) + node.outOfSync;
    default:
        return isPartition ? QVariant(qint64(node.partition.id.value)) : QVariant(node.name);
    }
}

TopicTreeModel::NodeState TopicTreeModel::state(const Node &node)
{
    if (node.error)
        return NodeState::Failed;
    switch (node.kind) {
    case NodeKind::Connection:
        if (node.state != ConnectionState::Connected)
            return NodeState::Connecting;
        return node.config.readOnly ? NodeState::ReadOnly : NodeState::Ok;
    case NodeKind::Topic:
        return node.leaderless + node.outOfSync > 0 ? NodeState::Degraded : NodeState::Ok;
    case NodeKind::Partition:
        return healthOf(node.partition) >= PartitionHealth::OutOfSync ? NodeState::Degraded
                                                                      : NodeState::Ok;
    case NodeKind::Brokers:
    case NodeKind::Broker:
        break;
    }
    return NodeState::Ok;
}

QString TopicTreeModel::note(const Node &node)
{
    switch (node.kind) {
    case NodeKind::Connection: {
        if (node.state == ConnectionState::Connecting)
            return node.percentRead ? tr("reading: %1 %").arg(*node.percentRead)
                                    : tr("connecting…");
        if (node.state == ConnectionState::Lost)
            return tr("lost: %1").arg(node.error ? errorText(*node.error).title : QString());
        const QString address =
            isNameless(node.config) ? tr("port %1").arg(node.config.port) : node.config.endpoint();
        const bool empty = node.listed && node.children.size() == node.fixed;
        return empty ? tr("no topics · %1").arg(address) : address;
    }
    case NodeKind::Broker: {
        const QString address = u"%1:%2"_s.arg(node.broker.host).arg(node.broker.port);
        return node.parent->cluster.controller == node.broker.id
                   ? tr("%1 · controller").arg(address)
                   : address;
    }
    case NodeKind::Partition:
        if (healthOf(node.partition) == PartitionHealth::Leaderless)
            return tr("no leader · in sync: %1")
                .arg(node.partition.inSyncReplicas.isEmpty()
                         ? tr("none")
                         : joined(node.partition.inSyncReplicas));
        break;
    case NodeKind::Topic:
        if (!node.error)
            return topicMarks(node.leaderless, node.outOfSync);
        break;
    case NodeKind::Brokers:
        break;
    }
    return node.error ? errorText(*node.error).title : QString();
}

QString TopicTreeModel::toolTip(const Node &node, int column)
{
    const QString replicas =
        node.kind == NodeKind::Partition ? replicaWords(node.partition) : QString();
    if (healthOf(node.partition) == PartitionHealth::Leaderless)
        return tr("%1, partition %2").arg(node.parent->name, node.name) + u'\n' + replicas;
    if (node.error)
        return errorText(*node.error).full();
    switch (node.kind) {
    case NodeKind::Connection: {
        QString text = node.config.readOnly
                           ? tr("%1 at %2, read-only").arg(node.name, node.config.endpoint())
                           : tr("%1 at %2").arg(node.name, node.config.endpoint());
        if (!node.listed || node.children.size() > node.fixed)
            return text;
        return text + u'\n' +
               (node.fixed == 0
                    ? tr("The broker has no topics.")
                    : tr("The cluster lists no topics: there are none, or this login may "
                         "not see any."));
    }
    case NodeKind::Brokers:
        return node.cluster.id.isEmpty()
                   ? tr("Brokers that are alive")
                   : tr("Brokers of cluster %1 that are alive").arg(node.cluster.id);
    case NodeKind::Broker: {
        const QString text =
            tr("Broker %1 at %2:%3").arg(node.name, node.broker.host).arg(node.broker.port);
        return node.parent->cluster.controller == node.broker.id
                   ? text + u'\n' +
                         tr("Named as controller, which takes administrative requests. A cluster "
                            "without ZooKeeper names any of its brokers, another one each time.")
                   : text;
    }
    case NodeKind::Topic: {
        if (column != NameColumn && column != ReplicasColumn)
            return {};
        QStringList lines{
            tr("%1: %n partition(s)", nullptr, int(node.children.size())).arg(node.name)};
        if (node.internal)
            lines += tr("Internal: the broker keeps it for itself.");
        if (node.leaderless > 0)
            lines += tr("Without a leader: %1").arg(node.leaderless);
        if (node.outOfSync > 0)
            lines += tr("With replicas out of sync: %1").arg(node.outOfSync);
        return lines.join(u'\n');
    }
    case NodeKind::Partition:
        break;
    }
    const QString name = tr("%1, partition %2").arg(node.parent->name, node.name);
    const QString offsets = node.partition.offsetsKnown
                                ? tr("%1: offsets %2 up to %3, without the last")
                                      .arg(name, groupedDigits(node.partition.logStartOffset.value),
                                           groupedDigits(node.partition.highWatermark.value))
                                : name;
    return replicas.isEmpty() ? offsets : offsets + u'\n' + replicas;
}

} // namespace topicscope::ui
