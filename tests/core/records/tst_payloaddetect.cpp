#include "core/base/bytewriter.h"
#include "core/records/payloaddetect.h"

#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;

class tst_PayloadDetect final : public QObject
{
    Q_OBJECT
private slots:
    void choosesAndSaysWhy_data();
    void choosesAndSaysWhy();
    void longPayloadsAreJudgedByTheirBegin();
    void automaticDecodesAsWhatItChose();
};

void tst_PayloadDetect::choosesAndSaysWhy_data()
{
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("why");
    const auto row = [](const char *hex, const QString &format, const QString &why) {
        QTest::newRow(hex) << format << why;
    };
    row("", u"text"_s, u"no bytes"_s);
    row("7b2261223a317d", u"json"_s, u"valid JSON"_s);
    row("7b2261223a317d7d", u"text"_s, u"text in UTF-8"_s); // one brace too many
    row("68656c6c6f", u"text"_s, u"text in UTF-8"_s);
    row("fffe68006900", u"utf16le"_s, u"byte order mark of UTF-16, little-endian"_s);
    row("feff00680069", u"utf16be"_s, u"byte order mark of UTF-16, big-endian"_s);
    row("00000000070a02", u"text"_s, u"schema id 7 in the first five bytes"_s);
    row("0000000000000001", u"text"_s, u"8 bytes, not text"_s); // a number, and no schema 0
    row("a26161016162820203", u"cbor"_s, u"all of it is one value"_s);
    row("d9d9f701", u"cbor"_s, u"all of it is one value"_s);
    row("83010203", u"cbor"_s, u"all of it is one value"_s);
    row("82a7636f6d70616374c3a6736368656d6100", u"msgpack"_s, u"all of it is one value"_s);
    row("dc0003010203", u"msgpack"_s, u"all of it is one value"_s);
    row("83010203ff", u"text"_s, u"5 bytes, not text"_s);
    row("ffff0001", u"text"_s, u"4 bytes, not text"_s);
    row("f93c00", u"text"_s, u"3 bytes, not text"_s); // CBOR's 1.0, but that says nothing
}

void tst_PayloadDetect::choosesAndSaysWhy()
{
    QFETCH(const QString, format);
    QFETCH(const QString, why);
    const QByteArray bytes = QByteArray::fromHex(QTest::currentDataTag());
    const DetectedFormat detected = detectFormat(asBytes(bytes));
    QCOMPARE(detected.format->name(), format);
    QCOMPARE(detected.why, why);
}

void tst_PayloadDetect::longPayloadsAreJudgedByTheirBegin()
{
    // An array of a million small arrays, the last of which is broken.
    QByteArray bytes = QByteArray::fromHex("9a000f4240");
    for (int i = 0; i < 1'000'000; ++i)
        bytes += "\x81\x01";
    bytes.back() = '\xff';
    const DetectedFormat detected = detectFormat(asBytes(bytes));
    QCOMPARE(detected.format->name(), u"cbor"_s);
    QCOMPARE(detected.why, u"begins as one value"_s);
}

void tst_PayloadDetect::automaticDecodesAsWhatItChose()
{
    const QByteArray bytes = QByteArray::fromHex("a1616101");
    const auto *automatic = PayloadCodec::byName(u"auto"_s);
    QVERIFY(automatic);
    QVERIFY(!PayloadCodec::all().contains(automatic));
    const DecodedPayload line = automatic->decode(asBytes(bytes), {});
    QCOMPARE(line.text, u"{\"a\": 1}"_s);
    QCOMPARE(line.chosen, PayloadCodec::byName(u"cbor"_s));
    QCOMPARE(line.why, u"all of it is one value"_s);
    QCOMPARE(automatic->layOut(asBytes(bytes), {}).text, u"{\n  \"a\": 1\n}"_s);
}

QTEST_APPLESS_MAIN(tst_PayloadDetect)
#include "tst_payloaddetect.moc"
