// Groups without a real Kafka: the rows made of what brokers say, and cancelling.

#include "core/kafka/kafkagroups.h"
#include "core/kafka/kafkasession.h"
#include "tests/core/kafka/mockcluster.h"

#include <QElapsedTimer>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

#include <librdkafka/rdkafka_mock.h>

#include <algorithm>
#include <thread>

using namespace topicscope;
using namespace topicscope::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{

constexpr qint64 kPromptMs = 200;

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

/// Whether no connection the server took is open any more.
bool allEnded(QTcpServer &server)
{
    while (const QTcpSocket *taken = server.nextPendingConnection())
        Q_UNUSED(taken) // the server's child
    const auto sockets = server.findChildren<QTcpSocket *>();
    return std::ranges::all_of(sockets, [](const QTcpSocket *socket) {
        return socket->state() == QAbstractSocket::UnconnectedState;
    });
}

} // namespace

class tst_KafkaGroups : public QObject
{
    Q_OBJECT
private slots:
    void rowsAreCommittedAssignedAndTheRestOfTheTopics();
    void offsetsOfWhatIsGoneStay();
    void whatCannotBeAskedIsSaidPerRow();
    void aCancelIsBackAtOnce();
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

void tst_KafkaGroups::aCancelIsBackAtOnce()
{
    QTcpServer silent; // takes connections and never answers
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    SessionConfig config;
    config.setBroker(u"kafka://127.0.0.1:%1"_s.arg(silent.serverPort()));
    auto session = std::make_unique<kafka::KafkaSession>(config);
    const auto cancelled = [](const std::function<Error(const CallContext &)> &run) {
        std::stop_source stop;
        QElapsedTimer sinceStop;
        std::thread stopper([&] {
            std::this_thread::sleep_for(100ms); // the call is waiting by then
            sinceStop.start();
            stop.request_stop();
        });
        const Error error = run(CallContext(2'000ms, stop.get_token()));
        const qint64 elapsed = sinceStop.elapsed();
        stopper.join();
        QCOMPARE(error.kind, ErrorKind::Cancelled);
        QVERIFY2(elapsed <= kPromptMs, qPrintable(QString::number(elapsed)));
    };
    cancelled(
        [&](const CallContext &context) { return session->groups()->listGroups(context).error(); });
    cancelled([&](const CallContext &context) {
        return session->groups()->describeGroup(u"billing"_s, context).error();
    });
    cancelled([&](const CallContext &context) {
        return session->offsetsAtTime({at(u"orders"_s, 0)}, 1, context).error();
    });
    // What the library cannot break off ends with its time, and with it the client.
    session.reset();
    QTRY_VERIFY_WITH_TIMEOUT(silent.hasPendingConnections(), 10'000);
    QTRY_VERIFY_WITH_TIMEOUT(allEnded(silent), 10'000);
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
