#pragma once

#include "core/session/sessionconfig.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace topicscope::test
{

/// A peer that does to a client exactly what a test scripts: raw bytes in and out, on real sockets.
/// The script runs once for each connection accepted, on a thread of its own, and may block; when
/// it returns, the connection is closed.
/// Thread: made and destroyed on the test's; destroying it ends all scripts and joins.
class HostileBroker
{
public:
    class Peer;
    using Script = std::function<void(Peer &)>;

    explicit HostileBroker(Script script);
    ~HostileBroker();
    Q_DISABLE_COPY_MOVE(HostileBroker)

    quint16 port() const { return m_port; }
    SessionConfig config() const;
    int connections() const { return m_connections; }

private:
    void accept(const std::stop_token &stop, const std::function<void(quint16)> &listening);

    Script m_script;
    std::atomic<quint16> m_port{0};
    std::atomic<int> m_connections{0};
    std::jthread m_acceptor;
};

/// One accepted connection. Reads give up (nullopt, false) when the client has gone, when the
/// broker is being destroyed, or after ten seconds.
class HostileBroker::Peer
{
public:
    struct Request {
        qint16 apiKey = 0;
        qint16 apiVersion = 0;
        qint32 correlationId = 0;
        QByteArray body;
        QByteArray frame; ///< the whole, its length included
    };

    Peer(qintptr socket, int number, std::stop_token stop);
    ~Peer();
    Q_DISABLE_COPY_MOVE(Peer)

    int number() const { return m_number; } ///< 0 for the first connection
    std::optional<Request> read();
    std::optional<QByteArray> readBytes(qsizetype count);
    bool write(const QByteArray &bytes);
    void writeByByte(const QByteArray &bytes);
    void closeSending(); ///< FIN, but goes on reading
    void reset();        ///< RST
    bool waitForEnd();   ///< until the client has closed its side
    bool isEnding() const { return m_stop.stop_requested(); }

private:
    bool waitReadable();

    int m_socket;
    int m_number;
    std::stop_token m_stop;
};

// Bytes as the protocol writes them, put together here by hand and not by the codec under test.
QByteArray be16(qint16 value);
QByteArray be32(qint32 value);
QByteArray be64(qint64 value);
QByteArray answer(qint32 correlationId, const QByteArray &body);
QByteArray refusal(qint32 correlationId, qint16 errorCode);
QByteArray fetchBody(qint64 highWatermark, const QByteArray &payload);
QByteArray produceBody(qint64 baseOffset, qint64 logEndOffset);
/// METADATA of one topic; per partition log start offset and high watermark.
QByteArray metadataBody(const QByteArray &topic,
                        const QList<std::pair<qint64, qint64>> &partitions);
/// A record as it is stored, with the checksum given or the right one.
QByteArray storedRecord(const QByteArray &body, std::optional<quint32> crc = std::nullopt);

/// The simplest correct broker: logs in memory, holds, refusals. For tests of what the client does
/// with answers, where a real broker would be too well-behaved: the hooks change them.
/// Thread: any.
class MemoryLog
{
public:
    explicit MemoryLog(std::map<QByteArray, int> topics);

    /// The script to give to a HostileBroker; it must not outlive this.
    HostileBroker::Script script();

    void append(const QByteArray &topic, int partition, const QByteArray &record);
    QList<QByteArray> records(const QByteArray &topic, int partition) const;
    void setLogStart(const QByteArray &topic, int partition, qint64 offset);
    int produceRequests() const { return m_produceRequests; }
    int fetchRequests() const { return m_fetchRequests; }
    qsizetype largestFrame() const { return m_largestFrame; }

    /// Called before a request is answered; returns bytes to send instead, or nullopt.
    std::function<std::optional<QByteArray>(const HostileBroker::Peer::Request &)> intercept;

private:
    struct Partition {
        QList<QByteArray> records;
        qint64 logStart = 0;
    };

    std::optional<QByteArray> handle(const HostileBroker::Peer &peer,
                                     const HostileBroker::Peer::Request &request);
    Partition *find(const QByteArray &topic, int partition);

    mutable std::mutex m_mutex;
    std::condition_variable m_appended;
    std::map<QByteArray, std::vector<Partition>> m_topics;
    std::atomic<int> m_produceRequests{0};
    std::atomic<int> m_fetchRequests{0};
    std::atomic<qsizetype> m_largestFrame{0};
};

} // namespace topicscope::test
