#include "core/booblik/frame.h"
#include "core/booblik/requestcodec.h"
#include "core/booblik/responsecodec.h"

#include <cstdint>
#include <cstdlib>

using namespace topicscope;
using namespace topicscope::booblik;

namespace
{

// A request that decodes, encodes to bytes that decode to the same encoding again.
template <typename Decoded, typename Encode, typename Decode>
void checkStable(const Decoded &decoded, Encode encode, Decode decode)
{
    if (!decoded)
        return;
    const QByteArray once = encode(decoded.value());
    const auto again = decode(std::as_bytes(std::span(once.constData(), std::size_t(once.size()))));
    if (!again || encode(again.value()) != once)
        std::abort();
}

} // namespace

// First byte: which decoder; the rest: its input.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    if (size == 0)
        return 0;
    const auto bytes = std::as_bytes(std::span(data + 1, size - 1));
    switch (data[0] % 8) {
    case 0:
        checkStable(
            decodeProduceRequest(bytes), [](const auto &r) { return encodeBody(r); },
            &decodeProduceRequest);
        break;
    case 1:
    case 2: {
        const auto version = qint16(data[0] % 8);
        checkStable(
            decodeFetchRequest(bytes, version),
            [version](const auto &r) { return encodeBody(r, version); },
            [version](auto body) { return decodeFetchRequest(body, version); });
        break;
    }
    case 3:
        checkStable(
            decodeMetadataRequest(bytes), [](const auto &r) { return encodeBody(r); },
            &decodeMetadataRequest);
        break;
    case 4:
        (void)decodeProduceResponse(bytes).ok();
        break;
    case 5: {
        const auto response = decodeFetchResponse(bytes);
        if (response && response->payloadBegin + response->payloadBytes != qsizetype(bytes.size()))
            std::abort();
        break;
    }
    case 6:
        (void)decodeMetadataResponse(bytes).ok();
        break;
    default:
        (void)decodeResponseHeader(bytes).ok();
        break;
    }
    return 0;
}
