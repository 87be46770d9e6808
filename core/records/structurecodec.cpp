#include "core/records/structurecodec.h"

#include "core/records/cbortext.h"
#include "core/records/msgpacktext.h"
#include "core/records/payloadcodec_p.h"
#include "core/records/protobuftext.h"

#include <algorithm>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qsizetype kDumpLineBytes = 16;
constexpr qsizetype kDumpLineChars = 79;

/// A format that is one function of the bytes.
class PlainStructureCodec final : public StructureCodec
{
public:
    using Function = Result<ShapedText> (*)(std::span<const std::byte>, const TextShape &);

    PlainStructureCodec(QString name, QString title, Function function)
        : m_name(std::move(name))
        , m_title(std::move(title))
        , m_function(function)
    {
    }

    QString name() const override { return m_name; }
    QString title() const override { return m_title; }

protected:
    Result<ShapedText> shaped(std::span<const std::byte> bytes, const PayloadContext & /*context*/,
                              const TextShape &shape) const override
    {
        return m_function(bytes, shape);
    }

private:
    QString m_name;
    QString m_title;
    Function m_function;
};

DecodedPayload shown(ShapedText &&text)
{
    DecodedPayload decoded{std::move(text.text), {}};
    decoded.cut = text.cut;
    decoded.why = std::move(text.about);
    return decoded;
}

} // namespace

Result<QByteArray> StructureCodec::encode(const QString & /*text*/,
                                          const PayloadContext & /*context*/) const
{
    return refusal(u"%1 can be shown, but not written"_s.arg(title()));
}

DecodedPayload StructureCodec::decode(std::span<const std::byte> bytes,
                                      const PayloadContext &context, qsizetype maxChars) const
{
    auto text = shaped(bytes, context, {maxChars, false});
    if (text)
        return shown(std::move(text).value());
    DecodedPayload decoded = asHex(bytes, maxChars, text.error().detail);
    decoded.byte = text.error().where.byte;
    decoded.lacksSchema = text.error().kind != ErrorKind::InvalidArgument;
    return decoded;
}

DecodedPayload StructureCodec::layOut(std::span<const std::byte> bytes,
                                      const PayloadContext &context, qsizetype maxChars) const
{
    auto text = shaped(bytes, context, {maxChars, true, context.stop});
    if (text)
        return shown(std::move(text).value());
    const qsizetype dumped = maxChars / kDumpLineChars * kDumpLineBytes;
    DecodedPayload decoded{hexDump(bytes, 0, dumped), text.error().detail};
    decoded.byte = text.error().where.byte;
    decoded.lacksSchema = text.error().kind != ErrorKind::InvalidArgument;
    decoded.cut = qsizetype(bytes.size()) > dumped;
    return decoded;
}

void addStructures(Codecs &codecs)
{
    codecs.push_back(std::make_unique<PlainStructureCodec>(u"cbor"_s, u"CBOR"_s, &cborText));
    codecs.push_back(
        std::make_unique<PlainStructureCodec>(u"msgpack"_s, u"MessagePack"_s, &msgpackText));
    const PlainStructureCodec::Function raw = &protobufText;
    codecs.push_back(std::make_unique<PlainStructureCodec>(u"protobuf-raw"_s,
                                                           u"Protobuf without a schema"_s, raw));
}

} // namespace topicscope
