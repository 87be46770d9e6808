#include "core/records/logplace.h"

#include "core/records/timeinput.h"

#include <QStringList>

#include <algorithm>

namespace topicscope
{

using namespace Qt::StringLiterals;

std::optional<LogPlace> LogPlace::parse(const QString &text)
{
    QString word;
    for (const QChar c : text.toLower()) {
        if (!c.isSpace() && c != u',' && c != u'\u202f')
            word += c;
    }
    if (QStringList({u"start"_s, u"first"_s, u"begin"_s, u"earliest"_s}).contains(word))
        return start();
    if (QStringList({u"end"_s, u"last"_s, u"latest"_s}).contains(word))
        return end();
    const bool before = word.startsWith(u'-') || word.startsWith(u'\u2212'); // a true minus
    const QString digits = before ? word.sliced(1) : word;
    bool ok = false;
    const qint64 number = digits.toLongLong(&ok);
    if (!ok || !digits[0].isDigit())
        return std::nullopt;
    return LogPlace{before ? Kind::End : Kind::Offset, number};
}

std::optional<LogPlace> LogPlace::parseWithTime(const QString &text, qint64 nowMs)
{
    const QString trimmed = text.trimmed();
    if (!trimmed.startsWith(u'@'))
        return parse(trimmed);
    const QString time = trimmed.sliced(1);
    bool isNumber = false;
    const qint64 number = time.toLongLong(&isNumber);
    if (isNumber && time[0].isDigit())
        return LogPlace{Kind::Time, number};
    const auto parsed = parseTime(time, nowMs);
    return parsed ? std::optional(LogPlace{Kind::Time, *parsed}) : std::nullopt;
}

Offset LogPlace::resolve(Offset logStart, Offset highWatermark) const
{
    Q_ASSERT(kind != Kind::Time);
    switch (kind) {
    case Kind::Start:
        return logStart;
    case Kind::End:
        return highWatermark + -number;
    case Kind::Offset:
    case Kind::Time:
        break;
    }
    return Offset{number};
}

Offset LogPlace::resolveWithin(Offset logStart, Offset highWatermark) const
{
    // Compared by what is there, so that no subtraction can overflow.
    const qint64 there = highWatermark - std::max(logStart, topicscope::Offset());
    const bool goesBackTooFar = kind == Kind::End && number >= there;
    return goesBackTooFar ? logStart : resolve(logStart, highWatermark);
}

std::optional<LogRange> LogRange::parse(const QString &text, qint64 nowMs)
{
    if (const auto place = LogPlace::parseWithTime(text, nowMs))
        return LogRange{*place, std::nullopt};
    // A time of day has colons, too: the first one that leaves a place on both sides counts.
    for (qsizetype at = text.indexOf(u':'); at >= 0; at = text.indexOf(u':', at + 1)) {
        const QString left = text.first(at).trimmed();
        const QString right = text.sliced(at + 1).trimmed();
        if (left.isEmpty() && right.isEmpty())
            return std::nullopt;
        const auto from = left.isEmpty() ? LogPlace::start() : LogPlace::parseWithTime(left, nowMs);
        const auto to = right.isEmpty() ? LogPlace::end() : LogPlace::parseWithTime(right, nowMs);
        if (from && to)
            return LogRange{*from, to};
    }
    if (const auto time = parseTime(text, nowMs))
        return LogRange{{LogPlace::Kind::Time, *time}, std::nullopt};
    return std::nullopt;
}

} // namespace topicscope
