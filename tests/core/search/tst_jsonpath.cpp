#include "core/base/bytewriter.h"
#include "core/search/decimal.h"
#include "core/search/jsonpath.h"

#include <QTest>

using namespace topicscope;
using namespace topicscope::search;

/// The streaming look into JSON, and numbers compared by their digits.
class tst_JsonPath final : public QObject
{
    Q_OBJECT

private slots:
    void numbersAreExact_data();
    void numbersAreExact();
    void whatIsNoNumber_data();
    void whatIsNoNumber();
    void findsValues_data();
    void findsValues();
    void anyDepth();
    void cutAnywhereIsNoValueTooMany();
    void unescapes_data();
    void unescapes();
};

void tst_JsonPath::numbersAreExact_data()
{
    QTest::addColumn<QByteArray>("left");
    QTest::addColumn<QByteArray>("right");
    QTest::addColumn<int>("order"); // of left to right
    // What no double tells apart: 2^53 + 1, the ends of 64 bits, the 20th digit.
    QTest::newRow("2^53+1") << QByteArray("9007199254740993") << QByteArray("9007199254740992")
                            << 1;
    QTest::newRow("2^64-1") << QByteArray("18446744073709551615")
                            << QByteArray("18446744073709551616") << -1;
    QTest::newRow("-2^63") << QByteArray("-9223372036854775808")
                           << QByteArray("-9223372036854775809") << 1;
    QTest::newRow("far digit") << QByteArray("0.10000000000000000001") << QByteArray("0.1") << 1;
    QTest::newRow("trailing zero") << QByteArray("0.1") << QByteArray("0.10") << 0;
    QTest::newRow("exponent") << QByteArray("1e2") << QByteArray("100") << 0;
    QTest::newRow("exponent signs") << QByteArray("12.5E+1") << QByteArray("1250e-1") << 0;
    QTest::newRow("minus zero") << QByteArray("-0") << QByteArray("0") << 0;
    QTest::newRow("zero exponent") << QByteArray("0e99") << QByteArray("-0.000") << 0;
    QTest::newRow("small") << QByteArray("0.001") << QByteArray("1e-3") << 0;
    QTest::newRow("negative order") << QByteArray("-2") << QByteArray("-10") << 1;
    QTest::newRow("sign first") << QByteArray("-1e99") << QByteArray("0.001") << -1;
    QTest::newRow("beyond double") << QByteArray("1e400") << QByteArray("1e401") << -1;
    QTest::newRow("absurd") << QByteArray("1e99999999999999999999") << QByteArray("5") << 1;
    QTest::newRow("absurdly small")
        << QByteArray("1e-99999999999999999999") << QByteArray("0.0001") << -1;
    QTest::newRow("zeros before the point") << QByteArray("1010") << QByteArray("101e1") << 0;
    QTest::newRow("one has more digits") << QByteArray("1000.5") << QByteArray("1e3") << 1;
    QTest::newRow("more digits below 0") << QByteArray("-1200.01") << QByteArray("-1.2e3") << -1;
    QTest::newRow("same size") << QByteArray("120") << QByteArray("119.999") << 1;
}

void tst_JsonPath::numbersAreExact()
{
    QFETCH(QByteArray, left);
    QFETCH(QByteArray, right);
    QFETCH(int, order);
    const auto a = Decimal::parse({left.constData(), size_t(left.size())});
    const auto b = Decimal::parse({right.constData(), size_t(right.size())});
    QVERIFY(a && b);
    QCOMPARE(*a < *b, order < 0);
    QCOMPARE(*a > *b, order > 0);
    QCOMPARE(*a == *b, order == 0);
    QCOMPARE(*b<*a, order> 0);
}

void tst_JsonPath::whatIsNoNumber_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char *text : {"", "-", "01", "+1", ".5", "1.", "1e", "1e+", "0x1", "1 ", "NaN",
                             "Infinity", "1_0", "--1"})
        QTest::newRow(text) << QByteArray(text);
}

void tst_JsonPath::whatIsNoNumber()
{
    QFETCH(QByteArray, text);
    QVERIFY(!Decimal::parse({text.constData(), size_t(text.size())}));
}

void tst_JsonPath::findsValues_data()
{
    QTest::addColumn<QByteArray>("document");
    QTest::addColumn<JsonPath>("path");
    QTest::addColumn<QByteArrayList>("tokens");
    const auto name = [](const char *text) { return JsonStep{JsonStep::Kind::Member, text, 0}; };
    const auto at = [](qint64 index) { return JsonStep{JsonStep::Kind::Element, {}, index}; };
    const JsonStep any{JsonStep::Kind::AnyElement, {}, 0};
    QTest::newRow("document") << QByteArray(" 42\n") << JsonPath{} << QByteArrayList{"42"};
    QTest::newRow("member") << QByteArray(R"({"a":{"a":1},"b":{"a":2}})")
                            << JsonPath{name("b"), name("a")} << QByteArrayList{"2"};
    QTest::newRow("not deeper") << QByteArray(R"({"x":{"a":1},"y":["a",1]})") << JsonPath{name("a")}
                                << QByteArrayList{};
    QTest::newRow("twice") << QByteArray(R"({"a":1,"a":"2","b":0,"a":[3]})") << JsonPath{name("a")}
                           << QByteArrayList{"1", "2", "[3]"};
    QTest::newRow("element") << QByteArray(R"([[0,1],{"a":[5,6,7]},8])")
                             << JsonPath{at(1), name("a"), at(2)} << QByteArrayList{"7"};
    QTest::newRow("no such element") << QByteArray("[1,2]") << JsonPath{at(2)} << QByteArrayList{};
    QTest::newRow("any element") << QByteArray(R"([{"id":1},{"x":2},{"id":null}])")
                                 << JsonPath{any, name("id")} << QByteArrayList{"1", "null"};
    QTest::newRow("odd names") << QByteArray(R"({"a b":1,"":2,"\u00e9\n":3,"é":4})")
                               << JsonPath{name("é\n")} << QByteArrayList{"3"};
    QTest::newRow("empty name") << QByteArray(R"({"a b":1,"":2})") << JsonPath{name("")}
                                << QByteArrayList{"2"};
    QTest::newRow("quotes and brackets in strings")
        << QByteArray(R"({"x":"}]\"{","y":["\\"],"a":true})") << JsonPath{name("a")}
        << QByteArrayList{"true"};
    QTest::newRow("empty containers") << QByteArray(R"({"x":{},"y":[],"a":{},"a":[ ]})")
                                      << JsonPath{name("a")} << QByteArrayList{"{}", "[ ]"};
    QTest::newRow("blanks") << QByteArray("{ \"a\" :\t[ 1 , 2 ] }") << JsonPath{name("a"), at(1)}
                            << QByteArrayList{"2"};
    QTest::newRow("breaks behind it")
        << QByteArray(R"({"a":1,"b":tru)") << JsonPath{name("a")} << QByteArrayList{"1"};
    QTest::newRow("breaks before it")
        << QByteArray(R"({"b" 1,"a":1})") << JsonPath{name("a")} << QByteArrayList{};
    QTest::newRow("not JSON") << QByteArray("order 42") << JsonPath{name("a")} << QByteArrayList{};
    QTest::newRow("malformed value")
        << QByteArray(R"({"a":01})") << JsonPath{name("a")} << QByteArrayList{};
    QTest::newRow("malformed UTF-8") << QByteArray("{\"\xFF\":1,\"a\":\"\xC3\"}")
                                     << JsonPath{name("a")} << QByteArrayList{"\xC3"};
    QTest::newRow("empty") << QByteArray() << JsonPath{} << QByteArrayList{};
}

void tst_JsonPath::findsValues()
{
    QFETCH(QByteArray, document);
    QFETCH(JsonPath, path);
    QFETCH(QByteArrayList, tokens);
    QByteArrayList found;
    const bool stopped = findInJson(asBytes(document), path, [&](const JsonValue &value) {
        found += toByteArray(value.token);
        return false;
    });
    QCOMPARE(found, tokens);
    QVERIFY(!stopped);
}

void tst_JsonPath::anyDepth()
{
    constexpr int kDepth = 1'000'000;
    const QByteArray deep = QByteArray(kDepth, '[') + QByteArray(kDepth, ']');
    const QByteArray document = "{\"x\":" + deep + ",\"a\":7}";
    const JsonPath path{{JsonStep::Kind::Member, "a", 0}};
    QByteArray found;
    const auto take = [&](const JsonValue &value) {
        found = toByteArray(value.token);
        return true;
    };
    QVERIFY(findInJson(asBytes(document), path, take));
    QCOMPARE(found, "7");
    // Cut, and closed by nothing.
    QVERIFY(!findInJson(asBytes("{\"a\":" + QByteArray(kDepth, '{')), path, take));
}

void tst_JsonPath::cutAnywhereIsNoValueTooMany()
{
    const QByteArray document = R"({"x":[{"q":"a\\"}],"a":"1\"2","a":12})";
    const JsonPath path{{JsonStep::Kind::Member, "a", 0}};
    const qsizetype firstEnds = document.indexOf(R"(,"a":12)");
    for (qsizetype size = 0; size <= document.size(); ++size) {
        QByteArrayList found;
        findInJson(asBytes(document).first(size_t(size)), path, [&](const JsonValue &value) {
            found += toByteArray(value.token);
            return false;
        });
        const qsizetype whole = size < firstEnds ? 0 : size < document.size() ? 1 : 2;
        QCOMPARE(found.size(), whole);
    }
}

void tst_JsonPath::unescapes_data()
{
    QTest::addColumn<QByteArray>("token");
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("plain") << QByteArray("abc") << QByteArray("abc");
    QTest::newRow("short") << QByteArray(R"(\"\\\/\b\f\n\r\t)") << QByteArray("\"\\/\b\f\n\r\t");
    QTest::newRow("unit") << QByteArray(R"(\u00e9)") << QByteArray("\xC3\xA9");
    QTest::newRow("pair") << QByteArray(R"(\ud83d\ude00!)") << QByteArray("\xF0\x9F\x98\x80!");
    QTest::newRow("half") << QByteArray(R"(\ud83dx)") << QByteArray("\xEF\xBF\xBDx");
    QTest::newRow("wrong way round")
        << QByteArray(R"(\ude00\ud83d)") << QByteArray("\xEF\xBF\xBD\xEF\xBF\xBD");
    QTest::newRow("cut") << QByteArray(R"(a\u00)") << QByteArray("au00");
    QTest::newRow("zero") << QByteArray(R"(\u0000)") << QByteArray(1, '\0');
}

void tst_JsonPath::unescapes()
{
    QFETCH(QByteArray, token);
    QFETCH(QByteArray, bytes);
    QCOMPARE(jsonUnescaped(asBytes(token)), bytes);
}

QTEST_GUILESS_MAIN(tst_JsonPath)
#include "tst_jsonpath.moc"
