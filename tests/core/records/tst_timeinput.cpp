#include "core/records/timeinput.h"

#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 kNow = 1'796'047'815'250; // 2026-11-30 14:10:15.250 UTC

} // namespace

class tst_TimeInput : public QObject
{
    Q_OBJECT
private slots:
    void timesAreUnderstood_data();
    void timesAreUnderstood();
    void othersAreNot_data();
    void othersAreNot();
    void withoutAZoneThoseOfTheStyleCount();
};

/// The numbers come from Python's datetime.
void tst_TimeInput::timesAreUnderstood_data()
{
    QTest::addColumn<qint64>("ms");
    const auto row = [](const char *text, qint64 ms) { QTest::newRow(text) << ms; };
    row("2026-11-30", 1'795'996'800'000);
    row("2026-11-30 14:05", 1'796'047'500'000);
    row("2026-11-30T14:05:30", 1'796'047'530'000);
    row("2026-11-30T14:05:30Z", 1'796'047'530'000);
    row("2026-11-30T14:05:30.250Z", 1'796'047'530'250);
    row("2026-11-30 14:05:30,25", 1'796'047'530'250);
    row("2026-11-30 14:05:30.2509999", 1'796'047'530'250);
    row("2026-11-30T14:05+01:00", 1'796'043'900'000);
    row("2026-11-30 14:05 -0530", 1'796'067'300'000);
    row("2024-02-29T23:59:59.999", 1'709'251'199'999);
    row("14:05", 1'796'047'500'000);
    row(" 9:05 ", 1'796'029'500'000);
    row("14:05:30.25", 1'796'047'530'250);
    row("-250ms", 1'796'047'815'000);
    row("-15s", 1'796'047'800'250);
    row("-10m", 1'796'047'215'250);
    row("-10 min", 1'796'047'215'250);
    row("-1h", 1'796'044'215'250);
    row("\u22121H", 1'796'044'215'250);
    row("-30d", 1'793'455'815'250);
    row("1970-01-01", 0);
}

void tst_TimeInput::timesAreUnderstood()
{
    QFETCH(qint64, ms);
    QCOMPARE(parseTime(QString::fromUtf8(QTest::currentDataTag()), kNow), std::optional(ms));
}

void tst_TimeInput::othersAreNot_data()
{
    QTest::addColumn<int>("none");
    for (const char *text : {"", " ", "12", "-100", "now", "2026-13-01", "2026-02-30", "24:00",
                             "14:60", "2026-11-30T", "2026-11-30 14", "2026-11-30Z", "-1x", "1h",
                             "2026-11-30T14:05+99:00", "1969-12-31T23:59:59Z", "-99999d", "14:05x"})
        QTest::newRow(text) << 0;
}

void tst_TimeInput::othersAreNot()
{
    QCOMPARE(parseTime(QString::fromUtf8(QTest::currentDataTag()), kNow), std::optional<qint64>());
}

/// The numbers come from Python's zoneinfo.
void tst_TimeInput::withoutAZoneThoseOfTheStyleCount()
{
    const auto berlin = TimeStyle::named(u"Europe/Berlin"_s);
    QVERIFY(berlin);
    const auto there = [&](const QString &text) { return parseTime(text, kNow, *berlin); };
    QCOMPARE(there(u"2026-11-30 14:05"_s), std::optional<qint64>(1'796'043'900'000));
    QCOMPARE(there(u"2026-07-01"_s), std::optional<qint64>(1'782'856'800'000));
    QCOMPARE(there(u"2026-11-30 14:05Z"_s), std::optional<qint64>(1'796'047'500'000));
    // Of the day it is there: half an hour before midnight in UTC it is the next one in Berlin.
    const qint64 late = 1'796'081'400'000; // 2026-11-30T23:30Z
    QCOMPARE(parseTime(u"14:05"_s, late, *berlin), std::optional<qint64>(1'796'130'300'000));
    // The night the clocks are put forward has no half past two.
    QCOMPARE(there(u"2026-03-29 01:30"_s), std::optional<qint64>(1'774'744'200'000));
    QCOMPARE(there(u"2026-03-29 02:30"_s), std::optional<qint64>());
    QCOMPARE(there(u"2026-03-29 03:30"_s), std::optional<qint64>(1'774'747'800'000));
}

QTEST_APPLESS_MAIN(tst_TimeInput)
#include "tst_timeinput.moc"
