#include "core/records/logplace.h"
#include "core/session/holeprobe.h"

#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;

/// Where to go, and where a log becomes readable again.
class tst_Places : public QObject
{
    Q_OBJECT

private slots:
    void placesAreTyped_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("offset"); // in a log from 100 to 10483; -1 = refused
        QTest::newRow("offset") << u"1234"_s << qint64(1234);
        QTest::newRow("blanks") << u"  1 234 "_s << qint64(1234);
        QTest::newRow("as shown") << u"10\u202f482"_s << qint64(10482);
        QTest::newRow("thousands") << u"10,482"_s << qint64(10482);
        QTest::newRow("start") << u"start"_s << qint64(100);
        QTest::newRow("earliest") << u"Earliest"_s << qint64(100);
        QTest::newRow("end") << u"END"_s << qint64(10483);
        QTest::newRow("before the end") << u"-100"_s << qint64(10383);
        QTest::newRow("true minus") << u"\u2212100"_s << qint64(10383);
        QTest::newRow("largest") << u"9223372036854775807"_s << qint64(9223372036854775807);
        QTest::newRow("too large") << u"9223372036854775808"_s << qint64(-1);
        QTest::newRow("nothing") << u""_s << qint64(-1);
        QTest::newRow("minus") << u"-"_s << qint64(-1);
        QTest::newRow("two") << u"--5"_s << qint64(-1);
        QTest::newRow("plus") << u"+5"_s << qint64(-1);
        QTest::newRow("word") << u"12x"_s << qint64(-1);
    }

    void placesAreTyped()
    {
        QFETCH(QString, text);
        QFETCH(qint64, offset);
        const auto target = LogPlace::parse(text);
        QCOMPARE(target.has_value(), offset >= 0);
        if (target)
            QCOMPARE(target->resolve(Offset{100}, Offset{10'483}), Offset{offset});
    }

    void timesStandBehindAnAt()
    {
        constexpr qint64 kNow = 1'796'054'400'000; // 2026-11-30T16:00Z
        using Kind = LogPlace::Kind;
        const auto parsed = [](const QString &text) { return LogPlace::parseWithTime(text, kNow); };
        QCOMPARE(parsed(u" @-1h"_s), (LogPlace{Kind::Time, kNow - 3'600'000}));
        QCOMPARE(parsed(u"@14:05"_s), (LogPlace{Kind::Time, 1'796'047'500'000}));
        QCOMPARE(parsed(u"@2026"_s), (LogPlace{Kind::Time, 2026})); // ms since 1970
        QCOMPARE(parsed(u"-100"_s), LogPlace::end(100));
        QCOMPARE(parsed(u"start"_s), LogPlace::start());
        QVERIFY(!parsed(u"@"_s) && !parsed(u"@x"_s) && !parsed(u"14:05"_s) && !parsed(u""_s));
    }

    void rangesAreTyped()
    {
        constexpr qint64 kNow = 1'796'054'400'000; // 2026-11-30T16:00Z
        const auto parsed = [](const QString &text) { return LogRange::parse(text, kNow); };
        const auto at = [](qint64 ms) { return LogPlace{LogPlace::Kind::Time, ms}; };
        const auto offset = [](qint64 n) { return LogPlace{LogPlace::Kind::Offset, n}; };
        using Range = LogRange;
        QCOMPARE(parsed(u"10:20"_s), (Range{offset(10), offset(20)}));
        QCOMPARE(parsed(u":@-5m"_s), (Range{LogPlace::start(), at(kNow - 300'000)}));
        QCOMPARE(parsed(u"-100:"_s), (Range{LogPlace::end(100), LogPlace::end()}));
        QCOMPARE(parsed(u"@14:05:@14:05:30"_s),
                 (Range{at(1'796'047'500'000), at(1'796'047'530'000)}));
        QCOMPARE(parsed(u"@14:05:end"_s), (Range{at(1'796'047'500'000), LogPlace::end()}));
        // Places are no ranges, and times with a date need no @.
        QCOMPARE(parsed(u"1 234"_s), (Range{offset(1234), std::nullopt}));
        QCOMPARE(parsed(u"@14:05"_s), (Range{at(1'796'047'500'000), std::nullopt}));
        QCOMPARE(parsed(u"2026-11-30 14:05"_s), (Range{at(1'796'047'500'000), std::nullopt}));
        QCOMPARE(parsed(u"-1h"_s), (Range{at(kNow - 3'600'000), std::nullopt}));
        for (const QString &text : {u""_s, u":"_s, u" : "_s, u"10:x"_s, u"x:10"_s, u"1:2:3:4"_s})
            QVERIFY2(!parsed(text), qPrintable(text));
    }

    void countingBackEndsAtTheLogStart()
    {
        const qint64 most = std::numeric_limits<qint64>::max();
        QCOMPARE(LogPlace::end(5).resolveWithin(Offset{10}, Offset{20}), Offset{15});
        QCOMPARE(LogPlace::end(most).resolveWithin(Offset{10}, Offset{20}), Offset{10});
        QCOMPARE((LogPlace{LogPlace::Kind::Offset, 3}).resolveWithin(Offset{10}, Offset{20}),
                 Offset{3});
    }

    void endOfAHoleIsFound()
    {
        for (const qint64 size : {1, 2, 3, 7, 64, 1000, 999'999}) {
            const Offset first{500};
            const Offset end = first + size;
            HoleProbe probe(first, Offset{1'000'500});
            int tries = 0;
            for (auto next = probe.next(); next; next = probe.next()) {
                QVERIFY(*next > first && *next < Offset{1'000'500});
                probe.tell(*next, *next >= end);
                QVERIFY(++tries <= 45);
            }
            QCOMPARE(probe.end(), end);
        }
    }

    void holeWithoutAnEndReachesTheBound()
    {
        HoleProbe probe(Offset{10}, Offset{1000});
        int tries = 0;
        for (auto next = probe.next(); next; next = probe.next()) {
            probe.tell(*next, false);
            QVERIFY(++tries < 20);
        }
        QCOMPARE(probe.end(), Offset{1000});
        QVERIFY(!HoleProbe(Offset{10}, Offset{11}).next());
    }
};

QTEST_APPLESS_MAIN(tst_Places)
#include "tst_places.moc"
