// Consumer groups in the window: there where a connection has some, and from them to the records.

#include "tests/ui/windowbench.h"
#include "ui/panels/groupspanel.h"

#include <QAction>
#include <QDockWidget>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

class tst_WindowGroups final : public WindowBench
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();

    void groupsAreOfferedWhereThereAreSome();
    void openLeadsToTheCommittedRecord();

private:
    SessionConfig config(const QString &host) const
    {
        SessionConfig config;
        config.host = host;
        return config;
    }
    QDockWidget *dock() const { return child<QDockWidget>(u"groupsDock"_s); }

    FakeBroker m_plain;   ///< host "plain"
    FakeBroker m_grouped; ///< any other
};

void tst_WindowGroups::init()
{
    WindowBench::init();
    m_plain = FakeBroker();
    m_plain.addTopic(u"clicks"_s, 1);
    m_grouped = FakeBroker();
    Capabilities capabilities = FakeBroker::booblikCapabilities();
    capabilities.groups = true;
    m_grouped.setCapabilities(capabilities);
    m_grouped.addTopic(u"orders"_s, 2);
    m_grouped.appendMany(u"orders"_s, 1, 1'000);
    GroupInfo group;
    group.summary.id = u"billing"_s;
    group.offsets = {{{u"orders"_s, PartitionId{1}}, Offset{417}, {}, Offset{1'000}, false, {}}};
    m_grouped.setGroup(group);
    showWindow(
        [plain = m_plain.factory(), grouped = m_grouped.factory()](const SessionConfig &config) {
            return config.host == u"plain"_s ? plain(config) : grouped(config);
        });
}

void tst_WindowGroups::cleanup()
{
    WindowBench::cleanup();
    QTRY_COMPARE(m_grouped.liveSessions() + m_plain.liveSessions(), 0);
}

void tst_WindowGroups::groupsAreOfferedWhereThereAreSome()
{
    auto *action = child<QAction>(u"focusGroupsAction"_s);
    QVERIFY(!action->isEnabled());
    QVERIFY(dock()->isHidden());
    m_window->connectTo(config(u"grouped"_s));
    QTRY_VERIFY(action->isEnabled());
    QVERIFY(dock()->isHidden()); // until it is asked for
    QCOMPARE(m_grouped.calls(Call::ListGroups), 0);
    action->trigger();
    QTRY_COMPARE(child<QTableView>(u"groupTable"_s)->model()->rowCount(), 1);
    QVERIFY(child<QTableView>(u"groupTable"_s)->hasFocus());
    m_window->connectTo(config(u"plain"_s)); // which becomes the current one
    QTRY_VERIFY(dock()->isHidden());
    QVERIFY(!action->isEnabled());
    QVERIFY(!dock()->toggleViewAction()->isVisible());
    QCOMPARE(child<QTableView>(u"groupTable"_s)->model()->rowCount(), 0);
    m_window->connectTo(config(u"grouped"_s));
    QTRY_VERIFY(!dock()->isHidden());
    QTRY_COMPARE(child<QTableView>(u"groupTable"_s)->model()->rowCount(), 1);
}

void tst_WindowGroups::openLeadsToTheCommittedRecord()
{
    m_window->connectTo(config(u"grouped"_s));
    auto *action = child<QAction>(u"focusGroupsAction"_s);
    QTRY_VERIFY(action->isEnabled());
    action->trigger();
    auto *groups = child<QTableView>(u"groupTable"_s);
    QTRY_COMPARE(groups->model()->rowCount(), 1);
    groups->selectRow(0);
    auto *offsets = child<QTableView>(u"groupOffsetTable"_s);
    QTRY_COMPARE(offsets->model()->rowCount(), 1);
    offsets->selectRow(0);
    child<QAction>(u"openAtPositionAction"_s)->trigger();
    auto *tabs = child<QTabWidget>(u"recordTabs"_s);
    QTRY_COMPARE(tabs->count(), 1);
    auto *panel = qobject_cast<RecordPanel *>(tabs->currentWidget());
    QVERIFY(panel);
    QCOMPARE(panel->title(), u"orders / 1"_s);
    const auto *table = panel->findChild<QTableView *>(u"recordTable"_s);
    QTRY_COMPARE(table->currentIndex().siblingAtColumn(0).data().toString(), u"417"_s);
}

QTEST_MAIN(tst_WindowGroups)
#include "tst_windowgroups.moc"
