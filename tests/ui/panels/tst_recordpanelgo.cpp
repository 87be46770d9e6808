#include "tests/ui/panels/recordbench.h"

#include <QItemSelectionModel>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

/// What "go to" takes, and what it tells before one goes. orders/0 has a record each second from
/// 1970-01-01 00:00:00 UTC on.
class tst_RecordPanelGo final : public RecordBench
{
    Q_OBJECT

private slots:
    void placeIsToldBeforeOneGoes();
    void placeOutsideIsToldAndEnterChooses();
    void timeIsLookedUpOnceTypingRests();
    void previewTakesNoTurnOfWhatIsGoneTo();
    void previewSaysWhoCannotSay();
    void previewGoesWithTheFocus();
    void rangeIsSelected();
    void rangeFromTheStartShowsItsEnd();
    void rangeOfTimes();
    void rangeInSeveralPartitions();
    void rangeWithNothingInItMovesNothing();
    void previewOfSeveralPartitionsNamesThem();

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
        QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
    }

    QLineEdit *edit() const { return m_panel->findChild<QLineEdit *>(u"goToEdit"_s); }
    /// What stands below the field; empty when nothing does.
    QString preview() const
    {
        const auto *label = m_panel->findChild<QLabel *>(u"goToPreview"_s);
        return label->isVisible() ? label->text().remove(QChar(0x202f)) : QString();
    }
    void type(const QString &text)
    {
        m_panel->focusGoTo();
        QTest::keyClicks(edit(), text);
    }
    QList<qint64> selected() const
    {
        QList<qint64> rows;
        for (const QModelIndex &index : view()->selectionModel()->selectedRows())
            rows << index.data().toString().remove(QChar(0x202f)).toLongLong();
        std::ranges::sort(rows);
        return rows;
    }
};

void tst_RecordPanelGo::placeIsToldBeforeOneGoes()
{
    openTimed(0, 500);
    type(u"4000"_s);
    QCOMPARE(preview(), u"Offset 4000"_s);
    QCOMPARE(edit()->accessibleDescription().remove(QChar(0x202f)), u"Offset 4000"_s);
    type(u"-100"_s);
    QCOMPARE(preview(), u"Offset 11900"_s);
    type(u"end"_s);
    QCOMPARE(preview(), u"Offset 11999"_s);
    type(u"soon"_s);
    QVERIFY2(preview().startsWith(u"No place: "_s), qPrintable(preview()));
    QCOMPARE(currentOffset(), u"500"_s);
}

void tst_RecordPanelGo::placeOutsideIsToldAndEnterChooses()
{
    openTimed(0, 500);
    type(u"99999"_s);
    QCOMPARE(preview(), u"99999 is outside of 0 … 11999. Enter goes to 11999."_s);
    QCOMPARE(currentOffset(), u"500"_s);
    QTest::keyClick(edit(), Qt::Key_Return);
    QTRY_COMPARE(currentOffset(), u"11\u202f999"_s);
    QCOMPARE(preview(), QString());
}

void tst_RecordPanelGo::timeIsLookedUpOnceTypingRests()
{
    openTimed(0, 500);
    type(u"@1970-01-01T00:10:00.5"_s);
    QTRY_COMPARE(preview(),
                 u"The first record at or after 1970-01-01 00:10:00.500Z:\nOffset 601"_s);
    QCOMPARE(m_broker->calls(Call::OffsetsAtTime), 1);
    QCOMPARE(currentOffset(), u"500"_s);
    type(u"@2026-11-30"_s);
    QTRY_COMPARE(preview(), u"No record is at or after 2026-11-30 00:00:00.000Z. Enter goes to the "
                            "end."_s);
}

void tst_RecordPanelGo::previewTakesNoTurnOfWhatIsGoneTo()
{
    openTimed(0, 500);
    m_broker->block(Call::OffsetsAtTime);
    type(u"@1970-01-01T01:00"_s);
    const auto *delay = m_panel->findChild<QTimer *>(u"previewDelay"_s);
    QVERIFY(delay && delay->isActive());
    QTest::keyClick(edit(), Qt::Key_Return); // before typing has rested
    QVERIFY(!delay->isActive());
    QTRY_COMPARE(m_broker->blocked(Call::OffsetsAtTime), 1);
    m_broker->release(Call::OffsetsAtTime);
    QTRY_COMPARE(currentOffset(), u"3600"_s);
    QCOMPARE(preview(), QString());
    QCOMPARE(m_broker->calls(Call::OffsetsAtTime), 1);
}

void tst_RecordPanelGo::previewSaysWhoCannotSay()
{
    openTimed(std::nullopt);
    m_broker->failPartition(u"orders"_s, 1, FakeBroker::refusal(5, u"LEADER_NOT_AVAILABLE"_s));
    type(u"@1970-01-01T00:00:30"_s);
    QTRY_VERIFY2(preview().endsWith(u"Partitions that cannot say: 1."_s), qPrintable(preview()));
}

void tst_RecordPanelGo::previewGoesWithTheFocus()
{
    openTimed(0, 500);
    type(u"77"_s);
    QCOMPARE(preview(), u"Offset 77"_s);
    view()->setFocus();
    QCOMPARE(preview(), QString());
}

void tst_RecordPanelGo::rangeIsSelected()
{
    openTimed(0, 500);
    type(u"4010:4020"_s);
    QCOMPARE(preview(), u"4010 … 4019, offsets: 10"_s);
    QTest::keyClick(edit(), Qt::Key_Return);
    QTRY_COMPARE(selected(), upTo(4010, 4020));
    QCOMPARE(currentOffset(), u"4010"_s);
    QVERIFY2(status().contains(u"Rows selected: 10"_s), qPrintable(status()));
    m_panel->goTo(u"4012:4014"_s); // rows that are there already
    QCOMPARE(selected(), upTo(4012, 4014));
}

void tst_RecordPanelGo::rangeFromTheStartShowsItsEnd()
{
    openTimed(0, 500);
    m_panel->goTo(u":8000"_s);
    QTRY_COMPARE(currentOffset(), u"7999"_s);
    QTRY_VERIFY(!selected().isEmpty());
    QCOMPARE(selected().last(), 7999);
}

void tst_RecordPanelGo::rangeOfTimes()
{
    openTimed(0, 500);
    m_panel->goTo(u"@1970-01-01T01:00:@1970-01-01T01:00:05"_s);
    QTRY_COMPARE(selected(), upTo(3600, 3605));
}

void tst_RecordPanelGo::rangeInSeveralPartitions()
{
    m_broker->appendMany(u"orders"_s, 1, 100);
    openTimed(std::nullopt);
    m_panel->goTo(u"10:13"_s);
    QTRY_VERIFY2(status().contains(u"6 offsets in 2 partitions"_s), qPrintable(status()));
}

void tst_RecordPanelGo::rangeWithNothingInItMovesNothing()
{
    openTimed(0, 500);
    type(u"14:05"_s);
    QCOMPARE(preview(), u"It ends before it begins. A time of day is @14:05."_s);
    QTest::keyClick(edit(), Qt::Key_Return);
    QVERIFY2(status().contains(u"@14:05"_s), qPrintable(status()));
    QCOMPARE(currentOffset(), u"500"_s);
    type(u"20000:30000"_s);
    QCOMPARE(preview(), u"The log has nothing in it."_s);
    type(u"11990:30000"_s);
    QCOMPARE(preview(), u"11990 … 11999, offsets: 10 (the log has no more of it)"_s);
    type(u"@1970-01-01T01:00:@1970-01-01T00:30"_s);
    QTRY_COMPARE(preview(), u"Nothing is between its ends."_s);
}

void tst_RecordPanelGo::previewOfSeveralPartitionsNamesThem()
{
    m_broker->appendMany(u"orders"_s, 1, 100);
    openTimed(std::nullopt);
    type(u"5000"_s);
    QCOMPARE(preview(), u"Partition 0: Offset 5000"_s);
    type(u"-100"_s);
    QCOMPARE(preview(), u"The newest records of all partitions: 100"_s);
    type(u"@1970-01-01T00:00:30"_s);
    QTRY_VERIFY2(preview().contains(u"\npartition 0: 30"_s), qPrintable(preview()));
}

QTEST_MAIN(tst_RecordPanelGo)
#include "tst_recordpanelgo.moc"
