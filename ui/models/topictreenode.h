#pragma once

// What the rows of TopicTreeModel are made of; only the model's own files include this.

#include "ui/models/topictreemodel.h"

namespace topicscope::ui
{

/// One row.
struct TopicTreeModel::Node {
    NodeKind kind = NodeKind::Connection;
    Node *parent = nullptr;
    int row = 0;
    Nodes children;
    size_t fixed = 0; ///< of a connection: leading children that are no topics
    QString name;
    std::optional<Error> error;

    // Of a connection; the id of everything below it, too.
    ConnectionId connection{};
    SessionConfig config;
    ConnectionState state = ConnectionState::Connecting;
    std::optional<int> percentRead; ///< Connecting: of a source that is read first
    bool listed = false;

    // Of the row with all brokers; `broker` of one's own.
    ClusterInfo cluster;
    BrokerInfo broker;

    // Of a topic. The number of partitions in each state, by PartitionHealth.
    bool internal = false;
    bool wantsOffsets = false;
    bool offsetsKnown = true; ///< of all partitions that can be read
    bool readable = true;     ///< some partition is, or there is none
    int leaderless = 0;
    int outOfSync = 0;

    PartitionInfo partition;
    /// Offsets of the partition; of a topic, the sum of its partitions.
    qint64 span = 0;
    qint64 largestSpan = 0; ///< of a topic's partitions
};

} // namespace topicscope::ui
