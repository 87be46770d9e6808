#include "tests/support/fakesession.h"
#include "ui/models/flagscan.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

class tst_FlagScan : public QObject
{
    Q_OBJECT

    std::optional<FakeBroker> m_broker;
    std::unique_ptr<SessionHandle> m_session;
    std::unique_ptr<FlagScan> m_scan;
    const TopicPartition m_partition{u"orders"_s, PartitionId{0}};

    /// What a scan from 0 to 20 ends with: "found 12", "nothing" or "failed Network".
    QString outcome(FlagScan::Direction direction);

private slots:
    void init();
    void cleanup();
    void flagsAreFound();
    void removedOffsetsArePassedOver();
    void retentionDuringTheScanIsNoDamage();
    void holesAreFlags();
};

void tst_FlagScan::init()
{
    QTest::failOnWarning(QRegularExpression(u".?"_s));
    m_broker.emplace();
    m_broker->addTopic(u"orders"_s, 1);
    m_broker->appendMany(u"orders"_s, 0, 20);
    m_session = std::make_unique<SessionHandle>(m_broker->factory(), SessionConfig{});
    m_scan = std::make_unique<FlagScan>(m_session.get());
}

void tst_FlagScan::cleanup()
{
    m_scan.reset();
    m_session.reset();
}

QString tst_FlagScan::outcome(FlagScan::Direction direction)
{
    QString result;
    const QObject context;
    connect(m_scan.get(), &FlagScan::found, &context, [&](const TopicPartition &, Offset offset) {
        result = u"found %1"_s.arg(offset.value);
    });
    connect(m_scan.get(), &FlagScan::finishedWithout, &context, [&] { result = u"nothing"_s; });
    connect(m_scan.get(), &FlagScan::failed, &context,
            [&](const Error &error) { result = u"failed %1"_s.arg(errorKindName(error.kind)); });
    m_scan->start({{m_partition, Offset{0}, Offset{20}}}, direction, 40); // a few records each time
    return QTest::qWaitFor([&] { return !result.isEmpty(); }) ? result : u"no end"_s;
}

void tst_FlagScan::flagsAreFound()
{
    QCOMPARE(outcome(FlagScan::Direction::Forward), u"nothing"_s);
    m_broker->damage(u"orders"_s, 0, Offset{7}, Damage::Checksum);
    m_broker->damage(u"orders"_s, 0, Offset{12}, Damage::Checksum);
    QCOMPARE(outcome(FlagScan::Direction::Forward), u"found 7"_s);
    QCOMPARE(outcome(FlagScan::Direction::Backward), u"found 12"_s);
}

void tst_FlagScan::removedOffsetsArePassedOver()
{
    m_broker->setLogStart(u"orders"_s, 0, Offset{5});
    QCOMPARE(outcome(FlagScan::Direction::Forward), u"nothing"_s);
    QCOMPARE(outcome(FlagScan::Direction::Backward), u"nothing"_s);
    m_broker->damage(u"orders"_s, 0, Offset{12}, Damage::Checksum);
    QCOMPARE(outcome(FlagScan::Direction::Forward), u"found 12"_s);
    QCOMPARE(outcome(FlagScan::Direction::Backward), u"found 12"_s);
}

void tst_FlagScan::retentionDuringTheScanIsNoDamage()
{
    m_broker->damage(u"orders"_s, 0, Offset{18}, Damage::Checksum);
    connect(
        m_scan.get(), &FlagScan::progressed, m_scan.get(),
        [this] { m_broker->setLogStart(u"orders"_s, 0, Offset{15}); }, Qt::SingleShotConnection);
    QCOMPARE(outcome(FlagScan::Direction::Forward), u"found 18"_s);
}

void tst_FlagScan::holesAreFlags()
{
    m_broker->failPartition(u"orders"_s, 0, FakeBroker::refusal(2, u"OFFSET_OUT_OF_RANGE"_s));
    QCOMPARE(outcome(FlagScan::Direction::Forward), u"found 0"_s);
}

QTEST_GUILESS_MAIN(tst_FlagScan)
#include "tst_flagscan.moc"
