#include "tests/support/fakesession.h"
#include "ui/models/publishhistorymodel.h"
#include "ui/panels/publishlogpanel.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include <memory>

using namespace topicscope;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;
using test::Call;
using test::FakeBroker;
using Outcome = PublishEntry::Outcome;

namespace
{

struct Bench {
    Bench()
    {
        broker.addTopic(u"orders"_s, 3);
        broker.appendMany(u"orders"_s, 2, 7);
        SessionConfig config;
        config.host = u"localhost"_s;
        session = std::make_unique<SessionHandle>(broker.factory(), config);
        panel = std::make_unique<PublishLogPanel>();
        panel->addSession(session.get());
        panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(panel.get()));
        QTRY_COMPARE(session->state(), ConnectionState::Connected);
    }

    void publish(const QByteArray &value, AckPolicy ack = AckPolicy::Written)
    {
        PublishRequest request;
        request.topic = u"orders"_s;
        request.partition = PartitionId{2};
        request.value = value;
        request.ack = ack;
        const auto id = session->publish(request);
        QVERIFY(id.ok());
        panel->addSubmitted(session.get(), *id, request);
    }
    const PublishEntry &newest() const { return panel->history()->entry(0); }
    QAction *action(const QString &name) const { return panel->findChild<QAction *>(name); }
    QTableView *table() const { return panel->findChild<QTableView *>(u"publishLogTable"_s); }
    QString detail() const { return panel->findChild<QLabel *>(u"publishLogDetail"_s)->text(); }

    FakeBroker broker;
    std::unique_ptr<SessionHandle> session;
    std::unique_ptr<PublishLogPanel> panel;
};

} // namespace

class tst_PublishLogPanel : public QObject
{
    Q_OBJECT
private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
    }
    void publishedRecordIsReachedByEnter();
    void unknownOutcomeIsLookedForAndFound();
    void unknownOutcomeIsLookedForInVain();
    void ackNoneIsSentNotConfirmed();
    void waitingPublishCanBeStopped();
    void editAgainGivesTheRecordBack();
    void recordsOfAClosedConnectionWaitForItsReturn();
    void selectionStaysWhereItWasPut();
    void copyTakesTheWholeLine();
    void destroyedWhileAPublishBlocks();
    void sessionDestroyedTellsThatNothingWasSent();
};

void tst_PublishLogPanel::publishedRecordIsReachedByEnter()
{
    Bench bench;
    QSignalSpy goTo(bench.panel.get(), &PublishLogPanel::goToRequested);
    bench.publish("v");
    QCOMPARE(bench.newest().outcome, Outcome::Waiting);
    QVERIFY(!bench.action(u"goToAction"_s)->isEnabled());
    QTRY_COMPARE(bench.newest().outcome, Outcome::Published);
    QVERIFY(bench.action(u"goToAction"_s)->isEnabled());
    QTest::keyClick(bench.table(), Qt::Key_Return);
    QCOMPARE(goTo.count(), 1);
    QCOMPARE(goTo.at(0).at(1).value<TopicPartition>(),
             (TopicPartition{u"orders"_s, PartitionId{2}}));
    QCOMPARE(goTo.at(0).at(2).value<Offset>(), Offset{7});
}

void tst_PublishLogPanel::unknownOutcomeIsLookedForAndFound()
{
    Bench bench;
    QSignalSpy goTo(bench.panel.get(), &PublishLogPanel::goToRequested);
    bench.broker.loseNextPublishAnswer(true);
    bench.publish("lost");
    QTRY_COMPARE(bench.newest().outcome, Outcome::Unknown);
    QVERIFY(bench.detail().contains(u"Outcome unknown"_s));
    QVERIFY(!bench.action(u"goToAction"_s)->isEnabled());
    bench.action(u"lookForAction"_s)->trigger();
    QTRY_COMPARE(bench.newest().search, PublishEntry::Search::Found);
    QVERIFY2(bench.detail().contains(u"at offset 7"_s), qPrintable(bench.detail()));
    QCOMPARE(bench.broker.calls(Call::Publish), 1);
    bench.action(u"goToAction"_s)->trigger();
    QCOMPARE(goTo.at(0).at(2).value<Offset>(), Offset{7});
}

void tst_PublishLogPanel::unknownOutcomeIsLookedForInVain()
{
    Bench bench;
    bench.broker.append(u"orders"_s, 2, "lost"); // the same bytes, but before it was sent
    bench.broker.loseNextPublishAnswer(false);
    bench.publish("lost");
    QTRY_COMPARE(bench.newest().outcome, Outcome::Unknown);
    QTest::keyClick(bench.table(), Qt::Key_Return); // Enter looks for it
    QTRY_COMPARE(bench.newest().search, PublishEntry::Search::NotFound);
    QVERIFY2(bench.detail().contains(u"from offset 8, its end before sending, to 8,"_s),
             qPrintable(bench.detail()));
    QVERIFY(!bench.action(u"goToAction"_s)->isEnabled());
}

void tst_PublishLogPanel::ackNoneIsSentNotConfirmed()
{
    Bench bench;
    bench.publish("v", AckPolicy::None);
    QTRY_COMPARE(bench.newest().outcome, Outcome::NotConfirmed);
    QVERIFY(bench.detail().contains(u"not confirmed"_s));
    QVERIFY(bench.action(u"lookForAction"_s)->isEnabled());
}

void tst_PublishLogPanel::waitingPublishCanBeStopped()
{
    Bench bench;
    bench.broker.block(Call::Publish);
    bench.publish("v");
    QTRY_COMPARE(bench.broker.blocked(Call::Publish), 1);
    bench.action(u"stopAction"_s)->trigger();
    QTRY_VERIFY(bench.newest().outcome != Outcome::Waiting);
    QVERIFY(!bench.action(u"stopAction"_s)->isEnabled());
}

void tst_PublishLogPanel::editAgainGivesTheRecordBack()
{
    Bench bench;
    QSignalSpy again(bench.panel.get(), &PublishLogPanel::editAgainRequested);
    bench.broker.failNext(Call::Publish, FakeBroker::networkError());
    bench.publish(QByteArray("\x00\xff", 2));
    QTRY_COMPARE(bench.newest().outcome, Outcome::Failed);
    // What can be done about it has a button, the rest has none; Enter does it.
    const auto button = [&](const QString &name) {
        return bench.panel->findChild<QToolButton *>(name);
    };
    QVERIFY(button(u"editAgainButton"_s)->isVisible());
    QVERIFY(!button(u"goToButton"_s)->isVisible());
    QVERIFY(!button(u"lookForButton"_s)->isVisible());
    QVERIFY(!button(u"stopButton"_s)->isVisible());
    QTest::keyClick(bench.table(), Qt::Key_Return);
    QCOMPARE(again.count(), 1);
    QCOMPARE(again.at(0).at(2).value<PublishRequest>().value,
             std::optional(QByteArray("\x00\xff", 2)));
}

void tst_PublishLogPanel::recordsOfAClosedConnectionWaitForItsReturn()
{
    Bench bench;
    bench.publish("v");
    QTRY_COMPARE(bench.newest().outcome, Outcome::Published);
    SessionConfig config;
    config.host = u"elsewhere"_s;
    SessionHandle elsewhere(bench.broker.factory(), config);
    bench.panel->addSession(&elsewhere);
    bench.session.reset();
    QVERIFY(!bench.action(u"goToAction"_s)->isEnabled());
    QVERIFY(bench.action(u"editAgainAction"_s)->isEnabled());
    // Back again, under another name: it is the broker that counts.
    config.host = u"localhost"_s;
    config.name = u"again"_s;
    SessionHandle again(bench.broker.factory(), config);
    bench.panel->addSession(&again);
    QVERIFY(bench.action(u"goToAction"_s)->isEnabled());
    QSignalSpy goTo(bench.panel.get(), &PublishLogPanel::goToRequested);
    bench.action(u"goToAction"_s)->trigger();
    QCOMPARE(goTo.at(0).at(0).value<const SessionHandle *>(), &again);
}

void tst_PublishLogPanel::selectionStaysWhereItWasPut()
{
    Bench bench;
    bench.publish("a");
    bench.publish("b");
    QCOMPARE(bench.table()->currentIndex().row(), 0);
    bench.table()->selectRow(1);
    bench.publish("c");
    QCOMPARE(bench.table()->currentIndex().row(), 2);
    QTRY_COMPARE(bench.newest().outcome, Outcome::Published);
}

void tst_PublishLogPanel::copyTakesTheWholeLine()
{
    Bench bench;
    bench.publish("v");
    QTRY_COMPARE(bench.newest().outcome, Outcome::Published);
    QTest::keyClick(bench.table(), Qt::Key_C, Qt::ControlModifier);
    QVERIFY(QGuiApplication::clipboard()->text().endsWith(
        u" orders/2 offset 7: Published to localhost:9092."_s));
}

void tst_PublishLogPanel::destroyedWhileAPublishBlocks()
{
    Bench bench;
    bench.broker.block(Call::Publish);
    bench.publish("v");
    QTRY_COMPARE(bench.broker.blocked(Call::Publish), 1);
    bench.panel.reset();
    QSignalSpy published(bench.session.get(), &SessionHandle::published);
    bench.broker.release(Call::Publish);
    QVERIFY(published.wait());
}

void tst_PublishLogPanel::sessionDestroyedTellsThatNothingWasSent()
{
    Bench bench;
    bench.broker.block(Call::Publish);
    bench.publish("first");
    bench.publish("second");
    QTRY_COMPARE(bench.broker.blocked(Call::Publish), 1);
    bench.session.reset();
    QTRY_COMPARE(bench.newest().outcome, Outcome::Failed);
    QVERIFY2(bench.detail().contains(u"Nothing was sent"_s), qPrintable(bench.detail()));
    QVERIFY(!bench.action(u"lookForAction"_s)->isEnabled());
    QVERIFY(bench.action(u"editAgainAction"_s)->isEnabled());
}

QTEST_MAIN(tst_PublishLogPanel)
#include "tst_publishlogpanel.moc"
