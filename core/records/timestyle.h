#pragma once

#include <QString>
#include <QTimeZone>

#include <optional>

namespace topicscope
{

/// 2026-12-30 23:59:59.999 in UTC: as wide as times get, to measure columns by.
constexpr qint64 kLongTimeMs = 1'798'675'199'999;

/// Whether a calendar from 1970 to 9999 has it: producers choose timestamps.
bool isInCalendar(qint64 ms);

/// How points in time are written, and in which zone those without one are read: in UTC, in the
/// machine's time zone, in a named one, or as ms since 1970. Always with the distance from UTC, so
/// that nothing shown or copied has to be guessed at. One for the whole program, as QLocale has it.
class TimeStyle
{
public:
    TimeStyle() = default; ///< UTC

    /// "utc", "local", "epoch", or a zone's IANA name; nullopt when the machine knows no such zone.
    static std::optional<TimeStyle> named(const QString &name);
    /// What it is named by.
    const QString &name() const { return m_name; }

    /// The program's; UTC until it is set. Any thread.
    static TimeStyle current();
    static void setCurrent(const TimeStyle &style);

    /// "2026-11-30 05:24:08.123Z", "2026-11-30 06:24:08.123+01:00"; in epoch "1796016248123".
    /// Those not in the calendar are "-1 ms".
    QString text(qint64 ms) const;
    /// Hours and minutes, "06:24", for where there is room for no more; in epoch as in UTC.
    QString clock(qint64 ms) const;
    /// Of times that say none. In epoch UTC.
    const QTimeZone &zone() const { return m_zone; }

    bool operator==(const TimeStyle &other) const { return m_name == other.m_name; }

private:
    TimeStyle(QString name, const QTimeZone &zone);
    bool isEpoch() const;

    QString m_name = QStringLiteral("utc");
    QTimeZone m_zone = QTimeZone::utc();
};

} // namespace topicscope
