#include "tests/ui/panels/recordbench.h"

#include <QMessageBox>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

class tst_RecordPanel final : public RecordBench
{
    Q_OBJECT

private slots:
    void showsTheNewestRecordsFirst();
    void scrollingUpLoadsOlderOnesAndMovesNothing();
    void emptyPartitionSaysSo();
    void goesToAnOffset();
    void offsetOutsideTheLogIsMovedAndSaid();
    void nonsenseIsRefusedWithAnExample();
    void topicShowsAllPartitionsMerged();
    void placesInAMergedViewWithAnEmptyPartition();
    void oversizedRecordIsFetchedWhole();
    void wholeRecordOfUnknownSizeIsAskedForFirst();
    void nextFlaggedScansBeyondTheWindow();
    void scanCanBeCancelled();
    void filterNarrowsTheRowsLoaded();
    void destroyedWhileARequestIsBlocked();
};

void tst_RecordPanel::showsTheNewestRecordsFirst()
{
    m_broker->appendMany(u"orders"_s, 0, 12'000);
    openPanel();
    QCOMPARE(column(u"Offset"_s).last(), u"11\u202f999"_s);
    QCOMPARE(column(u"Value"_s).last(), u"r-11999"_s);
    QVERIFY(view()->model()->rowCount() < 12'000);
    QCOMPARE(currentOffset(), u"11\u202f999"_s);
    QVERIFY(view()->isAtBottom());
    QVERIFY2(header().contains(u"log start 0 · high watermark 12\u202f000"_s),
             qPrintable(header()));
    QVERIFY2(header().contains(u"… 11\u202f999"_s), qPrintable(header()));
    QCOMPARE(m_panel->title(), u"orders / 0"_s);
}

void tst_RecordPanel::scrollingUpLoadsOlderOnesAndMovesNothing()
{
    m_broker->appendMany(u"orders"_s, 0, 12'000);
    openPanel();
    const int rows = view()->model()->rowCount();
    view()->verticalScrollBar()->setValue(0);
    const auto topOffset = [this] {
        return view()->model()->index(view()->visibleRows().first, 0).data().toString();
    };
    const QString top = topOffset();
    QTRY_VERIFY(view()->model()->rowCount() > rows);
    QCOMPARE(topOffset(), top);
    // All the way down to the beginning.
    const auto atBeginning = [&] {
        view()->verticalScrollBar()->setValue(0);
        return column(u"Offset"_s).first() == u"0"_s;
    };
    QTRY_VERIFY(atBeginning());
    QCOMPARE(column(u"Value"_s).first(), u"r-0"_s);
    QCOMPARE(view()->model()->rowCount(), 12'000);
    QCOMPARE(currentOffset(), u"11\u202f999"_s);
}

void tst_RecordPanel::emptyPartitionSaysSo()
{
    openPanel(2);
    QCOMPARE(view()->model()->rowCount(), 0);
    m_panel->goTo(u"77"_s);
    QTRY_VERIFY2(status().contains(u"77"_s), qPrintable(status()));
    QVERIFY2(header().contains(u"high watermark 0"_s), qPrintable(header()));
    QVERIFY(!banner()->isVisible());
}

void tst_RecordPanel::goesToAnOffset()
{
    m_broker->appendMany(u"orders"_s, 0, 12'000);
    openPanel(0, 4'000);
    QCOMPARE(currentOffset(), u"4000"_s);
    m_panel->goTo(u"start"_s);
    QTRY_COMPARE(currentOffset(), u"0"_s);
    m_panel->goTo(u"-100"_s);
    QTRY_COMPARE(currentOffset(), u"11\u202f900"_s);
    m_panel->goToOffset({u"orders"_s, PartitionId{0}}, Offset{7'777});
    QTRY_COMPARE(currentOffset(), u"7777"_s);
    auto *edit = m_panel->findChild<QLineEdit *>(u"goToEdit"_s);
    QTest::keyClicks(edit, u"end"_s);
    QTest::keyClick(edit, Qt::Key_Return);
    QTRY_COMPARE(currentOffset(), u"11\u202f999"_s);
}

void tst_RecordPanel::offsetOutsideTheLogIsMovedAndSaid()
{
    m_broker->appendMany(u"orders"_s, 0, 300);
    m_broker->setLogStart(u"orders"_s, 0, Offset{100});
    openPanel();
    m_panel->goTo(u"50"_s);
    QTRY_COMPARE(currentOffset(), u"100"_s);
    QVERIFY2(status().contains(u"50 is outside 100 … 299"_s), qPrintable(status()));
    m_panel->goTo(u"5000"_s);
    QTRY_COMPARE(currentOffset(), u"299"_s);
    QVERIFY2(status().contains(u"outside"_s), qPrintable(status()));
    QVERIFY(!banner()->isVisible());
}

void tst_RecordPanel::nonsenseIsRefusedWithAnExample()
{
    m_broker->appendMany(u"orders"_s, 0, 3);
    openPanel();
    const int calls = m_broker->calls(Call::Fetch);
    m_panel->goTo(u"12x"_s);
    QVERIFY2(status().contains(u"-100"_s), qPrintable(status()));
    QCOMPARE(m_broker->calls(Call::Fetch), calls);
}

void tst_RecordPanel::topicShowsAllPartitionsMerged()
{
    m_broker->append(u"orders"_s, 0, "a");
    m_broker->append(u"orders"_s, 1, "b");
    m_broker->append(u"orders"_s, 1, "c");
    m_broker->append(u"orders"_s, 2, "d");
    openPanel(std::nullopt);
    QCOMPARE(column(u"Partition"_s), (QStringList{u"0"_s, u"1"_s, u"1"_s, u"2"_s}));
    QCOMPARE(column(u"Offset"_s), (QStringList{u"0"_s, u"0"_s, u"1"_s, u"0"_s}));
    QCOMPARE(column(u"Value"_s), (QStringList{u"a"_s, u"b"_s, u"c"_s, u"d"_s}));
    m_panel->goToOffset({u"orders"_s, PartitionId{1}}, Offset{0});
    QCOMPARE(view()->currentIndex().row(), 1);
}

void tst_RecordPanel::placesInAMergedViewWithAnEmptyPartition()
{
    m_broker->appendMany(u"orders"_s, 1, 20);
    m_broker->appendMany(u"orders"_s, 2, 40);
    openPanel(std::nullopt);
    m_panel->goTo(u"30"_s);
    QTRY_COMPARE(view()->currentIndex().siblingAtColumn(1).data().toString(), u"30"_s);
    QCOMPARE(currentOffset(), u"2"_s); // its partition
    QTRY_VERIFY2(status().isEmpty(), qPrintable(status()));
    m_panel->goTo(u"77"_s);
    QTRY_COMPARE(status(), u"No partition has an offset 77; the nearest is 39 of partition 2."_s);
    QCOMPARE(view()->currentIndex().siblingAtColumn(1).data().toString(), u"39"_s);
    m_panel->goToFirst();
    QTRY_COMPARE(view()->currentIndex().siblingAtColumn(1).data().toString(), u"0"_s);
    QVERIFY2(!status().contains(u"outside"_s), qPrintable(status()));
    m_panel->goToOffset({u"orders"_s, PartitionId{0}}, Offset{5});
    QTRY_COMPARE(status(), u"There is no offset 5: partition 0 is empty."_s);
}

void tst_RecordPanel::oversizedRecordIsFetchedWhole()
{
    m_broker->append(u"orders"_s, 0, "before");
    const QByteArray large(3'000'000, 'x');
    m_broker->append(u"orders"_s, 0, large);
    m_broker->append(u"orders"_s, 0, "behind");
    openPanel();
    QCOMPARE(column(u"Flags"_s), (QStringList{QString(), u"too large"_s, QString()}));
    QCOMPARE(column(u"Size"_s)[1], u"3\u202f000\u202f000"_s);

    QSignalSpy notes(m_panel.get(), &RecordPanel::currentNoteChanged);
    m_panel->goToOffset({u"orders"_s, PartitionId{0}}, Offset{1});
    QVERIFY(notes.last()[0].toString().contains(u"2.9 MiB"_s));

    QSignalSpy current(m_panel.get(), &RecordPanel::currentRecordChanged);
    m_panel->fetchWhole();
    QTRY_COMPARE(column(u"Flags"_s), (QStringList{QString(), QString(), QString()}));
    QCOMPARE(m_broker->fetchRequests().back().maxBytes, 3'000'008);
    const auto chunk = current.last()[0].value<RecordChunkPtr>();
    QCOMPARE(chunk->value(chunk->records().at(size_t(current.last()[1].toInt()))).size(),
             size_t(large.size()));
}

void tst_RecordPanel::wholeRecordOfUnknownSizeIsAskedForFirst()
{
    m_broker->append(u"orders"_s, 0, "a record");
    openPanel();
    m_panel->setMaxBytes(4); // not even its header
    m_panel->goToFirst();
    QTRY_COMPARE(column(u"Flags"_s), QStringList{u"too large"_s});
    const int calls = m_broker->calls(Call::Fetch);
    m_panel->fetchWhole();
    auto *question = m_panel->findChild<QMessageBox *>();
    QVERIFY(question);
    QCOMPARE(m_broker->calls(Call::Fetch), calls);
    for (QAbstractButton *button : question->buttons()) {
        if (question->buttonRole(button) == QMessageBox::AcceptRole)
            button->click();
    }
    QTRY_COMPARE(column(u"Value"_s), QStringList{u"a record"_s});
}

void tst_RecordPanel::nextFlaggedScansBeyondTheWindow()
{
    m_broker->appendMany(u"orders"_s, 0, 60'000);
    m_broker->damage(u"orders"_s, 0, Offset{55'000}, Damage::Checksum);
    m_broker->damage(u"orders"_s, 0, Offset{200}, Damage::Checksum);
    openPanel();
    m_panel->setMaxBytes(64 * 1024);
    m_panel->previousFlagged();
    QTRY_COMPARE(currentOffset(), u"55\u202f000"_s);
    m_panel->previousFlagged();
    QTRY_COMPARE(currentOffset(), u"200"_s);
    m_panel->previousFlagged();
    QTRY_VERIFY2(status().contains(u"No flagged record"_s), qPrintable(status()));
    m_panel->nextFlagged();
    QTRY_COMPARE(currentOffset(), u"55\u202f000"_s);
    m_panel->nextFlagged();
    QTRY_VERIFY2(status().contains(u"No flagged record"_s), qPrintable(status()));
}

void tst_RecordPanel::scanCanBeCancelled()
{
    m_broker->appendMany(u"orders"_s, 0, 60'000);
    openPanel();
    m_broker->block(Call::Fetch);
    m_panel->previousFlagged();
    QTRY_COMPARE(m_broker->blocked(Call::Fetch), 1);
    auto *cancel = m_panel->findChild<QToolButton *>(u"cancelButton"_s);
    QVERIFY(cancel->isVisible());
    QTest::mouseClick(cancel, Qt::LeftButton);
    QTRY_COMPARE(m_broker->blocked(Call::Fetch), 0);
    QVERIFY(!cancel->isVisible());
    QVERIFY2(status().contains(u"Cancelled"_s), qPrintable(status()));
    m_broker->release(Call::Fetch);
}

void tst_RecordPanel::filterNarrowsTheRowsLoaded()
{
    m_broker->appendMany(u"orders"_s, 0, 300);
    openPanel();
    QTest::keyClicks(m_panel->findChild<QLineEdit *>(u"filterEdit"_s), u"r-29"_s);
    QTRY_COMPARE(column(u"Offset"_s).size(), 11);
    QVERIFY2(status().contains(u"11 of 300"_s), qPrintable(status()));
}

void tst_RecordPanel::destroyedWhileARequestIsBlocked()
{
    m_broker->appendMany(u"orders"_s, 0, 1000);
    openPanel();
    m_panel->setFollowing(true);
    QTRY_COMPARE(m_broker->liveFollowers(), 1);
    m_broker->blockDeaf(Call::Fetch);
    m_panel->previousFlagged();
    QTRY_COMPARE(m_broker->blocked(Call::Fetch), 1);
    m_panel.reset();
    QCOMPARE(m_broker->blocked(Call::Fetch), 1);
    m_broker->release(Call::Fetch);
    QTRY_COMPARE(m_broker->liveSessions(), 0);
    QTRY_COMPARE(m_broker->liveFollowers(), 0);
}

QTEST_MAIN(tst_RecordPanel)
#include "tst_recordpanel.moc"
