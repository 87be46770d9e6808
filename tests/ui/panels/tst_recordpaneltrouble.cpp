#include "tests/ui/panels/recordbench.h"

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

class tst_RecordPanelTrouble final : public RecordBench
{
    Q_OBJECT

private slots:
    void corruptRecordIsFlaggedAndTheOthersShown();
    void damagedLogIsOneRowAndReadingGoesOn();
    void logThatEndsInNothingIsOneRowToItsEnd();
    void retentionMeanwhileIsARowSayingSo();
    void answersToAnOlderQuestionAreDropped();
    void failureIsABannerWithRetryAndNothingIsLost();
    void olderRecordsComeWithoutAHoleOrNotAtAll();
    void lostConnectionIsRetriedByItself();
    void aRefusedLoginIsNotSaidToBeTriedAgain();
    void afterARefusedLoginFollowingGoesOnWhenAsked();
    void followingThatGoesOnMovesNothing();
    void tryingAgainGoesWhereOneWanted();
    void firstLoadCancelledSaysSoAndIsDoneLater();
};

void tst_RecordPanelTrouble::corruptRecordIsFlaggedAndTheOthersShown()
{
    m_broker->appendMany(u"orders"_s, 0, 5);
    m_broker->damage(u"orders"_s, 0, Offset{2}, Damage::Checksum);
    openPanel();
    QCOMPARE(column(u"Offset"_s).size(), 5);
    QCOMPARE(column(u"Flags"_s),
             (QStringList{QString(), QString(), u"bad checksum"_s, QString(), QString()}));
    QVERIFY(column(u"CRC-32C"_s)[2].contains(u'≠'));
    QCOMPARE(m_panel->flaggedCount(), 1);
}

void tst_RecordPanelTrouble::damagedLogIsOneRowAndReadingGoesOn()
{
    m_broker->appendMany(u"orders"_s, 0, 40);
    m_broker->damage(u"orders"_s, 0, Offset{7}, Damage::Size);
    openPanel();
    QTRY_COMPARE(view()->model()->rowCount(), 40);
    QCOMPARE(column(u"Flags"_s)[7], u"damaged"_s);
    QCOMPARE(column(u"Value"_s)[8], u"r-8"_s);
    QVERIFY(!banner()->isVisible());
}

void tst_RecordPanelTrouble::logThatEndsInNothingIsOneRowToItsEnd()
{
    m_broker->appendMany(u"orders"_s, 0, 40);
    for (qint64 offset = 30; offset < 40; ++offset)
        m_broker->damage(u"orders"_s, 0, Offset{offset}, Damage::Missing);
    openPanel();
    QCOMPARE(view()->model()->rowCount(), 31);
    QCOMPARE(column(u"Flags"_s).last(), u"damaged"_s);
    QVERIFY2(column(u"Value"_s).last().contains(u"30 … 39 (10)"_s),
             qPrintable(column(u"Value"_s).last()));
}

void tst_RecordPanelTrouble::retentionMeanwhileIsARowSayingSo()
{
    m_broker->appendMany(u"orders"_s, 0, 12'000);
    openPanel();
    m_broker->setLogStart(u"orders"_s, 0, Offset{11'800});
    view()->verticalScrollBar()->setValue(0);
    QTRY_COMPARE(column(u"Flags"_s).first(), u"gap"_s);
    QVERIFY2(column(u"Value"_s).first().contains(u"removed by retention"_s),
             qPrintable(column(u"Value"_s).first()));
    QTRY_VERIFY2(header().contains(u"log start 11\u202f800"_s), qPrintable(header()));
    QVERIFY(!banner()->isVisible());
}

void tst_RecordPanelTrouble::answersToAnOlderQuestionAreDropped()
{
    m_broker->appendMany(u"orders"_s, 0, 12'000);
    openPanel();
    m_broker->block(Call::Fetch);
    m_panel->goTo(u"100"_s);
    QTRY_COMPARE(m_broker->blocked(Call::Fetch), 1);
    m_panel->goTo(u"11500"_s);
    m_broker->release(Call::Fetch);
    QTRY_COMPARE(currentOffset(), u"11\u202f500"_s);
    QVERIFY(!column(u"Offset"_s).contains(u"100"_s));
}

void tst_RecordPanelTrouble::failureIsABannerWithRetryAndNothingIsLost()
{
    m_broker->appendMany(u"orders"_s, 0, 5);
    openPanel();
    m_broker->appendMany(u"orders"_s, 0, 2, "new-");
    m_broker->failNext(Call::Fetch, FakeBroker::refusal(4, u"INTERNAL"_s));
    m_panel->refresh();
    QTRY_VERIFY(banner()->isVisible());
    QVERIFY2(banner()->text().contains(u"INTERNAL"_s), qPrintable(banner()->text()));
    QCOMPARE(view()->model()->rowCount(), 5);
    QTest::mouseClick(banner()->findChild<QToolButton *>(u"bannerAction"_s), Qt::LeftButton);
    QTRY_COMPARE(view()->model()->rowCount(), 7);
    QVERIFY(!banner()->isVisible());
}

void tst_RecordPanelTrouble::olderRecordsComeWithoutAHoleOrNotAtAll()
{
    // The older ones are larger than those shown first: one page of them takes several answers.
    m_broker->appendMany(u"orders"_s, 0, 300, QByteArray(10'000, 'x'));
    m_broker->appendMany(u"orders"_s, 0, 500);
    openPanel();
    QCOMPARE(offsets().first(), 300);
    m_broker->block(Call::Fetch);
    view()->verticalScrollBar()->setValue(0);
    QTRY_COMPARE(m_broker->blocked(Call::Fetch), 1);
    const int calls = m_broker->calls(Call::Fetch);
    m_broker->releaseOne(Call::Fetch);
    QTRY_COMPARE(m_broker->calls(Call::Fetch), calls + 1);
    QTRY_COMPARE(m_broker->blocked(Call::Fetch), 1);
    m_broker->failNext(Call::Fetch, FakeBroker::refusal(4, u"INTERNAL"_s));
    m_broker->release(Call::Fetch);
    QTRY_VERIFY(banner()->isVisible());
    QCOMPARE(offsets(), upTo(300, 800));

    QTest::mouseClick(banner()->findChild<QToolButton *>(u"bannerAction"_s), Qt::LeftButton);
    QTRY_VERIFY(offsets().first() < 300);
    QCOMPARE(offsets(), upTo(offsets().first(), 800));
}

void tst_RecordPanelTrouble::lostConnectionIsRetriedByItself()
{
    m_broker->appendMany(u"orders"_s, 0, 5);
    openPanel();
    m_broker->setDown(true);
    m_panel->refresh();
    QTRY_VERIFY(banner()->isVisible());
    QCOMPARE(view()->model()->rowCount(), 5);
    m_broker->append(u"orders"_s, 0, "later");
    m_broker->setDown(false);
    QTRY_COMPARE(view()->model()->rowCount(), 6);
    QTRY_VERIFY(!banner()->isVisible());
}

void tst_RecordPanelTrouble::aRefusedLoginIsNotSaidToBeTriedAgain()
{
    m_broker->appendMany(u"orders"_s, 0, 5);
    openPanel();
    m_broker->failNext(Call::Fetch, FakeBroker::loginRefusal());
    m_panel->refresh();
    QTRY_VERIFY2(status().contains(u"login was refused"_s), qPrintable(status()));
    QVERIFY2(!status().contains(u"trying again"_s), qPrintable(status()));
    QCOMPARE(view()->model()->rowCount(), 5);
}

void tst_RecordPanelTrouble::afterARefusedLoginFollowingGoesOnWhenAsked()
{
    m_broker->appendMany(u"orders"_s, 0, 5);
    openPanel();
    m_broker->failNext(Call::Follow, FakeBroker::loginRefusal());
    m_panel->setFollowing(true);
    QTRY_VERIFY2(status().contains(u"login was refused"_s), qPrintable(status()));
    m_broker->append(u"orders"_s, 0, "later");
    m_panel->reconnect();
    QTRY_COMPARE(column(u"Value"_s).last(), u"later"_s);
    QCOMPARE(offsets(), upTo(0, 6));
    QVERIFY(m_panel->isFollowing());
    QCOMPARE(m_broker->calls(Call::Follow), 2);
    QVERIFY2(status().contains(u"received 1"_s), qPrintable(status()));
    // A feed that runs is left alone.
    m_panel->reconnect();
    m_broker->append(u"orders"_s, 0, "last");
    QTRY_COMPARE(offsets(), upTo(0, 7));
    QCOMPARE(m_broker->calls(Call::Follow), 2);
}

void tst_RecordPanelTrouble::followingThatGoesOnMovesNothing()
{
    m_broker->appendMany(u"orders"_s, 0, 200);
    openPanel();
    m_panel->setFollowing(true);
    m_broker->append(u"orders"_s, 0, "followed");
    QTRY_COMPARE(offsets(), upTo(0, 201));
    view()->scrollToTop();
    m_broker->failNext(Call::Next, FakeBroker::loginRefusal());
    QTRY_VERIFY2(status().contains(u"login was refused"_s), qPrintable(status()));
    m_panel->reconnect();
    m_broker->append(u"orders"_s, 0, "later");
    QTRY_COMPARE(offsets(), upTo(0, 202));
    QCOMPARE(view()->visibleRows().first, 0);
    QVERIFY2(status().contains(u"received 2"_s), qPrintable(status()));
}

void tst_RecordPanelTrouble::tryingAgainGoesWhereOneWanted()
{
    m_broker->appendMany(u"orders"_s, 0, 12'000);
    openPanel();
    // An answer that cannot be understood ends the connection as well; it comes back by itself.
    m_broker->failNext(Call::Fetch, Error::make(ErrorKind::Protocol, u"nonsense"_s));
    m_panel->goTo(u"4000"_s);
    QTRY_COMPARE(currentOffset(), u"4000"_s);
    QVERIFY(!banner()->isVisible());
}

void tst_RecordPanelTrouble::firstLoadCancelledSaysSoAndIsDoneLater()
{
    m_broker->appendMany(u"orders"_s, 0, 50);
    m_broker->block(Call::Fetch);
    m_panel = std::make_unique<RecordPanel>(m_broker->factory(), SessionConfig());
    m_panel->show();
    QSignalSpy loaded(m_panel.get(), &RecordPanel::loaded);
    m_panel->open(topicInfo(), PartitionId{0}, Offset{20});
    QTRY_COMPARE(m_broker->blocked(Call::Fetch), 1);
    m_panel->cancel();
    QCOMPARE(view()->placeholder(), u"Nothing was loaded"_s);
    QVERIFY2(!status().contains(u"Loading"_s), qPrintable(status()));
    m_broker->release(Call::Fetch);
    m_panel->refresh();
    QVERIFY(loaded.wait());
    QCOMPARE(currentOffset(), u"20"_s);
}

QTEST_MAIN(tst_RecordPanelTrouble)
#include "tst_recordpaneltrouble.moc"
