#pragma once

#include "core/base/result.h"

#include <QMap>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace topicscope::test
{

/// librdkafka's properties by name.
using KafkaProperties = QMap<QString, QString>;

inline const QString kNewestKafka = QStringLiteral("4.4.0");
inline const QString kOldestKafka = QStringLiteral("3.9.2");

struct KafkaOptions {
    QString version = kNewestKafka; ///< one of those tests/kafka/CMakeLists.txt names
    int nodes = 1;                  ///< each is broker and controller
    bool tls = false;               ///< without `sasl` a client certificate is demanded
    bool sasl = false; ///< PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, OAUTHBEARER (unsigned tokens)
    bool acls = false; ///< only `admin` may everything; see KafkaPeer::allow()
    /// Whom the brokers' certificate is for.
    QStringList certificateNames = {QStringLiteral("DNS:localhost"),
                                    QStringLiteral("IP:127.0.0.1")};
    QStringList brokerProperties = {}; ///< "name=value", stronger than ours
};

/// A real Apache Kafka (KRaft) of one or several nodes on loopback, on free ports, with everything
/// it keeps in a temporary directory that goes with it. Nodes have ids from 1.
///
/// Each node has two doors: bootstrap(), secured as the options say, and adminBootstrap(), plain
/// and allowed everything, for what a test prepares. Topics are created by asking for them
/// (auto.create.topics.enable). Compaction and retention run every moment; without a topic's own
/// `retention.ms` nothing is too old.
///
/// With `sasl` there are the users `admin` and `limited`; passwordOf() tells their passwords.
///
/// Thread: confined to its owner's. Blocks: only for tests.
class KafkaCluster
{
public:
    explicit KafkaCluster(KafkaOptions options = {});
    /// Kills what runs.
    ~KafkaCluster();
    Q_DISABLE_COPY_MOVE(KafkaCluster)

    /// Why no cluster can be started on this machine; empty when one can.
    static QString unavailable();

    /// Formats the storage and starts all nodes; returns when each of them serves.
    /// @error Io with the end of a node's log.
    Result<void> start();

    QString bootstrap() const;
    QString adminBootstrap() const;
    /// What a librdkafka client needs to come in by bootstrap(), `bootstrap.servers` included.
    /// @param user  with `sasl`: who logs in, by `mechanism`
    KafkaProperties clientProperties(const QString &user = QStringLiteral("admin"),
                                     const QString &mechanism = QStringLiteral("PLAIN")) const;
    static QString passwordOf(const QString &user);
    quint16 port(int node = 1) const; ///< of the door that bootstrap() names

    /// Asks the node to end and waits for it.
    void stop(int node = 1);
    /// Ends the node at once, as a power cut would end its process.
    void kill(int node = 1);
    /// Starts a node that was stopped or killed, on its old ports and data.
    Result<void> restart(int node = 1);
    /// The process stands still, its connections stay open: a broker that does not answer.
    void freeze(int node = 1);
    void thaw(int node = 1);
    bool isRunning(int node = 1) const;

    /// Where a node keeps the log files of a partition.
    QString logDirectory(const QString &topic, int partition, int node = 1) const;
    /// Flips the last bit of the batch that holds this offset, in the log file itself.
    /// @return the batch's first and last offset; nullopt when there is no such batch
    std::optional<std::pair<qint64, qint64>> damageBatch(const QString &topic, int partition,
                                                         qint64 offset, int node = 1);
    /// Waits until the log cleaner has compacted what is before `offset`. It leaves the newest
    /// segment alone; one ends with a record whose timestamp is `segment.ms` after its first's.
    Result<void> waitUntilCompacted(const QString &topic, int partition, qint64 offset,
                                    int node = 1) const;
    /// What a node wrote to its log.
    QString log(int node = 1) const;

    /// Files made for `tls`: "ca.pem"; "client.pem" and "client.key" signed by it; the same key
    /// with the password "key-password" in "client-encrypted.key"; "stranger.pem" and
    /// "stranger.key" signed by "other-ca.pem", which the brokers do not trust.
    QString certificate(const QString &name) const;

private:
    struct Node;

    Node &node(int id) const;
    QByteArray configuration(const Node &node) const;
    Result<void> format();
    static bool writeIds(const Node &node);
    Result<void> launch(Node &node);
    Result<void> waitUntilServing(const std::vector<Node *> &nodes);
    void keepClasses();
    Error failure(const Node &node, const QString &what) const;

    KafkaOptions m_options;
    QTemporaryDir m_dir;
    std::vector<std::unique_ptr<Node>> m_nodes;
};

} // namespace topicscope::test
