#pragma once

#include "core/session/workerthread.h"
#include "core/transfer/publishrun.h"

#include <QObject>

#include <stop_token>

namespace topicscope::transfer
{

struct PublishFileRequest {
    enum class Purpose {
        Look,    ///< at the first records; asks no broker
        Check,   ///< what would become of each
        Publish, ///< each, once
    };
    Purpose purpose = Purpose::Publish;
    QString path;
    SourceFormat format = SourceFormat::Ndjson;
    CsvMapping mapping;
    PublishPlan plan;
    QString outcomes;    ///< path of the file with what became of each record
    bool resume = false; ///< go on with it
    PublishTarget known; ///< to Look: as far as it is
};

/// One record as it would be published, in short.
struct PlannedRow {
    qint64 number = 0;
    std::optional<PartitionId> partition; ///< nullopt: any
    std::optional<QByteArray> key;        ///< at most 200 bytes
    std::optional<QByteArray> value;      ///< at most 200 bytes
    HeaderList headers;                   ///< the first ten, at most 200 bytes of each part
    qsizetype headerCount = 0;
    std::optional<qint64> timestampMs; ///< nullopt: when it is sent
    QString refusal;
};

/// Publishing from a file, or a look at what would be, in the background, on a thread and, but to
/// Look, on a session of its own.
/// Thread: lives on its creator's thread; all signals arrive there, never from inside a call.
class PublishHandle final : public QObject
{
    Q_OBJECT
public:
    static constexpr int kMaxRows = 500; ///< of a check that are told
    static constexpr int kLookRows = 20;

    PublishHandle(const SessionFactory &factory, const SessionConfig &config,
                  const PublishFileRequest &request, QObject *parent = nullptr);
    /// Stops and does not wait. What was sent last has its outcome in the file all the same.
    ~PublishHandle() override;
    Q_DISABLE_COPY_MOVE(PublishHandle)

    /// Ends in finished() soon.
    void cancel() { m_stop.request_stop(); }

signals:
    /// Of a CSV file, before anything else.
    void columnsFound(const QStringList &names);
    /// Of a look or a check: the first records.
    void planned(const QList<topicscope::transfer::PlannedRow> &rows);
    void progressed(const topicscope::transfer::PublishProgress &progress);
    /// The last signal, also after cancel(). But to Publish, published and refused are
    /// what would be; a look has finished when there are no more records than it looked at.
    void finished(const topicscope::transfer::PublishSummary &summary);

private:
    std::stop_source m_stop;
    ReleasedThread m_thread;
};

} // namespace topicscope::transfer
