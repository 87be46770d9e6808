#include "core/hash/crc32c.h"

#include <QtEndian>

#include <array>
#include <atomic>
#include <cstring>

#if defined(__x86_64__)
#define TOPICSCOPE_CRC_X86 1
#include <nmmintrin.h>
#elif defined(__aarch64__) && defined(__linux__)
#define TOPICSCOPE_CRC_ARM 1
#include <arm_acle.h>
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace topicscope
{

namespace
{

constexpr quint32 kPolynomial = 0x82F63B78; // reflected 0x1EDC6F41

using Table = std::array<quint32, 256>;

constexpr std::array<Table, 8> makeTables()
{
    std::array<Table, 8> tables{};
    for (quint32 i = 0; i < 256; ++i) {
        quint32 value = i;
        for (int bit = 0; bit < 8; ++bit)
            value = (value >> 1) ^ ((value & 1) != 0 ? kPolynomial : 0);
        tables[0][i] = value;
    }
    for (quint32 i = 0; i < 256; ++i) {
        for (size_t k = 1; k < 8; ++k)
            tables[k][i] = (tables[k - 1][i] >> 8) ^ tables[0][tables[k - 1][i] & 0xFF];
    }
    return tables;
}

constexpr std::array<Table, 8> kTables = makeTables();

quint32 step(quint32 state, std::byte byte)
{
    return (state >> 8) ^ kTables[0][(state ^ std::to_integer<quint32>(byte)) & 0xFF];
}

// Appending `count` zero bytes multiplies the state by x^(8*count) modulo the polynomial, a linear
// map of its 32 bits. Tables of that map, one per byte of the state, let streams that were summed
// side by side be joined.
struct ZeroShift {
    std::array<Table, 4> tables{};
};

constexpr quint32 shiftByOneByte(quint32 state)
{
    return (state >> 8) ^ kTables[0][state & 0xFF];
}

using Matrix = std::array<quint32, 32>; // column i = image of bit i

constexpr quint32 image(const Matrix &matrix, quint32 vector)
{
    quint32 result = 0;
    for (size_t i = 0; vector != 0; ++i, vector >>= 1) {
        if ((vector & 1) != 0)
            result ^= matrix[i];
    }
    return result;
}

constexpr ZeroShift makeZeroShift(size_t count)
{
    Matrix power{};
    Matrix result{};
    for (size_t i = 0; i < 32; ++i) {
        power[i] = shiftByOneByte(quint32{1} << i);
        result[i] = quint32{1} << i;
    }
    for (; count != 0; count >>= 1) {
        if ((count & 1) != 0) {
            for (quint32 &column : result)
                column = image(power, column);
        }
        Matrix square{};
        for (size_t i = 0; i < 32; ++i)
            square[i] = image(power, power[i]);
        power = square;
    }
    ZeroShift shift;
    for (size_t byte = 0; byte < 4; ++byte) {
        for (quint32 i = 0; i < 256; ++i)
            shift.tables[byte][i] = image(result, i << (8 * byte));
    }
    return shift;
}

quint32 shifted(const ZeroShift &shift, quint32 state)
{
    return shift.tables[0][state & 0xFF] ^ shift.tables[1][(state >> 8) & 0xFF] ^
           shift.tables[2][(state >> 16) & 0xFF] ^ shift.tables[3][state >> 24];
}

#if defined(TOPICSCOPE_CRC_X86)
#define TOPICSCOPE_CRC_TARGET __attribute__((target("sse4.2")))
TOPICSCOPE_CRC_TARGET inline quint32 step8(quint32 state, const std::byte *p)
{
    quint64 word = 0;
    std::memcpy(&word, p, sizeof(word));
    return quint32(_mm_crc32_u64(state, word));
}
TOPICSCOPE_CRC_TARGET inline quint32 step1(quint32 state, std::byte byte)
{
    return _mm_crc32_u8(state, std::to_integer<unsigned char>(byte));
}
#elif defined(TOPICSCOPE_CRC_ARM)
#define TOPICSCOPE_CRC_TARGET __attribute__((target("+crc")))
TOPICSCOPE_CRC_TARGET inline quint32 step8(quint32 state, const std::byte *p)
{
    quint64 word = 0;
    std::memcpy(&word, p, sizeof(word));
    return __crc32cd(state, word);
}
TOPICSCOPE_CRC_TARGET inline quint32 step1(quint32 state, std::byte byte)
{
    return __crc32cb(state, std::to_integer<unsigned char>(byte));
}
#endif

} // namespace

namespace crc32c_detail
{

quint32 extendTable(quint32 crc, std::span<const std::byte> bytes)
{
    quint32 state = ~crc;
    for (const std::byte byte : bytes)
        state = step(state, byte);
    return ~state;
}

quint32 extendSlice8(quint32 crc, std::span<const std::byte> bytes)
{
    quint32 state = ~crc;
    const std::byte *p = bytes.data();
    size_t left = bytes.size();
    for (; left >= 8; left -= 8, p += 8) {
        const auto low = qFromLittleEndian<quint32>(p) ^ state;
        const auto high = qFromLittleEndian<quint32>(p + 4);
        state = kTables[7][low & 0xFF] ^ kTables[6][(low >> 8) & 0xFF] ^
                kTables[5][(low >> 16) & 0xFF] ^ kTables[4][low >> 24] ^ kTables[3][high & 0xFF] ^
                kTables[2][(high >> 8) & 0xFF] ^ kTables[1][(high >> 16) & 0xFF] ^
                kTables[0][high >> 24];
    }
    for (; left > 0; --left, ++p)
        state = step(state, *p);
    return ~state;
}

#if defined(TOPICSCOPE_CRC_X86) || defined(TOPICSCOPE_CRC_ARM)

bool hasHardware()
{
#if defined(TOPICSCOPE_CRC_X86)
    return __builtin_cpu_supports("sse4.2") != 0;
#else
    return (getauxval(AT_HWCAP) & HWCAP_CRC32) != 0;
#endif
}

// The instruction takes one cycle but its result comes after three, so three independent streams
// keep it busy; blocks of two sizes so that records of a few hundred bytes gain as well.
TOPICSCOPE_CRC_TARGET quint32 extendHardware(quint32 crc, std::span<const std::byte> bytes)
{
    static constexpr size_t kLong = 2048;
    static constexpr size_t kShort = 128;
    static constexpr ZeroShift kShiftLong = makeZeroShift(kLong);
    static constexpr ZeroShift kShiftShort = makeZeroShift(kShort);

    quint32 state = ~crc;
    const std::byte *p = bytes.data();
    size_t left = bytes.size();
    const auto threeStreams = [&](size_t block, const ZeroShift &shift) TOPICSCOPE_CRC_TARGET {
        while (left >= 3 * block) {
            quint32 second = 0;
            quint32 third = 0;
            for (size_t i = 0; i < block; i += 8) {
                state = step8(state, p + i);
                second = step8(second, p + block + i);
                third = step8(third, p + 2 * block + i);
            }
            state = shifted(shift, state) ^ second;
            state = shifted(shift, state) ^ third;
            p += 3 * block;
            left -= 3 * block;
        }
    };
    threeStreams(kLong, kShiftLong);
    threeStreams(kShort, kShiftShort);
    // Unrolled: sums of short records overlap in the processor when there is little around them.
    for (; left >= 64; left -= 64, p += 64) {
        for (size_t i = 0; i < 64; i += 8)
            state = step8(state, p + i);
    }
    for (; left >= 8; left -= 8, p += 8)
        state = step8(state, p);
    for (; left > 0; --left, ++p)
        state = step1(state, *p);
    return ~state;
}

#else

bool hasHardware()
{
    return false;
}
quint32 extendHardware(quint32 crc, std::span<const std::byte> bytes)
{
    return extendSlice8(crc, bytes);
}

#endif

} // namespace crc32c_detail

namespace
{

using Extend = quint32 (*)(quint32, std::span<const std::byte>);

quint32 chooseAndExtend(quint32 crc, std::span<const std::byte> bytes);

// Patches itself on the first call; whoever comes at the same time chooses the same.
constinit std::atomic<Extend> extend{&chooseAndExtend};

quint32 chooseAndExtend(quint32 crc, std::span<const std::byte> bytes)
{
    const Extend chosen = crc32c_detail::hasHardware() ? &crc32c_detail::extendHardware
                                                       : &crc32c_detail::extendSlice8;
    extend.store(chosen, std::memory_order_relaxed);
    return chosen(crc, bytes);
}

} // namespace

quint32 crc32cExtend(quint32 crc, std::span<const std::byte> bytes)
{
    return extend.load(std::memory_order_relaxed)(crc, bytes);
}

quint32 crc32c(std::span<const std::byte> bytes)
{
    return extend.load(std::memory_order_relaxed)(0, bytes);
}

} // namespace topicscope
