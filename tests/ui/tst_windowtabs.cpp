// Tabs of records in the window: opened for good and in passing, their columns.

#include "tests/ui/windowbench.h"

#include <QAction>
#include <QMenu>
#include <QTimer>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

class tst_WindowTabs final : public WindowBench
{
    Q_OBJECT
private slots:
    void topicIsOpenedOnceAndGoesWithItsConnection();
    void selectedTopicIsShownInPassing();
    void tabInPassingStaysWhileItIsUsed();
    void recordColumnsAreKeptForEachKindOfTab();
};

void tst_WindowTabs::topicIsOpenedOnceAndGoesWithItsConnection()
{
    m_broker.addTopic(u"orders"_s, 2);
    openWindow();
    openTopic(u"orders"_s, 1);
    openTopic(u"orders"_s, 0);
    openTopic(u"orders"_s, 1);
    auto *tabs = child<QTabWidget>(u"recordTabs"_s);
    QCOMPARE(tabs->count(), 2);
    QCOMPARE(tabs->currentIndex(), 0);
    QVERIFY(m_window->windowTitle().contains(u"test broker"_s));
    child<QAction>(u"closeTabAction"_s)->trigger();
    QCOMPARE(tabs->count(), 1);
    child<QAction>(u"disconnectAction"_s)->trigger();
    QCOMPARE(tabs->count(), 0);
    QVERIFY(child<QWidget>(u"noTopicOpen"_s)->isVisible());
    QVERIFY(!child<QAction>(u"goToAction"_s)->isEnabled());
    QCOMPARE(state(), u"Not connected"_s);
    QTRY_COMPARE(m_broker.liveSessions(), 0);
}

void tst_WindowTabs::selectedTopicIsShownInPassing()
{
    for (const QString &topic : {u"a"_s, u"b"_s, u"c"_s, u"d"_s})
        m_broker.addTopic(topic, 2);
    m_broker.append(u"d"_s, 0, "of 0");
    m_broker.append(u"d"_s, 1, "of 1");
    openWindow();
    auto *tree = child<TopicTreeView>(u"topicTree"_s);
    auto *tabs = child<QTabWidget>(u"recordTabs"_s);
    QTRY_VERIFY(treeRow(u"d"_s).isValid());
    tree->setFocus();
    QTRY_VERIFY(tree->hasFocus());
    tree->setCurrentIndex(treeRow(u"a"_s));
    for (int i = 0; i < 3; ++i)
        QTest::keyClick(tree, Qt::Key_Down); // as a key held down: nothing is fetched on the way
    QTRY_COMPARE(tabs->count(), 1);
    QCOMPARE(tabs->tabText(0), u"d"_s);
    QTRY_COMPARE(values(), QStringList({u"of 0"_s, u"of 1"_s}));
    for (const FetchRequest &request : m_broker.fetchRequests())
        QCOMPARE(request.partition.topic, u"d"_s);
    QVERIFY(tree->hasFocus());

    QTest::keyClick(tree, Qt::Key_Up); // in the place of the last one
    QTRY_COMPARE(tabs->tabText(tabs->currentIndex()), u"c"_s);
    QCOMPARE(tabs->count(), 1);
    QVERIFY(tree->hasFocus());
    QTest::keyClick(tree, Qt::Key_Return); // this one stays, and is worked in
    QVERIFY(!tree->hasFocus());
    tree->setFocus();
    QTest::keyClick(tree, Qt::Key_Up);
    QTRY_COMPARE(tabs->tabText(tabs->currentIndex()), u"b"_s);
    QCOMPARE(tabs->count(), 2);
    QTest::keyClick(tree, Qt::Key_Down);
    QTRY_COMPARE(tabs->count(), 1);
    QCOMPARE(tabs->tabText(0), u"c"_s);
}

void tst_WindowTabs::tabInPassingStaysWhileItIsUsed()
{
    m_broker.addTopic(u"a"_s, 2);
    m_broker.addTopic(u"b"_s, 1);
    m_broker.append(u"a"_s, 1, "of 1");
    openWindow();
    auto *tree = child<TopicTreeView>(u"topicTree"_s);
    auto *tabs = child<QTabWidget>(u"recordTabs"_s);
    const auto current = [tabs] { return tabs->tabText(tabs->currentIndex()); };
    QTRY_VERIFY(treeRow(u"b"_s).isValid());
    openTopic(u"b"_s, 0);

    // A partition is shown as a topic is.
    tree->setFocus();
    QTRY_VERIFY(tree->hasFocus());
    tree->expand(treeRow(u"a"_s));
    tree->setCurrentIndex(treeRow(u"a"_s, 1));
    QTRY_COMPARE(current(), u"a / 1"_s);
    QTRY_COMPARE(values(), QStringList(u"of 1"_s));
    QVERIFY(tree->hasFocus());

    // Going to another tab selects its row: that is nobody's wish to see another one.
    child<QAction>(u"previousTabAction"_s)->trigger();
    QCOMPARE(current(), u"b / 0"_s);
    QVERIFY(!child<QTimer>(u"settled"_s)->isActive());
    child<QAction>(u"nextTabAction"_s)->trigger();
    QCOMPARE(current(), u"a / 1"_s);

    child<QAction>(u"followAction"_s)->trigger();
    tree->setCurrentIndex(treeRow(u"a"_s, 0));
    QTRY_COMPARE(current(), u"a / 0"_s);
    QCOMPARE(tabs->count(), 3); // what is followed stays
    tree->setCurrentIndex(treeRow(u"b"_s));
    QTRY_COMPARE(current(), u"b"_s);
    QCOMPARE(tabs->count(), 3); // in the place of a / 0
}

void tst_WindowTabs::recordColumnsAreKeptForEachKindOfTab()
{
    m_broker.addTopic(u"orders"_s, 2);
    openWindow();
    openTopic(u"orders"_s, 0);
    openTopic(u"orders"_s, 1);
    const auto widths = [this] {
        QList<int> all;
        for (const RecordPanel *panel : m_window->findChildren<RecordPanel *>())
            all << panel->findChild<QTableView *>(u"recordTable"_s)->columnWidth(0);
        return all;
    };
    const int before = widths().first();
    m_window->findChildren<RecordPanel *>().first()->findChild<QTableView *>()->setColumnWidth(
        0, before + 57);
    QCOMPARE(widths(), QList<int>({before + 57, before + 57}));

    // By keyboard: the same menu is in the menu bar.
    QMenu *menu = nullptr;
    for (auto *each : m_window->findChildren<QMenu *>()) {
        if (each->title() == u"Record Col&umns"_s)
            menu = each;
    }
    QVERIFY(menu);
    emit menu->aboutToShow();
    for (QAction *action : menu->actions()) {
        if (action->text() == u"CRC-32C"_s)
            action->trigger();
    }
    const auto crcHidden = [this](const RecordPanel *panel) {
        const auto *view = panel->findChild<QTableView *>(u"recordTable"_s);
        for (int column = 0; column < view->model()->columnCount(); ++column) {
            if (view->model()->headerData(column, Qt::Horizontal).toString() == u"CRC-32C"_s)
                return view->isColumnHidden(column);
        }
        return false;
    };
    QVERIFY(crcHidden(m_window->findChildren<RecordPanel *>().first()));

    openWindow();
    openTopic(u"orders"_s, 1);
    QTRY_COMPARE(widths(), QList<int>{before + 57});
    const auto *partition = child<RecordPanel>(u"recordPanel"_s);
    QVERIFY(crcHidden(partition));
    openTopic(u"orders"_s);
    for (const RecordPanel *panel : m_window->findChildren<RecordPanel *>())
        QCOMPARE(crcHidden(panel), panel == partition);
}

QTEST_MAIN(tst_WindowTabs)
#include "tst_windowtabs.moc"
