#pragma once

#include "tests/support/hostilebroker.h" // be16(), be32(), be64()

#include <QByteArray>
#include <QString>
#include <QTcpSocket>

namespace topicscope::test
{

// Requests written by hand, byte for byte, so that a test of a broker does not lean on our codecs.
/// u16 length + UTF-8
QByteArray nameField(const QByteArray &utf8);
/// A whole request frame.
QByteArray requestFrame(qint16 key, qint16 version, qint32 id, const QByteArray &body);
QByteArray produceFrame(qint32 id, const QByteArray &topic, qint32 partition, char ack,
                        const QList<QByteArray> &records);
QByteArray fetchFrame(qint32 id, const QByteArray &topic, qint32 partition, qint64 offset,
                      qint32 maxBytes, qint32 waitMs = 0, qint32 minBytes = 0);
QByteArray metadataFrame(qint32 id, const QList<QByteArray> &topics = {});
/// length 6, id, code
QByteArray errorFrame(qint32 id, qint16 code);
QByteArray produceAnswer(qint32 id, qint64 base, qint64 end);
QByteArray fetchAnswer(qint32 id, qint64 highWatermark, const QByteArray &payload);

/// A blocking client that sends and receives bytes, nothing else. For a broker on another thread or
/// in another process.
class RawClient
{
public:
    explicit RawClient(quint16 port);

    void send(const QByteArray &bytes);
    /// That many bytes; fewer when the peer closes or ten seconds go by.
    QByteArray receive(qsizetype bytes);
    /// One whole frame, its length included.
    QByteArray receiveFrame();
    QByteArray exchange(const QByteArray &request);
    /// Shuts down our sending side only.
    void finishSending();
    /// Closes with a reset.
    void reset();
    /// True when the peer closes within ten seconds without sending anything before.
    bool sawClose();
    /// Bytes that came, after waiting so long for them.
    bool isSilentFor(int ms);
    QTcpSocket &socket() { return m_socket; }

private:
    QTcpSocket m_socket;
};

} // namespace topicscope::test
