#pragma once

#include <QtGlobal>

#include <cstddef>
#include <span>

namespace topicscope
{

// Key hashes of the brokers' clients. All take the key's bytes, the empty key included.
// Thread: any (pure).

/// FNV-1a, 32 bit, over unsigned bytes: start 0x811C9DC5, per byte XOR then multiply by 0x01000193
/// modulo 2^32. booblik's clients from version 0.3.
quint32 fnv1a32(std::span<const std::byte> key);

/// java.util.Arrays.hashCode(byte[]): start 1, per signed byte hash = 31 * hash + byte modulo 2^32.
/// booblik's clients before version 0.3.
quint32 javaArrayHash(std::span<const std::byte> key);

/// Murmur2 as Apache Kafka's Java client computes it (seed 0x9747b28c), unmasked.
/// Source: Kafka's org.apache.kafka.common.utils.Utils.murmur2, by its published test values.
quint32 murmur2(std::span<const std::byte> key);

/// CRC-32 of zlib (reflected polynomial 0xEDB88320), which librdkafka's "consistent" partitioner
/// takes of the key. Check value of "123456789": 0xCBF43926.
quint32 crc32Ieee(std::span<const std::byte> key);

} // namespace topicscope
