// A login that is refused, of the tree and of tabs: nobody tries it again unasked.

#include "tests/ui/windowbench.h"

#include <QAction>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

class tst_WindowLogin final : public WindowBench
{
    Q_OBJECT
private slots:
    void refusedLoginIsNotTriedAgainUntilAskedTo();
    void tabsWaitForTheTreesLogin();
};

void tst_WindowLogin::refusedLoginIsNotTriedAgainUntilAskedTo()
{
    m_broker.addTopic(u"orders"_s, 1);
    m_broker.appendMany(u"orders"_s, 0, 3);
    openWindow();
    openTopic(u"orders"_s, 0);
    const auto *panel = child<RecordPanel>(u"recordPanel"_s);
    QTRY_COMPARE(panel->connectionState(), ConnectionState::Connected);
    const Error refused = FakeBroker::loginRefusal();
    // Of the tree and of the tab.
    for (const Call call : {Call::ListTopics, Call::Fetch, Call::DescribeTopics})
        m_broker.failNext(call, refused, 100);
    child<QAction>(u"refreshAction"_s)->trigger();
    QTRY_VERIFY2(state().contains(u"login was refused"_s), qPrintable(state()));
    QVERIFY2(!state().contains(u"trying again"_s), qPrintable(state()));
    const auto *status = child<QLabel>(u"recordStatus"_s); // says so once all it asked for failed
    QTRY_VERIFY2(status->text().contains(u"login was refused"_s), qPrintable(status->text()));
    QCOMPARE(panel->connectionState(), ConnectionState::Lost);

    // Asked to, and refused once more.
    m_broker.failNext(Call::Open, refused, 100);
    const int logins = m_broker.calls(Call::Open);
    child<QAction>(u"retryAction"_s)->trigger();
    QTRY_COMPARE(m_broker.calls(Call::Open), logins + 1);
    QCOMPARE(panel->connectionState(), ConnectionState::Lost);

    m_broker.failNext(Call::Open, refused, 0);
    for (const Call call : {Call::ListTopics, Call::Fetch, Call::DescribeTopics})
        m_broker.failNext(call, refused, 0);
    child<QAction>(u"retryAction"_s)->trigger();
    QTRY_VERIFY2(state().startsWith(u"Connected"_s), qPrintable(state()));
    QTRY_COMPARE(panel->connectionState(), ConnectionState::Connected);
    QCOMPARE(m_broker.calls(Call::Open), logins + 3); // the tab waited for the tree's login
}

/// Also where the tree's connection stood while a tab's was refused: a login a tab would lock the
/// account.
void tst_WindowLogin::tabsWaitForTheTreesLogin()
{
    m_broker.addTopic(u"orders"_s, 1);
    m_broker.appendMany(u"orders"_s, 0, 3);
    openWindow();
    openTopic(u"orders"_s, 0);
    const auto *panel = child<RecordPanel>(u"recordPanel"_s);
    QTRY_COMPARE(panel->connectionState(), ConnectionState::Connected);
    const Error refused = FakeBroker::loginRefusal();
    m_broker.failNext(Call::Fetch, refused, 100);
    child<QAction>(u"goToFirstAction"_s)->trigger();
    QTRY_COMPARE(panel->connectionState(), ConnectionState::Lost);
    QVERIFY2(state().startsWith(u"Connected"_s), qPrintable(state()));

    m_broker.failNext(Call::Open, refused, 100);
    const int logins = m_broker.calls(Call::Open);
    child<QAction>(u"retryAction"_s)->trigger();
    QTRY_VERIFY2(state().contains(u"login was refused"_s), qPrintable(state()));
    QCOMPARE(m_broker.calls(Call::Open), logins + 1);

    m_broker.failNext(Call::Open, refused, 0);
    m_broker.failNext(Call::Fetch, refused, 0);
    child<QAction>(u"retryAction"_s)->trigger();
    QTRY_COMPARE(panel->connectionState(), ConnectionState::Connected);
}

QTEST_MAIN(tst_WindowLogin)
#include "tst_windowlogin.moc"
