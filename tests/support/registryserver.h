#pragma once

#include <QHash>
#include <QMutex>
#include <QTcpServer>
#include <QTcpSocket>
#include <QThread>

#include <atomic>

namespace topicscope::test
{

/// A schema registry on loopback: answers by path, on a thread of its own, so that whoever asks may
/// block. Any other path is 404, as a registry has it. It keeps the requests as they came.
class RegistryServer final : public QThread
{
public:
    RegistryServer()
    {
        start();
        while (m_port == 0)
            msleep(1);
    }
    ~RegistryServer() override
    {
        m_ending = true;
        wait();
    }
    Q_DISABLE_COPY_MOVE(RegistryServer)

    QString url() const { return QStringLiteral("http://127.0.0.1:%1").arg(m_port); }

    void answer(const QByteArray &path, const QByteArray &body)
    {
        const QMutexLocker lock(&m_mutex);
        m_bodies.insert(path, body);
    }
    /// For whatever is asked from now on, e.g. "401 Unauthorized"; "" = by path again.
    void refuseWith(const QByteArray &status)
    {
        const QMutexLocker lock(&m_mutex);
        m_status = status;
    }
    /// "/schemas/ids/7", …, in the order asked.
    QList<QByteArray> paths() const
    {
        QList<QByteArray> result;
        const QMutexLocker lock(&m_mutex);
        for (const QByteArray &request : m_requests)
            result.append(request.split(' ').value(1));
        return result;
    }
    QList<QByteArray> requests() const
    {
        const QMutexLocker lock(&m_mutex);
        return m_requests;
    }

protected:
    void run() override
    {
        QTcpServer server;
        server.listen(QHostAddress::LocalHost);
        m_port = server.serverPort();
        while (!m_ending) {
            if (!server.waitForNewConnection(20))
                continue;
            QTcpSocket *socket = server.nextPendingConnection();
            QByteArray request;
            while (!request.contains("\r\n\r\n") && socket->waitForReadyRead(2'000))
                request += socket->readAll();
            socket->write(answerTo(request));
            socket->disconnectFromHost();
            if (socket->state() != QAbstractSocket::UnconnectedState)
                socket->waitForDisconnected(2'000);
        }
    }

private:
    QByteArray answerTo(const QByteArray &request)
    {
        const QMutexLocker lock(&m_mutex);
        m_requests.append(request);
        const auto found = m_bodies.constFind(request.split(' ').value(1));
        QByteArray status = m_status;
        QByteArray body = "{\"error_code\":40403,\"message\":\"Schema not found\"}";
        if (status.isEmpty() && found != m_bodies.constEnd()) {
            status = "200 OK";
            body = *found;
        } else if (status.isEmpty()) {
            status = "404 Not Found";
        }
        return "HTTP/1.1 " + status +
               "\r\nContent-Type: application/vnd.schemaregistry.v1+json\r\nConnection: close\r\n"
               "Content-Length: " +
               QByteArray::number(body.size()) + "\r\n\r\n" + body;
    }

    mutable QMutex m_mutex;
    QHash<QByteArray, QByteArray> m_bodies;
    QByteArray m_status;
    QList<QByteArray> m_requests;
    std::atomic<quint16> m_port = 0;
    std::atomic<bool> m_ending = false;
};

} // namespace topicscope::test
