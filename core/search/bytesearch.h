#pragma once

#include <QByteArray>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace topicscope::search
{

using Bytes = std::span<const std::byte>;

/// Where `needle` (not empty) stands for the first time at or behind `from`.
/// Thread: any (pure). Linear in the bytes looked at.
std::optional<size_t> findBytes(Bytes bytes, Bytes needle, size_t from = 0);

/// Bytes looked for without telling ASCII capitals from small letters; all others are as they are.
/// Thread: any, after construction.
class FoldedNeedle
{
public:
    FoldedNeedle() = default;
    explicit FoldedNeedle(const QByteArray &needle);

    /// Linear in the bytes looked at, whatever they and the needle are.
    bool isIn(Bytes bytes) const;

private:
    bool isInByBorders(Bytes bytes) const;

    QByteArray m_lower;
    std::array<quint32, 256> m_step{}; ///< by how much to go on behind this last byte
    /// Of the needle's beginnings: how long a beginning of the needle they end with.
    std::vector<quint32> m_borders;
};

} // namespace topicscope::search
