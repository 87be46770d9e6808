#pragma once

#include "core/doctor/doctor.h"
#include "core/session/workerthread.h"

#include <QObject>

#include <stop_token>

namespace topicscope::ui
{

/// Examines one connection on a thread of its own; see doctor::examine().
/// Thread: GUI; nothing here waits.
class DoctorRun final : public QObject
{
    Q_OBJECT
public:
    explicit DoctorRun(SessionFactory factory, QObject *parent = nullptr);
    /// Stops it and does not wait.
    ~DoctorRun() override;
    Q_DISABLE_COPY_MOVE(DoctorRun)

    /// Ends with finished(). One that runs already is stopped without a signal.
    void start(const SessionConfig &config);
    /// No signal comes any more.
    void stop();
    bool isRunning() const { return m_thread != nullptr; }

signals:
    void checked(const topicscope::doctor::Check &check);
    /// The error tells why it ended early; its kind is meaningless when `complete`.
    void finished(bool complete, bool passed, const topicscope::Error &error);

private:
    SessionFactory m_factory;
    std::stop_source m_stop;
    ReleasedThread m_thread;
};

} // namespace topicscope::ui
