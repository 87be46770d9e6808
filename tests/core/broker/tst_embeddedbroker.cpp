#include "core/broker/embeddedbroker.h"
#include "tests/support/promptness.h"
#include "tests/support/rawclient.h"
#include "tests/support/startedbroker.h"

#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>

using namespace topicscope;
using namespace topicscope::broker;
using namespace topicscope::test;
using namespace Qt::StringLiterals;

namespace
{

QByteArray hex(const char *text)
{
    return QByteArray::fromHex(text);
}

constexpr char kNone = 0;
constexpr char kWritten = 1;
constexpr char kForced = 2;
constexpr int kLongWaitMs = 30'000;

} // namespace

/// What a client sees on the wire, with bytes written by hand.
class tst_EmbeddedBroker : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<EmbeddedBroker> m_broker;

    BrokerConfig config() const;
    void start(const BrokerConfig &config);
    quint16 port() const { return m_broker->port(); }
    qint64 endOf(const QByteArray &topic);

private slots:
    void init();
    void cleanup();
    void theExchangesOfARealBrokerAreReproduced();
    void impossibleLengthsClose_data();
    void impossibleLengthsClose();
    void framesShorterThanAHeaderAreAnsweredWithIdZero();
    void theLargestFrameIsAccepted();
    void aValidRequestBeforeABadLengthIsAnswered();
    void framesMayComeByteByByteAndGlued();
    void decodingComesBeforeLookingUp_data();
    void decodingComesBeforeLookingUp();
    void noneIsSilentOnSuccessAndAnsweredOnError();
    void halfClosedClientsGetEveryAnswer();
    void aHoldEndsWithTheAppendItWaitsFor();
    void aHoldEndsAtItsDeadlineWithWhatIsThere();
    void aHoldEndsWhenTheClientFinishesSending();
    void aHoldOutOfRangeIsAnsweredAtOnce();
    void minBytesCountAcrossSegments();
    void aHoldOfADeletedOffsetEnds();
    void requestsBehindAHoldWaitForIt();
    void aClientThatReadsNothingIsNotServedFurther();
    void announcedFramesCostNoMemory();
    void aFailedPartitionEndsItsWaitersAndNoOthers();
    void stoppingAnswersHeldFetches();
    void aStartThatFailsIsReported();
    void aSecondBrokerOnTheDirectoryIsRefused();
    void recordsCanBeAppendedInTheProcess();
    void destroyingABusyBrokerIsQuick();
};

BrokerConfig tst_EmbeddedBroker::config() const
{
    BrokerConfig config;
    config.dataDirectory = m_dir->path();
    config.port = 0;
    config.topics = {{u"demo"_s, 2}, {u"other"_s, 1}};
    return config;
}

void tst_EmbeddedBroker::start(const BrokerConfig &config)
{
    m_broker = std::make_unique<EmbeddedBroker>(config);
    const auto port = startAndWait(*m_broker);
    if (!port)
        qFatal("%s", qPrintable(describe(port.error())));
}

qint64 tst_EmbeddedBroker::endOf(const QByteArray &topic)
{
    const QByteArray answer = RawClient(port()).exchange(metadataFrame(1, {topic}));
    return qFromBigEndian<qint64>(answer.constData() + answer.size() - 8);
}

void tst_EmbeddedBroker::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    start(config());
}

void tst_EmbeddedBroker::cleanup()
{
    m_broker.reset();
}

void tst_EmbeddedBroker::theExchangesOfARealBrokerAreReproduced()
{
    m_broker.reset();
    BrokerConfig one = config();
    one.topics = {{u"demo"_s, 2}};
    start(one);
    RawClient client(port());
    QCOMPARE(client.exchange(hex("0000000c00030001 00000001 00000000")),
             hex("0000003c 00000001 0000 00000001 0004 64656d6f 00000002"
                 "00000000 0000000000000000 0000000000000000"
                 "00000001 0000000000000000 0000000000000000"));
    QCOMPARE(client.exchange(hex("00000024 0001 0001 00000002 0004 64656d6f 00000001 01 00000002"
                                 "00000003 616263 00000002 00ff")),
             hex("00000016 00000002 0000 0000000000000000 0000000000000002"));
    client.send(hex("0000001c 0001 0001 00000003 0004 64656d6f 00000001 00 00000001 00000001 6e"));
    QCOMPARE(client.exchange(hex("00000026 0002 0002 00000005 0004 64656d6f 00000001"
                                 "0000000000000000 00000400 00000000 00000000")),
             hex("00000030 00000005 0000 0000000000000003 0000001e"
                 "00000003 364b3fb7 616263 00000002 5c1c2483 00ff 00000001 9fc37f14 6e"));
    QCOMPARE(client.exchange(hex("00000026 0002 0002 00000006 0004 64656d6f 00000001"
                                 "0000000000000000 0000000e 00000000 00000000")),
             hex("00000020 00000006 0000 0000000000000003 0000000e"
                 "00000003 364b3fb7 616263 000000"));
    QCOMPARE(client.exchange(hex("0000001e 0002 0001 00000007 0004 64656d6f 00000001"
                                 "0000000000000003 00000400")),
             hex("00000012 00000007 0000 0000000000000003 00000000"));
    QCOMPARE(client.exchange(fetchFrame(8, "demo", 1, 4, 1024)), hex("00000006 00000008 0002"));
    QCOMPARE(client.exchange(hex("00000003 000300")), hex("00000006 00000000 0005"));
    m_broker.reset();
    QFile segment(m_dir->filePath(u"demo-1/00000000000000000000.log"_s));
    QVERIFY(segment.open(QIODevice::ReadOnly));
    QCOMPARE(segment.readAll(),
             hex("00000003 364b3fb7 616263 00000002 5c1c2483 00ff 00000001 9fc37f14 6e"));
}

void tst_EmbeddedBroker::impossibleLengthsClose_data()
{
    QTest::addColumn<QByteArray>("length");
    for (const char *length : {"00000000", "ffffffff", "80000000", "00800001", "7fffffff"})
        QTest::newRow(length) << hex(length);
}

void tst_EmbeddedBroker::impossibleLengthsClose()
{
    QFETCH(const QByteArray, length);
    RawClient client(port());
    client.send(length + produceFrame(1, "other", 0, kWritten, {"never"}));
    QVERIFY(client.sawClose());
    QCOMPARE(endOf("other"), 0);
}

void tst_EmbeddedBroker::framesShorterThanAHeaderAreAnsweredWithIdZero()
{
    RawClient client(port());
    for (qint32 length = 1; length <= 7; ++length)
        QCOMPARE(client.exchange(be32(length) + QByteArray(length, '\1')), errorFrame(0, 5));
    QCOMPARE(client.exchange(metadataFrame(9, {"other"})).size(), 4 + 6 + 4 + 2 + 5 + 4 + 20);
}

void tst_EmbeddedBroker::theLargestFrameIsAccepted()
{
    RawClient client(port());
    const QByteArray junk(8'388'608 - 12, 'j'); // behind the last field: ignored
    QCOMPARE(client.exchange(requestFrame(3, 1, 4, be32(0) + junk)),
             client.exchange(metadataFrame(4)));
}

void tst_EmbeddedBroker::aValidRequestBeforeABadLengthIsAnswered()
{
    RawClient client(port());
    client.send(produceFrame(3, "other", 0, kWritten, {"x"}) + hex("00000000"));
    QCOMPARE(client.receiveFrame(), produceAnswer(3, 0, 1));
    QVERIFY(client.sawClose());
}

void tst_EmbeddedBroker::framesMayComeByteByByteAndGlued()
{
    RawClient client(port());
    for (const char byte : produceFrame(-5, "other", 0, kWritten, {"x"}))
        client.send(QByteArray(1, byte));
    QCOMPARE(client.receiveFrame(), produceAnswer(-5, 0, 1));
    QByteArray glued;
    QByteArray expected;
    for (int i = 0; i < 500; ++i) {
        glued += produceFrame(i, "other", 0, kWritten, {"yy"});
        expected += produceAnswer(i, 1 + i, 2 + i);
    }
    client.send(glued);
    QCOMPARE(client.receive(expected.size()), expected);
}

void tst_EmbeddedBroker::decodingComesBeforeLookingUp_data()
{
    QTest::addColumn<QByteArray>("request");
    QTest::addColumn<int>("code");
    QTest::newRow("unknown key") << requestFrame(42, 1, 7, {}) << 4;
    QTest::newRow("unknown version, broken body") << requestFrame(1, 2, 7, hex("ff")) << 4;
    QTest::newRow("header only") << requestFrame(2, 2, 7, {}) << 5;
    QTest::newRow("unknown topic, bad max bytes") << fetchFrame(7, "nope", 0, 0, -1) << 5;
    QTest::newRow("unknown topic") << fetchFrame(7, "nope", 0, 0, 1, kLongWaitMs, 1) << 1;
    QTest::newRow("unknown partition") << produceFrame(7, "other", 1, kWritten, {"x"}) << 1;
    QTest::newRow("empty record") << produceFrame(7, "other", 0, kWritten, {"x", ""}) << 5;
    QTest::newRow("ack policy 3") << produceFrame(7, "other", 0, 3, {"x"}) << 5;
    QTest::newRow("min above max") << fetchFrame(7, "other", 0, 0, 10, 0, 11) << 5;
    QTest::newRow("byte order mark") << metadataFrame(7, {"\xEF\xBB\xBFother"}) << 5;
    QTest::newRow("numeral letter") << metadataFrame(7, {"\u2167"}) << 5;
    QTest::newRow("other letters") << metadataFrame(7, {"тема٣"}) << 1;
    QTest::newRow("unknown then malformed name") << metadataFrame(7, {"nope", "a b"}) << 5;
    QTest::newRow("known and unknown name") << metadataFrame(7, {"other", "nope"}) << 1;
}

void tst_EmbeddedBroker::decodingComesBeforeLookingUp()
{
    QFETCH(const QByteArray, request);
    QFETCH(const int, code);
    RawClient client(port());
    QCOMPARE(client.exchange(request), errorFrame(7, qint16(code)));
    QCOMPARE(client.exchange(produceFrame(8, "other", 0, kWritten, {"x"})), produceAnswer(8, 0, 1));
}

void tst_EmbeddedBroker::noneIsSilentOnSuccessAndAnsweredOnError()
{
    RawClient client(port());
    client.send(
        produceFrame(1, "other", 0, kNone, {"good"}) + produceFrame(2, "nope", 0, kNone, {"bad"}) +
        produceFrame(3, "other", 0, kNone, {""}) + produceFrame(4, "other", 0, kNone, {"good"}) +
        produceFrame(5, "other", 0, kForced, {"last"}));
    QCOMPARE(client.receiveFrame(), errorFrame(2, 1));
    QCOMPARE(client.receiveFrame(), errorFrame(3, 5));
    QCOMPARE(client.receiveFrame(), produceAnswer(5, 2, 3));
    QVERIFY(client.isSilentFor(50));
}

void tst_EmbeddedBroker::halfClosedClientsGetEveryAnswer()
{
    RawClient client(port());
    client.send(produceFrame(1, "other", 0, kForced, {"x"}) + metadataFrame(2, {"nope"}) +
                fetchFrame(3, "other", 0, 1, 100, kLongWaitMs, 1) +
                produceFrame(4, "other", 0, kWritten, {"y"}));
    client.finishSending();
    QElapsedTimer clock;
    clock.start();
    QCOMPARE(client.receiveFrame(), produceAnswer(1, 0, 1));
    QCOMPARE(client.receiveFrame(), errorFrame(2, 1));
    QCOMPARE(client.receiveFrame(), fetchAnswer(3, 1, {}));
    QCOMPARE(client.receiveFrame(), produceAnswer(4, 1, 2));
    QVERIFY(client.sawClose());
    QVERIFY(clock.elapsed() < kLongWaitMs / 2);
}

void tst_EmbeddedBroker::aHoldEndsWithTheAppendItWaitsFor()
{
    RawClient reader(port());
    RawClient writer(port());
    reader.send(fetchFrame(1, "other", 0, 0, 1000, kLongWaitMs, 12));
    QCOMPARE(writer.exchange(produceFrame(2, "demo", 0, kWritten, {"elsewhere"})),
             produceAnswer(2, 0, 1));
    QCOMPARE(
        writer.exchange(produceFrame(3, "other", 0, kNone, {"n"}) + metadataFrame(4, {"nope"})),
        errorFrame(4, 1));
    QVERIFY(reader.isSilentFor(50)); // 9 of 12 bytes
    writer.send(produceFrame(5, "other", 0, kNone, {"abc"}));
    QCOMPARE(reader.receiveFrame(),
             fetchAnswer(1, 2, hex("00000001 9fc37f14 6e 00000003 364b3fb7 616263")));
}

void tst_EmbeddedBroker::aHoldEndsAtItsDeadlineWithWhatIsThere()
{
    RawClient client(port());
    QCOMPARE(client.exchange(produceFrame(1, "other", 0, kWritten, {"n"})), produceAnswer(1, 0, 1));
    QElapsedTimer clock;
    clock.start();
    QCOMPARE(client.exchange(fetchFrame(2, "other", 0, 0, 1000, 200, 10)),
             fetchAnswer(2, 1, hex("00000001 9fc37f14 6e")));
    QVERIFY2(clock.elapsed() >= 199, qPrintable(QString::number(clock.elapsed())));
}

void tst_EmbeddedBroker::aHoldEndsWhenTheClientFinishesSending()
{
    RawClient client(port());
    client.send(fetchFrame(2, "other", 0, 0, 1000, kLongWaitMs, 1));
    QVERIFY(client.isSilentFor(50));
    client.finishSending();
    QCOMPARE(client.receiveFrame(), fetchAnswer(2, 0, {}));
    QVERIFY(client.sawClose());
}

void tst_EmbeddedBroker::aHoldOutOfRangeIsAnsweredAtOnce()
{
    QCOMPARE(RawClient(port()).exchange(fetchFrame(2, "other", 0, 1, 1000, kLongWaitMs, 1)),
             errorFrame(2, 2));
}

void tst_EmbeddedBroker::minBytesCountAcrossSegments()
{
    m_broker.reset();
    BrokerConfig small = config();
    small.segmentCapacityBytes = 18;
    start(small);
    RawClient client(port());
    QCOMPARE(client.exchange(produceFrame(1, "other", 0, kWritten, {"n", "n", "n"})),
             produceAnswer(1, 0, 3));
    // 9 bytes here, 9 more in the next segment.
    QCOMPARE(client.exchange(fetchFrame(2, "other", 0, 1, 1000, kLongWaitMs, 18)),
             fetchAnswer(2, 3, hex("00000001 9fc37f14 6e")));
}

void tst_EmbeddedBroker::aHoldOfADeletedOffsetEnds()
{
    m_broker.reset();
    BrokerConfig small = config();
    small.segmentCapacityBytes = 9;
    small.retentionBytes = 9;
    small.retentionCheck = std::chrono::milliseconds(10);
    start(small);
    RawClient reader(port());
    RawClient writer(port());
    writer.exchange(produceFrame(1, "other", 0, kWritten, {"n"}));
    reader.send(fetchFrame(2, "other", 0, 0, 1000, kLongWaitMs, 1000));
    QVERIFY(reader.isSilentFor(50));
    writer.exchange(produceFrame(3, "other", 0, kWritten, {"n"}));
    QCOMPARE(reader.receiveFrame(), errorFrame(2, 2));
}

void tst_EmbeddedBroker::requestsBehindAHoldWaitForIt()
{
    RawClient client(port());
    client.send(fetchFrame(1, "other", 0, 0, 100, 150, 1) +
                produceFrame(2, "other", 0, kWritten, {"x"}));
    QCOMPARE(client.receiveFrame(), fetchAnswer(1, 0, {}));
    QCOMPARE(client.receiveFrame(), produceAnswer(2, 0, 1));
}

void tst_EmbeddedBroker::aClientThatReadsNothingIsNotServedFurther()
{
    RawClient writer(port());
    const QByteArray record(1 << 20, 'r');
    writer.exchange(produceFrame(1, "demo", 0, kWritten, {record}));
    RawClient greedy(port());
    greedy.socket().setReadBufferSize(1);
    QByteArray requests;
    constexpr int kFetches = 64;
    for (int i = 0; i < kFetches; ++i)
        requests += fetchFrame(i, "demo", 0, 0, 2 << 20);
    // Served only when all answers before it were taken.
    requests += produceFrame(kFetches, "other", 0, kWritten, {"last"});
    greedy.send(requests);
    QVERIFY(!writer.exchange(metadataFrame(2)).isEmpty()); // others go on
    QCOMPARE(endOf("other"), 0);
    greedy.socket().setReadBufferSize(0);
    for (int i = 0; i < kFetches; ++i) {
        const QByteArray answer = greedy.receiveFrame();
        QCOMPARE(answer.size(), 22 + 8 + record.size());
        QVERIFY(answer.endsWith(record));
    }
    QCOMPARE(greedy.receiveFrame(), produceAnswer(kFetches, 0, 1));
}

void tst_EmbeddedBroker::announcedFramesCostNoMemory()
{
#ifndef Q_OS_LINUX
    QSKIP("reads /proc");
#endif
    const auto resident = [] {
        QFile file(u"/proc/self/statm"_s);
        return file.open(QIODevice::ReadOnly) ? file.readAll().split(' ').value(1).toLongLong() * 4
                                              : -1;
    };
    std::vector<std::unique_ptr<RawClient>> clients;
    for (int i = 0; i < 300; ++i)
        clients.push_back(std::make_unique<RawClient>(port()));
    QVERIFY(!clients[0]->exchange(metadataFrame(1)).isEmpty());
    const qint64 before = resident();
    for (const auto &client : clients)
        client->send(hex("00800000") + QByteArray(100, '\0'));
    QVERIFY(!RawClient(port()).exchange(metadataFrame(1)).isEmpty());
    const qint64 grownKiB = resident() - before;
    QVERIFY2(grownKiB < 32 << 10, qPrintable(QString::number(grownKiB)));
}

void tst_EmbeddedBroker::aFailedPartitionEndsItsWaitersAndNoOthers()
{
    m_broker.reset();
    BrokerConfig small = config();
    small.segmentCapacityBytes = 9;
    start(small);
    QSignalSpy warnings(m_broker.get(), &EmbeddedBroker::warning);
    RawClient other(port());
    RawClient waiting(port());
    waiting.exchange(produceFrame(1, "other", 0, kWritten, {"n"}));
    QVERIFY(QDir(m_dir->path()).mkdir(u"other-0/00000000000000000001.log"_s));
    waiting.send(produceFrame(2, "other", 0, kWritten, {"n"}));
    QVERIFY(waiting.sawClose());
    RawClient later(port());
    later.send(produceFrame(3, "other", 0, kNone, {"n"}));
    QVERIFY(later.sawClose());
    QCOMPARE(other.exchange(fetchFrame(4, "other", 0, 0, 100)),
             fetchAnswer(4, 1, hex("00000001 9fc37f14 6e")));
    QCOMPARE(other.exchange(produceFrame(5, "demo", 0, kWritten, {"n"})), produceAnswer(5, 0, 1));
    QTRY_COMPARE(warnings.size(), 1);
    QVERIFY(warnings[0][0].toString().contains(u"other-0"_s));
}

void tst_EmbeddedBroker::stoppingAnswersHeldFetches()
{
    QSignalSpy stopped(m_broker.get(), &EmbeddedBroker::stopped);
    RawClient holding(port());
    holding.send(fetchFrame(1, "other", 0, 0, 100, kLongWaitMs, 1));
    QVERIFY(holding.isSilentFor(50));
    RawClient writing(port());
    writing.send(produceFrame(2, "demo", 0, kNone, {"n"}));
    m_broker->stop();
    QCOMPARE(holding.receiveFrame(), fetchAnswer(1, 0, {}));
    QVERIFY(holding.sawClose());
    QVERIFY(stopped.wait());
    start(config()); // the directory is free again, and the NONE request was written
    QCOMPARE(RawClient(port()).exchange(fetchFrame(3, "demo", 0, 0, 100)),
             fetchAnswer(3, 1, hex("00000001 9fc37f14 6e")));
}

void tst_EmbeddedBroker::aStartThatFailsIsReported()
{
    const QTemporaryDir dir;
    BrokerConfig taken = config();
    taken.dataDirectory = dir.path();
    taken.port = port();
    EmbeddedBroker second(taken);
    QSignalSpy failed(&second, &EmbeddedBroker::failed);
    second.start();
    QVERIFY(failed.wait());
    QCOMPARE(failed[0][0].value<Error>().kind, ErrorKind::Network);
    QCOMPARE(second.port(), quint16(0));
}

void tst_EmbeddedBroker::aSecondBrokerOnTheDirectoryIsRefused()
{
    EmbeddedBroker second(config());
    const auto outcome = startAndWait(second);
    QVERIFY(!outcome);
    QCOMPARE(outcome.error().kind, ErrorKind::Io);
    QVERIFY(outcome.error().detail.contains(u"another broker"_s));
}

void tst_EmbeddedBroker::recordsCanBeAppendedInTheProcess()
{
    RawClient reader(port());
    reader.send(fetchFrame(1, "other", 0, 0, 100, kLongWaitMs, 1));
    m_broker->append({u"other"_s, PartitionId{0}}, "n");
    QCOMPARE(reader.receiveFrame(), fetchAnswer(1, 1, hex("00000001 9fc37f14 6e")));
    QSignalSpy warnings(m_broker.get(), &EmbeddedBroker::warning);
    m_broker->append({u"nope"_s, PartitionId{0}}, "n");
    QVERIFY(warnings.wait());
}

void tst_EmbeddedBroker::destroyingABusyBrokerIsQuick()
{
    const qint64 quickestMs = quickest([&](qint64 &took) {
        if (!m_broker)
            start(config());
        RawClient holding(port());
        holding.send(fetchFrame(1, "other", 0, 0, 100, kLongWaitMs, 1));
        RawClient partial(port());
        partial.send(hex("0000"));
        QElapsedTimer clock;
        clock.start();
        m_broker.reset();
        took = clock.elapsed();
    });
    QVERIFY2(quickestMs < 3000, qPrintable(QString::number(quickestMs)));
}

QTEST_GUILESS_MAIN(tst_EmbeddedBroker)
#include "tst_embeddedbroker.moc"
