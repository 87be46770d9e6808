#pragma once

#include <QMutex>
#include <QMutexLocker>
#include <QTcpServer>
#include <QTcpSocket>
#include <QThread>

#include <atomic>

namespace topicscope::test
{

/// An HTTP server on loopback, on a thread of its own, so that whoever asks may block. It keeps the
/// requests as they came. What it answers is its subclass's; that one's destructor calls end().
class HttpServer : public QThread
{
public:
    Q_DISABLE_COPY_MOVE(HttpServer)

    QString url() const { return QStringLiteral("http://127.0.0.1:%1").arg(m_port); }
    QList<QByteArray> requests() const
    {
        const QMutexLocker lock(&m_mutex);
        return m_requests;
    }

protected:
    HttpServer()
    {
        start();
        while (m_port == 0)
            msleep(1);
    }
    ~HttpServer() override { end(); }
    void end()
    {
        m_ending = true;
        wait();
    }

    /// Whether all of it is there.
    virtual bool isWhole(const QByteArray &request) const { return request.contains("\r\n\r\n"); }
    /// Called with the mutex held. Empty: no answer, and the connection is held open.
    virtual QByteArray answerTo(const QByteArray &request) const = 0;

    static QByteArray answer(const QByteArray &status, const QByteArray &contentType,
                             const QByteArray &body, const QByteArray &moreHeaders = {})
    {
        return "HTTP/1.1 " + status + "\r\n" + moreHeaders + "Content-Type: " + contentType +
               "\r\nConnection: close\r\nContent-Length: " + QByteArray::number(body.size()) +
               "\r\n\r\n" + body;
    }

    mutable QMutex m_mutex; ///< for what subclasses are told as well

private:
    void run() override
    {
        QTcpServer server;
        if (!server.listen(QHostAddress::LocalHost))
            qFatal("no port on loopback");
        m_port = server.serverPort();
        while (!m_ending) {
            if (!server.waitForNewConnection(20))
                continue;
            QTcpSocket *socket = server.nextPendingConnection();
            QByteArray request;
            while (!isWhole(request) && socket->waitForReadyRead(2'000))
                request += socket->readAll();
            QByteArray bytes;
            {
                const QMutexLocker lock(&m_mutex);
                m_requests.append(request);
                bytes = answerTo(request);
            }
            if (bytes.isEmpty())
                continue;
            socket->write(bytes);
            socket->disconnectFromHost();
            if (socket->state() != QAbstractSocket::UnconnectedState)
                socket->waitForDisconnected(2'000);
        }
    }

    QList<QByteArray> m_requests;
    std::atomic<quint16> m_port = 0;
    std::atomic<bool> m_ending = false;
};

} // namespace topicscope::test
