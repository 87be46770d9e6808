#pragma once

#include "core/base/ids.h"

#include <QString>

#include <optional>

namespace topicscope
{

/// A place in a partition as it is said before one knows which offsets there are: "1234", "start",
/// "end", "-100", or a time.
struct LogPlace {
    enum class Kind {
        Offset, ///< this offset
        Start,  ///< the log start offset
        End,    ///< this many before the high watermark
        Time,   ///< the first record at or after this time, in ms since 1970
    };
    Kind kind = Kind::Offset;
    qint64 number = 0;

    bool operator==(const LogPlace &) const = default;

    static LogPlace start() { return {Kind::Start, 0}; }
    static LogPlace end(qint64 before = 0) { return {Kind::End, before}; }

    /// An offset, "start", "end" or "-100", without telling capitals from small letters; blanks and
    /// group separators between digits are ignored. nullopt when it is none of these.
    static std::optional<LogPlace> parse(const QString &text);
    /// The same, or behind an @ a time as parseTime() takes it or in ms since 1970.
    static std::optional<LogPlace> parseWithTime(const QString &text, qint64 nowMs);

    /// The offset, which may lie outside of the log. Precondition: not a Time.
    Offset resolve(Offset logStart, Offset highWatermark) const;
    /// The same, where counting back from the end goes no further than the log does.
    Offset resolveWithin(Offset logStart, Offset highWatermark) const;
};

/// What "go to" takes: a place, or the records from one place up to, not including, another:
/// "10:20",
/// ":@-5m" from the log's start, "-100:" to its end.
struct LogRange {
    LogPlace from;
    std::optional<LogPlace> to; ///< nullopt: a place, no range

    bool operator==(const LogRange &) const = default;

    /// Places as LogPlace::parseWithTime() takes them; alone, a time with a date or a "-1h" is one
    /// without the @, too. Two numbers with a colon are offsets, no time of day. nullopt when it is
    /// none of these.
    static std::optional<LogRange> parse(const QString &text, qint64 nowMs);
};

} // namespace topicscope
