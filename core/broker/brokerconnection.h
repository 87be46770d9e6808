#pragma once

#include "core/segments/posixfile.h"

#include <QByteArray>
#include <QObject>
#include <QSocketNotifier>

#include <cstddef>
#include <deque>
#include <memory>
#include <span>

namespace topicscope::broker
{

class BrokerConnection;

/// What a connection tells its owner. Called on the connection's thread; a connection may be
/// aborted, but not deleted, inside.
class ConnectionOwner
{
public:
    /// One whole request, without its length field. The bytes are valid during the call.
    virtual void onFrame(BrokerConnection &connection, std::span<const std::byte> frame) = 0;
    /// Something was received or can be sent: call proceed() and flush() at the end of this turn.
    virtual void onActivity(BrokerConnection &connection) = 0;
    /// The peer will send no more, or the owner should answer a held request now for another
    /// reason.
    virtual void onPeerFinished(BrokerConnection &connection) = 0;
    /// Closed, whoever did it; `inRequest` when a request or an answer was lost with it. Delete it
    /// later.
    virtual void onClosed(BrokerConnection &connection, bool inRequest) = 0;

protected:
    ~ConnectionOwner() = default;
};

/// One client's socket: bytes in -> frames, answers -> bytes out.
///
/// The input buffer grows with the bytes that arrive, never with what a length field announces.
/// While answers wait for the client to take them, or a request is held, no further request is
/// handed out and soon no further byte is read: that is the back-pressure. A queued answer holds at
/// most one file open, and none when it is small. A client that shuts down its sending side still
/// gets every answer. After an impossible length field nothing more is served: what is queued is
/// sent, then the connection is closed.
///
/// Uses the descriptor directly, as QTcpSocket closes both directions when the peer closes one.
/// Thread: one, with an event loop.
class BrokerConnection final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(BrokerConnection)

public:
    /// Takes over a connected TCP socket.
    /// @param scratch  for receiving; may be shared by all connections of a thread
    BrokerConnection(int descriptor, ConnectionOwner &owner, std::span<std::byte> scratch,
                     QObject *parent);
    ~BrokerConnection() override;

    /// Receives what is there, up to a bound. Called by the event loop; also for a last look before
    /// closing.
    void readOnce();
    /// Hands out the frames that are there, unless held or waiting for the client.
    void proceed();
    /// Sends what is queued, as far as the client takes it.
    void flush();

    /// Queues bytes behind what is queued already; sent by flush().
    void send(const QByteArray &bytes);
    /// The same with a part of a file, which must be that long; the connection is aborted if not.
    void sendFile(std::shared_ptr<const PosixFile> file, qint64 position, qint64 bytes);

    /// Between hold() and release() no frame is handed out.
    void hold() { m_held = true; }
    void release();
    bool isHeld() const { return m_held; }

    /// The client has shut down its sending side.
    bool peerHasFinished() const { return m_peerFinished; }
    bool isClosed() const { return m_descriptor < 0; }
    /// Closes at once; what is queued is lost.
    void abort();

private:
    struct Chunk {
        QByteArray bytes; ///< used when file is null
        std::shared_ptr<const PosixFile> file;
        qint64 position = 0;
        qint64 left = 0;
    };
    enum class Sent { All, Blocked, Lost };

    void onWritable();
    void receive(std::span<const std::byte> bytes);
    void finish();
    qsizetype handOut(std::span<const std::byte> bytes);
    bool mayHandOut() const;
    bool hasWholeFrame() const;
    void updateReading();
    Sent sendChunk(Chunk &chunk, bool moreFollows, qint64 &budget);
    void afterSending();
    void close();

    ConnectionOwner &m_owner;
    std::span<std::byte> m_scratch;
    int m_descriptor;
    QSocketNotifier m_readable;
    QSocketNotifier m_writable;
    QByteArray m_input; ///< received, not yet handed out
    qsizetype m_inputBegin = 0;
    std::deque<Chunk> m_output;
    qint64 m_outputBytes = 0;
    bool m_held = false;
    bool m_peerFinished = false;
    bool m_finishing = false; ///< serve nothing more; close when the output is empty
    bool m_requestLost = false;
    bool m_discarding = false; ///< our side is shut down; reading until the peer closes
    qint64 m_discardedBytes = 0;
};

} // namespace topicscope::broker
