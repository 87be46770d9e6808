// Looking and reading against a released Apache Kafka; published by a client that shares no code
// with ours.

#include "core/records/headers.h"
#include "tests/core/kafka/kafkacalls.h"

#include <QFile>

using namespace topicscope;
using namespace topicscope::test;
using namespace Qt::StringLiterals;

namespace
{

using Values = std::vector<std::pair<qint64, QByteArray>>;

} // namespace

class tst_RealKafkaReading : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { m_session = std::make_unique<kafka::KafkaSession>(configFor(*m_cluster)); }
    void cleanup() { m_session.reset(); }

    void topicsComeWithOffsetsAndLeaders();
    void lookingLeavesNoTrace();
    void recordsComeAsTheyWerePublished();
    void noTimeIsMinusOne();
    void everyCompressionIsUnpacked_data();
    void everyCompressionIsUnpacked();
    void pagesLoseNothing();
    void theEndIsToldAtOnce();
    void outOfRangeIsAnAnswerNotAJump();
    void compactedOffsetsAreGaps();
    void transactionsAreReadAtBothLevels();
    void aRecordLargerThanMaxBytesComesAlone();
    void anAnswerTooLargeIsToldAtOnce();
    void aDamagedBatchIsOneGap_data();
    void aDamagedBatchIsOneGap();
    void aTopicMadeAnewIsReadFromItsStart();

private:
    KafkaPeer peer() const { return KafkaPeer(m_cluster->adminBootstrap()); }

    std::unique_ptr<KafkaCluster> m_cluster;
    std::unique_ptr<kafka::KafkaSession> m_session;
};

void tst_RealKafkaReading::initTestCase()
{
    m_cluster = std::make_unique<KafkaCluster>();
    VERIFY_DONE(m_cluster->start());
}

void tst_RealKafkaReading::topicsComeWithOffsetsAndLeaders()
{
    KafkaPeer peer = this->peer();
    VERIFY_DONE(peer.createTopic(u"listed"_s, 3));
    VERIFY_DONE(peer.produce(u"listed"_s,
                             {{.value = "a"}, {.value = "b"}, {.value = "c", .partition = 2}}));
    VERIFY_DONE(peer.deleteRecords(u"listed"_s, 0, 1));
    VERIFY_DONE(peer.commitOffset(u"group"_s, u"listed"_s, 0, 1)); // makes __consumer_offsets
    const auto topics = m_session->describeTopics({u"listed"_s, u"__consumer_offsets"_s}, soon());
    VERIFY_DONE(topics);
    const auto topic = std::ranges::find(*topics, u"listed"_s, &TopicInfo::name);
    QVERIFY(topic != topics->end());
    QVERIFY(!topic->internal);
    QCOMPARE(topic->partitions.size(), 3);
    for (const PartitionInfo &partition : topic->partitions) {
        QVERIFY(!partition.error);
        QCOMPARE(partition.leader, std::optional<qint32>(1));
        QCOMPARE(partition.replicas, QList<qint32>{1});
        QCOMPARE(partition.inSyncReplicas, QList<qint32>{1});
    }
    QCOMPARE(topic->partitions[0].logStartOffset, Offset{1});
    QCOMPARE(topic->partitions[0].highWatermark, Offset{2});
    QCOMPARE(topic->partitions[1].highWatermark, Offset{0});
    QCOMPARE(topic->partitions[2].logStartOffset, Offset{0});
    QCOMPARE(topic->partitions[2].highWatermark, Offset{1});
    const auto internal = std::ranges::find(*topics, u"__consumer_offsets"_s, &TopicInfo::name);
    QVERIFY(internal != topics->end());
    QVERIFY(internal->internal);
}

void tst_RealKafkaReading::lookingLeavesNoTrace()
{
    KafkaPeer peer = this->peer();
    VERIFY_DONE(peer.createTopic(u"watched"_s));
    VERIFY_DONE(peer.produce(u"watched"_s, {{.value = "seen"}}));
    const QStringList topics = peer.topics().value();
    const QStringList groups = peer.groups().value();

    VERIFY_DONE(m_session->listTopics(soon()));
    QCOMPARE(m_session->describeTopics({u"watched"_s, u"typo"_s}, soon()).value().size(), 1);
    QCOMPARE(readAll(*m_session, fetchFrom(u"watched"_s, 0, 0)).value().values,
             Values({{0, "seen"}}));
    const auto follower =
        m_session->follow({{{{u"watched"_s, PartitionId{0}}, Offset{0}}}}, soon());
    VERIFY_DONE(follower);
    VERIFY_DONE((*follower)->next(soon()));
    // A typo, in every call that takes a name. The broker makes topics it is asked for.
    const auto fetched = m_session->fetch(fetchFrom(u"typo"_s, 0, 0), soon());
    QVERIFY(!fetched);
    QCOMPARE(fetched.error().kind, ErrorKind::Broker);
    QCOMPARE(fetched.error().brokerName, u"UNKNOWN_TOPIC_OR_PART"_s);
    QVERIFY(!m_session->follow({{{{u"typo"_s, PartitionId{0}}, Offset{0}}}}, soon()));
    PublishRequest request;
    request.topic = u"typo"_s;
    request.value = "v";
    request.ack = AckPolicy::AcksAll;
    QVERIFY(!m_session->publish(request, soon()));

    // The controller does one thing after the other: behind this one, no other is on its way.
    VERIFY_DONE(peer.createTopic(u"zz-last"_s));
    QCOMPARE(peer.topics().value(), topics + QStringList{u"zz-last"_s});
    QCOMPARE(peer.groups().value(), groups);
}

void tst_RealKafkaReading::recordsComeAsTheyWerePublished()
{
    constexpr qint64 kFarFuture = 253'402'300'799'999; // the last ms of the year 9999
    KafkaPeer peer = this->peer();
    // 4.x refuses timestamps more than an hour ahead unless told otherwise.
    VERIFY_DONE(peer.createTopic(
        u"kept"_s, 1, {{u"message.timestamp.after.max.ms"_s, u"9223372036854775807"_s}}));
    VERIFY_DONE(peer.produce(
        u"kept"_s,
        {{.timestampMs = 1},
         {.key = "", .value = "", .timestampMs = kFarFuture},
         {.key = QByteArray("\x00\x80\xff", 3),
          .value = QByteArray("\xff\x00", 2),
          .headers = {{"b", "1"}, {"a", std::nullopt}, {"b", ""}, {"", "x"}, {"\xff\xfe", "y"}},
          .timestampMs = 1'700'000'000'123}}));
    const auto result = m_session->fetch(fetchFrom(u"kept"_s, 0, 0), soon());
    VERIFY_DONE(result);
    const RecordChunk &chunk = *result->chunk;
    const auto &records = chunk.records();
    QCOMPARE(records.size(), size_t(3));
    QCOMPARE(records[0].flags, RecordFlags({RecordFlag::NullValue, RecordFlag::HasTimestamp,
                                            RecordFlag::BatchVerified}));
    QCOMPARE(chunk.timestampMs(records[0]), 1);
    QCOMPARE(records[1].flags, RecordFlags({RecordFlag::HasKey, RecordFlag::HasTimestamp,
                                            RecordFlag::BatchVerified}));
    QCOMPARE(records[1].keySize, 0U);
    QCOMPARE(records[1].valueSize, 0U);
    QCOMPARE(chunk.timestampMs(records[1]), kFarFuture);
    QVERIFY(records[2].flags.testFlag(RecordFlag::HasHeaders));
    QCOMPARE(toBytes(chunk.key(records[2])), QByteArray("\x00\x80\xff", 3));
    QCOMPARE(toBytes(chunk.value(records[2])), QByteArray("\xff\x00", 2));
    QCOMPARE(chunk.timestampMs(records[2]), 1'700'000'000'123);
    const auto headers = readHeaders(chunk.headers(records[2]));
    QVERIFY(headers);
    const HeaderList expected{{"b", QByteArray("1")},
                              {"a", std::nullopt},
                              {"b", QByteArray("")},
                              {"", QByteArray("x")},
                              {"\xff\xfe", QByteArray("y")}};
    QVERIFY(*headers == expected);
    QCOMPARE(result->nextOffset, Offset{3});
    QCOMPARE(result->highWatermark, Offset{3});
}

void tst_RealKafkaReading::noTimeIsMinusOne()
{
    KafkaPeer peer = this->peer();
    VERIFY_DONE(peer.createTopic(u"timeless"_s));
    VERIFY_DONE(peer.produce(u"timeless"_s, {{.value = "v", .timestampMs = -1}}));
    VERIFY_DONE(
        peer.createTopic(u"stamped"_s, 1, {{u"message.timestamp.type"_s, u"LogAppendTime"_s}}));
    VERIFY_DONE(peer.produce(u"stamped"_s, {{.value = "v", .timestampMs = 1}}));
    const auto timeless = m_session->fetch(fetchFrom(u"timeless"_s, 0, 0), soon());
    VERIFY_DONE(timeless);
    QCOMPARE(timeless->chunk->timestampMs(timeless->chunk->records().front()), qint64(-1));
    const auto stamped = m_session->fetch(fetchFrom(u"stamped"_s, 0, 0), soon());
    VERIFY_DONE(stamped);
    const Record &record = stamped->chunk->records().front();
    QVERIFY(record.flags.testFlag(RecordFlag::LogAppendTime));
    QVERIFY(stamped->chunk->timestampMs(record).value() > 1'700'000'000'000); // the broker's clock
}

void tst_RealKafkaReading::everyCompressionIsUnpacked_data()
{
    QTest::addColumn<QString>("codec");
    for (const auto &codec : {u"gzip"_s, u"snappy"_s, u"lz4"_s, u"zstd"_s})
        QTest::newRow(qPrintable(codec)) << codec;
}

void tst_RealKafkaReading::everyCompressionIsUnpacked()
{
    QFETCH(const QString, codec);
    KafkaPeer peer = this->peer();
    VERIFY_DONE(peer.createTopic(codec));
    QList<PeerRecord> records;
    Values expected;
    for (int i = 0; i < 500; ++i) {
        expected.emplace_back(i, QByteArray::number(i).repeated(i));
        records.append({.value = expected.back().second});
    }
    VERIFY_DONE(peer.produce(codec, records, {{u"compression.type"_s, codec}}));
    QFile log(m_cluster->logDirectory(codec, 0) + u"/00000000000000000000.log"_s);
    QVERIFY2(log.size() > 0 && log.size() < 200'000, "it was not packed"); // plain: 684 kB
    const auto all = readAll(*m_session, fetchFrom(codec, 0, 0));
    VERIFY_DONE(all);
    QCOMPARE(all->values, expected);
    QVERIFY(all->gaps.empty());
    // From the middle of a packed batch.
    const auto middle = m_session->fetch(fetchFrom(codec, 0, 123), soon());
    VERIFY_DONE(middle);
    QCOMPARE(middle->chunk->records().front().offset, Offset{123});
}

void tst_RealKafkaReading::pagesLoseNothing()
{
    KafkaPeer peer = this->peer();
    VERIFY_DONE(peer.createTopic(u"long"_s));
    QList<PeerRecord> records;
    Values expected;
    for (int i = 0; i < 5'000; ++i) {
        expected.emplace_back(i, QByteArray::number(i));
        records.append({.value = expected.back().second});
    }
    VERIFY_DONE(peer.produce(u"long"_s, records));
    FetchRequest request = fetchFrom(u"long"_s, 0, 0);
    request.maxBytes = 500;
    const auto all = readAll(*m_session, request);
    VERIFY_DONE(all);
    QCOMPARE(all->values, expected);
    QVERIFY(all->gaps.empty());
    QVERIFY(all->pages >= 18'890 / 500); // bytes of all values
    // And back.
    const auto again = m_session->fetch(fetchFrom(u"long"_s, 0, 4'321), soon());
    VERIFY_DONE(again);
    QCOMPARE(again->chunk->records().front().offset, Offset{4'321});
}

void tst_RealKafkaReading::theEndIsToldAtOnce()
{
    VERIFY_DONE(peer().createTopic(u"empty"_s));
    const auto result = m_session->fetch(fetchFrom(u"empty"_s, 0, 0), soon());
    VERIFY_DONE(result);
    QVERIFY(result->chunk->isEmpty());
    QVERIFY(result->gaps.empty());
    QCOMPARE(result->end, FetchEnd::CaughtUp);
    QCOMPARE(result->nextOffset, Offset{0});
    QCOMPARE(result->highWatermark, Offset{0});
}

void tst_RealKafkaReading::outOfRangeIsAnAnswerNotAJump()
{
    KafkaPeer peer = this->peer();
    VERIFY_DONE(peer.createTopic(u"ranged"_s));
    VERIFY_DONE(peer.produce(u"ranged"_s, {{.value = "0"}, {.value = "1"}, {.value = "2"}}));
    VERIFY_DONE(peer.deleteRecords(u"ranged"_s, 0, 2));
    for (const qint64 offset : {0, 1, 4, 1'000'000}) {
        const auto result = m_session->fetch(fetchFrom(u"ranged"_s, 0, offset), soon());
        QVERIFY(!result);
        QCOMPARE(result.error().kind, ErrorKind::Broker);
        QCOMPARE(result.error().brokerName, u"OFFSET_OUT_OF_RANGE"_s);
        QCOMPARE(result.error().where.partition, std::optional(PartitionId{0}));
    }
    QCOMPARE(readAll(*m_session, fetchFrom(u"ranged"_s, 0, 2)).value().values, Values({{2, "2"}}));
    const auto partition = m_session->fetch(fetchFrom(u"ranged"_s, 7, 0), soon());
    QVERIFY(!partition);
    QCOMPARE(partition.error().brokerName, u"UNKNOWN_TOPIC_OR_PART"_s);
}

void tst_RealKafkaReading::compactedOffsetsAreGaps()
{
    KafkaPeer peer = this->peer();
    const QString topic = u"compacted"_s;
    VERIFY_DONE(peer.createTopic(
        topic, 1, {{u"cleanup.policy"_s, u"compact"_s}, {u"segment.ms"_s, u"1000"_s}}));
    VERIFY_DONE(peer.produce(topic, {{.key = "a", .value = "1", .timestampMs = 1},
                                     {.key = "b", .value = "2", .timestampMs = 1},
                                     {.key = "a", .value = "3", .timestampMs = 1},
                                     {.key = "c", .value = "4", .timestampMs = 1},
                                     {.key = "c", .value = "5", .timestampMs = 1},
                                     {.key = "d", .value = "6", .timestampMs = 1}}));
    VERIFY_DONE(peer.produce(topic, {{.key = "e", .value = "7", .timestampMs = 5'000}}));
    VERIFY_DONE(m_cluster->waitUntilCompacted(topic, 0, 6));
    const auto all = readAll(*m_session, fetchFrom(topic, 0, 0));
    VERIFY_DONE(all);
    QCOMPARE(all->values, Values({{1, "2"}, {2, "3"}, {4, "5"}, {5, "6"}, {6, "7"}}));
    QCOMPARE(all->gaps, std::vector({gap(0, 1), gap(3, 4)}));
    QCOMPARE(all->end, 7);
    // From inside a gap.
    const auto inside = m_session->fetch(fetchFrom(topic, 0, 3), soon());
    VERIFY_DONE(inside);
    QCOMPARE(inside->gaps, std::vector({gap(3, 4)}));
}

void tst_RealKafkaReading::transactionsAreReadAtBothLevels()
{
    KafkaPeer peer = this->peer();
    const QString topic = u"payments"_s;
    VERIFY_DONE(peer.createTopic(topic));
    PeerProducer producer(m_cluster->adminBootstrap(), {{u"transactional.id"_s, u"reading"_s}});
    VERIFY_DONE(producer.begin());
    VERIFY_DONE(producer.produce(topic, {{.value = "kept"}, {.value = "too"}})); // 0, 1; marker 2
    VERIFY_DONE(producer.commit());
    VERIFY_DONE(producer.begin());
    VERIFY_DONE(producer.produce(topic, {{.value = "undone"}})); // 3; marker 4
    VERIFY_DONE(producer.abort());
    // It is back before the marker is written, which another client could come before.
    QTRY_COMPARE_WITH_TIMEOUT(valueOf(peer.watermarks(topic)).second, 5, 30'000);
    VERIFY_DONE(peer.produce(topic, {{.value = "plain"}})); // 5
    VERIFY_DONE(producer.begin());
    VERIFY_DONE(producer.produce(topic, {{.value = "open"}}));  // 6
    VERIFY_DONE(peer.produce(topic, {{.value = "behind it"}})); // 7

    const auto everything = readAll(*m_session, fetchFrom(topic, 0, 0));
    VERIFY_DONE(everything);
    QCOMPARE(
        everything->values,
        Values(
            {{0, "kept"}, {1, "too"}, {3, "undone"}, {5, "plain"}, {6, "open"}, {7, "behind it"}}));
    QCOMPARE(everything->gaps, std::vector({gap(2, 3), gap(4, 5)}));
    QCOMPARE(everything->end, 8);

    FetchRequest request = fetchFrom(topic, 0, 0);
    request.isolation = Isolation::ReadCommitted;
    auto committed = readAll(*m_session, request);
    VERIFY_DONE(committed);
    QCOMPARE(committed->values, Values({{0, "kept"}, {1, "too"}, {5, "plain"}}));
    // Those of committed and aborted transactions and the aborted record itself are told apart.
    const std::vector leftOut{gap(2, 3), gap(3, 4, OffsetGap::Kind::Aborted), gap(4, 5)};
    QCOMPARE(committed->gaps, leftOut);
    QCOMPARE(committed->end, 6); // the open transaction holds the rest back
    request.offset = Offset{6};
    const auto held = m_session->fetch(request, soon());
    VERIFY_DONE(held);
    QCOMPARE(held->end, FetchEnd::CaughtUp);
    QCOMPARE(held->lastStableOffset, std::optional(Offset{6}));
    QCOMPARE(held->highWatermark, Offset{8});
    // Whoever looks into the topic is told, without a committed read.
    const auto described = m_session->describeTopics({topic}, soon());
    VERIFY_DONE(described);
    QCOMPARE(described->constFirst().partitions.constFirst().highWatermark, Offset{8});
    QCOMPARE(described->constFirst().partitions.constFirst().lastStableOffset,
             std::optional(Offset{6}));
    // From behind it, too; only behind the log's end there is nothing to ask for.
    for (const qint64 behind : {7, 8}) {
        request.offset = Offset{behind};
        const auto waiting = m_session->fetch(request, soon());
        VERIFY_DONE(waiting);
        QCOMPARE(waiting->end, FetchEnd::CaughtUp);
        QCOMPARE(waiting->nextOffset, Offset{behind});
        QCOMPARE(waiting->lastStableOffset, std::optional(Offset{6}));
    }
    request.offset = Offset{9};
    const auto beyond = m_session->fetch(request, soon());
    QVERIFY(!beyond);
    QCOMPARE(beyond.error().brokerName, u"OFFSET_OUT_OF_RANGE"_s);
    request.offset = Offset{0};

    // Followed, the same comes.
    const auto follower = m_session->follow(
        {{{request.partition, Offset{0}}}, kDefaultMaxBytes, Isolation::ReadCommitted}, soon());
    VERIFY_DONE(follower);
    Values followed;
    std::vector<OffsetGap> gaps;
    const auto followTo = [&](qint64 end) -> Result<void> {
        while ((*follower)->positions().front().second.value < end) {
            const auto next = (*follower)->next(soon());
            if (!next)
                return next.error();
            for (const Record &record : next->chunk->records())
                followed.emplace_back(record.offset.value, toBytes(next->chunk->value(record)));
            gaps.insert(gaps.end(), next->gaps.begin(), next->gaps.end());
        }
        return {};
    };
    VERIFY_DONE(followTo(6));
    QCOMPARE(followed, committed->values);
    QCOMPARE(gaps, leftOut);

    // The marker is the last thing in the log: nothing to read, yet the end moves behind it.
    VERIFY_DONE(producer.commit());
    QTRY_COMPARE_WITH_TIMEOUT(valueOf(peer.watermarks(topic)).second, 9, 30'000);
    committed = readAll(*m_session, request);
    VERIFY_DONE(committed);
    QCOMPARE(committed->values,
             Values({{0, "kept"}, {1, "too"}, {5, "plain"}, {6, "open"}, {7, "behind it"}}));
    QCOMPARE(committed->gaps,
             std::vector({gap(2, 3), gap(3, 4, OffsetGap::Kind::Aborted), gap(4, 5), gap(8, 9)}));
    QCOMPARE(committed->end, 9);
    VERIFY_DONE(followTo(9));
    QCOMPARE(followed, committed->values);
    QCOMPARE(gaps, committed->gaps);
}

void tst_RealKafkaReading::aRecordLargerThanMaxBytesComesAlone()
{
    KafkaPeer peer = this->peer();
    VERIFY_DONE(peer.createTopic(u"large"_s, 1, {{u"max.message.bytes"_s, u"30000000"_s}}));
    QByteArray large(20'000'000, 'x');
    large.front() = 'a';
    large.back() = 'z';
    VERIFY_DONE(peer.produce(
        u"large"_s, {{.value = QByteArray(1'000'000, 'm')}, {.value = large}, {.value = "after"}},
        {{u"message.max.bytes"_s, u"30000000"_s}}));
    FetchRequest request = fetchFrom(u"large"_s, 0, 0);
    request.maxBytes = 1'000;
    const auto all = readAll(*m_session, request);
    VERIFY_DONE(all);
    QCOMPARE(all->values.size(), size_t(3));
    QVERIFY(all->values[1].second == large);
    QCOMPARE(all->values[2].second, QByteArray("after"));
    QVERIFY(all->gaps.empty());
}

void tst_RealKafkaReading::anAnswerTooLargeIsToldAtOnce()
{
    KafkaPeer peer = this->peer();
    VERIFY_DONE(peer.createTopic(u"huge"_s, 1, {{u"max.message.bytes"_s, u"30000000"_s}}));
    VERIFY_DONE(
        peer.produce(u"huge"_s, {{.value = "small"}}, {{u"message.max.bytes"_s, u"30000000"_s}}));
    VERIFY_DONE(peer.produce(u"huge"_s, {{.value = QByteArray(5'000'000, 'x')}},
                             {{u"message.max.bytes"_s, u"30000000"_s}}));
    SessionConfig config = configFor(*m_cluster);
    config.properties.insert(u"receive.message.max.bytes"_s, u"2000000"_s);
    config.properties.insert(u"fetch.max.bytes"_s, u"1000000"_s);
    kafka::KafkaSession session(config);
    const auto refused = session.fetch(fetchFrom(u"huge"_s, 0, 1), soon());
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, ErrorKind::RecordExceedsMaxBytes);
    QVERIFY2(refused.error().detail.contains(u"receive.message.max.bytes"_s),
             qPrintable(refused.error().detail));
    QCOMPARE(refused.error().limitBytes, std::optional<qint64>(2'000'000));
    QVERIFY(refused.error().recordBytes > 5'000'000);
    // Elsewhere reading goes on.
    const auto small = session.fetch(fetchFrom(u"huge"_s, 0, 0), soon());
    VERIFY_DONE(small);
    QCOMPARE(toBytes(small->chunk->value(small->chunk->records().front())), QByteArray("small"));
}

void tst_RealKafkaReading::aDamagedBatchIsOneGap_data()
{
    QTest::addColumn<int>("damaged");
    QTest::newRow("first") << 0;
    QTest::newRow("inside") << 1;
    QTest::newRow("last") << 2;
}

void tst_RealKafkaReading::aDamagedBatchIsOneGap()
{
    QFETCH(const int, damaged);
    constexpr qint64 kRecords = 37; // in each of three batches
    KafkaPeer peer = this->peer();
    const QString topic = u"damaged-%1"_s.arg(damaged);
    VERIFY_DONE(peer.createTopic(topic));
    QList<PeerRecord> batch;
    for (int i = 0; i < kRecords; ++i)
        batch.append({.value = "something to read"});
    // Each is sent when all are in it, whatever time that takes.
    for (int i = 0; i < 3; ++i)
        VERIFY_DONE(peer.produce(topic, batch, {{u"linger.ms"_s, u"60000"_s}}));
    const qint64 first = damaged * kRecords;
    QCOMPARE(m_cluster->damageBatch(topic, 0, first + 5),
             std::optional(std::pair(first, first + kRecords - 1)));

    const auto check = [&](const std::vector<OffsetGap> &gaps, size_t records, qint64 end) {
        QString found;
        for (const OffsetGap &gap : gaps)
            found += u"%1..%2 %3; "_s.arg(gap.first.value).arg(gap.end.value).arg(gap.reason);
        QVERIFY2(gaps.size() == 1, qPrintable(found));
        QCOMPARE(gaps[0].first, Offset{first});
        QCOMPARE(gaps[0].end, Offset{first + kRecords});
        QCOMPARE(gaps[0].kind, OffsetGap::Kind::Unreadable);
        QVERIFY(!gaps[0].reason.isEmpty());
        QVERIFY2(!gaps[0].reason.contains(u"something"_s), qPrintable(gaps[0].reason));
        QCOMPARE(records, size_t(2 * kRecords));
        QCOMPARE(end, 3 * kRecords);
    };
    const auto all = readAll(*m_session, fetchFrom(topic, 0, 0));
    VERIFY_DONE(all);
    check(all->gaps, all->values.size(), all->end);

    // Followed, too.
    const TopicPartition partition{topic, PartitionId{0}};
    const auto follower = m_session->follow({{{partition, Offset{0}}}}, soon());
    VERIFY_DONE(follower);
    std::vector<OffsetGap> gaps;
    size_t records = 0;
    while ((*follower)->positions().front().second.value < 3 * kRecords) {
        const auto next = (*follower)->next(soon());
        VERIFY_DONE(next);
        records += next->chunk->records().size();
        gaps.insert(gaps.end(), next->gaps.begin(), next->gaps.end());
    }
    check(gaps, records, (*follower)->positions().front().second.value);
}

void tst_RealKafkaReading::aTopicMadeAnewIsReadFromItsStart()
{
    KafkaPeer peer = this->peer();
    VERIFY_DONE(peer.createTopic(u"again"_s, 2));
    VERIFY_DONE(peer.produce(u"again"_s, {{.value = "old"}, {.value = "older"}}));
    QCOMPARE(readAll(*m_session, fetchFrom(u"again"_s, 0, 0)).value().end, 2);
    VERIFY_DONE(peer.deleteTopic(u"again"_s));
    const auto gone = m_session->listTopics(soon());
    VERIFY_DONE(gone);
    QVERIFY(std::ranges::find(*gone, u"again"_s, &TopicInfo::name) == gone->end());
    VERIFY_DONE(peer.createTopic(u"again"_s, 1));
    VERIFY_DONE(peer.produce(u"again"_s, {{.value = "new"}}));
    const auto all = readAll(*m_session, fetchFrom(u"again"_s, 0, 0));
    VERIFY_DONE(all);
    QCOMPARE(all->values, Values({{0, "new"}}));
}

KAFKA_TEST_MAIN(tst_RealKafkaReading)

#include "tst_realkafkareading.moc"
