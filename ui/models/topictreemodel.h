#pragma once

#include "core/session/clusterinfo.h"
#include "core/session/sessionconfig.h"
#include "core/session/sessionhandle.h"
#include "core/session/topicinfo.h"

#include <QAbstractItemModel>

#include <memory>
#include <optional>
#include <vector>

namespace topicscope::ui
{

/// Names one open connection for as long as the program runs.
enum class ConnectionId : quint32 {};

/// Open connections, their brokers (where the engine is a cluster), topics and the topics'
/// partitions. Topics are in the order of their names, partitions in that of their numbers.
///
/// Offsets may come later than names: a view asks for those of the rows it shows (WantsOffsetsRole)
/// and updateTopics() brings them. Until then the ones known before stay.
///
/// A new list of topics changes only the rows that differ, so selection, expansion and scroll
/// position of a view stay. Topics and partitions that cannot be read keep their row, with the
/// reason as their note. A connection that is lost keeps the topics it had.
///
/// Thread: GUI.
class TopicTreeModel final : public QAbstractItemModel
{
    Q_OBJECT
public:
    enum Column {
        NameColumn,
        RecordsColumn,
        LogStartColumn,
        HighWatermarkColumn,
        ReplicasColumn, ///< empty where an engine has no replicas
        ColumnCount
    };

    enum Role : int {
        NodeKindRole = Qt::UserRole + 1, ///< NodeKind
        NodeStateRole,                   ///< NodeState
        SortRole,                        ///< QString or qint64
        BarRole,   ///< double 0…1: offsets here, relative to the topic's largest partition; on
                   ///< RecordsColumn of partitions
        NoteRole,  ///< QString: address or state of a connection, reason of a failure; mostly empty
        CountRole, ///< int: partitions of a topic, brokers of a cluster
        AddressRole,      ///< QString: "host:port" of a broker
        InternalRole,     ///< bool: a topic the broker keeps for itself, or a partition of one
        WantsOffsetsRole, ///< bool, of topics: offsets were not asked for since the last list
    };

    enum class NodeKind { Connection, Brokers, Broker, Topic, Partition };
    Q_ENUM(NodeKind)
    /// Degraded: replicas are out of sync, or a topic has partitions without a leader.
    enum class NodeState { Ok, Connecting, Failed, ReadOnly, Degraded };
    Q_ENUM(NodeState)

    explicit TopicTreeModel(QObject *parent = nullptr);
    ~TopicTreeModel() override;
    Q_DISABLE_COPY_MOVE(TopicTreeModel)

    void addConnection(ConnectionId id, const SessionConfig &config);
    void removeConnection(ConnectionId id);
    /// `error` tells why the state is Lost.
    void setConnectionState(ConnectionId id, ConnectionState state, const Error &error = {});
    /// See SessionHandle::percentRead(); until the state is another.
    void setPercentRead(ConnectionId id, int percent);
    /// All topics there are.
    void setTopics(ConnectionId id, const TopicList &topics);
    /// Some of them as they are now; the others stay.
    void updateTopics(ConnectionId id, const TopicList &topics);
    /// Their offsets are on the way: they are wanted no longer, whether they come or not.
    void setOffsetsAsked(ConnectionId id, const QStringList &topics);
    void setCluster(ConnectionId id, const ClusterInfo &cluster);

    /// Of the row an index (of any column) belongs to; nothing or empty when there is none.
    std::optional<ConnectionId> connectionOf(const QModelIndex &index) const;
    std::optional<PartitionId> partitionOf(const QModelIndex &index) const;
    /// Topic of a topic's or partition's row, all partitions included.
    std::optional<TopicInfo> topicOf(const QModelIndex &index) const;

    QModelIndex connectionIndex(ConnectionId id) const;
    /// The first that is not internal; invalid when there is none.
    QModelIndex firstTopicIndex(ConnectionId id) const;
    QModelIndex topicIndex(ConnectionId id, const QString &topic) const;
    QModelIndex partitionIndex(ConnectionId id, const TopicPartition &partition) const;
    /// All topics of a connection as last listed.
    TopicList topics(ConnectionId id) const;

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Node; ///< topictreenode.h
    using Nodes = std::vector<std::unique_ptr<Node>>;

    Node *node(const QModelIndex &index) const;
    Node *connectionNode(ConnectionId id) const;
    Node *topicNode(ConnectionId id, const QString &topic) const;
    QModelIndex indexOf(const Node *node, int column = 0) const;
    static TopicInfo topicInfo(const Node &node);
    void syncTopics(Node &connection, const std::vector<const TopicInfo *> &topics);
    static void makePartition(Node &topic, Node &node, const PartitionInfo &info);
    static bool updateTotals(Node &topic);
    bool syncPartitions(Node &topic, const TopicInfo &info);
    bool updateTopic(Node &topic, const TopicInfo &info);
    template <typename Item, typename Compare, typename Make, typename Update>
    void sync(Node &parent, const std::vector<const Item *> &items, Compare compare, Make make,
              Update update);

    // What the rows say: topictreetext.cpp.
    static QString displayText(const Node &node, int column);
    static QString accessibleText(const Node &node, int column);
    static QVariant sortKey(const Node &node, int column);
    static NodeState state(const Node &node);
    static QString note(const Node &node);
    static QString toolTip(const Node &node, int column);

    std::unique_ptr<Node> m_root;
};

} // namespace topicscope::ui
