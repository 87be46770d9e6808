#include "core/records/timestyle.h"

#include <QTest>

#include <limits>

using namespace topicscope;
using namespace Qt::StringLiterals;

class tst_TimeStyle : public QObject
{
    Q_OBJECT
private slots:
    void timesSayHowFarFromUtcTheyAre();
    void timesNoCalendarHasAreNumbers();
    void epochIsTheNumber();
    void zonesNobodyKnowsAreNone();
    void oneCountsForTheProgram();
};

/// As Python's zoneinfo has them.
void tst_TimeStyle::timesSayHowFarFromUtcTheyAre()
{
    const auto in = [](const char *zone, qint64 ms) {
        return TimeStyle::named(QString::fromLatin1(zone)).value().text(ms);
    };
    constexpr qint64 kWinter = 1'796'016'248'123;
    QCOMPARE(TimeStyle().text(kWinter), u"2026-11-30 05:24:08.123Z"_s);
    QCOMPARE(in("Europe/Berlin", kWinter), u"2026-11-30 06:24:08.123+01:00"_s);
    QCOMPARE(in("Europe/Berlin", 1'751'328'000'000), u"2025-07-01 02:00:00.000+02:00"_s);
    QCOMPARE(in("America/St_Johns", kWinter), u"2026-11-30 01:54:08.123-03:30"_s);
    QCOMPARE(in("Asia/Kolkata", 0), u"1970-01-01 05:30:00.000+05:30"_s);
    QCOMPARE(in("Australia/Lord_Howe", kWinter), u"2026-11-30 16:24:08.123+11:00"_s);
    QCOMPARE(TimeStyle::named(u"Asia/Kolkata"_s)->clock(0), u"05:30"_s);
}

/// As "date -u -d @…" prints them.
void tst_TimeStyle::timesNoCalendarHasAreNumbers()
{
    const TimeStyle utc;
    QCOMPARE(utc.text(0), u"1970-01-01 00:00:00.000Z"_s);
    QCOMPARE(utc.text(1'700'000'000'123), u"2023-11-14 22:13:20.123Z"_s);
    QCOMPARE(utc.text(253'402'300'799'999), u"9999-12-31 23:59:59.999Z"_s);
    QCOMPARE(utc.text(253'402'300'800'000), u"253402300800000 ms"_s);
    QCOMPARE(utc.text(-1), u"-1 ms"_s);
    QCOMPARE(utc.text(std::numeric_limits<qint64>::max()), u"9223372036854775807 ms"_s);
}

void tst_TimeStyle::epochIsTheNumber()
{
    const auto epoch = TimeStyle::named(u"Epoch"_s);
    QVERIFY(epoch);
    QCOMPARE(epoch->name(), u"epoch"_s);
    QCOMPARE(epoch->text(1'796'016'248'123), u"1796016248123"_s);
    QCOMPARE(epoch->text(-1), u"-1 ms"_s);
}

void tst_TimeStyle::zonesNobodyKnowsAreNone()
{
    QVERIFY(!TimeStyle::named({}));
    QVERIFY(!TimeStyle::named(u"Europe/Atlantis"_s));
    QVERIFY(!TimeStyle::named(u"Europe/Bärlin"_s));
    QVERIFY(!TimeStyle::named(u"Mars"_s));
    QVERIFY(TimeStyle::named(u"local"_s));
}

void tst_TimeStyle::oneCountsForTheProgram()
{
    QCOMPARE(TimeStyle::current(), TimeStyle());
    TimeStyle::setCurrent(*TimeStyle::named(u"Asia/Kolkata"_s));
    QCOMPARE(TimeStyle::current().text(0), u"1970-01-01 05:30:00.000+05:30"_s);
    TimeStyle::setCurrent({});
}

QTEST_APPLESS_MAIN(tst_TimeStyle)
#include "tst_timestyle.moc"
