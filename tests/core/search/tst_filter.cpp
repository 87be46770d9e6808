#include "core/base/bytewriter.h"
#include "core/records/recordtime.h"
#include "core/search/bytesearch.h"
#include "core/search/filter.h"
#include "tests/support/chunks.h"

#include <QElapsedTimer>
#include <QTest>

#include <limits>

using namespace topicscope;
using namespace topicscope::search;
using namespace topicscope::test;
using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 kNow = 1'796'040'000'000; // 2026-11-30T12:00:00Z

Filter parsed(const QString &text)
{
    const auto filter = Filter::parse(text, kNow);
    if (!filter)
        qFatal("%s: %s", qPrintable(text), qPrintable(filter.error().detail));
    return *filter;
}

const QByteArray kJson = R"({"user":{"id":42,"name":"J\u00f6rg","tags":["new","vip"]},)"
                         R"("big":9007199254740993,"price":0.10,"sum":1e2,"minus":-0,)"
                         R"("gone":null,"paid":true,"id":1,"id":2})";

/// Offsets 0 … 4, by hand.
RecordChunkPtr records()
{
    return fullChunkOf(
        0, {{"order-1",
             {{"trace", "abc"}, {"trace", "def"}, {"none", std::nullopt}},
             kJson,
             1'796'036'400'000},
            {std::nullopt, {}, "plain text, Order", 1'796'043'600'000, RecordFlag::LogAppendTime},
            {"", {{"x-needle", ""}}, std::nullopt, std::nullopt},
            {QByteArray("\x00\xff", 2), {}, QByteArray("a\xff\x00z", 4), -1},
            {R"({"k":7})", {}, "", 0, RecordFlag::ChecksumMismatch}});
}

} // namespace

/// The filter language: what it says, where it is wrong, what it finds.
class tst_Filter final : public QObject
{
    Q_OBJECT

private slots:
    void finds_data();
    void finds();
    void saysWhereItIsWrong_data();
    void saysWhereItIsWrong();
    void isBounded();
    void printsItself_data();
    void printsItself();
    void everyCutIsAnErrorOrAFilter();
    void fromACell();
    void wholeChunksAtOnce();
    void hitsAcrossRecordsAreNone();
    void runawayPatternsAreNotDecided();
    void undecidedInConnectives();
    void manyMatchesInOneRecordAreBounded();
    void repeatingBytesAreLookedAtOnce();
    void longNumbersAreReadOnce();
    void headersCostSteps();
    void foldedTextIsFoundWhereverItStands();
    void stoppedInsideARecord();
    void fewerStepsAreUndecidedSooner();
};

void tst_Filter::finds_data()
{
    QTest::addColumn<QList<qint64>>("offsets"); // those of records() that match
    const auto row = [](const char *text, const QList<qint64> &offsets) {
        QTest::newRow(text) << offsets;
    };
    // Plain text: key, value, header names and values; bytes as they are.
    row("order", {0});
    row("Order", {1});
    row("\"plain text\"", {1});
    row("'plain text'", {1});
    row("plain text", {1});
    row("text plain", {1});
    row("plain order", {});
    row("abc", {0});
    row("x-needle", {2});
    row("needlex", {});
    row("x\"ff00\"", {3});
    row("x\"00ff\"", {3});
    row("key == \"order-1\"", {0});
    row("key==order-1", {0});
    row("key != \"order-1\"", {1, 2, 3, 4});
    row("not key == \"order-1\"", {1, 2, 3, 4});
    row("key is null", {1});
    row("key exists", {0, 2, 3, 4});
    row("key is empty", {2});
    row("key == \"\"", {2});
    row("key == x\"00ff\"", {3});
    row("key starts \"order\"", {0});
    row("key ends \"-1\"", {0});
    row("key ends \"order-1 and more\"", {});
    row("key > \"order-0\"", {0, 4});
    row("value is null", {2});
    row("value is empty", {4});
    row("value contains \"text\"", {1});
    row("value contains \"TEXT\"", {});
    row("value icontains \"TEXT\"", {1});
    row("value ~ ORDER", {1});
    row("value icontains \"orders\"", {});
    row("value =~ /text,? order/i", {1});
    row("value =~ /text,? order/", {});
    row("value =~ /^plain .*Order$/", {1});
    row("value =~ /\\/nothing/", {});
    row("value =~ /a.\\x{0}z/", {3}); // a malformed byte is one character
    row("header[\"trace\"] == \"def\"", {0});
    row("header[\"trace\"] == \"ghi\"", {});
    row("header['trace'] exists", {0});
    row("header[\"none\"] exists", {0});
    row("header[\"none\"] is null", {0});
    row("header[\"trace\"] is null", {});
    row("header[\"x-needle\"] is empty", {2});
    row("size == 0", {2, 4});
    row("size > 16 B", {0, 1});
    row("size > 1 KiB", {});
    row("size < 1kB", {0, 1, 2, 3, 4});
    row("offset >= 3", {3, 4});
    row("partition == 0", {0, 1, 2, 3, 4});
    row("partition == 3", {});
    row("time >= 2026-11-30T11:00", {0, 1});
    row("time > 2026-11-30T12:30+00:30", {1});
    row("time > @-30m", {1});
    row("time < \"2026-11-30 12:00\"", {0, 4});
    row("time == 0", {4});
    row("time is null", {2, 3});
    row("time != 0", {0, 1, 2, 3});
    row("flag:crc", {4});
    row("flag:tombstone", {2});
    row("flag:headers", {0, 2});
    row("flag:log-append", {1});
    row("not flag:batch-verified", {});
    row("json.user.id == 42", {0});
    row("json.user.id == 42.0", {0});
    row("json.user.id == \"42\"", {});
    row("json.user.id != 42", {1, 2, 3, 4});
    row("json.user.id >= 43", {});
    row("json.user.name == \"Jörg\"", {0});
    row("json.user.name =~ /^j.rg$/i", {0});
    row("json.user.name starts \"Jö\"", {0});
    row("json[\"user\"][\"tags\"][1] == \"vip\"", {0});
    row("json.user.tags[0] == \"vip\"", {});
    row("json.user.tags[*] == \"vip\"", {0});
    row("json.big == 9007199254740993", {0});
    row("json.big == 9007199254740992", {}); // the same double
    row("json.big > 9007199254740992", {0});
    row("json.price == 0.1", {0});
    row("json.price == 0.1000000000000000001", {});
    row("json.sum == 100", {0});
    row("json.minus == 0", {0});
    row("json.gone == null", {0});
    row("json.gone is null", {0});
    row("json.nowhere is null", {});
    row("json.gone exists", {0});
    row("json.nowhere exists", {});
    row("json.paid == true", {0});
    row("json.paid == false", {});
    row("json.id == 1", {0}); // it stands there twice
    row("json.id == 2", {0});
    row("json exists", {0});
    row("key.json.k == 7", {4});
    row("key.json exists", {4});
    // Connectives.
    row("order or text", {0, 1});
    row("key is null or value is null and size == 0", {1, 2});
    row("(key is null or value is null) and size == 0", {2});
    row("not (key is null or value is null)", {0, 3, 4});
    row("not not flag:crc", {4});
    row("flag:crc AND offset == 4", {4});
}

void tst_Filter::finds()
{
    QFETCH(QList<qint64>, offsets);
    const RecordChunkPtr chunk = records();
    const Filter filter = parsed(QString::fromUtf8(QTest::currentDataTag()));
    const auto foundBy = [&](const Filter &by) {
        QList<qint64> found;
        for (const Record &record : chunk->records()) {
            const Verdict verdict = by.matches(*chunk, record);
            if (verdict != Verdict::No)
                found += verdict == Verdict::Yes ? record.offset.value : -1;
        }
        return found;
    };
    QCOMPARE(foundBy(filter), offsets);
    QCOMPARE(foundBy(parsed(filter.text())), offsets); // as it is printed, too
    QList<qint64> atOnce;
    for (const size_t index : filter.matchesIn(*chunk).hits)
        atOnce += chunk->records()[index].offset.value;
    QCOMPARE(atOnce, offsets);
    QCOMPARE(parsed(filter.text()).text(), filter.text());
}

void tst_Filter::saysWhereItIsWrong_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qsizetype>("column");
    QTest::addColumn<qsizetype>("length");
    QTest::addColumn<QString>("word"); // that the sentence has
    const auto row = [](const QString &text, qsizetype column, qsizetype length,
                        const QString &word) {
        QTest::newRow(text.isEmpty() ? "empty" : qPrintable(text.left(60)))
            << text << column << length << word;
    };
    row({}, 0, 0, u"Something to look for"_s);
    row(u"  "_s, 2, 0, u"Something to look for"_s);
    row(u"key"_s, 3, 0, u"operator"_s);
    row(u"key value"_s, 4, 5, u"operator"_s);
    row(u"key = 5"_s, 4, 1, u"operator"_s);
    row(u"key =="_s, 6, 0, u"compare with"_s);
    row(u"key == null"_s, 7, 4, u"is null"_s);
    row(u"name == 5"_s, 0, 4, u"field"_s);
    row(u"order and"_s, 9, 0, u"Something to look for"_s);
    row(u"or order"_s, 0, 2, u"Something to look for"_s);
    row(u"(order"_s, 6, 0, u"closing bracket"_s);
    row(u"order)"_s, 5, 1, u"no bracket open"_s);
    row(u"a\"b\""_s, 1, 1, u"blank"_s);
    row(u"\"order"_s, 0, 6, u"closing quotation"_s);
    row(u"\"a\\qb\""_s, 2, 2, u"\\n"_s);
    row(u"\"\\ud800\""_s, 0, 8, u"surrogate"_s);
    row(u"x\"0g\""_s, 3, 1, u"hex digit"_s);
    row(u"x\"0\""_s, 3, 1, u"Two hex digits"_s);
    row(u"x\"00"_s, 0, 4, u"closing quotation"_s);
    row(u"\"\""_s, 0, 2, u"one character"_s);
    row(u"value contains \"\""_s, 15, 2, u"one character"_s);
    row(u"value =~ text"_s, 9, 4, u"slashes"_s);
    row(u"value =~ /text"_s, 9, 5, u"closing slash"_s);
    row(u"value =~ /a(b/"_s, 13, 1, u"not complete"_s);
    row(u"value =~ /a)(b/"_s, 11, 1, u"not complete"_s);
    row(u"value =~ /a/x"_s, 12, 1, u"behind the slash"_s);
    row(u"size > lots"_s, 7, 4, u"whole number"_s);
    row(u"size > 1 TiB"_s, 9, 3, u"unit"_s);
    row(u"size > 1TiB"_s, 8, 3, u"unit"_s);
    row(u"size > 9223372036854775807 GiB"_s, 7, 23, u"2⁶³"_s);
    row(u"offset > 9223372036854775808"_s, 9, 19, u"whole number"_s);
    row(u"offset contains 5"_s, 7, 8, u"comparison"_s);
    row(u"offset is null"_s, 7, 7, u"comparison"_s);
    row(u"time > yesterday"_s, 7, 9, u"time"_s);
    row(u"flag:none"_s, 5, 4, u"tombstone"_s);
    row(u"header == 5"_s, 7, 1, u"name in brackets"_s);
    row(u"header[trace] exists"_s, 7, 5, u"quotation marks"_s);
    row(u"json.a. == 5"_s, 7, 1, u"name"_s);
    row(u"json.a[x] == 5"_s, 7, 1, u"index"_s);
    row(u"json.a == yes"_s, 10, 3, u"number"_s);
    row(u"json.a > true"_s, 9, 4, u"number or a text"_s);
    row(u"json.a == 1e9999999999"_s, 10, 12, u"exponent"_s);
    row(u"json.a contains 5"_s, 16, 1, u"quotation marks"_s);
    row(u"json.txt"_s, 8, 0, u"operator"_s);
}

void tst_Filter::saysWhereItIsWrong()
{
    QFETCH(QString, text);
    QFETCH(qsizetype, column);
    QFETCH(qsizetype, length);
    QFETCH(QString, word);
    SyntaxError error;
    const auto filter = Filter::parse(text, kNow, &error);
    QVERIFY(!filter);
    QVERIFY2(error.expected.contains(word), qPrintable(error.expected));
    QCOMPARE(error.column, column);
    QCOMPARE(error.length, length);
    QVERIFY(filter.error().detail.startsWith(u"Column %1: "_s.arg(column + 1)));
}

void tst_Filter::isBounded()
{
    SyntaxError error;
    QVERIFY(!Filter::parse(QString(kMaxFilterChars + 1, u'a'), kNow, &error));
    QCOMPARE(error.column, kMaxFilterChars);
    QVERIFY(Filter::parse(QString(kMaxFilterChars, u'a'), kNow));

    const auto nested = [](int depth) {
        return QString(depth, u'(') + u'a' + QString(depth, u')');
    };
    QVERIFY(Filter::parse(nested(kMaxFilterDepth - 1), kNow));
    QVERIFY(!Filter::parse(nested(kMaxFilterDepth), kNow, &error));
    QVERIFY(error.expected.contains(QString::number(kMaxFilterDepth)));
    QVERIFY(!Filter::parse(QString(kMaxFilterChars, u'('), kNow));
    QVERIFY(!Filter::parse(u"not "_s.repeated(1000) + u'a', kNow));
    QVERIFY(!Filter::parse(u"json"_s + u".a"_s.repeated(65) + u" == 1"_s, kNow));
}

void tst_Filter::printsItself_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("printed");
    const auto row = [](const QString &text, const QString &printed) {
        QTest::newRow(qPrintable(text)) << text << printed;
    };
    row(u"order  42"_s, u"\"order\" and \"42\""_s);
    row(u"'it\\'s \"x\"\\n'"_s, u"\"it's \\\"x\\\"\\n\""_s);
    row(u"x\"6869\""_s, u"\"hi\""_s);
    row(u"x\"61FF\""_s, u"x\"61ff\""_s); // no text, though all of it could be drawn
    row(u"x\"00FF\""_s, u"x\"00ff\""_s);
    row(u"\"\\u202e\""_s, u"x\"e280ae\""_s);
    row(u"a or b c or (d or e)"_s, u"\"a\" or \"b\" and \"c\" or (\"d\" or \"e\")"_s);
    row(u"(a or b) and not (c d)"_s, u"(\"a\" or \"b\") and not (\"c\" and \"d\")"_s);
    row(u"value ~ x"_s, u"value icontains \"x\""_s);
    row(u"size>1MiB"_s, u"size > 1048576"_s);
    row(u"time > @-1h"_s, u"time > 2026-11-30T11:00:00.000Z"_s);
    row(u"time > -5"_s, u"time > -5"_s);
    row(u"time > '253402300800000'"_s, u"time > 253402300800000"_s); // the year 10000
    row(u"value=~/a\\/b/is"_s, u"value =~ /a\\/b/is"_s);
    row(u"json.a[\"b c\"][0][*].d==1e2"_s, u"json.a[\"b c\"][0][*].d == 1e2"_s);
    row(u"json[\"\\u000f\"] exists"_s, u"json[x\"0f\"] exists"_s);
    row(u"key.json == null"_s, u"key.json == null"_s);
    row(u"header['é'] is NULL"_s, u"header[\"é\"] is null"_s);
    row(u"flag:crc"_s, u"flag:crc"_s);
}

void tst_Filter::printsItself()
{
    QFETCH(QString, text);
    QFETCH(QString, printed);
    QCOMPARE(parsed(text).text(), printed);
    QCOMPARE(parsed(printed).text(), printed);
}

void tst_Filter::everyCutIsAnErrorOrAFilter()
{
    const QString text =
        u"not (key.json[\"a\\u00e9\"][0] >= -1.5e3 or header['x'] is empty) and value =~ /a\\/b/i "
        "and time > \"2026-11-30 12:00\" x\"00ff\" size<=5 KiB"_s;
    for (qsizetype size = 0; size <= text.size(); ++size) {
        SyntaxError error{-1, -1, {}};
        if (Filter::parse(text.first(size), kNow, &error))
            continue;
        QVERIFY(error.column >= 0 && error.length >= 0);
        QVERIFY(error.column + error.length <= size);
        QVERIFY(!error.expected.isEmpty());
    }
    QVERIFY(Filter::parse(text, kNow));
}

void tst_Filter::fromACell()
{
    const RecordChunkPtr chunk = records();
    for (const Record &record : chunk->records()) {
        const CellBytes key =
            record.flags & RecordFlag::HasKey ? CellBytes(chunk->key(record)) : std::nullopt;
        const CellBytes value =
            record.flags & RecordFlag::NullValue ? std::nullopt : CellBytes(chunk->value(record));
        for (const QString &text : {filterForKey(key).value(), filterForValue(value).value(),
                                    filterForNumber(u"offset"_s, record.offset.value),
                                    filterForTime(timeOf(*chunk, record))})
            QCOMPARE(parsed(text).matches(*chunk, record), Verdict::Yes);
    }
    QCOMPARE(filterForKey(asBytes("say \"hi\"")), u"key == \"say \\\"hi\\\"\""_s);
    QCOMPARE(filterForValue(asBytes(QByteArray("\x00\xff", 2))), u"value == x\"00ff\""_s);
    QCOMPARE(filterForKey(std::nullopt), u"key is null"_s);
    QCOMPARE(filterForHeader(asBytes("x y"), std::nullopt), u"header[\"x y\"] is null"_s);
    for (const qint64 ms : {qint64(-5), std::numeric_limits<qint64>::min()})
        QCOMPARE(parsed(filterForTime(ms)).text(), u"time == %1"_s.arg(ms));
    QCOMPARE(filterForTime(kNow), u"time == 2026-11-30T12:00:00.000Z"_s);
    QVERIFY(!filterForValue(asBytes(QByteArray(kMaxFilterChars, 'a'))));
}

void tst_Filter::wholeChunksAtOnce()
{
    QByteArrayList values;
    for (int i = 0; i < 1000; ++i)
        values += i % 100 == 7 ? QByteArray("needle") + char('a' + i / 100) : QByteArray("hay");
    const RecordChunkPtr chunk = chunkOf(0, 0, values);
    const auto hits = parsed(u"needle"_s).matchesIn(*chunk).hits;
    QCOMPARE(hits.size(), size_t(10));
    for (size_t i = 0; i < hits.size(); ++i)
        QCOMPARE(hits[i], i * 100 + 7);
    QCOMPARE(parsed(u"value == needlec"_s).matchesIn(*chunk).hits, std::vector<size_t>{207});
    QCOMPARE(parsed(u"needle and offset > 800"_s).matchesIn(*chunk).hits,
             (std::vector<size_t>{807, 907}));
    QCOMPARE(parsed(u"needle"_s).matchesIn(*chunk, 8, 108).hits, std::vector<size_t>{107});
    QVERIFY(parsed(u"nowhere"_s).matchesIn(*chunk).hits.empty());
}

/// Bytes that follow each other in a chunk and belong to two records, to a frame or to two fields
/// are no text of any record.
void tst_Filter::hitsAcrossRecordsAreNone()
{
    const RecordChunkPtr framed = chunkOf(0, 0, {"ab", "cd"});
    QVERIFY(framed->bytes().size() > 4);
    QVERIFY(parsed(u"x\"00000002\""_s).matchesIn(*framed).hits.empty()); // the size field
    const RecordChunkPtr chunk = fullChunkOf(
        0, {{"ab", {{"cd", "ef"}}, "gh", {}}, {"ij", {}, "kl", {}}, {std::nullopt, {}, "mn", {}}});
    for (const QString &text : {u"ghij"_s, u"ijkl"_s, u"klmn"_s})
        QVERIFY2(parsed(text).matchesIn(*chunk).hits.empty(), qPrintable(text));
    // A header's length byte stands between its name and its value.
    QVERIFY(parsed(u"x\"636404\""_s).matchesIn(*chunk).hits.empty());
    QCOMPARE(parsed(u"ef"_s).matchesIn(*chunk).hits, std::vector<size_t>{0});
}

void tst_Filter::runawayPatternsAreNotDecided()
{
    const QByteArrayList values{QByteArray(3000, 'a'), QByteArray(500'000, 'a'), "ab"};
    const RecordChunkPtr chunk = chunkOf(0, 0, values);
    for (const QString &text : {u"value =~ /(a+)+[bc]/"_s, u"value =~ /(a|aa)+[bc]/"_s}) {
        QElapsedTimer timer;
        timer.start();
        const auto matches = parsed(text).matchesIn(*chunk);
        QCOMPARE(matches.hits, std::vector<size_t>{2});
        QCOMPARE(matches.undecided, (std::vector<size_t>{0, 1}));
        QVERIFY(timer.elapsed() < 10'000); // without a limit: years
    }
    // Long texts alone are no reason.
    const auto found = parsed(u"value =~ /^a+$/"_s).matchesIn(*chunk);
    QCOMPARE(found.hits, (std::vector<size_t>{0, 1}));
    QVERIFY(found.undecided.empty());
}

void tst_Filter::undecidedInConnectives()
{
    const RecordChunkPtr chunk = chunkOf(0, 0, QByteArrayList{QByteArray(3000, 'a')});
    const auto verdict = [&](const QString &text) {
        return parsed(text).matches(*chunk, chunk->records().front());
    };
    const QString unknown = u"value =~ /(a+)+[bc]/"_s;
    QCOMPARE(verdict(unknown + u" or aaa"_s), Verdict::Yes);
    QCOMPARE(verdict(unknown + u" or bbb"_s), Verdict::Undecided);
    QCOMPARE(verdict(unknown + u" and bbb"_s), Verdict::No);
    QCOMPARE(verdict(unknown + u" and aaa"_s), Verdict::Undecided);
    QCOMPARE(verdict(u"not "_s + unknown), Verdict::Undecided);
}

/// A pattern has its limit for each text; of many texts in one record there is one for all.
void tst_Filter::manyMatchesInOneRecordAreBounded()
{
    const auto arrayOf = [](int texts) {
        return QByteArrayList{"[" + QByteArrayList(texts, "\"aaaaaaaa\"").join(',') + "]"};
    };
    const RecordChunkPtr many = chunkOf(0, 0, arrayOf(100'000));
    QCOMPARE(parsed(u"json[*] =~ /b/"_s).matchesIn(*many).undecided, std::vector<size_t>{0});
    QVERIFY(parsed(u"json[*] == 'b'"_s).matchesIn(*many).undecided.empty());
    // An array of ordinary length is decided.
    const RecordChunkPtr few = chunkOf(
        0, 0, QByteArrayList{"[" + QByteArrayList(5'000, "\"order 4711\"").join(',') + "]"});
    QCOMPARE(parsed(u"json[*] =~ /order \\d+$/"_s).matchesIn(*few).hits, std::vector<size_t>{0});
    const auto none = parsed(u"json[*] =~ /order \\d+x/"_s).matchesIn(*few);
    QVERIFY(none.hits.empty() && none.undecided.empty());
}

/// Bytes that repeat and a needle that ends like them: each place would be compared in full.
void tst_Filter::repeatingBytesAreLookedAtOnce()
{
    const QString needle = u'b' + QString(16'000, u'a');
    const RecordChunkPtr chunk =
        chunkOf(0, 0,
                QByteArrayList{QByteArray(8'000'000, 'A'),
                               QByteArray(4'000'000, 'A') + 'B' + QByteArray(16'000, 'a')});
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(parsed(u"value ~ "_s + needle).matchesIn(*chunk).hits, std::vector<size_t>{1});
    QCOMPARE(parsed(u"value contains "_s + needle).matchesIn(*chunk).hits, std::vector<size_t>{});
    QVERIFY(timer.elapsed() < 5'000); // 8 million times 16,000 comparisons: a minute and more
}

void tst_Filter::longNumbersAreReadOnce()
{
    const RecordChunkPtr chunk =
        chunkOf(0, 0, QByteArrayList{"[" + QByteArrayList(500'000, "1").join(',') + "]", "[1.01]"});
    const QString justAbove = u"1."_s + QString(16'000, u'0') + u'1';
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(parsed(u"json[*] > "_s + justAbove).matchesIn(*chunk).hits, std::vector<size_t>{1});
    QCOMPARE(parsed(u"json[*] == "_s + justAbove).matchesIn(*chunk).hits, std::vector<size_t>{});
    QVERIFY(timer.elapsed() < 5'000); // a million times 32,000 digits: half a minute
}

void tst_Filter::headersCostSteps()
{
    const HeaderList headers(100, {"name", "value"});
    const RecordChunkPtr chunk = fullChunkOf(0, {{"k", headers, "v", {}}});
    const auto verdict = [&](const QString &text, qint64 steps) {
        return parsed(text).matches(*chunk, chunk->records().front(), steps);
    };
    for (const QString &text : {u"header['x'] exists"_s, u"not x"_s}) {
        QCOMPARE(verdict(text, 1'000), Verdict::Undecided);
        QVERIFY(verdict(text, 10'000) != Verdict::Undecided);
    }
}

void tst_Filter::foldedTextIsFoundWhereverItStands()
{
    // Against looking at every place, over texts of two letters, where ways of leaping go wrong.
    quint32 state = 1;
    const auto random = [&](int below) {
        state = state * 1'664'525 + 1'013'904'223;
        return int((state >> 16) % quint32(below));
    };
    const auto text = [&](int size) {
        QByteArray made;
        for (int i = 0; i < size; ++i)
            made += "aAbB"[random(4)];
        return made;
    };
    for (int i = 0; i < 3'000; ++i) {
        const QByteArray hay = text(random(200));
        const QByteArray needle = text(1 + random(12));
        const FoldedNeedle folded(needle);
        QCOMPARE(folded.isIn(asBytes(hay)), hay.toLower().contains(needle.toLower()));
    }
}

void tst_Filter::stoppedInsideARecord()
{
    const RecordChunkPtr chunk = records();
    std::stop_source stop;
    const Filter filter = parsed(u"value contains plain or key contains order"_s);
    const Record &record = chunk->records()[1];
    QCOMPARE(filter.matches(*chunk, record, Filter::kSteps, stop.get_token()), Verdict::Yes);
    stop.request_stop();
    QCOMPARE(filter.matches(*chunk, record, Filter::kSteps, stop.get_token()), Verdict::Undecided);
    QVERIFY(filter.matchesIn(*chunk, 0, 5, Filter::kSteps, stop.get_token()).hits.empty());
}

void tst_Filter::fewerStepsAreUndecidedSooner()
{
    const RecordChunkPtr chunk = chunkOf(0, 0, QByteArrayList{QByteArray(1000, 'a') + "b"});
    const Filter filter = parsed(u"value contains ab"_s);
    const Record &record = chunk->records().front();
    QCOMPARE(filter.matches(*chunk, record, 1001), Verdict::Yes);
    QCOMPARE(filter.matches(*chunk, record, 1000), Verdict::Undecided);
}

QTEST_GUILESS_MAIN(tst_Filter)
#include "tst_filter.moc"
