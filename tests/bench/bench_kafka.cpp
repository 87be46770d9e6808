#include "core/session/fetchblocks.h"
#include "core/sessionfactory.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/brokerprocess.h"

#include <QElapsedTimer>
#include <QProcess>

#ifdef TOPICSCOPE_BENCH_KAFKA
#include "tests/support/kafkacluster.h"
#include "tests/support/kafkapeer.h"
#endif

namespace topicscope::bench
{

using namespace Qt::StringLiterals;

#ifdef TOPICSCOPE_BENCH_KAFKA

namespace
{

constexpr int kRounds = 15;
constexpr int kLimitMs = 120'000;
constexpr qsizetype kFillBatch = 50'000;
const QString kTopic = u"bench"_s;
/// The queue of our following reader; kcat is given the same.
const QStringList kQueueSettings = {u"-X"_s, u"queued.min.messages=1000000"_s, u"-X"_s,
                                    u"queued.max.messages.kbytes=65536"_s};

/// Fetches what the cluster is started from, where that has not been done yet.
Result<void> prepare()
{
    QProcess script;
    script.setProcessChannelMode(QProcess::MergedChannels);
    script.start(u"python3"_s,
                 {QStringLiteral(TOPICSCOPE_KAFKA_PREPARE), u"--out"_s,
                  QStringLiteral(TOPICSCOPE_KAFKA_DIR), u"--versions"_s, test::kNewestKafka});
    script.waitForFinished(15 * 60'000);
    if (const QString reason = test::KafkaCluster::unavailable(); !reason.isEmpty())
        return Error::make(ErrorKind::Unsupported, u"no Kafka here: "_s + reason);
    return {};
}

Result<void> fill(const QString &bootstrap, qint64 count, qsizetype valueBytes)
{
    test::KafkaPeer peer(bootstrap);
    if (auto created = peer.createTopic(kTopic); !created)
        return created;
    test::PeerProducer producer(
        bootstrap, {{u"linger.ms"_s, u"20"_s}, {u"queue.buffering.max.messages"_s, u"200000"_s}});
    for (qint64 done = 0; done < count;) {
        QList<test::PeerRecord> records;
        for (; done < count && records.size() < kFillBatch; ++done)
            records.append({.value = sampleValue(done, valueBytes)});
        if (const auto produced = producer.produce(kTopic, records); !produced)
            return produced.error();
    }
    return {};
}

/// As a tab that follows does it: into a store of the usual budget, the oldest rows going.
Result<qint64> readIntoStore(const SessionConfig &config, qint64 count)
{
    const CallContext context{std::chrono::milliseconds(kLimitMs)};
    const auto session = defaultSessionFactory()(config);
    const auto follower = session->follow({{{{kTopic, PartitionId{0}}, Offset{0}}}}, context);
    if (!follower)
        return follower.error();
    RecordStore store;
    Offset position{0};
    while (position.value < count) {
        const auto result = (*follower)->next(context);
        if (!result)
            return result.error();
        for (RecordBlock &block : blocksOf(*result, result->fetchOffset, result->nextOffset))
            store.append(std::move(block));
        if (store.overBudget())
            store.removeFront(store.rowsToEvictFront(store.endRow()));
        position = result->nextOffset;
    }
    return position.value;
}

/// kcat's reader: every record, written to nothing.
Result<qint64> readByKcat(const QString &bootstrap, qint64 count)
{
    QProcess kcat;
    kcat.setStandardOutputFile(QProcess::nullDevice());
    kcat.start(u"kcat"_s,
               QStringList{u"-C"_s, u"-q"_s, u"-b"_s, bootstrap, u"-t"_s, kTopic, u"-p"_s, u"0"_s,
                           u"-o"_s, u"beginning"_s, u"-c"_s, QString::number(count)} +
                   kQueueSettings);
    if (!kcat.waitForFinished(kLimitMs) || kcat.exitStatus() != QProcess::NormalExit ||
        kcat.exitCode() != 0) {
        return Error::make(ErrorKind::Io,
                           u"kcat failed: "_s + QString::fromUtf8(kcat.readAllStandardError()));
    }
    return count;
}

Result<Figure> measure(qint64 count, qsizetype valueBytes)
{
    if (auto prepared = prepare(); !prepared)
        return std::move(prepared).error();
    test::KafkaCluster cluster;
    if (auto started = cluster.start(); !started)
        return std::move(started).error();
    if (auto filled = fill(cluster.bootstrap(), count, valueBytes); !filled)
        return std::move(filled).error();
    SessionConfig config;
    config.setBroker(u"kafka://"_s + cluster.bootstrap());
    const auto speedOf = [&](const auto &read) -> Result<double> {
        QElapsedTimer timer;
        timer.start();
        const Result<qint64> records = read();
        if (!records)
            return records.error();
        return double(*records) / double(timer.nsecsElapsed()) * 1e9;
    };
    return comparedInTurn(
        kRounds, [&] { return speedOf([&] { return readIntoStore(config, count); }); },
        [&] { return speedOf([&] { return readByKcat(cluster.bootstrap(), count); }); });
}

/// What a tab does when a topic is opened: a session of its own, the topic's offsets, the first
/// page. On loopback the network costs next to nothing.
Result<double> lookOnce(const SessionConfig &config)
{
    const CallContext context{std::chrono::milliseconds(kLimitMs)};
    QElapsedTimer timer;
    timer.start();
    const auto session = defaultSessionFactory()(config);
    const auto topics = session->describeTopics({kTopic}, context);
    if (!topics)
        return topics.error();
    FetchRequest request;
    request.partition = {kTopic, PartitionId{0}};
    const auto page = session->fetch(request, context);
    if (!page)
        return page.error();
    return double(timer.nsecsElapsed()) / 1e6;
}

Result<Figure> measureFirstLook()
{
    if (auto prepared = prepare(); !prepared)
        return std::move(prepared).error();
    test::KafkaCluster cluster;
    if (auto started = cluster.start(); !started)
        return std::move(started).error();
    if (auto filled = fill(cluster.bootstrap(), 1'000, 100); !filled)
        return std::move(filled).error();
    SessionConfig config;
    config.setBroker(u"kafka://"_s + cluster.bootstrap());
    std::vector<double> times;
    for (int round = 0; round <= kRounds; ++round) {
        const auto took = lookOnce(config);
        if (!took)
            return took.error();
        if (round > 0) // the broker has answered such requests once
            times.push_back(*took);
    }
    return Figure{median(times), {}};
}

} // namespace

#else

namespace
{

Result<Figure> measure(qint64 /*count*/, qsizetype /*valueBytes*/)
{
    return Error::make(ErrorKind::Unsupported,
                       u"this build has no Kafka tests (KAFKA_TESTS, WITH_KAFKA)"_s);
}

Result<Figure> measureFirstLook()
{
    return measure(0, 0);
}

} // namespace

#endif

std::vector<Benchmark> kafkaBenchmarks()
{
    const QByteArray against = "kcat reading the same partition to nothing";
    return {{"kafka_consume_100B", "records/s", against, [] { return measure(1'000'000, 100); }},
            {"kafka_consume_1KiB", "records/s", against, [] { return measure(300'000, 1024); }},
            {"kafka_first_look", "ms", "-", measureFirstLook}};
}

} // namespace topicscope::bench
