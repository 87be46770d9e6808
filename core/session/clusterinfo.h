#pragma once

#include <QList>
#include <QString>

#include <optional>

namespace topicscope
{

/// One broker of a cluster, under the address it gives to clients.
struct BrokerInfo {
    qint32 id = -1;
    QString host;
    qint32 port = 0;

    bool operator==(const BrokerInfo &) const = default;
};

struct ClusterInfo {
    QString id; ///< empty: the cluster does not tell
    /// The broker that takes administrative requests, as the cluster tells it. One without
    /// ZooKeeper names any of its brokers, another one each time.
    std::optional<qint32> controller;
    QList<BrokerInfo> brokers; ///< those alive, by id

    bool operator==(const ClusterInfo &) const = default;
};

} // namespace topicscope
