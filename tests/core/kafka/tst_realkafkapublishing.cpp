// Publishing to a released Apache Kafka; what arrived is read by kcat, which shares no code with
// ours.

#include "core/base/bytewriter.h"
#include "tests/core/kafka/kafkacalls.h"

#include <QMap>
#include <QSet>

#include <set>

using namespace topicscope;
using namespace topicscope::test;
using namespace Qt::StringLiterals;

namespace
{

PublishRequest requestFor(const QString &topic)
{
    PublishRequest request;
    request.topic = topic;
    request.value = QByteArray("v");
    request.ack = AckPolicy::AcksAll;
    request.partitioner = PartitionAlgorithm::Murmur2Random;
    return request;
}

} // namespace

class tst_RealKafkaPublishing : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { m_session = std::make_unique<kafka::KafkaSession>(configFor(*m_cluster)); }
    void cleanup() { m_session.reset(); }

    void bytesArriveAsTheyWereGiven();
    void keysGoWhereTheyAreShownToGo_data();
    void keysGoWhereTheyAreShownToGo();
    void recordsGoWhereTheyAreShownToGo_data();
    void recordsGoWhereTheyAreShownToGo();
    void pythonsClientChoosesTheSamePartition();
    void everyCompressionIsReadByOthers_data();
    void everyCompressionIsReadByOthers();
    void timesOfAnyKind_data();
    void timesOfAnyKind();
    void aCompactedTopicWantsKeys();
    void recordsWithoutKeyAreSpread();
    void everyAckPolicyKeepsItsPromise_data();
    void everyAckPolicyKeepsItsPromise();
    void readOnlySendsNothing();
    void anotherPartitionCountSendsNothing();
    void theBrokersRefusalIsAnAnswer();

private:
    KafkaPeer peer() const { return KafkaPeer(m_cluster->adminBootstrap()); }
    QByteArray readByKcat(const QString &topic, const QString &format) const
    {
        return runKcat({u"-b"_s, m_cluster->bootstrap(), u"-C"_s, u"-t"_s, topic, u"-o"_s,
                        u"beginning"_s, u"-e"_s, u"-q"_s, u"-f"_s, format})
            .out;
    }

    std::unique_ptr<KafkaCluster> m_cluster;
    std::unique_ptr<kafka::KafkaSession> m_session;
};

void tst_RealKafkaPublishing::initTestCase()
{
    m_cluster = std::make_unique<KafkaCluster>();
    VERIFY_DONE(m_cluster->start());
}

void tst_RealKafkaPublishing::bytesArriveAsTheyWereGiven()
{
    VERIFY_DONE(peer().createTopic(u"given"_s));
    PublishRequest request = requestFor(u"given"_s);
    request.value = std::nullopt;
    request.timestampMs = 1'000;
    auto result = m_session->publish(request, soon());
    VERIFY_DONE(result);
    QCOMPARE(result->partition.partition, PartitionId{0});
    QCOMPARE(result->offset, std::optional(Offset{0}));
    QCOMPARE(result->logEndOffset, std::optional(Offset{1}));
    QCOMPARE(result->endOffsetBefore, Offset{0});
    request.key = QByteArray("");
    request.value = QByteArray("");
    request.timestampMs = 2'000;
    VERIFY_DONE(m_session->publish(request, soon()));
    request.key = QByteArray("key");
    request.value = QByteArray("\x00\xff", 2);
    request.headers = {{"b", QByteArray("1")}, {"a", std::nullopt}, {"b", QByteArray("")}};
    request.timestampMs = 3'000;
    result = m_session->publish(request, soon());
    VERIFY_DONE(result);
    QCOMPARE(result->offset, std::optional(Offset{2}));
    QCOMPARE(result->endOffsetBefore, Offset{2});
    // %K and %S are lengths, -1 for null.
    QCOMPARE(readByKcat(u"given"_s, u"%o %T %K %S %h;%s\n"_s),
             QByteArray("0 1000 -1 -1 ;\n1 2000 0 0 ;\n2 3000 3 2 b=1,a=NULL,b=;") +
                 QByteArray("\x00\xff", 2) + "\n");
}

void tst_RealKafkaPublishing::keysGoWhereTheyAreShownToGo_data()
{
    QTest::addColumn<PartitionAlgorithm>("algorithm");
    QTest::addColumn<QString>("theirs"); // librdkafka's name of the same
    QTest::newRow("murmur2_random") << PartitionAlgorithm::Murmur2Random << u"murmur2_random"_s;
    QTest::newRow("consistent") << PartitionAlgorithm::Consistent << u"consistent"_s;
    QTest::newRow("fnv1a") << PartitionAlgorithm::Fnv1a << u"fnv1a"_s;
    QTest::newRow("consistent_random")
        << PartitionAlgorithm::ConsistentRandom << u"consistent_random"_s;
}

void tst_RealKafkaPublishing::keysGoWhereTheyAreShownToGo()
{
    QFETCH(const PartitionAlgorithm, algorithm);
    QFETCH(const QString, theirs);
    constexpr int kKeys = 500;
    constexpr int kPartitions = 12;
    const QString topic = u"keys-"_s + theirs;
    VERIFY_DONE(peer().createTopic(topic, kPartitions));
    VERIFY_DONE(peer().createTopic(topic + u"-theirs"_s, kPartitions));
    QByteArray lines;
    for (int i = 0; i < kKeys; ++i) {
        PublishRequest request = requestFor(topic);
        request.key = QByteArray::number(i * 7'919).repeated(1 + i % 5);
        request.partitioner = algorithm;
        request.ack = AckPolicy::Acks1;
        lines += *request.key + ";v\n";
        const auto shown = Partitioner(algorithm).explain(
            std::as_bytes(std::span(request.key->constData(), size_t(request.key->size()))),
            kPartitions);
        VERIFY_DONE(shown);
        const auto result = m_session->publish(request, soon());
        VERIFY_DONE(result);
        QCOMPARE(std::optional(result->partition.partition.value), shown->index);
    }
    const auto sent =
        runKcat({u"-b"_s, m_cluster->bootstrap(), u"-P"_s, u"-t"_s, topic + u"-theirs"_s, u"-K"_s,
                 u";"_s, u"-X"_s, u"topic.partitioner="_s + theirs},
                lines);
    QVERIFY2(sent.code == 0, sent.err.constData());
    const auto placed = [this](const QString &name) {
        const QList<QByteArray> rows = readByKcat(name, u"%k %p\n"_s).split('\n');
        return QSet<QByteArray>(rows.begin(), rows.end());
    };
    const auto ours = placed(topic);
    QCOMPARE(ours.size(), kKeys + 1); // and the empty one behind the last line
    QCOMPARE(ours, placed(topic + u"-theirs"_s));
}

void tst_RealKafkaPublishing::recordsGoWhereTheyAreShownToGo_data()
{
    QTest::addColumn<PartitionAlgorithm>("algorithm");
    for (const PartitionAlgorithm algorithm :
         kafka::KafkaSession(configFor(*m_cluster)).capabilities().partitioners)
        QTest::addRow("%s", qPrintable(Partitioner(algorithm).name())) << algorithm;
}

void tst_RealKafkaPublishing::recordsGoWhereTheyAreShownToGo()
{
    QFETCH(const PartitionAlgorithm, algorithm);
    const QString topic = u"shown-"_s + Partitioner(algorithm).name();
    VERIFY_DONE(peer().createTopic(topic, 7));
    PublishRequest request = requestFor(topic);
    request.partitioner = algorithm;
    for (const auto &key : QList<std::optional<QByteArray>>{
             std::nullopt, QByteArray(""), QByteArray("\xff\x00", 2), QByteArray("kafka")}) {
        request.key = key;
        const auto shown = Partitioner(algorithm).explain(asBytesOrNull(key), 7);
        VERIFY_DONE(shown);
        std::set<PartitionId> used;
        for (int i = 0; i < 14; ++i) {
            const auto result = m_session->publish(request, soon());
            VERIFY_DONE(result);
            used.insert(result->partition.partition);
        }
        if (shown->index)
            QVERIFY(used == std::set<PartitionId>{PartitionId{*shown->index}});
        else
            QCOMPARE(used.size(), size_t(7));
    }
}

void tst_RealKafkaPublishing::pythonsClientChoosesTheSamePartition()
{
    constexpr int kPartitions = 12;
    QByteArray lines;
    QByteArray expected;
    for (int i = 0; i < 10'000; ++i) {
        QByteArray key;
        for (int at = 0; at < i % 23; ++at)
            key += char((i * 31 + at * 17) ^ (i >> 5));
        lines += key.toBase64() + '\n';
        const auto shown =
            Partitioner(PartitionAlgorithm::Murmur2Random)
                .explain(std::as_bytes(std::span(key.constData(), size_t(key.size()))),
                         kPartitions);
        expected += QByteArray::number(shown->index.value_or(-1)) + '\n';
    }
    const auto theirs = runPythonPeer({u"partition"_s, QString::number(kPartitions)}, lines);
    QVERIFY2(theirs.code == 0, theirs.err.constData());
    QVERIFY(theirs.out == expected);
}

void tst_RealKafkaPublishing::everyCompressionIsReadByOthers_data()
{
    QTest::addColumn<Compression>("compression");
    const auto compressions =
        kafka::KafkaSession(configFor(*m_cluster)).capabilities().compressions;
    QCOMPARE(compressions.size(), 5); // this library has them all
    for (const Compression compression : compressions)
        QTest::addRow("%s", qPrintable(compressionName(compression))) << compression;
}

void tst_RealKafkaPublishing::everyCompressionIsReadByOthers()
{
    QFETCH(const Compression, compression);
    const QString topic = u"packed-"_s + compressionName(compression);
    // What does not fit as it is fits when it is compressed.
    VERIFY_DONE(peer().createTopic(topic, 1, {{u"max.message.bytes"_s, u"1000"_s}}));
    PublishRequest request = requestFor(topic);
    request.value = QByteArray(5'000, 'x');
    request.headers = {{"h", QByteArray(100, 'y')}};
    request.compression = compression;
    const auto result = m_session->publish(request, soon());
    if (compression == Compression::None) {
        QVERIFY(!result);
        QCOMPARE(result.error().brokerName, u"MSG_SIZE_TOO_LARGE"_s);
        return;
    }
    VERIFY_DONE(result);
    QCOMPARE(readByKcat(topic, u"%h %s\n"_s),
             "h=" + QByteArray(100, 'y') + ' ' + QByteArray(5'000, 'x') + '\n');
}

void tst_RealKafkaPublishing::timesOfAnyKind_data()
{
    QTest::addColumn<qint64>("time");
    QTest::addColumn<QString>("refusal"); // empty: it is stored as it is
    QTest::newRow("none") << qint64(-1) << QString();
    QTest::newRow("0") << qint64(0) << u"InvalidArgument"_s;
    QTest::newRow("1970") << qint64(1) << QString();
    QTest::newRow("year 5138") << qint64(100'000'000'000'000) << u"INVALID_TIMESTAMP"_s;
}

void tst_RealKafkaPublishing::timesOfAnyKind()
{
    QFETCH(const qint64, time);
    QFETCH(const QString, refusal);
    const QString topic = u"time%1"_s.arg(time);
    VERIFY_DONE(peer().createTopic(topic));
    PublishRequest request = requestFor(topic);
    request.timestampMs = time;
    const auto result = m_session->publish(request, soon());
    if (!refusal.isEmpty()) {
        QVERIFY(!result);
        const Error &error = result.error();
        QCOMPARE(error.kind == ErrorKind::Broker ? error.brokerName : errorKindName(error.kind),
                 refusal);
        QCOMPARE(readByKcat(topic, u"%T\n"_s), QByteArray());
        // A topic may allow what is ahead of the broker's clock.
        const QString open = topic + u"-open"_s;
        VERIFY_DONE(peer().createTopic(
            open, 1, {{u"message.timestamp.after.max.ms"_s, u"9223372036854775807"_s}}));
        request.topic = open;
        QCOMPARE(m_session->publish(request, soon()).ok(), time != 0);
        QCOMPARE(readByKcat(open, u"%T\n"_s),
                 time == 0 ? QByteArray() : QByteArray::number(time) + '\n');
        return;
    }
    VERIFY_DONE(result);
    QCOMPARE(readByKcat(topic, u"%T\n"_s), QByteArray::number(time) + '\n');
}

void tst_RealKafkaPublishing::aCompactedTopicWantsKeys()
{
    VERIFY_DONE(peer().createTopic(u"compacted"_s, 1, {{u"cleanup.policy"_s, u"compact"_s}}));
    PublishRequest request = requestFor(u"compacted"_s);
    const auto rules = m_session->topicRules(request.topic, soon());
    VERIFY_DONE(rules);
    QVERIFY(rules->compacted);
    QVERIFY(rules->limitIsDefault);
    QCOMPARE(rules->maxRecordBytes, std::optional(qint64(1'048'588))); // as Kafka documents it
    const auto refused = m_session->publish(request, soon());
    QVERIFY(!refused);
    QCOMPARE(refused.error().brokerName, u"INVALID_RECORD"_s);
    request.key = QByteArray("");
    VERIFY_DONE(m_session->publish(request, soon()));
}

void tst_RealKafkaPublishing::recordsWithoutKeyAreSpread()
{
    VERIFY_DONE(peer().createTopic(u"spread"_s, 3));
    QMap<PartitionId, int> count;
    for (int i = 0; i < 100; ++i) {
        const auto result = m_session->publish(requestFor(u"spread"_s), soon());
        VERIFY_DONE(result);
        ++count[result->partition.partition];
    }
    QCOMPARE(count.size(), 3); // misses one with a chance of 10^-17
    PublishRequest request = requestFor(u"spread"_s);
    request.key = "k";
    request.partition = PartitionId{1};
    QCOMPARE(m_session->publish(request, soon()).value().partition.partition, PartitionId{1});
    request.partition = PartitionId{3};
    const auto refused = m_session->publish(request, soon());
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, ErrorKind::InvalidArgument);
}

void tst_RealKafkaPublishing::everyAckPolicyKeepsItsPromise_data()
{
    QTest::addColumn<AckPolicy>("ack");
    QTest::newRow("0") << AckPolicy::Acks0;
    QTest::newRow("1") << AckPolicy::Acks1;
    QTest::newRow("all") << AckPolicy::AcksAll;
}

void tst_RealKafkaPublishing::everyAckPolicyKeepsItsPromise()
{
    QFETCH(const AckPolicy, ack);
    const QString topic = u"acks-"_s + ackPolicyName(ack);
    VERIFY_DONE(peer().createTopic(topic));
    QByteArray expected;
    for (int i = 0; i < 3; ++i) {
        PublishRequest request = requestFor(topic);
        request.value = QByteArray::number(i);
        request.ack = ack;
        const auto result = m_session->publish(request, soon());
        VERIFY_DONE(result);
        QCOMPARE(result->ack, ack);
        // Without an answer nothing is claimed.
        QCOMPARE(result->offset.has_value(), ack != AckPolicy::Acks0);
        expected += QByteArray::number(i) + '\n';
    }
    QTRY_COMPARE(readByKcat(topic, u"%s\n"_s), expected);
}

void tst_RealKafkaPublishing::readOnlySendsNothing()
{
    KafkaPeer peer = this->peer();
    VERIFY_DONE(peer.createTopic(u"shut"_s));
    SessionConfig config = configFor(*m_cluster);
    config.readOnly = true;
    kafka::KafkaSession session(config);
    const auto refused = session.publish(requestFor(u"shut"_s), soon());
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, ErrorKind::ReadOnly);
    QCOMPARE(peer.watermarks(u"shut"_s).value(), std::pair(qint64(0), qint64(0)));
}

void tst_RealKafkaPublishing::anotherPartitionCountSendsNothing()
{
    KafkaPeer peer = this->peer();
    VERIFY_DONE(peer.createTopic(u"counted"_s, 2));
    PublishRequest request = requestFor(u"counted"_s);
    request.key = QByteArray("k");
    request.expectedPartitionCount = 3;
    const auto refused = m_session->publish(request, soon());
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, ErrorKind::PartitionsChanged);
    for (int partition = 0; partition < 2; ++partition)
        QCOMPARE(peer.watermarks(u"counted"_s, partition).value(), std::pair(qint64(0), qint64(0)));
    request.expectedPartitionCount = 2;
    VERIFY_DONE(m_session->publish(request, soon()));
}

void tst_RealKafkaPublishing::theBrokersRefusalIsAnAnswer()
{
    VERIFY_DONE(peer().createTopic(u"small"_s, 1, {{u"max.message.bytes"_s, u"1000"_s}}));
    PublishRequest request = requestFor(u"small"_s);
    request.value = QByteArray(5'000, 'x');
    const auto refused = m_session->publish(request, soon());
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, ErrorKind::Broker);
    QCOMPARE(refused.error().brokerName, u"MSG_SIZE_TOO_LARGE"_s);
    QCOMPARE(refused.error().limitBytes, std::optional(qint64(1000)));
    QVERIFY2(!refused.error().detail.contains(u"xxx"_s), qPrintable(refused.error().detail));
    const auto rules = m_session->topicRules(request.topic, soon());
    VERIFY_DONE(rules);
    QVERIFY(!rules->compacted);
    QVERIFY(!rules->limitIsDefault);
    QCOMPARE(rules->maxRecordBytes, std::optional(qint64(1000)));
    // A record that is said to be too large is; the largest that fits is not said to be.
    request.value = QByteArray(1000 - rules->recordOverhead + 1, 'x');
    QVERIFY(!m_session->publish(request, soon()));
    request.value = QByteArray(1000 - rules->recordOverhead - 2, 'x'); // two lengths need two bytes
    VERIFY_DONE(m_session->publish(request, soon()));
    const auto missing = m_session->topicRules(u"missing"_s, soon());
    QVERIFY(!missing);
    QCOMPARE(missing.error().kind, ErrorKind::Broker);

    request.value = QByteArray("small");
    VERIFY_DONE(m_session->publish(request, soon())); // the client is none the worse for it
    QCOMPARE(readByKcat(u"small"_s, u"%o %S\n"_s), QByteArray("0 930\n1 5\n"));
}

KAFKA_TEST_MAIN(tst_RealKafkaPublishing)

#include "tst_realkafkapublishing.moc"
