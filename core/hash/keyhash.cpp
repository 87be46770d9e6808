#include "core/hash/keyhash.h"

#include <QtEndian>

#include <array>

namespace topicscope
{

quint32 fnv1a32(std::span<const std::byte> key)
{
    quint32 hash = 0x811C9DC5;
    for (const std::byte byte : key) {
        hash ^= std::to_integer<quint32>(byte);
        hash *= 0x01000193;
    }
    return hash;
}

quint32 javaArrayHash(std::span<const std::byte> key)
{
    quint32 hash = 1;
    for (const std::byte byte : key) {
        // Java's bytes are signed: 0x80 adds -128, which modulo 2^32 is 0xFFFFFF80.
        hash = hash * 31 + quint32(qint32(std::to_integer<qint8>(byte)));
    }
    return hash;
}

quint32 murmur2(std::span<const std::byte> key)
{
    constexpr quint32 m = 0x5BD1E995;
    constexpr int r = 24;
    const size_t length = key.size();
    quint32 h = 0x9747B28C ^ quint32(length);
    size_t i = 0;
    for (; i + 4 <= length; i += 4) {
        auto k = qFromLittleEndian<quint32>(key.data() + i);
        k *= m;
        k ^= k >> r;
        k *= m;
        h = (h * m) ^ k;
    }
    if (i < length) {
        for (size_t j = length; j-- > i;)
            h ^= std::to_integer<quint32>(key[j]) << (8 * (j - i));
        h *= m;
    }
    h ^= h >> 13;
    h *= m;
    h ^= h >> 15;
    return h;
}

quint32 crc32Ieee(std::span<const std::byte> key)
{
    static constexpr auto kTable = [] {
        std::array<quint32, 256> table{};
        for (quint32 i = 0; i < 256; ++i) {
            quint32 value = i;
            for (int bit = 0; bit < 8; ++bit)
                value = (value >> 1) ^ ((value & 1) != 0 ? 0xEDB88320U : 0);
            table[i] = value;
        }
        return table;
    }();
    quint32 state = 0xFFFFFFFF;
    for (const std::byte byte : key)
        state = (state >> 8) ^ kTable[(state ^ std::to_integer<quint32>(byte)) & 0xFF];
    return ~state;
}

} // namespace topicscope
