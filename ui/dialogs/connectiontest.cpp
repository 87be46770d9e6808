#include "ui/dialogs/connectiontest.h"

#include "core/base/digits.h"
#include "ui/errortext.h"

namespace topicscope::ui
{

ConnectionTest::ConnectionTest(SessionFactory factory, QObject *parent)
    : QObject(parent)
    , m_factory(std::move(factory))
{
}

ConnectionTest::~ConnectionTest()
{
    delete m_session.release(); // the event loop may not come round again
}

void ConnectionTest::start(const SessionConfig &config)
{
    cancel();
    m_clock.start();
    m_session.reset(new SessionHandle(m_factory, config));
    connect(m_session.get(), &SessionHandle::topicsListed, this, &ConnectionTest::onListed);
    connect(m_session.get(), &SessionHandle::failed, this, &ConnectionTest::onFailed);
    m_request = m_session->listTopics();
}

void ConnectionTest::cancel()
{
    if (!m_session)
        return;
    m_session->disconnect(this);
    m_session->cancel(m_request);
    m_session.reset();
}

void ConnectionTest::onListed(RequestId id, const TopicList &topics)
{
    if (id != m_request)
        return;
    qsizetype partitions = 0;
    for (const TopicInfo &topic : topics)
        partitions += topic.partitions.size();
    const QString topicWords =
        topics.size() == 1 ? tr("1 topic") : tr("%1 topics").arg(groupedDigits(topics.size()));
    const QString partitionWords =
        partitions == 1 ? tr("1 partition") : tr("%1 partitions").arg(groupedDigits(partitions));
    finish(true,
           tr("%1, %2 in %3 ms").arg(topicWords, partitionWords, groupedDigits(m_clock.elapsed())));
}

void ConnectionTest::onFailed(RequestId id, const Error &error)
{
    if (id != m_request)
        return;
    const ErrorText text = errorText(error);
    finish(false, text.title + u' ' + text.advice);
}

void ConnectionTest::finish(bool ok, const QString &words)
{
    cancel();
    emit finished(ok, words);
}

} // namespace topicscope::ui
