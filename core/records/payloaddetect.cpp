#include "core/records/payloaddetect.h"

#include "core/records/cbortext.h"
#include "core/records/msgpacktext.h"
#include "core/records/payloadcodec_p.h"

#include <QtEndian>

#include <algorithm>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

DetectedFormat as(const char16_t *name, const QString &why)
{
    return {PayloadCodec::byName(QString::fromUtf16(name)), why};
}

bool begins(std::span<const std::byte> bytes, std::initializer_list<quint8> with)
{
    return bytes.size() >= with.size() &&
           std::equal(with.begin(), with.end(), bytes.begin(),
                      [](quint8 a, std::byte b) { return a == quint8(b); });
}

bool isCborContainer(std::span<const std::byte> bytes)
{
    const auto head = quint8(bytes[0]);
    return (head >= 0x80 && head <= 0xBF) || begins(bytes, {0xD9, 0xD9, 0xF7});
}

bool isMsgpackContainer(std::span<const std::byte> bytes)
{
    const auto head = quint8(bytes[0]);
    return (head >= 0x80 && head <= 0x9F) || (head >= 0xDC && head <= 0xDF);
}

/// A map of text keys, which as CBOR would be an array that begins with a map, tag or the like.
bool isMsgpackObject(std::span<const std::byte> bytes)
{
    const auto head = quint8(bytes[0]);
    const quint8 key = bytes.size() > 1 ? quint8(bytes[1]) : 0;
    return head >= 0x81 && head <= 0x8F && key >= 0xA1 && key <= 0xBF;
}

DetectedFormat detectBinary(std::span<const std::byte> bytes, qsizetype limit)
{
    const TextShape shape{limit / 8, false};
    const auto found = [](const char16_t *name, const ShapedText &text) {
        return as(name, text.cut ? u"begins as one value"_s : u"all of it is one value"_s);
    };
    const auto asMsgpack =
        isMsgpackContainer(bytes) ? msgpackText(bytes, shape) : refusal(QString());
    if (asMsgpack && isMsgpackObject(bytes))
        return found(u"msgpack", *asMsgpack);
    if (isCborContainer(bytes)) {
        if (const auto asCbor = cborText(bytes, shape))
            return found(u"cbor", *asCbor);
    }
    if (asMsgpack)
        return found(u"msgpack", *asMsgpack);
    return as(u"text", u"%1 bytes, not text"_s.arg(bytes.size()));
}

class AutomaticCodec final : public PayloadCodec
{
public:
    QString name() const override { return u"auto"_s; }
    QString title() const override { return u"automatic"_s; }
    bool writes() const override { return false; }

    Result<QByteArray> encode(const QString & /*text*/,
                              const PayloadContext & /*context*/) const override
    {
        return refusal(u"a format is needed to write something"_s);
    }

    DetectedFormat chosenFor(std::span<const std::byte> bytes) const override
    {
        return detectFormat(bytes);
    }

    DecodedPayload decode(std::span<const std::byte> bytes, const PayloadContext &context,
                          qsizetype maxChars) const override
    {
        // What is looked at is worth what is shown.
        const DetectedFormat detected =
            detectFormat(bytes, std::min(kDetectBytes, kLookedAtPerChar * maxChars));
        const bool isJson = detected.format->name() == u"json"_s; // on one line it is text
        const PayloadCodec *shownBy = isJson ? byName(u"text"_s) : detected.format;
        return explained(shownBy->decode(bytes, context, maxChars), detected);
    }

    DecodedPayload layOut(std::span<const std::byte> bytes, const PayloadContext &context,
                          qsizetype maxChars) const override
    {
        const DetectedFormat detected = detectFormat(bytes);
        return explained(detected.format->layOut(bytes, context, maxChars), detected);
    }

private:
    static constexpr qsizetype kLookedAtPerChar = 8;

    static DecodedPayload explained(DecodedPayload decoded, const DetectedFormat &detected)
    {
        decoded.chosen = detected.format;
        decoded.why = detected.why;
        return decoded;
    }
};

} // namespace

std::optional<qint32> schemaIdOf(std::span<const std::byte> bytes)
{
    constexpr size_t kPrefixBytes = 5;
    if (bytes.size() < kPrefixBytes || bytes[0] != std::byte{0})
        return std::nullopt;
    const auto id = qFromBigEndian<qint32>(bytes.data() + 1);
    return id > 0 ? std::optional(id) : std::nullopt;
}

DetectedFormat detectFormat(std::span<const std::byte> bytes, qsizetype limit)
{
    switch (detectKind(bytes, limit)) {
    case PayloadKind::Empty:
        return as(u"text", u"no bytes"_s);
    case PayloadKind::Json:
        return as(u"json", qsizetype(bytes.size()) <= limit ? u"valid JSON"_s
                                                            : u"begins and ends as JSON does"_s);
    case PayloadKind::Text:
        return as(u"text", u"text in UTF-8"_s);
    case PayloadKind::Binary:
        break;
    }
    if (bytes.size() % 2 == 0 && begins(bytes, {0xFF, 0xFE}))
        return as(u"utf16le", u"byte order mark of UTF-16, little-endian"_s);
    if (bytes.size() % 2 == 0 && begins(bytes, {0xFE, 0xFF}))
        return as(u"utf16be", u"byte order mark of UTF-16, big-endian"_s);
    if (const auto id = schemaIdOf(bytes))
        return as(u"text", u"schema id %1 in the first five bytes"_s.arg(*id));
    return detectBinary(bytes, limit);
}

const PayloadCodec *PayloadCodec::automatic()
{
    static const AutomaticCodec codec;
    return &codec;
}

} // namespace topicscope
