#pragma once

#include "core/base/result.h"
#include "tests/support/kafkacluster.h" // KafkaProperties

#include <QByteArray>
#include <QList>

#include <librdkafka/rdkafka.h>

#include <memory>
#include <optional>
#include <utility>

namespace topicscope::test
{

/// A record as it is given to a broker. Null is nullopt; empty is an empty array.
struct PeerRecord {
    std::optional<QByteArray> key = {};
    std::optional<QByteArray> value = {};
    QList<std::pair<QByteArray, std::optional<QByteArray>>> headers = {};
    qint64 timestampMs = 0; ///< 0: now (librdkafka cannot send 0; peer.py can)
    qint32 partition = 0;
};

using KafkaClient = std::unique_ptr<rd_kafka_t, decltype(&rd_kafka_destroy)>;

/// Publishes through librdkafka, and nothing of ours between. With the property `transactional.id`
/// between begin() and commit() or abort(); destroyed before those it leaves its transaction open.
/// Thread: confined to its owner's. Blocks: only for tests.
class PeerProducer
{
public:
    /// Wrong properties are told by the first call.
    explicit PeerProducer(const QString &bootstrap, const KafkaProperties &properties = {});
    explicit PeerProducer(const KafkaProperties &properties);

    /// Returns when all are acknowledged: the offset of each.
    /// @error the first of a record
    Result<QList<qint64>> produce(const QString &topic, const QList<PeerRecord> &records);

    Result<void> begin();
    Result<void> commit();
    Result<void> abort();
    /// Makes `offset` the group's committed one with the transaction that has begun.
    Result<void> sendOffset(const QString &group, const QString &topic, int partition,
                            qint64 offset);

private:
    Result<void> enqueue(const QString &topic, const PeerRecord &record, void *report);

    QString m_wrong;
    bool m_initialised = false;
    KafkaClient m_client;
};

/// Prepares a cluster for a test and looks at it, in this process, through librdkafka's C API
/// alone: what core/kafka says can be held against it. Looking creates no topic and no group.
/// Thread: confined to its owner's. Blocks: only for tests.
class KafkaPeer
{
public:
    /// @param bootstrap  KafkaCluster::adminBootstrap()
    explicit KafkaPeer(const QString &bootstrap);

    /// Returns when every partition has a leader that serves it.
    /// @param configs  the topic's own: {"cleanup.policy", "compact"}
    Result<void> createTopic(const QString &topic, int partitions = 1,
                             const KafkaProperties &configs = {}, int replicas = 1);
    /// One partition for each of `replicas`: the nodes that hold it, as many for each, the leader
    /// first.
    Result<void> createTopicOn(const QString &topic, const QList<QList<qint32>> &replicas);
    /// Returns when no broker lists it any more.
    Result<void> deleteTopic(const QString &topic);
    /// Deletes what is before `offset`.
    Result<void> deleteRecords(const QString &topic, int partition, qint64 offset);

    /// By a producer of its own; see PeerProducer::produce().
    /// @param properties  {"compression.type", "zstd"}, …
    Result<QList<qint64>> produce(const QString &topic, const QList<PeerRecord> &records,
                                  const KafkaProperties &properties = {}) const;

    /// All topics, internal ones too, sorted.
    Result<QStringList> topics() const;
    /// All groups any broker knows, sorted.
    Result<QStringList> groups();
    /// The leading node; −1 when there is none.
    Result<int> leader(const QString &topic, int partition = 0) const;
    /// Log start offset and high watermark.
    Result<std::pair<qint64, qint64>> watermarks(const QString &topic, int partition = 0) const;
    /// nullopt: the group has committed none.
    Result<std::optional<qint64>> committed(const QString &group, const QString &topic,
                                            int partition = 0);

    /// Commits for a group without members, which need not exist.
    Result<void> commitOffset(const QString &group, const QString &topic, int partition,
                              qint64 offset);

    /// Allows a user one thing from now on, on a cluster of one node with ACLs.
    Result<void> allow(const QString &user, rd_kafka_ResourceType_t type, const QString &resource,
                       rd_kafka_AclOperation_t operation);

private:
    Result<void> tryToCommit(const QString &group, const QString &topic, int partition,
                             qint64 offset);
    Result<void> create(const QString &topic, int partitions, int replicas,
                        const QList<QList<qint32>> &assignment, const KafkaProperties &configs);

    QString m_bootstrap;
    KafkaClient m_client;
};

} // namespace topicscope::test
