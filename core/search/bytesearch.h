#pragma once

#include <QByteArray>

#include <array>
#include <cstddef>
#include <optional>
#include <span>

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

    bool isIn(Bytes bytes) const;

private:
    QByteArray m_lower;
    std::array<quint32, 256> m_step{}; ///< by how much to go on behind this last byte
};

} // namespace topicscope::search
