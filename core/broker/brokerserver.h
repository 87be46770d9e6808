#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/booblik/messages.h"
#include "core/broker/brokerconfig.h"
#include "core/broker/brokerconnection.h"
#include "core/broker/directorylock.h"
#include "core/broker/partitionlog.h"

#include <QList>
#include <QObject>
#include <QSet>
#include <QSocketNotifier>
#include <QTcpServer>
#include <QTimer>

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace topicscope::broker
{

/// What the broker has done; totals since its start unless marked.
struct BrokerStatistics {
    qint64 records = 0;
    qint64 recordBytes = 0; ///< bodies
    qint64 produces = 0;
    qint64 fetches = 0;
    qint64 fetchedBytes = 0;
    qint64 errors = 0;   ///< error answers
    qint64 dropped = 0;  ///< connections lost with a request
    qint64 barriers = 0; ///< times a partition's log was made durable
    int connections = 0; ///< now
    int held = 0;        ///< FETCH requests waiting now
};

/// The broker itself: one thread, everything driven by that thread's event loop.
///
/// Work is done in turns. Within a turn requests are served as they arrive, but nothing is sent.
/// At its end appended records are written in one piece for each partition, made durable once where
/// anybody asked for it, held FETCHes are woken, and only then all answers go out. So pipelined and
/// concurrent FORCED requests share one barrier without any of them waiting for a timer.
///
/// Thread: the one it lives on. EmbeddedBroker gives it one of its own.
class BrokerServer final : public QObject, private ConnectionOwner
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(BrokerServer)

public:
    explicit BrokerServer(BrokerConfig config, QObject *parent = nullptr);
    ~BrokerServer() override;

    /// Locks the data directory, recovers all partitions and listens.
    /// @return the port
    /// @error InvalidArgument, Io (lock taken, damaged directory), Network (port in use)
    Result<quint16> start();
    /// Answers held fetches with what is there, writes everything, lets answers leave for a moment,
    /// closes.
    void stop();

    /// Appends one record as a producer in this process. @error InvalidArgument, Io
    Result<Offset> append(const TopicPartition &partition, const QByteArray &body);

    const BrokerStatistics &statistics() const { return m_statistics; }

signals:
    /// A line for an operator: start-up, metrics, retention.
    void message(const QString &line);
    /// Something an operator has to know: repaired, lost or failed.
    void warning(const QString &line);

private:
    struct Partition {
        std::unique_ptr<PartitionLog> log;
        bool touched = false;                      ///< appended to in this turn
        bool barrierWanted = false;                ///< in this turn
        std::vector<BrokerConnection *> producers; ///< whose requests of this turn are in the log
        std::vector<BrokerConnection *> waiting;   ///< with a held FETCH
    };
    using Topic = std::vector<Partition>;

    struct Hold {
        Partition *partition = nullptr;
        booblik::wire::FetchRequest request;
        qint32 correlationId = 0;
        qint64 wakeAt = 0; ///< the log's appendedBytes()
        std::unique_ptr<QTimer> timer;
    };

    // One request kind a file: produce.cpp, fetch.cpp, metadata.cpp
    void produce(BrokerConnection &connection, qint32 correlationId,
                 std::span<const std::byte> body);
    void fetch(BrokerConnection &connection, qint32 correlationId, qint16 version,
               std::span<const std::byte> body);
    void metadata(BrokerConnection &connection, qint32 correlationId,
                  std::span<const std::byte> body);

    void answerError(BrokerConnection &connection, qint32 correlationId,
                     booblik::wire::ErrorCode code);
    void answerOrHold(BrokerConnection &connection, Partition &partition,
                      const booblik::wire::FetchRequest &request, qint32 correlationId);
    void sendSlice(BrokerConnection &connection, const Partition &partition, qint32 correlationId,
                   const LogSlice &slice);
    void holdFetch(BrokerConnection &connection, Partition &partition,
                   const booblik::wire::FetchRequest &request, qint32 correlationId,
                   qint64 missingBytes);
    void endHold(BrokerConnection &connection);
    void dropHold(BrokerConnection &connection);

    void onFrame(BrokerConnection &connection, std::span<const std::byte> frame) override;
    void onActivity(BrokerConnection &connection) override;
    void onPeerFinished(BrokerConnection &connection) override;
    void onClosed(BrokerConnection &connection, bool inRequest) override;

    Result<void> lockDirectory();
    Result<void> openLogs();
    Result<quint16> listen();
    void printStart(quint16 port);
    void acceptAll();
    void pauseAccepting(const QString &why);
    void touch(Partition &partition);
    void scheduleTurn();
    void endTurn();
    void commit(Partition &partition);
    bool writeLog(Partition &partition);
    void warnAbout(const Partition &partition, const Error &error);
    void failPartition(Partition &partition, const Error &error);
    void wake(Partition &partition);
    void flushAll();
    void retain();
    void printMetrics();
    Partition *find(const QString &topic, qint32 partition);
    template <typename Visit>
    void forEachPartition(Visit visit);

    BrokerConfig m_config;
    std::optional<DirectoryLock> m_lock;
    std::map<QString, Topic> m_topics; ///< QString compares by UTF-16 unit, the order asked for
    QTcpServer m_listener;             ///< binds and listens; accepting is done here
    std::unique_ptr<QSocketNotifier> m_acceptable;
    size_t m_connectionLimit = 0;
    std::vector<std::byte> m_scratch;
    std::unordered_map<BrokerConnection *, std::unique_ptr<BrokerConnection>> m_connections;
    std::vector<std::unique_ptr<BrokerConnection>> m_closed; ///< deleted at the end of the turn
    std::unordered_map<BrokerConnection *, Hold> m_holds;

    bool m_turnScheduled = false;
    bool m_stopping = false;
    bool m_acceptWarned = false;
    QSet<BrokerConnection *> m_active; ///< to proceed and flush in this turn
    std::vector<Partition *> m_touched;

    QTimer m_flushTimer;
    QTimer m_retentionTimer;
    QTimer m_metricsTimer;
    BrokerStatistics m_statistics;
    BrokerStatistics m_lastPrinted;
};

template <typename Visit>
void BrokerServer::forEachPartition(Visit visit)
{
    for (auto &[name, topic] : m_topics) {
        for (Partition &partition : topic)
            visit(partition);
    }
}

} // namespace topicscope::broker
