#include "tests/ui/panels/recordbench.h"

#include <QAction>
#include <QMenu>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;

/// Both isolation levels, and formats.
class tst_RecordPanelReading : public RecordBench
{
    Q_OBJECT

private:
    void withTransactions()
    {
        Capabilities capabilities = FakeBroker::booblikCapabilities();
        capabilities.transactions = true;
        m_broker->setCapabilities(capabilities);
    }
    QToolButton *committed() const
    {
        return m_panel->findChild<QToolButton *>(u"committedButton"_s);
    }

private slots:
    void committedRecordsEndAtTheLastStableOffset()
    {
        withTransactions();
        m_broker->appendMany(u"orders"_s, 0, 40);
        m_broker->setLastStable(u"orders"_s, 0, Offset{30});
        openPanel();
        QTRY_VERIFY(committed()->isVisible());
        QVERIFY(!committed()->isChecked()); // all that is in the log, first
        QCOMPARE(shown(), std::pair(0LL, 39LL));
        QCOMPARE(m_broker->fetchRequests().back().isolation, Isolation::ReadUncommitted);
        QVERIFY2(header().contains(u"last stable offset 30"_s), qPrintable(header()));

        QSignalSpy chosen(m_panel.get(), &RecordPanel::isolationChosen);
        committed()->click();
        QTRY_COMPARE(shown(), std::pair(0LL, 29LL));
        QCOMPARE(offsets(), upTo(0, 30));
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(m_broker->fetchRequests().back().isolation, Isolation::ReadCommitted);
        QVERIFY2(header().contains(u"hides 10 offsets since 30"_s), qPrintable(header()));
        // The end is the end: nothing more is asked for by scrolling there.
        const int calls = m_broker->calls(Call::Fetch);
        view()->verticalScrollBar()->setValue(0);
        view()->verticalScrollBar()->setValue(view()->verticalScrollBar()->maximum());
        QTest::qWait(0);
        QCOMPARE(m_broker->calls(Call::Fetch), calls);

        m_broker->setLastStable(u"orders"_s, 0, std::nullopt);
        m_panel->refresh();
        QTRY_COMPARE(shown(), std::pair(0LL, 39LL));
        QTRY_VERIFY2(!header().contains(u"transaction"_s), qPrintable(header()));
    }

    void goingBehindTheLastStableOffsetIsSaid()
    {
        withTransactions();
        m_broker->appendMany(u"orders"_s, 0, 40);
        m_broker->setLastStable(u"orders"_s, 0, Offset{30});
        openPanel();
        m_panel->setIsolation(Isolation::ReadCommitted);
        QTRY_COMPARE(shown(), std::pair(0LL, 29LL));
        m_panel->goTo(u"10"_s);
        QTRY_COMPARE(currentOffset(), u"10"_s);
        m_panel->goTo(u"35"_s);
        QTRY_COMPARE(currentOffset(), u"29"_s);
        QVERIFY2(status().contains(u"35 is outside 0 … 29"_s), qPrintable(status()));
    }

    void followingGoesOnAtTheOtherLevel()
    {
        withTransactions();
        m_broker->appendMany(u"orders"_s, 0, 5);
        openPanel();
        m_panel->setFollowing(true);
        QTRY_COMPARE(m_broker->liveFollowers(), 1);
        QCOMPARE(m_broker->followRequests().back().isolation, Isolation::ReadUncommitted);
        m_panel->setIsolation(Isolation::ReadCommitted);
        QTRY_COMPARE(m_broker->followRequests().size(), size_t(2));
        QCOMPARE(m_broker->followRequests().back().isolation, Isolation::ReadCommitted);
        QVERIFY(m_panel->isFollowing());
        m_broker->append(u"orders"_s, 0, "new");
        QTRY_COMPARE(column(u"Value"_s).last(), u"new"_s);
        QCOMPARE(offsets(), upTo(0, 6));
    }

    void theCurrentRowStaysWhereItIs()
    {
        withTransactions();
        m_broker->appendMany(u"orders"_s, 0, 400);
        openPanel(0, 200);
        QCOMPARE(currentOffset(), u"200"_s);
        m_panel->setIsolation(Isolation::ReadCommitted);
        QTRY_COMPARE(m_broker->fetchRequests().back().isolation, Isolation::ReadCommitted);
        QTRY_COMPARE(currentOffset(), u"200"_s);
    }

    void withoutTransactionsThereIsNoSwitch()
    {
        openPanel();
        QVERIFY(!committed()->isVisible());
    }

    void aFormatIsAskedForByTheMenu()
    {
        m_broker->append(u"orders"_s, 0, QByteArray("\x00\x00\x00\x2a", 4));
        openPanel();
        QSignalSpy chosen(m_panel.get(), &RecordPanel::formatChosen);
        const auto menus = view()->findChildren<QMenu *>();
        const auto values = std::ranges::find_if(
            menus, [](const QMenu *menu) { return menu->title() == u"Show &values as"_s; });
        QVERIFY(values != menus.end());
        for (QAction *action : (*values)->findChildren<QAction *>()) {
            if (action->text() == PayloadCodec::byName(u"int32-be"_s)->title())
                action->trigger();
        }
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen[0][1].toString(), u"int32-be"_s);
        m_panel->setFormats({nullptr, PayloadCodec::sharedByName(u"int32-be"_s)});
        QCOMPARE(column(u"Value"_s), QStringList{u"42"_s});
    }
};

QTEST_MAIN(tst_RecordPanelReading)
#include "tst_recordpanelreading.moc"
