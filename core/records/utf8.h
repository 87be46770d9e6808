#pragma once

#include <QtGlobal>

#include <cstddef>
#include <span>

namespace topicscope
{

struct Utf8Character {
    char32_t codePoint = 0;
    int size = 0; ///< 1..4 bytes; 0 = the byte at this position begins no well-formed character
};

/// The character at `position`, which must be inside. Well-formed as the Unicode standard's table
/// 3-7 says: shortest form, no surrogates, at most U+10FFFF. Unlike QString::fromUtf8 it does not
/// replace: the caller decides what becomes of a malformed byte. Thread: any (pure).
inline Utf8Character utf8At(std::span<const std::byte> bytes, qsizetype position)
{
    const auto at = [&](qsizetype i) { return quint8(bytes[size_t(i)]); };
    const quint8 lead = at(position);
    if (lead < 0x80)
        return {lead, 1};
    const int size = lead >= 0xC2 && lead <= 0xDF   ? 2
                     : (lead & 0xF0) == 0xE0        ? 3
                     : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                    : 0;
    if (size == 0 || qsizetype(bytes.size()) - position < size)
        return {};
    char32_t codePoint = lead & (0x7F >> size);
    for (int i = 1; i < size; ++i) {
        const quint8 next = at(position + i);
        if ((next & 0xC0) != 0x80)
            return {};
        codePoint = codePoint << 6 | (next & 0x3F);
    }
    const bool overlong = (size == 3 && codePoint < 0x800) || (size == 4 && codePoint < 0x10000);
    const bool surrogate = codePoint >= 0xD800 && codePoint <= 0xDFFF;
    if (overlong || surrogate || codePoint > 0x10FFFF)
        return {};
    return {codePoint, size};
}

} // namespace topicscope
