#include "core/base/bytewriter.h"
#include "core/records/protobuftext.h"

#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;

// Vectors: the Protocol Buffers documentation, "Encoding".
class tst_ProtobufText final : public QObject
{
    Q_OBJECT
private slots:
    void showsFieldsAndWireTypes_data();
    void showsFieldsAndWireTypes();
    void laysOutOverLines();
    void guessingIsBounded();
};

namespace
{

QString shown(const QByteArray &hex, const TextShape &shape = {10'000, false})
{
    const QByteArray bytes = QByteArray::fromHex(hex);
    const auto text = protobufText(asBytes(bytes), shape);
    return text ? text->text : u"error: "_s + text.error().detail;
}

} // namespace

void tst_ProtobufText::showsFieldsAndWireTypes_data()
{
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *hex, const QString &text) { QTest::newRow(hex) << text; };
    row("089601", u"{1: 150}"_s);
    row("120774657374696e67", u"{2: \"testing\"}"_s);
    row("1a03089601", u"{3: {1: 150}}"_s);
    row("3206038e029ea705", u"{6: h'038e029ea705'}"_s); // packed 3, 270, 86942
    row("08feffffffffffffffff01", u"{1: 18446744073709551614 (-2)}"_s);
    row("0d00002842", u"{1: 0x42280000}"_s);
    row("090000000000004540", u"{1: 0x4045000000000000}"_s);
    row("0b08010c", u"{1: !{1: 1}}"_s);
    row("0a00", u"{1: \"\"}"_s);
    row("0a020a00", u"{1: {1: \"\"}}"_s);
    row("0a03610a62", u"{1: \"a\\nb\"}"_s);
    row("0801080208ff01", u"{1: 1, 1: 2, 1: 255}"_s);
    row("", u"{}"_s);
    row("08", u"error: byte 0: field 1: no whole varint"_s);
    row("089601ff", u"error: byte 3: no whole field number"_s);
    row("0001", u"error: byte 0: a field cannot have the number 0"_s);
    row("0e", u"error: byte 0: field 1: there is no wire type 6"_s);
    row("0aff0161", u"error: byte 0: field 1: 255 bytes, but 1 are left"_s);
    row("0affffffffffffffffff01",
        u"error: byte 0: field 1: 18446744073709551615 bytes, but 0 are left"_s);
    row("0d0000", u"error: byte 0: field 1: 4 bytes, but 2 are left"_s);
    row("0b0801", u"error: byte 3: group 1 does not end"_s);
    row("0c", u"error: byte 0: group 1 ends, but it is not open"_s);
}

void tst_ProtobufText::showsFieldsAndWireTypes()
{
    QFETCH(const QString, expected);
    QCOMPARE(shown(QTest::currentDataTag()), expected);
}

void tst_ProtobufText::laysOutOverLines()
{
    QCOMPARE(shown("0896011a03089601", {1000, true}), u"{\n"
                                                      u"  1: 150,\n"
                                                      u"  3: {\n"
                                                      u"    1: 150\n"
                                                      u"  }\n"
                                                      u"}"_s);
}

void tst_ProtobufText::guessingIsBounded()
{
    // A message in a message in a message …, each with a number beside it.
    QByteArray nested = QByteArray::fromHex("0801");
    const auto varint = [](qsizetype number) {
        QByteArray bytes;
        for (; number >= 0x80; number >>= 7)
            bytes += char(quint8(number | 0x80));
        return bytes + char(number);
    };
    for (int level = 0; level < 3000; ++level)
        nested = QByteArray::fromHex("0801") + '\x12' + varint(nested.size()) + nested;
    const auto text = protobufText(asBytes(nested), {10'000'000, false});
    QVERIFY(text.ok());
    QCOMPARE(text->text.count(u'{'), kMaxGuessedDepth + 1);
    QVERIFY(text->text.contains(u"h'0801"_s));
    // As many fields are looked at as the text is worth.
    const QByteArray many = QByteArray::fromHex("0801").repeated(5'000);
    const QByteArray outer = '\x12' + varint(many.size()) + many;
    QVERIFY(protobufText(asBytes(outer), {10'000'000, false})->text.startsWith(u"{2: {1: 1, "_s));
    QVERIFY(protobufText(asBytes(outer), {256, false})->text.startsWith(u"{2: h'08010801"_s));
    // Groups cannot be guessed, and end at a depth.
    const auto refused = protobufText(asBytes(QByteArray(100'000, '\x0b')), {10'000'000, false});
    QVERIFY(!refused.ok());
    QVERIFY(refused.error().detail.endsWith(u"nested deeper than 10000 levels"_s));
}

QTEST_APPLESS_MAIN(tst_ProtobufText)
#include "tst_protobuftext.moc"
