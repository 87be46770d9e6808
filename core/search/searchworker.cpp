#include "core/search/searchworker.h"

#include <QThread>

#include <memory>

namespace topicscope::search
{

SearchWorker::SearchWorker(SessionFactory factory, SessionConfig config, SearchRequest request,
                           std::stop_token stop)
    : m_factory(std::move(factory))
    , m_config(std::move(config))
    , m_request(std::move(request))
    , m_stop(std::move(stop))
    , m_hits(m_request.maxHits, m_request.maxHitBytes)
{
}

Result<Ledger> SearchWorker::plan()
{
    if (!m_request.resumed.empty()) {
        Ledger ledger = m_request.resumed;
        for (PartitionLedger &partition : ledger)
            partition.reopen();
        return ledger;
    }
    const std::unique_ptr<BrokerSession> session = m_factory(m_config);
    return planSearch(*session, m_request.partitions, m_request.scope,
                      CallContext(m_config.requestTimeout, m_stop));
}

void SearchWorker::run()
{
    Q_ASSERT(QThread::currentThread() == thread());
    auto ledger = plan();
    if (!ledger) {
        emit failed(ledger.error());
        return;
    }
    emit planned(*ledger);
    runSearch(m_factory, m_config, m_request.filter, m_request.options, *ledger, *this, m_stop);
    emit finished({std::move(*ledger), m_hits.chunks(), m_hits.found(), m_hits.kept()});
}

void SearchWorker::found(size_t partition, const RecordChunkPtr &hits)
{
    RecordChunkPtr kept;
    {
        const std::scoped_lock lock(m_mutex);
        kept = m_hits.add(partition, hits);
    }
    if (kept)
        emit this->kept(partition, kept);
}

} // namespace topicscope::search
