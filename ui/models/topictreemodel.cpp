#include "ui/models/topictreemodel.h"

#include "ui/models/topictreenode.h"
#include "ui/plaintooltip.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

/// Watermarks come from a broker: nothing about them is believed.
qint64 spanOf(const PartitionInfo &partition)
{
    const bool sane = partition.offsetsKnown && partition.logStartOffset.value >= 0 &&
                      partition.highWatermark >= partition.logStartOffset;
    return sane ? partition.offsetSpan() : 0;
}

qint64 saturatingSum(qint64 a, qint64 b)
{
    return a > std::numeric_limits<qint64>::max() - b ? std::numeric_limits<qint64>::max() : a + b;
}

template <typename Item, typename Less>
std::vector<const Item *> sortedUnique(const QList<Item> &items, Less less)
{
    std::vector<const Item *> sorted;
    sorted.reserve(size_t(items.size()));
    for (const Item &item : items)
        sorted.push_back(&item);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [less](const Item *a, const Item *b) { return less(*a, *b); });
    const auto same = [less](const Item *a, const Item *b) {
        return !less(*a, *b) && !less(*b, *a);
    };
    sorted.erase(std::unique(sorted.begin(), sorted.end(), same), sorted.end());
    return sorted;
}

std::vector<const PartitionInfo *> sortedPartitions(const TopicInfo &info)
{
    return sortedUnique(info.partitions,
                        [](const PartitionInfo &a, const PartitionInfo &b) { return a.id < b.id; });
}

std::vector<const TopicInfo *> sortedTopics(const TopicList &topics)
{
    return sortedUnique(topics,
                        [](const TopicInfo &a, const TopicInfo &b) { return a.name < b.name; });
}

/// What is told now, with the offsets known before where none are told, or why there are none.
PartitionInfo withKnownOffsets(const PartitionInfo &known, PartitionInfo told)
{
    if (!told.offsetsKnown && !told.error && told.leader == known.leader)
        told.error = known.error;
    if (!told.offsetsKnown && known.offsetsKnown) {
        told.logStartOffset = known.logStartOffset;
        told.highWatermark = known.highWatermark;
        told.offsetsKnown = true;
    }
    return told;
}

} // namespace

TopicTreeModel::TopicTreeModel(QObject *parent)
    : QAbstractItemModel(parent)
    , m_root(std::make_unique<Node>())
{
}

TopicTreeModel::~TopicTreeModel() = default;

TopicTreeModel::Node *TopicTreeModel::node(const QModelIndex &index) const
{
    return index.isValid() ? static_cast<Node *>(index.internalPointer()) : m_root.get();
}

TopicTreeModel::Node *TopicTreeModel::connectionNode(ConnectionId id) const
{
    for (const auto &child : m_root->children) {
        if (child->connection == id)
            return child.get();
    }
    return nullptr;
}

TopicTreeModel::Node *TopicTreeModel::topicNode(ConnectionId id, const QString &topic) const
{
    const Node *connection = connectionNode(id);
    if (!connection)
        return nullptr;
    const auto &nodes = connection->children;
    const auto found = std::lower_bound(
        nodes.begin() + qsizetype(connection->fixed), nodes.end(), topic,
        [](const std::unique_ptr<Node> &n, const QString &name) { return n->name < name; });
    return found != nodes.end() && (*found)->name == topic ? found->get() : nullptr;
}

QModelIndex TopicTreeModel::indexOf(const Node *node, int column) const
{
    return node && node->parent ? createIndex(node->row, column, const_cast<Node *>(node))
                                : QModelIndex();
}

void TopicTreeModel::addConnection(ConnectionId id, const SessionConfig &config)
{
    const auto row = int(m_root->children.size());
    beginInsertRows({}, row, row);
    auto added = std::make_unique<Node>();
    added->kind = NodeKind::Connection;
    added->parent = m_root.get();
    added->row = row;
    added->name = config.displayName();
    added->connection = id;
    added->config = config;
    m_root->children.push_back(std::move(added));
    endInsertRows();
}

void TopicTreeModel::removeConnection(ConnectionId id)
{
    const Node *removed = connectionNode(id);
    if (!removed)
        return;
    const int row = removed->row;
    beginRemoveRows({}, row, row);
    auto &nodes = m_root->children;
    nodes.erase(nodes.begin() + row);
    for (auto i = size_t(row); i < nodes.size(); ++i)
        nodes[i]->row = int(i);
    endRemoveRows();
}

void TopicTreeModel::setConnectionState(ConnectionId id, ConnectionState state, const Error &error)
{
    Node *connection = connectionNode(id);
    if (!connection)
        return;
    connection->state = state;
    connection->percentRead.reset();
    connection->error = state == ConnectionState::Lost ? std::optional<Error>(error) : std::nullopt;
    emit dataChanged(indexOf(connection), indexOf(connection, ColumnCount - 1));
}

void TopicTreeModel::setPercentRead(ConnectionId id, int percent)
{
    Node *connection = connectionNode(id);
    if (!connection || connection->percentRead == percent)
        return;
    connection->percentRead = percent;
    emit dataChanged(indexOf(connection), indexOf(connection, ColumnCount - 1));
}

void TopicTreeModel::setTopics(ConnectionId id, const TopicList &topics)
{
    Node *connection = connectionNode(id);
    if (!connection)
        return;
    syncTopics(*connection, sortedTopics(topics));
    if (!std::exchange(connection->listed, true) || topics.isEmpty())
        emit dataChanged(indexOf(connection), indexOf(connection, ColumnCount - 1));
}

void TopicTreeModel::updateTopics(ConnectionId id, const TopicList &topics)
{
    for (const TopicInfo &info : topics) {
        Node *topic = topicNode(id, info.name);
        if (topic && updateTopic(*topic, info))
            emit dataChanged(indexOf(topic), indexOf(topic, ColumnCount - 1));
    }
}

void TopicTreeModel::setOffsetsAsked(ConnectionId id, const QStringList &topics)
{
    for (const QString &name : topics) {
        if (Node *topic = topicNode(id, name))
            topic->wantsOffsets = false;
    }
}

void TopicTreeModel::setCluster(ConnectionId id, const ClusterInfo &cluster)
{
    Node *connection = connectionNode(id);
    if (!connection || (connection->fixed == 0 && cluster.brokers.isEmpty()))
        return;
    if (connection->fixed == 0) {
        auto added = std::make_unique<Node>();
        added->kind = NodeKind::Brokers;
        added->parent = connection;
        added->connection = id;
        beginInsertRows(indexOf(connection), 0, 0);
        auto &nodes = connection->children;
        nodes.insert(nodes.begin(), std::move(added));
        for (size_t i = 0; i < nodes.size(); ++i)
            nodes[i]->row = int(i);
        connection->fixed = 1;
        endInsertRows();
    }
    Node &brokers = *connection->children.front();
    const bool controllerChanged = brokers.cluster.controller != cluster.controller;
    const bool changed = brokers.cluster != cluster;
    brokers.cluster = cluster;
    const auto compare = [](const Node &node, const BrokerInfo &info) {
        return node.broker.id < info.id ? -1 : int(node.broker.id > info.id);
    };
    const auto make = [id](Node &node, const BrokerInfo &info) {
        node.kind = NodeKind::Broker;
        node.connection = id;
        node.name = QString::number(info.id);
        node.broker = info;
    };
    const auto update = [controllerChanged](Node &node, const BrokerInfo &info) {
        return std::exchange(node.broker, info) != info || controllerChanged;
    };
    sync(brokers,
         sortedUnique(cluster.brokers,
                      [](const BrokerInfo &a, const BrokerInfo &b) { return a.id < b.id; }),
         compare, make, update);
    if (changed)
        emit dataChanged(indexOf(&brokers), indexOf(&brokers, ColumnCount - 1));
}

/// Makes the children of `parent`, but the fixed ones, match `items`; both are sorted. Runs of new
/// rows are inserted at once, changed rows are reported in one range.
/// @param compare  (node, item) -> <0, 0, >0
/// @param make     (node, item): fills a new node before it is shown
/// @param update   (node, item) -> did anything the row shows change?
template <typename Item, typename Compare, typename Make, typename Update>
void TopicTreeModel::sync(Node &parent, const std::vector<const Item *> &items, Compare compare,
                          Make make, Update update)
{
    auto &nodes = parent.children;
    const QModelIndex parentIndex = indexOf(&parent);
    const auto renumber = [&nodes](size_t from) {
        for (size_t i = from; i < nodes.size(); ++i)
            nodes[i]->row = int(i);
    };
    const auto removeWhile = [&](size_t from, auto wanted) {
        size_t end = from;
        while (end < nodes.size() && wanted(*nodes[end]))
            ++end;
        if (end == from)
            return;
        beginRemoveRows(parentIndex, int(from), int(end) - 1);
        nodes.erase(nodes.begin() + qsizetype(from), nodes.begin() + qsizetype(end));
        renumber(from);
        endRemoveRows();
    };

    int firstChanged = -1;
    int lastChanged = -1;
    size_t at = parent.fixed;
    for (size_t next = 0; next < items.size();) {
        removeWhile(at, [&](const Node &old) { return compare(old, *items[next]) < 0; });
        if (at < nodes.size() && compare(*nodes[at], *items[next]) == 0) {
            if (update(*nodes[at], *items[next])) {
                firstChanged = firstChanged < 0 ? int(at) : firstChanged;
                lastChanged = int(at);
            }
            ++at;
            ++next;
            continue;
        }
        Nodes run;
        for (; next < items.size() && (at == nodes.size() || compare(*nodes[at], *items[next]) > 0);
             ++next) {
            run.push_back(std::make_unique<Node>());
            run.back()->parent = &parent;
            make(*run.back(), *items[next]);
        }
        const size_t count = run.size();
        beginInsertRows(parentIndex, int(at), int(at + count) - 1);
        nodes.insert(nodes.begin() + qsizetype(at), std::make_move_iterator(run.begin()),
                     std::make_move_iterator(run.end()));
        renumber(at);
        endInsertRows();
        at += count;
    }
    removeWhile(at, [](const Node &) { return true; });
    if (firstChanged >= 0) {
        emit dataChanged(index(firstChanged, 0, parentIndex),
                         index(lastChanged, ColumnCount - 1, parentIndex));
    }
}

void TopicTreeModel::makePartition(Node &topic, Node &node, const PartitionInfo &info)
{
    node.kind = NodeKind::Partition;
    node.parent = &topic;
    node.name = QString::number(info.id.value);
    node.connection = topic.connection;
    node.partition = info;
    node.error = info.error;
    node.span = spanOf(info);
}

/// Sums up the partitions. Returns whether the largest, and with it the bars of all, changed.
bool TopicTreeModel::updateTotals(Node &topic)
{
    const qint64 before = topic.largestSpan;
    topic.span = 0;
    topic.largestSpan = 0;
    topic.leaderless = 0;
    topic.outOfSync = 0;
    topic.offsetsKnown = true;
    topic.readable = topic.children.empty();
    for (const auto &child : topic.children) {
        topic.span = saturatingSum(topic.span, child->span);
        topic.largestSpan = std::max(topic.largestSpan, child->span);
        const PartitionHealth health = healthOf(child->partition);
        topic.leaderless += int(health == PartitionHealth::Leaderless);
        topic.outOfSync += int(health == PartitionHealth::OutOfSync);
        topic.offsetsKnown &= child->partition.offsetsKnown || child->error.has_value();
        topic.readable |= !child->error.has_value();
    }
    return topic.largestSpan != before;
}

void TopicTreeModel::syncTopics(Node &connection, const std::vector<const TopicInfo *> &topics)
{
    const auto compare = [](const Node &node, const TopicInfo &info) {
        return node.name.compare(info.name);
    };
    const auto make = [](Node &node, const TopicInfo &info) {
        node.kind = NodeKind::Topic;
        node.name = info.name;
        node.connection = node.parent->connection;
        node.error = info.error;
        node.internal = info.internal;
        node.wantsOffsets = lacksOffsets(info);
        // Not shown yet, so its partitions are filled in without telling anybody.
        for (const PartitionInfo *partition : sortedPartitions(info)) {
            node.children.push_back(std::make_unique<Node>());
            makePartition(node, *node.children.back(), *partition);
            node.children.back()->row = int(node.children.size()) - 1;
        }
        updateTotals(node);
    };
    const auto update = [this](Node &node, const TopicInfo &info) {
        return updateTopic(node, info);
    };
    sync(connection, topics, compare, make, update);
}

/// Returns whether anything the topic's own row shows, or wants, changed.
bool TopicTreeModel::updateTopic(Node &topic, const TopicInfo &info)
{
    const bool errorChanged = topic.error.has_value() || info.error.has_value();
    topic.error = info.error;
    topic.internal = info.internal;
    const bool wanted = std::exchange(topic.wantsOffsets, lacksOffsets(info));
    return syncPartitions(topic, info) || errorChanged || wanted != topic.wantsOffsets;
}

/// Returns whether anything the topic's own row shows changed.
bool TopicTreeModel::syncPartitions(Node &topic, const TopicInfo &info)
{
    const auto shown = [](const Node &node) {
        return std::tuple(node.span, node.children.size(), node.leaderless, node.outOfSync,
                          node.offsetsKnown, node.readable);
    };
    const auto before = shown(topic);
    const auto compare = [](const Node &node, const PartitionInfo &partition) {
        return node.partition.id < partition.id ? -1 : int(node.partition.id > partition.id);
    };
    const auto make = [&topic](Node &node, const PartitionInfo &partition) {
        makePartition(topic, node, partition);
    };
    const auto update = [](Node &node, const PartitionInfo &told) {
        const PartitionInfo partition = withKnownOffsets(node.partition, told);
        const bool changed = !(node.partition == partition) || partition.error.has_value();
        node.partition = partition;
        node.error = partition.error;
        node.span = spanOf(partition);
        return changed;
    };
    sync(topic, sortedPartitions(info), compare, make, update);
    if (updateTotals(topic) && !topic.children.empty()) {
        emit dataChanged(indexOf(topic.children.front().get(), RecordsColumn),
                         indexOf(topic.children.back().get(), RecordsColumn));
    }
    return shown(topic) != before;
}

std::optional<ConnectionId> TopicTreeModel::connectionOf(const QModelIndex &index) const
{
    if (!index.isValid())
        return std::nullopt;
    return node(index)->connection;
}

std::optional<PartitionId> TopicTreeModel::partitionOf(const QModelIndex &index) const
{
    const Node *n = node(index);
    if (n == m_root.get() || n->kind != NodeKind::Partition)
        return std::nullopt;
    return n->partition.id;
}

std::optional<TopicInfo> TopicTreeModel::topicOf(const QModelIndex &index) const
{
    const Node *n = node(index);
    if (n == m_root.get() || (n->kind != NodeKind::Topic && n->kind != NodeKind::Partition))
        return std::nullopt;
    return topicInfo(n->kind == NodeKind::Partition ? *n->parent : *n);
}

TopicInfo TopicTreeModel::topicInfo(const Node &node)
{
    TopicInfo info{node.name, {}, node.error, node.internal};
    info.partitions.reserve(qsizetype(node.children.size()));
    for (const auto &child : node.children)
        info.partitions.append(child->partition);
    return info;
}

QModelIndex TopicTreeModel::connectionIndex(ConnectionId id) const
{
    return indexOf(connectionNode(id));
}

QModelIndex TopicTreeModel::firstTopicIndex(ConnectionId id) const
{
    if (const Node *connection = connectionNode(id)) {
        for (size_t i = connection->fixed; i < connection->children.size(); ++i) {
            if (!connection->children[i]->internal)
                return indexOf(connection->children[i].get());
        }
    }
    return {};
}

QModelIndex TopicTreeModel::topicIndex(ConnectionId id, const QString &topic) const
{
    return indexOf(topicNode(id, topic));
}

QModelIndex TopicTreeModel::partitionIndex(ConnectionId id, const TopicPartition &partition) const
{
    if (const Node *topic = topicNode(id, partition.topic)) {
        for (const auto &child : topic->children) {
            if (child->partition.id == partition.partition)
                return indexOf(child.get());
        }
    }
    return {};
}

TopicList TopicTreeModel::topics(ConnectionId id) const
{
    TopicList list;
    if (const Node *connection = connectionNode(id)) {
        for (size_t i = connection->fixed; i < connection->children.size(); ++i)
            list.append(topicInfo(*connection->children[i]));
    }
    return list;
}

QModelIndex TopicTreeModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, node(parent)->children[size_t(row)].get());
}

QModelIndex TopicTreeModel::parent(const QModelIndex &index) const
{
    return index.isValid() ? indexOf(node(index)->parent) : QModelIndex();
}

int TopicTreeModel::rowCount(const QModelIndex &parent) const
{
    return parent.column() > 0 ? 0 : int(node(parent)->children.size());
}

int TopicTreeModel::columnCount(const QModelIndex &) const
{
    return ColumnCount;
}

QVariant TopicTreeModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Node &n = *node(index);
    switch (role) {
    case Qt::DisplayRole:
        return displayText(n, index.column());
    case Qt::ToolTipRole:
        return plainToolTip(toolTip(n, index.column()));
    case Qt::AccessibleTextRole:
        return accessibleText(n, index.column());
    case Qt::TextAlignmentRole:
        return index.column() == NameColumn ? int(Qt::AlignLeft | Qt::AlignVCenter)
                                            : int(Qt::AlignRight | Qt::AlignVCenter);
    case NodeKindRole:
        return QVariant::fromValue(n.kind);
    case NodeStateRole:
        return QVariant::fromValue(state(n));
    case SortRole:
        return sortKey(n, index.column());
    case BarRole:
        if (n.kind != NodeKind::Partition || index.column() != RecordsColumn || n.error ||
            !n.partition.offsetsKnown)
            return {};
        return n.parent->largestSpan > 0 ? double(n.span) / double(n.parent->largestSpan) : 0.0;
    case NoteRole:
        return note(n);
    case CountRole:
        return n.kind == NodeKind::Topic || n.kind == NodeKind::Brokers
                   ? QVariant(int(n.children.size()))
                   : QVariant();
    case AddressRole:
        return n.kind == NodeKind::Broker ? u"%1:%2"_s.arg(n.broker.host).arg(n.broker.port)
                                          : QString();
    case InternalRole:
        return n.internal || n.parent->internal;
    case WantsOffsetsRole:
        return n.wantsOffsets;
    default:
        return {};
    }
}

} // namespace topicscope::ui
