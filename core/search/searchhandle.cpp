#include "core/search/searchhandle.h"

#include "core/search/searchworker.h"

namespace topicscope::search
{

using namespace Qt::StringLiterals;

SearchHandle::SearchHandle(const SessionFactory &factory, const SessionConfig &config,
                           SearchRequest request, QObject *parent)
    : QObject(parent)
    , m_worker(new SearchWorker(factory, config, std::move(request), m_stop.get_token()))
    , m_thread(new QThread)
{
    m_thread->setObjectName(u"search %1"_s.arg(config.endpoint()));
    m_worker->moveToThread(m_thread.get());
    connect(m_thread.get(), &QThread::started, m_worker, &SearchWorker::run);
    connect(m_thread.get(), &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_worker, &SearchWorker::planned, this, &SearchHandle::planned);
    connect(m_worker, &SearchWorker::kept, this, &SearchHandle::found);
    connect(m_worker, &SearchWorker::told, this, &SearchHandle::progressed);
    connect(m_worker, &SearchWorker::finished, this, &SearchHandle::finished);
    connect(m_worker, &SearchWorker::failed, this, &SearchHandle::failed);
    m_thread->start();
}

SearchHandle::~SearchHandle()
{
    m_stop.request_stop();
}

} // namespace topicscope::search
