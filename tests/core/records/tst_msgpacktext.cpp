#include "core/base/bytewriter.h"
#include "core/records/msgpacktext.h"

#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;

// Vectors: the MessagePack specification's own example and formats, and Python's msgpack.
class tst_MsgpackText final : public QObject
{
    Q_OBJECT
private slots:
    void showsEveryFormat_data();
    void showsEveryFormat();
    void laysOutOverLines();
    void saysWhereItIsNoMessagePack_data();
    void saysWhereItIsNoMessagePack();
    void claimedSizesCostNothing();
    void depthIsBounded();
    void everyPrefixIsRefused();
};

namespace
{

const TextShape kLine{10'000, false};

QString shown(const QByteArray &hex, const TextShape &shape = kLine)
{
    const QByteArray bytes = QByteArray::fromHex(hex);
    const auto text = msgpackText(asBytes(bytes), shape);
    return text ? text->text : u"error: "_s + text.error().detail;
}

// msgpack.packb({"id": 12345678901234567890, "name": "Zoë", "tags": [True, None, -5, 1.5],
// "raw": b"\x00\xff"})
constexpr const char *kDocument =
    "84a26964cfab54a98ceb1f0ad2a46e616d65a45a6fc3aba47461677394c3c0fbcb3ff8000000000000a3726177c402"
    "00ff";

} // namespace

void tst_MsgpackText::showsEveryFormat_data()
{
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *hex, const QString &text) { QTest::newRow(hex) << text; };
    // On the specification's front page.
    row("82a7636f6d70616374c3a6736368656d6100", u"{\"compact\": true, \"schema\": 0}"_s);
    row(kDocument, u"{\"id\": 12345678901234567890, \"name\": \"Zoë\", "
                   u"\"tags\": [true, null, -5, 1.5], \"raw\": h'00ff'}"_s);
    row("9b809081a16181a16292019102cf8000000000000000d38000000000000000d0dfcd012cce00011170d1ff7f"
        "d2ffff63c0d90178",
        u"[{}, [], {\"a\": {\"b\": [1, [2]]}}, 9223372036854775808, -9223372036854775808, -33, "
        u"300, 70000, -129, -40000, \"x\"]"_s);
    row("7f", u"127"_s);
    row("e0", u"-32"_s);
    row("c0", u"null"_s);
    row("c2", u"false"_s);
    row("cc80", u"128"_s);
    row("a0", u"\"\""_s);
    row("c40100", u"h'00'"_s);
    row("c5000100", u"h'00'"_s);
    row("c60000000100", u"h'00'"_s);
    row("da000161", u"\"a\""_s);
    row("db0000000161", u"\"a\""_s);
    row("dc000101", u"[1]"_s);
    row("dd0000000101", u"[1]"_s);
    row("de00010102", u"{1: 2}"_s);
    row("df000000010102", u"{1: 2}"_s);
    row("ca3dcccccd", u"0.1"_s);
    row("cb7ff0000000000000", u"Infinity"_s);
    row("cb7ff8000000000000", u"NaN"_s);
    row("d50500ff", u"ext(5, h'00ff')"_s);
    row("c7030500ff01", u"ext(5, h'00ff01')"_s);
    row("d8051f", u"error: byte 0: a value of 16 bytes, but 1 are left"_s);
    row("d6ff692bd4f8", u"timestamp(\"2025-11-30T05:24:08Z\")"_s);
    row("d7ff1d6f28006b0d0878", u"timestamp(\"2026-11-30T05:24:08.123456000Z\")"_s);
    row("c70cff3b9ac9ffffffffffffffffff", u"timestamp(\"1969-12-31T23:59:59.999999999Z\")"_s);
    row("d7fffffffffc00000000", u"ext(-1, h'fffffffc00000000')"_s); // 2^30 - 1 nanoseconds
    // Keys of any type, duplicates, text that is none.
    row("82c3a2ff0ac301", u"{true: \"‹FF›\\n\", true: 1}"_s);
    row("8291018001", u"error: byte 5: the bytes end where a value was expected"_s);
}

void tst_MsgpackText::showsEveryFormat()
{
    QFETCH(const QString, expected);
    QCOMPARE(shown(QTest::currentDataTag()), expected);
}

void tst_MsgpackText::laysOutOverLines()
{
    QCOMPARE(shown("82a1619101a16280", {1000, true}), u"{\n"
                                                      u"  \"a\": [\n"
                                                      u"    1\n"
                                                      u"  ],\n"
                                                      u"  \"b\": {}\n"
                                                      u"}"_s);
}

void tst_MsgpackText::saysWhereItIsNoMessagePack_data()
{
    QTest::addColumn<qint64>("byte");
    QTest::addColumn<QString>("why");
    QTest::newRow("") << qint64(0) << u"the bytes end where a value was expected"_s;
    QTest::newRow("92c0c1") << qint64(2) << u"no MessagePack value begins with c1"_s;
    QTest::newRow("c0c0c0") << qint64(1) << u"2 bytes follow the value"_s;
    QTest::newRow("91cd01") << qint64(1) << u"the bytes end inside a value"_s;
    QTest::newRow("91a361") << qint64(1) << u"a value of 3 bytes, but 1 are left"_s;
}

void tst_MsgpackText::saysWhereItIsNoMessagePack()
{
    QFETCH(const qint64, byte);
    QFETCH(const QString, why);
    const QByteArray bytes = QByteArray::fromHex(QTest::currentDataTag());
    const auto text = msgpackText(asBytes(bytes), kLine);
    QVERIFY(!text.ok());
    QCOMPARE(text.error().detail, u"byte %1: %2"_s.arg(byte).arg(why));
    QCOMPARE(text.error().where.byte, byte);
}

void tst_MsgpackText::claimedSizesCostNothing()
{
    QCOMPARE(shown("ddffffffffc0"), u"error: byte 6: the bytes end where a value was expected"_s);
    QCOMPARE(shown("dfffffffffc0c0"), u"error: byte 7: the bytes end where a value was expected"_s);
    QCOMPARE(shown("c6ffffffff00"),
             u"error: byte 0: a value of 4294967295 bytes, but 1 are left"_s);
    QCOMPARE(shown("c9ffffffff0500"),
             u"error: byte 0: a value of 4294967295 bytes, but 1 are left"_s);
}

void tst_MsgpackText::depthIsBounded()
{
    const QByteArray nested = QByteArray(100'000, '\x91') + '\x00';
    const auto refused = msgpackText(asBytes(nested), {1'000'000, false});
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().detail, u"byte 10000: nested deeper than 10000 levels"_s);
    QVERIFY(msgpackText(asBytes(nested.last(kMaxDepth + 1)), {1'000'000, false}).ok());
}

void tst_MsgpackText::everyPrefixIsRefused()
{
    const QByteArray whole = QByteArray::fromHex(kDocument);
    for (qsizetype size = 0; size < whole.size(); ++size)
        QVERIFY2(!msgpackText(asBytes(whole.first(size)), kLine).ok(),
                 QByteArray::number(size).constData());
}

QTEST_APPLESS_MAIN(tst_MsgpackText)
#include "tst_msgpacktext.moc"
