#include "tests/support/fakesession.h"
#include "ui/openconnections.h"

#include <QSignalSpy>
#include <QTest>

using namespace topicscope;
using namespace topicscope::ui;
using topicscope::test::Call;
using topicscope::test::FakeBroker;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{

SessionConfig config(const QString &name)
{
    SessionConfig c;
    c.name = name;
    c.host = u"127.0.0.1"_s;
    return c;
}

} // namespace

class tst_OpenConnections : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void topicsAppearOnceConnected();
    void sameConnectionIsOpenedOnce();
    void offsetsAreReadAgainAtTheInterval();
    void slowAnswerIsNotAskedForAgain();
    void lostConnectionComesBackWithTheTopicsOfNow();
    void refusedListKeepsTheTopics();
    void closedConnectionIsGoneAndItsSessionToo();
    void destroyedWhileARequestBlocks();
    void offsetsAreLookedUpAFewAtATime();
    void offsetsThatDidNotComeAreWantedWithTheNextList();
};

void tst_OpenConnections::init()
{
    QTest::failOnWarning(QRegularExpression(u".?"_s));
}

void tst_OpenConnections::topicsAppearOnceConnected()
{
    FakeBroker broker;
    broker.addTopic(u"orders"_s, 3);
    OpenConnections connections(broker.factory());
    const ConnectionId id = connections.open(config(u"a"_s));
    QTRY_COMPARE(connections.model()->topics(id).size(), 1);
    QCOMPARE(connections.model()->topics(id).at(0).partitions.size(), 3);
    QTRY_COMPARE(connections.session(id)->state(), ConnectionState::Connected);
}

void tst_OpenConnections::sameConnectionIsOpenedOnce()
{
    FakeBroker broker;
    OpenConnections connections(broker.factory());
    const ConnectionId a = connections.open(config(u"a"_s));
    QVERIFY(connections.open(config(u"b"_s)) != a);
    QCOMPARE(connections.open(config(u"a"_s)), a);
    QCOMPARE(connections.ids().size(), 2);
    // Its clients tell each other of a refused login, and those of another connection nothing.
    QSet<const LoginRefusal *> refusals;
    for (const ConnectionId id : connections.ids())
        refusals.insert(connections.session(id)->config().refusal.shared.get());
    QCOMPARE(refusals.size(), 2);
    QVERIFY(!refusals.contains(nullptr));
}

void tst_OpenConnections::offsetsAreReadAgainAtTheInterval()
{
    FakeBroker broker;
    broker.addTopic(u"orders"_s, 1);
    OpenConnections connections(broker.factory());
    connections.setRefreshInterval(10ms);
    const ConnectionId id = connections.open(config(u"a"_s));
    QTRY_COMPARE(connections.model()->topics(id).size(), 1);
    broker.appendMany(u"orders"_s, 0, 7);
    QTRY_COMPARE(connections.model()->topics(id).at(0).partitions.at(0).highWatermark, Offset{7});
    connections.setRefreshInterval(0ms);
    QTRY_COMPARE(connections.session(id)->state(), ConnectionState::Connected);
    QSignalSpy listed(&connections, &OpenConnections::topicsListed);
    connections.refresh();
    QTRY_VERIFY(listed.count() >= 1);
}

void tst_OpenConnections::slowAnswerIsNotAskedForAgain()
{
    FakeBroker broker;
    OpenConnections connections(broker.factory());
    const ConnectionId id = connections.open(config(u"a"_s));
    QSignalSpy listed(&connections, &OpenConnections::topicsListed);
    QTRY_VERIFY(listed.count() >= 1);
    QTRY_COMPARE(connections.session(id)->state(), ConnectionState::Connected);
    broker.block(Call::ListTopics);
    connections.setRefreshInterval(1ms);
    QTRY_COMPARE(broker.blocked(Call::ListTopics), 1);
    const int calls = broker.calls(Call::ListTopics);
    listed.clear();
    QVERIFY(!listed.wait(100)); // many intervals
    QCOMPARE(broker.calls(Call::ListTopics), calls);
    broker.release(Call::ListTopics);
    QTRY_VERIFY(broker.calls(Call::ListTopics) > calls);
}

void tst_OpenConnections::lostConnectionComesBackWithTheTopicsOfNow()
{
    FakeBroker broker;
    broker.addTopic(u"orders"_s, 1);
    OpenConnections connections(broker.factory());
    const ConnectionId id = connections.open(config(u"a"_s));
    QTRY_COMPARE(connections.model()->topics(id).size(), 1);
    broker.setDown(true);
    connections.refresh();
    QTRY_COMPARE(connections.session(id)->state(), ConnectionState::Lost);
    QCOMPARE(connections.model()->topics(id).size(), 1); // still to be seen
    const QModelIndex row = connections.model()->connectionIndex(id);
    QCOMPARE(row.data(TopicTreeModel::NodeStateRole).value<TopicTreeModel::NodeState>(),
             TopicTreeModel::NodeState::Failed);

    broker.setDown(false);
    broker.addTopic(u"clicks"_s, 1);
    connections.retry(id);
    QTRY_COMPARE(connections.session(id)->state(), ConnectionState::Connected);
    QTRY_COMPARE(connections.model()->topics(id).size(), 2);
}

void tst_OpenConnections::refusedListKeepsTheTopics()
{
    FakeBroker broker;
    broker.addTopic(u"orders"_s, 1);
    OpenConnections connections(broker.factory());
    const ConnectionId id = connections.open(config(u"a"_s));
    QTRY_COMPARE(connections.model()->topics(id).size(), 1);
    QTRY_COMPARE(connections.session(id)->state(), ConnectionState::Connected);
    QSignalSpy failed(&connections, &OpenConnections::listingFailed);
    broker.failNext(Call::ListTopics, FakeBroker::refusal(5, u"CORRUPT_REQUEST"_s));
    connections.refresh();
    QTRY_COMPARE(failed.count(), 1);
    QCOMPARE(failed.at(0).at(1).value<Error>().brokerName, u"CORRUPT_REQUEST"_s);
    QCOMPARE(connections.model()->topics(id).size(), 1);
}

void tst_OpenConnections::closedConnectionIsGoneAndItsSessionToo()
{
    FakeBroker broker;
    OpenConnections connections(broker.factory());
    const ConnectionId id = connections.open(config(u"a"_s));
    QTRY_COMPARE(broker.liveSessions(), 1);
    QSignalSpy closed(&connections, &OpenConnections::closed);
    connections.close(id);
    QCOMPARE(closed.count(), 1);
    QVERIFY(!connections.session(id));
    QCOMPARE(connections.model()->rowCount(), 0);
    QTRY_COMPARE(broker.liveSessions(), 0);
}

void tst_OpenConnections::destroyedWhileARequestBlocks()
{
    FakeBroker broker;
    broker.block(Call::ListTopics);
    {
        OpenConnections connections(broker.factory());
        connections.open(config(u"a"_s));
        QTRY_COMPARE(broker.blocked(Call::ListTopics), 1);
    }
    QTRY_COMPARE(broker.liveSessions(), 0);
}

void tst_OpenConnections::offsetsAreLookedUpAFewAtATime()
{
    FakeBroker broker;
    broker.setOffsetsAskedFor(true);
    QStringList names;
    for (int i = 0; i < 200; ++i) {
        names.append(u"t%1"_s.arg(1000 + i));
        broker.addTopic(names.constLast(), 1);
    }
    broker.append(u"t1003"_s, 0, "value");
    OpenConnections connections(broker.factory());
    const ConnectionId id = connections.open(config(u"a"_s));
    QTRY_COMPARE(connections.model()->topics(id).size(), 200);
    QVERIFY(broker.describedTopics().isEmpty()); // nobody looked yet
    broker.block(Call::DescribeTopics);
    connections.wantOffsets(id, names);
    QTRY_COMPARE(broker.blocked(Call::DescribeTopics), 1);
    // Scrolled on meanwhile: what has gone out of view is not looked up.
    connections.wantOffsets(id, names.last(3));
    QSignalSpy described(&connections, &OpenConnections::topicsDescribed);
    broker.release(Call::DescribeTopics);
    QTRY_COMPARE(described.count(), 2);
    const auto asked = broker.describedTopics();
    QCOMPARE(asked.size(), 2);
    QCOMPARE(asked[0], names.first(64));
    QCOMPARE(asked[1], names.last(3));
    const TopicList topics = connections.model()->topics(id);
    QVERIFY(!lacksOffsets(topics[3]));
    QCOMPARE(topics[3].partitions[0].highWatermark, Offset{1});
    QVERIFY(lacksOffsets(topics[100]));
    QVERIFY(!lacksOffsets(topics[199]));
}

void tst_OpenConnections::offsetsThatDidNotComeAreWantedWithTheNextList()
{
    FakeBroker broker;
    broker.setOffsetsAskedFor(true);
    broker.addTopic(u"orders"_s, 1);
    OpenConnections connections(broker.factory());
    const ConnectionId id = connections.open(config(u"a"_s));
    const auto wants = [&] {
        return connections.model()
            ->topicIndex(id, u"orders"_s)
            .data(TopicTreeModel::WantsOffsetsRole)
            .toBool();
    };
    QTRY_VERIFY(wants());
    broker.failNext(Call::DescribeTopics, Error::make(ErrorKind::Timeout, {}));
    QSignalSpy failed(connections.session(id), &SessionHandle::failed);
    connections.wantOffsets(id, {u"orders"_s});
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(!wants()); // not over and over
    connections.refresh();
    QTRY_VERIFY(wants());
    connections.wantOffsets(id, {u"orders"_s});
    QTRY_VERIFY(!lacksOffsets(connections.model()->topics(id).at(0)));
}

QTEST_GUILESS_MAIN(tst_OpenConnections)
#include "tst_openconnections.moc"
