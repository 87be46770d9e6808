#pragma once

#include "core/session/sessionhandle.h"

#include <QElapsedTimer>
#include <QObject>

#include <memory>

namespace topicscope::ui
{

/// Tries a connection once, by listing its topics, and says in plain words what came of it.
/// Thread: GUI; nothing here waits.
class ConnectionTest final : public QObject
{
    Q_OBJECT
public:
    explicit ConnectionTest(SessionFactory factory, QObject *parent = nullptr);
    ~ConnectionTest() override;
    Q_DISABLE_COPY_MOVE(ConnectionTest)

    bool isRunning() const { return m_session != nullptr; }
    /// A test that runs is given up for the new one.
    void start(const SessionConfig &config);
    /// Ends without finished().
    void cancel();

signals:
    void finished(bool ok, const QString &words);

private:
    void onListed(RequestId id, const TopicList &topics);
    void onFailed(RequestId id, const Error &error);
    void finish(bool ok, const QString &words);

    struct Later {
        void operator()(QObject *object) const { object->deleteLater(); }
    };

    SessionFactory m_factory;
    std::unique_ptr<SessionHandle, Later> m_session;
    RequestId m_request;
    QElapsedTimer m_clock;
};

} // namespace topicscope::ui
