#pragma once

#include "core/records/timestyle.h"

#include <QString>

#include <optional>

namespace topicscope
{

/// A point in time as people type it, in ms since 1970:
/// - "2026-11-30", "2026-11-30 14:05", "2026-11-30T14:05:30.250Z", "…+01:00"; without a zone in
///   that of `style`, as times are printed
/// - "14:05", "14:05:30": of the day `nowMs` is in
/// - "-90s", "-15m", "-1h", "-2d": before `nowMs`
/// nullopt when it is none of these, before 1970, or in the hour its zone leaves out in spring.
std::optional<qint64> parseTime(const QString &text, qint64 nowMs,
                                const TimeStyle &style = TimeStyle::current());

} // namespace topicscope
