// Answers that no broker gives. Whatever comes, a call ends with an error that says so, nothing is
// allocated because of a number alone, and the next session works.

#include "core/kafka/kafkametadata.h"
#include "core/kafka/kafkasession.h"
#include "tests/core/kafka/readall.h"
#include "tests/support/fakekafkabroker.h"
#include "tests/support/memorygrowth.h"
#include "tests/support/promptness.h"

#include <QElapsedTimer>
#include <QTest>

#include <atomic>
#include <future>
#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace topicscope;
using namespace topicscope::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using Api = FakeKafkaBroker::Api;
using Then = FakeKafkaBroker::Then;

namespace
{

constexpr qint64 kPromptMs = 1'000;
constexpr auto kLimit = 10'000ms;
constexpr auto kShortLimit = 500ms;          // where the end is that time is up
constexpr qint64 kMuchKiB = 1 * 1024 * 1024; // half of the least that is claimed

FetchRequest fetchOrders()
{
    FetchRequest request;
    request.partition = {u"orders"_s, PartitionId{0}};
    request.offset = Offset{0};
    return request;
}

using Spoil = FakeKafkaBroker::Change;

QByteArray withBody(const QByteArray &answer, const QByteArray &body)
{
    return FakeKafkaBroker::withBody(answer, body);
}

/// One metadata topic, up to its partitions' count.
QByteArray topicStart(const QByteArray &name, qint32 partitions)
{
    return be16(0) + FakeKafkaBroker::string(name) + QByteArray(1, 0) + be32(partitions);
}

/// ListOffsets 1 (topics of partitions: id, error, time, offset) with one partition refused.
QByteArray withRefusedOffsets(const QByteArray &answer, qint32 refused)
{
    QByteArray body = answer.sliced(8);
    constexpr qsizetype kEntry = 4 + 2 + 8 + 8;
    for (qsizetype at = 4 + 2 + 6 + 4; at < body.size(); at += kEntry) {
        if (body.sliced(at, 4) == be32(refused))
            body.replace(at + 4, kEntry - 4, be16(29) + be64(-1) + be64(-1));
    }
    return withBody(answer, body);
}

} // namespace

/// This process is none the worse for what it met.
#define VERIFY_HEALTHY()                                                                           \
    do {                                                                                           \
        const FakeKafkaBroker healthy_;                                                            \
        kafka::KafkaSession session_(healthy_.config());                                           \
        const auto topics_ = session_.listTopics(CallContext(10'000ms));                           \
        QVERIFY2(topics_, qPrintable(topics_ ? QString() : describe(topics_.error())));            \
        QCOMPARE(topics_->size(), 1);                                                              \
    } while (false)

class tst_KafkaHostile : public QObject
{
    Q_OBJECT
private slots:
#ifdef __GLIBC__
    void initTestCase()
    {
        mallopt(M_ARENA_MAX, 1);
    } // each takes 64 MiB at once
#endif
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u".?"_s));
    }
    void theHonestBrokerIsUnderstood();
    void answersThatAreNoneAreSaid_data();
    void answersThatAreNoneAreSaid();
    void answersAboutOffsetsThatAreNone_data();
    void answersAboutOffsetsThatAreNone();
    void aBatchThatCannotBeUnpackedIsOneGap_data();
    void aBatchThatCannotBeUnpackedIsOneGap();
    void cancelEndsEveryCallToASilentBroker_data();
    void cancelEndsEveryCallToASilentBroker();
    void whatWasCancelledEndsWithItsTime();
    void oneTopicWithoutAnswerHidesNoOther_data();
    void oneTopicWithoutAnswerHidesNoOther();
    void oneRefusedPartitionHidesNoOther();
    void whatALeaderAnsweredIsKept();
    void namesOfTopicsAreKeptAsTheyAre_data();
    void namesOfTopicsAreKeptAsTheyAre();
};

void tst_KafkaHostile::theHonestBrokerIsUnderstood()
{
    const FakeKafkaBroker broker({{"clicks", {2}}, {"orders", {}}});
    kafka::KafkaSession session(broker.config());
    const auto topics = session.listTopics(CallContext(10'000ms));
    QVERIFY2(topics, qPrintable(topics ? QString() : describe(topics.error())));
    QCOMPARE(topics->size(), 2);
    QCOMPARE(topics->constFirst().partitions.size(), 2);
    const auto described = session.describeTopics({u"orders"_s}, CallContext(10'000ms));
    QVERIFY(described);
    QVERIFY(described->constFirst().partitions.constFirst().offsetsKnown);
    const auto fetched = session.fetch(fetchOrders(), CallContext(10'000ms));
    QVERIFY2(fetched, qPrintable(fetched ? QString() : describe(fetched.error())));
    QCOMPARE(fetched->end, FetchEnd::CaughtUp);
    QCOMPARE(broker.offsetsAskedFor().contains("clicks"), false);
}

void tst_KafkaHostile::answersThatAreNoneAreSaid_data()
{
    QTest::addColumn<int>("api");
    QTest::addColumn<Spoil>("spoil");
    QTest::addColumn<Then>("then");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("words");
    const QString stranger = u"what answers is no Kafka broker: it begins with "_s;
    for (const auto &[api, name] :
         {std::pair(Api::ApiVersions, "versions"), {Api::Metadata, "metadata"}}) {
        const bool first = api == Api::ApiVersions; // a later one may meet a call in flight
        const ErrorKind senseless = first ? ErrorKind::Network : ErrorKind::Protocol;
        const QString what =
            first ? u"ApiVersionRequest failed"_s : u"Metadata v4 makes no sense"_s;
        const auto row = [api = api, name = name](const char *title, const Spoil &spoil, Then then,
                                                  ErrorKind kind, const QString &words) {
            QTest::addRow("%s: %s", name, title) << int(api) << spoil << then << kind << words;
        };
        row(
            "length -1", [](const QByteArray &a) { return be32(-1) + a.mid(4); }, Then::StaySilent,
            ErrorKind::Protocol, first ? stranger + u"ff ff ff ff"_s : QString());
        row(
            "length 2^31-1", [](const QByteArray &a) { return be32(0x7fffffff) + a.mid(4); },
            Then::StaySilent, ErrorKind::Protocol, first ? stranger + u"7f ff ff ff"_s : QString());
        row(
            "a web server",
            [](const QByteArray &) { return QByteArray("HTTP/1.1 400 Bad\r\n\r\n"); },
            Then::StaySilent, ErrorKind::Protocol,
            first ? stranger + u"48 54 54 50 (HTTP)"_s : QString());
        row("length 0", [](const QByteArray &) { return be32(0); }, Then::StaySilent,
            ErrorKind::Timeout, {});
        row(
            "cut", [](const QByteArray &a) { return a.chopped(1); }, Then::HangUp,
            ErrorKind::Network, u"Disconnected"_s);
        row(
            "cut body", [](const QByteArray &a) { return withBody(a, a.sliced(8).chopped(1)); },
            Then::StaySilent, senseless, what);
        row(
            "no body", [](const QByteArray &a) { return withBody(a, {}); }, Then::StaySilent,
            senseless, what);
    }
    QTest::newRow("versions: 2^31-1 of them")
        << int(Api::ApiVersions) << Spoil([](const QByteArray &a) {
               return withBody(a, be16(0) + QByteArray::fromHex("8080808008")); // compact: one more
           })
        << Then::StaySilent << ErrorKind::Network << u"ApiVersionRequest failed"_s;
    QTest::newRow("versions: garbage behind")
        << int(Api::ApiVersions)
        << Spoil([](const QByteArray &a) { return a + QByteArray(70'000, '\xee'); })
        << Then::StaySilent << ErrorKind::Protocol << stranger + u"ee ee ee ee"_s;
    const auto body = [](const char *title, qsizetype kept, const QByteArray &instead,
                         ErrorKind kind = ErrorKind::Protocol) {
        QTest::addRow("metadata: %s", title)
            << int(Api::Metadata)
            << Spoil([=](const QByteArray &a) { return withBody(a, a.sliced(8, kept) + instead); })
            << Then::StaySilent << kind
            << (kind == ErrorKind::Protocol ? u"Metadata v4 makes no sense"_s : QString());
    };
    constexpr qsizetype kThrottle = 4; // bytes before the brokers
    const qsizetype start = FakeKafkaBroker().metadataStart().size();
    body("2^31-1 brokers", kThrottle, be32(0x7fffffff));
    body("-2 brokers", kThrottle, be32(-2));
    body("2^31-1 topics", start, be32(0x7fffffff));
    body("-2 topics", start, be32(-2), ErrorKind::Timeout); // librdkafka says nothing
    body("2^31-1 partitions", start, be32(1) + topicStart("orders", 0x7fffffff));
    body("a million partitions", start, be32(1) + topicStart("orders", 1'000'000));
    body("2^31-1 replicas", start,
         be32(1) + topicStart("orders", 1) + be16(0) + be32(0) + be32(1) + be32(0x7fffffff));
    // The length has 16 bits: it becomes negative.
    body("a name of 60 KB", start, be32(1) + topicStart(QByteArray(60'000, 'x'), 0));
}
void tst_KafkaHostile::answersThatAreNoneAreSaid()
{
    QFETCH(const int, api);
    QFETCH(const Spoil, spoil);
    QFETCH(const Then, then);
    QFETCH(const ErrorKind, kind);
    QFETCH(const QString, words);
    FakeKafkaBroker broker;
    broker.on(Api(api), spoil, then);
    const MemoryGrowth growth;
    const qint64 overtimeMs = quickest([&](qint64 &took) {
        const std::chrono::milliseconds limit = kind == ErrorKind::Timeout ? kShortLimit : kLimit;
        kafka::KafkaSession session(broker.config());
        QElapsedTimer timer;
        timer.start();
        const auto topics = session.listTopics(CallContext(limit));
        took = timer.elapsed() - limit.count();
        QVERIFY(!topics);
        const QString said = describe(topics.error());
        QVERIFY2(topics.error().kind == kind, qPrintable(said));
        QVERIFY2(said.contains(words), qPrintable(said));
    });
    QVERIFY2(overtimeMs < kPromptMs, qPrintable(QString::number(overtimeMs)));
    // A number in an answer made nobody allocate what it says.
    QVERIFY2(growth.kiB() < kMuchKiB, qPrintable(QString::number(growth.kiB())));
    VERIFY_HEALTHY();
}

void tst_KafkaHostile::answersAboutOffsetsThatAreNone_data()
{
    QTest::addColumn<int>("api");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<ErrorKind>("kind");
    const QByteArray orders = be32(1) + FakeKafkaBroker::string("orders");
    // ListOffsets 1: topics of partitions: id, error, time, offset.
    const auto offsets = [](const char *title, const QByteArray &body,
                            ErrorKind kind = ErrorKind::Protocol) {
        QTest::addRow("offsets: %s", title) << int(Api::ListOffsets) << body << kind;
    };
    offsets("none", {});
    offsets("2^31-1 topics", be32(0x7fffffff));
    offsets("2^31-1 partitions", orders + be32(0x7fffffff));
    offsets("of another partition", orders + be32(1) + be32(7) + be16(0) + be64(-1) + be64(0));
    offsets("negative", orders + be32(1) + be32(0) + be16(0) + be64(-1) + be64(-5));
    offsets("an error nobody knows", orders + be32(1) + be32(0) + be16(999) + be64(-1) + be64(0),
            ErrorKind::Broker);
    // Fetch 4: throttled for; topics of partitions: id, error, high watermark, last stable offset,
    // aborted transactions, records.
    const auto fetch = [](const char *title, const QByteArray &body,
                          ErrorKind kind = ErrorKind::Protocol) {
        QTest::addRow("fetch: %s", title) << int(Api::Fetch) << body << kind;
    };
    const QByteArray partition = be32(0) + orders + be32(1) + be32(0);
    const QByteArray high = be64(9) + be64(9);
    fetch("none", {});
    fetch("2^31-1 topics", be32(0) + be32(0x7fffffff));
    fetch("2^31-1 bytes of records", partition + be16(0) + high + be32(0) + be32(0x7fffffff));
    fetch("-7 bytes of records", partition + be16(0) + high + be32(0) + be32(-7));
    fetch("garbage for records",
          partition + be16(0) + high + be32(0) + be32(100) + QByteArray(100, '\xee'),
          ErrorKind::Broker);
    fetch("an error nobody knows", partition + be16(999) + high + be32(0) + be32(0),
          ErrorKind::Broker);
}
void tst_KafkaHostile::answersAboutOffsetsThatAreNone()
{
    QFETCH(const int, api);
    QFETCH(const QByteArray, body);
    QFETCH(const ErrorKind, kind);
    FakeKafkaBroker broker;
    broker.on(Api(api), [&](const QByteArray &answer) { return withBody(answer, body); });
    const MemoryGrowth growth;
    {
        kafka::KafkaSession session(broker.config());
        QElapsedTimer timer;
        timer.start();
        std::optional<Error> error;
        if (Api(api) == Api::ListOffsets) { // told of the partition, whose row stays
            const auto topics = session.describeTopics({u"orders"_s}, CallContext(kLimit));
            QVERIFY2(topics, qPrintable(topics ? QString() : describe(topics.error())));
            QVERIFY(!topics->constFirst().partitions.constFirst().offsetsKnown);
            error = topics->constFirst().partitions.constFirst().error;
        } else {
            const auto fetched = session.fetch(fetchOrders(), CallContext(kLimit));
            error = fetched ? std::nullopt : std::optional(fetched.error());
        }
        QVERIFY(error);
        QVERIFY2(error->kind == kind, qPrintable(describe(*error)));
        QVERIFY2(timer.elapsed() < kLimit.count() + kPromptMs, qPrintable(describe(*error)));
    }
    // A number in an answer made nobody allocate what it says.
    QVERIFY2(growth.kiB() < kMuchKiB, qPrintable(QString::number(growth.kiB())));
    VERIFY_HEALTHY();
}

void tst_KafkaHostile::aBatchThatCannotBeUnpackedIsOneGap_data()
{
    QTest::addColumn<int>("codec");
    QTest::newRow("gzip") << 1;
    QTest::newRow("snappy") << 2;
    QTest::newRow("lz4") << 3;
    QTest::newRow("zstd") << 4;
    QTest::newRow("nobody's") << 6;
}
/// Its checksum is right, what it holds is not what it says. It is stepped over, and said so.
void tst_KafkaHostile::aBatchThatCannotBeUnpackedIsOneGap()
{
    QFETCH(const int, codec);
    const auto record = &FakeKafkaBroker::record;
    FakeKafkaBroker::Topic orders;
    orders.batches = {FakeKafkaBroker::batch(0, 2, 0, record(0, "a") + record(1, "b")),
                      FakeKafkaBroker::batch(2, 2, codec, QByteArray(100, '\xee')),
                      FakeKafkaBroker::batch(4, 1, 0, record(0, "c"))};
    const FakeKafkaBroker broker({{"orders", orders}});
    kafka::KafkaSession session(broker.config());
    const auto first = session.fetch(fetchOrders(), soon());
    QVERIFY2(first, qPrintable(first ? QString() : describe(first.error())));
    const Record &oldest = first->chunk->records().front();
    QVERIFY(oldest.flags.testFlag(RecordFlag::HasTimestamp)); // 0 is a time: that of 1970
    QCOMPARE(first->chunk->timestampMs(oldest), qint64(0));
    const auto all = readAll(session, fetchOrders());
    QVERIFY2(all, qPrintable(all ? QString() : describe(all.error())));
    QCOMPARE(all->values,
             (std::vector<std::pair<qint64, QByteArray>>{{0, "a"}, {1, "b"}, {4, "c"}}));
    QCOMPARE(all->gaps.size(), size_t(1));
    QCOMPARE(all->gaps[0].first, Offset{2});
    QCOMPARE(all->gaps[0].end, Offset{4});
    QCOMPARE(all->gaps[0].kind, OffsetGap::Kind::Unreadable);
    QVERIFY2(all->gaps[0].reason.contains(u"Decompression"_s), qPrintable(all->gaps[0].reason));
}

void tst_KafkaHostile::cancelEndsEveryCallToASilentBroker_data()
{
    QTest::addColumn<QString>("call");
    QTest::addColumn<int>("api"); ///< of the request that is not answered
    QTest::addColumn<ErrorKind>("kind");
    const auto row = [](const char *call, Api api, ErrorKind kind = ErrorKind::Cancelled) {
        QTest::newRow(call) << QString::fromLatin1(call) << int(api) << kind;
    };
    row("open", Api::Metadata);
    row("list", Api::Metadata);
    row("describe", Api::ListOffsets);
    row("at a time", Api::ListOffsets);
    row("fetch", Api::Fetch);
    row("follow", Api::Metadata);
    row("next", Api::Fetch);
    row("groups", Api::ListGroups);
    row("group", Api::Metadata);
    row("publish", Api::Produce, ErrorKind::OutcomeUnknown);
}
void tst_KafkaHostile::cancelEndsEveryCallToASilentBroker()
{
    QFETCH(const QString, call);
    QFETCH(const int, api);
    QFETCH(const ErrorKind, kind);
    const qint64 quickestMs = quickest([&](qint64 &took) {
        FakeKafkaBroker broker;
        kafka::KafkaSession session(broker.config());
        const TopicPartition orders{u"orders"_s, PartitionId{0}};
        QVERIFY(session.open(CallContext(10'000ms)));
        const int before = broker.requests(Api(api));
        broker.on(Api(api), Then::StaySilent);
        std::unique_ptr<RecordFollower> follower;
        if (call == u"next"_s) // which asks already
            follower = session.follow({{{orders, Offset{0}}}}, CallContext(10'000ms)).value();

        std::stop_source stop;
        const CallContext context(30'000ms, stop.get_token());
        QElapsedTimer sinceCancel;
        auto canceller = std::async(std::launch::async, [&] {
            const bool came = broker.waitForRequest(Api(api), before);
            sinceCancel.start();
            stop.request_stop();
            return came;
        });
        const auto errorOf = [](const auto &result) {
            return result ? Error::make(ErrorKind::Protocol, u"it succeeded"_s) : result.error();
        };
        Error error;
        if (call == u"open"_s) {
            error = errorOf(session.open(context));
        } else if (call == u"list"_s) {
            error = errorOf(session.listTopics(context));
        } else if (call == u"describe"_s) {
            error = errorOf(session.describeTopics({orders.topic}, context));
        } else if (call == u"at a time"_s) {
            error = errorOf(session.offsetsAtTime({orders}, 1, context));
        } else if (call == u"fetch"_s) {
            error = errorOf(session.fetch(fetchOrders(), context));
        } else if (call == u"follow"_s) {
            error = errorOf(session.follow({{{orders, Offset{0}}}}, context));
        } else if (call == u"next"_s) {
            error = errorOf(follower->next(context));
        } else if (call == u"groups"_s) {
            error = errorOf(session.listGroups(context));
        } else if (call == u"group"_s) {
            error = errorOf(session.describeGroup(u"billing"_s, context));
        } else {
            PublishRequest request;
            request.topic = orders.topic;
            request.value = QByteArray("v");
            request.ack = AckPolicy::Acks1;
            error = errorOf(session.publish(request, context));
        }
        QVERIFY2(canceller.get(), qPrintable(describe(error)));
        took = sinceCancel.elapsed();
        QVERIFY2(error.kind == kind, qPrintable(describe(error)));
    });
    QVERIFY2(quickestMs < kCancelledMs, qPrintable(QString::number(quickestMs)));
}

/// What the library cannot break off ends when its time is up, and with it the client.
void tst_KafkaHostile::whatWasCancelledEndsWithItsTime()
{
    FakeKafkaBroker broker;
    broker.on(Api::Metadata, Then::StaySilent);
    std::stop_source stop;
    auto canceller = std::async(std::launch::async, [&] {
        const bool came = broker.waitForRequest(Api::Metadata);
        stop.request_stop();
        return came;
    });
    auto session = std::make_unique<kafka::KafkaSession>(broker.config());
    // Not so short that the time is up before anything is asked.
    const auto listed = session->listTopics(CallContext(3'000ms, stop.get_token()));
    QVERIFY(canceller.get());
    QVERIFY(!listed);
    QCOMPARE(listed.error().kind, ErrorKind::Cancelled);
    QCOMPARE(broker.connections(), 1);
    session.reset();
    QTRY_COMPARE_WITH_TIMEOUT(broker.connections(), 0, 8'000);
}

void tst_KafkaHostile::oneTopicWithoutAnswerHidesNoOther_data()
{
    QTest::addColumn<int>("others");
    QTest::newRow("asked for one by one") << 2;
    QTest::newRow("listed") << 100;
}
void tst_KafkaHostile::oneTopicWithoutAnswerHidesNoOther()
{
    QFETCH(const int, others);
    FakeKafkaBroker::Topics topics = manyTopics(others, 1);
    topics.insert("silent", {1, 0, false});
    FakeKafkaBroker broker(topics);
    broker.on(Api::Metadata, [](const QByteArray &answer) {
        return answer.contains("silent") ? QByteArray() : answer;
    });
    QStringList names{u"topic-00000"_s, u"silent"_s};
    for (int i = 1; i < others; ++i)
        names.append(u"topic-%1"_s.arg(i, 5, 10, QChar(u'0')));
    // The silent one takes all the time there is: no more than the others need on this machine.
    Result<TopicList> found = TopicList();
    for (const auto limit : {1'000ms, 5'000ms}) {
        const auto handle = kafka::Handle::make(RD_KAFKA_CONSUMER, broker.config(), {});
        QVERIFY(handle);
        QVERIFY(kafka::describeCluster(*handle, CallContext(10'000ms)));
        found = kafka::describeTopics(*handle, names, CallContext(limit));
        if (found && found->size() == names.size() && !found->at(1).error)
            break;
    }
    QVERIFY2(found, qPrintable(found ? QString() : describe(found.error())));
    QCOMPARE(found->size(), names.size());
    QCOMPARE(found->constFirst().name, u"silent"_s);
    QVERIFY(found->constFirst().error);
    QCOMPARE(found->constFirst().error->kind, ErrorKind::Timeout);
    QCOMPARE(found->at(1).name, u"topic-00000"_s);
    QVERIFY(!found->at(1).error);
    QCOMPARE(found->at(1).partitions.size(), 1);
}

void tst_KafkaHostile::oneRefusedPartitionHidesNoOther()
{
    constexpr int kPartitions = 5;
    FakeKafkaBroker broker({{"orders", {kPartitions}}});
    broker.on(Api::ListOffsets,
              [](const QByteArray &answer) { return withRefusedOffsets(answer, 3); });
    kafka::KafkaSession session(broker.config());
    const auto topics = session.describeTopics({u"orders"_s}, CallContext(10'000ms));
    QVERIFY2(topics, qPrintable(topics ? QString() : describe(topics.error())));
    QCOMPARE(topics->constFirst().partitions.size(), kPartitions);
    for (const PartitionInfo &partition : topics->constFirst().partitions) {
        const bool isRefused = partition.id == PartitionId{3};
        QCOMPARE(partition.offsetsKnown, !isRefused);
        QCOMPARE(partition.error ? partition.error->brokerName : QString(),
                 isRefused ? u"TOPIC_AUTHORIZATION_FAILED"_s : QString());
    }
}

/// One is refused, so that the others are asked for in parts, and one part gets no answer.
void tst_KafkaHostile::whatALeaderAnsweredIsKept()
{
    FakeKafkaBroker broker({{"orders", {4}}});
    std::atomic<int> requests = 0;
    broker.on(Api::ListOffsets, [&requests](const QByteArray &answer) {
        // All, 0 and 1, 0, 1, and then 2 and 3.
        return ++requests == 5 ? QByteArray() : withRefusedOffsets(answer, 0);
    });
    kafka::KafkaSession session(broker.config());
    const auto topics = session.describeTopics({u"orders"_s}, CallContext(30'000ms));
    QVERIFY2(topics, qPrintable(topics ? QString() : describe(topics.error())));
    const auto &partitions = topics->constFirst().partitions;
    QCOMPARE(partitions.size(), 4);
    QCOMPARE(partitions[0].error->brokerName, u"TOPIC_AUTHORIZATION_FAILED"_s);
    QVERIFY(partitions[1].offsetsKnown);
    for (int silent : {2, 3})
        QCOMPARE(partitions[silent].error->kind, ErrorKind::Timeout);
}

void tst_KafkaHostile::namesOfTopicsAreKeptAsTheyAre_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("control characters") << QByteArray("a\nb\t\x1b[31mred\x7f");
    QTest::newRow("the longest") << QByteArray(32'767, 'x');
}
void tst_KafkaHostile::namesOfTopicsAreKeptAsTheyAre()
{
    QFETCH(const QByteArray, name);
    const FakeKafkaBroker broker({{name, {}}, {"orders", {}}});
    kafka::KafkaSession session(broker.config());
    const auto topics = session.listTopics(CallContext(10'000ms));
    QVERIFY2(topics, qPrintable(topics ? QString() : describe(topics.error())));
    QCOMPARE(topics->size(), 2);
    const auto odd = std::ranges::find(*topics, QString::fromUtf8(name), &TopicInfo::name);
    QVERIFY(odd != topics->end());
    QCOMPARE(odd->partitions.size(), 1);
    // One bad topic hides no other.
    const auto described = session.describeTopics({odd->name, u"orders"_s}, CallContext(10'000ms));
    QVERIFY2(described, qPrintable(described ? QString() : describe(described.error())));
    const auto orders = std::ranges::find(*described, u"orders"_s, &TopicInfo::name);
    QVERIFY(orders != described->end());
    const PartitionInfo &partition = orders->partitions.constFirst();
    QVERIFY2(partition.offsetsKnown,
             qPrintable(partition.error ? describe(*partition.error) : QString()));
}

QTEST_GUILESS_MAIN(tst_KafkaHostile)
#include "tst_kafkahostile.moc"
