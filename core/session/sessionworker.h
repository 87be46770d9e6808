#pragma once

#include "core/session/brokersession.h"
#include "core/session/lookfor.h"

#include <QObject>

#include <memory>
#include <stop_token>
#include <vector>

namespace topicscope
{

/// Owns one BrokerSession and runs blocking requests on it, one at a time, each when its slot is
/// called. Every request ends with finished(id), after its answers. Policy is SessionHandle's.
/// Thread: made anywhere, then moved to its own; slots and signals belong to that thread.
class SessionWorker final : public QObject
{
    Q_OBJECT
public:
    SessionWorker(SessionFactory factory, SessionConfig config);
    ~SessionWorker() override;
    Q_DISABLE_COPY_MOVE(SessionWorker)

public slots:
    /// Makes the session; before everything else.
    void start();
    /// A refused login may be tried again: the user wants it.
    void forgetRefusal();
    /// Answer: opened or openFailed.
    void open(topicscope::RequestId id, const std::stop_token &stop);
    /// Answer: topicsListed or failed; before it clusterDescribed, where the engine is one.
    void listTopics(topicscope::RequestId id, const std::stop_token &stop);
    /// Answer: topicsDescribed or failed.
    void describeTopics(topicscope::RequestId id, const QStringList &names,
                        const std::stop_token &stop);
    /// Answer: topicRulesRead.
    void readTopicRules(topicscope::RequestId id, const QString &topic,
                        const std::stop_token &stop);
    /// Answers: fetched or fetchFailed for each request, as long as nobody asks to stop.
    void fetch(topicscope::RequestId id, const std::vector<topicscope::FetchRequest> &requests,
               const std::stop_token &stop);
    /// Answer: published or failed.
    void publish(topicscope::RequestId id, const topicscope::PublishRequest &request,
                 std::shared_ptr<topicscope::SendGate> gate, const std::stop_token &stop);
    /// Answer: lookedFor or failed.
    void lookFor(topicscope::RequestId id, const topicscope::TopicPartition &partition,
                 topicscope::Offset from, const QByteArray &value, const std::stop_token &stop);
    /// Answer: groupsListed or failed.
    void listGroups(topicscope::RequestId id, const std::stop_token &stop);
    /// Answer: groupDescribed or failed.
    void describeGroup(topicscope::RequestId id, const QString &group, const std::stop_token &stop);
    /// Answer: offsetsFound or failed.
    void offsetsAtTime(topicscope::RequestId id,
                       const QList<topicscope::TopicPartition> &partitions, qint64 timeMs,
                       const std::stop_token &stop);

signals:
    /// And again before the answer that shows that they are others: a source may have to be read
    /// for that.
    void started(const topicscope::Capabilities &capabilities);
    /// See BrokerSession::setReading().
    void reading(int percent);
    /// See BrokerSession::remark().
    void remarked(const QString &remark);
    void opened(topicscope::RequestId id);
    void openFailed(topicscope::RequestId id, const topicscope::Error &error);
    void clusterDescribed(topicscope::RequestId id, const topicscope::ClusterInfo &cluster);
    void topicsListed(topicscope::RequestId id, const topicscope::TopicList &topics);
    void topicsDescribed(topicscope::RequestId id, const topicscope::TopicList &topics);
    void topicRulesRead(topicscope::RequestId id,
                        const std::optional<topicscope::TopicRules> &rules);
    void fetched(topicscope::RequestId id, const topicscope::FetchResult &result);
    void fetchFailed(topicscope::RequestId id, const topicscope::TopicPartition &partition,
                     const topicscope::Error &error);
    void published(topicscope::RequestId id, const topicscope::PublishResult &result);
    void lookedFor(topicscope::RequestId id, const topicscope::LookForResult &result);
    void groupsListed(topicscope::RequestId id, const topicscope::GroupList &list);
    void groupDescribed(topicscope::RequestId id, const topicscope::GroupInfo &group);
    void offsetsFound(topicscope::RequestId id, const QList<topicscope::TimeOffset> &offsets);
    void failed(topicscope::RequestId id, const topicscope::Error &error);
    void finished(topicscope::RequestId id);

private:
    CallContext context(const std::stop_token &stop) const;

    SessionFactory m_factory;
    SessionConfig m_config;
    template <typename Call>
    auto ask(Call call) -> decltype(call());

    void tellOfSource();

    std::unique_ptr<BrokerSession> m_session;
    Capabilities m_capabilities;    ///< as told
    QString m_remark;               ///< as told
    std::optional<Error> m_refusal; ///< of the login: what every call ends with from then on
};

} // namespace topicscope
