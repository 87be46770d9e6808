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

} // namespace topicscope
