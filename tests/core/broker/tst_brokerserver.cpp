#include "core/broker/brokerserver.h"
#include "tests/support/descriptorlimit.h"
#include "tests/support/rawclient.h"

#include <QDir>
#include <QSignalSpy>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

using namespace topicscope;
using namespace topicscope::broker;
using namespace topicscope::test;
using namespace Qt::StringLiterals;

namespace
{
constexpr char kWritten = 1;
constexpr char kForced = 2;
} // namespace

/// What is counted inside, with the server on the test's own event loop.
class tst_BrokerServer : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<BrokerServer> m_server;
    quint16 m_port = 0;

    BrokerConfig config() const;
    void start(const BrokerConfig &config);
    std::unique_ptr<QTcpSocket> connected() const;

private slots:
    void init();
    void pipelinedForcedRequestsShareABarrier();
    void forcedRequestsOfSeveralConnectionsShareABarrier();
    void writtenRequestsNeedNoBarrier();
    void recordsAreFlushedAfterSoMany();
    void recordsAreFlushedAfterSomeTimeAlsoWhenIdle();
    void aLostClientEndsItsHold();
    void aBadLengthBehindALargeAnswerStillCloses();
    void slowReadersOfASegmentShareItsFile();
    void aPartitionWithoutDescriptorsTakesTheNextRecord();
    void theMetricsLineCountsInPlainDigits();
    void theStartIsPrintedAsOperatorsKnowIt();
};

BrokerConfig tst_BrokerServer::config() const
{
    BrokerConfig config;
    config.dataDirectory = m_dir->path();
    config.port = 0;
    config.topics = {{u"demo"_s, 2}};
    return config;
}

void tst_BrokerServer::start(const BrokerConfig &config)
{
    m_server.reset();
    m_server = std::make_unique<BrokerServer>(config);
    const auto port = m_server->start();
    if (!port)
        qFatal("%s", qPrintable(describe(port.error())));
    m_port = *port;
}

std::unique_ptr<QTcpSocket> tst_BrokerServer::connected() const
{
    auto socket = std::make_unique<QTcpSocket>();
    socket->connectToHost(QHostAddress(QHostAddress::LocalHost), m_port);
    return socket;
}

void tst_BrokerServer::init()
{
    m_server.reset();
    m_dir = std::make_unique<QTemporaryDir>();
    start(config());
}

void tst_BrokerServer::pipelinedForcedRequestsShareABarrier()
{
    const auto client = connected();
    QByteArray requests;
    QByteArray answers;
    for (int i = 0; i < 30; ++i) {
        requests += produceFrame(i, "demo", 0, kForced, {"record"});
        answers += produceAnswer(i, i, i + 1);
    }
    client->write(requests);
    QTRY_COMPARE(client->bytesAvailable(), answers.size());
    QCOMPARE(client->readAll(), answers);
    // One write of 1.3 kB usually arrives in one piece.
    QVERIFY2(m_server->statistics().barriers <= 3,
             qPrintable(QString::number(m_server->statistics().barriers)));
    QVERIFY(m_server->statistics().barriers >= 1);
}

void tst_BrokerServer::forcedRequestsOfSeveralConnectionsShareABarrier()
{
    std::vector<std::unique_ptr<QTcpSocket>> clients;
    for (int i = 0; i < 20; ++i) {
        clients.push_back(connected());
        QTRY_COMPARE(clients.back()->state(), QAbstractSocket::ConnectedState);
    }
    QTRY_COMPARE(m_server->statistics().connections, 20);
    for (const auto &client : clients) {
        client->write(produceFrame(1, "demo", 0, kForced, {"record"}));
        client->flush(); // to the system, while the server cannot run
    }
    for (const auto &client : clients)
        QTRY_COMPARE(client->bytesAvailable(), 26);
    QVERIFY2(m_server->statistics().barriers < 10,
             qPrintable(QString::number(m_server->statistics().barriers)));
}

void tst_BrokerServer::writtenRequestsNeedNoBarrier()
{
    const auto client = connected();
    client->write(produceFrame(1, "demo", 0, kWritten, {"record"}));
    QTRY_COMPARE(client->bytesAvailable(), 26);
    QCOMPARE(m_server->statistics().barriers, 0);
}

void tst_BrokerServer::recordsAreFlushedAfterSoMany()
{
    BrokerConfig flushing = config();
    flushing.flushEveryRecords = 3;
    start(flushing);
    const auto client = connected();
    client->write(produceFrame(1, "demo", 0, kWritten, {"a", "b"}));
    QTRY_COMPARE(client->bytesAvailable(), 26);
    QCOMPARE(m_server->statistics().barriers, 0);
    client->write(produceFrame(1, "demo", 0, kWritten, {"c"}));
    QTRY_COMPARE(client->bytesAvailable(), 52);
    QCOMPARE(m_server->statistics().barriers, 1);
}

void tst_BrokerServer::recordsAreFlushedAfterSomeTimeAlsoWhenIdle()
{
    BrokerConfig flushing = config();
    flushing.flushEvery = std::chrono::milliseconds(20);
    start(flushing);
    const auto client = connected();
    client->write(produceFrame(1, "demo", 0, kWritten, {"a"}));
    QTRY_COMPARE(client->bytesAvailable(), 26);
    QTRY_COMPARE(m_server->statistics().barriers, 1);
}

void tst_BrokerServer::aLostClientEndsItsHold()
{
    for (const bool reset : {false, true}) {
        auto client = connected();
        client->write(fetchFrame(1, "demo", 0, 0, 100, 60'000, 1));
        QTRY_COMPARE(m_server->statistics().held, 1);
        if (reset)
            client->setSocketOption(QAbstractSocket::KeepAliveOption, 0);
        client->abort();
        QTRY_COMPARE(m_server->statistics().held, 0);
        QTRY_COMPARE(m_server->statistics().connections, 0);
    }
}

void tst_BrokerServer::aBadLengthBehindALargeAnswerStillCloses()
{
    const auto client = connected();
    client->write(produceFrame(1, "demo", 0, kWritten, {QByteArray(400'000, 'x')}));
    QTRY_COMPARE(client->bytesAvailable(), 26);
    client->readAll();
    // The answer fills what may be queued, so the length behind it is looked at only later.
    client->write(fetchFrame(2, "demo", 0, 0, 1 << 20) + QByteArray::fromHex("00800001"));
    QTRY_COMPARE(client->state(), QAbstractSocket::UnconnectedState);
    QCOMPARE(client->readAll().size(), 4 + 18 + 8 + 400'000);
}

void tst_BrokerServer::slowReadersOfASegmentShareItsFile()
{
#ifndef Q_OS_LINUX
    QSKIP("reads /proc");
#endif
    const auto openSegments = [] {
        int count = 0;
        const QDir descriptors(u"/proc/self/fd"_s);
        for (const QString &name : descriptors.entryList(QDir::Files | QDir::System))
            count += QFile::symLinkTarget(descriptors.filePath(name)).contains(u"/demo-"_s) ? 1 : 0;
        return count;
    };
    constexpr int kSegments = 8;
    constexpr int kRecordBytes = 4 << 20; // more than the system buffers for one connection
    BrokerConfig small = config();
    small.segmentCapacityBytes = kRecordBytes + 8;
    start(small);
    const auto writer = connected();
    for (int i = 0; i < kSegments; ++i)
        writer->write(produceFrame(i, "demo", 0, kWritten, {QByteArray(kRecordBytes, 'x')}));
    QTRY_COMPARE_WITH_TIMEOUT(writer->bytesAvailable(), 26LL * kSegments, 20'000);
    constexpr int kReaders = 24;
    std::vector<std::unique_ptr<QTcpSocket>> slow;
    for (int i = 0; i < kReaders; ++i) {
        slow.push_back(connected());
        slow.back()->setReadBufferSize(1);
        slow.back()->write(fetchFrame(i, "demo", 0, i % kSegments, 8 << 20));
        QTRY_COMPARE(m_server->statistics().fetches, i + 1);
    }
    // One for each segment and one for the other partition, however many read them.
    QCOMPARE(openSegments(), kSegments + 1);
}

void tst_BrokerServer::aPartitionWithoutDescriptorsTakesTheNextRecord()
{
    BrokerConfig small = config();
    small.segmentCapacityBytes = 9;
    start(small);
    QStringList warnings; // no spy: sanitizers need descriptors to look at an object first seen
    const QObject context;
    connect(m_server.get(), &BrokerServer::warning, &context,
            [&warnings](const QString &line) { warnings << line; });
    const auto refused = connected();
    const auto accepted = connected();
    accepted->write(produceFrame(1, "demo", 0, kWritten, {"a"}));
    QTRY_COMPARE(accepted->bytesAvailable(), 26);
    QTRY_COMPARE(m_server->statistics().connections, 2);
    {
        const NoDescriptorsLeft limited;
        refused->write(produceFrame(2, "demo", 0, kWritten, {"n"}));
        QTRY_COMPARE(refused->state(), QAbstractSocket::UnconnectedState);
    }
    QCOMPARE(refused->bytesAvailable(), 0);
    QCOMPARE(warnings.size(), 1);
    QVERIFY(warnings[0].contains(u"demo-0"_s));
    accepted->write(produceFrame(3, "demo", 0, kForced, {"n"}));
    QTRY_COMPARE(accepted->bytesAvailable(), 52);
    QCOMPARE(accepted->readAll(), produceAnswer(1, 0, 1) + produceAnswer(3, 1, 2));
}

void tst_BrokerServer::theMetricsLineCountsInPlainDigits()
{
    QLocale::setDefault(QLocale(QLocale::Arabic, QLocale::Egypt));
    BrokerConfig talking = config();
    talking.metricsInterval = std::chrono::milliseconds(100);
    start(talking);
    QSignalSpy messages(m_server.get(), &BrokerServer::message);
    const auto client = connected();
    client->write(produceFrame(1, "demo", 0, kWritten, {"abc", "n"}) + fetchFrame(2, "x", 0, 0, 1) +
                  fetchFrame(3, "demo", 1, 0, 1, 60'000, 1));
    // The line of the interval in which the requests came: on a busy machine not the first.
    const auto lineOfThem = [&messages] {
        for (const auto &message : messages) {
            if (QString line = message[0].toString(); line.endsWith(u" held 1"_s))
                return line;
        }
        return QString();
    };
    const bool came = QTest::qWaitFor([&] { return !lineOfThem().isEmpty(); });
    QLocale::setDefault(QLocale::c());
    QVERIFY2(came, messages.isEmpty() ? "no line" : qPrintable(messages.last()[0].toString()));
    QCOMPARE(lineOfThem(),
             u"booblik: in 20 rec/s, 0.0 MiB/s | produce 10/s fetch 0/s (0.0 MiB/s) | conns 1 "
             "backlog 0 errors 1 dropped 0 held 1"_s);
}

void tst_BrokerServer::theStartIsPrintedAsOperatorsKnowIt()
{
    m_server.reset();
    BrokerServer server(config());
    QSignalSpy messages(&server, &BrokerServer::message);
    const auto port = server.start();
    QVERIFY(port);
    QStringList lines;
    for (const auto &message : messages)
        lines << message[0].toString();
    QCOMPARE(lines.first(), u"booblik starting"_s);
    const qsizetype ready = lines.indexOf(u"booblik listening on /127.0.0.1:%1"_s.arg(*port));
    QVERIFY(ready > 0);
    QCOMPARE(lines.sliced(ready + 1),
             (QStringList{u"  demo-0: offsets 0..0, 1 segment(s), 0 bytes"_s,
                          u"  demo-1: offsets 0..0, 1 segment(s), 0 bytes"_s}));
}

QTEST_GUILESS_MAIN(tst_BrokerServer)
#include "tst_brokerserver.moc"
