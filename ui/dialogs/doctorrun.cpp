#include "ui/dialogs/doctorrun.h"

namespace topicscope::ui
{

namespace
{

constexpr std::chrono::milliseconds kLongest{300'000};

/// What lives on the thread: it reaches the GUI through queued signals alone.
class Examiner final : public QObject
{
    Q_OBJECT
signals:
    void checked(const topicscope::doctor::Check &check);
    void finished(bool complete, bool passed, const topicscope::Error &error);

public:
    void run(const SessionConfig &config, const SessionFactory &factory,
             const std::stop_token &stop)
    {
        const auto passed =
            doctor::examine(config, factory, CallContext(kLongest, stop),
                            [this](const doctor::Check &check) { emit checked(check); });
        emit finished(passed.ok(), passed && *passed, passed ? Error() : passed.error());
    }
};

} // namespace

DoctorRun::DoctorRun(SessionFactory factory, QObject *parent)
    : QObject(parent)
    , m_factory(std::move(factory))
{
}

DoctorRun::~DoctorRun()
{
    stop();
}

void DoctorRun::start(const SessionConfig &config)
{
    stop();
    m_stop = std::stop_source();
    m_thread.reset(new QThread);
    auto *examiner = new Examiner;
    examiner->moveToThread(m_thread.get());
    connect(m_thread.get(), &QThread::finished, examiner, &QObject::deleteLater);
    // Of a run that was stopped since, nothing is passed on.
    const QThread *const thread = m_thread.get();
    connect(examiner, &Examiner::checked, this, [this, thread](const doctor::Check &check) {
        if (m_thread.get() == thread)
            emit checked(check);
    });
    connect(examiner, &Examiner::finished, this,
            [this, thread](bool complete, bool passed, const Error &error) {
                if (m_thread.get() != thread)
                    return;
                m_thread.reset();
                emit finished(complete, passed, error);
            });
    m_thread->start();
    QMetaObject::invokeMethod(examiner,
                              [examiner, config, factory = m_factory, token = m_stop.get_token()] {
                                  examiner->run(config, factory, token);
                              });
}

void DoctorRun::stop()
{
    m_stop.request_stop();
    m_thread.reset();
}

} // namespace topicscope::ui

#include "doctorrun.moc"
