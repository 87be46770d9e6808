#include "core/booblik/consumer.h"
#include "tests/support/hostilebroker.h"

#include <QTest>

using namespace topicscope;
using namespace topicscope::booblik;
using namespace topicscope::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

class tst_Consumer : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".?"_s)); }

    void readsAllInOrderThroughCutAnswers_data();
    void readsAllInOrderThroughCutAnswers();
    void nextRangeIsAskedForBeforeThisOneIsAskedAgain();
    void emptyAnswerIsNotTheEnd();
    void caughtUpWaitsAtTheBroker();
    void tooLargeRecordIsReportedAndNotSkipped();
    void startPositions();
    void earliestRacedByRetentionIsTriedOnceMore();
    void outOfRangeIsExplained_data();
    void outOfRangeIsExplained();
    void damagedLogIsReportedNotSpunOn();
    void damagedRecordIsFlaggedAndReadingGoesOn();
    void damagedSizesLoseAndShiftNothing_data();
    void damagedSizesLoseAndShiftNothing();
    void lagIsNeverNegative();
    void seekDropsTheRangeAskedForAhead();
    void positionSurvivesALostConnection();
};

namespace
{

const TopicPartition kPartition{u"t"_s, PartitionId{0}};

CallContext call(std::chrono::milliseconds limit = 5s)
{
    return CallContext(limit);
}

ReadOptions noWait(qint32 maxBytes = kDefaultMaxBytes)
{
    ReadOptions options;
    options.maxBytes = maxBytes;
    return options;
}

QByteArray bytesOf(std::span<const std::byte> bytes)
{
    return QByteArray(reinterpret_cast<const char *>(bytes.data()), qsizetype(bytes.size()));
}

QList<QByteArray> valuesOf(const FetchResult &result)
{
    QList<QByteArray> values;
    for (const Record &record : result.chunk->records())
        values.append(bytesOf(result.chunk->value(record)));
    return values;
}

} // namespace

void tst_Consumer::readsAllInOrderThroughCutAnswers_data()
{
    QTest::addColumn<int>("recordBytes");
    QTest::addColumn<int>("maxBytes");
    QTest::newRow("cut inside a body") << 100 << 150;
    QTest::newRow("cut inside a header") << 20 << 32;
    QTest::newRow("cut behind a record") << 20 << 56;
    QTest::newRow("all at once") << 20 << 100'000;
}

void tst_Consumer::readsAllInOrderThroughCutAnswers()
{
    QFETCH(int, recordBytes);
    QFETCH(int, maxBytes);
    MemoryLog log({{"t", 1}});
    QList<QByteArray> expected;
    for (int i = 0; i < 50; ++i) {
        expected.append(QByteArray(recordBytes, char('A' + i)));
        log.append("t", 0, expected.last());
    }
    HostileBroker broker(log.script());
    Consumer consumer(broker.config(), kPartition, Offset{0}, noWait(maxBytes));
    QList<QByteArray> read;
    for (int polls = 0; read.size() < 50 && polls < 60; ++polls) {
        const auto result = consumer.poll(call());
        QVERIFY(result);
        QCOMPARE(result->fetchOffset, Offset{read.size()});
        read += valuesOf(*result);
        QCOMPARE(consumer.position(), Offset{read.size()});
        QCOMPARE(consumer.lag(), 50 - read.size());
    }
    QCOMPARE(read, expected);
    const auto end = consumer.poll(call());
    QVERIFY(end);
    QCOMPARE(end->end, FetchEnd::CaughtUp);
    QCOMPARE(broker.connections(), 1);
}

void tst_Consumer::nextRangeIsAskedForBeforeThisOneIsAskedAgain()
{
    MemoryLog log({{"t", 1}});
    for (int i = 0; i < 10; ++i)
        log.append("t", 0, QByteArray(100, 'x'));
    HostileBroker broker(log.script());
    Consumer consumer(broker.config(), kPartition, Offset{0}, noWait(150));
    QVERIFY(consumer.poll(call()));
    QTRY_COMPARE(log.fetchRequests(), 2); // without another poll
}

void tst_Consumer::emptyAnswerIsNotTheEnd()
{
    MemoryLog log({{"t", 1}});
    HostileBroker broker(log.script());
    Consumer consumer(broker.config(), kPartition, Offset{0}, noWait());
    const auto empty = consumer.poll(call());
    QVERIFY(empty);
    QVERIFY(empty->chunk->isEmpty());
    QCOMPARE(empty->end, FetchEnd::CaughtUp);
    log.append("t", 0, "new");
    const auto next = consumer.poll(call());
    QVERIFY(next);
    QCOMPARE(valuesOf(*next), QList<QByteArray>{"new"});
}

void tst_Consumer::caughtUpWaitsAtTheBroker()
{
    MemoryLog log({{"t", 1}});
    HostileBroker broker(log.script());
    ReadOptions options = Consumer::defaultOptions();
    options.maxWait = 300ms;
    Consumer consumer(broker.config(), kPartition, Latest{}, options);
    QElapsedTimer timer;
    timer.start();
    QVERIFY(consumer.poll(call()));
    QVERIFY(timer.elapsed() >= 290);
    QCOMPARE(log.fetchRequests(), 1);

    // Another, held for so long that the record comes within it on a busy machine, too.
    options.maxWait = 20s;
    Consumer patient(broker.config(), kPartition, Latest{}, options);
    std::jthread later([&log] {
        while (log.fetchRequests() < 2)
            std::this_thread::yield();
        log.append("t", 0, "woken");
    });
    const auto woken = patient.poll(call(30s));
    QVERIFY(woken);
    QCOMPARE(valuesOf(*woken), QList<QByteArray>{"woken"});
}

void tst_Consumer::tooLargeRecordIsReportedAndNotSkipped()
{
    MemoryLog log({{"t", 1}});
    log.append("t", 0, "small");
    log.append("t", 0, QByteArray(500, 'x'));
    log.append("t", 0, "behind");
    HostileBroker broker(log.script());
    Consumer consumer(broker.config(), kPartition, Offset{0}, noWait(100));
    QVERIFY(consumer.poll(call())); // the small one; the cut tail is no error
    for (int i = 0; i < 2; ++i) {
        const auto tooLarge = consumer.poll(call());
        QVERIFY(!tooLarge);
        QCOMPARE(tooLarge.error().kind, ErrorKind::RecordExceedsMaxBytes);
        QCOMPARE(tooLarge.error().where.offset, Offset{1});
        QCOMPARE(tooLarge.error().recordBytes, 500);
        QCOMPARE(tooLarge.error().limitBytes, 100);
        QCOMPARE(consumer.position(), Offset{1});
    }
    consumer.seek(Offset{2});
    const auto behind = consumer.poll(call());
    QVERIFY(behind);
    QCOMPARE(valuesOf(*behind), QList<QByteArray>{"behind"});
}

void tst_Consumer::startPositions()
{
    MemoryLog log({{"t", 1}});
    for (int i = 0; i < 10; ++i)
        log.append("t", 0, QByteArray::number(i));
    log.setLogStart("t", 0, 4);
    HostileBroker broker(log.script());

    Consumer earliest(broker.config(), kPartition, Earliest{}, noWait());
    QVERIFY(!earliest.position());
    const auto first = earliest.poll(call());
    QVERIFY(first);
    QCOMPARE(first->fetchOffset, Offset{4}); // the log start, not 0
    QCOMPARE(valuesOf(*first).first(), "4"_ba);

    Consumer latest(broker.config(), kPartition, Latest{}, noWait());
    const auto nothing = latest.poll(call());
    QVERIFY(nothing);
    QVERIFY(nothing->chunk->isEmpty());
    QCOMPARE(latest.position(), Offset{10});
}

void tst_Consumer::earliestRacedByRetentionIsTriedOnceMore()
{
    MemoryLog log({{"t", 1}});
    for (int i = 0; i < 10; ++i)
        log.append("t", 0, QByteArray::number(i));
    log.intercept = [&log](const HostileBroker::Peer::Request &request) {
        if (request.apiKey == 2 && log.fetchRequests() == 0)
            log.setLogStart("t", 0, 6); // between METADATA and FETCH
        return std::optional<QByteArray>();
    };
    HostileBroker broker(log.script());
    Consumer consumer(broker.config(), kPartition, Earliest{}, noWait());
    const auto result = consumer.poll(call());
    QVERIFY2(result, result ? "" : qPrintable(describe(result.error())));
    QCOMPARE(result->fetchOffset, Offset{6});
    QCOMPARE(consumer.position(), Offset{10});
}

void tst_Consumer::outOfRangeIsExplained_data()
{
    QTest::addColumn<qint64>("offset");
    QTest::addColumn<QStringList>("words");
    QTest::newRow("overtaken by retention") << qint64(1) << QStringList{u"retention"_s, u"4"_s};
    QTest::newRow("log became shorter")
        << qint64(25) << QStringList{u"shorter"_s, u"10"_s, u"25"_s};
}

void tst_Consumer::outOfRangeIsExplained()
{
    QFETCH(qint64, offset);
    QFETCH(QStringList, words);
    MemoryLog log({{"t", 1}});
    for (int i = 0; i < 10; ++i)
        log.append("t", 0, "x");
    log.setLogStart("t", 0, 4);
    HostileBroker broker(log.script());
    Consumer consumer(broker.config(), kPartition, Offset{offset}, noWait());
    const auto result = consumer.poll(call());
    QVERIFY(!result);
    QCOMPARE(result.error().brokerName, u"OFFSET_OUT_OF_RANGE"_s);
    for (const QString &word : words)
        QVERIFY2(result.error().detail.contains(word), qPrintable(result.error().detail));
    QCOMPARE(consumer.position(), Offset{offset}); // skipping is not ours to decide
}

void tst_Consumer::damagedLogIsReportedNotSpunOn()
{
    MemoryLog log({{"t", 1}});
    log.append("t", 0, "x");
    log.intercept = [](const HostileBroker::Peer::Request &request) -> std::optional<QByteArray> {
        return request.apiKey == 2 ? std::optional(answer(request.correlationId, fetchBody(1, {})))
                                   : std::nullopt;
    };
    HostileBroker broker(log.script());
    Consumer consumer(broker.config(), kPartition, Offset{0}, noWait());
    const auto result = consumer.poll(call());
    QVERIFY(!result);
    QCOMPARE(result.error().kind, ErrorKind::Protocol);
    QVERIFY(result.error().detail.contains(u"damaged"_s));
    QCOMPARE(consumer.position(), Offset{0});
}

void tst_Consumer::damagedRecordIsFlaggedAndReadingGoesOn()
{
    HostileBroker broker([](HostileBroker::Peer &peer) {
        const QByteArray payload =
            storedRecord("good") + storedRecord("bad", 0x364B3FB7u) + storedRecord("behind");
        peer.write(answer(peer.read()->correlationId, fetchBody(3, payload)));
        peer.waitForEnd();
    });
    Consumer consumer(broker.config(), kPartition, Offset{0}, noWait());
    const auto result = consumer.poll(call());
    QVERIFY(result);
    QCOMPARE(valuesOf(*result), (QList<QByteArray>{"good", "bad", "behind"}));
    const auto &records = result->chunk->records();
    QCOMPARE(records[0].flags, RecordFlags(RecordFlag::ChecksumVerified));
    QCOMPARE(records[1].flags, RecordFlags(RecordFlag::ChecksumMismatch));
    QCOMPARE(records[2].flags, RecordFlags(RecordFlag::ChecksumVerified));
    QCOMPARE(result->chunk->storedCrc(records[1]), 0x364B3FB7u);
}

void tst_Consumer::damagedSizesLoseAndShiftNothing_data()
{
    QTest::addColumn<int>("flip");
    QTest::newRow("one bit: found by the checksum") << 0x40;
    QTest::newRow("two bits: the rest is fetched again") << 0x60;
    QTest::newRow("sign") << int(0x80000000);
}

void tst_Consumer::damagedSizesLoseAndShiftNothing()
{
    // A size that leads elsewhere makes a reader count other records than there are, and so ask for
    // the wrong offset next. Record 3 of 20 says a wrong size; the broker finds every offset.
    QFETCH(int, flip);
    constexpr int kRecords = 20;
    const auto value = [](qint64 i) { return QByteArray(30, char('a' + i)); };
    MemoryLog log({{"t", 1}});
    log.intercept = [&](const HostileBroker::Peer::Request &request) -> std::optional<QByteArray> {
        if (request.apiKey != 2)
            return std::nullopt;
        const auto offset = qFromBigEndian<qint64>(request.body.constData() + 2 + 1 + 4);
        QByteArray payload;
        for (qint64 i = offset; i < kRecords; ++i) {
            QByteArray record = storedRecord(value(i));
            if (i == 3)
                record.replace(0, 4, be32(30 ^ flip));
            payload += record;
        }
        return answer(request.correlationId,
                      fetchBody(kRecords, payload.first(qMin<qsizetype>(payload.size(), 400))));
    };
    HostileBroker broker(log.script());
    ReadOptions options = noWait(400);
    Consumer consumer(broker.config(), kPartition, Offset{0}, options);
    std::map<qint64, QByteArray> read;
    for (int polls = 0; polls < 30 && consumer.position() != Offset{kRecords}; ++polls) {
        const auto result = consumer.poll(call());
        if (!result) {
            QCOMPARE(result.error().kind, ErrorKind::Protocol); // nothing to show of it
            QCOMPARE(consumer.position(), Offset{3});
            consumer.seek(Offset{4});
            continue;
        }
        for (const Record &record : result->chunk->records()) {
            QVERIFY(!read.contains(record.offset.value));
            read[record.offset.value] = bytesOf(result->chunk->value(record));
            QCOMPARE(record.flags.testFlag(RecordFlag::ChecksumMismatch),
                     record.offset == Offset{3});
        }
    }
    QCOMPARE(consumer.position(), Offset{kRecords});
    for (qint64 i = 0; i < kRecords; ++i) {
        if (i != 3)
            QCOMPARE(read[i], value(i));
    }
}

void tst_Consumer::lagIsNeverNegative()
{
    HostileBroker broker([](HostileBroker::Peer &peer) {
        // Two records at and beyond the high watermark, which is sampled first.
        peer.write(answer(peer.read()->correlationId,
                          fetchBody(0, storedRecord("a") + storedRecord("b"))));
        peer.waitForEnd();
    });
    Consumer consumer(broker.config(), kPartition, Offset{0}, noWait());
    QCOMPARE(consumer.lag(), 0);
    const auto result = consumer.poll(call());
    QVERIFY(result);
    QCOMPARE(result->chunk->records().size(), size_t(2));
    QCOMPARE(consumer.position(), Offset{2});
    QCOMPARE(consumer.highWatermark(), Offset{0});
    QCOMPARE(consumer.lag(), 0);
}

void tst_Consumer::seekDropsTheRangeAskedForAhead()
{
    MemoryLog log({{"t", 1}});
    for (int i = 0; i < 10; ++i)
        log.append("t", 0, QByteArray::number(i).repeated(50));
    HostileBroker broker(log.script());
    Consumer consumer(broker.config(), kPartition, Offset{0}, noWait(60));
    QVERIFY(consumer.poll(call())); // and asks for record 1
    consumer.seek(Offset{7});
    const auto result = consumer.poll(call());
    QVERIFY(result);
    QCOMPARE(valuesOf(*result), QList<QByteArray>{QByteArray(50, '7')});
}

void tst_Consumer::positionSurvivesALostConnection()
{
    MemoryLog log({{"t", 1}});
    for (int i = 0; i < 10; ++i)
        log.append("t", 0, QByteArray::number(i).repeated(50));
    HostileBroker broker([&log](HostileBroker::Peer &peer) {
        if (peer.number() > 0) {
            log.script()(peer);
            return;
        }
        const auto request = peer.read();
        peer.write(
            answer(request->correlationId, fetchBody(10, storedRecord(QByteArray(50, '0')))));
        peer.read(); // the range asked for ahead, never answered
    });
    Consumer consumer(broker.config(), kPartition, Offset{0}, noWait(60));
    QVERIFY(consumer.poll(call()));
    QVERIFY(!consumer.poll(call()));
    QCOMPARE(consumer.position(), Offset{1});
    const auto result = consumer.poll(call());
    QVERIFY(result);
    QCOMPARE(valuesOf(*result), QList<QByteArray>{QByteArray(50, '1')});
}

QTEST_GUILESS_MAIN(tst_Consumer)
#include "tst_consumer.moc"
