#include "core/search/bytesearch.h"

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
}

bool FoldedNeedle::isIn(Bytes bytes) const
{
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
    }
    return false;
}

} // namespace topicscope::search
