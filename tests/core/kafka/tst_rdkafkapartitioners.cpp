// Our partitioners against librdkafka's own functions.

#include "core/base/bytewriter.h"
#include "core/hash/partitioner.h"

#include <QRandomGenerator>
#include <QSet>
#include <QTest>

#include <librdkafka/rdkafka.h>

#include <memory>

using namespace topicscope;
using namespace Qt::StringLiterals;

namespace
{

using Theirs = int32_t (*)(const rd_kafka_topic_t *, const void *, size_t, int32_t, void *, void *);

} // namespace

class tst_RdkafkaPartitioners : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void tenThousandKeys_data() { partitioners(); }
    void tenThousandKeys();
    void nullAndEmptyKeys_data() { partitioners(); }
    void nullAndEmptyKeys();

private:
    static void partitioners();
    int32_t theirs(Theirs function, const std::optional<QByteArray> &key, int count) const
    {
        return function(m_topic.get(), key ? key->constData() : nullptr,
                        key ? size_t(key->size()) : 0, count, nullptr, nullptr);
    }

    std::unique_ptr<rd_kafka_t, decltype(&rd_kafka_destroy)> m_client{nullptr, &rd_kafka_destroy};
    /// The "random" ones look at it.
    std::unique_ptr<rd_kafka_topic_t, decltype(&rd_kafka_topic_destroy)> m_topic{
        nullptr, &rd_kafka_topic_destroy};
};

void tst_RdkafkaPartitioners::initTestCase()
{
    char text[256];
    m_client.reset(rd_kafka_new(RD_KAFKA_PRODUCER, nullptr, text, sizeof(text)));
    QVERIFY2(m_client, text);
    m_topic.reset(rd_kafka_topic_new(m_client.get(), "none", nullptr));
    QVERIFY(m_topic);
}

void tst_RdkafkaPartitioners::partitioners()
{
    QTest::addColumn<Theirs>("function");
    QTest::newRow("random") << Theirs(&rd_kafka_msg_partitioner_random);
    QTest::newRow("consistent") << Theirs(&rd_kafka_msg_partitioner_consistent);
    QTest::newRow("consistent_random") << Theirs(&rd_kafka_msg_partitioner_consistent_random);
    QTest::newRow("murmur2") << Theirs(&rd_kafka_msg_partitioner_murmur2);
    QTest::newRow("murmur2_random") << Theirs(&rd_kafka_msg_partitioner_murmur2_random);
    QTest::newRow("fnv1a") << Theirs(&rd_kafka_msg_partitioner_fnv1a);
    QTest::newRow("fnv1a_random") << Theirs(&rd_kafka_msg_partitioner_fnv1a_random);
}

void tst_RdkafkaPartitioners::tenThousandKeys()
{
    QFETCH(const Theirs, function);
    const auto ours = Partitioner::byName(QString::fromLatin1(QTest::currentDataTag()));
    QVERIFY(ours);
    QRandomGenerator random(20'221'130);
    QSet<int> chosen;
    int hashed = 0;
    for (int i = 0; i < 10'000; ++i) {
        QByteArray key(random.bounded(1, 60), Qt::Uninitialized);
        for (char &byte : key)
            byte = char(random.generate());
        const int count = random.bounded(1, 200);
        const auto explained = ours->explain(asBytes(key), count);
        QVERIFY(explained.ok());
        if (!explained->index)
            continue;
        ++hashed;
        chosen.insert(*explained->index);
        QCOMPARE(*explained->index, theirs(function, key, count));
    }
    const bool hashes = qstrcmp(QTest::currentDataTag(), "random") != 0;
    QCOMPARE(hashed, hashes ? 10'000 : 0);
    QVERIFY(!hashes || chosen.size() > 150);
}

void tst_RdkafkaPartitioners::nullAndEmptyKeys()
{
    QFETCH(const Theirs, function);
    const auto ours = Partitioner::byName(QString::fromLatin1(QTest::currentDataTag()));
    QVERIFY(ours);
    for (const auto &key : {std::optional<QByteArray>(), std::optional<QByteArray>("")}) {
        QSet<int> found;
        for (int i = 0; i < 200; ++i)
            found.insert(theirs(function, key, 10));
        const auto explained = ours->explain(asBytesOrNull(key), 10);
        QVERIFY(explained.ok());
        if (explained->index)
            QCOMPARE(found, QSet<int>{*explained->index});
        else
            QVERIFY2(found.size() > 3, "librdkafka puts them all in one partition");
    }
}

QTEST_GUILESS_MAIN(tst_RdkafkaPartitioners)
#include "tst_rdkafkapartitioners.moc"
