#include "core/session/workerthread.h"

#include <QCoreApplication>
#include <QPointer>
#include <QSemaphore>
#include <QTest>

#include <atomic>

using namespace topicscope;

namespace
{

QSemaphore goOn;
std::atomic<int> ended = 0;

class BlockedThread final : public QThread
{
protected:
    void run() override
    {
        goOn.acquire();
        ++ended;
    }
};

ReleasedThread startBlocked()
{
    ReleasedThread thread(new BlockedThread);
    thread->start();
    return thread;
}

} // namespace

class tst_WorkerThread : public QObject
{
    Q_OBJECT
private slots:
    void releasedThreadEndsByItself();
    void runningThreadsAreJoinedWhenTheApplicationEnds();
};

void tst_WorkerThread::releasedThreadEndsByItself()
{
    int argc = 0;
    const QCoreApplication application(argc, nullptr);
    ended = 0;
    ReleasedThread thread = startBlocked();
    const QPointer<QThread> seen = thread.get();
    thread.reset();
    QCOMPARE(ended, 0);
    goOn.release();
    QTRY_VERIFY(seen.isNull());
    QCOMPARE(ended, 1);
}

void tst_WorkerThread::runningThreadsAreJoinedWhenTheApplicationEnds()
{
    ended = 0;
    {
        int argc = 0;
        const QCoreApplication application(argc, nullptr);
        startBlocked().reset();
        startBlocked().reset();
        qAddPostRoutine([] { goOn.release(2); }); // runs before those added earlier
    }
    QCOMPARE(ended, 2);
}

QTEST_APPLESS_MAIN(tst_WorkerThread)
#include "tst_workerthread.moc"
