#include "core/booblik/connection.h"
#include "core/booblik/produce.h"
#include "core/booblik/responsecodec.h"
#include "tests/support/hostilebroker.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTcpServer>
#include <QTest>

#include <latch>
#include <semaphore>
#include <unistd.h>

using namespace topicscope;
using namespace topicscope::booblik;
using namespace topicscope::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

class tst_Connection : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".?"_s)); }

    void idsCountUpFromOne();
    void answersMayComeByteByByteOrGlued_data();
    void answersMayComeByteByByteOrGlued();
    void pipelinedRequestsAreAnsweredInOrder();
    void anotherOrderOrIdEndsTheConnection_data();
    void anotherOrderOrIdEndsTheConnection();
    void answerLengthsAreBounded_data();
    void answerLengthsAreBounded();
    void announcedBytesAreNotAllocated();
    void largestReadableRecordArrives();
    void refusalLeavesTheConnectionUsable();
    void unknownCodeKeepsItsNumber();
    void endOfStreamIsReported_data();
    void endOfStreamIsReported();
    void idleConnectionThatEndedIsReplacedUnnoticed();
    void lostRequestsAreNotReplacedUnnoticed();
    void timeoutDropsTheConnectionAndTheLateAnswer();
    void cancelWhileWaitingForAnAnswer();
    void cancelWhileConnecting();
    void cancelWhileLookingUpTheHost();
    void cancelWhileSending();
    void endIsNoticedWhileSending();
    void oversizeFramesAreNeverSent();
    void holdMustBeBelowTheRequestTimeout_data();
    void holdMustBeBelowTheRequestTimeout();
    void refusedConnection();
    void unknownHost();
    void connectsOverIPv6AndByName_data();
    void connectsOverIPv6AndByName();
    void secondAddressIsTried();
    void silenceOfAckNoneIsNoAnswer();
    void lateErrorsOfAckNoneAreReportedNotMixedUp();
    void ackNoneLostWithItsConnectionIsUnknown();
    void successAnswerToAckNoneEndsTheConnection();
    void settlingFindsALostConnection();
    void publishFailuresBeforeAndAfterTheFirstByte();
};

namespace
{

/// A limit no passing test comes near.
constexpr std::chrono::milliseconds kFarAway = 5min;

CallContext call(std::chrono::milliseconds limit = 5s)
{
    return CallContext(limit);
}

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

const wire::FetchRequest kFetch{u"t"_s, 0, 0, 100, 0, 0};

wire::ProduceRequest produceOf(const QByteArray &record, qint8 ack)
{
    return {u"t"_s, 0, ack, {record}};
}

/// Address space of this process; touched or not, which is what an allocation for nothing shows in.
qint64 virtualMiB()
{
    QFile file(u"/proc/self/statm"_s);
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').first().toLongLong() * ::sysconf(_SC_PAGESIZE) >> 20;
}

QByteArray anyMetadata(qint32 id)
{
    return answer(id, metadataBody("t", {{0, 3}}));
}

} // namespace

void tst_Connection::idsCountUpFromOne()
{
    HostileBroker broker([](HostileBroker::Peer &peer) {
        for (qint32 expected = 1; expected <= 3; ++expected) {
            const auto request = peer.read();
            if (!request || request->correlationId != expected)
                return;
            peer.write(anyMetadata(expected));
        }
        peer.waitForEnd();
    });
    Connection connection(broker.config());
    for (int i = 0; i < 3; ++i)
        QVERIFY(connection.metadata({}, call()));
    QCOMPARE(connection.epoch(), quint64(1));
}

void tst_Connection::answersMayComeByteByByteOrGlued_data()
{
    QTest::addColumn<bool>("byByte");
    QTest::newRow("byte by byte") << true;
    QTest::newRow("glued") << false;
}

void tst_Connection::answersMayComeByteByByteOrGlued()
{
    QFETCH(bool, byByte);
    HostileBroker broker([byByte](HostileBroker::Peer &peer) {
        QByteArray answers;
        for (int i = 0; i < 3; ++i)
            answers += anyMetadata(peer.read()->correlationId);
        if (byByte)
            peer.writeByByte(answers);
        else
            peer.write(answers);
        peer.waitForEnd();
    });
    Connection connection(broker.config());
    for (int i = 0; i < 3; ++i)
        QVERIFY(connection.send(wire::MetadataRequest{}, call()));
    for (int i = 0; i < 3; ++i) {
        const auto answered = connection.receive(call());
        QVERIFY(answered);
        const auto metadata = decodeMetadataResponse(answered->body());
        QVERIFY(metadata);
        QCOMPARE(metadata->topics.first().partitions.first().highWatermark, 3);
    }
}

void tst_Connection::pipelinedRequestsAreAnsweredInOrder()
{
    MemoryLog log({{"t", 1}});
    HostileBroker broker(log.script());
    Connection connection(broker.config());
    constexpr int kRequests = 50;
    for (int i = 0; i < kRequests; ++i)
        QVERIFY(connection.send(produceOf(QByteArray::number(i), 1), call()));
    for (int i = 0; i < kRequests; ++i) {
        const auto answered = connection.receive(call());
        QVERIFY(answered);
        QCOMPARE(decodeProduceResponse(answered->body())->baseOffset, i);
    }
    QCOMPARE(log.records("t", 0).size(), kRequests);
    QCOMPARE(log.records("t", 0).last(), QByteArray::number(kRequests - 1));
}

void tst_Connection::anotherOrderOrIdEndsTheConnection_data()
{
    QTest::addColumn<QList<qint32>>("ids");
    QTest::newRow("swapped") << QList<qint32>{2, 1};
    QTest::newRow("twice") << QList<qint32>{1, 1};
    QTest::newRow("id of a frame without a header") << QList<qint32>{0};
    QTest::newRow("never asked") << QList<qint32>{1, 77};
}

void tst_Connection::anotherOrderOrIdEndsTheConnection()
{
    QFETCH(QList<qint32>, ids);
    HostileBroker broker([ids](HostileBroker::Peer &peer) {
        if (peer.number() > 0) { // after the reconnect
            peer.write(anyMetadata(peer.read()->correlationId));
            peer.waitForEnd();
            return;
        }
        peer.read();
        peer.read();
        for (const qint32 id : ids)
            peer.write(anyMetadata(id));
        peer.waitForEnd();
    });
    Connection connection(broker.config());
    QVERIFY(connection.send(wire::MetadataRequest{}, call()));
    QVERIFY(connection.send(wire::MetadataRequest{}, call()));
    Result<Answer> answered = connection.receive(call());
    if (answered)
        answered = connection.receive(call());
    QVERIFY(!answered);
    QCOMPARE(answered.error().kind, ErrorKind::Protocol);
    QVERIFY(answered.error().where.endpoint.endsWith(QString::number(broker.port())));
    QVERIFY(!connection.isOpen());
    QVERIFY(connection.metadata({}, call())); // reopened
    QCOMPARE(broker.connections(), 2);
}

void tst_Connection::answerLengthsAreBounded_data()
{
    QTest::addColumn<qint32>("length");
    QTest::addColumn<bool>("ok");
    // FETCH with max bytes 100: the answer's own 18 bytes come on top.
    QTest::newRow("-2^31") << std::numeric_limits<qint32>::min() << false;
    QTest::newRow("-1") << -1 << false;
    QTest::newRow("0") << 0 << false;
    QTest::newRow("5") << 5 << false;
    QTest::newRow("118") << 118 << true;
    QTest::newRow("119") << 119 << false;
    QTest::newRow("2^31-1") << std::numeric_limits<qint32>::max() << false;
}

void tst_Connection::answerLengthsAreBounded()
{
    QFETCH(qint32, length);
    QFETCH(bool, ok);
    HostileBroker broker([length](HostileBroker::Peer &peer) {
        const auto request = peer.read();
        peer.write(be32(length) + be32(request->correlationId) + be16(0) +
                   fetchBody(9, QByteArray(100, 'x')));
        peer.waitForEnd();
    });
    Connection connection(broker.config());
    QVERIFY(connection.send(kFetch, call()));
    const auto answered = connection.receive(call());
    QCOMPARE(answered.ok(), ok);
    QCOMPARE(connection.isOpen(), ok);
    if (!ok) {
        QCOMPARE(answered.error().kind, ErrorKind::Protocol);
        QVERIFY(answered.error().detail.contains(QString::number(length)));
    }
}

void tst_Connection::announcedBytesAreNotAllocated()
{
    // Announces 2 GiB, which max bytes allows, and sends a little: nothing may be allocated for it.
    std::latch sent(1);
    HostileBroker broker([&sent](HostileBroker::Peer &peer) {
        const auto request = peer.read();
        peer.write(be32(std::numeric_limits<qint32>::max() - 1) + be32(request->correlationId) +
                   be16(0) + be64(1) + QByteArray(100, 'x'));
        sent.count_down();
        peer.waitForEnd();
    });
    Connection connection(broker.config());
    wire::FetchRequest request = kFetch;
    request.maxBytes = std::numeric_limits<qint32>::max();
    const qint64 before = virtualMiB();
    QVERIFY(connection.send(request, call()));
    sent.wait();
    const auto nothingYet = connection.tryReceive();
    QVERIFY(nothingYet);
    QVERIFY(!*nothingYet);
    QVERIFY2(virtualMiB() - before < 1024, qPrintable(QString::number(virtualMiB() - before)));
}

void tst_Connection::largestReadableRecordArrives()
{
    // A topic name of one byte leaves room for a record of 8 388 584 bytes, whose answer is larger
    // than the largest request.
    const QByteArray stored = storedRecord(QByteArray(8'388'584, 'x'));
    HostileBroker broker([&stored](HostileBroker::Peer &peer) {
        peer.write(answer(peer.read()->correlationId, fetchBody(1, stored)));
        peer.waitForEnd();
    });
    Connection connection(broker.config());
    QVERIFY(connection.send(wire::FetchRequest{u"t"_s, 0, 0, 8'388'592, 0, 0}, call()));
    const auto answered = connection.receive(call());
    QVERIFY(answered);
    QCOMPARE(answered->frame.size(), 8'388'610);
    QCOMPARE(answered->frame.capacity(), 8'388'610); // not rounded up: it is kept as it is
    QVERIFY(answered->frame.endsWith(stored));
}

void tst_Connection::refusalLeavesTheConnectionUsable()
{
    HostileBroker broker([](HostileBroker::Peer &peer) {
        peer.write(refusal(peer.read()->correlationId, 2));
        peer.write(anyMetadata(peer.read()->correlationId));
        peer.waitForEnd();
    });
    Connection connection(broker.config());
    QVERIFY(connection.send(kFetch, call()));
    const auto refused = connection.receive(call());
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, ErrorKind::Broker);
    QCOMPARE(refused.error().brokerName, u"OFFSET_OUT_OF_RANGE"_s);
    QCOMPARE(refused.error().where.topic, u"t"_s);
    QCOMPARE(refused.error().where.offset, Offset{0});
    QVERIFY(connection.metadata({}, call()));
    QCOMPARE(broker.connections(), 1);
}

void tst_Connection::unknownCodeKeepsItsNumber()
{
    HostileBroker broker([](HostileBroker::Peer &peer) {
        peer.write(refusal(peer.read()->correlationId, 17));
        peer.waitForEnd();
    });
    Connection connection(broker.config());
    const auto refused = connection.metadata({}, call());
    QVERIFY(!refused);
    QCOMPARE(refused.error().brokerCode, qint16(17));
    QCOMPARE(refused.error().brokerName, u"UNKNOWN(17)"_s);
}

void tst_Connection::endOfStreamIsReported_data()
{
    QTest::addColumn<QByteArray>("sentBefore");
    QTest::addColumn<bool>("reset");
    QTest::newRow("before the answer") << ""_ba << false;
    QTest::newRow("inside the length") << be32(18).first(2) << false;
    QTest::newRow("inside the frame") << answer(1, fetchBody(1, {})).first(9) << false;
    QTest::newRow("reset") << ""_ba << true;
}

void tst_Connection::endOfStreamIsReported()
{
    QFETCH(QByteArray, sentBefore);
    QFETCH(bool, reset);
    HostileBroker broker([=](HostileBroker::Peer &peer) {
        peer.read();
        peer.write(sentBefore);
        if (reset)
            peer.reset();
    });
    Connection connection(broker.config());
    QVERIFY(connection.send(kFetch, call()));
    const auto answered = connection.receive(call());
    QVERIFY(!answered);
    QCOMPARE(answered.error().kind, ErrorKind::Network);
    QVERIFY(!answered.error().detail.isEmpty());
    QVERIFY(answered.error().retriable);
    QVERIFY(!connection.isOpen());
}

void tst_Connection::idleConnectionThatEndedIsReplacedUnnoticed()
{
    std::latch ended(1);
    HostileBroker broker([&ended](HostileBroker::Peer &peer) {
        peer.write(anyMetadata(peer.read()->correlationId));
        if (peer.number() == 0) {
            peer.closeSending();
            ended.count_down();
        }
        peer.waitForEnd();
    });
    Connection connection(broker.config());
    QVERIFY(connection.metadata({}, call()));
    ended.wait();
    QVERIFY(connection.metadata({}, call()));
    QCOMPARE(broker.connections(), 2);
}

void tst_Connection::lostRequestsAreNotReplacedUnnoticed()
{
    std::latch ended(1);
    HostileBroker broker([&ended](HostileBroker::Peer &peer) {
        peer.read();
        peer.closeSending();
        ended.count_down();
        peer.waitForEnd();
    });
    Connection connection(broker.config());
    QVERIFY(connection.send(kFetch, call()));
    ended.wait();
    // Were this sent on a new connection, its answer would be taken for the first one's.
    Result<qint32> sent = connection.send(wire::MetadataRequest{}, call());
    if (sent) {
        QVERIFY(!connection.receive(call()));
    } else {
        QCOMPARE(sent.error().kind, ErrorKind::Network);
    }
    QVERIFY(!connection.isOpen());
}

void tst_Connection::timeoutDropsTheConnectionAndTheLateAnswer()
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
    const auto late = connection.metadata({}, call(100ms));
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

void tst_Connection::cancelWhileWaitingForAnAnswer()
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

void tst_Connection::cancelWhileConnecting()
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

    std::latch start(1);
    Connection connection(config);
    std::optional<Error> error;
    const auto took = cancelDuring(
        [&](const CallContext &context) {
            start.count_down();
            error = connection.open(context).error();
        },
        start);
    QCOMPARE(error->kind, ErrorKind::Cancelled);
    QVERIFY2(took < 1s, qPrintable(QString::number(took.count())));
}

void tst_Connection::cancelWhileLookingUpTheHost()
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

void tst_Connection::cancelWhileSending()
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

void tst_Connection::endIsNoticedWhileSending()
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

void tst_Connection::oversizeFramesAreNeverSent()
{
    MemoryLog log({{"t", 1}});
    HostileBroker broker(log.script());
    Connection connection(broker.config());
    // 8 388 585 less the name's one byte is the largest record; one more does not fit.
    const auto tooLarge = connection.send(produceOf(QByteArray(8'388'585, 'x'), 1), call());
    QVERIFY(!tooLarge);
    QCOMPARE(tooLarge.error().kind, ErrorKind::InvalidArgument);
    QVERIFY(!connection.requestLeft());
    QCOMPARE(log.produceRequests(), 0);

    const auto largest =
        produceOnce(connection, produceOf(QByteArray(8'388'584, 'x'), 1), Silence::Trust, call());
    QVERIFY(largest);
    QCOMPARE(log.largestFrame(), 4 + 8'388'608);
    QCOMPARE(broker.connections(), 1);
}

void tst_Connection::holdMustBeBelowTheRequestTimeout_data()
{
    QTest::addColumn<qint32>("maxWait");
    QTest::addColumn<int>("timeout");
    QTest::addColumn<bool>("ok");
    QTest::newRow("equal") << 5000 << 5000 << false;
    QTest::newRow("above") << 6000 << 5000 << false;
    QTest::newRow("below") << 100 << 5000 << true;
    // The broker cuts any wait to 60 s, so that is what counts.
    QTest::newRow("clamped, below") << 2'000'000 << 60'001 << true;
    QTest::newRow("clamped, equal") << 2'000'000 << 60'000 << false;
}

void tst_Connection::holdMustBeBelowTheRequestTimeout()
{
    QFETCH(qint32, maxWait);
    QFETCH(int, timeout);
    QFETCH(bool, ok);
    HostileBroker broker([](HostileBroker::Peer &peer) { peer.waitForEnd(); });
    SessionConfig config = broker.config();
    config.requestTimeout = std::chrono::milliseconds(timeout);
    Connection connection(config);
    wire::FetchRequest request = kFetch;
    request.maxWaitMillis = maxWait;
    const auto sent = connection.send(request, call());
    QCOMPARE(sent.ok(), ok);
    QTRY_COMPARE(broker.connections(), ok ? 1 : 0);
    if (!ok) {
        QCOMPARE(sent.error().kind, ErrorKind::InvalidArgument);
        QVERIFY(sent.error().detail.contains(QString::number(std::min(maxWait, 60'000))));
        QVERIFY(sent.error().detail.contains(QString::number(timeout)));
    }
}

void tst_Connection::refusedConnection()
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

void tst_Connection::unknownHost()
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

void tst_Connection::connectsOverIPv6AndByName_data()
{
    QTest::addColumn<QString>("host");
    QTest::addColumn<QHostAddress>("listenOn");
    QTest::newRow("IPv6") << u"::1"_s << QHostAddress(QHostAddress::LocalHostIPv6);
    QTest::newRow("name") << u"localhost"_s << QHostAddress(QHostAddress::LocalHost);
}

void tst_Connection::connectsOverIPv6AndByName()
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

void tst_Connection::secondAddressIsTried()
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

void tst_Connection::silenceOfAckNoneIsNoAnswer()
{
    MemoryLog log({{"t", 1}});
    HostileBroker broker(log.script());
    Connection connection(broker.config());
    for (int i = 0; i < 5; ++i)
        QVERIFY(connection.send(produceOf(QByteArray::number(i), 0), call()));
    QVERIFY(connection.hasUnsettled());
    const auto metadata = connection.metadata({u"t"_s}, call());
    QVERIFY(metadata);
    QCOMPARE(metadata->topics.first().partitions.first().highWatermark, 5);
    QVERIFY(!connection.hasUnsettled());
    QVERIFY(connection.takeLateErrors().isEmpty());
}

void tst_Connection::lateErrorsOfAckNoneAreReportedNotMixedUp()
{
    HostileBroker broker([](HostileBroker::Peer &peer) {
        const auto accepted = peer.read();
        const auto refused = peer.read();
        const auto alsoAccepted = peer.read();
        Q_UNUSED(accepted);
        Q_UNUSED(alsoAccepted);
        peer.write(refusal(refused->correlationId, 1));
        peer.write(anyMetadata(peer.read()->correlationId));
        peer.waitForEnd();
    });
    Connection connection(broker.config());
    QVERIFY(connection.send(produceOf("a", 0), call()));
    const auto second = connection.send(produceOf("b", 0), call());
    QVERIFY(second);
    QVERIFY(connection.send(produceOf("c", 0), call()));
    QVERIFY(connection.metadata({}, call()));
    const auto late = connection.takeLateErrors();
    QCOMPARE(late.size(), 1);
    QCOMPARE(late.first().correlationId, *second);
    QCOMPARE(late.first().error.kind, ErrorKind::Broker);
    QCOMPARE(late.first().error.brokerName, u"UNKNOWN_TOPIC_OR_PARTITION"_s);
    QVERIFY(!connection.hasUnsettled());
    QCOMPARE(broker.connections(), 1);
}

void tst_Connection::ackNoneLostWithItsConnectionIsUnknown()
{
    HostileBroker broker([](HostileBroker::Peer &peer) {
        const auto first = peer.read();
        if (first->apiKey == 1)
            return peer.reset(); // was it stored?
        peer.write(anyMetadata(first->correlationId));
        peer.waitForEnd();
    });
    Connection connection(broker.config());
    const auto lost = connection.send(produceOf("a", 0), call());
    QVERIFY(lost);
    // The close may be seen before or while asking; the connection is then made anew.
    auto metadata = connection.metadata({}, call());
    if (!metadata)
        metadata = connection.metadata({}, call());
    QVERIFY(metadata);
    const auto late = connection.takeLateErrors();
    QCOMPARE(late.size(), 1);
    QCOMPARE(late.first().correlationId, *lost);
    QCOMPARE(late.first().error.kind, ErrorKind::OutcomeUnknown);
}

void tst_Connection::successAnswerToAckNoneEndsTheConnection()
{
    HostileBroker broker([](HostileBroker::Peer &peer) {
        peer.write(answer(peer.read()->correlationId, {}));
        peer.waitForEnd();
    });
    Connection connection(broker.config());
    QVERIFY(connection.send(produceOf("a", 0), call()));
    const auto metadata = connection.metadata({}, call());
    QVERIFY(!metadata);
    QVERIFY(!connection.isOpen());
}

void tst_Connection::settlingFindsALostConnection()
{
    HostileBroker broker([](HostileBroker::Peer &peer) {
        if (peer.number() == 0) {
            peer.read();
            return; // gone with the record
        }
        while (const auto request = peer.read())
            peer.write(anyMetadata(request->correlationId));
    });
    Connection connection(broker.config());
    const auto stored = produceOnce(connection, produceOf("a", 0), Silence::Settle, call());
    QVERIFY(!stored);
    QCOMPARE(stored.error().kind, ErrorKind::OutcomeUnknown);
}

void tst_Connection::publishFailuresBeforeAndAfterTheFirstByte()
{
    std::stop_source stopped;
    stopped.request_stop();
    MemoryLog log({{"t", 1}});
    HostileBroker broker(log.script());
    Connection connection(broker.config());
    QVERIFY(connection.open(call()));

    const auto before = produceOnce(connection, produceOf("a", 1), Silence::Trust,
                                    CallContext(kFarAway, stopped.get_token()));
    QVERIFY(!before);
    QCOMPARE(before.error().kind, ErrorKind::Cancelled);
    QVERIFY(connection.isOpen()); // nothing was sent, so nothing is out of step
    QVERIFY(produceOnce(connection, produceOf("b", 1), Silence::Trust, call()));
    QCOMPARE(log.records("t", 0), QList<QByteArray>{"b"});

    HostileBroker silent([](HostileBroker::Peer &peer) { peer.waitForEnd(); });
    Connection unanswered(silent.config());
    const auto after = produceOnce(unanswered, produceOf("a", 1), Silence::Trust, call(100ms));
    QVERIFY(!after);
    QCOMPARE(after.error().kind, ErrorKind::OutcomeUnknown);
    QVERIFY(after.error().detail.contains(u"Timeout"_s));
    QVERIFY(!unanswered.isOpen());
}

QTEST_GUILESS_MAIN(tst_Connection)
#include "tst_connection.moc"
