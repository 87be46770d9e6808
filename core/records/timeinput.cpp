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

/// "", "Z", "+01:00", "-0130": how many seconds local time is ahead of UTC.
std::optional<qint64> zoneSeconds(QStringView zone)
{
    if (zone.isEmpty() || zone.compare(u'Z', Qt::CaseInsensitive) == 0)
        return 0;
    const int hours = zone.sliced(1, 2).toInt();
    const int minutes = zone.last(2).toInt();
    if (hours > 14 || minutes > 59)
        return std::nullopt;
    return (zone.startsWith(u'-') ? -1 : 1) * (hours * 60 + minutes) * 60;
}

std::optional<qint64> parseClock(const QString &text, qint64 nowMs)
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
                           : QDateTime::fromMSecsSinceEpoch(nowMs, QTimeZone::utc()).date();
    const QTime time(match.capturedView(2).toInt(), match.capturedView(3).toInt(),
                     match.capturedView(4).toInt(),
                     match.captured(5).leftJustified(3, u'0', true).toInt());
    const auto zone = zoneSeconds(match.capturedView(6));
    if (!date.isValid() || !time.isValid() || !zone)
        return std::nullopt;
    return QDateTime(date, time, QTimeZone::utc()).toMSecsSinceEpoch() - *zone * kSecondMs;
}

} // namespace

std::optional<qint64> parseTime(const QString &text, qint64 nowMs)
{
    const QString trimmed = text.trimmed();
    auto time = parseAgo(trimmed, nowMs);
    if (!time)
        time = parseClock(trimmed, nowMs);
    if (time && *time < 0)
        return std::nullopt;
    return time;
}

} // namespace topicscope
