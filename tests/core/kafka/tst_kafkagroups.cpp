// Groups without a real Kafka: the rows made of what brokers say.

#include "core/kafka/kafkagroups.h"
#include "core/kafka/kafkasession.h"
#include "tests/core/kafka/mockcluster.h"
#include "tests/support/fakekafkabroker.h"

#include <QTest>

#include <librdkafka/rdkafka_mock.h>

using namespace topicscope;
using namespace topicscope::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{

TopicPartition at(const QString &topic, qint32 partition)
{
    return {topic, PartitionId{partition}};
}

GroupOffset committedAt(const QString &topic, qint32 partition, qint64 offset)
{
    GroupOffset row;
    row.partition = at(topic, partition);
    row.committed = Offset{offset};
    return row;
}

TopicInfo topicOf(const QString &name, qint32 partitions)
{
    TopicInfo topic;
    topic.name = name;
    for (qint32 i = 0; i < partitions; ++i) {
        PartitionInfo partition;
        partition.id = PartitionId{i};
        partition.leader = 1;
        topic.partitions.append(partition);
    }
    return topic;
}

Error brokerError(qint16 code, const QString &name)
{
    Error error = Error::make(ErrorKind::Broker, {});
    error.brokerCode = code;
    error.brokerName = name;
    return error;
}

/// "orders/0 committed 5", "orders/1 none", with " gone" or the error's name behind.
QStringList dump(const QList<GroupOffset> &rows)
{
    QStringList lines;
    for (const GroupOffset &row : rows) {
        QString line = u"%1/%2 "_s.arg(row.partition.topic).arg(row.partition.partition.value);
        line += row.committed ? QString::number(row.committed->value) : u"none"_s;
        if (row.gone)
            line += u" gone"_s;
        if (row.error)
            line += u' ' + row.error->brokerName;
        lines += line;
    }
    return lines;
}

} // namespace

class tst_KafkaGroups : public QObject
{
    Q_OBJECT
private slots:
    void rowsAreCommittedAssignedAndTheRestOfTheTopics();
    void offsetsOfWhatIsGoneStay();
    void whatCannotBeAskedIsSaidPerRow();
    void goneAndDeniedAreToldApartAmongMany();
    void negativeTimesAreRefused();
};

void tst_KafkaGroups::rowsAreCommittedAssignedAndTheRestOfTheTopics()
{
    GroupMember member;
    member.assignment = {at(u"clicks"_s, 0)};
    const QHash<QString, Result<TopicInfo>> topics{{u"orders"_s, topicOf(u"orders"_s, 3)},
                                                   {u"clicks"_s, topicOf(u"clicks"_s, 1)}};
    const auto rows = kafka::groupRows(
        {committedAt(u"orders"_s, 2, 7), committedAt(u"orders"_s, 0, 0)}, {member}, topics);
    QCOMPARE(dump(rows), QStringList({u"clicks/0 none"_s, u"orders/0 0"_s, u"orders/1 none"_s,
                                      u"orders/2 7"_s}));
}

void tst_KafkaGroups::offsetsOfWhatIsGoneStay()
{
    const QHash<QString, Result<TopicInfo>> topics{
        {u"orders"_s, topicOf(u"orders"_s, 1)}, // made anew, with fewer partitions
        {u"old"_s, brokerError(3, u"UNKNOWN_TOPIC_OR_PART"_s)}};
    const auto rows =
        kafka::groupRows({committedAt(u"orders"_s, 0, 4), //
                          committedAt(u"orders"_s, 1, 5), committedAt(u"old"_s, 0, 6)},
                         {}, topics);
    QCOMPARE(dump(rows), QStringList({u"old/0 6 gone"_s, u"orders/0 4"_s, u"orders/1 5 gone"_s}));
}

void tst_KafkaGroups::whatCannotBeAskedIsSaidPerRow()
{
    TopicInfo orders = topicOf(u"orders"_s, 3);
    orders.partitions[0].leader = -1;
    orders.partitions[1].error = brokerError(5, u"LEADER_NOT_AVAILABLE"_s);
    const QHash<QString, Result<TopicInfo>> topics{
        {u"orders"_s, orders}, {u"secret"_s, brokerError(29, u"TOPIC_AUTHORIZATION_FAILED"_s)}};
    const auto rows = kafka::groupRows(
        {committedAt(u"orders"_s, 2, 4), committedAt(u"secret"_s, 0, 6)}, {}, topics);
    QCOMPARE(dump(rows), QStringList({u"orders/0 none LEADER_NOT_AVAILABLE"_s,
                                      u"orders/1 none LEADER_NOT_AVAILABLE"_s, u"orders/2 4"_s,
                                      u"secret/0 6 TOPIC_AUTHORIZATION_FAILED"_s}));
}

/// A list of all topics leaves out both, so each is asked for by itself.
void tst_KafkaGroups::goneAndDeniedAreToldApartAmongMany()
{
    constexpr int kMany = 100;
    constexpr qint16 kDenied = 29; // TOPIC_AUTHORIZATION_FAILED
    FakeKafkaBroker::Topics topics;
    QStringList names{u"secret"_s, u"gone"_s};
    for (int i = 0; i < kMany; ++i) {
        names.append(u"t%1"_s.arg(i));
        topics.insert(names.last().toUtf8(), {});
    }
    topics.insert("secret", {0, kDenied, false});
    const FakeKafkaBroker broker(topics);
    for (const qsizetype count : {qsizetype(10), names.size()}) {
        kafka::KafkaSession session(broker.config());
        const auto found = session.describeTopics(names.first(count), CallContext(20'000ms));
        QVERIFY2(found, qPrintable(found ? QString() : describe(found.error())));
        QCOMPARE(found->size(), count - 1);              // what is gone is left out
        QCOMPARE(found->constFirst().name, u"secret"_s); // in the order of names
        QVERIFY(found->constFirst().error);
        QCOMPARE(found->constFirst().error->brokerName, u"TOPIC_AUTHORIZATION_FAILED"_s);
        QVERIFY(found->constLast().partitions.constFirst().offsetsKnown);
    }
}

/// The protocol's -1 and -2 are no times: a typo must not become an end.
void tst_KafkaGroups::negativeTimesAreRefused()
{
    MockCluster cluster;
    cluster.createTopic("orders", 1);
    kafka::KafkaSession session(cluster.config());
    const auto before = session.offsetsAtTime({at(u"orders"_s, 0)}, -1, CallContext(20'000ms));
    QVERIFY(!before);
    QCOMPARE(before.error().kind, ErrorKind::InvalidArgument);
}

QTEST_GUILESS_MAIN(tst_KafkaGroups)
#include "tst_kafkagroups.moc"
