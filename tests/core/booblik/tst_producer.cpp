#include "core/booblik/producer.h"
#include "tests/support/hostilebroker.h"
#include "tests/support/promptness.h"

#include <QTest>

#include <latch>

using namespace topicscope;
using namespace topicscope::booblik;
using namespace topicscope::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

class tst_Producer : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".?"_s)); }

    void fullBatchIsOneRequestWithConsecutiveOffsets();
    void lingerRunsFromTheFirstRecord();
    void lingerBeginsAnewAfterADelivery();
    void lingerZeroSendsEachRecordAlone();
    void oneFullPartitionSendsTheOthersToo();
    void bytesBoundABatch();
    void recordTooLargeFailsAlone();
    void noRecordIsLostWhenTheLingerEndsAsItArrives();
    void failedBatchFailsItsRecordsOnly();
    void lostAnswerIsOutcomeUnknownAndNotRepeated();
    void flushReturnsWhenAllIsAnswered();
    void closeDeliversWhatWasAccepted();
    void afterCloseNothingIsAccepted();
    void sendingWhileClosing();
    void closeOutOfTimeAbandonsWhatWasNotSent();
    void destroyingWhileARequestIsOut();
    void queueIsBounded();
    void ackNoneHasNoOffsetAndReportsRefusals();
    void deliveryTimeout();
    void readOnlySendsNothing();
};

namespace
{

const TopicPartition kPartition{u"t"_s, PartitionId{0}};

CallContext call(std::chrono::milliseconds limit = 10s)
{
    return CallContext(limit);
}

ProducerOptions options(std::chrono::milliseconds linger, qsizetype maxBatchRecords = 100)
{
    ProducerOptions result;
    result.linger = linger;
    result.maxBatchRecords = maxBatchRecords;
    return result;
}

/// The answer, or Timeout when there is none for ten seconds.
Result<Delivery> get(std::future<Result<Delivery>> &future)
{
    if (future.wait_for(10s) != std::future_status::ready)
        return Error::make(ErrorKind::Timeout, u"never answered"_s);
    return future.get();
}

} // namespace

void tst_Producer::fullBatchIsOneRequestWithConsecutiveOffsets()
{
    MemoryLog log({{"t", 1}});
    HostileBroker broker(log.script());
    Producer producer(broker.config(), options(5min, 10));
    std::vector<std::future<Result<Delivery>>> answers;
    for (int i = 0; i < 10; ++i)
        answers.push_back(producer.send(kPartition, QByteArray::number(i)));
    for (int i = 0; i < 10; ++i) {
        const auto delivery = get(answers[size_t(i)]);
        QVERIFY(delivery);
        QCOMPARE(delivery->offset, Offset{i});
        QCOMPARE(delivery->partition, kPartition);
    }
    QCOMPARE(log.produceRequests(), 1);
    QCOMPARE(log.records("t", 0).at(9), "9"_ba);
}

void tst_Producer::lingerRunsFromTheFirstRecord()
{
    // A record every half linger: were it restarted by each, the first would never leave.
    MemoryLog log({{"t", 1}});
    HostileBroker broker(log.script());
    Producer producer(broker.config(), options(200ms));
    QElapsedTimer timer;
    timer.start(); // before the record is accepted: the linger cannot have begun earlier
    auto first = producer.send(kPartition, "first");
    std::vector<std::future<Result<Delivery>>> later;
    do { // one at once, as a busy machine may sleep through the whole linger below
        QVERIFY2(timer.elapsed() < 5000, "the trickle kept the first record back");
        later.push_back(producer.send(kPartition, "later"));
    } while (first.wait_for(100ms) != std::future_status::ready);
    QVERIFY(timer.elapsed() >= 190);
    QVERIFY(get(first));
}

void tst_Producer::lingerBeginsAnewAfterADelivery()
{
    MemoryLog log({{"t", 1}});
    HostileBroker broker(log.script());
    Producer producer(broker.config(), options(150ms));
    for (int round = 0; round < 2; ++round) {
        QElapsedTimer timer;
        timer.start();
        auto answered = producer.send(kPartition, "x");
        QVERIFY(get(answered));
        QVERIFY2(timer.elapsed() >= 140, qPrintable(u"round %1"_s.arg(round)));
    }
}

void tst_Producer::lingerZeroSendsEachRecordAlone()
{
    MemoryLog log({{"t", 1}});
    HostileBroker broker(log.script());
    Producer producer(broker.config(), options(0ms));
    for (int i = 0; i < 20; ++i)
        QVERIFY(producer.send(kPartition, "x", [](const auto &) {}));
    QVERIFY(producer.flush(call()));
    QCOMPARE(log.produceRequests(), 20);
}

void tst_Producer::oneFullPartitionSendsTheOthersToo()
{
    MemoryLog log({{"t", 2}});
    HostileBroker broker(log.script());
    Producer producer(broker.config(), options(5min, 3));
    auto lonely = producer.send({u"t"_s, PartitionId{1}}, "lonely");
    for (int i = 0; i < 3; ++i)
        QVERIFY(producer.send(kPartition, "x", [](const auto &) {}));
    QVERIFY(get(lonely));
    QCOMPARE(log.records("t", 1), QList<QByteArray>{"lonely"});
}

void tst_Producer::bytesBoundABatch()
{
    // 100 records of 100 kB are above the largest frame, which a broker would not even read.
    MemoryLog log({{"t", 1}});
    HostileBroker broker(log.script());
    ProducerOptions large = options(5min, 100);
    large.maxBatchBytes = 8 * 1024 * 1024;
    Producer producer(broker.config(), large);
    std::vector<std::future<Result<Delivery>>> answers;
    for (int i = 0; i < 100; ++i)
        answers.push_back(producer.send(kPartition, QByteArray(100'000, char('a' + i % 26))));
    QVERIFY(producer.flush(call(30s)));
    for (int i = 0; i < 100; ++i) {
        const auto delivery = get(answers[size_t(i)]);
        QVERIFY(delivery);
        QCOMPARE(delivery->offset, Offset{i});
    }
    QVERIFY(log.produceRequests() >= 2);
    QVERIFY(log.largestFrame() <= 4 + 8'388'608);
}

void tst_Producer::recordTooLargeFailsAlone()
{
    MemoryLog log({{"t", 1}});
    HostileBroker broker(log.script());
    Producer producer(broker.config(), options(5min));
    auto before = producer.send(kPartition, "before");
    // 8 388 585 less one byte of name is the largest.
    auto tooLarge = producer.send(kPartition, QByteArray(8'388'585, 'x'));
    auto largest = producer.send(kPartition, QByteArray(8'388'584, 'x'));
    auto empty = producer.send(kPartition, "");
    auto after = producer.send(kPartition, "after");
    QVERIFY(producer.flush(call(30s)));
    QCOMPARE(get(tooLarge).error().kind, ErrorKind::InvalidArgument);
    QCOMPARE(get(empty).error().kind, ErrorKind::InvalidArgument);
    QCOMPARE(get(before)->offset, Offset{0});
    QCOMPARE(get(largest)->offset, Offset{1});
    QCOMPARE(get(after)->offset, Offset{2});
}

void tst_Producer::noRecordIsLostWhenTheLingerEndsAsItArrives()
{
    // Two partitions and about one record per linger, so that the timer and an arrival meet often.
    MemoryLog log({{"t", 2}});
    HostileBroker broker(log.script());
    // A busy machine lets the producer wait, which then takes many at once: more are sent then.
    constexpr int kRounds = 1500;
    constexpr int kMostRounds = 60'000;
    constexpr int kRequests = 150;
    Producer producer(broker.config(), options(1ms));
    std::vector<std::future<Result<Delivery>>> answers;
    for (int i = 0; i < kRounds || (i < kMostRounds && log.produceRequests() <= kRequests); ++i) {
        answers.push_back(producer.send({u"t"_s, PartitionId{i % 2}}, QByteArray::number(i)));
        const auto until =
            std::chrono::steady_clock::now() + std::chrono::microseconds(990 + i % 20);
        while (std::chrono::steady_clock::now() < until)
            std::this_thread::yield();
    }
    for (auto &answered : answers)
        QVERIFY(get(answered));
    QCOMPARE(log.records("t", 0).size() + log.records("t", 1).size(), qsizetype(answers.size()));
    // Otherwise the timer never fired and nothing was tried.
    QVERIFY2(log.produceRequests() > kRequests, qPrintable(QString::number(log.produceRequests())));
}

void tst_Producer::failedBatchFailsItsRecordsOnly()
{
    MemoryLog log({{"t", 2}});
    HostileBroker broker(log.script());
    Producer producer(broker.config(), options(5min));
    auto good = producer.send(kPartition, "good");
    auto bad1 = producer.send({u"odrers"_s, PartitionId{0}}, "bad");
    auto bad2 = producer.send({u"odrers"_s, PartitionId{0}}, "bad");
    QVERIFY(producer.flush(call()));
    QVERIFY(get(good));
    for (auto *bad : {&bad1, &bad2}) {
        const auto answered = get(*bad);
        QVERIFY(!answered);
        QCOMPARE(answered.error().kind, ErrorKind::Broker);
        QCOMPARE(answered.error().where.topic, u"odrers"_s);
    }
    QCOMPARE(broker.connections(), 1);
}

void tst_Producer::lostAnswerIsOutcomeUnknownAndNotRepeated()
{
    MemoryLog log({{"t", 1}});
    std::atomic<int> seen = 0;
    HostileBroker broker([&](HostileBroker::Peer &peer) {
        if (peer.number() > 0) {
            log.script()(peer);
            return;
        }
        if (peer.read())
            ++seen; // and close without an answer
    });
    Producer producer(broker.config(), options(5min));
    auto lost1 = producer.send(kPartition, "lost");
    auto lost2 = producer.send(kPartition, "lost");
    QVERIFY(producer.flush(call()));
    QCOMPARE(get(lost1).error().kind, ErrorKind::OutcomeUnknown);
    QCOMPARE(get(lost2).error().kind, ErrorKind::OutcomeUnknown);
    auto next = producer.send(kPartition, "next");
    QVERIFY(producer.flush(call()));
    QVERIFY(get(next)); // on a new connection
    QCOMPARE(seen, 1);
    QCOMPARE(log.records("t", 0), QList<QByteArray>{"next"});
}

void tst_Producer::flushReturnsWhenAllIsAnswered()
{
    MemoryLog log({{"t", 1}});
    HostileBroker broker(log.script());
    Producer producer(broker.config(), options(5min));
    QVERIFY(producer.flush(call())); // nothing to do
    std::atomic<int> answered = 0;
    for (int i = 0; i < 250; ++i)
        QVERIFY(producer.send(kPartition, "x", [&](const auto &) { ++answered; }));
    QVERIFY(producer.flush(call()));
    QCOMPARE(answered, 250);

    // A flush that is interrupted loses nothing.
    std::stop_source stopped;
    stopped.request_stop();
    QVERIFY(producer.send(kPartition, "x", [&](const auto &) { ++answered; }));
    const auto flushed = producer.flush(CallContext(QDeadlineTimer(10s), stopped.get_token()));
    QVERIFY(!flushed);
    QCOMPARE(flushed.error().kind, ErrorKind::Cancelled);
    QTRY_COMPARE(answered, 251);
}

void tst_Producer::closeDeliversWhatWasAccepted()
{
    MemoryLog log({{"t", 1}});
    HostileBroker broker(log.script());
    Producer producer(broker.config(), options(5min));
    auto answered = producer.send(kPartition, "x");
    producer.close(call());
    QCOMPARE(answered.wait_for(0s), std::future_status::ready);
    QVERIFY(answered.get());
    producer.close(call()); // nothing to do
}

void tst_Producer::afterCloseNothingIsAccepted()
{
    MemoryLog log({{"t", 1}});
    HostileBroker broker(log.script());
    Producer producer(broker.config());
    producer.close(call());
    auto answered = producer.send(kPartition, "x");
    QCOMPARE(get(answered).error().kind, ErrorKind::Closed);
    const auto flushed = producer.flush(CallContext());
    QVERIFY(!flushed);
    QCOMPARE(flushed.error().kind, ErrorKind::Closed);
    QCOMPARE(log.produceRequests(), 0);
}

void tst_Producer::sendingWhileClosing()
{
    MemoryLog log({{"t", 1}});
    HostileBroker broker(log.script());
    std::atomic<int> stored = 0;
    for (int round = 0; round < 20; ++round) {
        Producer producer(broker.config(), options(1ms));
        std::atomic<int> accepted = 0;
        std::atomic<int> answered = 0;
        std::latch started(5);
        std::vector<std::jthread> senders;
        for (int i = 0; i < 4; ++i) {
            senders.emplace_back([&] {
                started.arrive_and_wait();
                for (;;) {
                    const auto sent =
                        producer.send(kPartition, "x", [&](const Result<Delivery> &d) {
                            ++answered;
                            stored += d ? 1 : 0;
                        });
                    if (!sent && sent.error().kind == ErrorKind::Closed)
                        return;
                    accepted += sent ? 1 : 0;
                }
            });
        }
        started.arrive_and_wait();
        producer.close(CallContext(QDeadlineTimer(30s)));
        senders.clear(); // joins
        QCOMPARE(answered, accepted.load());
    }
    QCOMPARE(log.records("t", 0).size(), stored.load());
}

void tst_Producer::closeOutOfTimeAbandonsWhatWasNotSent()
{
    std::atomic<int> requests = 0;
    HostileBroker broker([&requests](HostileBroker::Peer &peer) {
        while (peer.read())
            ++requests; // and never answers
    });
    Producer producer(broker.config(), options(0ms));
    auto sent = producer.send(kPartition, "sent");
    auto waiting = producer.send(kPartition, "waiting");
    // The first must be out; its answer never comes.
    QTRY_COMPARE(requests, 1);
    producer.close(call(200ms));
    QCOMPARE(get(sent).error().kind, ErrorKind::OutcomeUnknown);
    QCOMPARE(get(waiting).error().kind, ErrorKind::Closed);
}

void tst_Producer::destroyingWhileARequestIsOut()
{
    std::atomic<int> requests = 0;
    HostileBroker broker([&requests](HostileBroker::Peer &peer) {
        while (peer.read())
            ++requests; // and never answers
    });
    const qint64 quickestMs = quickest([&](qint64 &took) {
        const int before = requests;
        std::future<Result<Delivery>> answered;
        QElapsedTimer timer;
        {
            Producer producer(broker.config(), options(0ms));
            answered = producer.send(kPartition, "x");
            QTRY_COMPARE(requests, before + 1);
            timer.start();
        }
        took = timer.elapsed();
        QVERIFY(!get(answered));
    });
    QVERIFY2(quickestMs < kCancelledMs, qPrintable(QString::number(quickestMs)));
}

void tst_Producer::queueIsBounded()
{
    std::latch release(1);
    MemoryLog log({{"t", 1}});
    log.intercept = [&](const auto &) -> std::optional<QByteArray> {
        release.wait();
        return std::nullopt;
    };
    HostileBroker broker(log.script());
    ProducerOptions bounded = options(0ms);
    bounded.maxWaitingRecords = 3;
    Producer producer(broker.config(), bounded);
    for (int i = 0; i < 3; ++i)
        QVERIFY(producer.send(kPartition, "x", [](const auto &) {}));
    const auto fourth = producer.send(kPartition, "x", [](const auto &) {});
    QVERIFY(!fourth);
    QCOMPARE(fourth.error().kind, ErrorKind::Busy);
    QVERIFY(fourth.error().retriable);
    release.count_down();
    QVERIFY(producer.flush(call()));
    QVERIFY(producer.send(kPartition, "x", [](const auto &) {}));
    QVERIFY(producer.flush(call()));

    ProducerOptions byBytes = options(5min);
    byBytes.maxWaitingBytes = 10;
    Producer small(broker.config(), byBytes);
    QVERIFY(small.send(kPartition, QByteArray(20, 'x'), [](const auto &) {})); // alone it may
    QVERIFY(!small.send(kPartition, "x", [](const auto &) {}));
}

void tst_Producer::ackNoneHasNoOffsetAndReportsRefusals()
{
    MemoryLog log({{"t", 1}});
    HostileBroker broker(log.script());
    ProducerOptions quiet = options(5min);
    quiet.ack = AckPolicy::None;
    Producer producer(broker.config(), quiet);
    auto good = producer.send(kPartition, "x");
    auto refused = producer.send({u"odrers"_s, PartitionId{0}}, "y");
    QVERIFY(producer.flush(call()));
    const auto delivery = get(good);
    QVERIFY(delivery);
    QVERIFY(!delivery->offset);
    QVERIFY(get(refused)); // sent is all that is known when the bytes are out
    const auto late = producer.takeLateErrors();
    QCOMPARE(late.size(), 1);
    QCOMPARE(late.first().kind, ErrorKind::Broker);
    QCOMPARE(late.first().where.topic, u"odrers"_s);
    QCOMPARE(log.records("t", 0), QList<QByteArray>{"x"});
}

void tst_Producer::deliveryTimeout()
{
    std::atomic<int> requests = 0;
    HostileBroker broker([&requests](HostileBroker::Peer &peer) {
        while (peer.read())
            ++requests; // and never answers
    });
    // flush() takes both in one round, the partitions in their order. So the time of the one that
    // was accepted first is over, at the latest, when the other's answer is given up. A machine too
    // busy to send even that one in its time is given more of it.
    bool wasSent = false;
    for (auto limit = 150ms; !wasSent && limit < 10s; limit *= 2) {
        ProducerOptions impatient = options(5min);
        impatient.deliveryTimeout = limit;
        Producer producer(broker.config(), impatient);
        auto behind = producer.send({u"t"_s, PartitionId{1}}, "behind");
        auto sent = producer.send(kPartition, "sent");
        QVERIFY(producer.flush(call(30s)));
        const auto lost = get(sent);
        QVERIFY(!lost);
        wasSent = lost.error().kind != ErrorKind::Timeout;
        if (wasSent)
            QCOMPARE(lost.error().kind, ErrorKind::OutcomeUnknown);
        const auto never = get(behind);
        QVERIFY(!never);
        QCOMPARE(never.error().kind, ErrorKind::Timeout);
    }
    QVERIFY(wasSent);
    QTRY_COMPARE(requests, 1); // what timed out was not sent
}

void tst_Producer::readOnlySendsNothing()
{
    MemoryLog log({{"t", 1}});
    HostileBroker broker(log.script());
    SessionConfig config = broker.config();
    config.readOnly = true;
    Producer producer(config);
    auto answered = producer.send(kPartition, "x");
    QCOMPARE(get(answered).error().kind, ErrorKind::ReadOnly);
    producer.close(call());
    QCOMPARE(broker.connections(), 0);
}

QTEST_GUILESS_MAIN(tst_Producer)
#include "tst_producer.moc"
