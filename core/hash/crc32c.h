#pragma once

#include <QtGlobal>

#include <cstddef>
#include <span>

namespace topicscope
{

/// CRC-32C (Castagnoli): reflected polynomial 0x82F63B78, initial value and final XOR 0xFFFFFFFF;
/// the sum of iSCSI, of the SSE4.2 `crc32` and the ARMv8 `crc32c` instructions. Not zlib's crc32.
/// Check value: crc32c("123456789") = 0xE3069283. Empty input gives 0.
/// Chooses the fastest implementation the processor has on its first call.
/// Thread: any (pure).
quint32 crc32c(std::span<const std::byte> bytes);

/// Continues a sum: crc32cExtend(crc32c(a), b) == crc32c(a + b). For bodies read in pieces.
quint32 crc32cExtend(quint32 crc, std::span<const std::byte> bytes);

/// The single implementations behind crc32c(), for tests and benchmarks.
namespace crc32c_detail
{
quint32 extendTable(quint32 crc, std::span<const std::byte> bytes);  ///< one byte a step
quint32 extendSlice8(quint32 crc, std::span<const std::byte> bytes); ///< eight bytes a step
bool hasHardware();                                                  ///< SSE4.2 or ARMv8 CRC
/// Three interleaved instruction streams. Call only where hasHardware().
quint32 extendHardware(quint32 crc, std::span<const std::byte> bytes);
} // namespace crc32c_detail

} // namespace topicscope
