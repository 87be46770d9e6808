#include "core/session/workerthread.h"

#include <QCoreApplication>
#include <QList>
#include <QMutex>

#include <utility>

namespace topicscope
{

namespace
{

/// Threads that were let go and have not been deleted yet.
class ReleasedThreads
{
public:
    void add(QThread *thread)
    {
        const QMutexLocker lock(&m_mutex);
        m_threads.append(thread);
    }
    void remove(QThread *thread)
    {
        const QMutexLocker lock(&m_mutex);
        m_threads.removeOne(thread);
    }
    QList<QThread *> take()
    {
        const QMutexLocker lock(&m_mutex);
        return std::exchange(m_threads, {});
    }

private:
    QMutex m_mutex;
    QList<QThread *> m_threads;
};

ReleasedThreads &releasedThreads()
{
    static ReleasedThreads threads;
    return threads;
}

/// All of them were asked to end before, so they end side by side.
void joinReleasedThreads()
{
    for (QThread *thread : releasedThreads().take()) {
        thread->wait();
        delete thread;
    }
}

} // namespace

void ThreadReleaser::operator()(QThread *thread) const
{
    releasedThreads().add(thread);
    QObject::connect(thread, &QObject::destroyed, [thread] { releasedThreads().remove(thread); });
    QObject::connect(thread, &QThread::finished, thread, &QObject::deleteLater);
    thread->quit();
    if (!QCoreApplication::instance()) { // nobody will come round to it later
        joinReleasedThreads();
        return;
    }
    qRemovePostRoutine(joinReleasedThreads); // once is enough
    qAddPostRoutine(joinReleasedThreads);
}

} // namespace topicscope
