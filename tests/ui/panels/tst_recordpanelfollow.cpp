#include "tests/ui/panels/recordbench.h"

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

class tst_RecordPanelFollow final : public RecordBench
{
    Q_OBJECT

private slots:
    void olderRecordsOfAWindowMovedOnAreDropped();
    void followCancelledBeforeItBeganIsOff();
    void followShowsNewRecordsAndPauseLosesNothing();
    void whatIsLetGoIsCounted();
    void followGoesOnBehindWhatRetentionRemoved();
    void followGoesOnInALogCutBack();
    void followingWindowStaysWithinItsBudget();
    void followingFilteredStaysWithinItsBudget();
    void filterEndsReadingBackWhenNothingIsLeftToScroll();
};

void tst_RecordPanelFollow::olderRecordsOfAWindowMovedOnAreDropped()
{
    m_broker->appendMany(u"orders"_s, 0, 2000);
    openPanel();
    m_panel->setByteBudget(200'000);
    m_panel->setFollowing(true);
    QTRY_COMPARE(m_broker->liveFollowers(), 1);
    const qint64 first = offsets().first();
    QVERIFY(first > 0);
    m_broker->block(Call::Fetch);
    view()->verticalScrollBar()->setValue(0);
    QTRY_COMPARE(m_broker->blocked(Call::Fetch), 1);
    view()->scrollToBottom();
    for (int batch = 1; batch <= 5; ++batch) {
        m_broker->appendMany(u"orders"_s, 0, 400, QByteArray(100, 'x'));
        QTRY_COMPARE(offsets().last(), 2000 + batch * 400 - 1);
    }
    QVERIFY(offsets().first() > first);
    m_broker->release(Call::Fetch);
    QTRY_VERIFY2(!status().contains(u"Loading"_s), qPrintable(status()));
    QCOMPARE(offsets(), upTo(offsets().first(), 4000));
}

void tst_RecordPanelFollow::followCancelledBeforeItBeganIsOff()
{
    m_broker->appendMany(u"orders"_s, 0, 120'000);
    openPanel(0, 0);
    auto *button = m_panel->findChild<QToolButton *>(u"followButton"_s);
    for (const auto &giveUp : {&RecordPanel::cancel, &RecordPanel::nextFlagged}) {
        m_broker->block(Call::ListTopics);
        m_panel->setFollowing(true);
        QVERIFY(button->isChecked());
        (m_panel.get()->*giveUp)();
        QVERIFY(!m_panel->isFollowing());
        QVERIFY(!button->isChecked());
        m_broker->release(Call::ListTopics);
        m_panel->cancel();
    }
    m_panel->setFollowing(true);
    QTRY_COMPARE(m_broker->liveFollowers(), 1);
}

void tst_RecordPanelFollow::followShowsNewRecordsAndPauseLosesNothing()
{
    m_broker->appendMany(u"orders"_s, 0, 50);
    openPanel();
    QTest::mouseClick(m_panel->findChild<QToolButton *>(u"followButton"_s), Qt::LeftButton);
    QVERIFY(m_panel->isFollowing());
    QTRY_COMPARE(m_broker->liveFollowers(), 1);
    m_broker->append(u"orders"_s, 0, "while following");
    QTRY_COMPARE(column(u"Value"_s).last(), u"while following"_s);
    QVERIFY(view()->isAtBottom());
    m_panel->resize(m_panel->width(), m_panel->height() - 100); // a dock grew
    QTRY_VERIFY(view()->isAtBottom());

    m_panel->setPaused(true);
    for (int i = 0; i < 20; ++i)
        m_broker->append(u"orders"_s, 0, "paused-" + QByteArray::number(i));
    QTRY_VERIFY2(status().contains(u"behind by 20"_s), qPrintable(status()));
    QCOMPARE(view()->model()->rowCount(), 51);
    m_panel->setPaused(false);
    QTRY_COMPARE(view()->model()->rowCount(), 71);
    QCOMPARE(column(u"Value"_s).last(), u"paused-19"_s);

    m_panel->setFollowing(false);
    QTRY_COMPARE(m_broker->liveFollowers(), 0);
    QCOMPARE(view()->model()->rowCount(), 71);
}

void tst_RecordPanelFollow::whatIsLetGoIsCounted()
{
    m_broker->appendMany(u"orders"_s, 0, 10);
    openPanel();
    m_panel->setByteBudget(100'000);
    m_panel->setFollowing(true);
    QTRY_COMPARE(m_broker->liveFollowers(), 1);
    m_broker->appendMany(u"orders"_s, 0, 100, QByteArray(100, 'x'));
    QTRY_VERIFY2(status().endsWith(u"received 100"_s), qPrintable(status())); // all of them held
    for (int batch = 0; batch < 10; ++batch) {
        m_broker->appendMany(u"orders"_s, 0, 400, QByteArray(100, 'x'));
        QTRY_COMPARE(offsets().last(), 110 + (batch + 1) * 400 - 1);
    }
    const QRegularExpression counts(
        u"received ([\\d\\x{202f}]+): (\\d+) shown, ([\\d\\x{202f}]+) let go"_s);
    QRegularExpressionMatch match;
    QTRY_VERIFY2((match = counts.match(status())).hasMatch(), qPrintable(status()));
    const auto number = [&](int group) {
        return match.captured(group).remove(QChar(0x202f)).toLongLong();
    };
    QTRY_COMPARE((match = counts.match(status()), number(1)), 4100);
    QCOMPARE(number(2), view()->model()->rowCount());
    QCOMPARE(number(2) + number(3), 4100);
}

void tst_RecordPanelFollow::followGoesOnBehindWhatRetentionRemoved()
{
    m_broker->appendMany(u"orders"_s, 0, 5);
    openPanel();
    m_broker->block(Call::Follow);
    m_panel->setFollowing(true);
    QTRY_COMPARE(m_broker->blocked(Call::Follow), 1);
    m_broker->appendMany(u"orders"_s, 0, 20);
    m_broker->setLogStart(u"orders"_s, 0, Offset{15});
    m_broker->release(Call::Follow);
    QTRY_COMPARE(offsets(), upTo(0, 6) + upTo(15, 25));
    QCOMPARE(column(u"Flags"_s)[5], u"gap"_s);
    QVERIFY2(column(u"Value"_s)[5].contains(u"5 … 14 (10)"_s), qPrintable(column(u"Value"_s)[5]));
    m_broker->append(u"orders"_s, 0, "later");
    QTRY_COMPARE(column(u"Value"_s).last(), u"later"_s);
    QVERIFY(!banner()->isVisible());
}

void tst_RecordPanelFollow::followGoesOnInALogCutBack()
{
    m_broker->appendMany(u"orders"_s, 0, 50);
    openPanel();
    m_panel->setFollowing(true);
    QTRY_COMPARE(m_broker->liveFollowers(), 1);
    m_broker->truncate(u"orders"_s, 0, Offset{30});
    QTRY_COMPARE(offsets(), upTo(0, 30));
    m_broker->append(u"orders"_s, 0, "of the new log");
    QTRY_COMPARE(column(u"Value"_s).last(), u"of the new log"_s);
    QCOMPARE(offsets(), upTo(0, 31));
    QVERIFY(m_panel->isFollowing());
    // As long as it is followed.
    QVERIFY2(status().contains(u"partition 0 was cut back from offset 50 to 30"_s),
             qPrintable(status()));
    QVERIFY2(status().contains(u"following went on from there"_s), qPrintable(status()));
    m_panel->setFollowing(false);
    QVERIFY2(!status().contains(u"cut back"_s), qPrintable(status()));
}

void tst_RecordPanelFollow::followingWindowStaysWithinItsBudget()
{
    m_broker->appendMany(u"orders"_s, 0, 100);
    openPanel();
    m_panel->setByteBudget(200'000);
    m_panel->setFollowing(true);
    QTRY_COMPARE(m_broker->liveFollowers(), 1);
    int sent = 100;
    for (int batch = 0; batch < 30; ++batch) {
        m_broker->appendMany(u"orders"_s, 0, 200, QByteArray(100, 'x'));
        sent += 200;
        QTRY_COMPARE(column(u"Offset"_s).last().remove(QChar(0x202f)).toInt(), sent - 1);
    }
    QVERIFY2(view()->model()->rowCount() < 3000,
             qPrintable(QString::number(view()->model()->rowCount())));
    QVERIFY(view()->isAtBottom());

    // Reading back: what is looked at stays, new records are held back instead.
    view()->verticalScrollBar()->setValue(0);
    const auto top = [this] { return column(u"Offset"_s).at(view()->rowAt(0)); };
    const QString lookedAt = top();
    m_broker->appendMany(u"orders"_s, 0, 5000, QByteArray(100, 'y'));
    QTRY_VERIFY2(status().contains(u"held while you read back"_s), qPrintable(status()));
    QCOMPARE(top(), lookedAt); // also while older ones come in above
    view()->scrollToBottom();
    QTRY_COMPARE(column(u"Offset"_s).last().remove(QChar(0x202f)).toInt(), sent + 5000 - 1);
}

void tst_RecordPanelFollow::followingFilteredStaysWithinItsBudget()
{
    m_broker->appendMany(u"orders"_s, 0, 100);
    openPanel();
    m_panel->setByteBudget(200'000);
    m_panel->setFollowing(true);
    QTRY_COMPARE(m_broker->liveFollowers(), 1);
    m_panel->setFilter(u"r-50"_s);
    QTRY_COMPARE(offsets(), QList<qint64>{50});
    for (int batch = 1; batch <= 15; ++batch) {
        m_broker->appendMany(u"orders"_s, 0, 400, QByteArray(100, 'x'));
        QTRY_COMPARE(shown().second, 100 + batch * 400 - 1);
    }
    QVERIFY2(shown().first > 3000, qPrintable(header()));
}

void tst_RecordPanelFollow::filterEndsReadingBackWhenNothingIsLeftToScroll()
{
    m_broker->appendMany(u"orders"_s, 0, 500);
    openPanel();
    m_panel->setByteBudget(200'000);
    m_panel->setFollowing(true);
    QTRY_COMPARE(m_broker->liveFollowers(), 1);
    view()->verticalScrollBar()->setValue(0);
    m_broker->appendMany(u"orders"_s, 0, 5000, QByteArray(100, 'y'));
    QTRY_VERIFY2(status().contains(u"held while you read back"_s), qPrintable(status()));
    m_panel->setFilter(u"in no record"_s);
    QTRY_VERIFY2(!status().contains(u"held"_s), qPrintable(status()));
    m_broker->append(u"orders"_s, 0, "last");
    QTRY_COMPARE(shown().second, 5500);
}

QTEST_MAIN(tst_RecordPanelFollow)
#include "tst_recordpanelfollow.moc"
