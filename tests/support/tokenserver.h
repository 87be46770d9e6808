#pragma once

#include <QMutex>
#include <QTcpServer>
#include <QTcpSocket>
#include <QThread>

#include <atomic>

namespace topicscope::test
{

/// A token endpoint on loopback that answers every request alike, on a thread of its own: whoever
/// asks may block. It keeps the requests as they came.
class TokenServer final : public QThread
{
public:
    TokenServer()
    {
        start();
        while (m_port == 0)
            msleep(1);
    }
    ~TokenServer() override
    {
        m_ending = true;
        wait();
    }
    Q_DISABLE_COPY_MOVE(TokenServer)

    QString url() const { return QStringLiteral("http://127.0.0.1:%1/token").arg(m_port); }

    /// @param status  e.g. "200 OK"; "" = never an answer
    void answerWith(const QByteArray &status, const QByteArray &body,
                    const QByteArray &moreHeaders = {})
    {
        const QMutexLocker lock(&m_mutex);
        m_answer = status.isEmpty() ? QByteArray()
                                    : "HTTP/1.1 " + status + "\r\n" + moreHeaders +
                                          "Content-Type: application/json\r\nConnection: close\r\n"
                                          "Content-Length: " +
                                          QByteArray::number(body.size()) + "\r\n\r\n" + body;
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
            // The form comes last.
            while (!request.contains("grant_type=") && socket->waitForReadyRead(2'000))
                request += socket->readAll();
            QByteArray answer;
            {
                const QMutexLocker lock(&m_mutex);
                m_requests.append(request);
                answer = m_answer;
            }
            if (answer.isEmpty())
                continue; // held open until the server goes
            socket->write(answer);
            socket->disconnectFromHost();
            if (socket->state() != QAbstractSocket::UnconnectedState)
                socket->waitForDisconnected(2'000);
        }
    }

private:
    mutable QMutex m_mutex;
    QByteArray m_answer;
    QList<QByteArray> m_requests;
    std::atomic<quint16> m_port = 0;
    std::atomic<bool> m_ending = false;
};

} // namespace topicscope::test
