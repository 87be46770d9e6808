#include "core/session/holeprobe.h"
#include "ui/models/gototarget.h"

#include <QTest>

using namespace topicscope;
using namespace topicscope::ui;
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
        const auto target = GoToTarget::parse(text);
        QCOMPARE(target.has_value(), offset >= 0);
        if (target)
            QCOMPARE(target->resolve(Offset{100}, Offset{10'483}), Offset{offset});
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
