#include "core/base/bytewriter.h"
#include "core/records/linediff.h"

#include <QRandomGenerator>
#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;
using Kind = DiffRow::Kind;

class tst_LineDiff final : public QObject
{
    Q_OBJECT
private slots:
    void fewChangesAreTheFewest_data();
    void fewChangesAreTheFewest();
    void everyLineIsThereOnceAndInOrder();
    void manyChangesAreHeldTogetherByWhatStandsOnce();
    void stops();
    void linesHaveCommonEnds();
    void bytesOfOneSizeAreComparedInPlace();
    void insertedBytesShiftWhatFollows();
};

namespace
{

/// As diff -y has it: "=", "|" (changed), "<" and ">", one a row.
QString shown(const std::vector<DiffRow> &rows)
{
    QString text;
    for (const DiffRow &row : rows)
        text += QChar(u"=|<>"[int(row.kind)]);
    return text;
}

std::vector<DiffRow> diff(const QString &left, const QString &right)
{
    return diffLines(DiffLines(left), DiffLines(right));
}

} // namespace

void tst_LineDiff::fewChangesAreTheFewest_data()
{
    QTest::addColumn<QString>("left");
    QTest::addColumn<QString>("right");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const QString &left, const QString &right,
                        const QString &expected) {
        QTest::newRow(name) << left << right << expected;
    };
    row("nothing", {}, {}, {});
    row("the same", u"a\nb\n"_s, u"a\nb"_s, u"=="_s);
    row("one side empty", {}, u"a\nb"_s, u">>"_s);
    row("the other", u"a\nb"_s, {}, u"<<"_s);
    row("changed", u"a\nb\nc"_s, u"a\nx\nc"_s, u"=|="_s);
    row("inserted", u"a\nc"_s, u"a\nb\nc"_s, u"=>="_s);
    row("removed", u"a\nb\nc"_s, u"a\nc"_s, u"=<="_s);
    row("more for less", u"a\nb\nz"_s, u"a\n1\n2\n3\nz"_s, u"=|>>="_s);
    row("an empty line", u"a\n\nb"_s, u"a\nb"_s, u"=<="_s);
    // Of Myers' own example: five single changes, four lines in common.
    row("abcabba", u"a\nb\nc\na\nb\nb\na"_s, u"c\nb\na\nb\na\nc"_s, {});
}

void tst_LineDiff::fewChangesAreTheFewest()
{
    QFETCH(const QString, left);
    QFETCH(const QString, right);
    QFETCH(const QString, expected);
    const QString rows = shown(diff(left, right));
    if (QTest::currentDataTag() == QByteArray("abcabba"))
        QCOMPARE(rows.count(u'='), 4);
    else
        QCOMPARE(rows, expected);
}

/// Whatever is compared: a row says of two lines that they are equal only where they are, and no
/// line is lost.
void tst_LineDiff::everyLineIsThereOnceAndInOrder()
{
    QRandomGenerator random(20261130);
    for (int round = 0; round < 300; ++round) {
        const int kinds = 1 + random.bounded(30);
        const auto text = [&] {
            QString made;
            for (int lines = random.bounded(60); lines > 0; --lines)
                made += QString::number(random.bounded(kinds)) + u'\n';
            return made;
        };
        const DiffLines left(text());
        const DiffLines right(text());
        int nextLeft = 0;
        int nextRight = 0;
        for (const DiffRow &row : diffLines(left, right)) {
            QCOMPARE(row.left < 0, row.kind == Kind::RightOnly);
            QCOMPARE(row.right < 0, row.kind == Kind::LeftOnly);
            if (row.left >= 0)
                QCOMPARE(row.left, nextLeft++);
            if (row.right >= 0)
                QCOMPARE(row.right, nextRight++);
            if (row.kind == Kind::Equal)
                QCOMPARE(left.line(row.left).toString(), right.line(row.right).toString());
        }
        QCOMPARE(nextLeft, left.count());
        QCOMPARE(nextRight, right.count());
    }
}

/// Far more changes than are looked for one by one: every second line is another, those between
/// stand once.
void tst_LineDiff::manyChangesAreHeldTogetherByWhatStandsOnce()
{
    QString left;
    QString right;
    for (int i = 0; i < 20'000; ++i) {
        left += u"same %1\nl %1\n"_s.arg(i);
        right += u"same %1\nr %1\nmore\n"_s.arg(i);
    }
    const QString rows = shown(diff(left, right));
    QCOMPARE(rows.count(u'='), 20'000);
    QCOMPARE(rows.first(6), u"=|>=|>"_s);
    // And nothing in common at all.
    const QString other = shown(diff(QString(left).replace(u"same"_s, u"x"_s), right));
    QCOMPARE(other, QString(40'000, u'|') + QString(20'000, u'>'));
}

void tst_LineDiff::stops()
{
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(diffLines(DiffLines(u"a"_s), DiffLines(u"b"_s), stop.get_token()).empty());
}

void tst_LineDiff::linesHaveCommonEnds()
{
    const auto ends = [](const QString &left, const QString &right) {
        const CommonEnds common = commonEnds(left, right);
        return std::pair(int(common.begin), int(common.end));
    };
    QCOMPARE(ends(u"price: 10"_s, u"price: 20"_s), std::pair(7, 1));
    QCOMPARE(ends(u"aa"_s, u"aaa"_s), std::pair(2, 0));
    QCOMPARE(ends(u"ab"_s, u"xb"_s), std::pair(0, 1));
    QCOMPARE(ends({}, u"x"_s), std::pair(0, 0));
    // U+1F600 and U+1F601 begin with the same half; U+1F600 and U+1FA00 end with one.
    QCOMPARE(ends(u"a\U0001F600"_s, u"a\U0001F601"_s), std::pair(1, 0));
    QCOMPARE(ends(u"\U0001F600b"_s, u"\U0001FA00b"_s), std::pair(0, 1));
}

void tst_LineDiff::bytesOfOneSizeAreComparedInPlace()
{
    QByteArray right(50, 'x');
    right[17] = 'y';
    const BytesDiff diff = diffBytes(asBytes(QByteArray(50, 'x')), asBytes(right));
    QCOMPARE(shown(diff.rows), u"=|=="_s);
    QCOMPARE(diff.left[3].begin, 48);
    QCOMPARE(diff.left[3].size, 2);
}

void tst_LineDiff::insertedBytesShiftWhatFollows()
{
    const QByteArray left = "0123456789" + QByteArray(40, 'z');
    const QByteArray right = "0123456789ABC" + QByteArray(40, 'z');
    const BytesDiff diff = diffBytes(asBytes(left), asBytes(right));
    QCOMPARE(shown(diff.rows), u"=>==="_s);
    QCOMPARE(diff.right[1].begin, 10);
    QCOMPARE(diff.right[1].size, 3);
    QCOMPARE(diff.left[1].begin, 10);
    QCOMPARE(diff.right[2].begin, 13);
}

QTEST_APPLESS_MAIN(tst_LineDiff)
#include "tst_linediff.moc"
