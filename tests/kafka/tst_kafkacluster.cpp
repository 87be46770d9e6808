// The cluster that other tests lean on, seen through kcat and kafka-python, which share no code
// with us.

#include "tests/support/kafkatest.h"

#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

using namespace Qt::StringLiterals;
using namespace topicscope;
using namespace topicscope::test;

namespace
{

QByteArray everyByte()
{
    QByteArray bytes;
    for (int i = 0; i < 256; ++i)
        bytes += char(i);
    return bytes;
}

/// What kcat prints of partition 0, in its format.
QByteArray readByKcat(const KafkaCluster &cluster, const QString &topic, const QString &format,
                      const QStringList &more = {})
{
    const auto read =
        runKcat(QStringList{u"-b"_s, cluster.bootstrap(), u"-C"_s, u"-t"_s, topic, u"-p"_s, u"0"_s,
                            u"-o"_s, u"beginning"_s, u"-e"_s, u"-q"_s, u"-f"_s, format} +
                more);
    return read.code == 0 ? read.out : read.err;
}

/// While nodes come and go; -2 when nobody can tell.
int leaderOf(const KafkaPeer &peer, const QString &topic)
{
    const auto leader = peer.leader(topic);
    return leader ? *leader : -2;
}

} // namespace

class tst_KafkaCluster : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void keepsWhatIsPublished_data();
    void keepsWhatIsPublished();
    void topicsAppearByAskingForThem();
    void topicsAndRecordsAreDeleted();
    void everyCompressionIsStored_data();
    void everyCompressionIsStored();
    void aDamagedBatchIsNoticed();
    void abortedRecordsAreHiddenFromCommittedReaders();
    void groupsKeepTheirOffsets();
    void compactionLeavesGaps();
    void pythonReadsWhatIsPublished();
    void pythonPublishes();
    void pythonPartitionsByKey();
    void aStoppedNodeComesBackWithItsRecords();
    void aFrozenNodeDoesNotAnswer();
    void anotherNodeTakesOver();
    void theLogTellsWhyANodeDoesNotStart();

private:
    KafkaCluster &cluster() { return *m_cluster; }
    KafkaPeer peer() { return KafkaPeer(m_cluster->adminBootstrap()); }

    std::unique_ptr<KafkaCluster> m_cluster; ///< of the newest version, for most tests
};

void tst_KafkaCluster::initTestCase()
{
    m_cluster = std::make_unique<KafkaCluster>();
    QElapsedTimer timer;
    timer.start();
    VERIFY_DONE(m_cluster->start());
    qInfo("started in %lld ms", timer.elapsed());
}

void tst_KafkaCluster::keepsWhatIsPublished_data()
{
    QTest::addColumn<QString>("version");
    QTest::newRow("newest") << kNewestKafka;
    QTest::newRow("oldest") << kOldestKafka;
}

void tst_KafkaCluster::keepsWhatIsPublished()
{
    QFETCH(QString, version);
    std::unique_ptr<KafkaCluster> own;
    if (version != kNewestKafka) {
        own = std::make_unique<KafkaCluster>(KafkaOptions{.version = version});
        VERIFY_DONE(own->start());
    }
    KafkaCluster &kafka = own ? *own : cluster();
    KafkaPeer peer(kafka.adminBootstrap());
    VERIFY_DONE(peer.createTopic(u"orders"_s, 2));
    const QList<PeerRecord> records = {
        {.key = "k", .value = "first", .timestampMs = 1'000},
        {.value = everyByte(), .timestampMs = 2'000},
        {.key = "", .headers = {{"a", "1"}, {"a", ""}, {"b", std::nullopt}}, .timestampMs = 3'000},
        {.value = "elsewhere", .partition = 1},
    };
    const auto offsets = peer.produce(u"orders"_s, records);
    VERIFY_DONE(offsets);
    QCOMPARE(offsets.value(), QList<qint64>({0, 1, 2, 0}));
    // %K and %S are lengths, -1 for null.
    QCOMPARE(readByKcat(kafka, u"orders"_s, u"%o %T %K %S %h;%s\n"_s),
             "0 1000 1 5 ;first\n1 2000 -1 256 ;" + everyByte() + "\n2 3000 0 -1 a=1,a=,b=NULL;\n");
}

void tst_KafkaCluster::topicsAppearByAskingForThem()
{
    KafkaPeer peer = this->peer();
    QVERIFY(!peer.leader(u"typo"_s).ok()); // looking by the peer is no asking
    QVERIFY(!valueOf(peer.topics()).contains(u"typo"_s));
    QCOMPARE(runKcat({u"-b"_s, cluster().bootstrap(), u"-P"_s, u"-t"_s, u"typo"_s}, "x\n").code, 0);
    QVERIFY(valueOf(peer.topics()).contains(u"typo"_s));
}

void tst_KafkaCluster::topicsAndRecordsAreDeleted()
{
    KafkaPeer peer = this->peer();
    VERIFY_DONE(peer.createTopic(u"short"_s));
    VERIFY_DONE(peer.produce(u"short"_s, {{.value = "0"}, {.value = "1"}, {.value = "2"}}));
    VERIFY_DONE(peer.deleteRecords(u"short"_s, 0, 2));
    QCOMPARE(valueOf(peer.watermarks(u"short"_s)), std::pair(qint64(2), qint64(3)));
    QCOMPARE(readByKcat(cluster(), u"short"_s, u"%o %s\n"_s), "2 2\n");
    VERIFY_DONE(peer.deleteTopic(u"short"_s));
    QVERIFY(!valueOf(peer.topics()).contains(u"short"_s));
    // What the broker refuses is told.
    QVERIFY(peer.deleteTopic(u"short"_s).error().detail.startsWith(u"UNKNOWN_TOPIC_OR_PART"_s));
    VERIFY_DONE(peer.createTopic(u"short"_s));
    QVERIFY(peer.createTopic(u"short"_s).error().detail.startsWith(u"TOPIC_ALREADY_EXISTS"_s));
}

void tst_KafkaCluster::everyCompressionIsStored_data()
{
    QTest::addColumn<QString>("codec");
    QTest::addColumn<int>("number"); // the lowest three bits of a batch's attributes
    QTest::newRow("none") << u"none"_s << 0;
    QTest::newRow("gzip") << u"gzip"_s << 1;
    QTest::newRow("snappy") << u"snappy"_s << 2;
    QTest::newRow("lz4") << u"lz4"_s << 3;
    QTest::newRow("zstd") << u"zstd"_s << 4;
}

void tst_KafkaCluster::everyCompressionIsStored()
{
    QFETCH(QString, codec);
    QFETCH(int, number);
    KafkaPeer peer = this->peer();
    const QString topic = u"packed-"_s + codec;
    VERIFY_DONE(peer.createTopic(topic));
    const QByteArray value(10'000, 'x');
    VERIFY_DONE(peer.produce(topic, {{.value = value}}, {{u"compression.type"_s, codec}}));
    QCOMPARE(readByKcat(cluster(), topic, u"%s"_s), value);
    // The log file is where it is said to be, and its batch is packed so.
    QFile file(cluster().logDirectory(topic, 0) + u"/00000000000000000000.log"_s);
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
    const QByteArray batch = file.readAll();
    constexpr int kAttributes = 22; // the lower of its two bytes
    QVERIFY(batch.size() > kAttributes);
    QCOMPARE(batch.at(kAttributes) & 7, number);
    QCOMPARE(batch.size() > value.size(), number == 0);
}

void tst_KafkaCluster::aDamagedBatchIsNoticed()
{
    KafkaPeer peer = this->peer();
    VERIFY_DONE(peer.createTopic(u"damaged"_s));
    VERIFY_DONE(peer.produce(u"damaged"_s, {{.value = "good"}}));
    // One batch: it is sent when both are in it, whatever time that takes.
    VERIFY_DONE(peer.produce(u"damaged"_s, {{.value = "1"}, {.value = "2"}},
                             {{u"linger.ms"_s, u"60000"_s}}));
    QVERIFY(!cluster().damageBatch(u"damaged"_s, 0, 3));
    QCOMPARE(cluster().damageBatch(u"damaged"_s, 0, 2), std::pair(qint64(1), qint64(2)));
    const QStringList read = {u"-b"_s,      cluster().bootstrap(),
                              u"-C"_s,      u"-t"_s,
                              u"damaged"_s, u"-p"_s,
                              u"0"_s,       u"-q"_s,
                              u"-c"_s,      u"2"_s,
                              u"-X"_s};
    QCOMPARE(runKcat(read + QStringList{u"check.crcs=false"_s}).out, "good\n1\n");
    const auto checked = runKcat(read + QStringList{u"check.crcs=true"_s});
    QCOMPARE(checked.out, "good\n");
    QVERIFY2(checked.err.contains("CRC"), checked.err.constData());
}

void tst_KafkaCluster::abortedRecordsAreHiddenFromCommittedReaders()
{
    KafkaPeer peer = this->peer();
    const QString topic = u"payments"_s;
    VERIFY_DONE(peer.createTopic(topic));
    PeerProducer producer(cluster().adminBootstrap(), {{u"transactional.id"_s, u"t1"_s}});
    VERIFY_DONE(producer.begin());
    VERIFY_DONE(producer.produce(topic, {{.value = "kept"}}));
    VERIFY_DONE(producer.sendOffset(u"payers"_s, topic, 0, 1));
    VERIFY_DONE(producer.commit());
    VERIFY_DONE(producer.begin());
    VERIFY_DONE(producer.produce(topic, {{.value = "undone"}}));
    VERIFY_DONE(producer.abort());
    // It is back before the marker is written, which another client could come before.
    QTRY_COMPARE_WITH_TIMEOUT(valueOf(peer.watermarks(topic)).second, 4, 30'000);
    VERIFY_DONE(peer.produce(topic, {{.value = "plain"}}));
    const auto read = [&](const QString &level) {
        return readByKcat(cluster(), topic, u"%o %s\n"_s, {u"-X"_s, u"isolation.level="_s + level});
    };
    // Offsets 1 and 3 are the transactions' markers.
    QCOMPARE(read(u"read_committed"_s), "0 kept\n4 plain\n");
    QCOMPARE(read(u"read_uncommitted"_s), "0 kept\n2 undone\n4 plain\n");
    QCOMPARE(valueOf(peer.committed(u"payers"_s, topic)), 1);

    VERIFY_DONE(producer.begin());
    VERIFY_DONE(producer.produce(topic, {{.value = "open"}}));
    VERIFY_DONE(peer.produce(topic, {{.value = "behind it"}}));
    QCOMPARE(read(u"read_committed"_s), "0 kept\n4 plain\n");
    QCOMPARE(read(u"read_uncommitted"_s), "0 kept\n2 undone\n4 plain\n5 open\n6 behind it\n");
    VERIFY_DONE(producer.commit());
}

void tst_KafkaCluster::groupsKeepTheirOffsets()
{
    KafkaPeer peer = this->peer();
    VERIFY_DONE(peer.createTopic(u"shipments"_s));
    VERIFY_DONE(peer.produce(u"shipments"_s, {{.value = "0"}, {.value = "1"}, {.value = "2"}}));
    QVERIFY(!valueOf(peer.groups()).contains(u"billing"_s));
    VERIFY_DONE(peer.commitOffset(u"billing"_s, u"shipments"_s, 0, 1));
    QVERIFY(valueOf(peer.groups()).contains(u"billing"_s));
    QCOMPARE(valueOf(peer.committed(u"billing"_s, u"shipments"_s)), 1);
    QCOMPARE(valueOf(peer.committed(u"nobody"_s, u"shipments"_s)), std::nullopt);
    // A real member starts there.
    const auto read = runKcat({u"-b"_s, cluster().bootstrap(), u"-q"_s, u"-e"_s, u"-f"_s,
                               u"%o %s\n"_s, u"-G"_s, u"billing"_s, u"shipments"_s});
    QCOMPARE(read.out, "1 1\n2 2\n");
}

void tst_KafkaCluster::compactionLeavesGaps()
{
    KafkaPeer peer = this->peer();
    const QString topic = u"customers"_s;
    VERIFY_DONE(peer.createTopic(
        topic, 1, {{u"cleanup.policy"_s, u"compact"_s}, {u"segment.ms"_s, u"1000"_s}}));
    VERIFY_DONE(peer.produce(topic, {{.key = "a", .value = "1", .timestampMs = 1},
                                     {.key = "b", .value = "2", .timestampMs = 1},
                                     {.key = "a", .value = "3", .timestampMs = 1},
                                     {.key = "b", .value = "4", .timestampMs = 1},
                                     {.key = "c", .value = "5", .timestampMs = 1}}));
    VERIFY_DONE(peer.produce(topic, {{.key = "c", .value = "6", .timestampMs = 5'000}}));
    VERIFY_DONE(cluster().waitUntilCompacted(topic, 0, 5));
    QCOMPARE(readByKcat(cluster(), topic, u"%o %k %s\n"_s), "2 a 3\n3 b 4\n4 c 5\n5 c 6\n");
    QCOMPARE(valueOf(peer.watermarks(topic)), std::pair(qint64(0), qint64(6)));
}

void tst_KafkaCluster::pythonReadsWhatIsPublished()
{
    KafkaPeer peer = this->peer();
    VERIFY_DONE(peer.createTopic(u"to-python"_s));
    VERIFY_DONE(peer.produce(u"to-python"_s, {{.key = "",
                                               .value = "v",
                                               .headers = {{"h", "1"}, {"h", std::nullopt}},
                                               .timestampMs = 1'700'000'000'123},
                                              {.value = everyByte(), .timestampMs = -1}}));
    const auto read =
        runPythonPeer({u"consume"_s, u"-b"_s, cluster().bootstrap(), u"to-python"_s, u"0"_s});
    QVERIFY2(read.code == 0, read.err.constData());
    const QList<QByteArray> lines = read.out.split('\n');
    QCOMPARE(lines.at(0),
             R"({"partition": 0, "offset": 0, "key": "", "value": "dg==", )"
             R"("headers": [["h", "MQ=="], ["h", null]], "timestamp": 1700000000123})");
    const QJsonObject second = QJsonDocument::fromJson(lines.at(1)).object();
    QVERIFY(second[u"key"_s].isNull());
    QCOMPARE(QByteArray::fromBase64(second[u"value"_s].toString().toLatin1()), everyByte());
    QCOMPARE(second[u"timestamp"_s].toInt(), -1);
}

void tst_KafkaCluster::pythonPublishes()
{
    VERIFY_DONE(peer().createTopic(u"from-python"_s, 2));
    const QByteArray records =
        R"({"key": "aw==", "value": "dg==", "headers": [["h", "AQ=="], ["h", ""]], )"
        R"("timestamp": 0, "partition": 0}
{"key": "", "value": null, "timestamp": 5, "partition": 0}
{"key": "a2Fma2E=", "value": "AA==", "timestamp": 6}
)";
    const auto sent = runPythonPeer({u"produce"_s, u"-b"_s, cluster().bootstrap(), u"from-python"_s,
                                     u"-X"_s, u"compression_type=gzip"_s},
                                    records);
    QVERIFY2(sent.code == 0, sent.err.constData());
    // murmur2("kafka") without its sign bit is 5067cf64: even.
    QCOMPARE(sent.out, R"({"partition": 0, "offset": 0}
{"partition": 0, "offset": 1}
{"partition": 0, "offset": 2}
)");
    QCOMPARE(readByKcat(cluster(), u"from-python"_s, u"%o %T %K %S %h %k\n"_s),
             "0 0 1 1 h=\x01,h= k\n1 5 0 -1  \n2 6 5 1  kafka\n");
}

void tst_KafkaCluster::pythonPartitionsByKey()
{
    // Known results of Java's default partitioner for "kafka", an empty key and "a".
    const auto named = runPythonPeer({u"partition"_s, u"12"_s}, "a2Fma2E=\n\nYQ==\n");
    QVERIFY2(named.code == 0, named.err.constData());
    QCOMPARE(named.out, "4\n9\n4\n");
}

void tst_KafkaCluster::aStoppedNodeComesBackWithItsRecords()
{
    KafkaPeer peer = this->peer();
    VERIFY_DONE(peer.createTopic(u"kept"_s));
    VERIFY_DONE(peer.produce(u"kept"_s, {{.value = "before the stop"}}));
    const quint16 port = cluster().port();
    cluster().stop();
    QVERIFY(!cluster().isRunning());
    VERIFY_DONE(cluster().restart());
    QCOMPARE(cluster().port(), port);
    VERIFY_DONE(peer.produce(u"kept"_s, {{.value = "before the kill"}}));
    cluster().kill();
    VERIFY_DONE(cluster().restart());
    QCOMPARE(readByKcat(cluster(), u"kept"_s, u"%o %s\n"_s),
             "0 before the stop\n1 before the kill\n");
}

void tst_KafkaCluster::aFrozenNodeDoesNotAnswer()
{
    const QStringList list = {u"-b"_s, cluster().bootstrap(), u"-L"_s, u"-m"_s}; // seconds
    QCOMPARE(runKcat(list + QStringList{u"30"_s}).code, 0);
    cluster().freeze();
    const int frozen = runKcat(list + QStringList{u"1"_s}).code;
    cluster().thaw();
    QVERIFY(frozen != 0);
    QCOMPARE(runKcat(list + QStringList{u"30"_s}).code, 0);
}

void tst_KafkaCluster::anotherNodeTakesOver()
{
    KafkaCluster three({.nodes = 3});
    QElapsedTimer timer;
    timer.start();
    VERIFY_DONE(three.start());
    qInfo("three nodes started in %lld ms", timer.elapsed());
    KafkaPeer peer(three.adminBootstrap());
    VERIFY_DONE(peer.createTopicOn(u"led"_s, {{2, 3}}));
    VERIFY_DONE(peer.createTopicOn(u"lost"_s, {{3}}));
    QCOMPARE(valueOf(peer.leader(u"led"_s)), 2);
    VERIFY_DONE(peer.produce(u"led"_s, {{.value = "by 2"}}, {{u"acks"_s, u"all"_s}}));
    three.kill(2);
    QTRY_COMPARE_WITH_TIMEOUT(leaderOf(peer, u"led"_s), 3, 30'000);
    VERIFY_DONE(peer.produce(u"led"_s, {{.value = "by 3"}}));
    QCOMPARE(readByKcat(three, u"led"_s, u"%o %s\n"_s), "0 by 2\n1 by 3\n");
    three.kill(3);
    VERIFY_DONE(three.restart(2));
    QTRY_COMPARE_WITH_TIMEOUT(leaderOf(peer, u"lost"_s), -1, 30'000);
}

void tst_KafkaCluster::theLogTellsWhyANodeDoesNotStart()
{
    KafkaCluster wrong({.brokerProperties = {u"num.io.threads=none"_s}});
    const auto started = wrong.start();
    QVERIFY(!started.ok());
    QVERIFY2(started.error().detail.contains(u"num.io.threads"_s),
             qPrintable(started.error().detail));
}

KAFKA_TEST_MAIN(tst_KafkaCluster)

#include "tst_kafkacluster.moc"
