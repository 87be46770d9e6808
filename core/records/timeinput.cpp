#include "core/records/timeinput.h"

#include <QDateTime>
#include <QRegularExpression>
#include <QTimeZone>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 kSecondMs = 1000;
constexpr qint64 kMinuteMs = kSecondMs * 60;
constexpr qint64 kHourMs = kMinuteMs * 60;

std::optional<qint64> unitMs(QStringView unit)
{
    if (unit == u"ms")
        return 1;
    if (unit == u"s")
        return kSecondMs;
    if (unit == u"m" || unit == u"min")
        return kMinuteMs;
    if (unit == u"h")
        return kHourMs;
    if (unit == u"d")
        return kHourMs * 24;
    return std::nullopt;
}

/// "-1h"
std::optional<qint64> parseAgo(const QString &text, qint64 nowMs)
{
    static const QRegularExpression pattern(u"^[-\u2212]\\s*([0-9]{1,9})\\s*([a-z]+)$"_s);
    const auto match = pattern.match(text.toLower());
    const auto unit = unitMs(match.capturedView(2));
    if (!match.hasMatch() || !unit)
        return std::nullopt;
    return nowMs - match.capturedView(1).toLongLong() * *unit;
}

/// "Z", "+01:00", "-0130": how many seconds local time is ahead of UTC.
std::optional<int> zoneSeconds(QStringView zone)
{
    if (zone.compare(u'Z', Qt::CaseInsensitive) == 0)
        return 0;
    const int hours = zone.sliced(1, 2).toInt();
    const int minutes = zone.last(2).toInt();
    if (hours > 14 || minutes > 59)
        return std::nullopt;
    return (zone.startsWith(u'-') ? -1 : 1) * (hours * 60 + minutes) * 60;
}

/// Qt moves a time of day the clocks leave out to one they show: such a time is none.
std::optional<qint64> inZone(QDate date, QTime time, const QTimeZone &zone)
{
    const qint64 ms = QDateTime(date, time, zone).toMSecsSinceEpoch();
    return QDateTime::fromMSecsSinceEpoch(ms, zone).time() == time ? std::optional(ms)
                                                                   : std::nullopt;
}

std::optional<qint64> parseClock(const QString &text, qint64 nowMs, const QTimeZone &zone)
{
    static const QRegularExpression pattern(
        u"^(?:([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[Tt ](?=[0-9])|$))?"
        "(?:([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?"
        "\\s*([Zz]|[+-][0-9]{2}:?[0-9]{2})?)?$"_s);
    const auto match = pattern.match(text);
    if (text.isEmpty() || !match.hasMatch())
        return std::nullopt;
    const QDate date = match.capturedLength(1) > 0
                           ? QDate::fromString(match.captured(1), Qt::ISODate)
                           : QDateTime::fromMSecsSinceEpoch(nowMs, zone).date();
    const QTime time(match.capturedView(2).toInt(), match.capturedView(3).toInt(),
                     match.capturedView(4).toInt(),
                     match.captured(5).leftJustified(3, u'0', true).toInt());
    if (!date.isValid() || !time.isValid())
        return std::nullopt;
    if (match.capturedLength(6) == 0)
        return inZone(date, time, zone);
    const auto seconds = zoneSeconds(match.capturedView(6));
    return seconds ? inZone(date, time, QTimeZone(*seconds)) : std::nullopt;
}

} // namespace

std::optional<qint64> parseTime(const QString &text, qint64 nowMs, const TimeStyle &style)
{
    const QString trimmed = text.trimmed();
    auto time = parseAgo(trimmed, nowMs);
    if (!time)
        time = parseClock(trimmed, nowMs, style.zone());
    if (time && *time < 0)
        return std::nullopt;
    return time;
}

} // namespace topicscope
