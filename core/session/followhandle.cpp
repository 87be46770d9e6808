#include "core/session/followhandle.h"

#include "core/session/backoff.h"
#include "core/session/followworker.h"

namespace topicscope
{

using namespace Qt::StringLiterals;

FollowHandle::FollowHandle(const SessionFactory &factory, const SessionConfig &config,
                           FollowRequest request, QObject *parent)
    : QObject(parent)
    , m_worker(new FollowWorker(factory, config, std::move(request), kCredits, m_stop.get_token()))
    , m_thread(new QThread)
{
    m_thread->setObjectName(u"follow %1"_s.arg(config.endpoint()));
    m_worker->moveToThread(m_thread.get());
    connect(m_thread.get(), &QThread::started, m_worker, &FollowWorker::start);
    connect(m_thread.get(), &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_worker, &FollowWorker::fetched, this, &FollowHandle::fetched);
    connect(m_worker, &FollowWorker::partitionFailed, this, &FollowHandle::partitionFailed);
    connect(m_worker, &FollowWorker::stateChanged, this,
            [this](ConnectionState state, const Error &error) {
                // Lost for good is another thing than lost for now.
                const bool isOther =
                    m_state != state || isTriedAgain(m_lastError) != isTriedAgain(error);
                m_lastError = error;
                m_state = state;
                if (isOther)
                    emit stateChanged(state);
            });
    m_thread->start();
}

FollowHandle::~FollowHandle()
{
    m_stop.request_stop();
}

void FollowHandle::returnCredit()
{
    QMetaObject::invokeMethod(m_worker, &FollowWorker::addCredit);
}

void FollowHandle::skipTo(const TopicPartition &partition, Offset offset)
{
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, partition, offset] { worker->skipTo(partition, offset); });
}

} // namespace topicscope
