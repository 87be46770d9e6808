#include "core/sessionfactory.h"
#include "tests/support/hostilebroker.h"

#include <QTest>

using namespace topicscope;
using namespace topicscope::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

class tst_BooblikSession : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".?"_s)); }

    void listsTopicsWithTheirOffsets();
    void oneImpossibleTopicOrPartitionDoesNotHideTheOthers();
    void fetchesRecordsUncopiedAndVerified();
    void tellsTheEndsOfAnAnswerApart_data();
    void tellsTheEndsOfAnAnswerApart();
    void outOfRangeIsExplainedWithTheNumbers();
    void publishesByKeyByHandAndInTurn();
    void refusesBeforeSending_data();
    void refusesBeforeSending();
    void readOnlySendsNothing();
    void lostAnswerIsOutcomeUnknown();
    void ackNoneIsSentOrRefused();
};

namespace
{

CallContext call()
{
    return CallContext(std::chrono::milliseconds(5s));
}

std::unique_ptr<BrokerSession> sessionFor(const HostileBroker &broker)
{
    return defaultSessionFactory()(broker.config());
}

QByteArray valueOf(const FetchResult &result, size_t index)
{
    const auto value = result.chunk->value(result.chunk->records().at(index));
    return QByteArray(reinterpret_cast<const char *>(value.data()), qsizetype(value.size()));
}

PublishRequest publishOf(const QByteArray &value, std::optional<QByteArray> key = {})
{
    PublishRequest request;
    request.topic = u"orders"_s;
    request.key = std::move(key);
    request.value = value;
    return request;
}

/// A broker that answers METADATA of "orders" (3 partitions) and does `then` for anything else.
HostileBroker::Script
afterMetadata(std::function<void(HostileBroker::Peer &, const HostileBroker::Peer::Request &)> then)
{
    return [then = std::move(then)](HostileBroker::Peer &peer) {
        while (const auto request = peer.read()) {
            if (request->apiKey == 3)
                peer.write(answer(request->correlationId,
                                  metadataBody("orders", {{0, 7}, {0, 8}, {0, 9}})));
            else
                then(peer, *request);
        }
    };
}

} // namespace

void tst_BooblikSession::listsTopicsWithTheirOffsets()
{
    MemoryLog log({{"b", 1}, {"A", 2}});
    log.append("A", 1, "x");
    HostileBroker broker(log.script());
    const auto session = sessionFor(broker);
    const auto topics = session->listTopics(call());
    QVERIFY(topics);
    QCOMPARE(topics->size(), 2);
    QCOMPARE(topics->at(0).name, u"A"_s);
    QCOMPARE(topics->at(0).partitions.size(), 2);
    QCOMPARE(topics->at(0).partitions.at(1).highWatermark, Offset{1});
    QCOMPARE(topics->at(0).partitions.at(1).offsetSpan(), 1);
    QVERIFY(!topics->at(0).error);
    QCOMPARE(topics->at(1).name, u"b"_s);
}

void tst_BooblikSession::oneImpossibleTopicOrPartitionDoesNotHideTheOthers()
{
    HostileBroker broker([](HostileBroker::Peer &peer) {
        const auto request = peer.read();
        // "a b": a name no broker accepts. "ok": partition 1 ends before it starts. "": no name.
        const QByteArray body = be32(3) + be16(3) + "a b" + be32(1) + be32(0) + be64(0) + be64(5) +
                                be16(2) + "ok" + be32(2) + be32(0) + be64(2) + be64(5) + be32(1) +
                                be64(9) + be64(4) + be16(0) + be32(0);
        peer.write(answer(request->correlationId, body));
        peer.waitForEnd();
    });
    const auto session = sessionFor(broker);
    const auto topics = session->listTopics(call());
    QVERIFY(topics);
    QCOMPARE(topics->size(), 3);
    QVERIFY(topics->at(0).error);
    QCOMPARE(topics->at(0).error->kind, ErrorKind::Protocol);
    QVERIFY(!topics->at(1).error);
    QVERIFY(!topics->at(1).partitions.at(0).error);
    QVERIFY(topics->at(1).partitions.at(1).error);
    QVERIFY(topics->at(1).partitions.at(1).error->detail.contains(u"9"_s));
    QVERIFY(topics->at(2).error);
}

void tst_BooblikSession::fetchesRecordsUncopiedAndVerified()
{
    MemoryLog log({{"orders", 1}});
    log.append("orders", 0, "abc");
    log.append("orders", 0, QByteArray::fromHex("00ff"));
    HostileBroker broker(log.script());
    const auto session = sessionFor(broker);
    const auto result = session->fetch({{u"orders"_s, PartitionId{0}}, Offset{0}}, call());
    QVERIFY(result);
    QCOMPARE(result->chunk->records().size(), size_t(2));
    QCOMPARE(valueOf(*result, 0), "abc"_ba);
    QCOMPARE(valueOf(*result, 1), QByteArray::fromHex("00ff"));
    QCOMPARE(result->chunk->storedCrc(result->chunk->records()[0]), 0x364B3FB7u);
    QCOMPARE(result->nextOffset, Offset{2});
    QCOMPARE(result->highWatermark, Offset{2});
    QCOMPARE(result->end, FetchEnd::More);
    QCOMPARE(result->chunk->records()[0].flags, RecordFlags(RecordFlag::ChecksumVerified));
}

void tst_BooblikSession::tellsTheEndsOfAnAnswerApart_data()
{
    QTest::addColumn<qint64>("highWatermark");
    QTest::addColumn<QByteArray>("payload");
    QTest::addColumn<qint32>("maxBytes");
    QTest::addColumn<FetchEnd>("end");
    QTest::addColumn<qint64>("endRecordBytes");
    QTest::addColumn<qint64>("nextOffset");
    const QByteArray abc = storedRecord("abc");
    const QByteArray big = storedRecord(QByteArray(500, 'x'));
    QTest::newRow("caught up") << qint64(40) << ""_ba << 100 << FetchEnd::CaughtUp << qint64(0)
                               << qint64(40);
    QTest::newRow("high watermark ran ahead of us")
        << qint64(39) << ""_ba << 100 << FetchEnd::CaughtUp << qint64(0) << qint64(40);
    QTest::newRow("empty below the high watermark")
        << qint64(41) << ""_ba << 100 << FetchEnd::EmptyBelowHighWatermark << qint64(0)
        << qint64(40);
    QTest::newRow("too large") << qint64(41) << big.first(100) << 100
                               << FetchEnd::RecordExceedsMaxBytes << qint64(500) << qint64(40);
    QTest::newRow("cut inside the header")
        << qint64(41) << big.first(5) << 5 << FetchEnd::RecordExceedsMaxBytes << qint64(0)
        << qint64(40);
    QTest::newRow("cut tail behind a record")
        << qint64(42) << (abc + big).first(100) << 100 << FetchEnd::More << qint64(0) << qint64(41);
    QTest::newRow("records beyond the high watermark")
        << qint64(40) << abc + abc << 100 << FetchEnd::More << qint64(0) << qint64(42);
    QTest::newRow("size zero") << qint64(42) << be32(0) + be32(0) + "xxxx" << 100
                               << FetchEnd::ImpossibleSize << qint64(0) << qint64(40);
    QTest::newRow("negative size behind a record")
        << qint64(42) << abc + be32(-5) + be32(0) << 100 << FetchEnd::ImpossibleSize << qint64(-5)
        << qint64(41);
    QTest::newRow("cut although max bytes was not reached")
        << qint64(42) << be32(90) + be32(0) + "xxxx" << 100 << FetchEnd::ImpossibleSize
        << qint64(90) << qint64(40);
    QTest::newRow("a size no broker can have taken in")
        << qint64(42) << be32(1 << 30) + be32(0) + QByteArray(92, 'x') << 100
        << FetchEnd::ImpossibleSize << qint64(1 << 30) << qint64(40);
}

void tst_BooblikSession::tellsTheEndsOfAnAnswerApart()
{
    QFETCH(qint64, highWatermark);
    QFETCH(QByteArray, payload);
    QFETCH(qint32, maxBytes);
    HostileBroker broker([&](HostileBroker::Peer &peer) {
        const auto request = peer.read();
        peer.write(answer(request->correlationId, fetchBody(highWatermark, payload)));
        peer.waitForEnd();
    });
    const auto session = sessionFor(broker);
    const auto result =
        session->fetch({{u"orders"_s, PartitionId{0}}, Offset{40}, maxBytes}, call());
    QVERIFY2(result, result ? "" : qPrintable(describe(result.error())));
    QTEST(result->end, "end");
    QTEST(result->endRecordBytes, "endRecordBytes");
    QTEST(result->nextOffset.value, "nextOffset");
    QCOMPARE(result->fetchOffset, Offset{40});
}

void tst_BooblikSession::outOfRangeIsExplainedWithTheNumbers()
{
    MemoryLog log({{"orders", 1}});
    for (int i = 0; i < 10; ++i)
        log.append("orders", 0, "x");
    log.setLogStart("orders", 0, 4);
    HostileBroker broker(log.script());
    const auto session = sessionFor(broker);
    const TopicPartition partition{u"orders"_s, PartitionId{0}};

    const auto early = session->fetch({partition, Offset{1}}, call());
    QVERIFY(!early);
    QCOMPARE(early.error().kind, ErrorKind::Broker);
    QCOMPARE(early.error().brokerCode, qint16(2));
    QCOMPARE(early.error().brokerName, u"OFFSET_OUT_OF_RANGE"_s);
    QCOMPARE(early.error().where.offset, Offset{1});
    QVERIFY2(early.error().detail.contains(u"starts at 4"_s), qPrintable(early.error().detail));

    const auto late = session->fetch({partition, Offset{11}}, call());
    QVERIFY(!late);
    QVERIFY2(late.error().detail.contains(u"beyond the end 10"_s), qPrintable(late.error().detail));
    QCOMPARE(broker.connections(), 1); // a refusal ends no connection
}

void tst_BooblikSession::publishesByKeyByHandAndInTurn()
{
    MemoryLog log({{"orders", 3}});
    HostileBroker broker(log.script());
    const auto session = sessionFor(broker);

    const auto keyed =
        session->publish(publishOf("keyed", "user-1"), call()); // vector "ascii": index 1 of 3
    QVERIFY(keyed);
    QCOMPARE(keyed->partition.partition, PartitionId{1});
    QCOMPARE(keyed->offset, Offset{0});
    QCOMPARE(keyed->logEndOffset, Offset{1});
    QCOMPARE(keyed->endOffsetBefore, Offset{0});

    const auto emptyKey = session->publish(publishOf("empty key", QByteArray("")), call());
    QVERIFY(emptyKey);
    QCOMPARE(emptyKey->partition.partition, PartitionId{1}); // vector "empty": index 1 of 3

    PublishRequest byHand = publishOf("by hand", "user-1");
    byHand.partition = PartitionId{2};
    const auto placed = session->publish(byHand, call());
    QVERIFY(placed);
    QCOMPARE(placed->partition.partition, PartitionId{2});

    for (int i = 0; i < 9; ++i)
        QVERIFY(session->publish(publishOf("in turn"), call()));
    for (int partition = 0; partition < 3; ++partition)
        QCOMPARE(log.records("orders", partition).count("in turn"), 3);
}

void tst_BooblikSession::refusesBeforeSending_data()
{
    QTest::addColumn<PublishRequest>("request");
    QTest::addColumn<ErrorKind>("kind");
    PublishRequest request = publishOf("x");
    request.value = QByteArray("");
    QTest::newRow("empty value") << request << ErrorKind::InvalidArgument;
    request.value.reset();
    QTest::newRow("null value") << request << ErrorKind::InvalidArgument;
    request = publishOf("x");
    request.partition = PartitionId{3};
    QTest::newRow("no such partition") << request << ErrorKind::InvalidArgument;
    request = publishOf("x");
    request.expectedPartitionCount = 4;
    QTest::newRow("other partition count") << request << ErrorKind::PartitionsChanged;
    request = publishOf("x");
    request.topic = u"odrers"_s;
    QTest::newRow("unknown topic") << request << ErrorKind::Broker;
    request = publishOf(QByteArray(8'388'608, 'x'));
    QTest::newRow("larger than a frame") << request << ErrorKind::InvalidArgument;
    request = publishOf("x");
    request.topic = QString(100'000, u'x');
    QTest::newRow("absurd topic name") << request << ErrorKind::InvalidArgument;
}

void tst_BooblikSession::refusesBeforeSending()
{
    MemoryLog log({{"orders", 3}});
    HostileBroker broker(log.script());
    const auto session = sessionFor(broker);
    QFETCH(PublishRequest, request);
    const auto result = session->publish(request, call());
    QVERIFY(!result);
    QTEST(result.error().kind, "kind");
    QCOMPARE(log.produceRequests(), 0);
    // Nothing is broken by a refusal.
    QVERIFY(session->publish(publishOf("y"), call()));
}

void tst_BooblikSession::readOnlySendsNothing()
{
    MemoryLog log({{"orders", 3}});
    HostileBroker broker(log.script());
    SessionConfig config = broker.config();
    config.readOnly = true;
    const auto session = defaultSessionFactory()(config);
    const auto result = session->publish(publishOf("x"), call());
    QVERIFY(!result);
    QCOMPARE(result.error().kind, ErrorKind::ReadOnly);
    QCOMPARE(broker.connections(), 0);
    QVERIFY(session->listTopics(call())); // looking is allowed
}

void tst_BooblikSession::lostAnswerIsOutcomeUnknown()
{
    HostileBroker broker(afterMetadata([](auto &peer, const auto &) { peer.closeSending(); }));
    const auto session = sessionFor(broker);
    const auto result = session->publish(publishOf("x", "user-1"), call());
    QVERIFY(!result);
    QCOMPARE(result.error().kind, ErrorKind::OutcomeUnknown);
    QCOMPARE(result.error().where.topic, u"orders"_s);
    QCOMPARE(result.error().where.partition, PartitionId{1});
    QCOMPARE(result.error().where.offset, Offset{8}); // where to look for it
    QVERIFY(!result.error().retriable);
}

void tst_BooblikSession::ackNoneIsSentOrRefused()
{
    MemoryLog log({{"orders", 3}});
    std::atomic<bool> refuse = false;
    log.intercept = [&](const HostileBroker::Peer::Request &request) -> std::optional<QByteArray> {
        if (request.apiKey == 1 && refuse)
            return refusal(request.correlationId, 3);
        return std::nullopt;
    };
    HostileBroker broker(log.script());
    const auto session = sessionFor(broker);
    PublishRequest request = publishOf("quiet", "user-1");
    request.ack = AckPolicy::None;

    const auto sent = session->publish(request, call());
    QVERIFY(sent);
    QVERIFY(!sent->offset);
    QCOMPARE(sent->ack, AckPolicy::None);
    QCOMPARE(log.records("orders", 1), QList<QByteArray>{"quiet"});

    refuse = true;
    const auto refused = session->publish(request, call());
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, ErrorKind::Broker);
    QCOMPARE(refused.error().brokerName, u"RECORD_TOO_LARGE"_s);

    refuse = false;
    QVERIFY(session->publish(publishOf("next"), call()));
    QCOMPARE(broker.connections(), 1);
}

QTEST_GUILESS_MAIN(tst_BooblikSession)
#include "tst_boobliksession.moc"
