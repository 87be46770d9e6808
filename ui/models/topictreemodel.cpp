#include "ui/models/topictreemodel.h"

#include "core/base/digits.h"
#include "ui/errortext.h"
#include "ui/plaintooltip.h"

#include <algorithm>
#include <limits>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

/// One row. Offsets and span: of the partition; for a topic, `span` is the sum of its partitions
/// and `largestSpan` that of the largest.
struct TopicTreeModel::Node {
    NodeKind kind = NodeKind::Connection;
    Node *parent = nullptr;
    int row = 0;
    Nodes children;
    QString name;
    std::optional<Error> error;

    ConnectionId connection{};
    SessionConfig config;
    ConnectionState state = ConnectionState::Connecting;

    PartitionInfo partition;
    qint64 span = 0;
    qint64 largestSpan = 0;
};

namespace
{

/// Watermarks come from a broker: nothing about them is believed.
qint64 spanOf(const PartitionInfo &partition)
{
    const bool sane =
        partition.logStartOffset.value >= 0 && partition.highWatermark >= partition.logStartOffset;
    return sane ? partition.offsetSpan() : 0;
}

qint64 saturatingSum(qint64 a, qint64 b)
{
    return a > std::numeric_limits<qint64>::max() - b ? std::numeric_limits<qint64>::max() : a + b;
}

bool isNameless(const SessionConfig &config)
{
    return config.displayName() == config.endpoint();
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
        nodes.begin(), nodes.end(), topic,
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
    connection->error = state == ConnectionState::Lost ? std::optional<Error>(error) : std::nullopt;
    emit dataChanged(indexOf(connection), indexOf(connection, ColumnCount - 1));
}

void TopicTreeModel::setTopics(ConnectionId id, const TopicList &topics)
{
    if (Node *connection = connectionNode(id)) {
        syncTopics(*connection, sortedUnique(topics, [](const TopicInfo &a, const TopicInfo &b) {
            return a.name < b.name;
        }));
    }
}

/// Makes the children of `parent` match `items`; both are sorted. Runs of new rows are inserted at
/// once, changed rows are reported in one range.
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
    size_t at = 0;
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

/// Returns whether the largest partition, and with it the bars of all, changed.
bool TopicTreeModel::updateTotals(Node &topic)
{
    const qint64 before = topic.largestSpan;
    topic.span = 0;
    topic.largestSpan = 0;
    for (const auto &child : topic.children) {
        topic.span = saturatingSum(topic.span, child->span);
        topic.largestSpan = std::max(topic.largestSpan, child->span);
    }
    return topic.largestSpan != before;
}

void TopicTreeModel::syncTopics(Node &connection, const std::vector<const TopicInfo *> &topics)
{
    const auto compare = [](const Node &node, const TopicInfo &info) {
        return node.name.compare(info.name);
    };
    const auto make = [this](Node &node, const TopicInfo &info) {
        node.kind = NodeKind::Topic;
        node.name = info.name;
        node.connection = node.parent->connection;
        node.error = info.error;
        // Not shown yet, so its partitions are filled in without telling anybody.
        for (const PartitionInfo *partition : sortedPartitions(info)) {
            node.children.push_back(std::make_unique<Node>());
            makePartition(node, *node.children.back(), *partition);
            node.children.back()->row = int(node.children.size()) - 1;
        }
        updateTotals(node);
    };
    const auto update = [this](Node &node, const TopicInfo &info) {
        const bool errorChanged = node.error.has_value() || info.error.has_value();
        node.error = info.error;
        return syncPartitions(node, info) || errorChanged;
    };
    sync(connection, topics, compare, make, update);
}

/// Returns whether anything the topic's own row shows changed.
bool TopicTreeModel::syncPartitions(Node &topic, const TopicInfo &info)
{
    const qint64 spanBefore = topic.span;
    const size_t countBefore = topic.children.size();
    const auto compare = [](const Node &node, const PartitionInfo &partition) {
        return node.partition.id < partition.id ? -1 : int(node.partition.id > partition.id);
    };
    const auto make = [&topic](Node &node, const PartitionInfo &partition) {
        makePartition(topic, node, partition);
    };
    const auto update = [](Node &node, const PartitionInfo &partition) {
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
    return topic.span != spanBefore || topic.children.size() != countBefore;
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
    if (n == m_root.get() || n->kind == NodeKind::Connection)
        return std::nullopt;
    return topicInfo(n->kind == NodeKind::Partition ? *n->parent : *n);
}

TopicInfo TopicTreeModel::topicInfo(const Node &node)
{
    TopicInfo info{node.name, {}, node.error};
    info.partitions.reserve(qsizetype(node.children.size()));
    for (const auto &child : node.children)
        info.partitions.append(child->partition);
    return info;
}

QModelIndex TopicTreeModel::connectionIndex(ConnectionId id) const
{
    return indexOf(connectionNode(id));
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
        for (const auto &topic : connection->children)
            list.append(topicInfo(*topic));
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
        return index.column() == NameColumn && n.kind == NodeKind::Partition
                   ? tr("%1, partition %2").arg(n.parent->name, n.name)
                   : displayText(n, index.column());
    case Qt::TextAlignmentRole:
        return index.column() == NameColumn ? int(Qt::AlignLeft | Qt::AlignVCenter)
                                            : int(Qt::AlignRight | Qt::AlignVCenter);
    case NodeKindRole:
        return QVariant::fromValue(n.kind);
    case NodeStateRole:
        if (n.error)
            return QVariant::fromValue(NodeState::Failed);
        if (n.kind == NodeKind::Connection && n.state != ConnectionState::Connected)
            return QVariant::fromValue(NodeState::Connecting);
        if (n.kind == NodeKind::Connection && n.config.readOnly)
            return QVariant::fromValue(NodeState::ReadOnly);
        return QVariant::fromValue(NodeState::Ok);
    case SortRole:
        return sortKey(n, index.column());
    case BarRole:
        if (n.kind != NodeKind::Partition || index.column() != RecordsColumn || n.error)
            return {};
        return n.parent->largestSpan > 0 ? double(n.span) / double(n.parent->largestSpan) : 0.0;
    case NoteRole:
        return note(n);
    case CountRole:
        return n.kind == NodeKind::Topic ? QVariant(int(n.children.size())) : QVariant();
    default:
        return {};
    }
}

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
    default:
        return {};
    }
}

QVariant TopicTreeModel::displayText(const Node &node, int column) const
{
    if (column == NameColumn) {
        // Without a name of its own: the host here, the port in the note.
        const bool isAddress = node.kind == NodeKind::Connection && isNameless(node.config);
        return isAddress ? node.config.host : node.name;
    }
    if (node.kind == NodeKind::Connection || node.error)
        return {};
    if (column == RecordsColumn)
        return groupedDigits(node.span);
    if (node.kind != NodeKind::Partition)
        return {};
    return groupedDigits(column == LogStartColumn ? node.partition.logStartOffset.value
                                                  : node.partition.highWatermark.value);
}

QVariant TopicTreeModel::sortKey(const Node &node, int column) const
{
    if (node.kind == NodeKind::Connection)
        return qint64(node.row); // in the order they were opened, whatever is sorted by
    const bool isPartition = node.kind == NodeKind::Partition;
    switch (column) {
    case RecordsColumn:
        return node.span;
    case LogStartColumn:
        return isPartition ? node.partition.logStartOffset.value : qint64(node.row);
    case HighWatermarkColumn:
        return isPartition ? node.partition.highWatermark.value : qint64(node.row);
    default:
        return isPartition ? QVariant(qint64(node.partition.id.value)) : QVariant(node.name);
    }
}

QString TopicTreeModel::note(const Node &node) const
{
    if (node.kind == NodeKind::Connection) {
        switch (node.state) {
        case ConnectionState::Connecting:
            return tr("connecting…");
        case ConnectionState::Connected:
            return isNameless(node.config) ? tr("port %1").arg(node.config.port)
                                           : node.config.endpoint();
        case ConnectionState::Lost:
            return tr("lost: %1").arg(node.error ? errorText(*node.error).title : QString());
        }
    }
    return node.error ? errorText(*node.error).title : QString();
}

QString TopicTreeModel::toolTip(const Node &node, int column) const
{
    if (node.error)
        return errorText(*node.error).full();
    switch (node.kind) {
    case NodeKind::Connection:
        return node.config.readOnly
                   ? tr("%1 at %2, read-only").arg(node.name, node.config.endpoint())
                   : tr("%1 at %2").arg(node.name, node.config.endpoint());
    case NodeKind::Topic:
        return column == NameColumn
                   ? tr("%1: %n partition(s)", nullptr, int(node.children.size())).arg(node.name)
                   : QString();
    case NodeKind::Partition:
        return tr("%1, partition %2: offsets %3 up to %4, without the last")
            .arg(node.parent->name, node.name, groupedDigits(node.partition.logStartOffset.value),
                 groupedDigits(node.partition.highWatermark.value));
    }
    return {};
}

} // namespace topicscope::ui
