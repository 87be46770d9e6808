#include "core/base/bytewriter.h"
#include "core/decode/protobuffiles.h"
#include "core/records/protobuftext.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;

// The message was written by Google's Protocol Buffers for Python.
class tst_ProtobufFiles final : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void readsAMessageOfAnotherWriter();
    void groupsAndUnpackedNumbers();
    void whatTheSchemaDoesNotSayIsShown();
    void saysWhatIsWrongWithTheBytes();
    void findsMessages();
    void saysWhatIsWrongWithTheSchema();
    void hostileSchemasAreRefused();
    void readsDescriptorSets();

private:
    void write(const QString &name, const QByteArray &text) const;
    QString shown(const QByteArray &hex, const QString &message = u"Order"_s) const;

    QTemporaryDir m_folder;
    ProtobufSchema m_schema;
};

namespace
{

constexpr const char *kMoney = R"(syntax = "proto3";
package shop;
message Money { sint64 cents = 1; string currency = 2; }
)";

constexpr const char *kOrder = R"(syntax = "proto3";
package shop;
import "shared/money.proto";
import "google/protobuf/timestamp.proto";
enum State { NEW = 0; PAID = 1; }
message Order {
  message Line { string sku = 1; int32 n = 2; }
  int64 id = 1;
  string who = 2;
  State state = 3;
  repeated Line lines = 4;
  map<string, int32> tags = 5;
  Money sum = 6;
  google.protobuf.Timestamp at = 7;
  bytes raw = 8;
  repeated int32 packed = 9;
  double d = 10;
  float f = 11;
  bool ok = 12;
  fixed32 x = 13;
  sfixed64 y = 14;
  uint64 big = 15;
  Order next = 16;
}
message Other { uint32 a = 1; }
)";

} // namespace

void tst_ProtobufFiles::write(const QString &name, const QByteArray &text) const
{
    QFile file(m_folder.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
}

QString tst_ProtobufFiles::shown(const QByteArray &hex, const QString &message) const
{
    const auto index = findMessage(m_schema, message);
    if (!index)
        return index.error().detail;
    const QByteArray bytes = QByteArray::fromHex(hex);
    const auto text = protobufText(m_schema, *index, asBytes(bytes), {10'000, false});
    return text ? text->text : u"error: "_s + text.error().detail;
}

void tst_ProtobufFiles::initTestCase()
{
    QVERIFY(QDir(m_folder.path()).mkpath(u"orders"_s));
    QVERIFY(QDir(m_folder.path()).mkpath(u"shared"_s));
    write(u"shared/money.proto"_s, kMoney);
    write(u"orders/order.proto"_s, kOrder); // its import is found from the folder above
    const auto schema = readProtobufFile(m_folder.filePath(u"orders/order.proto"_s));
    QVERIFY2(schema.ok(), schema ? "" : qPrintable(schema.error().detail));
    m_schema = *schema;
}

void tst_ProtobufFiles::readsAMessageOfAnotherWriter()
{
    QCOMPARE(
        shown("0880c4bee9f4ffffffff0112045a6fc3ab180122050a01611001220e0a016210feffffffffffffffff01"
              "2a050a01781001320908ff880f12034555523a0808f890b4d8061005420200ff4a0d038e02ffffffffff"
              "ffffffff01519c7500883ce4377e5d0000003f60016d0700000071feffffffffffffff78ffffffffffff"
              "ffffff018201020801"),
        u"{id: -3000000000, who: \"Zoë\", state: PAID, lines: {sku: \"a\", n: 1}, "
        u"lines: {sku: \"b\", n: -2}, tags: {key: \"x\", value: 1}, "
        u"sum: {cents: -123456, currency: \"EUR\"}, at: {seconds: 1796016248, nanos: 5}, "
        u"raw: h'00ff', packed: [3, 270, -1], d: 1e+300, f: 0.5, ok: true, x: 7, y: -2, "
        u"big: 18446744073709551615, next: {id: 1}}"_s);
}

void tst_ProtobufFiles::groupsAndUnpackedNumbers()
{
    // The documentation's packed and unpacked 3, 270, 86942.
    const auto old = parseProtobuf({{u"a"_s, R"(syntax = "proto2"; message Test4 {
        repeated int32 e = 5; repeated int32 f = 6 [packed=true];
        optional group Result = 2 { optional sint32 n = 1; } })"}},
                                   u"a"_s);
    QVERIFY2(old.ok(), old ? "" : qPrintable(old.error().detail));
    const QByteArray bytes = QByteArray::fromHex("28033206038e029ea705130803142a0103");
    const auto text = protobufText(*old, 0, asBytes(bytes), {1000, false});
    QVERIFY(text.ok());
    QCOMPARE(text->text, u"{e: 3, f: [3, 270, 86942], result: {n: -2}, e: [3]}"_s);
}

void tst_ProtobufFiles::whatTheSchemaDoesNotSayIsShown()
{
    QCOMPARE(shown("08019f06089601a006", u"Other"_s).left(14), u"error: byte 2:"_s);
    QCOMPARE(shown("0801109601", u"Other"_s), u"{a: 1, 2: 150}"_s);
    QCOMPARE(shown("0d01000000", u"Other"_s), u"{1: 0x00000001}"_s); // not a varint
    QCOMPARE(shown("1807"), u"{state: 7}"_s);                        // no such symbol
    QCOMPARE(shown("18011800"), u"{state: PAID, state: NEW}"_s);     // all that is written
}

void tst_ProtobufFiles::saysWhatIsWrongWithTheBytes()
{
    QCOMPARE(shown("4a020380"), u"error: byte 3: packed: the bytes end inside a number"_s);
    QCOMPARE(shown("22050a0261"), u"error: byte 0: field 4: 5 bytes, but 3 are left"_s);
    QCOMPARE(shown("22030a0261"), u"error: byte 2: field 1: 2 bytes, but 1 are left"_s);
    // Order in Order in Order …
    const auto varint = [](qsizetype number) {
        QByteArray bytes;
        for (; number >= 0x80; number >>= 7)
            bytes += char(quint8(number | 0x80));
        return bytes + char(number);
    };
    QByteArray deep;
    for (int level = 0; level < 12'000; ++level)
        deep = QByteArray::fromHex("8201") + varint(deep.size()) + deep;
    QVERIFY(shown(deep.toHex()).endsWith(u"…"_s));
    const auto order = findMessage(m_schema, u"Order"_s);
    const auto refused = protobufText(m_schema, *order, asBytes(deep), {10'000'000, false});
    QVERIFY(!refused.ok());
    QVERIFY(refused.error().detail.endsWith(u"nested deeper than 10000 levels"_s));
}

void tst_ProtobufFiles::findsMessages()
{
    QVERIFY(findMessage(m_schema, u"shop.Order"_s).ok());
    QVERIFY(findMessage(m_schema, u"Line"_s).ok());
    QVERIFY(findMessage(m_schema, u"Order.Line"_s).ok());
    const auto none = findMessage(m_schema, u"Ordr"_s);
    QVERIFY(
        none.error().detail.startsWith(u"no single message \"Ordr\"; there are: shop.Order, "_s));
    QVERIFY(findMessage(m_schema, {}).error().detail.startsWith(u"which message is it?"_s));
    QCOMPARE(m_schema.topLevel.size(), 2);
    QCOMPARE(m_schema.messages[size_t(m_schema.topLevel[1])].name, u"shop.Other"_s);
    const auto nested = m_schema.messages[size_t(m_schema.topLevel[0])].nested;
    QCOMPARE(m_schema.messages[size_t(nested.at(0))].name, u"shop.Order.Line"_s);
}

void tst_ProtobufFiles::saysWhatIsWrongWithTheSchema()
{
    const auto why = [](const QByteArray &text) {
        const auto schema = parseProtobuf({{u"a.proto"_s, text}}, u"a.proto"_s);
        return schema ? QString() : schema.error().detail;
    };
    QCOMPARE(why("syntax = \"proto3\";\nmessage A { int23 a = 1; }"),
             u"a.proto:2:13: \"int23\" is not defined"_s);
    QVERIFY(why("syntax = \"proto3\";\nmessage A { ").startsWith(u"a.proto:2:13: "_s));
    QVERIFY(why("syntax = \"proto3\";\nimport \"b.proto\";").contains(u"b.proto"_s));
    const auto missing = readProtobufFile(m_folder.filePath(u"none.proto"_s));
    QCOMPARE(missing.error().kind, ErrorKind::Io);
    write(u"garbage.pb"_s, "\xff\xff");
    QVERIFY(readProtobufFile(m_folder.filePath(u"garbage.pb"_s))
                .error()
                .detail.endsWith(u"is neither a .proto file nor a descriptor set"_s));
}

void tst_ProtobufFiles::hostileSchemasAreRefused()
{
    QByteArray deep = "syntax = \"proto3\";";
    for (int i = 0; i < 100'000; ++i)
        deep += "message A{";
    const auto refused = parseProtobuf({{u"a"_s, deep}}, u"a"_s);
    QVERIFY(refused.error().detail.contains(u"nested too deep"_s));
    // Brackets in comments and strings close nothing.
    const QByteArray hidden =
        "syntax = \"proto3\";" + QByteArray("message A{//}\n").repeated(100'000);
    QVERIFY(
        parseProtobuf({{u"a"_s, hidden}}, u"a"_s).error().detail.contains(u"nested too deep"_s));
    QByteArray harmless = "syntax = \"proto3\"; message A {}\n";
    for (int i = 0; i < 200; ++i)
        harmless += "// {{{\n";
    QVERIFY(parseProtobuf({{u"a"_s, harmless}}, u"a"_s).ok());
    // Importing oneself.
    const auto circle =
        parseProtobuf({{u"a"_s, "syntax = \"proto3\"; import \"a\"; message A {}"}}, u"a"_s);
    QVERIFY(!circle.ok());
}

void tst_ProtobufFiles::readsDescriptorSets()
{
    // protoc --descriptor_set_out of: syntax = "proto3"; message A { int32 a = 1; }
    write(u"a.pb"_s,
          QByteArray::fromHex(
              "0a240a07612e70726f746f22110a0141120c0a0161180120012805520161620670726f746f33"));
    const auto schema = readProtobufFile(m_folder.filePath(u"a.pb"_s));
    QVERIFY2(schema.ok(), schema ? "" : qPrintable(schema.error().detail));
    const QByteArray bytes = QByteArray::fromHex("089601");
    QCOMPARE(protobufText(*schema, *findMessage(*schema, {}), asBytes(bytes), {100, false})->text,
             u"{a: 150}"_s);
}

QTEST_APPLESS_MAIN(tst_ProtobufFiles)
#include "tst_protobuffiles.moc"
