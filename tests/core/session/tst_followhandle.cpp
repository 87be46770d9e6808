#include "core/session/followhandle.h"
#include "tests/support/fakesession.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include <numeric>

using namespace topicscope;
using namespace topicscope::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{

TopicPartition at(qint32 partition)
{
    return {u"orders"_s, PartitionId{partition}};
}

/// Collects what a handle delivers: values and offsets per partition.
class Receiver : public QObject
{
public:
    Receiver(FollowHandle *handle, bool returnsCredits)
        : m_handle(handle)
        , m_returnsCredits(returnsCredits)
    {
        connect(handle, &FollowHandle::fetched, this, [this](const FetchResult &result) {
            ++m_batches;
            m_ends[result.partition] = result.end;
            for (const Record &record : result.chunk->records()) {
                m_offsets[result.partition] << record.offset.value;
                m_values[result.partition] << QByteArray(
                    reinterpret_cast<const char *>(result.chunk->value(record).data()),
                    qsizetype(record.valueSize));
            }
            if (m_returnsCredits)
                m_handle->returnCredit();
        });
    }

    int batches() const { return m_batches; }
    QList<QByteArray> values(qint32 partition) const { return m_values.value(at(partition)); }
    QList<qint64> offsets(qint32 partition) const { return m_offsets.value(at(partition)); }
    FetchEnd end(qint32 partition) const { return m_ends.value(at(partition)); }

private:
    FollowHandle *m_handle;
    bool m_returnsCredits;
    int m_batches = 0;
    QHash<TopicPartition, QList<QByteArray>> m_values;
    QHash<TopicPartition, QList<qint64>> m_offsets;
    QHash<TopicPartition, FetchEnd> m_ends;
};

} // namespace

class tst_FollowHandle : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void deliversWhatIsThereAndWhatIsAppended();
    void withheldCreditsStopTheWorkerAndLoseNothing();
    void nothingIsLostOrRepeatedOverAReconnect();
    void triesAgainUntilTheBrokerIsThere();
    void aRefusedLoginIsNotRepeated();
    void aLossThatBecomesFinalIsTold();
    void whatIsAnsweredTheSameWayIsNotAskedAgain();
    void failingPartitionLeavesTheOthers();
    void restsBehindAnOversizedRecordUntilSkipped();
    void oversizedRecordIsReportedOnceOverAReconnect();
    void skipWhileLostIsKept();
    void destructionDoesNotWaitForTheBlockedCall_data();
    void destructionDoesNotWaitForTheBlockedCall();

private:
    std::unique_ptr<FollowHandle> follow(std::vector<std::pair<TopicPartition, Offset>> from);

    std::optional<FakeBroker> m_broker;
    SessionConfig m_config;
};

void tst_FollowHandle::init()
{
    QTest::failOnWarning(QRegularExpression(u".?"_s));
    m_broker.emplace();
    m_broker->addTopic(u"orders"_s, 3);
    m_config = {};
    m_config.reconnectFirst = 1ms;
    m_config.reconnectMax = 4ms;
}

std::unique_ptr<FollowHandle>
tst_FollowHandle::follow(std::vector<std::pair<TopicPartition, Offset>> from)
{
    return std::make_unique<FollowHandle>(m_broker->factory(), m_config,
                                          FollowRequest{std::move(from)});
}

void tst_FollowHandle::deliversWhatIsThereAndWhatIsAppended()
{
    m_broker->appendMany(u"orders"_s, 0, 3);
    m_broker->appendMany(u"orders"_s, 1, 2);
    const auto handle = follow({{at(0), Offset{1}}, {at(1), Offset{0}}});
    QCOMPARE(handle->state(), ConnectionState::Connecting);
    const Receiver receiver(handle.get(), true);
    QTRY_COMPARE(receiver.values(0), QList<QByteArray>({"r-1", "r-2"}));
    QTRY_COMPARE(receiver.values(1), QList<QByteArray>({"r-0", "r-1"}));
    QCOMPARE(handle->state(), ConnectionState::Connected);
    m_broker->append(u"orders"_s, 0, "fresh");
    QTRY_COMPARE(receiver.values(0).last(), "fresh");
    QCOMPARE(receiver.offsets(0), QList<qint64>({1, 2, 3}));
}

void tst_FollowHandle::withheldCreditsStopTheWorkerAndLoseNothing()
{
    // Every record takes a batch of its own.
    for (char c : {'a', 'b', 'c', 'd', 'e'})
        m_broker->append(u"orders"_s, 0, QByteArray(700'000, c));
    const auto handle = follow({{at(0), Offset{0}}});
    const Receiver receiver(handle.get(), false);
    QTRY_COMPARE(receiver.batches(), FollowHandle::kCredits);
    m_broker->append(u"orders"_s, 0, "f");
    handle->returnCredit();
    QTRY_COMPARE(receiver.batches(), 3);
    // Records were there all the time: a call made without a credit would have returned and be
    // counted by now.
    QCOMPARE(m_broker->calls(Call::Next), 3);
    handle->returnCredit();
    handle->returnCredit();
    QTRY_COMPARE(receiver.batches(), 5);
    QCOMPARE(m_broker->calls(Call::Next), 5);
    handle->returnCredit();
    QTRY_COMPARE(receiver.offsets(0), QList<qint64>({0, 1, 2, 3, 4, 5}));
    QCOMPARE(receiver.values(0).last(), "f");
}

void tst_FollowHandle::nothingIsLostOrRepeatedOverAReconnect()
{
    m_broker->appendMany(u"orders"_s, 0, 10);
    m_broker->appendMany(u"orders"_s, 1, 10);
    const auto handle = follow({{at(0), Offset{0}}, {at(1), Offset{0}}});
    const Receiver receiver(handle.get(), true);
    QSignalSpy state(handle.get(), &FollowHandle::stateChanged);
    QTRY_COMPARE(receiver.offsets(0).size() + receiver.offsets(1).size(), 20);
    for (int round = 0; round < 3; ++round) {
        state.clear();
        m_broker->setDown(true);
        QTRY_COMPARE(handle->state(), ConnectionState::Lost);
        QCOMPARE(handle->lastError().kind, ErrorKind::Network);
        m_broker->appendMany(u"orders"_s, 0, 5);
        m_broker->appendMany(u"orders"_s, 1, 5);
        m_broker->setDown(false);
        QTRY_COMPARE(receiver.offsets(0).size() + receiver.offsets(1).size(), 30 + 10 * round);
        QCOMPARE(state.count(), 2);
        QCOMPARE(handle->state(), ConnectionState::Connected);
    }
    QList<qint64> all(25);
    std::iota(all.begin(), all.end(), 0);
    QCOMPARE(receiver.offsets(0), all);
    QCOMPARE(receiver.offsets(1), all);
    QCOMPARE(m_broker->liveFollowers(), 1);
}

void tst_FollowHandle::triesAgainUntilTheBrokerIsThere()
{
    m_broker->appendMany(u"orders"_s, 0, 1);
    m_broker->failNext(Call::Open, FakeBroker::networkError(), 2);
    m_broker->failNext(Call::Follow, FakeBroker::networkError(), 2);
    const auto handle = follow({{at(0), Offset{0}}});
    const Receiver receiver(handle.get(), true);
    QSignalSpy state(handle.get(), &FollowHandle::stateChanged);
    QTRY_COMPARE(receiver.values(0), QList<QByteArray>{"r-0"});
    QCOMPARE(state.count(), 2); // Lost, Connected
    QCOMPARE(state.at(0).at(0).value<ConnectionState>(), ConnectionState::Lost);
    QCOMPARE(m_broker->calls(Call::Open), 5);
}

void tst_FollowHandle::aRefusedLoginIsNotRepeated()
{
    const Error refused = FakeBroker::loginRefusal();
    m_broker->failNext(Call::Next, refused);
    const auto handle = follow({{at(0), Offset{0}}});
    QTRY_COMPARE(handle->state(), ConnectionState::Lost);
    QCOMPARE(handle->lastError().detail, u"PLAIN as me"_s);
    // One that may be repeated is, in the same time.
    const int attempts = m_broker->calls(Call::Open);
    m_broker->failNext(Call::Open, FakeBroker::networkError(), 4);
    const auto other = follow({{at(0), Offset{0}}});
    QTRY_COMPARE(other->state(), ConnectionState::Connected);
    QCOMPARE(m_broker->calls(Call::Open), attempts + 5);
    QCOMPARE(handle->state(), ConnectionState::Lost);
}

void tst_FollowHandle::aLossThatBecomesFinalIsTold()
{
    m_broker->failNext(Call::Open, FakeBroker::networkError(), 1'000'000);
    const auto handle = follow({{at(0), Offset{0}}});
    const QSignalSpy state(handle.get(), &FollowHandle::stateChanged);
    QTRY_COMPARE(handle->state(), ConnectionState::Lost);
    const int attempts = m_broker->calls(Call::Open);
    QTRY_VERIFY(m_broker->calls(Call::Open) > attempts + 1);
    QCOMPARE(state.count(), 1); // another attempt like it is no news
    m_broker->failNext(Call::Open, FakeBroker::loginRefusal(), 1'000'000);
    QTRY_COMPARE(handle->lastError().detail, u"PLAIN as me"_s);
    QCOMPARE(handle->state(), ConnectionState::Lost);
    QCOMPARE(state.count(), 2);
}

void tst_FollowHandle::whatIsAnsweredTheSameWayIsNotAskedAgain()
{
    m_broker->failNext(Call::Open, Error::make(ErrorKind::InvalidArgument, u"no such setting"_s));
    const auto handle = follow({{at(0), Offset{0}}});
    QTRY_COMPARE(handle->state(), ConnectionState::Lost);
    // One that may end otherwise is, in the same time: a leader is just being chosen.
    Error leaderless = FakeBroker::refusal(5, u"LEADER_NOT_AVAILABLE"_s);
    leaderless.retriable = true;
    m_broker->failNext(Call::Follow, leaderless, 4);
    const int attempts = m_broker->calls(Call::Open);
    const auto other = follow({{at(0), Offset{0}}});
    QTRY_COMPARE(other->state(), ConnectionState::Connected);
    QCOMPARE(m_broker->calls(Call::Open), attempts + 5);
    QCOMPARE(handle->state(), ConnectionState::Lost);
}

void tst_FollowHandle::failingPartitionLeavesTheOthers()
{
    m_broker->appendMany(u"orders"_s, 0, 1);
    m_broker->appendMany(u"orders"_s, 2, 1);
    const auto handle =
        follow({{at(0), Offset{0}}, {at(1), Offset{7}}, {at(2), Offset{0}}}); // 1 is empty: no 7
    const Receiver receiver(handle.get(), true);
    QSignalSpy failed(handle.get(), &FollowHandle::partitionFailed);
    QTRY_COMPARE(failed.count(), 1);
    QCOMPARE(failed.at(0).at(0).value<TopicPartition>(), at(1));
    QCOMPARE(failed.at(0).at(1).value<Error>().brokerName, u"OFFSET_OUT_OF_RANGE"_s);
    m_broker->append(u"orders"_s, 0, "x");
    m_broker->append(u"orders"_s, 2, "y");
    QTRY_COMPARE(receiver.offsets(0), QList<qint64>({0, 1}));
    QTRY_COMPARE(receiver.offsets(2), QList<qint64>({0, 1}));
    QCOMPARE(failed.count(), 1);
    QCOMPARE(handle->state(), ConnectionState::Connected);
    handle->skipTo(at(1), Offset{0});
    m_broker->append(u"orders"_s, 1, "z");
    QTRY_COMPARE(receiver.values(1), QList<QByteArray>{"z"});
}

void tst_FollowHandle::restsBehindAnOversizedRecordUntilSkipped()
{
    m_broker->append(u"orders"_s, 0, "small");
    m_broker->append(u"orders"_s, 0, QByteArray(3 * 1024 * 1024, 'x'));
    m_broker->append(u"orders"_s, 0, "behind");
    const auto handle = follow({{at(0), Offset{0}}});
    const Receiver receiver(handle.get(), true);
    QTRY_COMPARE(receiver.end(0), FetchEnd::RecordExceedsMaxBytes);
    QCOMPARE(receiver.offsets(0), QList<qint64>{0});
    handle->skipTo(at(0), Offset{2});
    QTRY_COMPARE(receiver.offsets(0), QList<qint64>({0, 2}));
    QCOMPARE(receiver.values(0).last(), "behind");
}

void tst_FollowHandle::oversizedRecordIsReportedOnceOverAReconnect()
{
    m_broker->append(u"orders"_s, 0, QByteArray(3 * 1024 * 1024, 'x'));
    const auto handle = follow({{at(0), Offset{0}}, {at(1), Offset{0}}});
    const Receiver receiver(handle.get(), true);
    QTRY_COMPARE(receiver.end(0), FetchEnd::RecordExceedsMaxBytes);
    m_broker->setDown(true);
    QTRY_COMPARE(handle->state(), ConnectionState::Lost);
    m_broker->setDown(false);
    m_broker->append(u"orders"_s, 1, "alive");
    QTRY_COMPARE(receiver.values(1), QList<QByteArray>{"alive"});
    m_broker->append(u"orders"_s, 1, "still alive");
    QTRY_COMPARE(receiver.values(1).size(), 2);
    QCOMPARE(receiver.batches(), 3);
}

void tst_FollowHandle::skipWhileLostIsKept()
{
    m_broker->appendMany(u"orders"_s, 0, 9);
    m_broker->setDown(true);
    const auto handle = follow({{at(0), Offset{0}}});
    const Receiver receiver(handle.get(), true);
    QTRY_COMPARE(handle->state(), ConnectionState::Lost);
    handle->skipTo(at(0), Offset{7});
    // The next attempt comes behind the skip on the worker's thread.
    const int attempts = m_broker->calls(Call::Open);
    QTRY_VERIFY(m_broker->calls(Call::Open) > attempts + 1);
    m_broker->setDown(false);
    QTRY_COMPARE(receiver.offsets(0), QList<qint64>({7, 8}));
}

void tst_FollowHandle::destructionDoesNotWaitForTheBlockedCall_data()
{
    QTest::addColumn<Call>("call");
    QTest::newRow("open") << Call::Open;
    QTest::newRow("follow") << Call::Follow;
    QTest::newRow("next") << Call::Next;
}

void tst_FollowHandle::destructionDoesNotWaitForTheBlockedCall()
{
    QFETCH(Call, call);
    m_broker->blockDeaf(call);
    auto handle = follow({{at(0), Offset{0}}});
    QTRY_COMPARE(m_broker->blocked(call), 1);
    handle.reset();
    QCOMPARE(m_broker->blocked(call), 1);
    m_broker->release(call);
    QTRY_COMPARE(m_broker->liveSessions(), 0);
    QCOMPARE(m_broker->liveFollowers(), 0);
}

QTEST_GUILESS_MAIN(tst_FollowHandle)
#include "tst_followhandle.moc"
