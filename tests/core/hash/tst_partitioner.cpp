#include "core/base/bytewriter.h"
#include "core/hash/keyhash.h"
#include "core/hash/partitioner.h"

#include <QSet>
#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;

// Vectors for booblik's two hashes: its conformance kit (all eleven rows). murmur2: the values of
// Apache Kafka's own unit test. Single values for 12 partitions: computed by the named clients.
class tst_Partitioner : public QObject
{
    Q_OBJECT
private slots:
    void booblikVectors_data();
    void booblikVectors();
    void murmur2Vectors_data();
    void murmur2Vectors();
    void sameKeyUnderEveryPartitioner_data();
    void sameKeyUnderEveryPartitioner();
    void librdkafkasVectors_data();
    void librdkafkasVectors();
    void noKeyAndTheEmptyOneAreTwoThings_data();
    void noKeyAndTheEmptyOneAreTwoThings();
    void aSignedReadingOfBytesWouldDiffer();
    void countsBelowOneAreRefused();
    void explanationNamesHashAndResult();
    void namesRoundTrip();
    void recordsWithoutKeyTakeTurns();
};

void tst_Partitioner::booblikVectors_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<quint32>("fnv");
    QTest::addColumn<QList<int>>("fnvIndex"); // for 1, 2, 3, 4, 16, 64 partitions
    QTest::addColumn<quint32>("java");
    QTest::addColumn<QList<int>>("javaIndex");

    QByteArray everyByte;
    for (int i = 0; i < 256; ++i)
        everyByte.append(char(i));
    using L = QList<int>;
    const auto hex = [](const char *text) { return QByteArray::fromHex(text); };
    QTest::newRow("empty") << QByteArray("") << 2166136261U << L{0, 1, 1, 1, 5, 5} //
                           << 1U << L{0, 1, 1, 1, 1, 1};
    QTest::newRow("00") << hex("00") << 84696351U << L{0, 1, 0, 3, 15, 31} //
                        << 31U << L{0, 1, 1, 3, 15, 31};
    QTest::newRow("7f") << hex("7f") << 4195109838U << L{0, 0, 0, 2, 14, 14} //
                        << 158U << L{0, 0, 2, 2, 14, 30};
    QTest::newRow("80") << hex("80") << 2232128415U << L{0, 1, 0, 3, 15, 31} //
                        << 4294967199U << L{0, 1, 2, 3, 15, 31};
    QTest::newRow("ff") << hex("ff") << 2047574606U << L{0, 0, 2, 2, 14, 14} //
                        << 30U << L{0, 0, 0, 2, 14, 30};
    QTest::newRow("user-1") << QByteArray("user-1") << 4115888500U << L{0, 0, 1, 0, 4, 52}
                            << 51471856U << L{0, 0, 1, 0, 0, 48};
    QTest::newRow("user-2") << QByteArray("user-2") << 4166221357U << L{0, 1, 1, 1, 13, 45}
                            << 51471857U << L{0, 1, 2, 1, 1, 49};
    QTest::newRow("Cyrillic") << hex("d0b7d0b0d0bad0b0d0b72d37") << 3316163555U
                              << L{0, 1, 2, 3, 3, 35} << 2638328739U << L{0, 1, 2, 3, 3, 35};
    QTest::newRow("emoji") << hex("6f726465722df09f9a80") << 2783056589U << L{0, 1, 2, 1, 13, 13}
                           << 3204116213U << L{0, 1, 1, 1, 5, 53};
    QTest::newRow("every byte") << everyByte << 2426689733U << L{0, 1, 2, 1, 5, 5} //
                                << 3530875009U << L{0, 1, 0, 1, 1, 1};
    QTest::newRow("long") << "customer/" + QByteArray(200, '9') << 2253988986U
                          << L{0, 0, 0, 2, 10, 58} << 3919041968U << L{0, 0, 1, 0, 0, 48};
}

void tst_Partitioner::booblikVectors()
{
    QFETCH(const QByteArray, key);
    QFETCH(const quint32, fnv);
    QFETCH(const QList<int>, fnvIndex);
    QFETCH(const quint32, java);
    QFETCH(const QList<int>, javaIndex);
    const QList<int> counts{1, 2, 3, 4, 16, 64};
    for (qsizetype i = 0; i < counts.size(); ++i) {
        const auto current =
            Partitioner(PartitionAlgorithm::BooblikFnv1a).explain(asBytes(key), counts[i]);
        QVERIFY(current.ok());
        QCOMPARE(current->hash, std::optional(fnv));
        QCOMPARE(current->index, std::optional(fnvIndex[i]));
        const auto legacy =
            Partitioner(PartitionAlgorithm::BooblikLegacy).explain(asBytes(key), counts[i]);
        QVERIFY(legacy.ok());
        QCOMPARE(legacy->hash, std::optional(java));
        QCOMPARE(legacy->index, std::optional(javaIndex[i]));
    }
}

void tst_Partitioner::murmur2Vectors_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<qint32>("expected");
    QTest::newRow("21") << QByteArray("21") << -973932308;
    QTest::newRow("foobar") << QByteArray("foobar") << -790332482;
    QTest::newRow("a-little-bit-long-string")
        << QByteArray("a-little-bit-long-string") << -985981536;
    QTest::newRow("a-little-bit-longer-string")
        << QByteArray("a-little-bit-longer-string") << -1486304829;
    QTest::newRow("lkjh…") << QByteArray("lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8")
                           << -58897971;
    QTest::newRow("abc") << QByteArray("abc") << 479470107;
}

void tst_Partitioner::murmur2Vectors()
{
    QFETCH(const QByteArray, key);
    QFETCH(const qint32, expected);
    QCOMPARE(qint32(murmur2(asBytes(key))), expected);
}

void tst_Partitioner::sameKeyUnderEveryPartitioner_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<int>("count");
    QTest::addColumn<QString>("algorithm");
    QTest::addColumn<int>("index");
    const QByteArray order("order-42");
    QTest::newRow("booblik") << order << 12 << u"booblik"_s << 8;
    QTest::newRow("booblik-legacy") << order << 12 << u"booblik-legacy"_s << 6;
    QTest::newRow("murmur2") << order << 12 << u"murmur2_random"_s << 0;
    QTest::newRow("crc32") << order << 12 << u"consistent_random"_s << 10;
    // librdkafka takes the absolute value of the signed hash: another partition for the same hash.
    QTest::newRow("user-1 booblik") << QByteArray("user-1") << 6 << u"booblik"_s << 4;
    QTest::newRow("user-1 rdkafka") << QByteArray("user-1") << 6 << u"fnv1a_random"_s << 0;
    QTest::newRow("80 booblik") << QByteArray("\x80") << 16 << u"booblik"_s << 15;
    QTest::newRow("80 rdkafka") << QByteArray("\x80") << 16 << u"fnv1a_random"_s << 1;
    QTest::newRow("empty key murmur2") << QByteArray("") << 12 << u"murmur2_random"_s << 9;
    QTest::newRow("empty key booblik") << QByteArray("") << 12 << u"booblik"_s << 1;
    QTest::newRow("customer-1001") << QByteArray("customer-1001") << 12 << u"murmur2_random"_s << 1;
}

void tst_Partitioner::sameKeyUnderEveryPartitioner()
{
    QFETCH(const QByteArray, key);
    QFETCH(const int, count);
    QFETCH(const QString, algorithm);
    QFETCH(const int, index);
    const auto partitioner = Partitioner::byName(algorithm);
    QVERIFY(partitioner.has_value());
    const auto explanation = partitioner->explain(asBytes(key), count);
    QVERIFY(explanation.ok());
    QCOMPARE(explanation->index, std::optional(index));
}

// For 3, 10, 12, 100 and 2^31 - 1 partitions. Computed by librdkafka 2.0.2, and again by
// kafka-python, zlib and an independent FNV-1a.
void tst_Partitioner::librdkafkasVectors_data()
{
    using L = QList<int>;
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<L>("consistent");
    QTest::addColumn<L>("murmur2");
    QTest::addColumn<L>("fnv1a");
    QTest::newRow("empty") << QByteArray("") << L{0, 0, 0, 0, 0} << L{0, 1, 9, 81, 275646681}
                           << L{0, 5, 3, 35, 2128831035};
    QTest::newRow("a") << QByteArray("a") << L{0, 7, 3, 7, 1756872260} << L{1, 4, 4, 24, 584102524}
                       << L{0, 6, 0, 76, 468965076};
    QTest::newRow("kafka") << QByteArray("kafka") << L{2, 9, 11, 99, 1539077399}
                           << L{1, 0, 4, 80, 1348980580} << L{2, 5, 5, 45, 221496545};
    QTest::newRow("user-42") << QByteArray("user-42") << L{1, 5, 7, 35, 2097592435}
                             << L{1, 0, 4, 60, 1459644460} << L{0, 9, 3, 99, 39875499};
    QTest::newRow("giberish123456789")
        << QByteArray("giberish123456789") << L{2, 1, 11, 71, 2067435071}
        << L{2, 0, 8, 20, 257239820} << L{2, 3, 5, 73, 2007335573};
    QTest::newRow("1234") << QByteArray("1234") << L{1, 9, 7, 59, 467919012}
                          << L{0, 0, 0, 40, 533297940} << L{0, 5, 3, 35, 37477635};
    QTest::newRow("The quick brown fox")
        << QByteArray("The quick brown fox") << L{2, 0, 2, 30, 927298783}
        << L{0, 1, 9, 61, 1806971061} << L{0, 6, 6, 46, 1370658846};
    QTest::newRow("bytes") << QByteArray("\x00\x01\x02\xff", 4) << L{0, 8, 0, 88, 1068644388}
                           << L{1, 6, 10, 66, 725457466} << L{0, 5, 9, 25, 1873502325};
    QTest::newRow("été") << QByteArray("été") << L{0, 2, 0, 72, 1154575572}
                         << L{1, 3, 1, 73, 46290073} << L{0, 1, 9, 61, 4880361};
    QTest::newRow("order:2024-01-31:0000000001")
        << QByteArray("order:2024-01-31:0000000001") << L{2, 8, 8, 48, 795358448}
        << L{0, 7, 9, 57, 849376857} << L{2, 9, 11, 79, 1427006879};
}

void tst_Partitioner::librdkafkasVectors()
{
    QFETCH(const QByteArray, key);
    const QList<int> counts{3, 10, 12, 100, std::numeric_limits<qint32>::max()};
    for (const char *name : {"consistent", "murmur2", "fnv1a"}) {
        const auto expected =
            *static_cast<const QList<int> *>(QTest::qData(name, qMetaTypeId<QList<int>>()));
        for (const QString &suffix : {u""_s, u"_random"_s}) {
            if (key.isEmpty() && qstrcmp(name, "consistent") == 0 && !suffix.isEmpty())
                continue; // takes it for none
            const auto partitioner = Partitioner::byName(QString::fromLatin1(name) + suffix);
            QVERIFY(partitioner);
            QList<int> found;
            for (const int count : counts)
                found += partitioner->explain(asBytes(key), count)->index.value_or(-1);
            QCOMPARE(found, expected);
        }
    }
}

// As tried with librdkafka 2.0.2 for each of its names; booblik's and Java's clients by their
// documentation.
void tst_Partitioner::noKeyAndTheEmptyOneAreTwoThings_data()
{
    QTest::addColumn<std::optional<int>>("none");
    QTest::addColumn<std::optional<int>>("empty");
    const std::optional<int> any;
    // The hash of nothing over 10 partitions: CRC-32 0, murmur2 1, FNV-1a 5.
    QTest::newRow("consistent") << std::optional(0) << std::optional(0);
    QTest::newRow("murmur2") << std::optional(1) << std::optional(1);
    QTest::newRow("fnv1a") << std::optional(5) << std::optional(5);
    QTest::newRow("consistent_random") << any << any;
    QTest::newRow("murmur2_random") << any << std::optional(1);
    QTest::newRow("fnv1a_random") << any << std::optional(5);
    QTest::newRow("random") << any << any;
    QTest::newRow("booblik") << any << std::optional(1); // 0x811c9dc5
    QTest::newRow("booblik-legacy") << any << std::optional(1);
}

void tst_Partitioner::noKeyAndTheEmptyOneAreTwoThings()
{
    QFETCH(const std::optional<int>, none);
    QFETCH(const std::optional<int>, empty);
    const auto partitioner = Partitioner::byName(QString::fromLatin1(QTest::currentDataTag()));
    QVERIFY(partitioner);
    const auto without = partitioner->explain(std::nullopt, 10);
    QVERIFY(without.ok());
    QCOMPARE(without->index, none);
    QCOMPARE(without->hash.has_value(), none.has_value());
    QCOMPARE(without->formula == u"any partition"_s, !none.has_value());
    QCOMPARE(partitioner->explain(asBytes(QByteArray("")), 10)->index, empty);
    QVERIFY(!partitioner->explain(std::nullopt, 0).ok());
}

void tst_Partitioner::aSignedReadingOfBytesWouldDiffer()
{
    const QByteArray key = QByteArray::fromHex("80");
    QVERIFY(fnv1a32(asBytes(key)) != 83079839U); // what reading 0x80 as -128 gives
}

void tst_Partitioner::countsBelowOneAreRefused()
{
    const QByteArray key("k");
    for (const Partitioner &partitioner : Partitioner::all()) {
        for (const qint32 count : {0, -1, std::numeric_limits<qint32>::min()}) {
            const auto result = partitioner.explain(asBytes(key), count);
            QVERIFY(!result.ok());
            QCOMPARE(result.error().kind, ErrorKind::InvalidArgument);
        }
    }
    RoundRobin turns;
    QVERIFY(!turns.next(0).ok());
}

void tst_Partitioner::explanationNamesHashAndResult()
{
    const QByteArray key("user-1");
    const auto result = Partitioner(PartitionAlgorithm::BooblikFnv1a).explain(asBytes(key), 3);
    QVERIFY(result.ok());
    QCOMPARE(result->formula, u"FNV-1a 0xf5537974 mod 3 = 1"_s); // 4115888500
}

void tst_Partitioner::namesRoundTrip()
{
    QCOMPARE(Partitioner::all().size(), 9);
    QSet<QString> titles;
    for (const Partitioner &partitioner : Partitioner::all()) {
        const auto again = Partitioner::byName(partitioner.name());
        QVERIFY(again.has_value());
        QCOMPARE(again->algorithm(), partitioner.algorithm());
        titles.insert(partitioner.title());
    }
    QCOMPARE(titles.size(), 9);
    QVERIFY(!Partitioner::byName(u"fnv"_s).has_value());
}

void tst_Partitioner::recordsWithoutKeyTakeTurns()
{
    RoundRobin turns;
    QList<int> hits(3, 0);
    QList<int> order;
    for (int i = 0; i < 9; ++i) {
        const auto index = turns.next(3);
        QVERIFY(index.ok());
        ++hits[index.value()];
        order << index.value();
    }
    QCOMPARE(hits, (QList<int>{3, 3, 3}));
    QCOMPARE(order.first(4), (QList<int>{0, 1, 2, 0}));
}

QTEST_APPLESS_MAIN(tst_Partitioner)
#include "tst_partitioner.moc"
