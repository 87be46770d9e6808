#include "core/session/lookfor.h"
#include "tests/support/fakesession.h"

#include <QTest>
#include <QThread>

using namespace topicscope;
using namespace topicscope::test;
using namespace Qt::StringLiterals;

class tst_LookFor : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void findsTheFirstEqualValueFromTheOffsetOn();
    void notThereWhenAllWasRead();
    void prefixIsAnotherRecord();
    void endIsTheHighWatermarkOfTheFirstAnswer();
    void recordsLargerThanTheValueAreSteppedOver();
    void findsAValueLargerThanOneFetch();
    void damagedRecordIsRecognisedByItsStoredChecksum();
    void damagedNeighbourIsSteppedOver();
    void unreadableLogIsNoAnswer_data();
    void unreadableLogIsNoAnswer();
    void refusalIsReturned();
    void stopEndsTheScan();

private:
    Result<LookForResult> look(qint64 from, const QByteArray &value,
                               const std::stop_token &stop = {})
    {
        return lookFor(*m_session, {u"orders"_s, PartitionId{0}}, Offset{from}, value, stop);
    }

    std::optional<FakeBroker> m_broker;
    std::unique_ptr<BrokerSession> m_session;
};

void tst_LookFor::init()
{
    m_broker.emplace();
    m_broker->addTopic(u"orders"_s, 1);
    m_session = m_broker->factory()(SessionConfig{});
}

void tst_LookFor::findsTheFirstEqualValueFromTheOffsetOn()
{
    for (const char *value : {"a", "b", "a", "b"})
        m_broker->append(u"orders"_s, 0, value);
    QCOMPARE(look(0, "b").value().offset, std::optional(Offset{1}));
    QCOMPARE(look(2, "b").value().offset, std::optional(Offset{3}));
}

void tst_LookFor::notThereWhenAllWasRead()
{
    QCOMPARE(look(0, "x").value().offset, std::optional<Offset>());
    QCOMPARE(m_broker->calls(Call::Fetch), 1);
    m_broker->appendMany(u"orders"_s, 0, 1000);
    QCOMPARE(look(0, "x").value().offset, std::optional<Offset>());
    QCOMPARE(look(1000, "r-999").value().offset, std::optional<Offset>());
}

void tst_LookFor::prefixIsAnotherRecord()
{
    m_broker->append(u"orders"_s, 0, "order-42x");
    m_broker->append(u"orders"_s, 0, "order-4");
    QCOMPARE(look(0, "order-42").value().offset, std::optional<Offset>());
}

void tst_LookFor::endIsTheHighWatermarkOfTheFirstAnswer()
{
    // Two fetches are needed, and the partition grows between them.
    m_broker->append(u"orders"_s, 0, QByteArray(700'000, 'x'));
    m_broker->append(u"orders"_s, 0, QByteArray(700'000, 'y'));
    m_broker->block(Call::Fetch);
    std::optional<Result<LookForResult>> answer;
    const std::unique_ptr<QThread> scan(QThread::create([&] { answer = look(0, "late"); }));
    scan->start();
    QTRY_COMPARE(m_broker->blocked(Call::Fetch), 1);
    m_broker->releaseOne(Call::Fetch);
    QTRY_COMPARE(m_broker->calls(Call::Fetch), 2);
    m_broker->append(u"orders"_s, 0, "late");
    m_broker->release(Call::Fetch);
    QVERIFY(scan->wait());
    QCOMPARE(answer->value(), (LookForResult{std::nullopt, Offset{2}}));
}

void tst_LookFor::recordsLargerThanTheValueAreSteppedOver()
{
    m_broker->append(u"orders"_s, 0, QByteArray(3 * 1024 * 1024, 'x'));
    m_broker->append(u"orders"_s, 0, "wanted");
    QCOMPARE(look(0, "wanted").value().offset, std::optional(Offset{1}));
}

void tst_LookFor::findsAValueLargerThanOneFetch()
{
    const QByteArray large(3 * 1024 * 1024, 'x');
    m_broker->append(u"orders"_s, 0, "small");
    m_broker->append(u"orders"_s, 0, large);
    QCOMPARE(look(0, large).value().offset, std::optional(Offset{1}));
}

void tst_LookFor::damagedRecordIsRecognisedByItsStoredChecksum()
{
    m_broker->append(u"orders"_s, 0, "other!");
    m_broker->append(u"orders"_s, 0, "wanted");
    m_broker->damage(u"orders"_s, 0, Offset{1}, Damage::Checksum);
    QCOMPARE(look(0, "wanted").value().offset, std::optional(Offset{1}));
}

void tst_LookFor::damagedNeighbourIsSteppedOver()
{
    m_broker->append(u"orders"_s, 0, "other!");
    m_broker->append(u"orders"_s, 0, "wanted");
    m_broker->damage(u"orders"_s, 0, Offset{0}, Damage::Checksum);
    QCOMPARE(look(0, "wanted").value().offset, std::optional(Offset{1}));
}

void tst_LookFor::unreadableLogIsNoAnswer_data()
{
    QTest::addColumn<Damage>("damage");
    QTest::newRow("size field") << Damage::Size;
    QTest::newRow("empty answer") << Damage::Missing;
}

void tst_LookFor::unreadableLogIsNoAnswer()
{
    QFETCH(Damage, damage);
    m_broker->appendMany(u"orders"_s, 0, 5);
    m_broker->damage(u"orders"_s, 0, Offset{2}, damage);
    QCOMPARE(look(0, "r-1").value().offset, std::optional(Offset{1}));
    const auto beyond = look(0, "r-4");
    QVERIFY(!beyond);
    QCOMPARE(beyond.error().kind, ErrorKind::Protocol);
    QCOMPARE(beyond.error().where.offset, std::optional(Offset{2}));
}

void tst_LookFor::refusalIsReturned()
{
    const auto beyond = look(7, "x");
    QVERIFY(!beyond);
    QCOMPARE(beyond.error().kind, ErrorKind::Broker);
    QCOMPARE(beyond.error().brokerName, u"OFFSET_OUT_OF_RANGE"_s);
}

void tst_LookFor::stopEndsTheScan()
{
    m_broker->appendMany(u"orders"_s, 0, 5);
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = look(0, "r-4", stop.get_token());
    QVERIFY(!stopped);
    QCOMPARE(stopped.error().kind, ErrorKind::Cancelled);
}

QTEST_GUILESS_MAIN(tst_LookFor)
#include "tst_lookfor.moc"
