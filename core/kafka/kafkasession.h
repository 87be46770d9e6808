#pragma once

#include "core/kafka/kafkaproducer.h"
#include "core/kafka/kafkareader.h"
#include "core/session/brokersession.h"

#include <map>
#include <optional>

namespace topicscope::kafka
{

/// An Apache Kafka cluster through librdkafka. Clients are made when first needed: one for looking
/// and reading, one more for reading committed records only, one producer for each acks setting
/// and compression used, one for each follower. A read-only session makes no producer. Thread:
/// confined to one thread; blocking.
class KafkaSession final : public BrokerSession, public GroupReader
{
public:
    explicit KafkaSession(const SessionConfig &config);
    ~KafkaSession() override;

    Capabilities capabilities() const override;
    Result<void> open(const CallContext &context) override;
    Result<TopicList> listTopics(const CallContext &context) override;
    Result<TopicList> describeTopics(const QStringList &names, const CallContext &context) override;
    Result<TopicRules> topicRules(const QString &topic, const CallContext &context) override;
    Result<ClusterInfo> describeCluster(const CallContext &context) override;
    Result<FetchResult> fetch(const FetchRequest &request, const CallContext &context) override;
    void expect(const std::vector<FetchRequest> &requests) override;
    Result<std::unique_ptr<RecordFollower>> follow(const FollowRequest &request,
                                                   const CallContext &context) override;
    Result<QList<TimeOffset>> offsetsAtTime(const QList<TopicPartition> &partitions, qint64 timeMs,
                                            const CallContext &context) override;
    GroupReader *groups() override { return this; }
    Result<GroupList> listGroups(const CallContext &context) override;
    Result<GroupInfo> describeGroup(const QString &id, const CallContext &context) override;
    void close() override;

private:
    struct Reader {
        HandlePtr handle;
        std::unique_ptr<KafkaReader> reader; ///< before the handle its messages come from
    };

    Result<PublishResult> doPublish(const PublishRequest &request,
                                    const CallContext &context) override;
    Result<Reader *> reader(Isolation isolation);
    /// The client for looking things up.
    Result<HandlePtr> lookUp();
    Result<KafkaProducer *> producer(AckPolicy ack, Compression compression);

    RoundRobin m_inTurn; ///< from anywhere: a program that publishes one record goes anywhere
    std::optional<ClusterInfo> m_cluster; ///< as last listed
    std::map<Isolation, Reader> m_readers;
    std::map<std::pair<AckPolicy, Compression>, std::unique_ptr<KafkaProducer>> m_producers;
};

} // namespace topicscope::kafka
