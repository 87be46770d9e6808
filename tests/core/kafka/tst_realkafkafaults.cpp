// A released Apache Kafka that is killed, stands still, loses leaders: what the session says and
// that nothing is lost or published twice.

#include "core/session/backoff.h" // isConnectionFailure()
#include "tests/core/kafka/kafkacalls.h"
#include "tests/support/promptness.h"

#include <QElapsedTimer>
#include <QSet>

#include <future>
#include <thread>

using namespace topicscope;
using namespace topicscope::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class tst_RealKafkaFaults : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();

    void followingAndPublishingOutliveTheBroker();
    void aSilentBrokerHoldsNoPublishBeyondItsTime();
    void closingASilentBrokersSessionDoesNotHang();
    void aBrokerThatIsAwayIsNamed();
    void aPartitionWithoutLeaderHidesNoOther();

private:
    std::unique_ptr<KafkaCluster> m_cluster;
};

void tst_RealKafkaFaults::initTestCase()
{
    // A node that was killed may come back only when its session is over.
    m_cluster = std::make_unique<KafkaCluster>(
        KafkaOptions{.brokerProperties = {u"broker.session.timeout.ms=1000"_s,
                                          u"broker.heartbeat.interval.ms=200"_s}});
    VERIFY_DONE(m_cluster->start());
}

void tst_RealKafkaFaults::followingAndPublishingOutliveTheBroker()
{
    constexpr qsizetype kKills = 10;
    constexpr qsizetype kBetween = 10;
    const QString topic = u"followed"_s;
    const TopicPartition partition{topic, PartitionId{0}};
    VERIFY_DONE(KafkaPeer(m_cluster->adminBootstrap()).createTopic(topic));

    // The follower, on a thread of its own, opens a new one where the last one ended.
    std::promise<qint64> end;
    auto followed = std::async(std::launch::async, [&, last = end.get_future().share()] {
        kafka::KafkaSession session(configFor(*m_cluster));
        std::vector<std::pair<qint64, QByteArray>> seen;
        Offset next{0};
        const QDeadlineTimer limit(400'000);
        while (!limit.hasExpired()) {
            if (last.wait_for(0s) == std::future_status::ready && next.value >= last.get())
                break;
            const auto follower = session.follow({{{partition, next}}}, CallContext(5'000ms));
            while (follower && !limit.hasExpired()) {
                const auto batch = (*follower)->next(CallContext(1'000ms));
                if (!batch && batch.error().kind != ErrorKind::Timeout)
                    break;
                if (batch) {
                    for (const Record &record : batch->chunk->records())
                        seen.emplace_back(record.offset.value,
                                          toBytes(batch->chunk->value(record)));
                    next = batch->nextOffset;
                }
                if (last.wait_for(0s) == std::future_status::ready && next.value >= last.get())
                    break;
            }
        }
        return seen;
    });

    kafka::KafkaSession session(configFor(*m_cluster));
    QSet<QByteArray> stored;  // acknowledged
    QSet<QByteArray> unknown; // may be in the log, once
    int number = 0;
    QString lastError;
    const auto publish = [&](std::chrono::milliseconds limit) {
        PublishRequest request;
        request.topic = topic;
        request.value = QByteArray::number(number++);
        request.ack = AckPolicy::AcksAll;
        const auto result = session.publish(request, CallContext(limit));
        if (result)
            stored.insert(*request.value);
        else if (result.error().kind == ErrorKind::OutcomeUnknown)
            unknown.insert(*request.value);
        if (!result)
            lastError = describe(result.error());
        return result.ok();
    };
    for (qsizetype kill = 0; kill < kKills; ++kill) {
        for (qsizetype i = 0; i < kBetween; ++i)
            QVERIFY(publish(30'000ms));
        m_cluster->kill();
        QVERIFY(!publish(300ms));
        VERIFY_DONE(m_cluster->restart());
        const QDeadlineTimer limit(60'000);
        bool back = false;
        while (!back && !limit.hasExpired())
            back = publish(10'000ms);
        if (!back)
            end.set_value(0); // the follower ends, too
        QVERIFY2(back, qPrintable(lastError));
    }
    const auto high = KafkaPeer(m_cluster->adminBootstrap()).watermarks(topic).value().second;
    end.set_value(high);

    const auto seen = followed.get();
    QCOMPARE(qint64(seen.size()), high);
    QSet<QByteArray> values;
    for (size_t i = 0; i < seen.size(); ++i) {
        QCOMPARE(seen[i].first, qint64(i));
        QVERIFY2(!values.contains(seen[i].second), "published twice");
        QVERIFY(stored.contains(seen[i].second) || unknown.contains(seen[i].second));
        values.insert(seen[i].second);
    }
    QVERIFY2(values.contains(stored), "an acknowledged record is lost");
    QVERIFY(stored.size() >= kKills * (kBetween + 1));
}

void tst_RealKafkaFaults::aSilentBrokerHoldsNoPublishBeyondItsTime()
{
    const QString topic = u"held"_s;
    VERIFY_DONE(KafkaPeer(m_cluster->adminBootstrap()).createTopic(topic));
    kafka::KafkaSession session(configFor(*m_cluster)); // which would wait 20 s
    PublishRequest request;
    request.topic = topic;
    request.value = QByteArray("v");
    request.ack = AckPolicy::Acks1;
    const qint64 overtimeMs = quickest([&](qint64 &took) {
        VERIFY_DONE(session.publish(request, soon()));
        m_cluster->freeze();
        QElapsedTimer timer;
        timer.start();
        const auto held = session.publish(request, CallContext(1'000ms));
        took = timer.elapsed() - 1'000;
        m_cluster->thaw();
        QVERIFY(!held);
    });
    QVERIFY2(overtimeMs < 2'000, qPrintable(QString::number(overtimeMs)));
}

void tst_RealKafkaFaults::closingASilentBrokersSessionDoesNotHang()
{
    KafkaPeer peer(m_cluster->adminBootstrap());
    VERIFY_DONE(peer.createTopic(u"closed"_s));
    VERIFY_DONE(peer.produce(u"closed"_s, {{.value = "0"}}));
    const qint64 quickestMs = quickest([&](qint64 &took) {
        auto session = std::make_unique<kafka::KafkaSession>(configFor(*m_cluster));
        VERIFY_DONE(session->fetch(fetchFrom(u"closed"_s, 0, 0), soon()));
        auto follower = session->follow({{{{u"closed"_s, PartitionId{0}}, Offset{0}}}}, soon());
        VERIFY_DONE(follower);
        VERIFY_DONE((*follower)->next(soon()));
        m_cluster->freeze();
        QElapsedTimer timer;
        timer.start();
        follower->reset();
        session->close();
        session.reset();
        took = timer.elapsed();
        m_cluster->thaw();
    });
    QVERIFY2(quickestMs < 500, qPrintable(QString::number(quickestMs)));
}

void tst_RealKafkaFaults::aBrokerThatIsAwayIsNamed()
{
    kafka::KafkaSession session(configFor(*m_cluster));
    VERIFY_DONE(session.open(soon()));
    m_cluster->stop();
    const auto away = session.listTopics(CallContext(10'000ms));
    QVERIFY(!away);
    QVERIFY2(isConnectionFailure(away.error()), qPrintable(describe(away.error())));
    QCOMPARE(away.error().where.endpoint, m_cluster->bootstrap());
    VERIFY_DONE(m_cluster->restart());
    QTRY_VERIFY_WITH_TIMEOUT(session.listTopics(CallContext(5'000ms)).ok(), 30'000);
}

void tst_RealKafkaFaults::aPartitionWithoutLeaderHidesNoOther()
{
    m_cluster->stop(); // three are enough for two cores
    KafkaCluster three({.nodes = 3});
    VERIFY_DONE(three.start());
    KafkaPeer peer(three.adminBootstrap());
    VERIFY_DONE(peer.createTopicOn(u"led"_s, {{2}, {3}}));
    VERIFY_DONE(peer.createTopicOn(u"kept"_s, {{3, 2}}));
    VERIFY_DONE(peer.produce(u"led"_s, {{.value = "by 2"}, {.value = "by 3", .partition = 1}},
                             {{u"acks"_s, u"all"_s}}));
    kafka::KafkaSession session(configFor(three));
    VERIFY_DONE(session.listTopics(soon()));
    const ClusterInfo whole = session.describeCluster(soon()).value();
    QCOMPARE(whole.brokers.size(), 3);
    for (int i = 0; i < 3; ++i) {
        QCOMPARE(whole.brokers[i].id, i + 1);
        QVERIFY(three.bootstrap().contains(
            u"%1:%2"_s.arg(whole.brokers[i].host).arg(whole.brokers[i].port)));
    }
    QVERIFY(whole.controller);
    QVERIFY(!whole.id.isEmpty());
    VERIFY_DONE(peer.createTopic(u"safe"_s, 1, {{u"min.insync.replicas"_s, u"3"_s}}, 3));
    three.kill(3);
    // Before the cluster has noticed: what others lead is told all the same.
    const auto early = session.describeTopics({u"kept"_s, u"led"_s}, CallContext(20'000ms));
    VERIFY_DONE(early);
    QCOMPARE(early->at(1).partitions[0].highWatermark, Offset{1});
    const auto times = session.offsetsAtTime(
        {{u"led"_s, PartitionId{0}}, {u"led"_s, PartitionId{1}}}, 0, CallContext(20'000ms));
    VERIFY_DONE(times);
    QCOMPARE(times->at(0).offset, std::optional(Offset{0}));
    QVERIFY(times->at(1).error);
    QTRY_COMPARE_WITH_TIMEOUT(peer.leader(u"led"_s, 1).value(), -1, 30'000);
    SessionConfig hasty = configFor(three);
    hasty.publishTimeout = 3'000ms;
    kafka::KafkaSession sender(hasty);
    VERIFY_DONE(sender.listTopics(soon()));
    PublishRequest request;
    request.topic = u"safe"_s;
    request.value = QByteArray("v");
    request.ack = AckPolicy::AcksAll;
    // There is no such partition, and no client knows before it is connected: both are then, and
    // that time counts no more.
    request.partition = PartitionId{1};
    QTRY_COMPARE_WITH_TIMEOUT(sender.publish(request, soon()).error().kind,
                              ErrorKind::InvalidArgument, 30'000);
    request.partition.reset();
    const auto refused = sender.publish(request, soon());
    QVERIFY(!refused);
    QCOMPARE(refused.error().brokerName, u"NOT_ENOUGH_REPLICAS"_s);
    QCOMPARE(refused.error().detail, u"2 of 3 replicas in sync, min.insync.replicas is 3"_s);
    QTRY_COMPARE_WITH_TIMEOUT(peer.leader(u"kept"_s, 0).value(), 2, 30'000);
    const auto topics = session.describeTopics({u"led"_s, u"kept"_s}, soon());
    VERIFY_DONE(topics);
    const auto topic = std::ranges::find(*topics, u"led"_s, &TopicInfo::name);
    QVERIFY(topic != topics->end());
    QVERIFY(!topic->error);
    QCOMPARE(topic->partitions.size(), 2);
    QVERIFY(!topic->partitions[0].error);
    QCOMPARE(topic->partitions[0].highWatermark, Offset{1});
    QCOMPARE(topic->partitions[0].leader, std::optional<qint32>(2));
    QCOMPARE(topic->partitions[0].replicas, QList<qint32>{2});
    QCOMPARE(topic->partitions[1].leader, std::optional<qint32>(-1));
    QVERIFY(topic->partitions[1].error);
    QCOMPARE(topic->partitions[1].error->brokerName, u"LEADER_NOT_AVAILABLE"_s);
    QCOMPARE(healthOf(topic->partitions[1]), PartitionHealth::Leaderless);
    QCOMPARE(topics->constFirst().name, u"kept"_s);
    const PartitionInfo kept = topics->constFirst().partitions.constFirst();
    QVERIFY(kept.offsetsKnown);
    QCOMPARE(kept.leader, std::optional<qint32>(2));
    QCOMPARE(healthOf(kept), PartitionHealth::OutOfSync);
    QCOMPARE(outOfSyncReplicas(kept), QList<qint32>{3});
    VERIFY_DONE(session.listTopics(soon()));
    QCOMPARE(session.describeCluster(soon()).value().brokers.size(), 2);
    const auto all = readAll(session, fetchFrom(u"led"_s, 0, 0));
    VERIFY_DONE(all);
    QCOMPARE(all->values.size(), size_t(1));
    // Back again, while the session is open.
    VERIFY_DONE(three.restart(3));
    QTRY_COMPARE_WITH_TIMEOUT(peer.leader(u"led"_s, 1).value(), 3, 30'000);
    const auto again = readAll(session, fetchFrom(u"led"_s, 1, 0));
    VERIFY_DONE(again);
    QCOMPARE(again->values.front().second, QByteArray("by 3"));
}

KAFKA_TEST_MAIN(tst_RealKafkaFaults)

#include "tst_realkafkafaults.moc"
