// Searching in the window: by keyboard, with an account of what was looked at.

#include "tests/support/modeldump.h"
#include "tests/ui/windowbench.h"
#include "ui/views/partitionmap.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QPushButton>
#include <QStatusBar>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

class tst_WindowSearch final : public WindowBench
{
    Q_OBJECT
private slots:
    void init();

    void isReachedByItsKeyAndSearchesAllPartitions();
    void hitsLeadToTheirPlace();
    void nextHitGoesOnFromTheRecordLookedAt();
    void mapsShowTheHits();
    void recordLookedAtStaysInView();
    void expressionIsCheckedAsTyped();
    void expressionIsTriedOnTheSelectedRecord();
    void scopeAndPartitionsAreChosen();
    void scopeByTimeIsOfferedWhereThereAreTimes();
    void cellsAreSearchedFor();
    void whatCannotBeSearchedIsSaid();
    void brokerThatDiesLeavesHitsAndIsGoneOnWith();
    void stopsAndResumes();
    void emptyTopicCostsNothing();
    void closedConnectionLeavesNothing();
    void windowGoesWhileASearchIsBlocked();

private:
    /// By keyboard: the panel's key, the expression, Enter.
    void search(const QString &expression);
    QStringList hits() const { return dumpRows(*table(u"hitTable"_s)->model()); }
    QStringList ledger() const { return dumpRows(*table(u"ledgerTable"_s)->model()); }
    QTableView *table(const QString &name) const { return child<QTableView>(name); }
    QString status() const { return child<QLabel>(u"searchStatus"_s)->text(); }
    QString check() const { return child<QLabel>(u"searchCheck"_s)->text(); }
    QLineEdit *expression() const { return child<QLineEdit>(u"searchExpression"_s); }
    QPushButton *button(const QString &name) const { return child<QPushButton>(name); }
    QString currentOffset() const
    {
        const auto *view = panel()->findChild<QTableView *>(u"recordTable"_s);
        const int column = panel()->partition() ? 0 : 1;
        return view->currentIndex().siblingAtColumn(column).data().toString();
    }
};

void tst_WindowSearch::init()
{
    WindowBench::init();
    m_broker.addTopic(u"orders"_s, 3);
    for (qint32 partition = 0; partition < 3; ++partition)
        m_broker.appendMany(u"orders"_s, partition, 100);
    m_broker.append(u"orders"_s, 2, "a needle");
    m_broker.addTopic(u"empty"_s, 2);
    openWindow();
}

void tst_WindowSearch::search(const QString &text)
{
    QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(expression()->hasFocus());
    expression()->clear();
    QTest::keyClicks(expression(), text);
    QTest::keyClick(expression(), Qt::Key_Return);
}

void tst_WindowSearch::isReachedByItsKeyAndSearchesAllPartitions()
{
    QVERIFY(child<QDockWidget>(u"searchDock"_s)->isHidden());
    openTopic(u"orders"_s);
    search(u"r-42 or needle"_s);
    QVERIFY(!child<QDockWidget>(u"searchDock"_s)->isHidden());
    QTRY_COMPARE(status(), u"orders: 4 hits: all 301 offsets of 3 partitions were searched."_s);
    QCOMPARE(hits(),
             (QStringList{u"0|42|r-42"_s, u"1|42|r-42"_s, u"2|42|r-42"_s, u"2|100|a needle"_s}));
    QCOMPARE(ledger(),
             (QStringList{u"0|0 … 99|100|1|all searched"_s, u"1|0 … 99|100|1|all searched"_s,
                          u"2|0 … 100|101|2|all searched"_s}));
    QCOMPARE(child<QTabWidget>(u"searchTabs"_s)->tabText(0), u"Hits (4)"_s);
    QVERIFY(!button(u"resumeSearchButton"_s)->isEnabled());
}

void tst_WindowSearch::hitsLeadToTheirPlace()
{
    openTopic(u"orders"_s, 0);
    search(u"r-42"_s);
    QTRY_COMPARE(hits().size(), 3);
    auto *table = this->table(u"hitTable"_s);
    table->setFocus();
    table->setCurrentIndex(table->model()->index(0, 0));
    QTest::keyClick(table, Qt::Key_Return);
    QCOMPARE(panel()->title(), u"orders / 0"_s);
    QTRY_COMPARE(currentOffset(), u"42"_s);
    // Another partition has a tab of its own.
    table->setCurrentIndex(table->model()->index(1, 0));
    const QRect cell = table->visualRect(table->model()->index(1, 1));
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell.center());
    QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, cell.center());
    QTRY_COMPARE(panel()->title(), u"orders / 1"_s);
    QTRY_COMPARE(currentOffset(), u"42"_s);
    // In the topic's own tab all of them are at home.
    openTopic(u"orders"_s);
    table->setCurrentIndex(table->model()->index(2, 0));
    QTest::keyClick(table, Qt::Key_Return);
    QCOMPARE(panel()->title(), u"orders"_s);
    QTRY_COMPARE(currentOffset(), u"42"_s);
}

void tst_WindowSearch::nextHitGoesOnFromTheRecordLookedAt()
{
    openTopic(u"orders"_s, 1);
    auto *next = child<QAction>(u"nextHitAction"_s);
    QVERIFY(!next->isEnabled());
    search(u"value ends 7"_s);
    QTRY_COMPARE(hits().size(), 30);
    QVERIFY(next->isEnabled());
    panel()->goTo(u"30"_s);
    QTRY_COMPARE(currentOffset(), u"30"_s);
    QTest::keyClick(m_window.get(), Qt::Key_F3);
    QTRY_COMPARE(currentOffset(), u"37"_s);
    QTest::keyClick(m_window.get(), Qt::Key_F3);
    QTRY_COMPARE(currentOffset(), u"47"_s);
    QTest::keyClick(m_window.get(), Qt::Key_F3, Qt::ShiftModifier);
    QTRY_COMPARE(currentOffset(), u"37"_s);
    QCOMPARE(table(u"hitTable"_s)->currentIndex().row(), 13);
    // Behind the last of a partition comes the first of the next.
    panel()->goTo(u"98"_s);
    QTRY_COMPARE(currentOffset(), u"98"_s);
    QTest::keyClick(m_window.get(), Qt::Key_F3);
    QTRY_COMPARE(panel()->title(), u"orders / 2"_s);
    QTRY_COMPARE(currentOffset(), u"7"_s);
    panel()->goTo(u"97"_s);
    QTRY_COMPARE(currentOffset(), u"97"_s);
    QTest::keyClick(m_window.get(), Qt::Key_F3);
    QCOMPARE(m_window->statusBar()->currentMessage(),
             u"No hit behind this one in what was searched."_s);
    QCOMPARE(currentOffset(), u"97"_s);
}

void tst_WindowSearch::mapsShowTheHits()
{
    openTopic(u"orders"_s, 2);
    search(u"r-4"_s); // and r-40 … r-49
    QTRY_COMPARE(hits().size(), 33);
    const auto told = [&] {
        const auto *map = panel()->findChild<PartitionMap *>(u"partitionMap"_s);
        const QRect place = map->rectOf(*panel()->partition(), Offset{42});
        return map->toolTipAt(place.center());
    };
    QTRY_VERIFY2(told().contains(u"hits: 11"_s), qPrintable(told()));
    openTopic(u"orders"_s, 0); // a tab opened later has them, too
    QVERIFY2(told().contains(u"hits: 11"_s), qPrintable(told()));
    search(u"nowhere"_s);
    QTRY_VERIFY2(!told().contains(u"hits"_s), qPrintable(told()));
}

void tst_WindowSearch::recordLookedAtStaysInView()
{
    openTopic(u"orders"_s, 0); // at its end
    const auto *view = panel()->findChild<QTableView *>(u"recordTable"_s);
    QCOMPARE(currentOffset(), u"99"_s);
    const int before = view->viewport()->height();
    QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(view->viewport()->height() < before); // the panel takes of the room
    QTRY_VERIFY(view->viewport()->rect().contains(view->visualRect(view->currentIndex())));
}

void tst_WindowSearch::expressionIsCheckedAsTyped()
{
    openTopic(u"orders"_s, 0);
    child<QAction>(u"searchAction"_s)->trigger();
    auto *start = button(u"searchButton"_s);
    QVERIFY(!start->isEnabled());
    QTest::keyClicks(expression(), u"size > many"_s);
    QVERIFY(check().startsWith(u"Column 8: A whole number is expected"_s));
    QCOMPARE(expression()->accessibleDescription(), check());
    QVERIFY(!start->isEnabled());
    QTest::keyClick(expression(), Qt::Key_Return); // does nothing
    QCOMPARE(status(), QString());
    for (int i = 0; i < 4; ++i)
        QTest::keyClick(expression(), Qt::Key_Backspace);
    QTest::keyClicks(expression(), u"2"_s);
    QVERIFY(!check().startsWith(u"Column"_s));
    QVERIFY(start->isEnabled());
}

void tst_WindowSearch::expressionIsTriedOnTheSelectedRecord()
{
    openTopic(u"orders"_s, 0);
    panel()->goTo(u"42"_s);
    QTRY_COMPARE(currentOffset(), u"42"_s);
    child<QAction>(u"searchAction"_s)->trigger();
    QTest::keyClicks(expression(), u"r-42"_s);
    QCOMPARE(check(), u"Matches the selected record, offset 42."_s);
    panel()->goTo(u"41"_s);
    QTRY_COMPARE(check(), u"Does not match the selected record, offset 41."_s);
    QCOMPARE(m_broker.calls(Call::DescribeTopics), 0); // nothing was searched for that
}

void tst_WindowSearch::scopeAndPartitionsAreChosen()
{
    openTopic(u"orders"_s);
    child<QAction>(u"searchAction"_s)->trigger();
    auto *scope = child<QComboBox>(u"searchScope"_s);
    auto *partitions = child<QComboBox>(u"searchPartitions"_s);
    partitions->setEditText(u"0,2"_s);
    scope->setCurrentIndex(scope->findText(u"the newest"_s));
    child<QLineEdit>(u"searchNewest"_s)->setText(u"10"_s);
    search(u"r"_s);
    QTRY_COMPARE(ledger(), (QStringList{u"0|90 … 99|10|10|all searched"_s,
                                        u"2|91 … 100|10|9|all searched"_s}));
    scope->setCurrentIndex(scope->findText(u"offsets"_s));
    child<QLineEdit>(u"searchFrom"_s)->setText(u"95"_s);
    child<QLineEdit>(u"searchTo"_s)->setText(u"-1"_s);
    search(u"r"_s);
    QTRY_COMPARE(ledger(),
                 (QStringList{u"0|95 … 98|4|4|all searched"_s, u"2|95 … 99|5|5|all searched"_s}));
    child<QLineEdit>(u"searchTo"_s)->setText(u"soon"_s);
    QVERIFY(check().startsWith(u"An offset is expected"_s));
    QVERIFY(!button(u"searchButton"_s)->isEnabled());
    child<QLineEdit>(u"searchTo"_s)->clear();
    partitions->setEditText(u"0,7"_s);
    QVERIFY(check().startsWith(u"Partitions: "_s));
    QVERIFY(!button(u"searchButton"_s)->isEnabled());
    QCOMPARE(scope->findText(u"times"_s), -1);
}

void tst_WindowSearch::scopeByTimeIsOfferedWhereThereAreTimes()
{
    child<QAction>(u"disconnectAction"_s)->trigger();
    Capabilities capabilities = FakeBroker::booblikCapabilities();
    capabilities.timestamps = true;
    capabilities.offsetsByTime = true;
    m_broker.setCapabilities(capabilities);
    QList<qint64> times;
    for (int i = 0; i < 101; ++i)
        times << 1'796'054'400'000 + i * 1000; // from 2026-11-30 16:00 on, one a second
    for (qint32 partition = 0; partition < 3; ++partition)
        m_broker.setTimes(u"orders"_s, partition, times);
    m_window->connectTo(config());
    openTopic(u"orders"_s, 1);
    child<QAction>(u"searchAction"_s)->trigger();
    auto *scope = child<QComboBox>(u"searchScope"_s);
    QTRY_VERIFY(scope->findText(u"times"_s) >= 0);
    scope->setCurrentIndex(scope->findText(u"times"_s));
    child<QLineEdit>(u"searchFrom"_s)->setText(u"2026-11-30 16:00:10"_s);
    child<QLineEdit>(u"searchTo"_s)->setText(u"2026-11-30 16:00:15"_s);
    child<QComboBox>(u"searchPartitions"_s)->setEditText(u"1"_s);
    search(u"r"_s);
    QTRY_COMPARE(ledger(), QStringList(u"1|10 … 14|5|5|all searched"_s));
    QCOMPARE(hits().constFirst(), u"1|10|2026-11-30 16:00:10.000Z|r-10"_s);
}

void tst_WindowSearch::cellsAreSearchedFor()
{
    openTopic(u"orders"_s, 1);
    panel()->goTo(u"42"_s);
    QTRY_COMPARE(currentOffset(), u"42"_s);
    auto *view = panel()->findChild<QTableView *>(u"recordTable"_s);
    const int values = view->model()->columnCount() - 1;
    view->setCurrentIndex(view->currentIndex().siblingAtColumn(values));
    child<QAction>(u"searchForCellAction"_s)->trigger();
    QCOMPARE(expression()->text(), u"value == \"r-42\""_s);
    QTRY_COMPARE(hits(), (QStringList{u"0|42|r-42"_s, u"1|42|r-42"_s, u"2|42|r-42"_s}));
}

void tst_WindowSearch::whatCannotBeSearchedIsSaid()
{
    m_broker.damage(u"orders"_s, 0, Offset{5}, Damage::Size);
    m_broker.failPartition(u"orders"_s, 1,
                           FakeBroker::refusal(29, u"TOPIC_AUTHORIZATION_FAILED"_s));
    openTopic(u"orders"_s, 2);
    search(u"nowhere"_s);
    QTRY_COMPARE(status(), u"orders: No hits in what was searched: 200 of 201 offsets of 3 "
                           "partitions. Not searched: 1 (damaged log: an impossible record size). "
                           "1 partition could not be asked at all."_s);
    const QStringList told = ledger();
    QCOMPARE(told.size(), 4);
    QCOMPARE(told[0], u"0|0 … 99|99|0|"_s);
    QVERIFY(told[1].startsWith(u"|5|||damaged log: an impossible record size"_s));
    QVERIFY(told[2].startsWith(u"1|not known|0|0|"_s));
    QVERIFY2(told[2].contains(u"may not do that"_s), qPrintable(told[2]));
    QCOMPARE(told[3], u"2|0 … 100|101|0|all searched"_s);
}

void tst_WindowSearch::brokerThatDiesLeavesHitsAndIsGoneOnWith()
{
    openTopic(u"orders"_s, 0);
    const int before = m_broker.calls(Call::Fetch);
    m_broker.block(Call::Fetch);
    search(u"r-42"_s);
    QTRY_COMPARE(m_broker.blocked(Call::Fetch), 3); // one a partition
    m_broker.releaseOne(Call::Fetch);
    QTRY_COMPARE(hits().size(), 1);
    m_broker.setDown(true);
    m_broker.release(Call::Fetch);
    QTRY_VERIFY2(status().contains(u"failed"_s), qPrintable(status()));
    QVERIFY(status().startsWith(u"orders: 1 hit in what was searched: "_s));
    QCOMPARE(hits().size(), 1);
    QVERIFY(button(u"resumeSearchButton"_s)->isEnabled());
    QVERIFY(m_broker.calls(Call::Fetch) > before);

    m_broker.setDown(false);
    QTest::keyClick(button(u"resumeSearchButton"_s), Qt::Key_Space);
    QTRY_COMPARE(status(), u"orders: 3 hits: all 301 offsets of 3 partitions were searched."_s);
    QCOMPARE(hits(), (QStringList{u"0|42|r-42"_s, u"1|42|r-42"_s, u"2|42|r-42"_s}));
}

void tst_WindowSearch::stopsAndResumes()
{
    openTopic(u"orders"_s, 0);
    m_broker.block(Call::Fetch);
    search(u"needle"_s);
    QTRY_COMPARE(m_broker.blocked(Call::Fetch), 3);
    QVERIFY(button(u"stopSearchButton"_s)->isEnabled());
    QVERIFY(!button(u"resumeSearchButton"_s)->isEnabled());
    QTest::keyClick(button(u"stopSearchButton"_s), Qt::Key_Space);
    QTRY_COMPARE(status(), u"orders: No hits in what was searched: 0 of 301 offsets of 3 "
                           "partitions. Not searched: 301 (not reached)."_s);
    m_broker.release(Call::Fetch);
    QTest::keyClick(button(u"resumeSearchButton"_s), Qt::Key_Space);
    QTRY_COMPARE(status(), u"orders: 1 hit: all 301 offsets of 3 partitions were searched."_s);
    QCOMPARE(hits(), QStringList(u"2|100|a needle"_s));
}

void tst_WindowSearch::emptyTopicCostsNothing()
{
    openTopic(u"empty"_s);
    const int fetches = m_broker.calls(Call::Fetch);
    search(u"x"_s);
    QTRY_COMPARE(status(), u"empty: No hits: all 0 offsets of 2 partitions were searched."_s);
    QCOMPARE(m_broker.calls(Call::Fetch), fetches);
}

void tst_WindowSearch::closedConnectionLeavesNothing()
{
    openTopic(u"orders"_s, 0);
    search(u"r-42"_s);
    QTRY_COMPARE(hits().size(), 3);
    child<QAction>(u"disconnectAction"_s)->trigger();
    QCOMPARE(hits().size(), 0);
    QCOMPARE(ledger().size(), 0);
    QVERIFY(!child<QAction>(u"nextHitAction"_s)->isEnabled());
    QVERIFY(!button(u"searchButton"_s)->isEnabled());
}

void tst_WindowSearch::windowGoesWhileASearchIsBlocked()
{
    openTopic(u"orders"_s, 0);
    m_broker.block(Call::Fetch);
    search(u"r"_s);
    QTRY_COMPARE(m_broker.blocked(Call::Fetch), 3);
    m_window.reset(); // cleanup() sees the sessions go
}

QTEST_MAIN(tst_WindowSearch)
#include "tst_windowsearch.moc"
