#include "core/decode/registrycodec.h"

#include "core/decode/avrotext.h"
#include "core/decode/schemaregistry.h"
#include "core/records/jsontext.h"
#include "core/records/payloaddetect.h"
#include "core/records/protobuftext.h"
#include "core/records/structurecodec.h"
#include "core/records/varint.h"

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 kIdBytes = 5;
constexpr qint64 kMaxPath = 100;

Error wrongAt(qint64 byte, const QString &why)
{
    return Error::make(ErrorKind::InvalidArgument, u"byte %1: %2"_s.arg(byte).arg(why),
                       {{}, {}, {}, {}, byte});
}

/// The message the path at `at` leads to; `at` moves behind it.
Result<int> messageAt(const ProtobufSchema &schema, std::span<const std::byte> bytes, qint64 &at)
{
    const auto next = [&]() -> std::optional<qint64> {
        const auto number = readVarint(bytes, at, qint64(bytes.size()));
        return number ? std::optional(fromZigZag(*number)) : std::nullopt;
    };
    const qint64 begin = at;
    const auto count = next();
    if (!count || *count < 0 || *count > kMaxPath)
        return wrongAt(begin, u"no path to a message"_s);
    const QList<int> *choice = &schema.topLevel;
    int message = -1;
    for (qint64 i = 0; i < std::max<qint64>(*count, 1); ++i) {
        const auto index = *count == 0 ? std::optional<qint64>(0) : next();
        if (!index || *index < 0 || *index >= choice->size())
            return wrongAt(begin, u"a path to a message the schema does not have"_s);
        message = choice->at(*index);
        choice = &schema.messages[size_t(message)].nested;
    }
    return message;
}

class RegistryCodec final : public StructureCodec
{
public:
    explicit RegistryCodec(std::shared_ptr<SchemaRegistry> registry)
        : m_registry(std::move(registry))
    {
    }

    QString name() const override { return u"registry"_s; }
    QString title() const override { return u"registered schema"_s; }

protected:
    Result<ShapedText> shaped(std::span<const std::byte> bytes, const PayloadContext & /*context*/,
                              const TextShape &shape) const override
    {
        const auto id = schemaIdOf(bytes);
        if (!id)
            return wrongAt(0, u"no schema id in the first five bytes"_s);
        const auto schema = m_registry->schema(*id);
        if (!schema)
            return schema.error();
        const RegisteredSchema &found = **schema;
        const QString about = u"schema %1: %2"_s;
        switch (found.kind) {
        case RegisteredSchema::Kind::Avro:
            return saying(avroText(found.avro, bytes, shape, kIdBytes),
                          about.arg(*id).arg(found.avro.name() + u" (Avro)"_s));
        case RegisteredSchema::Kind::Json:
            return saying(json(bytes, shape), about.arg(*id).arg(u"JSON Schema, not validated"_s));
        case RegisteredSchema::Kind::Protobuf:
            break;
        }
        qint64 at = kIdBytes;
        const auto message = messageAt(found.protobuf, bytes, at);
        if (!message)
            return message.error();
        return saying(
            protobufText(found.protobuf, *message, bytes, shape, at),
            about.arg(*id).arg(found.protobuf.messages[size_t(*message)].name + u" (Protobuf)"_s));
    }

private:
    static Result<ShapedText> saying(Result<ShapedText> text, const QString &about)
    {
        if (text)
            text->about = about;
        return text;
    }

    static Result<ShapedText> json(std::span<const std::byte> bytes, const TextShape &shape)
    {
        constexpr size_t kCheckedBytes = size_t{64} * 1024; // of a table cell
        const auto document = bytes.subspan(size_t(kIdBytes));
        const auto wrong = [](const Error &error) {
            const auto byte = error.where.byte;
            return byte ? wrongAt(kIdBytes + *byte, error.detail) : error;
        };
        if (shape.lines) {
            auto pretty = jsonPretty(document, {shape.maxChars, shape.maxChars, shape.stop});
            return pretty ? Result<ShapedText>({std::move(pretty).value()}) : wrong(pretty.error());
        }
        if (document.size() <= kCheckedBytes) {
            if (const auto checked = jsonCheck(document); !checked)
                return wrong(checked.error());
        }
        DecodedPayload text = PayloadCodec::byName(u"text"_s)->decode(document, {}, shape.maxChars);
        return ShapedText{std::move(text.text), text.cut, {}};
    }

    std::shared_ptr<SchemaRegistry> m_registry;
};

/// What has an id by its schema, all else as it seems to be.
class AutomaticRegistryCodec final : public PayloadCodec
{
public:
    explicit AutomaticRegistryCodec(std::shared_ptr<SchemaRegistry> registry)
        : m_registered(std::move(registry))
    {
    }

    QString name() const override { return automatic()->name(); }
    QString title() const override { return automatic()->title(); }
    bool writes() const override { return false; }

    DetectedFormat chosenFor(std::span<const std::byte> bytes) const override
    {
        return schemaIdOf(bytes) ? DetectedFormat{&m_registered} : automatic()->chosenFor(bytes);
    }

    Result<QByteArray> encode(const QString &text, const PayloadContext &context) const override
    {
        return automatic()->encode(text, context);
    }

    DecodedPayload decode(std::span<const std::byte> bytes, const PayloadContext &context,
                          qsizetype maxChars) const override
    {
        return chosen(bytes).decode(bytes, context, maxChars);
    }

    DecodedPayload layOut(std::span<const std::byte> bytes, const PayloadContext &context,
                          qsizetype maxChars) const override
    {
        return chosen(bytes).layOut(bytes, context, maxChars);
    }

private:
    const PayloadCodec &chosen(std::span<const std::byte> bytes) const
    {
        return schemaIdOf(bytes) ? static_cast<const PayloadCodec &>(m_registered) : *automatic();
    }

    RegistryCodec m_registered;
};

} // namespace

std::shared_ptr<const PayloadCodec> registryFormat(std::shared_ptr<SchemaRegistry> registry,
                                                   bool alsoOthers)
{
    if (alsoOthers)
        return std::make_shared<AutomaticRegistryCodec>(std::move(registry));
    return std::make_shared<RegistryCodec>(std::move(registry));
}

} // namespace topicscope
