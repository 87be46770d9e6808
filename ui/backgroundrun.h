#pragma once

#include <QFutureWatcher>
#include <QPromise>
#include <QThreadPool>

#include <memory>
#include <stop_token>
#include <utility>

namespace topicscope::ui
{

/// Does one thing at a time on a thread of the global pool, and hands the result to the thread that
/// asked. Another one takes its place: the one before is told to stop, and nothing comes of it.
/// The same when this ends. Thread: that of its owner; never waits.
template <typename T>
class BackgroundRun final
{
public:
    BackgroundRun() = default;
    ~BackgroundRun() { cancel(); }
    Q_DISABLE_COPY_MOVE(BackgroundRun)

    bool isRunning() const { return m_watcher != nullptr; }

    /// @param work  T(const std::stop_token &), on another thread: what it needs it brings along
    /// @param done  void(const T &), on this one
    template <typename Work, typename Done>
    void start(Work work, Done done)
    {
        cancel();
        m_stop = std::stop_source();
        // Shared: a pool's task must be copyable, a promise is not.
        auto promise = std::make_shared<QPromise<T>>();
        m_watcher = std::make_unique<QFutureWatcher<T>>();
        QObject::connect(m_watcher.get(), &QFutureWatcherBase::finished, m_watcher.get(),
                         [this, done = std::move(done)] {
                             // Its own signal is running, and `done` may start another one.
                             QFutureWatcher<T> *finished = m_watcher.release();
                             finished->deleteLater();
                             if (const QFuture<T> future = finished->future();
                                 future.resultCount() > 0)
                                 done(future.result());
                         });
        m_watcher->setFuture(promise->future());
        QThreadPool::globalInstance()->start(
            [promise, work = std::move(work), stop = m_stop.get_token()] {
                promise->start();
                if (!stop.stop_requested())
                    promise->addResult(work(stop));
                promise->finish();
            });
    }

    void cancel()
    {
        m_stop.request_stop();
        m_watcher.reset();
    }

private:
    std::stop_source m_stop;
    std::unique_ptr<QFutureWatcher<T>> m_watcher;
};

} // namespace topicscope::ui
