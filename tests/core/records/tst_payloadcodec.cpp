#include "core/base/bytewriter.h"
#include "core/records/payloadcodec.h"

#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;

// Bytes of numbers: Python's struct.pack; of the UUID: its own digits, as RFC 4122 has them.
class tst_PayloadCodec : public QObject
{
    Q_OBJECT
private slots:
    void bytesAndTextAgree_data();
    void bytesAndTextAgree();
    void whatIsNotOfTheFormatIsRefused_data();
    void whatIsNotOfTheFormatIsRefused();
    void otherBytesComeAsHexWithTheReason_data();
    void otherBytesComeAsHexWithTheReason();
    void encodedTextIsDrawn_data();
    void encodedTextIsDrawn();
    void longBytesAreCutAndSaySo();
    void whatIsLaidOutWrongIsDumped();
    void everyFormatIsFoundByItsName();
    void charactersAreCutWhole();
    void aLayoutNobodyWantsEnds();
};

/// "…" stands for all that follows, never for half a character (U+1F600 takes two units).
void tst_PayloadCodec::charactersAreCutWhole()
{
    const QByteArray utf16 = QByteArray::fromHex("61003dd800de3dd800de");
    const auto cut = PayloadCodec::byName(u"utf16le"_s)->decode(asBytes(utf16), {}, 3);
    QCOMPARE(cut.text, u"a…"_s);
    QVERIFY(cut.cut);
    const auto whole = PayloadCodec::byName(u"utf16le"_s)->decode(asBytes(utf16), {}, 5);
    QCOMPARE(whole.text, u"a\U0001F600\U0001F600"_s);
}

void tst_PayloadCodec::aLayoutNobodyWantsEnds()
{
    std::stop_source stop;
    stop.request_stop();
    PayloadContext context;
    context.stop = stop.get_token();
    const QByteArray cbor = QByteArray::fromHex("990400") + QByteArray(1024, '\1');
    const QByteArray json = "[1" + QByteArray(",1").repeated(1023) + ']';
    for (const auto &[name, bytes] : {std::pair(u"cbor"_s, cbor), std::pair(u"json"_s, json)}) {
        const PayloadCodec *format = PayloadCodec::byName(name);
        QVERIFY(format->layOut(asBytes(bytes), {}).text.size() > 4000);
        QVERIFY2(format->layOut(asBytes(bytes), context, 100'000).text.size() < 3000,
                 qPrintable(name));
    }
}

void tst_PayloadCodec::bytesAndTextAgree_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QByteArray>("hex");
    const auto row = [](const char *format, const QString &text, const char *hex) {
        QTest::addRow("%s %s", format, qPrintable(text)) << text << QByteArray(hex);
    };
    row("text", u"été"_s, "c3a974c3a9");
    row("text", {}, "");
    row("latin1", u"été"_s, "e974e9");
    row("utf16le", u"é𐅑"_s, "e90000d851dd");
    row("utf16be", u"é𐅑"_s, "00e9d800dd51");
    row("json", u"{\"a\":1}"_s, "7b2261223a317d");
    row("hex", u"00ff7f"_s, "00ff7f");
    row("base64", u"AP9/"_s, "00ff7f");
    row("base64", u"AA=="_s, "00");
    row("int8", u"-128"_s, "80");
    row("uint8", u"255"_s, "ff");
    row("int16-be", u"-2"_s, "fffe");
    row("int16-le", u"-2"_s, "feff");
    row("uint16-be", u"65534"_s, "fffe");
    row("uint16-le", u"65534"_s, "feff");
    row("int32-be", u"-123456789"_s, "f8a432eb");
    row("int32-le", u"-123456789"_s, "eb32a4f8");
    row("uint32-be", u"4294967295"_s, "ffffffff");
    row("uint32-le", u"1"_s, "01000000");
    row("int64-be", u"-9223372036854775808"_s, "8000000000000000");
    row("int64-le", u"1234567890123456789"_s, "1581e97df4102211");
    row("uint64-be", u"1"_s, "0000000000000001");
    row("uint64-le", u"18446744073709551615"_s, "ffffffffffffffff");
    row("float-be", u"0.1"_s, "3dcccccd");
    row("float-be", u"3.4028235e+38"_s, "7f7fffff");
    row("float-le", u"-1.5"_s, "0000c0bf");
    row("double-be", u"0.1"_s, "3fb999999999999a");
    row("double-be", u"inf"_s, "7ff0000000000000");
    row("double-le", u"1e+300"_s, "9c7500883ce4377e");
    row("uuid", u"0123abcd-0000-4000-8000-00000000ffff"_s, "0123abcd00004000800000000000ffff");
}

void tst_PayloadCodec::bytesAndTextAgree()
{
    QFETCH(const QString, text);
    QFETCH(const QByteArray, hex);
    const auto *codec =
        PayloadCodec::byName(QString::fromLatin1(QTest::currentDataTag()).section(u' ', 0, 0));
    QVERIFY(codec);
    const QByteArray bytes = QByteArray::fromHex(hex);
    const auto encoded = codec->encode(text, {});
    QVERIFY2(encoded.ok(), encoded ? "" : qPrintable(encoded.error().detail));
    QCOMPARE(encoded->toHex(), hex);
    const DecodedPayload decoded = codec->decode(asBytes(bytes), {});
    QCOMPARE(decoded.problem, QString());
    QCOMPARE(decoded.text, text);
    QVERIFY(codec->fixedBytes() == 0 || codec->fixedBytes() == bytes.size());
}

void tst_PayloadCodec::whatIsNotOfTheFormatIsRefused_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("why");
    const auto row = [](const char *format, const QString &text, const QString &why) {
        QTest::addRow("%s %s", format, qPrintable(text)) << text << why;
    };
    row("int8", u"128"_s, u"128 is not between -128 and 127"_s);
    row("latin1", u"1 €"_s, u"character 3 is none of Latin-1"_s);
    row("cbor", u"1"_s, u"CBOR can be shown, but not written"_s);
    row("auto", u"1"_s, u"a format is needed to write something"_s);
    row("uint8", u"-1"_s, u"-1 is not between 0 and 255"_s);
    row("uint8", u"256"_s, u"256 is not between 0 and 255"_s);
    row("int32-be", u"2147483648"_s, u"2147483648 is not between -2147483648 and 2147483647"_s);
    row("uint64-le", u"18446744073709551616"_s,
        u"18446744073709551616 is not between 0 and 18446744073709551615"_s);
    row("int64-be", u"1.5"_s, u"'1.5' is no whole number"_s);
    row("int64-be", u"12 kg"_s, u"'12 kg' is no whole number"_s);
    row("int64-be", u" "_s, u"empty: a number is needed"_s);
    row("float-be", u"1e39"_s, u"1e39 is too large or too small for 32 bits"_s);
    row("double-be", u"1,5"_s, u"'1,5' is no number"_s);
    row("double-be", u"+-1"_s, u"'+-1' is no number"_s);
    row("uuid", u"0123abcd-0000-4000-8000-00000000fff"_s,
        u"no UUID: 32 hex digits as xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx are needed"_s);
    row("uuid", u"{0123abcd-0000-4000-8000-00000000fff}"_s,
        u"no UUID: 32 hex digits as xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx are needed"_s);
    row("base64", u"AP9"_s, u"not whole groups of four base64 digits, padded with '='"_s);
    row("base64", u"A-9/"_s, u"character 2, '-', is no base64 digit"_s);
    row("hex", u"abc"_s, u"an odd number of hex digits in 'abc'"_s);
}

void tst_PayloadCodec::whatIsNotOfTheFormatIsRefused()
{
    QFETCH(const QString, text);
    QFETCH(const QString, why);
    const auto *codec =
        PayloadCodec::byName(QString::fromLatin1(QTest::currentDataTag()).section(u' ', 0, 0));
    QVERIFY(codec);
    const auto encoded = codec->encode(text, {});
    QVERIFY(!encoded.ok());
    QCOMPARE(encoded.error().kind, ErrorKind::InvalidArgument);
    QCOMPARE(encoded.error().detail, why);
}

void tst_PayloadCodec::otherBytesComeAsHexWithTheReason_data()
{
    QTest::addColumn<QByteArray>("hex");
    QTest::addColumn<QString>("problem");
    QTest::newRow("int32-be") << QByteArray("0000") << u"2 bytes, not 4"_s;
    QTest::newRow("int8") << QByteArray("") << u"0 bytes, not 1"_s;
    QTest::newRow("double-le") << QByteArray("000102030405060708") << u"9 bytes, not 8"_s;
    QTest::newRow("uuid") << QByteArray("ff") << u"1 bytes, not 16"_s;
    QTest::newRow("cbor") << QByteArray("8201") << u"byte 2: the bytes end inside a value"_s;
    QTest::newRow("msgpack") << QByteArray("c1")
                             << u"byte 0: no MessagePack value begins with c1"_s;
    QTest::newRow("protobuf-raw") << QByteArray("08") << u"byte 0: field 1: no whole varint"_s;
    QTest::newRow("utf16le") << QByteArray("feff0041")
                             << u"byte 0: the byte order mark of big-endian"_s;
    QTest::newRow("utf16be") << QByteArray("fffe4100")
                             << u"byte 0: the byte order mark of little-endian"_s;
}

void tst_PayloadCodec::otherBytesComeAsHexWithTheReason()
{
    QFETCH(const QByteArray, hex);
    QFETCH(const QString, problem);
    const auto *codec = PayloadCodec::byName(QString::fromLatin1(QTest::currentDataTag()));
    QVERIFY(codec);
    const QByteArray bytes = QByteArray::fromHex(hex);
    const DecodedPayload decoded = codec->decode(asBytes(bytes), {});
    QCOMPARE(decoded.problem, problem);
    QCOMPARE(decoded.text, QString::fromLatin1(hex));
}

void tst_PayloadCodec::encodedTextIsDrawn_data()
{
    QTest::addColumn<QByteArray>("hex");
    QTest::addColumn<QString>("text");
    QTest::newRow("latin1") << QByteArray("410a8500") << u"A␊‹U+0085›␀"_s;
    // A byte order mark, half a pair, an odd byte at the end.
    QTest::newRow("utf16le") << QByteArray("fffe00d84100ff") << u"‹U+FEFF›‹U+D800›A‹FF›"_s;
    QTest::newRow("utf16be") << QByteArray("feffdd51") << u"‹U+FEFF›‹U+DD51›"_s;
}

void tst_PayloadCodec::encodedTextIsDrawn()
{
    QFETCH(const QByteArray, hex);
    QFETCH(const QString, text);
    const auto *codec = PayloadCodec::byName(QString::fromLatin1(QTest::currentDataTag()));
    const QByteArray bytes = QByteArray::fromHex(hex);
    const DecodedPayload decoded = codec->decode(asBytes(bytes), {});
    QCOMPARE(decoded.problem, QString());
    QCOMPARE(decoded.text, text);
    QCOMPARE(codec->layOut(asBytes(bytes), {}).text, QString(text).replace(u"␊"_s, u"␊\n"_s));
}

void tst_PayloadCodec::whatIsLaidOutWrongIsDumped()
{
    const QByteArray bytes = QByteArray::fromHex("a16161");
    const DecodedPayload decoded = PayloadCodec::byName(u"cbor"_s)->layOut(asBytes(bytes), {});
    QCOMPARE(decoded.problem, u"byte 3: the bytes end inside a value"_s);
    QCOMPARE(decoded.byte, 3);
    QCOMPARE(decoded.text.left(19), u"00000000  a1 61 61 "_s);
    const QByteArray json = "{\"a\": tru}";
    const DecodedPayload broken = PayloadCodec::byName(u"json"_s)->layOut(asBytes(json), {});
    QCOMPARE(broken.byte, 9);
    QCOMPARE(broken.text, QString::fromLatin1(json));
    const QByteArray fine = "{\"a\":1}";
    QCOMPARE(PayloadCodec::byName(u"json"_s)->layOut(asBytes(fine), {}).text,
             u"{\n  \"a\": 1\n}"_s);
}

void tst_PayloadCodec::longBytesAreCutAndSaySo()
{
    const QByteArray bytes(1000, '\x61');
    const auto decoded = [&](const QString &name) {
        return PayloadCodec::byName(name)->decode(asBytes(bytes), {}, 9).text;
    };
    QCOMPARE(decoded(u"hex"_s), u"61616161…"_s);
    QCOMPARE(decoded(u"base64"_s), u"YWFhYWFh…"_s);
    QCOMPARE(decoded(u"text"_s), u"aaaaaaaa…"_s);
    QCOMPARE(decoded(u"int32-be"_s), u"61616161…"_s);
    QCOMPARE(PayloadCodec::byName(u"hex"_s)->decode(asBytes(bytes), {}, 2000).text.size(), 2000);
    // The limit is the caller's alone, and what is cut says so.
    for (const QString &name : {u"text"_s, u"latin1"_s, u"json"_s}) {
        const auto whole = PayloadCodec::byName(name)->decode(asBytes(bytes), {}, 1000);
        QCOMPARE(whole.text.size(), 1000);
        QVERIFY(!whole.cut);
        QVERIFY(PayloadCodec::byName(name)->decode(asBytes(bytes), {}, 999).cut);
    }
    const QString position = u"[1, x]"_s;
    const auto refused = PayloadCodec::byName(u"json"_s)->encode(position, {});
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().where.byte, 4);
}

void tst_PayloadCodec::everyFormatIsFoundByItsName()
{
    QCOMPARE(PayloadCodec::all().size(), 4 + 3 + 3 + 2 + 6 * 2 + 2 * 2 + 1);
    QStringList titles;
    for (const PayloadCodec *codec : PayloadCodec::all()) {
        QCOMPARE(PayloadCodec::byName(codec->name()), codec);
        QVERIFY(!titles.contains(codec->title()));
        titles += codec->title();
    }
    QCOMPARE(PayloadCodec::byName(u"avro"_s), nullptr);
}

QTEST_APPLESS_MAIN(tst_PayloadCodec)
#include "tst_payloadcodec.moc"
