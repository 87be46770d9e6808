#pragma once

#include <QtGlobal>

#include <cstddef>
#include <optional>
#include <span>

namespace topicscope
{

/// The unsigned number at `at`, seven bits a byte, the lowest first; `at` moves behind it. nullopt
/// when it is not whole before `end`, or longer than the ten bytes 64 bits need: `at` is anywhere
/// then. Bits beyond 64 are dropped, as everybody does. Thread: any (pure).
inline std::optional<quint64> readVarint(std::span<const std::byte> bytes, qint64 &at, qint64 end)
{
    quint64 number = 0;
    for (int shift = 0; shift < 70 && at < end; shift += 7) {
        const auto byte = quint8(bytes[size_t(at++)]);
        number |= quint64(byte & 0x7F) << shift;
        if (byte < 0x80)
            return number;
    }
    return std::nullopt;
}

/// A signed number out of an unsigned one: 0, -1, 1, -2, … are 0, 1, 2, 3, …
inline qint64 fromZigZag(quint64 number)
{
    return qint64(number >> 1) ^ -qint64(number & 1);
}

} // namespace topicscope
