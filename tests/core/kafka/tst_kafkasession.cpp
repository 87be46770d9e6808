// Against librdkafka's own cluster in memory: a peer on a real socket that answers at once and
// whose partitions can be damaged and lose their leader.

#include "core/kafka/kafkasession.h"
#include "core/records/headers.h"
#include "tests/core/kafka/mockcluster.h"

#include <QTcpServer>
#include <QTest>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <librdkafka/rdkafka_mock.h>

using namespace topicscope;
using namespace topicscope::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{

CallContext soon()
{
    return CallContext(20'000ms);
}

QByteArray toBytes(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char *>(bytes.data()), qsizetype(bytes.size())};
}

FetchRequest from(const QString &topic, int partition, qint64 offset)
{
    FetchRequest request;
    request.partition = {topic, PartitionId{partition}};
    request.offset = Offset{offset};
    return request;
}

} // namespace

class tst_KafkaSession : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_cluster = std::make_unique<MockCluster>(); }
    void cleanup() { m_cluster.reset(); }

    void topicsComeWithOffsetsAndLeaders()
    {
        m_cluster->createTopic("orders", 2);
        for (int i = 0; i < 3; ++i)
            m_cluster->produce("orders", 1, QByteArray("k"), QByteArray("v"));
        m_cluster->flush();
        kafka::KafkaSession session(m_cluster->config());
        const auto listed = session.listTopics(soon());
        QVERIFY2(listed, qPrintable(listed ? QString() : listed.error().detail));
        QCOMPARE(listed->size(), 1);
        QCOMPARE(listed->constFirst().partitions.size(), 2);
        QCOMPARE(listed->constFirst().partitions[1].leader, std::optional<qint32>(1));
        QVERIFY(!listed->constFirst().partitions[1].offsetsKnown); // names first
        const auto topics = session.describeTopics({u"orders"_s}, soon());
        QVERIFY2(topics, qPrintable(topics ? QString() : topics.error().detail));
        QCOMPARE(topics->size(), 1);
        QVERIFY(topics->constFirst().partitions[1].offsetsKnown);
        QCOMPARE(topics->constFirst().name, u"orders"_s);
        QCOMPARE(topics->constFirst().partitions.size(), 2);
        QCOMPARE(topics->constFirst().partitions[0].highWatermark, Offset{0});
        QCOMPARE(topics->constFirst().partitions[1].highWatermark, Offset{3});
        QCOMPARE(topics->constFirst().partitions[1].leader, std::optional<qint32>(1));
    }

    void clusterComesWithTheTopics()
    {
        kafka::KafkaSession session(m_cluster->config());
        QVERIFY(session.capabilities().brokers);
        QVERIFY(session.listTopics(soon()));
        const auto cluster = session.describeCluster(soon());
        QVERIFY2(cluster, qPrintable(cluster ? QString() : cluster.error().detail));
        const QString address =
            QString::fromLatin1(rd_kafka_mock_cluster_bootstraps(m_cluster->get()));
        QCOMPARE(cluster->brokers.size(), 1);
        QCOMPARE(cluster->brokers[0].id, 1);
        QCOMPARE(u"%1:%2"_s.arg(cluster->brokers[0].host).arg(cluster->brokers[0].port), address);
        QVERIFY(cluster->id.startsWith(u"mockCluster"_s));
    }

    /// More topics at once than are asked for one by one, and more partitions than are looked up
    /// in one request. The mock cluster makes topics it is asked for, with four partitions.
    void manyTopicsAreDescribed()
    {
        constexpr qsizetype kFew = 50;
        QStringList names;
        for (int i = 0; i < 6 * kFew; ++i)
            names.append(u"t%1"_s.arg(1000 + i));
        kafka::KafkaSession session(m_cluster->config());
        for (qsizetype i = 0; i < names.size(); i += kFew)
            QCOMPARE(session.describeTopics(names.sliced(i, kFew), soon()).value().size(), kFew);
        m_cluster->produce("t1299", 3, std::nullopt, QByteArray("v"));
        m_cluster->flush();
        for (const qsizetype count : {qsizetype(3), names.size() - 1}) {
            const QStringList some = names.last(count);
            const auto topics = session.describeTopics(some, soon());
            QVERIFY2(topics, qPrintable(topics ? QString() : topics.error().detail));
            QCOMPARE(topics->size(), count);
            for (qsizetype i = 0; i < count; ++i) {
                QCOMPARE(topics->at(i).name, some[i]);
                QCOMPARE(topics->at(i).partitions.size(), 4);
                QVERIFY(!lacksOffsets(topics->at(i)));
            }
            QCOMPARE(topics->constLast().partitions[3].highWatermark, Offset{1});
            QCOMPARE(topics->constLast().partitions[2].highWatermark, Offset{0});
        }
    }

    void nullEmptyAndHeadersKeepTheirDifference()
    {
        m_cluster->createTopic("orders", 1);
        m_cluster->produce("orders", 0, std::nullopt, std::nullopt, 1'700'000'000'000);
        m_cluster->produce("orders", 0, QByteArray(""), QByteArray(""));
        m_cluster->produce("orders", 0, QByteArray("\x00\x80\xff", 3), QByteArray("value"));
        m_cluster->flush();
        kafka::KafkaSession session(m_cluster->config());
        const auto result = session.fetch(from(u"orders"_s, 0, 0), soon());
        QVERIFY2(result, qPrintable(result ? QString() : result.error().detail));
        const auto &records = result->chunk->records();
        QCOMPARE(records.size(), size_t(3));
        QVERIFY(!records[0].flags.testFlag(RecordFlag::HasKey));
        QVERIFY(records[0].flags.testFlag(RecordFlag::NullValue));
        QCOMPARE(result->chunk->timestampMs(records[0]), 1'700'000'000'000);
        QVERIFY(records[1].flags.testFlag(RecordFlag::HasKey));
        QVERIFY(!records[1].flags.testFlag(RecordFlag::NullValue));
        QCOMPARE(records[1].keySize, 0U);
        QCOMPARE(toBytes(result->chunk->key(records[2])), QByteArray("\x00\x80\xff", 3));
        QCOMPARE(toBytes(result->chunk->value(records[2])), QByteArray("value"));
        const auto headers = readHeaders(result->chunk->headers(records[2]));
        QVERIFY(headers);
        const HeaderList expected{
            {"h", QByteArray("1")}, {"h", std::nullopt}, {"", QByteArray("")}};
        QVERIFY(*headers == expected);
        QVERIFY((*headers)[2].value.has_value());
        QCOMPARE(result->nextOffset, Offset{3});
        QCOMPARE(result->highWatermark, Offset{3});
    }

    void pagesLoseNothing()
    {
        constexpr int kRecords = 2000;
        m_cluster->createTopic("orders", 1);
        for (int i = 0; i < kRecords; ++i)
            m_cluster->produce("orders", 0, std::nullopt, QByteArray::number(i));
        m_cluster->flush();
        kafka::KafkaSession session(m_cluster->config());
        int seen = 0;
        FetchRequest request = from(u"orders"_s, 0, 0);
        request.maxBytes = 1000;
        while (seen < kRecords) {
            const auto page = session.fetch(request, soon());
            QVERIFY2(page, qPrintable(page ? QString() : page.error().detail));
            QVERIFY(!page->chunk->isEmpty());
            for (const Record &record : page->chunk->records()) {
                QCOMPARE(record.offset, Offset{seen});
                QCOMPARE(toBytes(page->chunk->value(record)), QByteArray::number(seen));
                ++seen;
            }
            request.offset = page->nextOffset;
        }
        const auto end = session.fetch(request, soon());
        QVERIFY(end);
        QCOMPARE(end->end, FetchEnd::CaughtUp);
        // And back: an earlier position starts anew.
        const auto again = session.fetch(from(u"orders"_s, 0, 1234), soon());
        QVERIFY(again);
        QCOMPARE(toBytes(again->chunk->value(again->chunk->records().front())), QByteArray("1234"));
    }

    void outOfRangeIsAnAnswerNotAJump()
    {
        m_cluster->createTopic("orders", 1);
        m_cluster->produce("orders", 0, std::nullopt, QByteArray("v"));
        m_cluster->flush();
        kafka::KafkaSession session(m_cluster->config());
        const auto result = session.fetch(from(u"orders"_s, 0, 77), soon());
        QVERIFY(!result);
        QCOMPARE(result.error().kind, ErrorKind::Broker);
        QCOMPARE(result.error().brokerName, u"OFFSET_OUT_OF_RANGE"_s);
        const auto partition = session.fetch(from(u"orders"_s, 5, 0), soon());
        QVERIFY(!partition);
        QCOMPARE(partition.error().brokerName, u"UNKNOWN_TOPIC_OR_PART"_s);
    }

    void theKeyChoosesThePartitionOfJavasClient_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<int>("partition");
        // murmur2, 10 partitions; computed with librdkafka and with kafka-python.
        QTest::addRow("empty") << QByteArray("") << 1;
        QTest::addRow("a") << QByteArray("a") << 4;
        QTest::addRow("kafka") << QByteArray("kafka") << 0;
        QTest::addRow("bytes") << QByteArray("\x00\x01\x02\xff", 4) << 6;
    }
    void theKeyChoosesThePartitionOfJavasClient()
    {
        QFETCH(const QByteArray, key);
        QFETCH(const int, partition);
        m_cluster->createTopic("orders", 10);
        kafka::KafkaSession session(m_cluster->config());
        PublishRequest request;
        request.topic = u"orders"_s;
        request.key = key;
        request.value = QByteArray("v");
        request.headers = {{"a", QByteArray("1")}, {"a", std::nullopt}};
        request.timestampMs = 1'600'000'000'000;
        request.ack = AckPolicy::AcksAll;
        request.partitioner = session.capabilities().partitioners.constFirst();
        const auto published = session.publish(request, soon());
        QVERIFY2(published, qPrintable(published ? QString() : published.error().detail));
        QCOMPARE(published->partition.partition, PartitionId{partition});
        QCOMPARE(published->offset, std::optional(Offset{0}));
        QCOMPARE(published->endOffsetBefore, Offset{0});

        const auto result = session.fetch(from(u"orders"_s, partition, 0), soon());
        QVERIFY(result);
        const Record &record = result->chunk->records().front();
        QCOMPARE(toBytes(result->chunk->key(record)), key);
        QCOMPARE(result->chunk->timestampMs(record), 1'600'000'000'000);
        const auto headers = readHeaders(result->chunk->headers(record));
        QVERIFY(headers);
        QVERIFY(*headers == request.headers);
    }

    void whatIsNotConfirmedSaysSo()
    {
        m_cluster->createTopic("orders", 1);
        kafka::KafkaSession session(m_cluster->config());
        PublishRequest request;
        request.topic = u"orders"_s;
        request.value = std::nullopt;
        request.ack = AckPolicy::Acks0;
        const auto published = session.publish(request, soon());
        QVERIFY2(published, qPrintable(published ? QString() : published.error().detail));
        QVERIFY(!published->offset);
    }

    void anotherEnginesAckPolicyIsRefused()
    {
        m_cluster->createTopic("orders", 1);
        kafka::KafkaSession session(m_cluster->config());
        PublishRequest request;
        request.topic = u"orders"_s;
        request.value = QByteArray("v");
        request.ack = AckPolicy::Forced;
        const auto published = session.publish(request, soon());
        QVERIFY(!published);
        QCOMPARE(published.error().kind, ErrorKind::InvalidArgument);
    }

    void anAnswerThatComesTooLateLeavesTheOutcomeUnknown()
    {
        m_cluster->createTopic("orders", 1);
        SessionConfig config = m_cluster->config();
        config.publishTimeout = 1500ms;
        kafka::KafkaSession session(config);
        PublishRequest request;
        request.topic = u"orders"_s;
        request.value = QByteArray("first");
        request.ack = AckPolicy::Acks1;
        // There is no such partition, and no client knows before it is connected: both are then,
        // and that time counts no more.
        QVERIFY(session.open(soon()));
        request.partition = PartitionId{1};
        QTRY_COMPARE_WITH_TIMEOUT(session.publish(request, soon()).error().kind,
                                  ErrorKind::InvalidArgument, 20'000);
        request.partition.reset();
        QVERIFY(session.publish(request, soon()));
        // The broker stores the next record, and its answer comes after the limit.
        rd_kafka_mock_broker_push_request_error_rtts(m_cluster->get(), 1, 0, 1, 0, 6000);
        request.value = QByteArray("second");
        const auto published = session.publish(request, soon());
        QVERIFY(!published);
        QCOMPARE(published.error().kind, ErrorKind::OutcomeUnknown);
        QCOMPARE(published.error().where.offset, std::optional(Offset{1}));
        const auto result = session.fetch(from(u"orders"_s, 0, 1), soon());
        QVERIFY(result);
        QCOMPARE(toBytes(result->chunk->value(result->chunk->records().front())),
                 QByteArray("second"));
    }

    void followDeliversEachRecordOnceInOrder()
    {
        m_cluster->createTopic("orders", 2);
        for (int i = 0; i < 500; ++i)
            m_cluster->produce("orders", i % 2, std::nullopt, QByteArray::number(i / 2));
        m_cluster->flush();
        kafka::KafkaSession session(m_cluster->config());
        const TopicPartition first{u"orders"_s, PartitionId{0}};
        const TopicPartition second{u"orders"_s, PartitionId{1}};
        const auto follower = session.follow({{{first, Offset{10}}, {second, Offset{0}}}}, soon());
        QVERIFY2(follower, qPrintable(follower ? QString() : follower.error().detail));
        QHash<TopicPartition, qint64> next{{first, 10}, {second, 0}};
        for (int expected = 500 - 10; expected > 0;) {
            const auto batch = (*follower)->next(soon());
            QVERIFY2(batch, qPrintable(batch ? QString() : batch.error().detail));
            for (const Record &record : batch->chunk->records()) {
                QCOMPARE(record.offset.value, next[batch->partition]++);
                QCOMPARE(toBytes(batch->chunk->value(record)),
                         QByteArray::number(record.offset.value));
                --expected;
            }
        }
        m_cluster->produce("orders", 0, std::nullopt, QByteArray("later"));
        m_cluster->flush();
        const auto later = (*follower)->next(soon());
        QVERIFY(later);
        QCOMPARE(later->chunk->records().front().offset, Offset{250});
    }

    /// Else a batch of records that are all headers would be as large as they like.
    void headersCountTowardsABatchesBytes()
    {
        constexpr int kRecords = 20;
        constexpr qsizetype kHeader = 10'000;
        m_cluster->createTopic("orders", 1);
        for (int i = 0; i < kRecords; ++i)
            m_cluster->produce("orders", 0, std::nullopt, std::nullopt, 0,
                               QByteArray(kHeader, 'x'));
        m_cluster->flush();
        kafka::KafkaSession session(m_cluster->config());
        FollowRequest request{{{{u"orders"_s, PartitionId{0}}, Offset{0}}}};
        request.maxBytes = 5 * kHeader;
        const auto follower = session.follow(request, soon());
        QVERIFY(follower);
        for (int seen = 0; seen < kRecords;) {
            const auto batch = (*follower)->next(soon());
            QVERIFY2(batch, qPrintable(batch ? QString() : batch.error().detail));
            const auto &records = batch->chunk->records();
            QVERIFY2(records.size() <= 5, qPrintable(QString::number(records.size())));
            seen += int(records.size());
        }
    }

    void nothingListeningIsToldAtOnce()
    {
        SessionConfig config;
        QTcpServer closed;
        QVERIFY(closed.listen(QHostAddress::LocalHost));
        config.setBroker(u"kafka://127.0.0.1:%1"_s.arg(closed.serverPort()));
        closed.close();
        kafka::KafkaSession session(config);
        const auto opened = session.open(CallContext(60'000ms));
        QVERIFY(!opened);
        QCOMPARE(opened.error().kind, ErrorKind::Network);
        QCOMPARE(opened.error().networkCause, NetworkCause::Refused);
    }

    void cancelEndsACallToASilentBroker()
    {
        m_cluster->createTopic("orders", 1);
        kafka::KafkaSession session(m_cluster->config());
        QVERIFY(session.open(soon()));
        rd_kafka_mock_broker_set_rtt(m_cluster->get(), 1, 60'000);
        std::stop_source stop;
        std::thread canceller([&stop] { stop.request_stop(); });
        const auto topics = session.listTopics(CallContext(60'000ms, stop.get_token()));
        canceller.join();
        QVERIFY(!topics);
        QCOMPARE(topics.error().kind, ErrorKind::Cancelled);
        rd_kafka_mock_broker_set_rtt(m_cluster->get(), 1, 0);
    }

    void propertiesDoNotOverrideWhatIsPromised()
    {
        m_cluster->createTopic("orders", 1);
        SessionConfig config = m_cluster->config();
        config.properties.insert(u"acks"_s, u"0"_s);
        config.properties.insert(u"enable.partition.eof"_s, u"false"_s);
        config.properties.insert(u"auto.offset.reset"_s, u"earliest"_s);
        kafka::KafkaSession session(config);
        const auto end = session.fetch(from(u"orders"_s, 0, 0), CallContext(5'000ms));
        QVERIFY2(end, qPrintable(end ? QString() : end.error().detail));
        QCOMPARE(end->end, FetchEnd::CaughtUp);
        const auto outside = session.fetch(from(u"orders"_s, 0, 7), soon());
        QVERIFY(!outside);
        QCOMPARE(outside.error().brokerName, u"OFFSET_OUT_OF_RANGE"_s);
        PublishRequest request;
        request.topic = u"orders"_s;
        request.value = QByteArray("v");
        request.ack = AckPolicy::AcksAll;
        const auto published = session.publish(request, soon());
        QVERIFY2(published, qPrintable(published ? QString() : published.error().detail));
        QCOMPARE(published->offset, std::optional(Offset{0}));
    }

    void aPropertyTheLibraryRefusesIsNamedWithoutItsValue()
    {
        SessionConfig config = m_cluster->config();
        config.properties.insert(u"security.protocol"_s, u"geheim"_s);
        kafka::KafkaSession session(config);
        const auto opened = session.open(soon());
        QVERIFY(!opened);
        QCOMPARE(opened.error().kind, ErrorKind::InvalidArgument);
        QVERIFY(opened.error().detail.contains(u"security.protocol"_s));
        QVERIFY(!opened.error().detail.contains(u"geheim"_s));
    }

#ifdef __GLIBC__
    /// The library cannot free a configuration it refused late; asked again and again, no more of
    /// them are kept.
    void aConfigurationThatCannotBeUsedIsKeptOnce()
    {
        SessionConfig config = m_cluster->config();
        config.properties = {{u"security.protocol"_s, u"ssl"_s},
                             {u"ssl.ca.location"_s, u"/no/such/file.pem"_s},
                             {u"client.id"_s, QString(100'000, u'x')}};
        const auto attempt = [&config] {
            kafka::KafkaSession session(config);
            const auto opened = session.open(soon());
            return !opened && opened.error().kind == ErrorKind::InvalidArgument;
        };
        QVERIFY(attempt());
        QVERIFY(attempt());
        const size_t before = mallinfo2().uordblks;
        for (int i = 0; i < 20; ++i)
            QVERIFY(attempt());
        const size_t after = mallinfo2().uordblks;
        QVERIFY2(after < before + 1'000'000, qPrintable(QString::number(after - before)));
        // And what can be used, is.
        QVERIFY(kafka::KafkaSession(m_cluster->config()).open(soon()));
    }
#endif

    void whatACallGivenUpHeardIsToldToTheNext()
    {
        QTcpServer nobody;
        QVERIFY(nobody.listen(QHostAddress::LocalHost));
        SessionConfig config = m_cluster->config();
        QVERIFY(config.setBroker(u"127.0.0.1:%1"_s.arg(nobody.serverPort())));
        nobody.close();
        kafka::KafkaSession session(config);
        // As a window does, whose first request takes the place of connecting.
        std::stop_source stop;
        stop.request_stop();
        const QDeadlineTimer heard(500);
        while (!heard.hasExpired())
            QVERIFY(!session.open(CallContext(std::chrono::milliseconds(1'000), stop.get_token())));
        const auto listed = session.listTopics(soon());
        QVERIFY(!listed);
        QCOMPARE(listed.error().kind, ErrorKind::Network);
    }

    void foreignCodeIsNotLoaded()
    {
        for (const auto &name : {u"plugin.library.paths"_s, u"interceptors"_s,
                                 u"ssl.engine.location"_s, u"ssl.providers"_s}) {
            SessionConfig config = m_cluster->config();
            config.properties.insert(name, u"/x"_s);
            kafka::KafkaSession session(config);
            const auto opened = session.open(soon());
            QVERIFY(!opened);
            QCOMPARE(opened.error().kind, ErrorKind::InvalidArgument);
            QCOMPARE(opened.error().detail,
                     name + u" is not allowed: it would load foreign code"_s);
        }
    }

    void noShellIsGivenMoreThanAPrincipal()
    {
        SessionConfig config = m_cluster->config();
        config.properties.insert(u"sasl.kerberos.principal"_s, u"me; touch /tmp/x"_s);
        kafka::KafkaSession session(config);
        const auto opened = session.open(soon());
        QVERIFY(!opened);
        QCOMPARE(opened.error().kind, ErrorKind::InvalidArgument);
        QCOMPARE(opened.error().detail, u"sasl.kerberos.principal is not allowed: it holds "
                                        "characters a shell would act on"_s);
    }

private:
    std::unique_ptr<MockCluster> m_cluster;
};

QTEST_GUILESS_MAIN(tst_KafkaSession)
#include "tst_kafkasession.moc"
