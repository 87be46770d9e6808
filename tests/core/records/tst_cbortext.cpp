#include "core/base/bytewriter.h"
#include "core/records/cbortext.h"

#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;

// Vectors: RFC 8949, appendix A, and one document encoded by Python's cbor2.
class tst_CborText final : public QObject
{
    Q_OBJECT
private slots:
    void showsTheExamplesOfTheStandard_data();
    void showsTheExamplesOfTheStandard();
    void laysOutOverLines();
    void saysWhereItIsNoCbor_data();
    void saysWhereItIsNoCbor();
    void claimedSizesCostNothing();
    void depthIsBounded();
    void textIsBounded();
    void everyPrefixIsRefused();
};

namespace
{

const TextShape kLine{10'000, false};

QString shown(const QByteArray &hex, const TextShape &shape = kLine)
{
    const QByteArray bytes = QByteArray::fromHex(hex);
    const auto text = cborText(asBytes(bytes), shape);
    return text ? text->text : u"error: "_s + text.error().detail;
}

} // namespace

void tst_CborText::showsTheExamplesOfTheStandard_data()
{
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *hex, const QString &text) { QTest::newRow(hex) << text; };
    row("00", u"0"_s);
    row("17", u"23"_s);
    row("1818", u"24"_s);
    row("1903e8", u"1000"_s);
    row("1bffffffffffffffff", u"18446744073709551615"_s);
    row("3bffffffffffffffff", u"-18446744073709551616"_s);
    row("20", u"-1"_s);
    row("3903e7", u"-1000"_s);
    row("c249010000000000000000", u"2(h'010000000000000000')"_s);
    row("f90000", u"0.0"_s);
    row("f98000", u"-0.0"_s);
    row("f93c00", u"1.0"_s);
    row("fb3ff199999999999a", u"1.1"_s);
    row("f97bff", u"65504.0"_s);
    row("fa47c35000", u"100000.0"_s);
    row("fa7f7fffff", u"3.4028234663852886e+38"_s);
    row("fb7e37e43c8800759c", u"1e+300"_s);
    row("f90001", u"5.960464477539063e-08"_s);
    row("f90400", u"0.00006103515625"_s);
    row("fbc010666666666666", u"-4.1"_s);
    row("f97c00", u"Infinity"_s);
    row("f97e00", u"NaN"_s);
    row("fbfff0000000000000", u"-Infinity"_s);
    row("f4", u"false"_s);
    row("f5", u"true"_s);
    row("f6", u"null"_s);
    row("f7", u"undefined"_s);
    row("f0", u"simple(16)"_s);
    row("f8ff", u"simple(255)"_s);
    row("c074323031332d30332d32315432303a30343a30305a", u"0(\"2013-03-21T20:04:00Z\")"_s);
    row("c11a514b67b0", u"1(1363896240)"_s);
    row("d818456449455446", u"24(h'6449455446')"_s);
    row("40", u"h''"_s);
    row("4401020304", u"h'01020304'"_s);
    row("60", u"\"\""_s);
    row("6449455446", u"\"IETF\""_s);
    row("62225c", u"\"\\\"\\\\\""_s);
    row("62c3bc", u"\"ü\""_s);
    row("64f0908591", u"\"𐅑\""_s);
    row("80", u"[]"_s);
    row("8301820203820405", u"[1, [2, 3], [4, 5]]"_s);
    row("a0", u"{}"_s);
    row("a201020304", u"{1: 2, 3: 4}"_s);
    row("a26161016162820203", u"{\"a\": 1, \"b\": [2, 3]}"_s);
    row("826161a161626163", u"[\"a\", {\"b\": \"c\"}]"_s);
    row("5f42010243030405ff", u"(_ h'0102', h'030405')"_s);
    row("7f657374726561646d696e67ff", u"(_ \"strea\", \"ming\")"_s);
    row("9fff", u"[_ ]"_s);
    row("9f018202039f0405ffff", u"[_ 1, [2, 3], [_ 4, 5]]"_s);
    row("bf61610161629f0203ffff", u"{_ \"a\": 1, \"b\": [_ 2, 3]}"_s);
    // Not in the appendix: keys of any type, duplicates, text that is none, an escape.
    row("a38201020340014002", u"{[1, 2]: 3, h'': 1, h'': 2}"_s);
    row("63ff0a61", u"\"‹FF›\\na\""_s);
    // cbor2.dumps({"id": 12345678901234567890, "name": "Zoë", "tags": [True, None, -5, 1.5],
    // "raw": b"\x00\xff"})
    row("a46269641bab54a98ceb1f0ad2646e616d65645a6fc3ab6474616773"
        "84f5f624fb3ff80000000000006372617"
        "74200ff",
        u"{\"id\": 12345678901234567890, \"name\": \"Zoë\", \"tags\": [true, null, -5, 1.5], "
        u"\"raw\": h'00ff'}"_s);
}

void tst_CborText::showsTheExamplesOfTheStandard()
{
    QFETCH(const QString, expected);
    QCOMPARE(shown(QTest::currentDataTag()), expected);
}

void tst_CborText::laysOutOverLines()
{
    QCOMPARE(shown("bf61610161629f02a0ffff", {1000, true}), u"{_\n"
                                                            u"  \"a\": 1,\n"
                                                            u"  \"b\": [_\n"
                                                            u"    2,\n"
                                                            u"    {}\n"
                                                            u"  ]\n"
                                                            u"}"_s);
}

void tst_CborText::saysWhereItIsNoCbor_data()
{
    QTest::addColumn<qint64>("byte");
    QTest::addColumn<QString>("why");
    QTest::newRow("") << qint64(0) << u"the bytes end inside a value"_s;
    QTest::newRow("8201") << qint64(2) << u"the bytes end inside a value"_s;
    QTest::newRow("0001") << qint64(1) << u"1 bytes follow the value"_s;
    QTest::newRow("821cff") << qint64(1) << u"no CBOR value begins like this"_s;
    QTest::newRow("a101ff") << qint64(2) << u"a break where a value was expected"_s;
    QTest::newRow("ff") << qint64(0) << u"a break where a value was expected"_s;
    QTest::newRow("f800") << qint64(0) << u"no CBOR value begins like this"_s;
}

void tst_CborText::saysWhereItIsNoCbor()
{
    QFETCH(const qint64, byte);
    QFETCH(const QString, why);
    const QByteArray bytes = QByteArray::fromHex(QTest::currentDataTag());
    const auto text = cborText(asBytes(bytes), kLine);
    QVERIFY(!text.ok());
    QCOMPARE(text.error().detail, u"byte %1: %2"_s.arg(byte).arg(why));
    QCOMPARE(text.error().where.byte, byte);
}

void tst_CborText::claimedSizesCostNothing()
{
    // 2^62 bytes, 2^63 elements, 2^63 pairs announced.
    for (const char *hex : {"5b4000000000000000aa", "7b4000000000000000aa", "7b7fffffffffffffff",
                            "9b800000000000000001", "bb80000000000000000102", "5bffffffffffffffff"})
        QVERIFY2(shown(hex).startsWith(u"error: byte "_s), hex);
}

void tst_CborText::depthIsBounded()
{
    QByteArray nested = QByteArray(kMaxDepth, '\x81') + '\x00';
    QVERIFY(cborText(asBytes(nested), {1'000'000, false}).ok());
    nested.prepend(QByteArray(100'000, '\x81'));
    const auto refused = cborText(asBytes(nested), {1'000'000, false});
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().detail, u"byte 10000: nested deeper than 10000 levels"_s);
    const QByteArray tags = QByteArray(100'000, '\xc1') + '\x00';
    QVERIFY(!cborText(asBytes(tags), {1'000'000, false}).ok());
}

void tst_CborText::textIsBounded()
{
    const QByteArray longText = QByteArray::fromHex("7a00100000") + QByteArray(1 << 20, 'x');
    const auto text = cborText(asBytes(longText), {9, false});
    QVERIFY(text.ok());
    QCOMPARE(text->text, u"\"xxxxxxx…"_s);
    QVERIFY(text->cut);
    QCOMPARE(shown("83010203", {7, false}), u"[1, 2,…"_s);
    QCOMPARE(shown("83010203", {9, false}), u"[1, 2, 3]"_s);
}

void tst_CborText::everyPrefixIsRefused()
{
    const QByteArray whole = QByteArray::fromHex("bf6161c11a514b67b061629f025f4201024103ffffff");
    QVERIFY(cborText(asBytes(whole), kLine).ok());
    for (qsizetype size = 0; size < whole.size(); ++size)
        QVERIFY2(!cborText(asBytes(whole.first(size)), kLine).ok(),
                 QByteArray::number(size).constData());
}

QTEST_APPLESS_MAIN(tst_CborText)
#include "tst_cbortext.moc"
