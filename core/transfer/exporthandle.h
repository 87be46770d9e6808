#pragma once

#include "core/session/workerthread.h"
#include "core/transfer/exportjob.h"

#include <QObject>

#include <stop_token>

namespace topicscope::transfer
{

struct ExportRequest {
    ExportChoice choice;
    ExportOptions options;
    ExportFormat format = ExportFormat::Ndjson;
    QString path;
    bool overwrite = false;
};

/// An export in the background, on a session and a thread of its own.
/// Thread: lives on its creator's thread; all signals arrive there, never from inside a call.
class ExportHandle final : public QObject
{
    Q_OBJECT
public:
    ExportHandle(const SessionFactory &factory, const SessionConfig &config,
                 const ExportRequest &request, QObject *parent = nullptr);
    /// Cancels and does not wait.
    ~ExportHandle() override;
    Q_DISABLE_COPY_MOVE(ExportHandle)

    /// Ends in finished() soon.
    void cancel() { m_stop.request_stop(); }

signals:
    void progressed(const topicscope::transfer::ExportProgress &progress);
    /// The last signal, also after cancel(). Without a path: nothing was written.
    void finished(const topicscope::transfer::ExportSummary &summary);

private:
    std::stop_source m_stop;
    ReleasedThread m_thread;
};

} // namespace topicscope::transfer
