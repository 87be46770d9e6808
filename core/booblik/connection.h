#pragma once

#include "core/base/bytewriter.h"
#include "core/base/callcontext.h"
#include "core/base/result.h"
#include "core/booblik/frame.h"
#include "core/booblik/hostlookup.h"
#include "core/booblik/messages.h"
#include "core/session/sessionconfig.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

class QTcpSocket;

namespace topicscope::booblik
{

/// One successful answer: correlationId, errorCode 0 and body, as they came; the length is cut off.
struct Answer {
    QByteArray frame;

    std::span<const std::byte> body() const
    {
        return asBytes(frame).subspan(size_t(kResponseHeaderBytes));
    }
};

/// One connection to a broker: requests out, answers in, in order. Blocking, pipelined (send
/// several, then receive in the same order), opened on first use and reopened after it was dropped.
///
/// Ends the connection, because what follows on it could no longer be told apart: a timeout or a
/// cancel with a request outstanding, an answer that breaks the protocol, an end or error of the
/// socket. All outstanding requests are lost with it. A refusal by the broker ends nothing.
///
/// Ack policy NONE: the broker answers only to refuse. Such a refusal arrives in front of a later
/// answer and is kept for takeLateErrors(); any answer to a later request proves that the earlier
/// ones were accepted.
///
/// Thread: confined to one thread; not a QObject. Every call is back one wait slice after a cancel.
class Connection
{
public:
    explicit Connection(SessionConfig config, Resolver resolver = systemResolver);
    ~Connection();
    Q_DISABLE_COPY_MOVE(Connection)

    const SessionConfig &config() const { return m_config; }

    /// Connects; nothing to do when connected. @error Network, Timeout, Cancelled.
    Result<void> open(const CallContext &context);
    bool isOpen() const { return m_socket != nullptr; }
    /// Counts the connections made: a request outstanding in another epoch is lost.
    quint64 epoch() const { return m_epoch; }
    void close();
    /// Ends the connection because an answer's body breaks the protocol; returns the error with the
    /// endpoint.
    Error drop(Error error);

    /// Sends one request, connecting first when needed, and returns its correlation id. Nothing has
    /// been sent, and the connection is as before, unless requestLeft().
    /// @error InvalidArgument: an answer could not be awaited or the frame is above 8 MiB.
    /// @error Network, Timeout, Cancelled; Protocol when something uncalled-for came in meanwhile.
    Result<qint32> send(const wire::ProduceRequest &request, const CallContext &context);
    Result<qint32> send(const wire::FetchRequest &request, const CallContext &context);
    Result<qint32> send(const wire::MetadataRequest &request, const CallContext &context);
    /// Whether at least one byte of the last request given to send() reached the socket.
    bool requestLeft() const { return m_requestLeft; }

    /// The answer to the oldest request outstanding that gets one, at most the request timeout from
    /// now. @error Broker: it refused; the connection stays. Network, Timeout, Cancelled, Protocol:
    /// the connection is gone.
    Result<Answer> receive(const CallContext &context);

    /// The same without waiting: nullopt when the answer is not there yet.
    Result<std::optional<Answer>> tryReceive();
    /// To wait on for tryReceive(); -1 when closed.
    qintptr descriptor() const;

    /// Sends and receives METADATA. @error as send() and receive(); Protocol for a bad body.
    Result<wire::MetadataResponse> metadata(const QList<QString> &topics,
                                            const CallContext &context);

    /// Requests with ack policy NONE whose fate is open.
    bool hasUnsettled() const;
    /// Settles them by asking something whose answer must come behind theirs.
    /// @error Network, Timeout, Cancelled, Protocol: they stay unknown.
    Result<void> settle(const CallContext &context);

    struct LateError {
        qint32 correlationId = 0;
        Error error;
    };
    /// Refusals of requests with ack policy NONE since the last call, and as OutcomeUnknown those
    /// whose connection ended before anything proved them accepted.
    QList<LateError> takeLateErrors() { return std::exchange(m_lateErrors, {}); }

private:
    struct Pending {
        qint32 correlationId = 0;
        bool silent = false;       ///< answered only by a refusal
        qint64 maxFrameLength = 0; ///< what its answer may announce
        ErrorPlace where;
    };

    Result<void> connectTo(const QHostAddress &address, const CallContext &context);
    Result<void> validate(const wire::FetchRequest &request) const;
    Result<void> validate(const QString &topicName) const;
    Result<qint32> sendRequest(wire::ApiKey key, qint16 version, const QByteArray &body,
                               Pending pending, const CallContext &context);
    Result<void> write(const QByteArray &frame, const CallContext &context);
    /// Reads what is there, until one answer is ready or nothing is left to read.
    Result<void> pump();
    Result<void> startFrame();
    Result<void> acceptFrame();
    /// Whether somebody is to call receive().
    bool isAwaited() const;
    Error located(Error error, const Pending *request = nullptr) const;
    qint64 frameLimit() const;

    SessionConfig m_config;
    Resolver m_resolver;
    std::unique_ptr<QTcpSocket> m_socket;
    quint64 m_epoch = 0;
    qint32 m_lastCorrelationId = 0;
    bool m_requestLeft = false;

    std::deque<Pending> m_pending; ///< in the order sent
    std::deque<Result<Answer>> m_ready;
    QList<LateError> m_lateErrors;

    // The frame being read; kept between calls.
    std::array<std::byte, 4> m_length{};
    qsizetype m_lengthRead = 0;
    QByteArray m_frame;
    qsizetype m_frameLength = 0;
    qsizetype m_frameRead = 0;
    qsizetype m_largestFrame = 0; ///< received whole on this connection
};

} // namespace topicscope::booblik
