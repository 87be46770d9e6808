#include "core/base/bytewriter.h"
#include "core/hash/crc32c.h"
#include "core/hash/keyhash.h"

#include <QTest>

using namespace topicscope;

// Vectors: the broker's conformance kit, plus one record read from a real segment ("abc").
class tst_Crc32c : public QObject
{
    Q_OBJECT
private slots:
    void vectors_data();
    void vectors();
    void everyImplementationAgreesAtEveryLengthAndAlignment();
    void extendingEqualsTheSumOfTheWhole();
    void zlibsSumIsAnother();
    void everySingleBitFlipIsSeen();
};

void tst_Crc32c::vectors_data()
{
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<quint32>("expected");

    QByteArray everyByte;
    for (int i = 0; i < 256; ++i)
        everyByte.append(char(i));
    QTest::newRow("empty") << QByteArray() << 0U;
    QTest::newRow("one byte") << QByteArray("a") << 3251651376U;
    QTest::newRow("check value") << QByteArray("123456789") << 3808858755U;
    QTest::newRow("high bytes") << QByteArray::fromHex("8081feff") << 698189920U;
    QTest::newRow("zeroes") << QByteArray(32, '\0') << 2324772522U;
    QTest::newRow("ones") << QByteArray(32, '\xff') << 1655221059U;
    QTest::newRow("every byte value") << everyByte << 2621708363U;
    QTest::newRow("UTF-8") << QByteArray::fromHex("d181d0bed0b1d18bd182d0b8d0b5") << 2712253671U;
    QTest::newRow("from a segment") << QByteArray("abc") << 0x364B3FB7U;
    QTest::newRow("hello") << QByteArray("hello") << 0x9A71BB4CU;
}

void tst_Crc32c::vectors()
{
    QFETCH(const QByteArray, input);
    QFETCH(const quint32, expected);
    QCOMPARE(crc32c(asBytes(input)), expected);
    QCOMPARE(crc32c_detail::extendTable(0, asBytes(input)), expected);
    QCOMPARE(crc32c_detail::extendSlice8(0, asBytes(input)), expected);
    if (crc32c_detail::hasHardware())
        QCOMPARE(crc32c_detail::extendHardware(0, asBytes(input)), expected);
}

void tst_Crc32c::everyImplementationAgreesAtEveryLengthAndAlignment()
{
    // Lengths around every block size of the fast versions, from every alignment of a word.
    QByteArray data;
    quint32 state = 12345;
    for (int i = 0; i < 20'000; ++i) {
        state = state * 1664525 + 1013904223;
        data.append(char(state >> 24));
    }
    QList<int> lengths;
    for (int i = 0; i < 420; ++i)
        lengths << i;
    for (const int around : {384, 768, 6144, 6528, 12288})
        lengths << around - 1 << around << around + 1 << around + 9;
    for (const int length : std::as_const(lengths)) {
        for (int align = 0; align < 8; ++align) {
            const auto bytes = asBytes(data).subspan(size_t(align), size_t(length));
            const quint32 expected = crc32c_detail::extendTable(0, bytes);
            QCOMPARE(crc32c_detail::extendSlice8(0, bytes), expected);
            if (crc32c_detail::hasHardware())
                QCOMPARE(crc32c_detail::extendHardware(0, bytes), expected);
        }
    }
}

void tst_Crc32c::extendingEqualsTheSumOfTheWhole()
{
    const QByteArray whole("123456789");
    for (int cut = 0; cut <= whole.size(); ++cut) {
        const quint32 first = crc32c(asBytes(whole).first(size_t(cut)));
        QCOMPARE(crc32cExtend(first, asBytes(whole).subspan(size_t(cut))), 0xE3069283U);
    }
}

void tst_Crc32c::zlibsSumIsAnother()
{
    const QByteArray input("123456789");
    QCOMPARE(crc32Ieee(asBytes(input)), 0xCBF43926U);
    const QByteArray hello("hello");
    QCOMPARE(crc32Ieee(asBytes(hello)), 0x3610A686U);
}

void tst_Crc32c::everySingleBitFlipIsSeen()
{
    QByteArray body("a record of some forty bytes, more or less");
    const quint32 sound = crc32c(asBytes(body));
    for (qsizetype bit = 0; bit < body.size() * 8; ++bit) {
        body[bit / 8] = char(body[bit / 8] ^ (1 << (bit % 8)));
        QVERIFY(crc32c(asBytes(body)) != sound);
        body[bit / 8] = char(body[bit / 8] ^ (1 << (bit % 8)));
    }
}

QTEST_APPLESS_MAIN(tst_Crc32c)
#include "tst_crc32c.moc"
