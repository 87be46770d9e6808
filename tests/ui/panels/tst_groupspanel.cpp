#include "tests/support/fakesession.h"
#include "tests/support/modeldump.h"
#include "ui/models/grouplistmodel.h"
#include "ui/models/groupmembermodel.h"
#include "ui/models/groupoffsetmodel.h"
#include "ui/panels/groupspanel.h"
#include "ui/views/banner.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{

TopicPartition orders(qint32 partition)
{
    return {u"orders"_s, PartitionId{partition}};
}

GroupInfo groupOf(const QString &id, GroupState state = GroupState::Empty)
{
    GroupInfo group;
    group.summary.id = id;
    group.summary.state = state;
    return group;
}

/// One of everything: caught up, behind, nothing committed, gone, refused.
GroupInfo billing()
{
    GroupInfo group = groupOf(u"billing"_s, GroupState::Stable);
    group.summary.coordinatorId = 1;
    group.assignor = u"range"_s;
    group.members = {{u"reader-1"_s,
                      u"reader"_s,
                      u"10.0.0.7"_s,
                      u"desk"_s, //
                      {orders(0), orders(1)}}};
    Error refused = FakeBroker::refusal(29, u"TOPIC_AUTHORIZATION_FAILED"_s);
    group.offsets = {{{u"old"_s, PartitionId{0}}, Offset{4}, {}, {}, true, {}},
                     {orders(0), Offset{5}, {}, Offset{5}, false, {}},
                     {orders(1), Offset{10'000}, u"by hand"_s, Offset{22'500}, false, {}},
                     {orders(2), std::nullopt, {}, Offset{7}, false, {}},
                     {{u"secret"_s, PartitionId{0}}, Offset{1}, {}, {}, false, refused}};
    return group;
}

} // namespace

class tst_GroupsPanel : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init();
    void cleanup();

    void offsetsTellNoneFromZero();
    void membersTellWhatTheyRead();
    void listsWhenShownAndReadsTheSelectedGroup();
    void opensAtTheCommittedOffset();
    void refreshKeepsTheSelection();
    void aGroupThatIsGoneIsSaid();
    void emptyAndIncompleteListsAreSaid();
    void whatCannotBeReadIsSaidInWords();
    void aLateAnswerChangesNothing();
    void filterNarrowsTheList();
    void isReachedByKeyboard();
    void withoutASessionItSaysSo();
    void destroyedWhileARequestIsBlocked();

private:
    void openPanel();
    template <typename Widget>
    Widget *child(const char *name) const
    {
        return m_panel->findChild<Widget *>(QString::fromLatin1(name));
    }
    QTableView *table() const { return child<QTableView>("groupTable"); }
    QTableView *offsets() const { return child<QTableView>("groupOffsetTable"); }
    QStringList column(const QTableView *view, int column) const
    {
        return dumpColumn(*view->model(), column);
    }
    QString text(const char *name) const { return child<QLabel>(name)->text(); }
    void select(const QString &id);

    std::unique_ptr<FakeBroker> m_broker;
    std::unique_ptr<SessionHandle> m_session;
    std::unique_ptr<GroupsPanel> m_panel;
};

void tst_GroupsPanel::init()
{
    QTest::failOnWarning(
        QRegularExpression(u"^(?!This plugin does not support propagateSizeHints)"_s));
    m_broker = std::make_unique<FakeBroker>();
    Capabilities capabilities = FakeBroker::booblikCapabilities();
    capabilities.groups = true;
    m_broker->setCapabilities(capabilities);
    m_broker->setGroup(billing());
    m_broker->setGroup(groupOf(u"audit"_s));
}

void tst_GroupsPanel::cleanup()
{
    m_panel.reset();
    m_session.reset();
    QTRY_COMPARE(m_broker->liveSessions(), 0);
    m_broker.reset();
}

void tst_GroupsPanel::openPanel()
{
    SessionConfig config;
    config.host = u"broker.test"_s;
    m_session = std::make_unique<SessionHandle>(m_broker->factory(), config);
    QTRY_COMPARE(m_session->state(), ConnectionState::Connected);
    m_panel = std::make_unique<GroupsPanel>();
    m_panel->resize(400, 600);
    m_panel->setSession(m_session.get());
    QCOMPARE(m_broker->calls(Call::ListGroups), 0); // not looked at, not asked for
    m_panel->show();
}

void tst_GroupsPanel::select(const QString &id)
{
    QTRY_VERIFY(column(table(), GroupListModel::GroupColumn).contains(id));
    table()->selectRow(int(column(table(), GroupListModel::GroupColumn).indexOf(id)));
}

void tst_GroupsPanel::offsetsTellNoneFromZero()
{
    GroupOffsetModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    GroupInfo group = billing();
    group.offsets.append({orders(3), Offset{0}, {}, Offset{0}, false, {}});
    model.setGroup(group);
    QCOMPARE(dumpColumn(model, GroupOffsetModel::PartitionColumn),
             QStringList({u"old / 0"_s, u"orders / 0"_s, u"orders / 1"_s, u"orders / 2"_s,
                          u"secret / 0"_s, u"orders / 3"_s}));
    QCOMPARE(dumpColumn(model, GroupOffsetModel::CommittedColumn),
             QStringList({u"4"_s, u"5"_s, u"10\u202f000"_s, u"none"_s, u"1"_s, u"0"_s}));
    QCOMPARE(dumpColumn(model, GroupOffsetModel::EndColumn),
             QStringList({u""_s, u"5"_s, u"22\u202f500"_s, u"7"_s, u""_s, u"0"_s}));
    QCOMPARE(dumpColumn(model, GroupOffsetModel::LagColumn),
             QStringList({u""_s, u"0"_s, u"12\u202f500"_s, u""_s, u""_s, u"0"_s}));
    const QStringList notes = dumpColumn(model, GroupOffsetModel::NoteColumn);
    QCOMPARE(notes[0], u"topic gone"_s);
    QCOMPARE(notes[1], u"reader"_s);
    QVERIFY2(notes[4].contains(u"may not do that with this topic"_s), qPrintable(notes[4]));
    const auto trouble = [&](int row) {
        return model.index(row, 0).data(GroupOffsetModel::TroubleRole).toBool();
    };
    QVERIFY(trouble(0) && !trouble(1) && !trouble(3) && trouble(4));
    QVERIFY(model.index(2, GroupOffsetModel::CommittedColumn)
                .data(Qt::ToolTipRole)
                .toString()
                .contains(u"by hand"_s));
    QVERIFY(model.headerData(GroupOffsetModel::LagColumn, Qt::Horizontal, Qt::ToolTipRole)
                .toString()
                .contains(u"markers"_s));
}

void tst_GroupsPanel::membersTellWhatTheyRead()
{
    GroupMemberModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setMembers({{u"m-1"_s, u"a"_s, u"h"_s, {}, {}},
                      {u"m-2"_s,
                       u"b"_s,
                       u"h"_s,
                       u"desk"_s,
                       {{u"clicks"_s, PartitionId{0}}, orders(0), orders(2)}}});
    QCOMPARE(dumpColumn(model, GroupMemberModel::ClientColumn),
             QStringList({u"a"_s, u"b (desk)"_s}));
    QCOMPARE(dumpColumn(model, GroupMemberModel::PartitionsColumn),
             QStringList({u"none"_s, u"clicks 0 · orders 0, 2"_s}));
}

void tst_GroupsPanel::listsWhenShownAndReadsTheSelectedGroup()
{
    openPanel();
    QTRY_COMPARE(column(table(), GroupListModel::GroupColumn),
                 QStringList({u"audit"_s, u"billing"_s}));
    QCOMPARE(column(table(), GroupListModel::StateColumn), QStringList({u"empty"_s, u"stable"_s}));
    QCOMPARE(text("groupStatus"), u"Groups: 2"_s);
    QCOMPARE(m_broker->calls(Call::DescribeGroup), 0); // one by one, when looked at
    select(u"billing"_s);
    QTRY_COMPARE(offsets()->model()->rowCount(), 5);
    QCOMPARE(m_broker->calls(Call::DescribeGroup), 1);
    QCOMPARE(text("groupHeading"),
             u"billing: stable · members 1 · range · lag 12\u202f500 · coordinator 1"_s);
    QCOMPARE(column(table(), GroupListModel::LagColumn),
             QStringList({QString(), u"12\u202f500"_s}));
    QCOMPARE(column(child<QTableView>("groupMemberTable"), GroupMemberModel::ClientColumn),
             QStringList{u"reader (desk)"_s});
    QVERIFY(!child<QLabel>("groupNote")->isVisible());
    select(u"audit"_s);
    QTRY_COMPARE(text("groupHeading"), u"audit: empty · members 0"_s);
    QCOMPARE(offsets()->model()->rowCount(), 0);
    QVERIFY2(text("groupNote").contains(u"committed nothing"_s), qPrintable(text("groupNote")));
}

void tst_GroupsPanel::opensAtTheCommittedOffset()
{
    openPanel();
    QSignalSpy opened(m_panel.get(), &GroupsPanel::openRequested);
    select(u"billing"_s);
    QTRY_COMPARE(offsets()->model()->rowCount(), 5);
    auto *open = child<QAction>("openAtPositionAction");
    QVERIFY(!open->isEnabled());
    offsets()->selectRow(2); // orders / 1
    QVERIFY(open->isEnabled());
    QTest::keyClick(offsets(), Qt::Key_Return);
    QCOMPARE(opened.count(), 1);
    QCOMPARE(opened[0][0].value<TopicPartition>(), orders(1));
    QCOMPARE(opened[0][1].value<Offset>(), Offset{10'000});
    offsets()->selectRow(3); // nothing committed: nowhere to go
    QVERIFY(!open->isEnabled());
    QTest::keyClick(offsets(), Qt::Key_Return);
    offsets()->selectRow(0); // gone
    QVERIFY(!open->isEnabled());
    QCOMPARE(opened.count(), 1);
}

void tst_GroupsPanel::refreshKeepsTheSelection()
{
    openPanel();
    select(u"billing"_s);
    QTRY_COMPARE(offsets()->model()->rowCount(), 5);
    offsets()->selectRow(2);
    GroupInfo moved = billing();
    moved.offsets[2].committed = Offset{22'000};
    m_broker->setGroup(moved);
    m_broker->setGroup(groupOf(u"another"_s));
    child<QAction>("refreshGroupsAction")->trigger();
    QTRY_VERIFY(text("groupHeading").contains(u"lag 500"_s));
    QCOMPARE(table()->currentIndex().siblingAtColumn(0).data().toString(), u"billing"_s);
    QCOMPARE(offsets()->currentIndex().siblingAtColumn(0).data().toString(), u"orders / 1"_s);
    QCOMPARE(m_broker->calls(Call::DescribeGroup), 2);
}

void tst_GroupsPanel::aGroupThatIsGoneIsSaid()
{
    openPanel();
    select(u"billing"_s);
    QTRY_COMPARE(offsets()->model()->rowCount(), 5);
    m_broker->removeGroup(u"billing"_s);
    child<QAction>("refreshGroupsAction")->trigger();
    QTRY_COMPARE(text("groupHeading"), u"billing is not there any more."_s);
    QCOMPARE(offsets()->model()->rowCount(), 0);
    m_broker->removeGroup(u"audit"_s); // between the list and the look
    select(u"audit"_s);
    QTRY_COMPARE(text("groupHeading"), u"audit is not there any more."_s);
}

void tst_GroupsPanel::emptyAndIncompleteListsAreSaid()
{
    m_broker->removeGroup(u"billing"_s);
    m_broker->removeGroup(u"audit"_s);
    openPanel();
    auto *banner = child<Banner>("groupBanner");
    QTRY_VERIFY2(text("groupStatus").contains(u"none that this user may see"_s),
                 qPrintable(text("groupStatus")));
    QVERIFY(!banner->isVisible());
    m_broker->setGroupListErrors({FakeBroker::networkError()});
    m_panel->refresh();
    QTRY_VERIFY(banner->isVisible());
    QVERIFY2(banner->text().contains(u"groups may be missing"_s), qPrintable(banner->text()));
    m_broker->setGroupListErrors({});
    m_broker->failNext(Call::ListGroups,
                       FakeBroker::refusal(31, u"CLUSTER_AUTHORIZATION_FAILED"_s));
    m_panel->refresh();
    QTRY_VERIFY2(banner->text().contains(u"may not do that on the cluster"_s),
                 qPrintable(banner->text()));
    QCOMPARE(text("groupStatus"), u"The groups could not be read."_s);
}

void tst_GroupsPanel::whatCannotBeReadIsSaidInWords()
{
    GroupInfo modern = groupOf(u"modern"_s, GroupState::Stable);
    modern.membersError = Error::make(ErrorKind::Unsupported, u"members need librdkafka 2.10"_s);
    modern.offsets = {{orders(0), Offset{1}, {}, Offset{4}, false, {}}};
    m_broker->setGroup(modern);
    openPanel();
    select(u"modern"_s);
    QTRY_COMPARE(text("groupHeading"), u"modern: stable · lag 3"_s);
    QVERIFY2(text("groupNote").contains(u"librdkafka 2.10"_s), qPrintable(text("groupNote")));
    QVERIFY(child<QLabel>("groupNote")->isVisible());
    QCOMPARE(offsets()->model()->rowCount(), 1); // its offsets are there all the same
    m_broker->failNext(Call::DescribeGroup,
                       FakeBroker::refusal(30, u"GROUP_AUTHORIZATION_FAILED"_s));
    select(u"billing"_s);
    QTRY_COMPARE(text("groupHeading"), u"billing could not be read."_s);
    QVERIFY2(text("groupNote").contains(u"may not look at this consumer group"_s),
             qPrintable(text("groupNote")));
    QCOMPARE(offsets()->model()->rowCount(), 0);
}

void tst_GroupsPanel::aLateAnswerChangesNothing()
{
    openPanel();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    QSignalSpy described(m_session.get(), &SessionHandle::groupDescribed);
    select(u"billing"_s);
    QTRY_COMPARE(offsets()->model()->rowCount(), 5);
    const auto late = described[0][0].value<RequestId>();
    select(u"audit"_s);
    QTRY_COMPARE(text("groupHeading"), u"audit: empty · members 0"_s);
    emit m_session->groupDescribed(late, billing());
    emit m_session->failed(late, FakeBroker::networkError());
    QCOMPARE(text("groupHeading"), u"audit: empty · members 0"_s);
    QCOMPARE(offsets()->model()->rowCount(), 0);
}

void tst_GroupsPanel::filterNarrowsTheList()
{
    openPanel();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    child<QLineEdit>("groupFilter")->setText(u"BILL"_s);
    QCOMPARE(column(table(), GroupListModel::GroupColumn), QStringList{u"billing"_s});
}

void tst_GroupsPanel::isReachedByKeyboard()
{
    openPanel();
    QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    m_panel->setFocus();
    QVERIFY(table()->hasFocus());
    QTest::keyClick(table(), Qt::Key_Down);
    QTest::keyClick(table(), Qt::Key_Down);
    QTRY_COMPARE(offsets()->model()->rowCount(), 5);
    QTest::keyClick(table(), Qt::Key_Return);
    QVERIFY(offsets()->hasFocus());
    QCOMPARE(offsets()->currentIndex().row(), 0);
}

void tst_GroupsPanel::withoutASessionItSaysSo()
{
    openPanel();
    select(u"billing"_s);
    QTRY_COMPARE(offsets()->model()->rowCount(), 5);
    m_panel->setSession(nullptr);
    QCOMPARE(table()->model()->rowCount(), 0);
    QCOMPARE(offsets()->model()->rowCount(), 0);
    QVERIFY2(text("groupStatus").contains(u"no consumer groups"_s),
             qPrintable(text("groupStatus")));
    QVERIFY(!child<QAction>("refreshGroupsAction")->isEnabled());
}

void tst_GroupsPanel::destroyedWhileARequestIsBlocked()
{
    m_broker->blockDeaf(Call::ListGroups);
    openPanel();
    QTRY_COMPARE(m_broker->blocked(Call::ListGroups), 1);
    m_panel.reset();
    m_session.reset();
    QCOMPARE(m_broker->blocked(Call::ListGroups), 1); // nothing was waited for
    m_broker->release(Call::ListGroups);
}

QTEST_MAIN(tst_GroupsPanel)
#include "tst_groupspanel.moc"
