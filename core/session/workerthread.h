#pragma once

#include <QThread>

#include <memory>

namespace topicscope
{

/// Quits the thread's event loop and waits for it. Blocking calls inside must have been cancelled
/// first; then the wait is bounded by their 50 ms.
struct ThreadCloser {
    void operator()(QThread *thread) const
    {
        thread->quit();
        thread->wait();
        delete thread;
    }
};

/// A running thread that ends with its owner. Objects moved to it are deleted on its `finished`.
using WorkerThread = std::unique_ptr<QThread, ThreadCloser>;

/// Quits the thread's event loop and lets go of it: the thread ends by itself, when its blocking
/// call is back, and is then deleted. Those still running when the application object is destroyed
/// are waited for there, all at once. Does not wait; to be called on the thread's creator's thread.
struct ThreadReleaser {
    void operator()(QThread *thread) const;
};

/// A running thread that may outlive its owner by the end of one blocking call, which must have
/// been cancelled before. What runs on it must not reach its owner but through queued signals.
using ReleasedThread = std::unique_ptr<QThread, ThreadReleaser>;

} // namespace topicscope
