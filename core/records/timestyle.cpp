#include "core/records/timestyle.h"

#include <QDateTime>
#include <QMutex>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 kEndOf9999 = 253'402'300'800'000;
constexpr int kMinute = 60;

struct Current {
    QMutex mutex;
    TimeStyle style;
};

Current &current()
{
    static Current theOne;
    return theOne;
}

/// "Z", "+01:00", "-03:30". Zones of long ago have seconds; they are left out.
QString offsetText(int seconds)
{
    if (seconds == 0)
        return u"Z"_s;
    const int minutes = qAbs(seconds) / kMinute;
    return u"%1%2:%3"_s.arg(QChar(seconds < 0 ? u'-' : u'+'))
        .arg(minutes / kMinute, 2, 10, QChar(u'0'))
        .arg(minutes % kMinute, 2, 10, QChar(u'0'));
}

} // namespace

TimeStyle::TimeStyle(QString name, const QTimeZone &zone)
    : m_name(std::move(name))
    , m_zone(zone)
{
}

std::optional<TimeStyle> TimeStyle::named(const QString &name)
{
    const QString word = name.trimmed();
    const QString lower = word.toLower();
    if (lower == u"utc" || lower == u"epoch")
        return TimeStyle(lower, QTimeZone::utc());
    if (lower == u"local") {
        const QTimeZone local = QTimeZone::systemTimeZone();
        return TimeStyle(lower, local.isValid() ? local : QTimeZone::utc());
    }
    // Asked for by name: a zone made of any word is valid, as one without rules.
    const QByteArray id = word.toUtf8();
    return QTimeZone::isTimeZoneIdAvailable(id) ? std::optional(TimeStyle(word, QTimeZone(id)))
                                                : std::nullopt;
}

TimeStyle TimeStyle::current()
{
    Current &one = topicscope::current();
    const QMutexLocker lock(&one.mutex);
    return one.style;
}

void TimeStyle::setCurrent(const TimeStyle &style)
{
    Current &one = topicscope::current();
    const QMutexLocker lock(&one.mutex);
    one.style = style;
}

bool isInCalendar(qint64 ms)
{
    return ms >= 0 && ms < kEndOf9999;
}

bool TimeStyle::isEpoch() const
{
    return m_name == u"epoch";
}

QString TimeStyle::text(qint64 ms) const
{
    if (!isInCalendar(ms))
        return QString::number(ms) + u" ms"_s;
    if (isEpoch())
        return QString::number(ms);
    const auto time = QDateTime::fromMSecsSinceEpoch(ms, m_zone);
    return time.toString(u"yyyy-MM-dd HH:mm:ss.zzz"_s) + offsetText(time.offsetFromUtc());
}

QString TimeStyle::clock(qint64 ms) const
{
    return QDateTime::fromMSecsSinceEpoch(ms, m_zone).toString(u"HH:mm"_s);
}

} // namespace topicscope
