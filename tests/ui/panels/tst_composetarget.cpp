#include "tests/ui/panels/composebench.h"

using namespace topicscope;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;
using test::Call;
using test::FakeBroker;
using Bench = test::ComposeBench;

namespace
{

/// Another broker than the bench's, with topics of its own, open at the same time.
struct Elsewhere {
    explicit Elsewhere(const QString &name = u"production"_s, bool readOnly = false)
    {
        broker.addTopic(u"orders"_s, 3);
        broker.addTopic(u"payments"_s, 1);
        SessionConfig config;
        config.name = name;
        config.host = u"elsewhere"_s;
        config.readOnly = readOnly;
        session = std::make_unique<SessionHandle>(broker.factory(), config);
        topics = Bench::list(session.get());
    }
    ComposeTarget::Place place(const QString &topic) const
    {
        return {session.get(), session->config(), topics, topic};
    }

    FakeBroker broker;
    std::unique_ptr<SessionHandle> session;
    TopicList topics;
};

QPushButton *useButton(const Bench &bench)
{
    return bench.child<QPushButton>(u"useSelectedButton"_s);
}

QString connection(const Bench &bench)
{
    return bench.text(u"targetConnection"_s);
}

} // namespace

class tst_ComposeTarget : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void draftStaysWithItsConnection();
    void retargetedByTheButtonAlone();
    void otherTopicOfTheSameConnectionIsOffered();
    void emptyDraftFollows();
    void clearedDraftStaysUntilTheNextSelection();
    void partitionByHandDoesNotFollow();
    void undoneDraftGoesBackToItsConnection();
    void closedConnectionIsSaidAndTakenUpAgain();
    void anotherBrokerIsNotTakenUp();
    void readOnlyTargetIsMarked();
    void waitingRecordIsNotSentTwiceAfterAWayAround();
    void longNamesGiveWay();
};

void tst_ComposeTarget::init()
{
    QApplication::setDoubleClickInterval(1);
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support propagateSize)"_s));
}

void tst_ComposeTarget::draftStaysWithItsConnection()
{
    Bench bench;
    Elsewhere production;
    bench.typeKey(u"user-1"_s);
    bench.typeValue(u"for staging"_s);
    bench.panel->lookAt(production.place(u"payments"_s));
    bench.panel->lookAt(production.place(u"orders"_s));
    QCOMPARE(connection(bench), u"localhost:9092"_s);
    QCOMPARE(bench.topic()->currentText(), u"orders"_s);
    // Named in full beside what is offered, in the width it has in the window.
    bench.panel->resize(690, 200);
    const auto *label = bench.child<QLabel>(u"targetConnection"_s);
    QTRY_VERIFY(label->width() >= label->sizeHint().width());
    bench.publish();
    QCOMPARE(bench.values(1), QByteArrayList{"for staging"});
    QCOMPARE(production.broker.calls(Call::Publish), 0);
}

void tst_ComposeTarget::retargetedByTheButtonAlone()
{
    Bench bench;
    Elsewhere production;
    bench.typeValue(u"v"_s);
    QVERIFY(!useButton(bench)->isVisible());
    bench.panel->lookAt(production.place(u"payments"_s));
    QVERIFY(useButton(bench)->isVisible());
    QCOMPARE(useButton(bench)->accessibleName(), u"Use production / payments"_s);
    QTest::mouseClick(useButton(bench), Qt::LeftButton);
    QCOMPARE(connection(bench), u"production"_s);
    QCOMPARE(bench.topic()->currentText(), u"payments"_s);
    QCOMPARE(bench.valueText()->text(), u"v"_s);
    QVERIFY(!useButton(bench)->isVisible());
    bench.publish();
    QCOMPARE(production.broker.values(u"payments"_s, 0), QByteArrayList{"v"});
    QCOMPARE(bench.broker.calls(Call::Publish), 0);
}

void tst_ComposeTarget::otherTopicOfTheSameConnectionIsOffered()
{
    Bench bench;
    bench.typeValue(u"v"_s);
    bench.panel->lookAt(bench.place(u"single"_s));
    QCOMPARE(bench.topic()->currentText(), u"orders"_s);
    QCOMPARE(useButton(bench)->text(), u"Use single"_s);
    bench.topic()->setEditText(u"single"_s); // typed: nothing is left to offer
    QVERIFY(!useButton(bench)->isVisible());
    bench.topic()->setEditText(u"orders"_s);
    QVERIFY(useButton(bench)->isVisible());
}

void tst_ComposeTarget::emptyDraftFollows()
{
    Bench bench;
    Elsewhere production;
    bench.panel->lookAt(bench.place(u"single"_s));
    QCOMPARE(bench.topic()->currentText(), u"single"_s);
    bench.panel->lookAt(production.place({})); // its row in the tree
    QCOMPARE(connection(bench), u"production"_s);
    QCOMPARE(bench.topic()->currentText(), QString());
    QVERIFY(bench.status().contains(u"Choose a topic"_s));
    bench.panel->lookAt(production.place(u"payments"_s));
    QCOMPARE(bench.topic()->currentText(), u"payments"_s);
    bench.panel->lookAt(production.place({})); // back on the row: the topic stays
    QCOMPARE(bench.topic()->currentText(), u"payments"_s);
    QVERIFY(!useButton(bench)->isVisible());
    // A key alone is something composed, and so is an empty one.
    QVERIFY(bench.key()->setMode(PayloadEdit::Mode::Text));
    bench.panel->lookAt(bench.place(u"orders"_s));
    QCOMPARE(connection(bench), u"production"_s);
}

void tst_ComposeTarget::clearedDraftStaysUntilTheNextSelection()
{
    Bench bench;
    Elsewhere production;
    bench.typeValue(u"v"_s);
    bench.panel->lookAt(production.place(u"payments"_s));
    QTest::keyClick(bench.valueText(), Qt::Key_Backspace); // about to type another one
    QTest::mouseClick(bench.child<QPushButton>(u"clearButton"_s), Qt::LeftButton);
    QCOMPARE(connection(bench), u"localhost:9092"_s);
    bench.panel->lookAt(production.place(u"orders"_s));
    QCOMPARE(connection(bench), u"production"_s);
}

void tst_ComposeTarget::partitionByHandDoesNotFollow()
{
    Bench bench;
    const auto *partition = bench.child<QComboBox>(u"partitionBox"_s);
    bench.choose(u"partitionBox"_s, 2);
    bench.panel->lookAt(bench.place(u"orders"_s));
    QCOMPARE(partition->currentData().toInt(), 2);
    bench.panel->lookAt(bench.place(u"single"_s));
    QCOMPARE(partition->currentText(), u"in turn"_s);
}

void tst_ComposeTarget::undoneDraftGoesBackToItsConnection()
{
    Bench bench;
    Elsewhere production;
    bench.typeValue(u"for staging"_s);
    bench.panel->setDraft({{}, QByteArray("copied"), {}, {}}, production.place(u"payments"_s), {});
    QCOMPARE(connection(bench), u"production"_s);
    QTest::mouseClick(bench.child<QPushButton>(u"undoButton"_s), Qt::LeftButton);
    QCOMPARE(bench.valueText()->text(), u"for staging"_s);
    QCOMPARE(connection(bench), u"localhost:9092"_s);
    QCOMPARE(bench.topic()->currentText(), u"orders"_s);
    bench.publish();
    QCOMPARE(production.broker.calls(Call::Publish), 0);
}

void tst_ComposeTarget::closedConnectionIsSaidAndTakenUpAgain()
{
    Bench bench;
    bench.typeValue(u"v"_s);
    bench.session.reset();
    QCOMPARE(connection(bench), u"localhost:9092 (closed)"_s);
    QVERIFY(!bench.button()->isEnabled());
    QVERIFY2(bench.status().contains(u"is closed"_s), qPrintable(bench.status()));

    SessionConfig config;
    config.name = u"staging"_s;
    config.host = u"localhost"_s;
    bench.session = std::make_unique<SessionHandle>(bench.broker.factory(), config);
    bench.topics = Bench::list(bench.session.get());
    bench.panel->lookAt(bench.place(u"single"_s));
    QCOMPARE(connection(bench), u"staging"_s);
    QCOMPARE(bench.topic()->currentText(), u"orders"_s);
    bench.publish();
    QCOMPARE(bench.values(0), QByteArrayList{"v"});
}

void tst_ComposeTarget::anotherBrokerIsNotTakenUp()
{
    Bench bench;
    Elsewhere production;
    bench.typeValue(u"v"_s);
    bench.session.reset();
    bench.panel->lookAt(production.place(u"orders"_s));
    QCOMPARE(connection(bench), u"localhost:9092 (closed)"_s);
    QVERIFY(!bench.button()->isEnabled());
    QCOMPARE(useButton(bench)->accessibleName(), u"Use production / orders"_s);
}

void tst_ComposeTarget::readOnlyTargetIsMarked()
{
    Bench bench;
    Elsewhere production(u"production"_s, true);
    bench.panel->lookAt(production.place(u"orders"_s));
    bench.typeValue(u"v"_s);
    const auto *label = bench.child<QLabel>(u"targetConnection"_s);
    QVERIFY2(label->toolTip().contains(u"read-only"_s), qPrintable(label->toolTip()));
    QVERIFY(!bench.button()->isEnabled());
    // Looking at one that can be written changes nothing.
    bench.panel->lookAt(bench.place(u"orders"_s));
    QVERIFY(!bench.button()->isEnabled());
    QVERIFY(bench.status().contains(u"read-only"_s));
}

void tst_ComposeTarget::waitingRecordIsNotSentTwiceAfterAWayAround()
{
    Bench bench;
    Elsewhere production;
    bench.broker.block(Call::Publish);
    bench.typeValue(u"v"_s);
    QTest::mouseClick(bench.button(), Qt::LeftButton);
    QTRY_COMPARE(bench.broker.blocked(Call::Publish), 1);
    bench.panel->lookAt(production.place(u"orders"_s));
    QTest::mouseClick(useButton(bench), Qt::LeftButton);
    QVERIFY(bench.button()->isEnabled()); // there, it has not been sent
    bench.panel->lookAt(bench.place(u"orders"_s));
    QTest::mouseClick(useButton(bench), Qt::LeftButton);
    QVERIFY(!bench.button()->isEnabled());
    // Its topics are listed meanwhile: that makes no other record of it.
    bench.panel->setTopics(bench.session.get(), bench.topics);
    QVERIFY(!bench.button()->isEnabled());
    QSignalSpy answered(bench.panel.get(), &ComposePanel::answered);
    bench.broker.release(Call::Publish);
    QVERIFY(answered.wait());
    QVERIFY(bench.status().contains(u"Published to orders/0"_s));
    QTRY_VERIFY(bench.button()->isEnabled());
    QCOMPARE(bench.broker.calls(Call::Publish), 1);
}

void tst_ComposeTarget::longNamesGiveWay()
{
    Bench bench;
    const int width = bench.panel->minimumSizeHint().width();
    Elsewhere production(u"production-<b>"_s + QString(200, u'x'));
    bench.typeValue(u"v"_s);
    bench.panel->lookAt(production.place(u"orders"_s));
    QVERIFY(useButton(bench)->text().size() < 50);
    QVERIFY(!useButton(bench)->toolTip().contains(u"<b>"_s));
    QTest::mouseClick(useButton(bench), Qt::LeftButton);
    QCOMPARE(bench.panel->minimumSizeHint().width(), width);
}

QTEST_MAIN(tst_ComposeTarget)
#include "tst_composetarget.moc"
