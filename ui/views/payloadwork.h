#pragma once

#include <QByteArray>
#include <QString>

#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>

namespace topicscope::ui
{

// What takes its time with a payload of any size. It is done in pieces: when stopped, it is back
// within a few ms with a result nobody should use. Thread: any (pure).

/// Where these bytes (not none) stand next: forward at or behind `from`, otherwise before it; where
/// they do not, from the other end on.
std::optional<qsizetype> findRound(std::span<const std::byte> bytes, const QByteArray &needle,
                                   qsizetype from, bool forward, const std::stop_token &stop);

/// As utf8Text() of all of it.
QString textOf(std::span<const std::byte> bytes, const std::stop_token &stop);
/// As hexString() of all of it.
QString hexOf(std::span<const std::byte> bytes, const std::stop_token &stop);
QByteArray copyOf(std::span<const std::byte> bytes, const std::stop_token &stop);

} // namespace topicscope::ui
