#include "core/booblik/connection.h"
#include "core/booblik/produce.h"
#include "core/booblik/responsecodec.h"
#include "tests/support/connectioncalls.h"
#include "tests/support/hostilebroker.h"

#include <QFile>
#include <QTest>

#include <latch>
#include <unistd.h>

using namespace topicscope;
using namespace topicscope::booblik;
using namespace topicscope::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

/// Frames and answers: what comes over a connection, in which order and size.
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
    void oversizeFramesAreNeverSent();
    void holdMustBeBelowTheRequestTimeout_data();
    void holdMustBeBelowTheRequestTimeout();
};

namespace
{

/// Address space of this process; touched or not, which is what an allocation for nothing shows in.
qint64 virtualMiB()
{
    QFile file(u"/proc/self/statm"_s);
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').first().toLongLong() * ::sysconf(_SC_PAGESIZE) >> 20;
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

QTEST_GUILESS_MAIN(tst_Connection)
#include "tst_connection.moc"
