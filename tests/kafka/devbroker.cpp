// A real Kafka to look at by hand, with something of everything in it.
//
// usage: kafka_dev_broker [VERSION]     until Ctrl-C or SIGTERM
//
// dev-broker.sh builds what it needs and runs it.

#include "tests/support/kafkacluster.h"
#include "tests/support/kafkapeer.h"

#include <QCoreApplication>
#include <QDateTime>

#include <csignal>
#include <cstdio>

using namespace Qt::StringLiterals;
using namespace topicscope;
using namespace topicscope::test;

namespace
{

/// Fills topics until something fails.
class Samples
{
public:
    Samples(const KafkaCluster &cluster, int nodes)
        : m_cluster(cluster)
        , m_nodes(nodes)
        , m_peer(cluster.adminBootstrap())
    {
    }

    Result<void> make()
    {
        orders();
        transactions();
        compressions();
        fields();
        large();
        if (m_nodes == 3) {
            replicated();
        } else { // these look at what the first node does
            compacted();
            groups();
        }
        return m_done;
    }

private:
    void topic(const QString &name, int partitions = 1, const KafkaProperties &configs = {})
    {
        if (m_done)
            m_done = m_peer.createTopic(name, partitions, configs);
    }

    void produce(const QString &topic, const QList<PeerRecord> &records,
                 const KafkaProperties &properties = {})
    {
        if (!m_done)
            return;
        if (auto sent = m_peer.produce(topic, records, properties); !sent)
            m_done = std::move(sent).error();
    }

    void produce(PeerProducer &producer, const QString &topic, const QByteArray &value)
    {
        if (!m_done)
            return;
        if (auto sent = producer.produce(topic, {{.value = value}}); !sent)
            m_done = std::move(sent).error();
    }

    /// JSON values of the last hour in four partitions.
    void orders()
    {
        constexpr int kOrders = 2'000;
        constexpr qint64 kEveryMs = 1'800;
        topic(u"orders"_s, 4);
        const qint64 start = QDateTime::currentMSecsSinceEpoch() - kOrders * kEveryMs;
        QList<PeerRecord> records;
        for (int i = 0; i < kOrders; ++i) {
            const QByteArray customer = "customer-" + QByteArray::number(i * 7 % 50);
            records.append({.key = customer,
                            .value = R"({"order":)" + QByteArray::number(i) + R"(,"customer":")" +
                                     customer + R"(","items":[{"sku":"A-)" +
                                     QByteArray::number(i % 90) + R"(","count":)" +
                                     QByteArray::number(i % 5 + 1) + R"(}],"paid":)" +
                                     (i % 3 ? "true" : "false") + "}",
                            .headers = {{"trace", QByteArray::number(i * 7919, 16)},
                                        {"source", i % 2 ? "web" : "shop"}},
                            .timestampMs = start + i * kEveryMs,
                            .partition = i * 7 % 50 % 4});
        }
        produce(u"orders"_s, records);
    }

    void compacted()
    {
        const QString name = u"customers-compacted"_s;
        topic(name, 1, {{u"cleanup.policy"_s, u"compact"_s}, {u"segment.ms"_s, u"1000"_s}});
        QList<PeerRecord> records;
        for (int i = 0; i < 300; ++i) {
            PeerRecord record = {.key = "customer-" + QByteArray::number(i * i % 83),
                                 .value = "state " + QByteArray::number(i),
                                 .timestampMs = 1'700'000'000'000};
            if (i % 29 == 0)
                record.value = std::nullopt; // deletes the key
            records.append(record);
        }
        produce(name, records);
        produce(name, {{.key = "customer-0",
                        .value = "the newest segment is not compacted",
                        .timestampMs = 1'700'000'010'000}});
        if (m_done)
            m_done = m_cluster.waitUntilCompacted(name, 0, 300);
    }

    void transactions()
    {
        const QString name = u"payments-transactional"_s;
        topic(name);
        PeerProducer producer(m_cluster.adminBootstrap(), {{u"transactional.id"_s, u"payments"_s}});
        for (int i = 0; i < 6 && m_done; ++i) {
            m_done = producer.begin();
            produce(producer, name,
                    (i % 3 == 1 ? "aborted " : "committed ") + QByteArray::number(i));
            if (m_done)
                m_done = i % 3 == 1 ? producer.abort() : producer.commit();
        }
    }

    void compressions()
    {
        topic(u"compressed"_s);
        for (const QString &codec : {u"none"_s, u"gzip"_s, u"snappy"_s, u"lz4"_s, u"zstd"_s}) {
            const QByteArray value = codec.toLatin1() + ": " + QByteArray(2'000, 'z');
            produce(u"compressed"_s, {{.value = value}, {.value = value}},
                    {{u"compression.type"_s, codec}, {u"linger.ms"_s, u"50"_s}});
        }
    }

    void fields()
    {
        topic(u"null-and-empty"_s, 1,
              {{u"message.timestamp.after.max.ms"_s, u"9223372036854775807"_s}});
        produce(u"null-and-empty"_s,
                {{.key = std::nullopt, .value = std::nullopt},
                 {.key = "", .value = ""},
                 {.key = "key of a null", .value = std::nullopt},
                 {.key = "key of an empty value", .value = ""},
                 {.value = "headers: twice, null, empty, without a name, bytes",
                  .headers = {{"twice", "1"},
                              {"twice", "2"},
                              {"null", std::nullopt},
                              {"empty", ""},
                              {"", "without a name"},
                              {"bytes", QByteArray::fromHex("00ff80c3")}}},
                 {.key = QByteArray::fromHex("000000000000002a"),
                  .value = QByteArray::fromHex("00ff80fe0a0d")},
                 {.value = "no timestamp", .timestampMs = -1},
                 {.value = "1970", .timestampMs = 1},
                 {.value = "the year 9999", .timestampMs = 253'402'300'799'000}});
    }

    void large()
    {
        topic(u"large"_s, 1, {{u"max.message.bytes"_s, u"2000000"_s}});
        produce(u"large"_s,
                {{.value = "before"}, {.value = QByteArray(1'048'576, 'L')}, {.value = "behind"}},
                {{u"message.max.bytes"_s, u"2000000"_s}});
    }

    /// What a node that is killed leaves behind: partitions out of sync, and one without a leader.
    void replicated()
    {
        if (m_done)
            m_done = m_peer.createTopicOn(u"replicated"_s, {{1, 2, 3}, {2, 3, 1}, {3, 1, 2}});
        if (m_done)
            m_done = m_peer.createTopicOn(u"one-replica-each"_s, {{1}, {2}, {3}});
        produce(u"replicated"_s, {{.value = "0"}, {.value = "1", .partition = 1}});
        produce(u"one-replica-each"_s, {{.value = "0"}, {.value = "1", .partition = 1}});
    }

    void groups()
    {
        for (int i = 1; i <= 3 && m_done; ++i) {
            const QString group = u"group-%1"_s.arg(i);
            for (int partition = 0; partition < i + 1 && m_done; ++partition)
                m_done = m_peer.commitOffset(group, u"orders"_s, partition, 100 * i + partition);
        }
    }

    const KafkaCluster &m_cluster;
    int m_nodes;
    KafkaPeer m_peer;
    Result<void> m_done;
};

int failed(const QString &why)
{
    std::fprintf(stderr, "%s\n", qPrintable(why));
    return 1;
}

} // namespace

int main(int argc, char *argv[])
{
    // Before any thread starts, so that all of them leave the signals to sigwait().
    sigset_t end;
    sigemptyset(&end);
    sigaddset(&end, SIGINT);
    sigaddset(&end, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &end, nullptr);

    const QCoreApplication application(argc, argv);
    if (const QString reason = KafkaCluster::unavailable(); !reason.isEmpty())
        return failed(reason);
    const QStringList arguments = QCoreApplication::arguments();
    const int nodes = arguments.value(2, u"1"_s).toInt();
    KafkaCluster cluster({.version = arguments.value(1, kNewestKafka), .nodes = nodes});
    if (auto started = cluster.start(); !started)
        return failed(describe(started.error()));
    if (auto made = Samples(cluster, nodes).make(); !made)
        return failed(describe(made.error()));
    std::printf("%s\n", qPrintable(cluster.bootstrap()));
    std::fflush(stdout);
    int signal = 0;
    sigwait(&end, &signal);
    cluster.stop();
    return 0;
}
