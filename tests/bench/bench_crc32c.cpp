#include "core/hash/crc32c.h"
#include "tests/bench/benchmarks.h"

#include <cstring>
#include <ctime>

#if defined(__x86_64__)
#include <nmmintrin.h>
#define INSTRUCTION_TARGET __attribute__((target("sse4.2")))
#elif defined(__aarch64__)
#include <arm_acle.h>
#define INSTRUCTION_TARGET __attribute__((target("+crc")))
#endif

namespace topicscope::bench
{

using namespace Qt::StringLiterals;

namespace
{

constexpr size_t kBytes = 1024 * 1024; // stays in the second-level cache
constexpr int kPasses = 200;
constexpr int kRounds = 9;

/// The processor's instruction in a plain loop, nothing around it.
#ifdef INSTRUCTION_TARGET
INSTRUCTION_TARGET quint32 plainLoop(std::span<const std::byte> bytes)
{
    quint64 state = 0xFFFFFFFF;
    for (size_t i = 0; i + 8 <= bytes.size(); i += 8) { // sizes here are multiples of 8
        quint64 word = 0;
        std::memcpy(&word, bytes.data() + i, sizeof(word));
#if defined(__x86_64__)
        state = _mm_crc32_u64(state, word);
#else
        state = __crc32cd(quint32(state), word);
#endif
    }
    return ~quint32(state);
}
#else
constexpr auto &plainLoop = crc32c;
#endif

/// MB/s over pieces of this size.
template <typename Sum>
Result<double> speed(const std::vector<std::byte> &bytes, size_t piece, quint32 expected, Sum sum)
{
    const std::clock_t begin = std::clock(); // processor time: others may be using it too
    for (int pass = 0; pass < kPasses; ++pass) {
        quint32 all = 0;
        for (size_t at = 0; at < bytes.size(); at += piece)
            all ^= sum(std::span(bytes).subspan(at, piece));
        if (all != expected)
            return Error::make(ErrorKind::Checksum, u"the two sums differ"_s);
    }
    const double seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
    return double(bytes.size()) * kPasses / seconds / 1e6;
}

Result<Figure> measure(size_t piece)
{
    if (!crc32c_detail::hasHardware())
        return Error::make(ErrorKind::Unsupported, u"this processor has no such instruction"_s);
    std::vector<std::byte> bytes(kBytes);
    quint32 state = 1;
    for (std::byte &byte : bytes) {
        state = state * 1664525 + 1013904223;
        byte = std::byte(state >> 24);
    }
    quint32 expected = 0;
    for (size_t at = 0; at < bytes.size(); at += piece)
        expected ^= crc32c_detail::extendTable(0, std::span(bytes).subspan(at, piece));
    return comparedInTurn(
        kRounds, [&] { return speed(bytes, piece, expected, crc32c); },
        [&] { return speed(bytes, piece, expected, plainLoop); });
}

} // namespace

std::vector<Benchmark> crc32cBenchmarks()
{
    const QByteArray against = "the processor's crc instruction in a plain loop";
    return {{"crc32c_128B", "MB/s", against, [] { return measure(128); }},
            {"crc32c_64KiB", "MB/s", against, [] { return measure(64 * size_t(1024)); }}};
}

} // namespace topicscope::bench
