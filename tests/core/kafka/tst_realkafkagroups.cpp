// Consumer groups and offsets by time of a released Apache Kafka. The members are kcat's, the
// committed offsets librdkafka's own.

#include "tests/core/kafka/kafkacalls.h"
#include "tests/support/cliprogram.h"

using namespace topicscope;
using namespace topicscope::test;
using namespace Qt::StringLiterals;

namespace
{

/// kcat as a member of a group, until destroyed. It commits what it has read every moment.
class Member
{
public:
    Member(const KafkaCluster &cluster, const QString &group, const QString &topic)
    {
        m_process.setStandardErrorFile(QProcess::nullDevice());
        m_process.start(u"kcat"_s, {u"-q"_s, u"-b"_s, cluster.bootstrap(), u"-X"_s,
                                    u"client.id=reader"_s, u"-X"_s, u"group.instance.id=desk-1"_s,
                                    u"-X"_s, u"auto.offset.reset=earliest"_s, u"-X"_s,
                                    u"auto.commit.interval.ms=100"_s, u"-G"_s, group, topic});
    }
    ~Member()
    {
        m_process.kill();
        m_process.waitForFinished();
    }
    Q_DISABLE_COPY_MOVE(Member)

private:
    QProcess m_process;
};

const GroupOffset *rowOf(const GroupInfo &group, const QString &topic, qint32 partition)
{
    const auto row = std::ranges::find(group.offsets, TopicPartition{topic, PartitionId{partition}},
                                       &GroupOffset::partition);
    return row == group.offsets.end() ? nullptr : &*row;
}

std::optional<GroupState> stateOf(const GroupList &list, const QString &id)
{
    const auto group = std::ranges::find(list.groups, id, &GroupSummary::id);
    return group == list.groups.end() ? std::nullopt : std::optional(group->state);
}

} // namespace

class tst_RealKafkaGroups : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { m_session = std::make_unique<kafka::KafkaSession>(configFor(*m_cluster)); }
    void cleanup() { m_session.reset(); }

    void aTypoCreatesNothing();
    void lagIsEndMinusCommitted();
    void offsetsOfADeletedTopicAreGone();
    void aLiveMemberHasItsAssignment();
    void groupsOfTheNewerKindKeepTheirStateAndOffsets();
    void lookingLeavesNoTrace();
    void offsetsAreFoundByTime();
    void theProgramPrintsThem();
    void theOldestKafkaTellsTheSame();
    void rightsAreToldPerGroup();

private:
    KafkaPeer peer() const { return KafkaPeer(m_cluster->adminBootstrap()); }
    Result<GroupInfo> group(const QString &id)
    {
        return m_session->groups()->describeGroup(id, soon());
    }

    std::unique_ptr<KafkaCluster> m_cluster;
    std::unique_ptr<kafka::KafkaSession> m_session;
};

void tst_RealKafkaGroups::initTestCase()
{
    m_cluster = std::make_unique<KafkaCluster>();
    VERIFY_DONE(m_cluster->start());
}

/// First of all: on a cluster that never had a group, asking for one's coordinator would make one.
void tst_RealKafkaGroups::aTypoCreatesNothing()
{
    VERIFY_DONE(peer().createTopic(u"orders"_s, 3));
    QCOMPARE(valueOf(m_session->groups()->listGroups(soon())).groups.size(), 0);
    const auto missing = group(u"biling"_s);
    QVERIFY(!missing);
    QCOMPARE(missing.error().kind, ErrorKind::InvalidArgument);
    QCOMPARE(valueOf(peer().topics()), QStringList{u"orders"_s});
}

void tst_RealKafkaGroups::lagIsEndMinusCommitted()
{
    KafkaPeer peer = this->peer();
    VERIFY_DONE(peer.produce(u"orders"_s, {{.value = "a"}, {.value = "b"}, {.value = "c"}}));
    VERIFY_DONE(peer.produce(u"orders"_s, {{.value = "d", .partition = 1}}));
    VERIFY_DONE(peer.commitOffset(u"billing"_s, u"orders"_s, 0, 1));
    VERIFY_DONE(peer.commitOffset(u"billing"_s, u"orders"_s, 1, 0));
    const auto list = valueOf(m_session->groups()->listGroups(soon()));
    QVERIFY(list.errors.isEmpty());
    QCOMPARE(stateOf(list, u"billing"_s), std::optional(GroupState::Empty));

    const auto info = group(u"billing"_s);
    VERIFY_DONE(info);
    QCOMPARE(info->summary.state, GroupState::Empty);
    QCOMPARE(info->summary.coordinatorId, std::optional<qint32>(1));
    QVERIFY(info->members.isEmpty());
    QVERIFY(!info->membersError && !info->offsetsError);
    QCOMPARE(info->offsets.size(), 3);
    const auto *row = rowOf(*info, u"orders"_s, 0);
    QVERIFY(row && !row->error && !row->gone);
    QCOMPARE(row->committed, std::optional(Offset{1}));
    QCOMPARE(row->end, std::optional(Offset{3}));
    QCOMPARE(row->lag(), std::optional(qint64(2)));
    row = rowOf(*info, u"orders"_s, 1);
    QCOMPARE(row->committed, std::optional(Offset{0})); // committed 0 …
    QCOMPARE(row->lag(), std::optional(qint64(1)));
    row = rowOf(*info, u"orders"_s, 2);
    QVERIFY(row);
    QCOMPARE(row->committed, std::optional<Offset>()); // … is not: none committed
    QCOMPARE(row->end, std::optional(Offset{0}));
    QCOMPARE(row->lag(), std::optional<qint64>());
    QCOMPARE(info->totalLag(), std::optional(qint64(3)));

    const auto missing = group(u"biling"_s);
    QVERIFY(!missing);
    QCOMPARE(missing.error().kind, ErrorKind::InvalidArgument);
    QCOMPARE(valueOf(peer.groups()), QStringList{u"billing"_s});
}

/// Brokers forget the offsets of a deleted topic a moment later; until then they are marked.
void tst_RealKafkaGroups::offsetsOfADeletedTopicAreGone()
{
    KafkaPeer peer = this->peer();
    VERIFY_DONE(peer.createTopic(u"doomed"_s));
    VERIFY_DONE(peer.produce(u"doomed"_s, {{.value = "v"}}));
    VERIFY_DONE(peer.commitOffset(u"mourner"_s, u"doomed"_s, 0, 1));
    VERIFY_DONE(peer.commitOffset(u"mourner"_s, u"orders"_s, 0, 1));
    VERIFY_DONE(peer.deleteTopic(u"doomed"_s));
    const QDeadlineTimer limit(20'000);
    for (bool listed = true; listed;) {
        QVERIFY(!limit.hasExpired());
        const auto info = group(u"mourner"_s);
        VERIFY_DONE(info);
        QVERIFY(rowOf(*info, u"orders"_s, 0) && !rowOf(*info, u"orders"_s, 0)->gone);
        const auto *row = rowOf(*info, u"doomed"_s, 0);
        listed = row != nullptr;
        if (!listed)
            break;
        QVERIFY(row->gone);
        QVERIFY2(!row->error, qPrintable(row->error ? describe(*row->error) : QString()));
        QCOMPARE(row->committed, std::optional(Offset{1}));
        QCOMPARE(row->end, std::optional<Offset>());
    }
}

void tst_RealKafkaGroups::aLiveMemberHasItsAssignment()
{
    KafkaPeer peer = this->peer();
    VERIFY_DONE(peer.createTopic(u"clicks"_s, 2));
    VERIFY_DONE(peer.produce(u"clicks"_s, {{.value = "a"}, {.value = "b"}}));
    const Member member(*m_cluster, u"live"_s, u"clicks"_s);
    GroupInfo info;
    QTRY_VERIFY_WITH_TIMEOUT(
        (info = group(u"live"_s).ok() ? valueOf(group(u"live"_s)) : GroupInfo(),
         info.summary.state == GroupState::Stable && rowOf(info, u"clicks"_s, 0) &&
             rowOf(info, u"clicks"_s, 0)->committed == Offset{2}),
        60'000);
    QCOMPARE(info.assignor, u"range"_s);
    QCOMPARE(info.members.size(), 1);
    const GroupMember &found = info.members.constFirst();
    QCOMPARE(found.clientId, u"reader"_s);
    QCOMPARE(found.instanceId, u"desk-1"_s);
    QCOMPARE(found.host, u"127.0.0.1"_s);
    QVERIFY(!found.memberId.isEmpty());
    QCOMPARE(found.assignment,
             QList<TopicPartition>({{u"clicks"_s, PartitionId{0}}, {u"clicks"_s, PartitionId{1}}}));
    QCOMPARE(rowOf(info, u"clicks"_s, 0)->lag(), std::optional(qint64(0)));
    QCOMPARE(stateOf(valueOf(m_session->groups()->listGroups(soon())), u"live"_s),
             std::optional(GroupState::Stable));
}

void tst_RealKafkaGroups::groupsOfTheNewerKindKeepTheirStateAndOffsets()
{
    constexpr int kDescribesNewGroups = 0x020a00ff;
    KafkaPeer peer = this->peer();
    VERIFY_DONE(peer.commitOffset(u"modern"_s, u"orders"_s, 0, 2));
    // Of a topic that is not there, so that its assignment of nothing is complete at once.
    const auto joined =
        runPythonPeer({u"heartbeat"_s, m_cluster->bootstrap(), u"modern"_s, u"nowhere"_s});
    QVERIFY2(joined.code == 0, joined.err.constData());
    const auto info = group(u"modern"_s);
    VERIFY_DONE(info);
    QCOMPARE(groupStateName(info->summary.state), u"Stable"_s);
    if (rd_kafka_version() < kDescribesNewGroups) {
        QVERIFY(info->membersError);
        QCOMPARE(info->membersError->kind, ErrorKind::Unsupported);
        QVERIFY2(info->membersError->detail.contains(u"librdkafka 2.10"_s),
                 qPrintable(info->membersError->detail));
    } else {
        QCOMPARE(info->members.size(), 1);
    }
    QVERIFY(rowOf(*info, u"orders"_s, 0));
    QCOMPARE(rowOf(*info, u"orders"_s, 0)->committed, std::optional(Offset{2}));
    QCOMPARE(rowOf(*info, u"orders"_s, 0)->lag(), std::optional(qint64(1)));
}

void tst_RealKafkaGroups::lookingLeavesNoTrace()
{
    KafkaPeer peer = this->peer();
    const auto topics = valueOf(peer.topics());
    const auto groups = valueOf(peer.groups());
    const auto committed = valueOf(peer.committed(u"billing"_s, u"orders"_s, 0));
    VERIFY_DONE(m_session->groups()->listGroups(soon()));
    VERIFY_DONE(group(u"billing"_s));
    QVERIFY(!group(u"nobody"_s));
    VERIFY_DONE(m_session->offsetsAtTime({{u"orders"_s, PartitionId{0}}}, 1, soon()));
    const auto typo = m_session->offsetsAtTime({{u"odrers"_s, PartitionId{0}}}, 1,
                                               CallContext(std::chrono::milliseconds(2'000)));
    QVERIFY(!typo || typo->constFirst().error);
    QCOMPARE(valueOf(peer.topics()), topics);
    QCOMPARE(valueOf(peer.groups()), groups);
    QCOMPARE(valueOf(peer.committed(u"billing"_s, u"orders"_s, 0)), committed);
}

void tst_RealKafkaGroups::offsetsAreFoundByTime()
{
    KafkaPeer peer = this->peer();
    VERIFY_DONE(peer.createTopic(u"timed"_s, 2));
    // One batch each, with a time that goes back.
    for (const qint64 time : {1'000'000, 3'000'000, 2'000'000, 4'000'000})
        VERIFY_DONE(peer.produce(u"timed"_s, {{.value = "v", .timestampMs = time}}));
    const TopicPartition first{u"timed"_s, PartitionId{0}};
    const TopicPartition empty{u"timed"_s, PartitionId{1}};
    const auto at = [&](qint64 time) {
        return valueOf(m_session->offsetsAtTime({first}, time, soon())).constFirst();
    };
    QCOMPARE(at(0).offset, Offset{0}); // before the first
    QVERIFY(!at(0).afterLast);
    QCOMPARE(at(1'000'000).offset, Offset{0});
    QCOMPARE(at(1'000'001).offset, Offset{1}); // the first at or after
    QCOMPARE(at(2'000'000).offset, Offset{1}); // though an older one follows
    QCOMPARE(at(3'000'001).offset, Offset{3});
    QVERIFY(!at(4'000'000).afterLast);
    QCOMPARE(at(4'000'001).offset, Offset{4}); // after the last: the end, said so
    QVERIFY(at(4'000'001).afterLast);
    const auto both = valueOf(m_session->offsetsAtTime({empty, first}, 2'500'000, soon()));
    QCOMPARE(both.size(), 2);
    QCOMPARE(both[0].partition, empty);
    QCOMPARE(both[0].offset, Offset{0});
    QVERIFY(both[0].afterLast);
    QCOMPARE(both[1].offset, Offset{1});
}

void tst_RealKafkaGroups::theProgramPrintsThem()
{
    KafkaPeer peer = this->peer();
    VERIFY_DONE(peer.createTopic(u"printed"_s, 2));
    for (const qint64 time : {1'000'000, 3'000'000})
        VERIFY_DONE(peer.produce(u"printed"_s, {{.value = "v", .timestampMs = time}}));
    VERIFY_DONE(peer.commitOffset(u"printer"_s, u"printed"_s, 0, 1));
    const auto cli = [this](const QStringList &arguments) {
        return runProgram(cliProgram(),
                          arguments + QStringList{u"-b"_s, u"kafka://"_s + m_cluster->bootstrap()});
    };
    Ran ran = cli({u"groups"_s});
    QCOMPARE(ran.code, 0);
    QVERIFY2(ran.lines().contains(u"printer  Empty"_s), ran.out.constData());
    ran = cli({u"groups"_s, u"printer"_s, u"--json"_s});
    QVERIFY2(ran.code == 0, ran.err.constData());
    QCOMPARE(ran.objects().size(), 3);
    QCOMPARE(ran.objects()[0][u"lag"_s].toInt(), 1);
    QCOMPARE(ran.objects()[1][u"committed"_s].toInt(), 1);
    QCOMPARE(ran.objects()[1][u"end"_s].toInt(), 2);
    QVERIFY(ran.objects()[2][u"committed"_s].isNull());
    ran = cli({u"groups"_s, u"printer"_s});
    QVERIFY2(QString::fromUtf8(ran.out).contains(
                 u"printed/0          1    2    1  -\nprinted/1       none    0    -  -\n"_s),
             ran.out.constData());
    QCOMPARE(cli({u"groups"_s, u"nobody"_s}).code, 1);

    const auto offsets = [](const Ran &fetched) {
        QStringList found;
        for (const QJsonObject &object : fetched.objects())
            found += QString::number(object[u"offset"_s].toInt());
        return found;
    };
    ran = cli({u"fetch"_s, u"printed/0"_s, u"--json"_s, u"--at"_s, u"1970-01-01T00:20"_s});
    QCOMPARE(offsets(ran), QStringList{u"1"_s}); // 20 minutes are 1 200 000 ms
    ran = cli({u"fetch"_s, u"printed/0"_s, u"--json"_s, u"--at"_s, u"3000001"_s});
    QCOMPARE(ran.code, 0);
    QCOMPARE(offsets(ran), QStringList());
    QVERIFY2(ran.err.contains("begins at the end, 2"), ran.err.constData());
    ran = cli({u"fetch"_s, u"printed"_s, u"--json"_s, u"--group"_s, u"printer"_s});
    QCOMPARE(offsets(ran), QStringList{u"1"_s});
    QVERIFY2(ran.err.contains("printed/1: the group has committed nothing"), ran.err.constData());
}

/// On a cluster with logins and ACLs, which the next test needs.
void tst_RealKafkaGroups::theOldestKafkaTellsTheSame()
{
    m_session.reset();
    m_cluster.reset(); // never two at once
    m_cluster = std::make_unique<KafkaCluster>(
        KafkaOptions{.version = kOldestKafka, .sasl = true, .acls = true});
    VERIFY_DONE(m_cluster->start());
    init();
    aTypoCreatesNothing();
    lagIsEndMinusCommitted();
    offsetsOfADeletedTopicAreGone();
    lookingLeavesNoTrace();
    offsetsAreFoundByTime();
}

void tst_RealKafkaGroups::rightsAreToldPerGroup()
{
    KafkaPeer peer = this->peer();
    VERIFY_DONE(peer.commitOffset(u"mine"_s, u"orders"_s, 0, 2));
    VERIFY_DONE(peer.commitOffset(u"theirs"_s, u"orders"_s, 0, 0));
    VERIFY_DONE(peer.allow(u"limited"_s, RD_KAFKA_RESOURCE_GROUP, u"mine"_s,
                           RD_KAFKA_ACL_OPERATION_DESCRIBE));
    VERIFY_DONE(peer.allow(u"limited"_s, RD_KAFKA_RESOURCE_TOPIC, u"orders"_s,
                           RD_KAFKA_ACL_OPERATION_DESCRIBE));
    SessionConfig config;
    config.engine = Engine::Kafka;
    config.readOnly = true;
    config.properties = m_cluster->clientProperties(u"limited"_s);
    m_session = std::make_unique<kafka::KafkaSession>(config);
    // Brokers list what may be described, and nothing else.
    const auto list = valueOf(m_session->groups()->listGroups(soon()));
    QCOMPARE(list.groups.size(), 1);
    QCOMPARE(list.groups[0].id, u"mine"_s);
    const auto mine = group(u"mine"_s);
    VERIFY_DONE(mine);
    QCOMPARE(mine->totalLag(), std::optional(qint64(1)));
    const auto theirs = group(u"theirs"_s);
    QVERIFY(!theirs);
    QVERIFY2(theirs.error().brokerName == u"GROUP_AUTHORIZATION_FAILED"_s,
             qPrintable(describe(theirs.error())));
}

KAFKA_TEST_MAIN(tst_RealKafkaGroups)

#include "tst_realkafkagroups.moc"
