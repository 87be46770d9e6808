#include "core/session/sessionhandle.h"
#include "tests/support/fakesession.h"
#include "tests/support/promptness.h"

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

using namespace topicscope;
using namespace topicscope::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{

TopicPartition at(const char *topic, qint32 partition)
{
    return {QString::fromLatin1(topic), PartitionId{partition}};
}

FetchRequest from(qint64 offset, qint32 partition = 0)
{
    FetchRequest request;
    request.partition = at("orders", partition);
    request.offset = Offset{offset};
    return request;
}

PublishRequest publishOf(const QByteArray &value)
{
    PublishRequest request;
    request.topic = u"orders"_s;
    request.partition = PartitionId{0};
    request.value = value;
    return request;
}

/// Everything a handle says, in order, as text: "fetched 3 orders/0 @0+2".
class Log : public QObject
{
public:
    explicit Log(SessionHandle *handle)
    {
        connect(handle, &SessionHandle::stateChanged, this, [this](ConnectionState state) {
            m_lines << u"state %1"_s.arg(
                QList<QString>{u"connecting"_s, u"connected"_s, u"lost"_s}[int(state)]);
        });
        connect(handle, &SessionHandle::topicsListed, this,
                [this](RequestId id, const TopicList &topics) {
                    m_lines << u"topics %1: %2"_s.arg(id.value).arg(topics.size());
                });
        connect(handle, &SessionHandle::fetched, this,
                [this](RequestId id, const FetchResult &result) {
                    m_lines << u"fetched %1: %2/%3 @%4+%5"_s.arg(id.value)
                                   .arg(result.partition.topic)
                                   .arg(result.partition.partition.value)
                                   .arg(result.fetchOffset.value)
                                   .arg(result.chunk->records().size());
                });
        connect(handle, &SessionHandle::fetchFailed, this,
                [this](RequestId id, const TopicPartition &partition, const Error &error) {
                    m_lines << u"fetch failed %1: %2/%3 %4"_s.arg(id.value)
                                   .arg(partition.topic)
                                   .arg(partition.partition.value)
                                   .arg(errorKindName(error.kind));
                });
        connect(handle, &SessionHandle::fetchFinished, this,
                [this](RequestId id) { m_lines << u"fetch finished %1"_s.arg(id.value); });
        connect(handle, &SessionHandle::published, this,
                [this](RequestId id, const PublishResult &result) {
                    m_lines << u"published %1: %2"_s.arg(id.value).arg(
                        result.offset ? result.offset->value : -1);
                });
        connect(handle, &SessionHandle::lookedFor, this,
                [this](RequestId id, const LookForResult &result) {
                    m_lines << u"looked for %1: %2"_s.arg(id.value).arg(
                        result.offset ? result.offset->value : -1);
                });
        connect(handle, &SessionHandle::failed, this, [this](RequestId id, const Error &error) {
            m_lines << u"failed %1: %2"_s.arg(id.value).arg(errorKindName(error.kind));
            m_error = error;
        });
    }

    const QStringList &lines() const { return m_lines; }
    void clear() { m_lines.clear(); }
    /// The last failed() error.
    const Error &error() const { return m_error; }

private:
    QStringList m_lines;
    Error m_error;
};

} // namespace

class tst_SessionHandle : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void connectsByItselfAndTellsCapabilities();
    void sessionLivesOnItsOwnThread();
    void answersCarryTheirIdsAndNeverArriveInsideTheCall();
    void waitingListTopicsIsShared();
    void listsTopicsAgainWhileOneIsRunning();
    void waitingDescribeTopicsTakesMoreNames();
    void clusterComesBeforeItsTopics();
    void newestFetchWinsOverRunningAndWaiting();
    void resultsOnTheirWayAreDroppedWhenANewerFetchIsAsked();
    void fetchWithoutRequestsFinishes();
    void onePartitionFailingLeavesTheOthers();
    void unreachableBrokerFailsTheRestUntried();
    void publishesInOrder();
    void seventeenthWaitingPublishIsBusy();
    void readOnlyIsRefusedBelowTheHandle();
    void outcomeUnknownPassesThroughAndIsNotRepeated();
    void failedPublishIsNotRepeatedAfterReconnecting();
    void looksForARecord();
    void cancelsABlockedRequest();
    void cancelsAWaitingRequest();
    void requestsTakeOverFromABlockedConnect();
    void deadlineEndsARequest();
    void destructionDoesNotWaitForTheBlockedCall_data();
    void destructionDoesNotWaitForTheBlockedCall();
    void destructionTellsWhatBecameOfPublishes();
    void destructionTellsThatAPublishWasLost();
    void brokerLostAndBack();
    void backOffDoubles();
    void refusalIsNoLoss();
    void requestReconnectsWithoutWaitingForTheBackOff();
    void reconnectNowDoesNotWait();
    void rulesThatDoNotComeAreNoLoss();
    void whatCannotBeOpenedIsNotTriedForEver_data();
    void whatCannotBeOpenedIsNotTriedForEver();
    void wrongSettingsEndWhatWasToBeTriedAgain();

private:
    std::unique_ptr<SessionHandle> makeHandle();
    /// A handle that is connected, its queue empty.
    std::unique_ptr<SessionHandle> makeConnected();
    /// Whether it will connect again by itself.
    static bool isTryingAgain(const SessionHandle &handle)
    {
        return handle.findChild<QTimer *>()->isActive();
    }

    std::optional<FakeBroker> m_broker;
    SessionConfig m_config;
};

void tst_SessionHandle::init()
{
    QTest::failOnWarning(QRegularExpression(u".?"_s));
    m_broker.emplace();
    m_broker->addTopic(u"orders"_s, 3);
    m_broker->appendMany(u"orders"_s, 0, 5);
    m_broker->appendMany(u"orders"_s, 1, 2);
    m_config = {};
    m_config.host = u"broker.test"_s;
    m_config.reconnectFirst = 1ms;
    m_config.reconnectMax = 4ms;
}

std::unique_ptr<SessionHandle> tst_SessionHandle::makeHandle()
{
    return std::make_unique<SessionHandle>(m_broker->factory(), m_config);
}

std::unique_ptr<SessionHandle> tst_SessionHandle::makeConnected()
{
    auto handle = makeHandle();
    if (!QTest::qWaitFor([&] { return handle->state() == ConnectionState::Connected; }))
        qFatal("never connected");
    // The attempt has its answer before it is over, and what is asked meanwhile waits for that.
    QSignalSpy idle(handle.get(), &SessionHandle::fetchFinished);
    handle->fetch({});
    if (!idle.wait())
        qFatal("still connecting");
    return handle;
}

void tst_SessionHandle::connectsByItselfAndTellsCapabilities()
{
    const auto handle = makeHandle();
    QCOMPARE(handle->state(), ConnectionState::Connecting);
    QSignalSpy known(handle.get(), &SessionHandle::capabilitiesKnown);
    QTRY_COMPARE(handle->state(), ConnectionState::Connected);
    QCOMPARE(known.count(), 1);
    QCOMPARE(handle->capabilities(), FakeBroker::booblikCapabilities());
    QCOMPARE(m_broker->calls(Call::Open), 1);
}

void tst_SessionHandle::sessionLivesOnItsOwnThread()
{
    QThread *madeOn = nullptr;
    const SessionFactory factory = [&](const SessionConfig &config) {
        madeOn = QThread::currentThread();
        return m_broker->factory()(config);
    };
    {
        const SessionHandle handle(factory, m_config);
        QTRY_COMPARE(handle.state(), ConnectionState::Connected);
        QVERIFY(madeOn != thread());
        QCOMPARE(m_broker->liveSessions(), 1);
    }
    QTRY_COMPARE(m_broker->liveSessions(), 0);
}

void tst_SessionHandle::answersCarryTheirIdsAndNeverArriveInsideTheCall()
{
    const auto handle = makeConnected();
    Log log(handle.get());
    const RequestId topics = handle->listTopics();
    const RequestId fetch = handle->fetch({from(1), from(0, 1)});
    const RequestId publish = handle->publish(publishOf("new")).value();
    const RequestId look = handle->lookFor(at("orders", 0), Offset{0}, "new");
    QVERIFY(topics && fetch && publish && look);
    QVERIFY(log.lines().isEmpty());
    QTRY_COMPARE(log.lines().size(), 6);
    QCOMPARE(log.lines(), QStringList({
                              u"topics %1: 1"_s.arg(topics.value),
                              u"fetched %1: orders/0 @1+4"_s.arg(fetch.value),
                              u"fetched %1: orders/1 @0+2"_s.arg(fetch.value),
                              u"fetch finished %1"_s.arg(fetch.value),
                              u"published %1: 5"_s.arg(publish.value),
                              u"looked for %1: 5"_s.arg(look.value),
                          }));
}

void tst_SessionHandle::waitingListTopicsIsShared()
{
    const auto handle = makeConnected();
    m_broker->block(Call::Publish);
    QVERIFY(handle->publish(publishOf("x")).ok());
    QTRY_COMPARE(m_broker->blocked(Call::Publish), 1);
    QSignalSpy listed(handle.get(), &SessionHandle::topicsListed);
    const RequestId first = handle->listTopics();
    QCOMPARE(handle->listTopics(), first);
    QCOMPARE(handle->listTopics(), first);
    m_broker->release(Call::Publish);
    QVERIFY(listed.wait());
    QCOMPARE(m_broker->calls(Call::ListTopics), 1);
}

void tst_SessionHandle::listsTopicsAgainWhileOneIsRunning()
{
    const auto handle = makeConnected();
    m_broker->block(Call::ListTopics);
    const RequestId running = handle->listTopics();
    QTRY_COMPARE(m_broker->blocked(Call::ListTopics), 1);
    const RequestId fresh = handle->listTopics(); // what the running one saw may be old by now
    QVERIFY(fresh != running);
    QSignalSpy listed(handle.get(), &SessionHandle::topicsListed);
    m_broker->release(Call::ListTopics);
    QTRY_COMPARE(listed.count(), 2);
    QCOMPARE(listed.at(0).at(0).value<RequestId>(), running);
    QCOMPARE(listed.at(1).at(0).value<RequestId>(), fresh);
}

void tst_SessionHandle::waitingDescribeTopicsTakesMoreNames()
{
    m_broker->addTopic(u"clicks"_s, 1);
    m_broker->setOffsetsAskedFor(true);
    const auto handle = makeConnected();
    m_broker->block(Call::Publish);
    QVERIFY(handle->publish(publishOf("x")).ok());
    QTRY_COMPARE(m_broker->blocked(Call::Publish), 1);
    QSignalSpy described(handle.get(), &SessionHandle::topicsDescribed);
    const RequestId first = handle->describeTopics({u"orders"_s});
    QCOMPARE(handle->describeTopics({u"clicks"_s, u"orders"_s}), first);
    m_broker->release(Call::Publish);
    QVERIFY(described.wait());
    QCOMPARE(m_broker->describedTopics(), QList<QStringList>({{u"orders"_s, u"clicks"_s}}));
    QCOMPARE(described.at(0).at(0).value<RequestId>(), first);
    const auto topics = described.at(0).at(1).value<TopicList>();
    QCOMPARE(topics.size(), 2);
    QVERIFY(!lacksOffsets(topics[0]));
    // One that has begun is left alone: what it saw may be old by now.
    m_broker->block(Call::DescribeTopics);
    const RequestId running = handle->describeTopics({u"orders"_s});
    QTRY_COMPARE(m_broker->blocked(Call::DescribeTopics), 1);
    QVERIFY(handle->describeTopics({u"orders"_s}) != running);
    m_broker->release(Call::DescribeTopics);
    QTRY_COMPARE(described.count(), 3);
}

void tst_SessionHandle::clusterComesBeforeItsTopics()
{
    Capabilities capabilities = FakeBroker::booblikCapabilities();
    capabilities.brokers = true;
    m_broker->setCapabilities(capabilities);
    m_broker->setCluster({u"id"_s, 2, {{1, u"one.example"_s, 9092}, {2, u"two.example"_s, 9093}}});
    const auto handle = makeConnected();
    QStringList order;
    connect(handle.get(), &SessionHandle::clusterDescribed, this,
            [&order](RequestId, const ClusterInfo &cluster) {
                order += u"%1 brokers"_s.arg(cluster.brokers.size());
            });
    connect(handle.get(), &SessionHandle::topicsListed, this, [&order] { order += u"topics"_s; });
    handle->listTopics();
    QTRY_COMPARE(order, QStringList({u"2 brokers"_s, u"topics"_s}));
}

void tst_SessionHandle::newestFetchWinsOverRunningAndWaiting()
{
    const auto handle = makeConnected();
    Log log(handle.get());
    m_broker->block(Call::Fetch);
    const RequestId running = handle->fetch({from(0), from(0, 1)});
    QTRY_COMPARE(m_broker->blocked(Call::Fetch), 1);
    const RequestId waiting = handle->fetch({from(1)});
    const RequestId newest = handle->fetch({from(2)});
    QTRY_COMPARE(m_broker->fetchRequests().back().offset, Offset{2});
    m_broker->release(Call::Fetch);
    QTRY_VERIFY(log.lines().contains(u"fetch finished %1"_s.arg(newest.value)));
    QCOMPARE(log.lines().size(), 4);
    QVERIFY(log.lines().contains(u"fetch finished %1"_s.arg(running.value)));
    QVERIFY(log.lines().contains(u"fetch finished %1"_s.arg(waiting.value)));
    QVERIFY(log.lines().contains(u"fetched %1: orders/0 @2+3"_s.arg(newest.value)));
    QCOMPARE(m_broker->calls(Call::Fetch), 2);
}

void tst_SessionHandle::resultsOnTheirWayAreDroppedWhenANewerFetchIsAsked()
{
    const auto handle = makeConnected();
    Log log(handle.get());
    m_broker->block(Call::Fetch);
    const RequestId old = handle->fetch({from(0), from(1)});
    // No event loop here: the first result is posted to this thread and stays there.
    const QDeadlineTimer deadline(5s);
    const auto secondCallBegan = [&] { return m_broker->calls(Call::Fetch) == 2; };
    while (m_broker->blocked(Call::Fetch) == 0 && !deadline.hasExpired())
        QThread::yieldCurrentThread();
    m_broker->releaseOne(Call::Fetch);
    while (!secondCallBegan() && !deadline.hasExpired())
        QThread::yieldCurrentThread();
    QVERIFY(secondCallBegan());
    const RequestId newest = handle->fetch({from(2)});
    m_broker->release(Call::Fetch);
    QTRY_COMPARE(log.lines(), QStringList({u"fetch finished %1"_s.arg(old.value),
                                           u"fetched %1: orders/0 @2+3"_s.arg(newest.value),
                                           u"fetch finished %1"_s.arg(newest.value)}));
}

void tst_SessionHandle::fetchWithoutRequestsFinishes()
{
    const auto handle = makeConnected();
    Log log(handle.get());
    const RequestId id = handle->fetch({});
    QTRY_COMPARE(log.lines(), QStringList{u"fetch finished %1"_s.arg(id.value)});
}

void tst_SessionHandle::onePartitionFailingLeavesTheOthers()
{
    const auto handle = makeConnected();
    Log log(handle.get());
    m_broker->failPartition(u"orders"_s, 1, FakeBroker::refusal(5, u"CORRUPT_REQUEST"_s));
    const RequestId id = handle->fetch({from(99), from(0, 1), from(4)});
    QTRY_COMPARE(log.lines(), QStringList({
                                  u"fetch failed %1: orders/0 Broker"_s.arg(id.value),
                                  u"fetch failed %1: orders/1 Broker"_s.arg(id.value),
                                  u"fetched %1: orders/0 @4+1"_s.arg(id.value),
                                  u"fetch finished %1"_s.arg(id.value),
                              }));
    log.clear();
    m_broker->failNext(Call::Fetch, FakeBroker::networkError());
    const RequestId second = handle->fetch({from(0), from(4)});
    QTRY_COMPARE(log.lines(), QStringList({
                                  u"state lost"_s,
                                  u"fetch failed %1: orders/0 Network"_s.arg(second.value),
                                  u"state connected"_s,
                                  u"fetched %1: orders/0 @4+1"_s.arg(second.value),
                                  u"fetch finished %1"_s.arg(second.value),
                              }));
}

void tst_SessionHandle::unreachableBrokerFailsTheRestUntried()
{
    m_config.reconnectFirst = m_config.reconnectMax = 1h;
    const auto handle = makeConnected();
    Log log(handle.get());
    m_broker->setDown(true);
    const RequestId id = handle->fetch({from(0), from(1), from(2)});
    QTRY_COMPARE(log.lines(), QStringList({
                                  u"state lost"_s,
                                  u"fetch failed %1: orders/0 Network"_s.arg(id.value),
                                  u"fetch failed %1: orders/0 Network"_s.arg(id.value),
                                  u"fetch failed %1: orders/0 Network"_s.arg(id.value),
                                  u"fetch finished %1"_s.arg(id.value),
                              }));
    QCOMPARE(m_broker->calls(Call::Fetch), 1);
    QCOMPARE(m_broker->calls(Call::Open), 2);
}

void tst_SessionHandle::publishesInOrder()
{
    const auto handle = makeConnected();
    QSignalSpy published(handle.get(), &SessionHandle::published);
    QList<RequestId> ids;
    for (const char *value : {"a", "b", "c"})
        ids << handle->publish(publishOf(value)).value();
    QTRY_COMPARE(published.count(), 3);
    for (int i = 0; i < 3; ++i) {
        QCOMPARE(published.at(i).at(0).value<RequestId>(), ids.at(i));
        QCOMPARE(published.at(i).at(1).value<PublishResult>().offset, std::optional(Offset{5 + i}));
    }
    QCOMPARE(m_broker->values(u"orders"_s, 0).mid(5), QList<QByteArray>({"a", "b", "c"}));
}

void tst_SessionHandle::seventeenthWaitingPublishIsBusy()
{
    const auto handle = makeConnected();
    QSignalSpy published(handle.get(), &SessionHandle::published);
    m_broker->block(Call::Publish);
    QVERIFY(handle->publish(publishOf("running")).ok());
    QTRY_COMPARE(m_broker->blocked(Call::Publish), 1);
    for (int i = 0; i < 16; ++i)
        QVERIFY(handle->publish(publishOf(QByteArray::number(i))).ok());
    const auto refused = handle->publish(publishOf("one too many"));
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, ErrorKind::Busy);
    m_broker->release(Call::Publish);
    QTRY_COMPARE(published.count(), 17);
    QVERIFY(handle->publish(publishOf("again")).ok());
    QTRY_COMPARE(published.count(), 18);
    QCOMPARE(m_broker->values(u"orders"_s, 0).last(), "again");
    QVERIFY(!m_broker->values(u"orders"_s, 0).contains("one too many"));
}

void tst_SessionHandle::readOnlyIsRefusedBelowTheHandle()
{
    m_config.readOnly = true;
    const auto handle = makeConnected();
    Log log(handle.get());
    const RequestId id = handle->publish(publishOf("x")).value();
    QTRY_COMPARE(log.lines(), QStringList{u"failed %1: ReadOnly"_s.arg(id.value)});
    QCOMPARE(m_broker->calls(Call::Publish), 0);
    QCOMPARE(handle->state(), ConnectionState::Connected);

    const auto session = m_broker->factory()(m_config);
    const auto direct = session->publish(publishOf("x"), CallContext{});
    QVERIFY(!direct);
    QCOMPARE(direct.error().kind, ErrorKind::ReadOnly);
    QCOMPARE(m_broker->calls(Call::Publish), 0);
}

void tst_SessionHandle::outcomeUnknownPassesThroughAndIsNotRepeated()
{
    const auto handle = makeConnected();
    Log log(handle.get());
    m_broker->loseNextPublishAnswer(/*stored*/ true);
    const RequestId id = handle->publish(publishOf("once")).value();
    QTRY_COMPARE(log.lines(), QStringList{u"failed %1: OutcomeUnknown"_s.arg(id.value)});
    QCOMPARE(log.error().where.topic, u"orders"_s);
    QCOMPARE(log.error().where.partition, std::optional(PartitionId{0}));
    QCOMPARE(log.error().where.offset, std::optional(Offset{5}));
    QTRY_COMPARE(m_broker->calls(Call::Open), 2); // the connection is looked after
    const RequestId look = handle->lookFor(at("orders", 0), *log.error().where.offset, "once");
    QTRY_COMPARE(log.lines().last(), u"looked for %1: 5"_s.arg(look.value));
    QCOMPARE(m_broker->calls(Call::Publish), 1);
    QCOMPARE(m_broker->values(u"orders"_s, 0).count("once"), 1);
}

void tst_SessionHandle::failedPublishIsNotRepeatedAfterReconnecting()
{
    const auto handle = makeConnected();
    Log log(handle.get());
    m_broker->failNext(Call::Publish, FakeBroker::networkError());
    const RequestId id = handle->publish(publishOf("x")).value();
    QTRY_COMPARE(log.lines(), QStringList({u"state lost"_s, u"failed %1: Network"_s.arg(id.value),
                                           u"state connected"_s}));
    QCOMPARE(m_broker->calls(Call::Publish), 1);
    QVERIFY(!m_broker->values(u"orders"_s, 0).contains("x"));
}

void tst_SessionHandle::looksForARecord()
{
    const auto handle = makeConnected();
    Log log(handle.get());
    const RequestId there = handle->lookFor(at("orders", 0), Offset{1}, "r-3");
    const RequestId gone = handle->lookFor(at("orders", 0), Offset{4}, "r-3");
    const RequestId wrong = handle->lookFor(at("odrers", 0), Offset{0}, "r-3");
    QTRY_COMPARE(log.lines(), QStringList({u"looked for %1: 3"_s.arg(there.value),
                                           u"looked for %1: -1"_s.arg(gone.value),
                                           u"failed %1: Broker"_s.arg(wrong.value)}));
}

void tst_SessionHandle::cancelsABlockedRequest()
{
    const auto handle = makeConnected();
    m_broker->block(Call::ListTopics);
    m_broker->block(Call::Fetch);
    const qint64 quickestMs = quickest([&](qint64 &took) {
        Log log(handle.get());
        const RequestId topics = handle->listTopics();
        QTRY_COMPARE(m_broker->blocked(Call::ListTopics), 1);
        QElapsedTimer timer;
        timer.start();
        handle->cancel(topics);
        QVERIFY(log.lines().isEmpty());
        QTRY_COMPARE(log.lines(), QStringList{u"failed %1: Cancelled"_s.arg(topics.value)});
        took = timer.elapsed();
    });
    QVERIFY2(quickestMs < kCancelledMs, qPrintable(QString::number(quickestMs)));

    Log log(handle.get());
    const RequestId fetch = handle->fetch({from(0), from(1)});
    QTRY_COMPARE(m_broker->blocked(Call::Fetch), 1);
    handle->cancel(fetch);
    QTRY_COMPARE(log.lines(), QStringList{u"fetch finished %1"_s.arg(fetch.value)});
    QCOMPARE(m_broker->calls(Call::Fetch), 1);
    QCOMPARE(handle->state(), ConnectionState::Connected);
}

void tst_SessionHandle::cancelsAWaitingRequest()
{
    const auto handle = makeConnected();
    Log log(handle.get());
    m_broker->block(Call::ListTopics);
    handle->listTopics();
    QTRY_COMPARE(m_broker->blocked(Call::ListTopics), 1);
    const RequestId publish = handle->publish(publishOf("never")).value();
    const RequestId fetch = handle->fetch({from(0)});
    handle->cancel(publish);
    handle->cancel(fetch);
    handle->cancel(RequestId{12345}); // unknown or long over: nothing
    QVERIFY(log.lines().isEmpty());
    QTRY_COMPARE(log.lines(), QStringList({u"failed %1: Cancelled"_s.arg(publish.value),
                                           u"fetch finished %1"_s.arg(fetch.value)}));
    m_broker->release(Call::ListTopics);
    QTRY_COMPARE(log.lines().size(), 3);
    QCOMPARE(m_broker->calls(Call::Publish), 0);
    QCOMPARE(m_broker->calls(Call::Fetch), 0);
}

void tst_SessionHandle::requestsTakeOverFromABlockedConnect()
{
    m_broker->block(Call::Open);
    const auto handle = makeHandle();
    QTRY_COMPARE(m_broker->blocked(Call::Open), 1);
    QSignalSpy listed(handle.get(), &SessionHandle::topicsListed);
    handle->listTopics();
    QVERIFY(listed.wait());
    QCOMPARE(handle->state(), ConnectionState::Connected);
}

void tst_SessionHandle::deadlineEndsARequest()
{
    m_config.requestTimeout = 50ms;
    m_config.publishTimeout = 60ms;
    const auto handle = makeConnected();
    Log log(handle.get());
    m_broker->block(Call::ListTopics);
    m_broker->block(Call::Publish);
    const RequestId topics = handle->listTopics();
    const RequestId publish = handle->publish(publishOf("x")).value();
    QTRY_VERIFY(log.lines().contains(u"failed %1: Timeout"_s.arg(topics.value)));
    QTRY_VERIFY(log.lines().contains(u"failed %1: Timeout"_s.arg(publish.value)));
    QVERIFY(log.lines().contains(u"state lost"_s));
}

void tst_SessionHandle::destructionDoesNotWaitForTheBlockedCall_data()
{
    QTest::addColumn<Call>("call");
    QTest::newRow("open") << Call::Open;
    QTest::newRow("list topics") << Call::ListTopics;
    QTest::newRow("fetch") << Call::Fetch;
    QTest::newRow("publish") << Call::Publish;
}

void tst_SessionHandle::destructionDoesNotWaitForTheBlockedCall()
{
    QFETCH(Call, call);
    m_broker->blockDeaf(call);
    auto handle = makeHandle();
    if (call != Call::Open) {
        handle->listTopics();
        QVERIFY(handle->publish(publishOf("x")).ok());
        handle->fetch({from(0)});
    }
    QTRY_COMPARE(m_broker->blocked(call), 1);
    handle.reset();
    QCOMPARE(m_broker->blocked(call), 1);
    m_broker->release(call);
    QTRY_COMPARE(m_broker->liveSessions(), 0);
}

void tst_SessionHandle::destructionTellsWhatBecameOfPublishes()
{
    auto handle = makeConnected();
    Log log(handle.get());
    m_broker->block(Call::Publish);
    const RequestId running = handle->publish(publishOf("running")).value();
    handle->listTopics();
    const RequestId second = handle->publish(publishOf("second")).value();
    const RequestId third = handle->publish(publishOf("third")).value();
    QTRY_COMPARE(m_broker->blocked(Call::Publish), 1);
    handle.reset();
    QCOMPARE(log.lines(), QStringList({u"failed %1: Closed"_s.arg(running.value),
                                       u"failed %1: Closed"_s.arg(second.value),
                                       u"failed %1: Closed"_s.arg(third.value)}));
    QVERIFY(log.error().retriable);
    QCOMPARE(m_broker->values(u"orders"_s, 0).size(), 5);
}

void tst_SessionHandle::destructionTellsThatAPublishWasLost()
{
    m_broker->loseNextPublishAnswer(/*stored*/ true);
    auto handle = makeConnected();
    Log log(handle.get());
    const RequestId sent = handle->publish(publishOf("sent")).value();
    const RequestId waiting = handle->publish(publishOf("waiting")).value();
    // No event loop runs here: the answer is on its way when the handle ends.
    const QDeadlineTimer deadline(5s);
    while (!m_broker->values(u"orders"_s, 0).contains("sent"))
        QVERIFY(!deadline.hasExpired());
    handle.reset();
    QCOMPARE(log.lines(), QStringList({u"failed %1: OutcomeUnknown"_s.arg(sent.value),
                                       u"failed %1: Closed"_s.arg(waiting.value)}));
}

void tst_SessionHandle::brokerLostAndBack()
{
    const auto handle = makeConnected();
    Log log(handle.get());
    m_broker->setDown(true);
    const RequestId lost = handle->listTopics();
    QTRY_COMPARE(log.lines(),
                 QStringList({u"state lost"_s, u"failed %1: Network"_s.arg(lost.value)}));
    QCOMPARE(handle->lastError().kind, ErrorKind::Network);
    const int attempts = m_broker->calls(Call::Open);
    QTRY_VERIFY(m_broker->calls(Call::Open) >= attempts + 3); // goes on trying
    QCOMPARE(handle->state(), ConnectionState::Lost);
    m_broker->setDown(false);
    QTRY_COMPARE(handle->state(), ConnectionState::Connected);
    QCOMPARE(log.lines().mid(2), QStringList{u"state connected"_s});
}

void tst_SessionHandle::backOffDoubles()
{
    m_config.reconnectFirst = 40ms;
    m_config.reconnectMax = 160ms;
    m_broker->failNext(Call::Open, FakeBroker::networkError(), 4);
    QElapsedTimer timer;
    timer.start();
    const auto handle = makeConnected();
    // 40 + 80 + 160 + 160 ms, timers being allowed to come 5 % early; no upper bound on a busy
    // machine.
    QVERIFY2(timer.elapsed() >= 418, qPrintable(QString::number(timer.elapsed())));
    QCOMPARE(m_broker->calls(Call::Open), 5);
}

void tst_SessionHandle::refusalIsNoLoss()
{
    const auto handle = makeConnected();
    Log log(handle.get());
    m_broker->failNext(Call::ListTopics, FakeBroker::refusal(4, u"UNSUPPORTED_VERSION"_s));
    const RequestId id = handle->listTopics();
    QTRY_COMPARE(log.lines(), QStringList{u"failed %1: Broker"_s.arg(id.value)});
    QCOMPARE(log.error().brokerName, u"UNSUPPORTED_VERSION"_s);
    QCOMPARE(handle->state(), ConnectionState::Connected);
}

void tst_SessionHandle::requestReconnectsWithoutWaitingForTheBackOff()
{
    m_config.reconnectFirst = m_config.reconnectMax = 1h;
    m_broker->setDown(true);
    const auto handle = makeHandle();
    QTRY_COMPARE(handle->state(), ConnectionState::Lost);
    m_broker->setDown(false);
    QSignalSpy listed(handle.get(), &SessionHandle::topicsListed);
    handle->listTopics();
    QVERIFY(listed.wait());
    QCOMPARE(handle->state(), ConnectionState::Connected);
}

void tst_SessionHandle::reconnectNowDoesNotWait()
{
    m_config.reconnectFirst = m_config.reconnectMax = 1h;
    m_broker->setDown(true);
    const auto handle = makeHandle();
    QTRY_COMPARE(handle->state(), ConnectionState::Lost);
    m_broker->setDown(false);
    handle->reconnectNow();
    QTRY_COMPARE(handle->state(), ConnectionState::Connected);
}

void tst_SessionHandle::rulesThatDoNotComeAreNoLoss()
{
    const auto handle = makeConnected();
    QSignalSpy read(handle.get(), &SessionHandle::topicRulesRead);
    Log log(handle.get());
    m_broker->failNext(Call::TopicRules, Error::make(ErrorKind::Timeout, {}), 1000);
    const RequestId id = handle->readTopicRules(u"orders"_s);
    QTRY_COMPARE(read.count(), 1);
    QCOMPARE(read.at(0).at(0).value<RequestId>(), id);
    QVERIFY(!read.at(0).at(1).value<std::optional<TopicRules>>());
    const RequestId list = handle->listTopics(); // its answer comes behind all that may follow
    QTRY_COMPARE(log.lines(), QStringList{u"topics %1: 1"_s.arg(list.value)});
    QCOMPARE(handle->state(), ConnectionState::Connected);
    QCOMPARE(m_broker->calls(Call::TopicRules), 1);
}

void tst_SessionHandle::whatCannotBeOpenedIsNotTriedForEver_data()
{
    QTest::addColumn<ErrorKind>("kind");
    QTest::newRow("file") << ErrorKind::Io;
    QTest::newRow("setting") << ErrorKind::InvalidArgument;
    QTest::newRow("engine") << ErrorKind::Unsupported;
    QTest::newRow("size") << ErrorKind::RecordExceedsMaxBytes;
}

void tst_SessionHandle::whatCannotBeOpenedIsNotTriedForEver()
{
    QFETCH(ErrorKind, kind);
    m_broker->failNext(Call::Open, Error::make(kind, u"for good"_s), 1000);
    const auto handle = makeHandle();
    QTRY_COMPARE(handle->state(), ConnectionState::Lost);
    QCOMPARE(handle->lastError().kind, kind);
    QVERIFY(!isTryingAgain(*handle));
    // A request is still made, and says how it is.
    QSignalSpy listed(handle.get(), &SessionHandle::topicsListed);
    const int attempts = m_broker->calls(Call::Open);
    handle->listTopics();
    QTRY_COMPARE(listed.count(), 1);
    QCOMPARE(handle->state(), ConnectionState::Connected);
    QCOMPARE(m_broker->calls(Call::Open), attempts);
    QCOMPARE(attempts, 1);
}

void tst_SessionHandle::wrongSettingsEndWhatWasToBeTriedAgain()
{
    m_config.reconnectFirst = m_config.reconnectMax = 1h; // not within this test
    m_broker->failNext(Call::Open, Error::make(ErrorKind::Network, u"nobody there"_s));
    const auto handle = makeHandle();
    QTRY_COMPARE(handle->state(), ConnectionState::Lost);
    QVERIFY(isTryingAgain(*handle));
    m_broker->failNext(Call::ListTopics, Error::make(ErrorKind::InvalidArgument, u"for good"_s));
    QSignalSpy failed(handle.get(), &SessionHandle::failed);
    handle->listTopics();
    QTRY_COMPARE(failed.count(), 1);
    QCOMPARE(handle->state(), ConnectionState::Lost);
    QVERIFY(!isTryingAgain(*handle));
}

QTEST_GUILESS_MAIN(tst_SessionHandle)
#include "tst_sessionhandle.moc"
