#include "core/session/sessionhandle.h"
#include "tests/support/fakesession.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace topicscope;
using namespace topicscope::test;
using namespace Qt::StringLiterals;

namespace
{

TopicPartition orders(qint32 partition)
{
    return {u"orders"_s, PartitionId{partition}};
}

GroupInfo billing()
{
    GroupInfo group;
    group.summary.id = u"billing"_s;
    group.summary.state = GroupState::Stable;
    group.offsets = {{orders(0), Offset{3}, {}, Offset{5}, false, {}},
                     {orders(1), std::nullopt, {}, Offset{2}, false, {}}};
    return group;
}

} // namespace

class tst_SessionGroups : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void lagIsTheDistanceToTheEndAndNeverNegative_data();
    void lagIsTheDistanceToTheEndAndNeverNegative();
    void totalLagIsOfWhatIsKnown();
    void listsAndDescribes();
    void waitingListIsShared();
    void newestGroupWins();
    void unknownGroupIsSaid();
    void engineWithoutGroupsSaysSo();
    void findsOffsetsByTime();
    void engineWithoutTimesSaysSo();

private:
    std::unique_ptr<SessionHandle> makeConnected();

    std::optional<FakeBroker> m_broker;
};

void tst_SessionGroups::init()
{
    QTest::failOnWarning(QRegularExpression(u".?"_s));
    m_broker.emplace();
    m_broker->addTopic(u"orders"_s, 2);
    m_broker->appendMany(u"orders"_s, 0, 5);
    m_broker->appendMany(u"orders"_s, 1, 2);
    m_broker->setGroup(billing());
    auto capabilities = FakeBroker::booblikCapabilities();
    capabilities.groups = true;
    capabilities.offsetsByTime = true;
    m_broker->setCapabilities(capabilities);
}

std::unique_ptr<SessionHandle> tst_SessionGroups::makeConnected()
{
    SessionConfig config;
    config.host = u"broker.test"_s;
    auto handle = std::make_unique<SessionHandle>(m_broker->factory(), config);
    if (!QTest::qWaitFor([&] { return handle->state() == ConnectionState::Connected; }))
        qFatal("never connected");
    return handle;
}

void tst_SessionGroups::lagIsTheDistanceToTheEndAndNeverNegative_data()
{
    QTest::addColumn<std::optional<Offset>>("committed");
    QTest::addColumn<std::optional<Offset>>("end");
    QTest::addColumn<std::optional<qint64>>("lag");
    QTest::newRow("behind") << std::optional(Offset{3}) << std::optional(Offset{10})
                            << std::optional(qint64(7));
    QTest::newRow("caught up") << std::optional(Offset{10}) << std::optional(Offset{10})
                               << std::optional(qint64(0));
    QTest::newRow("ahead of a log that was cut")
        << std::optional(Offset{10}) << std::optional(Offset{4}) << std::optional(qint64(0));
    QTest::newRow("committed 0") << std::optional(Offset{0}) << std::optional(Offset{4})
                                 << std::optional(qint64(4));
    QTest::newRow("committed none")
        << std::optional<Offset>() << std::optional(Offset{4}) << std::optional<qint64>();
    QTest::newRow("end unknown") << std::optional(Offset{4}) << std::optional<Offset>()
                                 << std::optional<qint64>();
}

void tst_SessionGroups::lagIsTheDistanceToTheEndAndNeverNegative()
{
    QFETCH(std::optional<Offset>, committed);
    QFETCH(std::optional<Offset>, end);
    QFETCH(std::optional<qint64>, lag);
    const GroupOffset offset{orders(0), committed, {}, end, false, {}};
    QCOMPARE(offset.lag(), lag);
}

void tst_SessionGroups::totalLagIsOfWhatIsKnown()
{
    GroupInfo group = billing();
    QCOMPARE(group.totalLag(), std::optional(qint64(2)));
    group.offsets.append({orders(2), Offset{1}, {}, Offset{8}, false, {}});
    QCOMPARE(group.totalLag(), std::optional(qint64(9)));
    group.offsets = {group.offsets.at(1)};
    QCOMPARE(group.totalLag(), std::optional<qint64>());
}

void tst_SessionGroups::listsAndDescribes()
{
    m_broker->setGroupListErrors({FakeBroker::networkError()});
    const auto handle = makeConnected();
    QSignalSpy listed(handle.get(), &SessionHandle::groupsListed);
    QSignalSpy described(handle.get(), &SessionHandle::groupDescribed);
    const RequestId list = handle->listGroups();
    const RequestId group = handle->describeGroup(u"billing"_s);
    QTRY_COMPARE(described.count(), 1);
    QCOMPARE(listed.count(), 1);
    QCOMPARE(listed[0][0].value<RequestId>(), list);
    const auto groups = listed[0][1].value<GroupList>();
    QCOMPARE(groups.groups.size(), 1);
    QCOMPARE(groups.groups[0].id, u"billing"_s);
    QCOMPARE(groups.groups[0].state, GroupState::Stable);
    QCOMPARE(groups.errors.size(), 1);
    QCOMPARE(described[0][0].value<RequestId>(), group);
    QCOMPARE(described[0][1].value<GroupInfo>().offsets.size(), 2);
}

void tst_SessionGroups::waitingListIsShared()
{
    const auto handle = makeConnected();
    m_broker->block(Call::ListTopics);
    handle->listTopics();
    QTRY_COMPARE(m_broker->blocked(Call::ListTopics), 1);
    QSignalSpy listed(handle.get(), &SessionHandle::groupsListed);
    const RequestId first = handle->listGroups();
    QCOMPARE(handle->listGroups(), first);
    m_broker->release(Call::ListTopics);
    QVERIFY(listed.wait());
    QCOMPARE(m_broker->calls(Call::ListGroups), 1);
}

void tst_SessionGroups::newestGroupWins()
{
    GroupInfo other;
    other.summary.id = u"other"_s;
    m_broker->setGroup(other);
    const auto handle = makeConnected();
    QSignalSpy described(handle.get(), &SessionHandle::groupDescribed);
    QSignalSpy failed(handle.get(), &SessionHandle::failed);
    m_broker->block(Call::DescribeGroup);
    const RequestId running = handle->describeGroup(u"billing"_s);
    QTRY_COMPARE(m_broker->blocked(Call::DescribeGroup), 1);
    const RequestId waiting = handle->describeGroup(u"billing"_s);
    const RequestId newest = handle->describeGroup(u"other"_s);
    QTRY_COMPARE(failed.count(), 2); // without a release: both were stopped
    m_broker->release(Call::DescribeGroup);
    QTRY_COMPARE(described.count(), 1);
    QCOMPARE(described[0][0].value<RequestId>(), newest);
    QCOMPARE(described[0][1].value<GroupInfo>().summary.id, u"other"_s);
    for (const auto &arguments : failed) {
        QCOMPARE(arguments[1].value<Error>().kind, ErrorKind::Cancelled);
        const auto id = arguments[0].value<RequestId>();
        QVERIFY(id == running || id == waiting);
    }
    QCOMPARE(handle->state(), ConnectionState::Connected);
}

void tst_SessionGroups::unknownGroupIsSaid()
{
    const auto handle = makeConnected();
    QSignalSpy failed(handle.get(), &SessionHandle::failed);
    const RequestId id = handle->describeGroup(u"biling"_s);
    QVERIFY(failed.wait());
    QCOMPARE(failed[0][0].value<RequestId>(), id);
    QCOMPARE(failed[0][1].value<Error>().kind, ErrorKind::InvalidArgument);
}

void tst_SessionGroups::engineWithoutGroupsSaysSo()
{
    m_broker->setCapabilities(FakeBroker::booblikCapabilities());
    const auto handle = makeConnected();
    QSignalSpy failed(handle.get(), &SessionHandle::failed);
    handle->listGroups();
    handle->describeGroup(u"billing"_s);
    QTRY_COMPARE(failed.count(), 2);
    QCOMPARE(failed[0][1].value<Error>().kind, ErrorKind::Unsupported);
    QCOMPARE(failed[1][1].value<Error>().kind, ErrorKind::Unsupported);
    QCOMPARE(handle->state(), ConnectionState::Connected);
}

void tst_SessionGroups::findsOffsetsByTime()
{
    m_broker->setTimes(u"orders"_s, 0, {1000, 2000, 1500, 3000, 4000});
    m_broker->setTimes(u"orders"_s, 1, {100, 200});
    const auto handle = makeConnected();
    QSignalSpy found(handle.get(), &SessionHandle::offsetsFound);
    const RequestId id = handle->offsetsAtTime({orders(0), orders(1), orders(7)}, 2500);
    QVERIFY(found.wait());
    QCOMPARE(found[0][0].value<RequestId>(), id);
    const auto offsets = found[0][1].value<QList<TimeOffset>>();
    QCOMPARE(offsets.size(), 3);
    QCOMPARE(offsets[0].offset, Offset{3});
    QVERIFY(!offsets[0].afterLast);
    QCOMPARE(offsets[1].offset, Offset{2}); // the end
    QVERIFY(offsets[1].afterLast);
    QVERIFY(offsets[2].error.has_value());
}

void tst_SessionGroups::engineWithoutTimesSaysSo()
{
    m_broker->setCapabilities(FakeBroker::booblikCapabilities());
    const auto handle = makeConnected();
    QSignalSpy failed(handle.get(), &SessionHandle::failed);
    handle->offsetsAtTime({orders(0)}, 2500);
    QVERIFY(failed.wait());
    QCOMPARE(failed[0][1].value<Error>().kind, ErrorKind::Unsupported);
}

QTEST_GUILESS_MAIN(tst_SessionGroups)
#include "tst_sessiongroups.moc"
