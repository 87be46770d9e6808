#include "core/records/jsontext.h"
#include "core/records/payloadformat.h"

#include <cstdint>
#include <cstdlib>

using namespace topicscope;

// Whatever the bytes: drawing them never reads beyond, hex round-trips, and the pretty form of JSON
// is JSON again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto bytes = std::as_bytes(std::span(data, size));
    (void)previewText(bytes);
    (void)detectKind(bytes);
    const auto again = parseHex(hexString(bytes));
    if (!again ||
        again.value() != QByteArray(reinterpret_cast<const char *>(data), qsizetype(size)))
        std::abort();
    qsizetype at = 0;
    while (at < qsizetype(size)) {
        const TextPiece piece = textView(bytes, at, 64);
        if (piece.nextByte <= at || piece.nextByte > qsizetype(size))
            std::abort();
        at = piece.nextByte;
    }
    const JsonLimits limits{.maxBytes = 1 << 20, .maxChars = 1 << 20};
    const auto pretty = jsonPretty(bytes, limits);
    const bool valid = jsonCheck(bytes).ok();
    if (!valid && pretty)
        std::abort();
    if (valid && pretty) {
        const QByteArray utf8 = pretty.value().toUtf8();
        if (!jsonCheck(std::as_bytes(std::span(utf8.constData(), std::size_t(utf8.size())))))
            std::abort();
    }
    return 0;
}
