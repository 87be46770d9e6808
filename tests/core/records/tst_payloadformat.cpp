#include "core/base/bytewriter.h"
#include "core/records/payloadformat.h"

#include <QTest>

#include <limits>

using namespace topicscope;
using namespace Qt::StringLiterals;

// All expected texts are written out by hand from the drawing rules in payloadformat.h.
class tst_PayloadFormat final : public QObject
{
    Q_OBJECT

private slots:
    void previewDrawsEverything_data();
    void previewDrawsEverything();
    void previewLooksAtABoundedNumberOfBytes();
    void previewNeverExceedsItsLength();
    void differentBytesNeverLookTheSame();
    void textViewObeysLineFeedsAndTabsOnly();
    void textViewGoesOnWhereItStopped();
    void hexDumpShowsOffsetsAndAscii();
    void hexDumpClampsItsRange();
    void hexStringIsLowerCase();
    void parsesHex_data();
    void parsesHex();
    void refusesHex_data();
    void refusesHex();
    void utf8IsJudgedStrictly_data();
    void utf8IsJudgedStrictly();
    void malformedBytesAreCounted();
    void detectsKinds_data();
    void detectsKinds();
    void detectionOfALargePayloadIsBounded();
};

namespace
{
QByteArray fromHex(const char *hex)
{
    return QByteArray::fromHex(hex);
}
} // namespace

void tst_PayloadFormat::previewDrawsEverything_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("shown");
    QTest::newRow("nothing") << QByteArray() << u""_s;
    QTest::newRow("plain") << QByteArray("{\"id\":42}") << u"{\"id\":42}"_s;
    QTest::newRow("line ends, tab") << QByteArray("a\r\nb\tc\n") << u"a␍␊b␉c␊"_s;
    QTest::newRow("NUL, ESC, DEL") << fromHex("001b7f") << u"␀␛␡"_s;
    QTest::newRow("C1 control") << fromHex("c285") << u"‹U+0085›"_s;
    QTest::newRow("two, three, four bytes") << fromHex("c3a4e282acf09f9a80") << u"ä€🚀"_s;
    QTest::newRow("not UTF-8") << fromHex("fffe008bc328") << u"‹FF›‹FE›␀‹8B›‹C3›("_s;
    QTest::newRow("overlong NUL") << fromHex("c080") << u"‹C0›‹80›"_s;
    QTest::newRow("encoded surrogate") << fromHex("eda080") << u"‹ED›‹A0›‹80›"_s;
    QTest::newRow("beyond U+10FFFF") << fromHex("f4908080") << u"‹F4›‹90›‹80›‹80›"_s;
    QTest::newRow("cut at the end") << fromHex("61e282") << u"a‹E2›‹82›"_s;
    QTest::newRow("right-to-left override") << fromHex("e280ae6f6b") << u"‹U+202E›ok"_s;
    QTest::newRow("zero width space, BOM") << fromHex("e2808befbbbf") << u"‹U+200B›‹U+FEFF›"_s;
    QTest::newRow("line separator") << fromHex("e280a8") << u"‹U+2028›"_s;
    QTest::newRow("tag character") << fromHex("f3a08081") << u"‹U+E0001›"_s;
    QTest::newRow("Hangul filler") << fromHex("e385a4") << u"‹U+3164›"_s;
    QTest::newRow("our own marks") << fromHex("e280b9e29080") << u"‹U+2039›‹U+2400›"_s;
    QTest::newRow("replacement character") << fromHex("efbfbd") << u"\uFFFD"_s;
}

void tst_PayloadFormat::previewDrawsEverything()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, shown);
    QCOMPARE(previewText(asBytes(bytes)), shown);
}

void tst_PayloadFormat::previewLooksAtABoundedNumberOfBytes()
{
    const QByteArray large(10 * 1024 * 1024, 'x');
    QCOMPARE(previewText(asBytes(large), 1000), QString(256, u'x') + u'…');
    QCOMPARE(previewText(asBytes(QByteArray(256, 'x')), 1000), QString(256, u'x'));
    // The border falls into a character: it is left out, not torn into bytes.
    const QByteArray border = QByteArray(255, 'x') + QByteArray("\xe2\x82\xac") + "y";
    QCOMPARE(previewText(asBytes(border), 1000), QString(255, u'x') + u'…');
}

void tst_PayloadFormat::previewNeverExceedsItsLength()
{
    QCOMPARE(previewText(asBytes(QByteArray("abcd")), 4), u"abcd"_s);
    QCOMPARE(previewText(asBytes(QByteArray("abcde")), 4), u"abc…"_s);
    QCOMPARE(previewText(asBytes(QByteArray("a\xff") + "b"), 4), u"a…"_s); // "‹FF›" does not fit
    QCOMPARE(previewText(asBytes(QByteArray("abc")), 1), u"…"_s);
    QCOMPARE(previewText(asBytes(QByteArray("abc")), 0), u""_s);
    const QByteArray rocket = fromHex("f09f9a80f09f9a80");
    QCOMPARE(previewText(asBytes(rocket), 3), u"🚀…"_s); // a pair is never torn
    QCOMPARE(previewText(asBytes(rocket), 2), u"…"_s);
}

void tst_PayloadFormat::differentBytesNeverLookTheSame()
{
    // What the bytes 00 and FF are drawn as, sent as text.
    const QByteArray drawnNul = u"␀"_s.toUtf8();
    const QByteArray drawnByte = u"‹FF›"_s.toUtf8();
    QVERIFY(previewText(asBytes(drawnNul)) != previewText(asBytes(QByteArray(1, '\0'))));
    QVERIFY(previewText(asBytes(drawnByte)) != previewText(asBytes(QByteArray("\xff"))));
    QSet<QString> seen;
    for (int byte = 0; byte < 256; ++byte)
        seen.insert(previewText(asBytes(QByteArray(1, char(byte)))));
    QCOMPARE(seen.size(), 256);
}

void tst_PayloadFormat::textViewObeysLineFeedsAndTabsOnly()
{
    const QByteArray bytes("{\"a\":\n\n1}\r\n\tend\0", 16);
    const TextPiece piece = textView(asBytes(bytes), 0, bytes.size());
    QCOMPARE(piece.text, u"{\"a\":␊\n␊\n1}␍␊\n␉\tend␀"_s);
    QCOMPARE(piece.nextByte, 16);
}

void tst_PayloadFormat::textViewGoesOnWhereItStopped()
{
    const QByteArray bytes = fromHex("61e282ac62ff63"); // a € b FF c
    QString all;
    QStringList pieces;
    qsizetype position = 0;
    while (position < bytes.size()) {
        const TextPiece piece = textView(asBytes(bytes), position, 2);
        QVERIFY(piece.nextByte > position);
        pieces << piece.text;
        position = piece.nextByte;
    }
    QCOMPARE(pieces, QStringList({u"a€"_s, u"b‹FF›"_s, u"c"_s}));
    QCOMPARE(textView(asBytes(bytes), 99, 5).text, u""_s);
    QCOMPARE(textView(asBytes(bytes), 99, 5).nextByte, 7);
    QCOMPARE(textView(asBytes(bytes), -3, -1).nextByte, 0);
}

void tst_PayloadFormat::hexDumpShowsOffsetsAndAscii()
{
    const QByteArray bytes = QByteArray("{\"id\":42,\"name\":\"x\"}\n") + fromHex("00ff");
    // as `hexdump -C` prints it
    QCOMPARE(hexDump(asBytes(bytes), 0, bytes.size()),
             u"00000000  7b 22 69 64 22 3a 34 32  2c 22 6e 61 6d 65 22 3a  |{\"id\":42,\"name\":|\n"
             u"00000010  22 78 22 7d 0a 00 ff                              |\"x\"}...|"_s);
}

void tst_PayloadFormat::hexDumpClampsItsRange()
{
    const QByteArray bytes("0123456789abcdefXYZ");
    QCOMPARE(hexDump(asBytes(bytes), 16, 2),
             u"00000010  58 59                                             |XY|"_s);
    QCOMPARE(hexDump(asBytes(bytes), 18, std::numeric_limits<qsizetype>::max()),
             u"00000012  5a                                                |Z|"_s);
    QCOMPARE(hexDump(asBytes(bytes), 19, 1), u""_s);
    QCOMPARE(hexDump(asBytes(bytes), -5, -5), u""_s);
    QCOMPARE(hexDump({}, 0, 10), u""_s);
}

void tst_PayloadFormat::hexStringIsLowerCase()
{
    QCOMPARE(hexString(asBytes(fromHex("00AbFF"))), u"00abff"_s);
    QCOMPARE(hexString({}), u""_s);
}

void tst_PayloadFormat::parsesHex_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("nothing") << u""_s << QByteArray();
    QTest::newRow("blanks only") << u" \n "_s << QByteArray();
    QTest::newRow("plain") << u"00aBfF"_s << QByteArray("\x00\xab\xff", 3);
    QTest::newRow("blanks") << u" 00 ab\n ff "_s << QByteArray("\x00\xab\xff", 3);
    QTest::newRow("0x") << u"0x00 0XAB,0xff"_s << QByteArray("\x00\xab\xff", 3);
    QTest::newRow("colons") << u"00:ab:ff"_s << QByteArray("\x00\xab\xff", 3);
}

void tst_PayloadFormat::parsesHex()
{
    QFETCH(QString, text);
    const Result<QByteArray> bytes = parseHex(text);
    QVERIFY2(bytes.ok(), bytes.ok() ? "" : qPrintable(bytes.error().detail));
    QTEST(bytes.value(), "bytes");
}

void tst_PayloadFormat::refusesHex_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("position");
    QTest::newRow("letter") << u"00 gg"_s << qint64(3);
    QTest::newRow("odd") << u"abc"_s << qint64(3);
    QTest::newRow("odd group") << u"a bc"_s << qint64(1);
    QTest::newRow("0x alone") << u"00 0x"_s << qint64(5);
    QTest::newRow("0x twice") << u"0x0x00"_s << qint64(3);
    QTest::newRow("wide digit") << u"\uFF11\uFF11"_s << qint64(0);
    QTest::newRow("minus") << u"-1"_s << qint64(0);
}

void tst_PayloadFormat::refusesHex()
{
    QFETCH(QString, text);
    const Result<QByteArray> bytes = parseHex(text);
    QVERIFY(!bytes.ok());
    QCOMPARE(bytes.error().kind, ErrorKind::InvalidArgument);
    QVERIFY(!bytes.error().detail.isEmpty());
    QTEST(*bytes.error().where.byte, "position");
}

void tst_PayloadFormat::utf8IsJudgedStrictly_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("valid");
    QTest::newRow("empty") << QByteArray() << true;
    QTest::newRow("first and last of each size")
        << fromHex("007fc280dfbfe0a080ed9fbfee8080efbfbff0908080f48fbfbf") << true;
    for (const char *hex : {"80", "bf", "c0af", "c1bf", "e09fbf", "eda080", "edbfbf", "f08fbfbf",
                            "f4908080", "f5808080", "ff", "c3", "e282", "f09f9a", "c328", "61ff"})
        QTest::newRow(hex) << fromHex(hex) << false;
}

void tst_PayloadFormat::utf8IsJudgedStrictly()
{
    QFETCH(QByteArray, bytes);
    QTEST(isValidUtf8(asBytes(bytes)), "valid");
    QCOMPARE(malformedBytes(asBytes(bytes)) == 0, isValidUtf8(asBytes(bytes)));
}

void tst_PayloadFormat::malformedBytesAreCounted()
{
    QCOMPARE(malformedBytes(asBytes(fromHex("c3a4"))), qint64(0));
    QCOMPARE(malformedBytes(asBytes(fromHex("41ff80c328c3a4"))), qint64(3));
    QCOMPARE(malformedBytes(asBytes(fromHex("e282"))), qint64(2));
}

void tst_PayloadFormat::detectsKinds_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<PayloadKind>("kind");
    QTest::newRow("empty") << QByteArray() << PayloadKind::Empty;
    QTest::newRow("object") << QByteArray(" {\"a\":[1,2]}\n") << PayloadKind::Json;
    QTest::newRow("array") << QByteArray("[]") << PayloadKind::Json;
    QTest::newRow("broken object") << QByteArray("{\"a\":") << PayloadKind::Text;
    QTest::newRow("number") << QByteArray("42") << PayloadKind::Text;
    QTest::newRow("blanks") << QByteArray(" \n") << PayloadKind::Text;
    QTest::newRow("stack trace") << QByteArray("Error\n\tat main\r\n") << PayloadKind::Text;
    QTest::newRow("terminal colours") << QByteArray("\x1b[31mred") << PayloadKind::Text;
    QTest::newRow("umlaut") << fromHex("c3a4") << PayloadKind::Text;
    QTest::newRow("NUL") << QByteArray("a\0b", 3) << PayloadKind::Binary;
    QTest::newRow("not UTF-8") << fromHex("61ff") << PayloadKind::Binary;
}

void tst_PayloadFormat::detectsKinds()
{
    QFETCH(QByteArray, bytes);
    QTEST(detectKind(asBytes(bytes)), "kind");
}

void tst_PayloadFormat::detectionOfALargePayloadIsBounded()
{
    QByteArray text(1024 * 1024, 'x');
    text[500'000] = '\0'; // beyond what is looked at
    QCOMPARE(detectKind(asBytes(text)), PayloadKind::Text);
    QCOMPARE(detectKind(asBytes("[\"" + text + "\"]\n")), PayloadKind::Json);
    QCOMPARE(detectKind(asBytes("[\"" + text + "\"}\n")), PayloadKind::Text);
    // A character across the border of what is looked at is no damage.
    const QByteArray border = QByteArray(64 * 1024 - 1, 'x') + fromHex("e282ac") + "x";
    QCOMPARE(detectKind(asBytes(border)), PayloadKind::Text);
}

Q_DECLARE_METATYPE(topicscope::PayloadKind)
QTEST_APPLESS_MAIN(tst_PayloadFormat)
#include "tst_payloadformat.moc"
