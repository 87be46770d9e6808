#pragma once

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

/// Open connections, their topics and the topics' partitions. Topics are in the order of their
/// names, partitions in that of their numbers.
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
    enum Column { NameColumn, RecordsColumn, LogStartColumn, HighWatermarkColumn, ColumnCount };

    enum Role : int {
        NodeKindRole = Qt::UserRole + 1, ///< NodeKind
        NodeStateRole,                   ///< NodeState
        SortRole,                        ///< QString or qint64
        BarRole,   ///< double 0…1: offsets here, relative to the topic's largest partition; on
                   ///< RecordsColumn of partitions
        NoteRole,  ///< QString: address or state of a connection, reason of a failure; mostly empty
        CountRole, ///< int: partitions of a topic
    };

    enum class NodeKind { Connection, Topic, Partition };
    Q_ENUM(NodeKind)
    enum class NodeState { Ok, Connecting, Failed, ReadOnly };
    Q_ENUM(NodeState)

    explicit TopicTreeModel(QObject *parent = nullptr);
    ~TopicTreeModel() override;
    Q_DISABLE_COPY_MOVE(TopicTreeModel)

    void addConnection(ConnectionId id, const SessionConfig &config);
    void removeConnection(ConnectionId id);
    /// `error` tells why the state is Lost.
    void setConnectionState(ConnectionId id, ConnectionState state, const Error &error = {});
    void setTopics(ConnectionId id, const TopicList &topics);

    /// Of the row an index (of any column) belongs to; nothing or empty when there is none.
    std::optional<ConnectionId> connectionOf(const QModelIndex &index) const;
    std::optional<PartitionId> partitionOf(const QModelIndex &index) const;
    /// Topic of a topic's or partition's row, all partitions included.
    std::optional<TopicInfo> topicOf(const QModelIndex &index) const;

    QModelIndex connectionIndex(ConnectionId id) const;
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
    struct Node;
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
    template <typename Item, typename Compare, typename Make, typename Update>
    void sync(Node &parent, const std::vector<const Item *> &items, Compare compare, Make make,
              Update update);

    QVariant displayText(const Node &node, int column) const;
    QVariant sortKey(const Node &node, int column) const;
    QString note(const Node &node) const;
    QString toolTip(const Node &node, int column) const;

    std::unique_ptr<Node> m_root;
};

} // namespace topicscope::ui
