#include "core/booblik/connection.h"
#include "core/booblik/produce.h"
#include "tests/support/connectioncalls.h"
#include "tests/support/hostilebroker.h"

#include <QTest>

using namespace topicscope;
using namespace topicscope::booblik;
using namespace topicscope::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

/// Requests that are answered only when refused, and publishes that are lost.
class tst_ConnectionProduce : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".?"_s)); }

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

} // namespace

void tst_ConnectionProduce::silenceOfAckNoneIsNoAnswer()
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

void tst_ConnectionProduce::lateErrorsOfAckNoneAreReportedNotMixedUp()
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

void tst_ConnectionProduce::ackNoneLostWithItsConnectionIsUnknown()
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

void tst_ConnectionProduce::successAnswerToAckNoneEndsTheConnection()
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

void tst_ConnectionProduce::settlingFindsALostConnection()
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

void tst_ConnectionProduce::publishFailuresBeforeAndAfterTheFirstByte()
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
    QVERIFY(unanswered.open(call())); // or the time could be over before anything was sent
    const auto after = produceOnce(unanswered, produceOf("a", 1), Silence::Trust, call(500ms));
    QVERIFY(!after);
    QCOMPARE(after.error().kind, ErrorKind::OutcomeUnknown);
    QVERIFY(after.error().detail.contains(u"Timeout"_s));
    QVERIFY(!unanswered.isOpen());
}

QTEST_GUILESS_MAIN(tst_ConnectionProduce)
#include "tst_connectionproduce.moc"
