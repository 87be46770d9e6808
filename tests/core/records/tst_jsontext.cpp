#include "core/base/bytewriter.h"
#include "core/records/jsontext.h"

#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;

// Expected layouts by hand; accepted and refused inputs by the grammar of RFC 8259.
class tst_JsonText final : public QObject
{
    Q_OBJECT

private slots:
    void laysOut_data();
    void laysOut();
    void numbersKeepEveryDigit();
    void refusesAtThePosition_data();
    void refusesAtThePosition();
    void accepts_data();
    void accepts();
    void anyDepthIsFine();
    void indentationStopsGrowing();
    void membersAreSortedByTheirNames();
    void limitsAreReported();
};

void tst_JsonText::laysOut_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("shown");
    QTest::newRow("nested") << QByteArray(R"({"a":[1,{"b":null}],"c":"x"})")
                            << u"{\n"
                               u"  \"a\": [\n"
                               u"    1,\n"
                               u"    {\n"
                               u"      \"b\": null\n"
                               u"    }\n"
                               u"  ],\n"
                               u"  \"c\": \"x\"\n"
                               u"}"_s;
    QTest::newRow("empty containers") << QByteArray(" [ { } , [\n] ] ") << u"[\n  {},\n  []\n]"_s;
    QTest::newRow("order and duplicates")
        << QByteArray(R"({"b":1,"a":2,"b":3})") << u"{\n  \"b\": 1,\n  \"a\": 2,\n  \"b\": 3\n}"_s;
    QTest::newRow("escapes as written") << QByteArray(R"(["\u0041\n\/\ud83d\ude80","é🚀"])")
                                        << u"[\n  \"\\u0041\\n\\/\\ud83d\\ude80\",\n  \"é🚀\"\n]"_s;
    QTest::newRow("invisible characters are drawn")
        << QByteArray("[\"\xe2\x80\xae\x7f\"]") << u"[\n  \"‹U+202E›␡\"\n]"_s;
    QTest::newRow("scalar") << QByteArray(" true ") << u"true"_s;
    QTest::newRow("string with brackets")
        << QByteArray(R"(["[{,:\"}"])") << u"[\n  \"[{,:\\\"}\"\n]"_s;
}

void tst_JsonText::laysOut()
{
    QFETCH(QByteArray, json);
    const Result<QString> shown = jsonPretty(asBytes(json));
    QVERIFY2(shown.ok(), shown.ok() ? "" : qPrintable(shown.error().detail));
    QTEST(shown.value(), "shown");
}

void tst_JsonText::numbersKeepEveryDigit()
{
    const QByteArray json(
        R"({"a":9007199254740993,"b":18446744073709551615,"c":-9223372036854775808,)"
        R"("d":1e400,"e":0.10,"f":-0,"g":1E+2})");
    const Result<QString> shown = jsonPretty(asBytes(json));
    QVERIFY(shown.ok());
    QCOMPARE(shown.value(), u"{\n"
                            u"  \"a\": 9007199254740993,\n"
                            u"  \"b\": 18446744073709551615,\n"
                            u"  \"c\": -9223372036854775808,\n"
                            u"  \"d\": 1e400,\n"
                            u"  \"e\": 0.10,\n"
                            u"  \"f\": -0,\n"
                            u"  \"g\": 1E+2\n"
                            u"}"_s);
}

void tst_JsonText::refusesAtThePosition_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<qint64>("position");
    const auto row = [](const char *json, qint64 position) {
        QTest::newRow(json) << QByteArray(json) << position;
    };
    QTest::newRow("empty") << QByteArray() << qint64(0);
    QTest::newRow("blanks") << QByteArray("  ") << qint64(2);
    row("{", 1);
    row("[1,]", 3);
    row("[,1]", 1);
    row("[1 2]", 3);
    row("{\"a\" 1}", 5);
    row("{\"a\":}", 5);
    row("{\"a\":1,}", 7);
    row("{a:1}", 1);
    row("{1:1}", 1);
    row("[1}", 2);
    row("{\"a\":1]", 6);
    row("]", 0);
    row("[] []", 3);
    row("{\"a\":1}\n{\"b\":2}", 8);
    row("01", 1);
    row("-", 1);
    row("+1", 0);
    row(".5", 0);
    row("1.", 2);
    row("1.e5", 2);
    row("1e", 2);
    row("1e+", 3);
    row("NaN", 0);
    row("Infinity", 0);
    row("tru", 3);
    row("nulL", 3);
    row("True", 0);
    row("'a'", 0);
    row("\"abc", 4);
    row("\"a\\x\"", 3);
    row("\"\\u12g4\"", 5);
    row("\"\\", 2);
    row("[1] // no", 4);
    QTest::newRow("raw line feed in a string") << QByteArray("\"a\nb\"") << qint64(2);
    QTest::newRow("NUL in a string") << QByteArray("\"a\0\"", 4) << qint64(2);
    QTest::newRow("malformed UTF-8 in a string") << QByteArray("\"a\xff\"") << qint64(2);
    QTest::newRow("malformed UTF-8 outside") << QByteArray("[\xff]") << qint64(1);
    QTest::newRow("byte order mark") << QByteArray("\xef\xbb\xbf{}") << qint64(0);
    QTest::newRow("NUL behind") << QByteArray("{}\0", 3) << qint64(2);
}

void tst_JsonText::refusesAtThePosition()
{
    QFETCH(QByteArray, json);
    QFETCH(qint64, position);
    const Result<void> checked = jsonCheck(asBytes(json));
    QVERIFY(!checked.ok());
    QCOMPARE(checked.error().kind, ErrorKind::InvalidArgument);
    QCOMPARE(*checked.error().where.byte, position);
    QVERIFY(!checked.error().detail.isEmpty());
    const Result<QString> shown = jsonPretty(asBytes(json));
    QVERIFY(!shown.ok());
    QCOMPARE(*shown.error().where.byte, position);
}

void tst_JsonText::accepts_data()
{
    QTest::addColumn<QByteArray>("json");
    for (const char *json : {"0", "-0", "-0.0", "1e400", "123.456E-7", "null", "\"\"",
                             "\"\\u0000\"", "\"\\ud800\"", "{\"\":0}", "\t[\r\n]\n", "[[[]],{}]"})
        QTest::newRow(json) << QByteArray(json);
}

void tst_JsonText::accepts()
{
    QFETCH(QByteArray, json);
    const Result<void> checked = jsonCheck(asBytes(json));
    QVERIFY2(checked.ok(), checked.ok() ? "" : qPrintable(checked.error().detail));
}

void tst_JsonText::anyDepthIsFine()
{
    constexpr qsizetype kDepth = 100'000;
    const QByteArray json = QByteArray(kDepth, '[') + QByteArray(kDepth, ']');
    QVERIFY(jsonCheck(asBytes(json)).ok());
    const Result<QString> shown = jsonPretty(asBytes(json));
    QVERIFY(shown.ok());
    QCOMPARE(shown->count(u'['), kDepth);
    QCOMPARE(shown->count(u']'), kDepth);
    const Result<void> cut = jsonCheck(asBytes(json.first(2 * kDepth - 1)));
    QVERIFY(!cut.ok());
    QCOMPARE(*cut.error().where.byte, 2 * kDepth - 1);
}

void tst_JsonText::indentationStopsGrowing()
{
    const QByteArray json = QByteArray(40, '[') + "1" + QByteArray(40, ']');
    const Result<QString> shown = jsonPretty(asBytes(json));
    QVERIFY(shown.ok());
    const QStringList lines = shown->split(u'\n');
    QCOMPARE(lines[31], QString(62, u' ') + u'[');
    QCOMPARE(lines[32], QString(64, u' ') + u'[');
    QCOMPARE(lines[40], QString(64, u' ') + u'1');
    QCOMPARE(lines.last(), u"]"_s);
}

void tst_JsonText::membersAreSortedByTheirNames()
{
    const auto sorted = [](const QByteArray &json) {
        const auto text = jsonSorted(asBytes(json));
        return text ? *text : u"error: "_s + text.error().detail;
    };
    QCOMPARE(sorted(R"({"b":[3,{"z":1,"a":{}}],"a":1.50})"),
             u"{\n  \"a\": 1.50,\n  \"b\": [\n    3,\n    {\n      \"a\": {},\n      \"z\": 1\n"
             "    }\n  ]\n}"_s);
    QCOMPARE(sorted(R"({"a":2,"b":0,"a":1})"), u"{\n  \"a\": 2,\n  \"a\": 1,\n  \"b\": 0\n}"_s);
    QCOMPARE(sorted(" [ ] "), u"[]"_s);
    QCOMPARE(sorted("\"x\""), u"\"x\""_s);
    QVERIFY(sorted("{\"a\":}").startsWith(u"error: '}' where a value"_s));
    // Deep ones take no call a level, and are laid out as jsonPretty() does.
    const QByteArray deep = QByteArray(100'000, '[') + QByteArray(100'000, ']');
    QCOMPARE(sorted(deep), *jsonPretty(asBytes(deep)));
}

void tst_JsonText::limitsAreReported()
{
    const QByteArray json = QByteArray(1000, '[') + QByteArray(1000, ']');
    const Result<QString> input = jsonPretty(asBytes(json), {.maxBytes = 1999});
    QVERIFY(!input.ok());
    QCOMPARE(*input.error().recordBytes, 2000);
    QCOMPARE(*input.error().limitBytes, 1999);
    const Result<QString> output = jsonPretty(asBytes(json), {.maxChars = 5000});
    QVERIFY(!output.ok());
    QCOMPARE(*output.error().limitBytes, 5000);
}

QTEST_APPLESS_MAIN(tst_JsonText)
#include "tst_jsontext.moc"
