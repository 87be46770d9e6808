#include "core/booblik/subscription.h"
#include "tests/support/hostilebroker.h"
#include "tests/support/promptness.h"

#include <QTest>

#include <latch>
#include <set>

using namespace topicscope;
using namespace topicscope::booblik;
using namespace topicscope::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

class tst_Subscription : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".?"_s)); }

    void deliversAllPartitionsWithoutLossOrRepetition();
    void recordsOfTheLastPartitionDoNotWaitForTheOthers();
    void partitionsTakeTurns();
    void slowCallerLosesNothing();
    void timeoutLosesNothing();
    void cancelIsPrompt();
    void expiredHoldsAreAskedAgain();
    void refusedPartitionRestsAlone();
    void tooLargeRecordComesOnceUntilSkipped();
    void lostConnectionIsAnError();
    void silentBrokerIsAnError();
    void answerStuckBehindASlowCallerIsNoSilence();
};

namespace
{

using Start = Subscription::Start;

TopicPartition partition(qint32 id)
{
    return {u"t"_s, PartitionId{id}};
}

CallContext call(std::chrono::milliseconds limit = 5s)
{
    return CallContext(limit);
}

ReadOptions following(std::chrono::milliseconds hold = 10s)
{
    ReadOptions options;
    options.maxWait = hold;
    options.minBytes = 1;
    options.ahead = ReadOptions::Ahead::Always;
    return options;
}

QList<QByteArray> valuesOf(const FetchResult &result)
{
    QList<QByteArray> values;
    for (const Record &record : result.chunk->records()) {
        const auto value = result.chunk->value(record);
        values.append(
            QByteArray(reinterpret_cast<const char *>(value.data()), qsizetype(value.size())));
    }
    return values;
}

} // namespace

void tst_Subscription::deliversAllPartitionsWithoutLossOrRepetition()
{
    constexpr int kRecords = 500;
    MemoryLog log({{"t", 3}});
    HostileBroker broker(log.script());
    Subscription subscription(
        broker.config(), {{partition(0), {}}, {partition(1), {}}, {partition(2), {}}}, following());
    QVERIFY(subscription.open(call()));
    std::jthread writer([&log] {
        for (int i = 0; i < kRecords; ++i)
            log.append("t", i % 3, QByteArray::number(i));
    });
    std::map<qint32, QList<QByteArray>> read;
    int total = 0;
    while (total < kRecords) {
        const auto result = subscription.next(call());
        QVERIFY2(result, result ? "" : qPrintable(describe(result.error())));
        auto &values = read[result->partition.partition.value];
        QCOMPARE(result->fetchOffset, Offset{values.size()}); // no gap, no repetition
        values += valuesOf(*result);
        total += int(result->chunk->records().size());
    }
    for (const auto &[where, offset] : subscription.positions()) {
        const qint32 id = where.partition.value;
        QCOMPARE(read[id], log.records("t", id));
        QCOMPARE(offset, Offset{read[id].size()});
    }
    QCOMPARE(broker.connections(), 3);
}

void tst_Subscription::recordsOfTheLastPartitionDoNotWaitForTheOthers()
{
    const qint64 quickestMs = quickest([](qint64 &took) {
        MemoryLog log({{"t", 3}});
        HostileBroker broker(log.script());
        Subscription subscription(broker.config(),
                                  {{partition(0), {}}, {partition(1), {}}, {partition(2), {}}},
                                  following());
        std::jthread writer([&log] {
            while (log.fetchRequests() < 3) // all three are held
                std::this_thread::yield();
            log.append("t", 2, "now");
        });
        QElapsedTimer timer;
        timer.start();
        const auto result = subscription.next(call(30s));
        took = timer.elapsed();
        QVERIFY(result);
        QCOMPARE(result->partition, partition(2));
    });
    QVERIFY2(quickestMs < 1000, qPrintable(QString::number(quickestMs)));
}

void tst_Subscription::partitionsTakeTurns()
{
    MemoryLog log({{"t", 2}});
    for (int i = 0; i < 20; ++i) {
        log.append("t", 0, QByteArray(100, 'x'));
        log.append("t", 1, QByteArray(100, 'y'));
    }
    HostileBroker broker(log.script());
    ReadOptions one = following();
    one.maxBytes = 108;
    Subscription subscription(broker.config(), {{partition(0), {}}, {partition(1), {}}}, one);
    QList<int> got{0, 0};
    for (int i = 0; i < 20; ++i) {
        const auto result = subscription.next(call());
        QVERIFY(result);
        got[result->partition.partition.value] += 1;
        while (log.fetchRequests() < i + 3) // both have something again
            std::this_thread::yield();
    }
    // A busy partition must not starve the other.
    QVERIFY2(got[0] >= 5 && got[1] >= 5, qPrintable(u"%1 %2"_s.arg(got[0]).arg(got[1])));
}

void tst_Subscription::slowCallerLosesNothing()
{
    constexpr int kRecords = 200;
    MemoryLog log({{"t", 1}});
    for (int i = 0; i < kRecords; ++i)
        log.append("t", 0, QByteArray::number(i));
    HostileBroker broker(log.script());
    ReadOptions one = following();
    one.maxBytes = 11; // one record an answer
    Subscription subscription(broker.config(), {{partition(0), {}}}, one);
    QList<QByteArray> read;
    while (read.size() < kRecords) {
        const auto result = subscription.next(call());
        QVERIFY(result);
        read += valuesOf(*result);
        // So slow that the broker has always served the range ahead before it is asked for; and
        // never more than that one.
        while (log.fetchRequests() < read.size() + 1)
            std::this_thread::yield();
        QCOMPARE(log.fetchRequests(), read.size() + 1);
    }
    QCOMPARE(read, log.records("t", 0));
}

void tst_Subscription::timeoutLosesNothing()
{
    std::latch half(1);
    MemoryLog log({{"t", 1}});
    HostileBroker broker([&half](HostileBroker::Peer &peer) {
        const auto request = peer.read();
        const QByteArray whole = answer(request->correlationId, fetchBody(1, storedRecord("abc")));
        peer.write(whole.first(20));
        half.wait();
        peer.write(whole.sliced(20));
        peer.waitForEnd();
    });
    Subscription subscription(broker.config(), {{partition(0), {}}}, following());
    const auto nothing = subscription.next(call(100ms));
    QVERIFY(!nothing);
    QCOMPARE(nothing.error().kind, ErrorKind::Timeout);
    half.count_down();
    const auto result = subscription.next(call());
    QVERIFY(result);
    QCOMPARE(valuesOf(*result), QList<QByteArray>{"abc"});
    QCOMPARE(broker.connections(), 1);
}

void tst_Subscription::cancelIsPrompt()
{
    MemoryLog log({{"t", 1}});
    HostileBroker broker(log.script());
    const qint64 quickestMs = quickest([&](qint64 &took) {
        const int before = log.fetchRequests();
        Subscription subscription(broker.config(), {{partition(0), {}}}, following());
        std::stop_source source;
        QElapsedTimer timer;
        std::jthread canceller([&] {
            while (log.fetchRequests() == before)
                std::this_thread::yield();
            timer.start();
            source.request_stop();
        });
        const auto result =
            subscription.next(CallContext(QDeadlineTimer(5min), source.get_token()));
        QVERIFY(!result);
        QCOMPARE(result.error().kind, ErrorKind::Cancelled);
        took = timer.elapsed();
    });
    QVERIFY2(quickestMs < kCancelledMs, qPrintable(QString::number(quickestMs)));
}

void tst_Subscription::expiredHoldsAreAskedAgain()
{
    MemoryLog log({{"t", 1}});
    HostileBroker broker(log.script());
    Subscription subscription(broker.config(), {{partition(0), {}}}, following(20ms));
    std::jthread writer([&log] {
        while (log.fetchRequests() < 4)
            std::this_thread::yield();
        log.append("t", 0, "late");
    });
    const auto result = subscription.next(call());
    QVERIFY(result);
    QCOMPARE(valuesOf(*result), QList<QByteArray>{"late"});
}

void tst_Subscription::refusedPartitionRestsAlone()
{
    MemoryLog log({{"t", 2}});
    log.append("t", 1, "fine");
    HostileBroker broker(log.script());
    Subscription subscription(broker.config(), {{partition(7), {}}, {partition(1), {}}},
                              following());
    bool refused = false;
    bool delivered = false;
    while (!refused || !delivered) {
        const auto result = subscription.next(call());
        if (result) {
            QCOMPARE(result->partition, partition(1));
            delivered = true;
        } else {
            QVERIFY(!refused); // once
            QCOMPARE(result.error().kind, ErrorKind::Broker);
            QCOMPARE(result.error().where.partition, PartitionId{7});
            refused = true;
        }
    }
    log.append("t", 1, "still fine");
    const auto result = subscription.next(call());
    QVERIFY(result);
    QCOMPARE(valuesOf(*result), QList<QByteArray>{"still fine"});
}

void tst_Subscription::tooLargeRecordComesOnceUntilSkipped()
{
    MemoryLog log({{"t", 1}});
    log.append("t", 0, QByteArray(500, 'x'));
    log.append("t", 0, "behind");
    HostileBroker broker(log.script());
    ReadOptions small = following();
    small.maxBytes = 100;
    Subscription subscription(broker.config(), {{partition(0), {}}}, small);
    const auto tooLarge = subscription.next(call());
    QVERIFY(tooLarge);
    QCOMPARE(tooLarge->end, FetchEnd::RecordExceedsMaxBytes);
    QCOMPARE(tooLarge->endRecordBytes, 500);
    QCOMPARE(tooLarge->nextOffset, Offset{0});
    const auto resting = subscription.next(call(100ms));
    QVERIFY(!resting);
    QCOMPARE(resting.error().kind, ErrorKind::Timeout);
    QCOMPARE(log.fetchRequests(), 1); // and no endless identical fetch
    subscription.skipTo(partition(0), Offset{1});
    const auto behind = subscription.next(call());
    QVERIFY(behind);
    QCOMPARE(valuesOf(*behind), QList<QByteArray>{"behind"});
}

void tst_Subscription::lostConnectionIsAnError()
{
    HostileBroker broker([](HostileBroker::Peer &peer) { peer.read(); });
    Subscription subscription(broker.config(), {{partition(0), Offset{5}}}, following());
    const auto result = subscription.next(call());
    QVERIFY(!result);
    QCOMPARE(result.error().kind, ErrorKind::Network);
    QCOMPARE(subscription.positions().front().second, Offset{5});
}

void tst_Subscription::silentBrokerIsAnError()
{
    HostileBroker broker([](HostileBroker::Peer &peer) { peer.waitForEnd(); });
    SessionConfig config = broker.config();
    config.requestTimeout = 200ms;
    Subscription subscription(config, {{partition(0), {}}}, following());
    // Also when the caller asks in short turns.
    std::optional<Error> error;
    for (int i = 0; i < 100 && (!error || error->kind == ErrorKind::Timeout); ++i) {
        const auto result = subscription.next(call(50ms));
        QVERIFY(!result);
        error = result.error();
    }
    QCOMPARE(error->kind, ErrorKind::Network); // not Timeout, which would mean: just call again
    QVERIFY2(error->detail.contains(u"200"_s), qPrintable(error->detail));
}

void tst_Subscription::answerStuckBehindASlowCallerIsNoSilence()
{
    // An answer larger than the socket buffers stops on its way while the caller is busy for longer
    // than the request timeout. That is back-pressure, not a dead broker.
    const QByteArray body = fetchBody(2, storedRecord(QByteArray(8'000'000, 'x')));
    HostileBroker broker([&body](HostileBroker::Peer &peer) {
        while (const auto request = peer.read())
            peer.write(answer(request->correlationId, body));
    });
    SessionConfig config = broker.config();
    config.requestTimeout = 1500ms; // what a busy machine needs for so large an answer, amply
    ReadOptions large = following();
    large.maxBytes = 8'100'000;
    Subscription subscription(config, {{partition(0), {}}}, large);
    for (int i = 0; i < 2; ++i) {
        const auto result = subscription.next(call());
        QVERIFY2(result, result ? "" : qPrintable(describe(result.error())));
        QCOMPARE(result->chunk->records().size(), size_t(1));
        std::this_thread::sleep_for(1600ms); // the caller's own work: time itself is the subject
    }
}

QTEST_GUILESS_MAIN(tst_Subscription)
#include "tst_subscription.moc"
