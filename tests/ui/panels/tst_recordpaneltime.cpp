#include "tests/ui/panels/recordbench.h"

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

/// Going to a time. The records of orders/0 are from 1970-01-01 00:00:00 on, one each second.
class tst_RecordPanelTime final : public RecordBench
{
    Q_OBJECT

private slots:
    void goesToTheFirstRecordOfATime();
    void afterTheLastRecordIsTheEndAndSaid();
    void ofSeveralPartitionsEachBeginsThere();
    void aPartitionThatCannotSayHidesNoOther();
    void offsetsGoOnBeingOffsets();
    void refusalIsShownAndNothingMoves();
    void anotherPlaceGivesTheLookUp();
    void enginesWithoutTimesOfferNone();

private:
    static constexpr int kRecords = 12'000;

    void openTimed(std::optional<qint32> partition = 0, std::optional<qint64> at = {})
    {
        Capabilities capabilities = FakeBroker::booblikCapabilities();
        capabilities.offsetsByTime = true;
        capabilities.timestamps = true;
        m_broker->setCapabilities(capabilities);
        m_broker->appendMany(u"orders"_s, 0, kRecords);
        QList<qint64> times;
        for (qint64 i = 0; i < kRecords; ++i)
            times += i * 1000;
        m_broker->setTimes(u"orders"_s, 0, times);
        openPanel(partition, at);
    }
};

void tst_RecordPanelTime::goesToTheFirstRecordOfATime()
{
    openTimed();
    auto *edit = m_panel->findChild<QLineEdit *>(u"goToEdit"_s);
    QVERIFY2(edit->placeholderText().contains(u"time"_s), qPrintable(edit->placeholderText()));
    QTest::keyClicks(edit, u"1970-01-01 00:10:00.5"_s);
    QTest::keyClick(edit, Qt::Key_Return);
    QTRY_COMPARE(currentOffset(), u"601"_s);
    QTRY_VERIFY2(
        status().contains(u"at or after 1970-01-01 00:10:00.500Z"_s), // once older are there
        qPrintable(status()));
    m_panel->goTo(u"1970-01-01T00:00:30Z"_s);
    QTRY_COMPARE(currentOffset(), u"30"_s);
    m_panel->goTo(u"1970-01-01T00:00:31Z"_s); // a row that is there already
    QTRY_COMPARE(currentOffset(), u"31"_s);
    QTRY_VERIFY2(status().contains(u"00:00:31.000Z"_s), qPrintable(status()));
    m_panel->goTo(u" @1970-01-01T00:00:32Z"_s);
    QTRY_COMPARE(currentOffset(), u"32"_s);
}

void tst_RecordPanelTime::afterTheLastRecordIsTheEndAndSaid()
{
    openTimed(0, 0);
    m_panel->goTo(u"-1h"_s);
    QTRY_COMPARE(currentOffset(), u"11\u202f999"_s);
    QTRY_VERIFY2(status().startsWith(u"No record is at or after"_s), qPrintable(status()));
}

void tst_RecordPanelTime::ofSeveralPartitionsEachBeginsThere()
{
    m_broker->appendMany(u"orders"_s, 1, kRecords, "twice-");
    QList<qint64> times;
    for (qint64 i = 0; i < kRecords; ++i)
        times += i * 500; // twice a second
    m_broker->setTimes(u"orders"_s, 1, times);
    openTimed(std::nullopt);
    m_panel->goTo(u"1970-01-01 00:33:20"_s); // 2 000 000 ms
    QTRY_COMPARE(view()->currentIndex().siblingAtColumn(1).data().toString(), u"2000"_s);
    QVERIFY(column(u"Value"_s).contains(u"twice-4000"_s));
    const auto asked = m_broker->fetchRequests();
    QVERIFY(std::ranges::any_of(asked, [](const FetchRequest &request) {
        return request.partition.partition == PartitionId{1} && request.offset == Offset{4'000};
    }));
    QTRY_VERIFY2(status().contains(u"at their end: 1."_s), qPrintable(status())); // the empty one
}

void tst_RecordPanelTime::aPartitionThatCannotSayHidesNoOther()
{
    openTimed(std::nullopt);
    m_broker->failPartition(u"orders"_s, 1, FakeBroker::refusal(5, u"LEADER_NOT_AVAILABLE"_s));
    m_panel->goTo(u"1970-01-01 00:00:30"_s);
    QTRY_COMPARE(view()->currentIndex().siblingAtColumn(1).data().toString(), u"30"_s);
    QVERIFY(banner()->isVisible());
    QVERIFY2(banner()->text().contains(u"no leader"_s), qPrintable(banner()->text()));
}

void tst_RecordPanelTime::offsetsGoOnBeingOffsets()
{
    openTimed();
    m_panel->goTo(u"2026"_s);
    QTRY_COMPARE(currentOffset(), u"2026"_s);
    m_panel->goTo(u"-100"_s);
    QTRY_COMPARE(currentOffset(), u"11\u202f900"_s);
    QCOMPARE(m_broker->calls(Call::OffsetsAtTime), 0);
    m_panel->goTo(u"soon"_s);
    QTRY_VERIFY2(status().contains(u"-1h"_s), qPrintable(status()));
}

void tst_RecordPanelTime::refusalIsShownAndNothingMoves()
{
    openTimed(0, 4'000);
    m_broker->failNext(Call::OffsetsAtTime,
                       FakeBroker::refusal(29, u"TOPIC_AUTHORIZATION_FAILED"_s));
    m_panel->goTo(u"@14:05"_s);
    QTRY_VERIFY(banner()->isVisible());
    QVERIFY2(banner()->text().contains(u"may not do that with this topic"_s),
             qPrintable(banner()->text()));
    QCOMPARE(currentOffset(), u"4000"_s);
    QVERIFY2(!status().contains(u"Looking"_s), qPrintable(status()));
}

void tst_RecordPanelTime::anotherPlaceGivesTheLookUp()
{
    openTimed();
    m_broker->block(Call::OffsetsAtTime);
    m_panel->goTo(u"1970-01-01 00:00:30"_s);
    QTRY_COMPARE(m_broker->blocked(Call::OffsetsAtTime), 1);
    m_panel->goTo(u"4000"_s); // without a release: the look-up was given up
    QTRY_COMPARE(currentOffset(), u"4000"_s);
    m_broker->release(Call::OffsetsAtTime);
    m_panel->goTo(u"start"_s);
    QTRY_COMPARE(currentOffset(), u"0"_s);
    QVERIFY(!banner()->isVisible());
}

void tst_RecordPanelTime::enginesWithoutTimesOfferNone()
{
    openPanel();
    auto *edit = m_panel->findChild<QLineEdit *>(u"goToEdit"_s);
    QVERIFY(!edit->placeholderText().contains(u"time"_s));
    m_panel->goTo(u"@14:05"_s);
    QVERIFY2(status().contains(u"no times"_s), qPrintable(status()));
    QCOMPARE(m_broker->calls(Call::OffsetsAtTime), 0);
}

QTEST_MAIN(tst_RecordPanelTime)
#include "tst_recordpaneltime.moc"
