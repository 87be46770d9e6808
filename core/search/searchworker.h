#pragma once

#include "core/search/searchhandle.h"

#include <QObject>

#include <mutex>
#include <stop_token>

namespace topicscope::search
{

/// The blocking side of a SearchHandle. Thread: made anywhere, then moved to its own; signals come
/// from the threads that search.
class SearchWorker final : public QObject, public SearchObserver
{
    Q_OBJECT
public:
    SearchWorker(SessionFactory factory, SessionConfig config, SearchRequest request,
                 std::stop_token stop);
    ~SearchWorker() override = default;
    Q_DISABLE_COPY_MOVE(SearchWorker)

    /// All of it; blocking.
    void run();

signals:
    void planned(const topicscope::search::Ledger &ledger);
    void kept(size_t partition, const topicscope::RecordChunkPtr &hits);
    void told(const topicscope::search::SearchProgress &progress);
    void finished(const topicscope::search::SearchResult &result);
    void failed(const topicscope::Error &error);

private:
    Result<Ledger> plan();
    void found(size_t partition, const RecordChunkPtr &hits) override;
    void progressed(const SearchProgress &progress) override { emit told(progress); }

    SessionFactory m_factory;
    SessionConfig m_config;
    SearchRequest m_request;
    std::stop_token m_stop;
    std::mutex m_mutex; ///< the hits
    HitList m_hits;
};

} // namespace topicscope::search
