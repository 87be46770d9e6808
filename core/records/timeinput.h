#pragma once

#include <QString>

#include <optional>

namespace topicscope
{

/// A point in time as people type it, in ms since 1970:
/// - "2026-11-30", "2026-11-30 14:05", "2026-11-30T14:05:30.250Z", "…+01:00"; without a zone in
///   UTC, as times are printed
/// - "14:05", "14:05:30": of the day `nowMs` is in
/// - "-90s", "-15m", "-1h", "-2d": before `nowMs`
/// nullopt when it is none of these, or before 1970.
std::optional<qint64> parseTime(const QString &text, qint64 nowMs);

} // namespace topicscope
