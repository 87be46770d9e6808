#include "core/booblik/connection.h"
#include "tests/support/connectioncalls.h"
#include "tests/support/hostilebroker.h"
#include "tests/support/promptness.h"

#include <QElapsedTimer>
#include <QTcpServer>
#include <QTest>

#include <latch>
#include <semaphore>

using namespace topicscope;
using namespace topicscope::booblik;
using namespace topicscope::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

/// Opening a connection, and what ends a wait on it: deadlines, cancels, the peer.
class tst_ConnectionWaits : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".?"_s)); }

    void timeoutDropsTheConnectionAndTheLateAnswer();
    void cancelWhileWaitingForAnAnswer();
    void cancelWhileConnecting();
    void cancelWhileLookingUpTheHost();
    void cancelWhileSending();
    void endIsNoticedWhileSending();
    void refusedConnection();
    void unknownHost();
    void connectsOverIPv6AndByName_data();
    void connectsOverIPv6AndByName();
    void secondAddressIsTried();
};

namespace
{

/// A limit no passing test comes near.
constexpr std::chrono::milliseconds kFarAway = 5min;

/// Runs `body` while another thread requests a stop once `when` lets it; returns how long it took
/// from the stop on. The limit of the calls must be far above what is asserted, so that a passing
/// test means that the cancel did it.
template <typename Body>
std::chrono::milliseconds cancelDuring(Body body, std::latch &when)
{
    std::stop_source source;
    QElapsedTimer sinceStop;
    std::thread canceller([&] {
        when.wait();
        sinceStop.start();
        source.request_stop();
    });
    body(CallContext(kFarAway, source.get_token()));
    canceller.join();
    return std::chrono::milliseconds(sinceStop.elapsed());
}

} // namespace

void tst_ConnectionWaits::timeoutDropsTheConnectionAndTheLateAnswer()
{
    std::latch timedOut(1);
    HostileBroker broker([&timedOut](HostileBroker::Peer &peer) {
        const auto request = peer.read();
        if (peer.number() == 0) {
            timedOut.wait();
            peer.write(answer(request->correlationId, metadataBody("late", {{0, 99}})));
        } else {
            peer.write(anyMetadata(request->correlationId));
        }
        peer.waitForEnd();
    });
    Connection connection(broker.config());
    // Only the answer is limited: the time must not be over before there is a request to lose.
    QVERIFY(connection.send(wire::MetadataRequest{}, call()));
    const auto late = connection.receive(call(100ms));
    QVERIFY(!late);
    QCOMPARE(late.error().kind, ErrorKind::Timeout);
    QVERIFY(!connection.isOpen());
    timedOut.count_down();
    const auto next = connection.metadata({}, call());
    QVERIFY(next);
    QCOMPARE(next->topics.first().topicName, u"t"_s);

    // The connection's own limit works without one of the caller's.
    SessionConfig config = broker.config();
    config.requestTimeout = 100ms;
    HostileBroker silent([](HostileBroker::Peer &peer) { peer.waitForEnd(); });
    config.port = silent.port();
    Connection impatient(config);
    const auto never = impatient.metadata({}, CallContext());
    QVERIFY(!never);
    QCOMPARE(never.error().kind, ErrorKind::Timeout);
}

void tst_ConnectionWaits::cancelWhileWaitingForAnAnswer()
{
    std::latch waiting(1);
    HostileBroker broker([&waiting](HostileBroker::Peer &peer) {
        const auto request = peer.read();
        peer.write(anyMetadata(request->correlationId).first(11)); // in the middle of an answer
        waiting.count_down();
        peer.waitForEnd();
    });
    Connection connection(broker.config());
    std::optional<Error> error;
    const auto took = cancelDuring(
        [&](const CallContext &context) { error = connection.metadata({}, context).error(); },
        waiting);
    QCOMPARE(error->kind, ErrorKind::Cancelled);
    QVERIFY2(took < 1s, qPrintable(QString::number(took.count())));
    QVERIFY(!connection.isOpen());
}

void tst_ConnectionWaits::cancelWhileConnecting()
{
    // A listener whose queue is full: the system neither accepts nor refuses further attempts.
    QTcpServer full;
    full.setListenBacklogSize(0);
    QVERIFY(full.listen(QHostAddress::LocalHost));
    SessionConfig config;
    config.host = u"127.0.0.1"_s;
    config.port = full.serverPort();
    config.connectTimeout = 5min;
    std::vector<std::unique_ptr<Connection>> queued;
    for (int i = 0; i < 20; ++i) {
        queued.push_back(std::make_unique<Connection>(config));
        if (!queued.back()->open(call(200ms)))
            break;
    }
    QVERIFY2(!queued.back()->isOpen(), "the queue was never full");

    const qint64 quickestMs = quickest([&](qint64 &took) {
        std::latch start(1);
        Connection connection(config);
        std::optional<Error> error;
        const auto sinceStop = cancelDuring(
            [&](const CallContext &context) {
                start.count_down();
                error = connection.open(context).error();
            },
            start);
        took = sinceStop.count();
        QCOMPARE(error->kind, ErrorKind::Cancelled);
    });
    QVERIFY2(quickestMs < kCancelledMs, qPrintable(QString::number(quickestMs)));
}

void tst_ConnectionWaits::cancelWhileLookingUpTheHost()
{
    // Outlives the test: the thread that asks is left behind, as it would be by a slow resolver.
    const auto release = std::make_shared<std::binary_semaphore>(0);
    std::latch asked(1);
    const auto slow = [release, &asked](const QString &) -> Result<QList<QHostAddress>> {
        asked.count_down();
        const auto kept = release;
        kept->acquire();
        return QList<QHostAddress>{QHostAddress(QHostAddress::LocalHost)};
    };
    SessionConfig config;
    config.host = u"slow.example"_s;
    config.connectTimeout = 5min;
    Connection connection(config, slow);
    std::optional<Error> error;
    const auto took = cancelDuring(
        [&](const CallContext &context) { error = connection.open(context).error(); }, asked);
    QCOMPARE(error->kind, ErrorKind::Cancelled);
    QVERIFY(error->detail.contains(u"slow.example"_s));
    QVERIFY2(took < 1s, qPrintable(QString::number(took.count())));
    release->release();
}

void tst_ConnectionWaits::cancelWhileSending()
{
    std::latch sending(1);
    HostileBroker broker([&sending](HostileBroker::Peer &peer) {
        peer.readBytes(1);
        sending.count_down(); // and read no more: the buffers fill up
        while (!peer.isEnding())
            std::this_thread::yield();
    });
    Connection connection(broker.config());
    std::optional<Error> error;
    const auto took = cancelDuring(
        [&](const CallContext &context) {
            // More than the socket buffers of both sides hold.
            for (int i = 0; i < 100 && !error; ++i) {
                const auto sent =
                    connection.send(produceOf(QByteArray(8'000'000, 'x'), 1), context);
                if (!sent)
                    error = sent.error();
            }
        },
        sending);
    QVERIFY(error);
    QCOMPARE(error->kind, ErrorKind::Cancelled);
    QVERIFY2(took < 1s, qPrintable(QString::number(took.count())));
}

void tst_ConnectionWaits::endIsNoticedWhileSending()
{
    // As a broker does with a frame it will not read: shuts down its side, and the system takes
    // bytes until the buffers are full. Writing on without reading would end in a timeout only.
    HostileBroker broker([](HostileBroker::Peer &peer) {
        peer.readBytes(4);
        peer.closeSending();
        while (!peer.isEnding())
            std::this_thread::yield();
    });
    Connection connection(broker.config());
    std::optional<Error> error;
    for (int i = 0; i < 100 && !error; ++i) {
        const auto sent =
            connection.send(produceOf(QByteArray(8'000'000, 'x'), 1), CallContext(kFarAway));
        if (!sent)
            error = sent.error();
    }
    QVERIFY(error);
    QCOMPARE(error->kind, ErrorKind::Network);
    QVERIFY(!connection.isOpen());
}

void tst_ConnectionWaits::refusedConnection()
{
    quint16 port = 0;
    {
        QTcpServer server;
        QVERIFY(server.listen(QHostAddress::LocalHost));
        port = server.serverPort();
    }
    SessionConfig config;
    config.host = u"127.0.0.1"_s;
    config.port = port;
    Connection connection(config);
    const auto opened = connection.open(call());
    QVERIFY(!opened);
    QCOMPARE(opened.error().kind, ErrorKind::Network);
    QCOMPARE(opened.error().where.endpoint, u"127.0.0.1:%1"_s.arg(port));
    QVERIFY(!opened.error().detail.isEmpty());
}

void tst_ConnectionWaits::unknownHost()
{
    SessionConfig config;
    config.host = u"no-such-host.invalid"_s;
    config.connectTimeout = 30s;
    Connection connection(config);
    const auto opened = connection.open(call(30s));
    QVERIFY(!opened);
    QCOMPARE(opened.error().kind, ErrorKind::Network);
    QVERIFY(opened.error().detail.contains(u"no-such-host.invalid"_s));
}

void tst_ConnectionWaits::connectsOverIPv6AndByName_data()
{
    QTest::addColumn<QString>("host");
    QTest::addColumn<QHostAddress>("listenOn");
    QTest::newRow("IPv6") << u"::1"_s << QHostAddress(QHostAddress::LocalHostIPv6);
    QTest::newRow("name") << u"localhost"_s << QHostAddress(QHostAddress::LocalHost);
}

void tst_ConnectionWaits::connectsOverIPv6AndByName()
{
    QFETCH(QString, host);
    QFETCH(QHostAddress, listenOn);
    QTcpServer server;
    if (!server.listen(listenOn))
        QSKIP(qPrintable(
            u"cannot listen on %1 here: %2"_s.arg(listenOn.toString(), server.errorString())));
    SessionConfig config;
    config.host = host;
    config.port = server.serverPort();
    Connection connection(config);
    const auto opened = connection.open(call());
    QVERIFY2(opened, opened ? "" : qPrintable(describe(opened.error())));
    QVERIFY(connection.isOpen());
}

void tst_ConnectionWaits::secondAddressIsTried()
{
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    SessionConfig config;
    config.host = u"two.example"_s;
    config.port = server.serverPort();
    // Nobody listens at the first.
    Connection connection(config, [](const QString &) -> Result<QList<QHostAddress>> {
        return QList<QHostAddress>{QHostAddress(u"127.0.0.2"_s),
                                   QHostAddress(QHostAddress::LocalHost)};
    });
    QVERIFY(connection.open(call()));
}

QTEST_GUILESS_MAIN(tst_ConnectionWaits)
#include "tst_connectionwaits.moc"
