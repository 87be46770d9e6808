#include "tests/support/rawclient.h"

#include <QDeadlineTimer>
#include <QHostAddress>
#include <QtEndian>

#include <sys/socket.h>

namespace topicscope::test
{

namespace
{

constexpr int kLimitMs = 10'000;

} // namespace

QByteArray nameField(const QByteArray &utf8)
{
    return be16(qint16(utf8.size())) + utf8;
}

QByteArray requestFrame(qint16 key, qint16 version, qint32 id, const QByteArray &body)
{
    return be32(qint32(8 + body.size())) + be16(key) + be16(version) + be32(id) + body;
}

QByteArray produceFrame(qint32 id, const QByteArray &topic, qint32 partition, char ack,
                        const QList<QByteArray> &records)
{
    QByteArray body = nameField(topic) + be32(partition) + ack + be32(qint32(records.size()));
    for (const QByteArray &record : records)
        body += be32(qint32(record.size())) + record;
    return requestFrame(1, 1, id, body);
}

QByteArray fetchFrame(qint32 id, const QByteArray &topic, qint32 partition, qint64 offset,
                      qint32 maxBytes, qint32 waitMs, qint32 minBytes)
{
    return requestFrame(2, 2, id,
                        nameField(topic) + be32(partition) + be64(offset) + be32(maxBytes) +
                            be32(waitMs) + be32(minBytes));
}

QByteArray metadataFrame(qint32 id, const QList<QByteArray> &topics)
{
    QByteArray body = be32(qint32(topics.size()));
    for (const QByteArray &topic : topics)
        body += nameField(topic);
    return requestFrame(3, 1, id, body);
}

QByteArray errorFrame(qint32 id, qint16 code)
{
    return be32(6) + be32(id) + be16(code);
}

QByteArray produceAnswer(qint32 id, qint64 base, qint64 end)
{
    return be32(22) + be32(id) + be16(0) + be64(base) + be64(end);
}

QByteArray fetchAnswer(qint32 id, qint64 highWatermark, const QByteArray &payload)
{
    return be32(qint32(18 + payload.size())) + be32(id) + be16(0) + be64(highWatermark) +
           be32(qint32(payload.size())) + payload;
}

RawClient::RawClient(quint16 port)
{
    m_socket.connectToHost(QHostAddress(QHostAddress::LocalHost), port);
    m_socket.waitForConnected(kLimitMs);
    m_socket.setSocketOption(QAbstractSocket::LowDelayOption, 1);
}

void RawClient::send(const QByteArray &bytes)
{
    m_socket.write(bytes);
    while (m_socket.bytesToWrite() > 0 && m_socket.waitForBytesWritten(kLimitMs)) {
    }
}

QByteArray RawClient::receive(qsizetype bytes)
{
    const QDeadlineTimer deadline(kLimitMs);
    while (m_socket.bytesAvailable() < bytes &&
           m_socket.waitForReadyRead(int(deadline.remainingTime()))) {
    }
    return m_socket.read(bytes);
}

QByteArray RawClient::receiveFrame()
{
    const QByteArray length = receive(4);
    if (length.size() < 4)
        return length;
    return length + receive(qFromBigEndian<qint32>(length.constData()));
}

QByteArray RawClient::exchange(const QByteArray &request)
{
    send(request);
    return receiveFrame();
}

void RawClient::finishSending()
{
    shutdown(int(m_socket.socketDescriptor()), SHUT_WR);
}

void RawClient::reset()
{
    const linger now = {1, 0};
    setsockopt(int(m_socket.socketDescriptor()), SOL_SOCKET, SO_LINGER, &now, sizeof(now));
    m_socket.abort();
}

bool RawClient::sawClose()
{
    if (m_socket.bytesAvailable() == 0 && m_socket.state() == QAbstractSocket::ConnectedState)
        m_socket.waitForReadyRead(kLimitMs);
    return m_socket.bytesAvailable() == 0 && m_socket.state() == QAbstractSocket::UnconnectedState;
}

bool RawClient::isSilentFor(int ms)
{
    return m_socket.bytesAvailable() == 0 && !m_socket.waitForReadyRead(ms) &&
           m_socket.state() == QAbstractSocket::ConnectedState;
}

} // namespace topicscope::test
