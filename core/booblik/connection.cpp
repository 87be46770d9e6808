#include "core/booblik/connection.h"

#include "core/base/logging.h"
#include "core/booblik/requestcodec.h"
#include "core/booblik/responsecodec.h"
#include "core/booblik/socketcalls.h"

#include <QNetworkProxy>
#include <QTcpSocket>

#include <algorithm>
#include <limits>

namespace topicscope::booblik
{

using namespace Qt::StringLiterals;

namespace
{

/// First allocation for an answer; later ones follow what the peer has really sent before.
constexpr qsizetype kFirstAllocation = 65'536;

/// A record of 8 388 584 bytes can be stored (topic name of one byte), and arrives in a frame above
/// 8 MiB; so the limit for answers is above the one for requests.
constexpr qint64 kMaxAnswerFrame = qint64(wire::kMaxRequestFrame) + wire::kFetchResponseOverhead;

/// Longest wait for the operating system to finish what poll() has announced.
constexpr int kConnectedMs = 1000;

} // namespace

Connection::Connection(SessionConfig config, Resolver resolver)
    : m_config(std::move(config))
    , m_resolver(std::move(resolver))
{
}

Connection::~Connection() = default;

Result<void> Connection::open(const CallContext &context)
{
    if (isOpen())
        return {};
    const CallContext limited = context.within(m_config.connectTimeout);
    auto addresses = lookUpHost(m_config.host, limited, m_resolver);
    if (!addresses)
        return located(std::move(addresses).error());

    Error error;
    for (qsizetype i = 0; i < addresses->size(); ++i) {
        // A dead address must leave time for the ones behind it.
        const qsizetype triesLeft = addresses->size() - i;
        const auto share =
            limited.deadline.isForever()
                ? m_config.connectTimeout
                : std::chrono::milliseconds(limited.deadline.remainingTime() / triesLeft);
        auto connected = connectTo(addresses->at(i), limited.within(share));
        if (connected)
            return {};
        error = std::move(connected).error();
        if (error.kind == ErrorKind::Cancelled)
            break;
    }
    return located(std::move(error));
}

Result<void> Connection::connectTo(const QHostAddress &address, const CallContext &context)
{
    auto socket = std::make_unique<QTcpSocket>();
    socket->setProxy(QNetworkProxy::NoProxy);
    // Bound first (to whatever port is free), because the descriptor to wait on is known only then
    // while connecting.
    const bool isV6 = address.protocol() == QAbstractSocket::IPv6Protocol;
    if (!socket->bind(isV6 ? QHostAddress::AnyIPv6 : QHostAddress::AnyIPv4))
        return Error::make(ErrorKind::Network, socket->errorString());
    // Unbuffered: Qt must not read ahead of us.
    socket->connectToHost(address, m_config.port, QIODevice::ReadWrite | QIODevice::Unbuffered);
    // Not waitForConnected() alone: it gives up the attempt when its time is over, so it cannot be
    // called in slices.
    while (socket->state() == QAbstractSocket::ConnectingState) {
        if (auto interruption = context.interruption()) {
            interruption->detail = u"while connecting to %1"_s.arg(address.toString());
            return *std::move(interruption);
        }
        SocketWait wait{socket->socketDescriptor(), false, true};
        waitForSockets(std::span(&wait, 1), context.slice());
        if (wait.writable)
            socket->waitForConnected(kConnectedMs);
    }
    if (socket->state() != QAbstractSocket::ConnectedState) {
        Error error = Error::make(ErrorKind::Network, socket->errorString());
        if (socket->error() == QAbstractSocket::ConnectionRefusedError)
            error.networkCause = NetworkCause::Refused;
        return error;
    }
    socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    socket->setSocketOption(QAbstractSocket::KeepAliveOption, 1);
    m_socket = std::move(socket);
    ++m_epoch;
    return {};
}

void Connection::close()
{
    m_socket.reset();
    for (const Pending &pending : m_pending) {
        if (!pending.silent)
            continue; // the caller that waits for it is told
        m_lateErrors.append(
            {pending.correlationId,
             located(Error::make(ErrorKind::OutcomeUnknown,
                                 u"the connection ended before the broker could refuse it"_s,
                                 pending.where))});
    }
    m_pending.clear();
    m_ready.clear();
    m_lengthRead = 0;
    m_frame = {};
    m_frameLength = 0;
    m_frameRead = 0;
    m_largestFrame = 0;
}

qintptr Connection::descriptor() const
{
    return m_socket ? m_socket->socketDescriptor() : -1;
}

Result<void> Connection::validate(const QString &topicName) const
{
    // Everything else is left to the broker, so that one place decides; but this could not be
    // written into the frame's u16.
    if (topicName.size() > wire::kMaxTopicUnits) {
        return Error::make(
            ErrorKind::InvalidArgument,
            u"a topic name of %1 characters is above the limit of %2"_s.arg(topicName.size())
                .arg(wire::kMaxTopicUnits));
    }
    return {};
}

Result<void> Connection::validate(const wire::FetchRequest &request) const
{
    const qint32 hold = std::min(request.maxWaitMillis, wire::kMaxHoldMs);
    if (hold > 0 && hold >= m_config.requestTimeout.count()) {
        return Error::make(ErrorKind::InvalidArgument,
                           u"a wait of %1 ms is not below the request timeout of %2 ms: an answer "
                           "held that long would be taken for a lost one"_s.arg(hold)
                               .arg(m_config.requestTimeout.count()));
    }
    return validate(request.topicName);
}

Result<qint32> Connection::send(const wire::ProduceRequest &request, const CallContext &context)
{
    m_requestLeft = false;
    const ErrorPlace where{request.topicName, PartitionId{request.partitionId}, {}, {}, {}};
    if (auto valid = validate(request.topicName); !valid)
        return located(std::move(valid).error());
    // Counted before the body is built: a frame that must not be sent need not be made.
    qint64 bytes = 0;
    for (const QByteArray &record : request.records)
        bytes += record.size();
    if (bytes > wire::kMaxRequestFrame) {
        return located(
            Error::make(ErrorKind::InvalidArgument,
                        u"records of %1 bytes do not fit into a frame of %2"_s.arg(bytes).arg(
                            wire::kMaxRequestFrame),
                        where));
    }
    return sendRequest(wire::ApiKey::Produce, 1, encodeBody(request),
                       {0, request.ackPolicy == 0, kMaxAnswerFrame, where}, context);
}

Result<qint32> Connection::send(const wire::FetchRequest &request, const CallContext &context)
{
    m_requestLeft = false;
    const ErrorPlace where{
        request.topicName, PartitionId{request.partitionId}, Offset{request.fetchOffset}, {}, {}};
    if (auto valid = validate(request); !valid) {
        Error error = std::move(valid).error();
        error.where = where;
        return located(std::move(error));
    }
    const qint64 limit = qint64(std::max(request.maxBytes, 0)) + wire::kFetchResponseOverhead;
    return sendRequest(wire::ApiKey::Fetch, 2, encodeBody(request, 2), {0, false, limit, where},
                       context);
}

Result<qint32> Connection::send(const wire::MetadataRequest &request, const CallContext &context)
{
    m_requestLeft = false;
    for (const QString &name : request.topicNames) {
        if (auto valid = validate(name); !valid)
            return located(std::move(valid).error());
    }
    ErrorPlace where;
    if (request.topicNames.size() == 1)
        where.topic = request.topicNames.first();
    return sendRequest(wire::ApiKey::Metadata, 1, encodeBody(request),
                       {0, false, kMaxAnswerFrame, where}, context);
}

Result<qint32> Connection::sendRequest(wire::ApiKey key, qint16 version, const QByteArray &body,
                                       Pending pending, const CallContext &context)
{
    const CallContext limited = context.within(m_config.requestTimeout);
    // A connection that was idle may have ended since. Seen before sending, that costs nothing;
    // seen afterwards, a publish would have an unknown outcome.
    if (isOpen()) {
        const bool awaited = isAwaited();
        if (auto pumped = pump(); !pumped) {
            if (awaited)
                return std::move(pumped).error();
            qCDebug(lcBooblik) << "reconnecting:" << describe(pumped.error());
        }
    }
    if (auto opened = open(limited); !opened)
        return std::move(opened).error();

    pending.correlationId =
        m_lastCorrelationId == std::numeric_limits<qint32>::max() ? 1 : m_lastCorrelationId + 1;
    const auto frame = encodeRequestFrame(key, version, pending.correlationId, body);
    if (!frame)
        return located(frame.error(), &pending);
    m_lastCorrelationId = pending.correlationId;
    const qint32 correlationId = pending.correlationId;
    const ErrorPlace where = pending.where;
    m_pending.push_back(std::move(pending));
    if (auto written = write(*frame, limited); !written) {
        Error error = std::move(written).error();
        if (isOpen() && !m_requestLeft)
            m_pending.pop_back();
        else if (isOpen())
            error = drop(std::move(error));
        error.where = where;
        return located(std::move(error));
    }
    return correlationId;
}

Result<void> Connection::write(const QByteArray &frame, const CallContext &context)
{
    std::span<const std::byte> left = asBytes(frame);
    while (!left.empty()) {
        if (auto interruption = context.interruption()) {
            interruption->detail = u"while sending, %1 of %2 bytes had left"_s
                                       .arg(frame.size() - qsizetype(left.size()))
                                       .arg(frame.size());
            return *std::move(interruption);
        }
        const Transfer sent = sendBytes(descriptor(), left);
        if (sent.state == Transfer::State::Done) {
            m_requestLeft = true;
            left = left.subspan(size_t(sent.bytes));
            continue;
        }
        if (sent.state != Transfer::State::Blocked)
            return drop(Error::make(ErrorKind::Network, sent.error));
        // Reading too: a peer that has closed may let us write on until its buffers are full, and
        // one that waits for us to take its answers would never take our bytes.
        SocketWait wait{descriptor(), true, true};
        waitForSockets(std::span(&wait, 1), context.slice());
        if (wait.readable) {
            if (auto pumped = pump(); !pumped)
                return pumped;
        }
    }
    return {};
}

Result<Answer> Connection::receive(const CallContext &context)
{
    const CallContext limited = context.within(m_config.requestTimeout);
    for (;;) {
        auto answer = tryReceive();
        if (!answer)
            return std::move(answer).error();
        if (*answer)
            return *std::move(answer).value();
        if (auto interruption = limited.interruption()) {
            interruption->detail =
                u"no answer came, %1 requests outstanding"_s.arg(m_pending.size());
            return drop(*std::move(interruption));
        }
        SocketWait wait{descriptor(), true, false};
        waitForSockets(std::span(&wait, 1), limited.slice());
    }
}

Result<std::optional<Answer>> Connection::tryReceive()
{
    if (m_ready.empty()) {
        if (!isOpen())
            return located(Error::make(ErrorKind::Network, u"the connection is closed"_s));
        if (auto pumped = pump(); !pumped)
            return std::move(pumped).error();
        if (m_ready.empty())
            return std::optional<Answer>();
    }
    Result<Answer> next = std::move(m_ready.front());
    m_ready.pop_front();
    if (!next)
        return std::move(next).error();
    return std::optional(std::move(next).value());
}

Result<void> Connection::pump()
{
    while (m_ready.empty() || !m_pending.empty()) {
        const bool inLength = m_lengthRead < qsizetype(m_length.size());
        if (!inLength && m_frameRead == m_frame.size()) {
            // Twice what has come, so that memory follows the bytes and not the claim.
            const qsizetype size = std::min(m_frameLength, m_frameRead * 2);
            m_frame.reserve(size); // resize() alone would round up to a power of two
            m_frame.resize(size);
        }
        const std::span<std::byte> into =
            inLength ? std::span(m_length).subspan(size_t(m_lengthRead))
                     : std::as_writable_bytes(std::span(m_frame.data(), size_t(m_frame.size())))
                           .subspan(size_t(m_frameRead));
        const Transfer received = receiveBytes(descriptor(), into);
        switch (received.state) {
        case Transfer::State::Blocked:
            return {};
        case Transfer::State::Ended:
            return drop(
                Error::make(ErrorKind::Network,
                            u"the broker closed the connection, %1 requests outstanding"_s.arg(
                                m_pending.size())));
        case Transfer::State::Failed:
            return drop(Error::make(ErrorKind::Network, received.error));
        case Transfer::State::Done:
            break;
        }
        if (inLength) {
            m_lengthRead += received.bytes;
            if (m_lengthRead < qsizetype(m_length.size()))
                continue;
            if (auto started = startFrame(); !started)
                return started;
            continue;
        }
        m_frameRead += received.bytes;
        if (m_frameRead < m_frameLength)
            continue;
        if (auto accepted = acceptFrame(); !accepted)
            return accepted;
        if (!m_ready.empty())
            return {};
    }
    return {};
}

qint64 Connection::frameLimit() const
{
    const auto answered = std::find_if(m_pending.begin(), m_pending.end(),
                                       [](const Pending &pending) { return !pending.silent; });
    return answered == m_pending.end()
               ? wire::kMinResponseFrame
               : std::max<qint64>(answered->maxFrameLength, wire::kMinResponseFrame);
}

Result<void> Connection::startFrame()
{
    const auto length = qFromBigEndian<qint32>(m_length.data());
    const qint64 limit = frameLimit();
    if (length < wire::kMinResponseFrame || length > limit) {
        return drop(
            Error::make(ErrorKind::Protocol,
                        u"an answer announces %1 bytes where %2 to %3 are allowed"_s.arg(length)
                            .arg(wire::kMinResponseFrame)
                            .arg(limit)));
    }
    m_frameLength = length;
    m_frameRead = 0;
    m_frame = QByteArray(std::min(m_frameLength, std::max(kFirstAllocation, 2 * m_largestFrame)),
                         Qt::Uninitialized);
    return {};
}

Result<void> Connection::acceptFrame()
{
    m_lengthRead = 0;
    m_largestFrame = std::max(m_largestFrame, m_frameLength);
    QByteArray frame = std::exchange(m_frame, {});
    const auto header = decodeResponseHeader(asBytes(frame));
    if (!header)
        return drop(header.error());

    // Answers come in the order of the requests, so one to a later request settles the silent ones.
    while (!m_pending.empty() && m_pending.front().silent &&
           m_pending.front().correlationId != header->correlationId)
        m_pending.pop_front();
    if (m_pending.empty() || m_pending.front().correlationId != header->correlationId) {
        return drop(Error::make(
            ErrorKind::Protocol,
            m_pending.empty()
                ? u"an answer to %1 although no request is outstanding"_s.arg(header->correlationId)
                : u"an answer to %1 where the oldest request is %2"_s.arg(header->correlationId)
                      .arg(m_pending.front().correlationId)));
    }
    const Pending request = std::move(m_pending.front());
    m_pending.pop_front();
    if (header->errorCode != 0) {
        Error error = Error::make(ErrorKind::Broker, {}, request.where);
        error.brokerCode = header->errorCode;
        error.brokerName = wire::errorCodeName(header->errorCode);
        error = located(std::move(error));
        if (request.silent)
            m_lateErrors.append({request.correlationId, std::move(error)});
        else
            m_ready.emplace_back(std::move(error));
        return {};
    }
    if (request.silent) {
        return drop(Error::make(
            ErrorKind::Protocol,
            u"a success answer to request %1 with ack policy NONE"_s.arg(request.correlationId)));
    }
    m_ready.emplace_back(Answer{std::move(frame)});
    return {};
}

Result<wire::MetadataResponse> Connection::metadata(const QList<QString> &topics,
                                                    const CallContext &context)
{
    if (auto sent = send(wire::MetadataRequest{topics}, context); !sent)
        return std::move(sent).error();
    auto answer = receive(context);
    if (!answer)
        return std::move(answer).error();
    auto decoded = decodeMetadataResponse(answer->body());
    if (!decoded)
        return drop(std::move(decoded).error());
    return decoded;
}

bool Connection::isAwaited() const
{
    return !m_ready.empty() || std::any_of(m_pending.begin(), m_pending.end(),
                                           [](const Pending &pending) { return !pending.silent; });
}

bool Connection::hasUnsettled() const
{
    return std::any_of(m_pending.begin(), m_pending.end(),
                       [](const Pending &pending) { return pending.silent; });
}

Result<void> Connection::settle(const CallContext &context)
{
    if (!hasUnsettled())
        return {};
    Q_ASSERT(m_pending.back().silent); // answers to others have been received
    // Copied: the request is gone once its answer, or the next one's, has come.
    const ErrorPlace where = m_pending.back().where;
    const quint64 epoch = m_epoch;
    auto answer = metadata({where.topic}, context);
    if (!answer && answer.error().kind != ErrorKind::Broker)
        return std::move(answer).error();
    if (m_epoch != epoch) {
        return located(Error::make(ErrorKind::Network,
                                   u"the connection was lost with requests on it"_s, where));
    }
    return {};
}

Error Connection::drop(Error error)
{
    const std::optional<Pending> oldest =
        m_pending.empty() ? std::nullopt : std::optional(m_pending.front());
    close();
    return located(std::move(error), oldest ? &*oldest : nullptr);
}

Error Connection::located(Error error, const Pending *request) const
{
    if (request && error.where.topic.isEmpty())
        error.where = request->where;
    error.where.endpoint = m_config.endpoint();
    return error;
}

} // namespace topicscope::booblik
