#include "tests/support/fakesession.h"
#include "tests/support/syntheticlog.h"
#include "ui/models/logsampler.h"

#include <QSignalSpy>
#include <QTest>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

/// The samples a map is drawn from.
class tst_LogSampler : public QObject
{
    Q_OBJECT

private slots:
    void everyPartitionIsSampled()
    {
        SyntheticLog log;
        for (int i = 0; i < 20; ++i)
            log.partitions.append({0, 1'000'000});
        LogSampler sampler(log.factory(), SessionConfig());
        sampler.open(log.topic, 20);
        for (qint32 i = 0; i < 20; ++i)
            sampler.setEnds(PartitionId{i}, Offset{0}, Offset{1'000'000});
        const QSignalSpy ended(&sampler, &LogSampler::ended);
        sampler.start();
        QVERIFY(!sampler.hasEnded());
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(sampler.fetches(), LogSampler::kMostFetches);
        sampler.start(); // there is nothing left
        QCOMPARE(ended.count(), 1);
        for (qint32 i = 0; i < 20; ++i) {
            const PartitionProfile &profile = sampler.profiles().at(PartitionId{i});
            const auto known = [&] {
                return profile.between(Offset{0}, Offset{1'000'000}).records;
            };
            QVERIFY2(known() > 0, qPrintable(QString::number(i)));
        }
        sampler.open(log.topic, 20);
        QVERIFY(!sampler.hasEnded());
    }

    void aLostConnectionIsNotTriedAgain()
    {
        FakeBroker broker;
        broker.addTopic(u"orders"_s, 1);
        broker.appendMany(u"orders"_s, 0, 5'000);
        LogSampler sampler(broker.factory(), SessionConfig());
        sampler.open(u"orders"_s, 1);
        sampler.setEnds(PartitionId{0}, Offset{0}, Offset{5'000});
        broker.failNext(Call::Open, FakeBroker::loginRefusal(), 1000);
        broker.failNext(Call::Fetch, FakeBroker::loginRefusal(), 1000);
        sampler.start();
        QTRY_COMPARE(broker.calls(Call::Open), 1);
        QTRY_COMPARE(broker.liveSessions(), 0);
        QVERIFY(sampler.hasEnded());
        // As a table does whenever something of it changes.
        for (int i = 0; i < 5; ++i)
            sampler.start();
        // In the time in which another sampler's session is made and asked.
        LogSampler other(broker.factory(), SessionConfig());
        other.open(u"orders"_s, 1);
        other.setEnds(PartitionId{0}, Offset{0}, Offset{5'000});
        other.start();
        QTRY_COMPARE(broker.calls(Call::Open), 2);
        QTRY_COMPARE(broker.liveSessions(), 0);
        QCOMPARE(broker.calls(Call::Open), 2);
    }

    void whatALostConnectionLeftOutIsSampledLater()
    {
        FakeBroker broker;
        broker.addTopic(u"orders"_s, 1);
        broker.appendMany(u"orders"_s, 0, 5'000);
        LogSampler sampler(broker.factory(), SessionConfig());
        sampler.open(u"orders"_s, 1);
        sampler.setEnds(PartitionId{0}, Offset{0}, Offset{5'000});
        broker.failNext(Call::Fetch, FakeBroker::networkError(), 1000);
        broker.failNext(Call::Open, FakeBroker::networkError(), 1000);
        sampler.start();
        QTRY_VERIFY(broker.calls(Call::Fetch) > 0);
        QTRY_COMPARE(broker.liveSessions(), 0);
        broker.failNext(Call::Fetch, FakeBroker::networkError(), 0);
        broker.failNext(Call::Open, FakeBroker::networkError(), 0);
        sampler.goOn();
        const PartitionProfile &profile = sampler.profiles().at(PartitionId{0});
        QTRY_VERIFY(profile.between(Offset{0}, Offset{5'000}).records > 0);
    }
};

QTEST_GUILESS_MAIN(tst_LogSampler)
#include "tst_logsampler.moc"
