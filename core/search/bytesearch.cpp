#include "core/search/bytesearch.h"

#include <algorithm>
#include <cstring>

namespace topicscope::search
{

namespace
{

quint8 lower(quint8 byte)
{
    return byte >= 'A' && byte <= 'Z' ? quint8(byte + ('a' - 'A')) : byte;
}

} // namespace

std::optional<size_t> findBytes(Bytes bytes, Bytes needle, size_t from)
{
    if (from > bytes.size())
        return std::nullopt;
    const void *found =
        memmem(bytes.data() + from, bytes.size() - from, needle.data(), needle.size());
    if (!found)
        return std::nullopt;
    return size_t(static_cast<const std::byte *>(found) - bytes.data());
}

FoldedNeedle::FoldedNeedle(const QByteArray &needle)
    : m_lower(needle)
{
    for (char &byte : m_lower)
        byte = char(lower(quint8(byte)));
    m_step.fill(quint32(m_lower.size()));
    for (qsizetype i = 0; i + 1 < m_lower.size(); ++i)
        m_step[quint8(m_lower[i])] = quint32(m_lower.size() - 1 - i);
    m_borders.resize(size_t(m_lower.size()));
    for (size_t i = 1, matched = 0; i < m_borders.size(); ++i) {
        const char next = m_lower[qsizetype(i)];
        while (matched > 0 && m_lower[qsizetype(matched)] != next)
            matched = m_borders[matched - 1];
        matched += m_lower[qsizetype(matched)] == next ? 1 : 0;
        m_borders[i] = quint32(matched);
    }
}

/// Looks back from a needle's end and mostly leaps over all of it. Bytes that repeat and end like
/// the needle would make it look at each of them again and again: then the other way is taken.
bool FoldedNeedle::isIn(Bytes bytes) const
{
    constexpr size_t kMostLooks = 4; // at a byte, on average
    size_t looks = 0;
    const auto size = size_t(m_lower.size());
    const char *const needle = m_lower.constData();
    for (size_t at = 0; at + size <= bytes.size();) {
        const quint8 last = lower(quint8(bytes[at + size - 1]));
        size_t left = size;
        while (left > 0 && lower(quint8(bytes[at + left - 1])) == quint8(needle[left - 1]))
            --left;
        if (left == 0)
            return true;
        at += m_step[last];
        looks += size - left + 1;
        if (looks > kMostLooks * (at + size))
            return isInByBorders(bytes.subspan(std::min(at, bytes.size())));
    }
    return false;
}

/// Looks at each byte once and never back: Knuth, Morris and Pratt's way.
bool FoldedNeedle::isInByBorders(Bytes bytes) const
{
    const char *const needle = m_lower.constData();
    size_t matched = 0;
    for (const std::byte byte : bytes) {
        const char next = char(lower(quint8(byte)));
        while (matched > 0 && needle[matched] != next)
            matched = m_borders[matched - 1];
        matched += needle[matched] == next ? 1 : 0;
        if (matched == m_borders.size())
            return true;
    }
    return false;
}

} // namespace topicscope::search
