#pragma once

#include "core/search/hitlist.h"
#include "core/search/search.h"
#include "core/session/workerthread.h"

#include <QObject>

#include <stop_token>
#include <vector>

namespace topicscope::search
{

/// What a SearchHandle is to do.
struct SearchRequest {
    QList<TopicPartition> partitions;
    SearchScope scope;
    Filter filter;
    SearchOptions options;
    qint64 maxHits = 100'000;                      ///< kept; all are counted
    qint64 maxHitBytes = qint64{64} * 1024 * 1024; ///< kept
    /// Of an earlier search that was cancelled or failed in part: gone on with, in place of
    /// partitions and scope.
    Ledger resumed = {};
};

/// What came of it.
struct SearchResult {
    Ledger ledger; ///< can be resumed
    /// Sorted by partition and offset: the first of them all, up to the request's limits. Of a
    /// resumed search those of this run.
    std::vector<RecordChunkPtr> hits;
    qint64 found = 0; ///< kept or not
    qint64 kept = 0;
};

class SearchWorker;

/// A search in the background, on sessions and threads of its own.
///
/// Hits are told as they are found, in whatever order the partitions bring them; those told may yet
/// give way to earlier ones, beyond the limits. Which are kept does not depend on that order and is
/// in the result.
///
/// Thread: lives on its creator's thread; all signals arrive there, never from inside a call.
class SearchHandle final : public QObject
{
    Q_OBJECT
public:
    SearchHandle(const SessionFactory &factory, const SessionConfig &config, SearchRequest request,
                 QObject *parent = nullptr);
    /// Cancels and does not wait.
    ~SearchHandle() override;
    Q_DISABLE_COPY_MOVE(SearchHandle)

    /// Ends in finished() soon, or in failed().
    void cancel() { m_stop.request_stop(); }

signals:
    /// The scope is known: all of it pending, or what the resumed ledger has.
    void planned(const topicscope::search::Ledger &ledger);
    /// `partition` is its number in the ledger.
    void found(size_t partition, const topicscope::RecordChunkPtr &hits);
    void progressed(const topicscope::search::SearchProgress &progress);
    /// The last signal, unless failed() is; also after cancel().
    void finished(const topicscope::search::SearchResult &result);
    /// Nobody can say what there is to search.
    void failed(const topicscope::Error &error);

private:
    std::stop_source m_stop;
    SearchWorker *m_worker; ///< lives on m_thread and dies with it, not with this
    ReleasedThread m_thread;
};

} // namespace topicscope::search
