#include "core/base/bytewriter.h"
#include "core/decode/avrotext.h"

#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;

// Vectors: the Avro specification's examples, and one record written by Apache Avro for Python.
class tst_AvroText final : public QObject
{
    Q_OBJECT
private slots:
    void readsWhatTheSpecificationWrites_data();
    void readsWhatTheSpecificationWrites();
    void readsAnOrderOfAnotherWriter();
    void saysWhereItDoesNotFit_data();
    void saysWhereItDoesNotFit();
    void claimedSizesCostNothing();
    void depthIsBounded();
    void elementsOfNoBytesEnd();
    void everyPrefixIsRefused();
    void namesAreFound();
    void refusesBrokenSchemas_data();
    void refusesBrokenSchemas();
};

namespace
{

QString shown(const QByteArray &schema, const QByteArray &hex,
              const TextShape &shape = {10'000, false})
{
    const auto parsed = AvroSchema::parse(schema);
    if (!parsed)
        return u"schema: "_s + parsed.error().detail;
    const QByteArray bytes = QByteArray::fromHex(hex);
    const auto text = avroText(*parsed, asBytes(bytes), shape);
    return text ? text->text : u"error: "_s + text.error().detail;
}

constexpr const char *kTest = R"({"type":"record","name":"test","fields":[
    {"name":"a","type":"long"},{"name":"b","type":"string"}]})";

constexpr const char *kList = R"({"type":"record","name":"Node","fields":[
    {"name":"next","type":["null","Node"]}]})";

constexpr const char *kOrder =
    R"({"type":"record","name":"Order","namespace":"shop","fields":[{"name":"id","type":"long"},
    {"name":"who","type":["null","string"]},{"name":"state","type":{"type":"enum","name":"State",
    "symbols":["NEW","PAID"]}},{"name":"lines","type":{"type":"array","items":{"type":"record",
    "name":"Line","fields":[{"name":"sku","type":"string"},{"name":"n","type":"int"}]}}},
    {"name":"tags","type":{"type":"map","values":["int","string"]}},{"name":"sum","type":{
    "type":"bytes","logicalType":"decimal","precision":9,"scale":2}},{"name":"at","type":{
    "type":"long","logicalType":"timestamp-millis"}},{"name":"day","type":{"type":"int",
    "logicalType":"date"}},{"name":"raw","type":{"type":"fixed","name":"F","size":2}},
    {"name":"next","type":["null","Order"]},{"name":"d","type":"double"},
    {"name":"f","type":"float"},{"name":"ok","type":"boolean"}]})";

constexpr const char *kOrderHex = "fff782ad1602085a6fc3ab0204026102026203000402780002027902027a0006"
                                  "fe1dc0f6d4c8aec568e6c40200ff0000"
                                  "0000000000f87f0000003f01";

} // namespace

void tst_AvroText::readsWhatTheSpecificationWrites_data()
{
    QTest::addColumn<QByteArray>("hex");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *schema, const char *hex, const QString &text) {
        QTest::addRow("%s", schema) << QByteArray(hex) << text;
    };
    row(kTest, "3606666f6f", u"{\"a\": 27, \"b\": \"foo\"}"_s);
    row(R"("string")", "06666f6f", u"\"foo\""_s);
    row(R"("long")", "7f", u"-64"_s);
    row(R"( "long" )", "8001", u"64"_s);
    row(R"({"type":"array","items":"long"})", "04063600", u"[3, 27]"_s);
    row(R"({"type":"array", "items":"long"})", "0304063600", u"[3, 27]"_s); // with its size
    row(R"({"type":"array","items" :"long"})", "00", u"[]"_s);
    row(R"(["null","string"])", "00", u"null"_s);
    row(R"(["null", "string"])", "020261", u"\"a\""_s);
    row(R"(["int","string"])", "020261", u"{\"string\": \"a\"}"_s);
    row(R"({"type":"enum","name":"Foo","symbols":["A","B","C","D"]})", "06", u"\"D\""_s);
    row(R"({"type":"map","values":"long"})", "04016102000261040261060000",
        u"error: byte 1: key: -1 bytes"_s);
    row(R"({"type":"map", "values":"long"})", "0402610202610400", u"{\"a\": 1, \"a\": 2}"_s);
    row(R"("long" )", "ffffffffffffffffff01", u"-9223372036854775808"_s);
    row(R"({"type":"bytes","logicalType":"decimal","precision":4,"scale":2})", "0204", u"0.04"_s);
    row(R"({"type":"bytes","logicalType":"decimal","scale":0})", "1200ffffffffffffffff",
        u"18446744073709551615"_s);
    row(R"({"type":"long","logicalType":"timestamp-micros"})", "01",
        u"-1 /1969-12-31 23:59:59.999999/"_s);
    row(R"({"type":"int","logicalType":"time-millis"})", "80b8992a", u"44248576 /12:17:28.576/"_s);
    row(R"({"type":"int","logicalType":"date"})", "01", u"-1 /1969-12-31/"_s);
    row(R"("null")", "", u"null"_s);
}

void tst_AvroText::readsWhatTheSpecificationWrites()
{
    QFETCH(const QByteArray, hex);
    QFETCH(const QString, expected);
    QCOMPARE(shown(QTest::currentDataTag(), hex), expected);
}

void tst_AvroText::readsAnOrderOfAnotherWriter()
{
    QCOMPARE(shown(kOrder, kOrderHex),
             u"{\"id\": -3000000000, \"who\": \"Zoë\", \"state\": \"PAID\", "
             u"\"lines\": [{\"sku\": \"a\", \"n\": 1}, {\"sku\": \"b\", \"n\": -2}], "
             u"\"tags\": {\"x\": {\"int\": 1}, \"y\": {\"string\": \"z\"}}, \"sum\": -1234.56, "
             u"\"at\": 1796016248123 /2026-11-30 05:24:08.123/, \"day\": 20787 /2026-11-30/, "
             u"\"raw\": h'00ff', \"next\": null, \"d\": NaN, \"f\": 0.5, \"ok\": true}"_s);
    QCOMPARE(shown(kTest, "3606666f6f", {1000, true}), u"{\n"
                                                       u"  \"a\": 27,\n"
                                                       u"  \"b\": \"foo\"\n"
                                                       u"}"_s);
}

void tst_AvroText::saysWhereItDoesNotFit_data()
{
    QTest::addColumn<QByteArray>("hex");
    QTest::addColumn<QString>("why");
    const auto row = [](const char *schema, const char *hex, const QString &text) {
        QTest::addRow("%s %s", schema, hex) << QByteArray(hex) << text;
    };
    row(kTest, "3606666f", u"byte 1: string: 3 bytes, but 2 are left"_s);
    row(kTest, "3606666f6f00", u"byte 5: 1 bytes follow the value"_s);
    row(kTest, "", u"byte 0: the bytes end inside a value of type long"_s);
    row(R"("boolean")", "02", u"byte 0: a boolean that is neither 0 nor 1"_s);
    row(R"("int")", "8080808010", u"byte 0: 2147483648 is more than an int holds"_s);
    row(R"(["null","int"])", "04", u"byte 0: a union of 2 has no branch 2"_s);
    row(R"({"type":"enum","name":"E","symbols":["A"]})", "01", u"byte 0: E has no symbol -1"_s);
}

void tst_AvroText::saysWhereItDoesNotFit()
{
    QFETCH(const QByteArray, hex);
    QFETCH(const QString, why);
    const QByteArray tag = QTest::currentDataTag();
    QCOMPARE(shown(tag.first(tag.lastIndexOf(' ')), hex), u"error: "_s + why);
}

void tst_AvroText::claimedSizesCostNothing()
{
    QCOMPARE(shown(R"("bytes")", "808080808080808001aa"),
             u"error: byte 0: bytes: 36028797018963968 bytes, but 1 are left"_s);
    QCOMPARE(shown(R"("string")", "01"), u"error: byte 0: string: -1 bytes"_s);
    // 2^62 elements; a block of LLONG_MIN.
    const QByteArray longs = R"({"type":"array","items":"long"})";
    QCOMPARE(shown(longs, "80808080808080808001"),
             u"error: byte 10: the bytes end inside a value of type long"_s);
    QCOMPARE(shown(longs, "ffffffffffffffffff0100"),
             u"error: byte 0: a block of more elements than can be counted"_s);
    QCOMPARE(shown(longs, "0102"), u"error: byte 0: a block of 1 bytes, but 0 are left"_s);
}

void tst_AvroText::depthIsBounded()
{
    const auto list = AvroSchema::parse(kList);
    QVERIFY(list.ok());
    const QByteArray deep = QByteArray(1'000'000, '\x02') + '\x00';
    const auto refused = avroText(*list, asBytes(deep), {10'000'000, false});
    QVERIFY(!refused.ok());
    QVERIFY(refused.error().detail.endsWith(u"nested deeper than 10000 levels"_s));
    QVERIFY(avroText(*list, asBytes(deep.last(5000)), {10'000'000, false}).ok());
    // A record that contains itself takes no bytes at all.
    QCOMPARE(shown(R"({"type":"record","name":"R","fields":[{"name":"r","type":"R"}]})", "",
                   {10'000'000, false}),
             u"error: byte 0: nested deeper than 10000 levels"_s);
}

void tst_AvroText::elementsOfNoBytesEnd()
{
    const auto nulls = AvroSchema::parse(R"({"type":"array","items":"null"})");
    const QByteArray bytes = QByteArray::fromHex("feffffffffffffffff0100"); // 2^63 - 1 of them
    const auto text = avroText(*nulls, asBytes(bytes), {1000, false});
    QVERIFY(text.ok());
    QVERIFY(text->cut);
    QCOMPARE(text->text.size(), 1000);
}

void tst_AvroText::everyPrefixIsRefused()
{
    const auto order = AvroSchema::parse(kOrder);
    QVERIFY(order.ok());
    const QByteArray whole = QByteArray::fromHex(kOrderHex);
    for (qsizetype size = 0; size < whole.size(); ++size)
        QVERIFY(!avroText(*order, asBytes(whole.first(size)), {10'000, false}).ok());
}

void tst_AvroText::namesAreFound()
{
    // By namespace, in full, and from a schema referred to.
    const QByteArray line = R"({"type":"record","name":"shop.Line","fields":[
        {"name":"n","type":"int"}]})";
    const QByteArray order = R"({"type":"record","name":"Order","namespace":"shop","fields":[
        {"name":"a","type":"Line"},{"name":"b","type":"shop.Line"}]})";
    QVERIFY(!AvroSchema::parse(order).ok());
    const auto schema = AvroSchema::parse(order, {line});
    QVERIFY(schema.ok());
    QCOMPARE(schema->name(), u"shop.Order"_s);
    const QByteArray bytes = QByteArray::fromHex("0204");
    QCOMPARE(avroText(*schema, asBytes(bytes), {100, false})->text,
             u"{\"a\": {\"n\": 1}, \"b\": {\"n\": 2}}"_s);
}

void tst_AvroText::refusesBrokenSchemas_data()
{
    QTest::addColumn<QString>("why");
    QTest::newRow(R"("lnog")") << u"the schema names an unknown type \"lnog\""_s;
    QTest::newRow(R"({"type":"record","name":"R"})") << u"the record R has no fields"_s;
    QTest::newRow(R"({"type":"record","fields":[]})") << u"a type of kind record has no name"_s;
    QTest::newRow(R"({"type":"fixed","name":"F"})") << u"the size of F is none"_s;
    QTest::newRow(R"(["int",["int"]])") << u"a union directly in a union"_s;
    QTest::newRow("17") << u"a type is a name, an object or an array"_s;
    QTest::newRow("\"int\",\"int\"") << u"the schema is no JSON: no error occurred"_s;
}

void tst_AvroText::refusesBrokenSchemas()
{
    QFETCH(const QString, why);
    const auto schema = AvroSchema::parse(QTest::currentDataTag());
    QVERIFY(!schema.ok());
    QCOMPARE(schema.error().detail, why);
    QVERIFY(!AvroSchema::parse(QByteArray(900, '[') + "\"int\"" + QByteArray(900, ']')).ok());
}

QTEST_APPLESS_MAIN(tst_AvroText)
#include "tst_avrotext.moc"
