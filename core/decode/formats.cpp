#include "core/decode/formats.h"

#include "core/decode/avrotext.h"
#include "core/decode/protobuffiles.h"
#include "core/decode/registrycodec.h"
#include "core/records/protobuftext.h"
#include "core/records/structurecodec.h"

#include <QFile>
#include <QFileInfo>
#include <QStringList>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

using Format = std::shared_ptr<const PayloadCodec>;

constexpr qint64 kMaxSchemaBytes = 4'000'000;
const QString kAvro = u"avro:"_s;
const QString kProtobuf = u"protobuf:"_s;

Error wrong(const QString &why)
{
    return Error::make(ErrorKind::InvalidArgument, why);
}

class AvroCodec final : public StructureCodec
{
public:
    AvroCodec(QString name, AvroSchema schema)
        : m_name(std::move(name))
        , m_schema(std::move(schema))
    {
    }

    QString name() const override { return m_name; }
    QString title() const override { return u"Avro (%1)"_s.arg(m_schema.name()); }

protected:
    Result<ShapedText> shaped(std::span<const std::byte> bytes, const PayloadContext & /*context*/,
                              const TextShape &shape) const override
    {
        return avroText(m_schema, bytes, shape);
    }

private:
    QString m_name;
    AvroSchema m_schema;
};

class ProtobufCodec final : public StructureCodec
{
public:
    ProtobufCodec(QString name, ProtobufSchema schema, int message)
        : m_name(std::move(name))
        , m_schema(std::move(schema))
        , m_message(message)
    {
    }

    QString name() const override { return m_name; }
    QString title() const override
    {
        return u"Protobuf (%1)"_s.arg(m_schema.messages[size_t(m_message)].name);
    }

protected:
    Result<ShapedText> shaped(std::span<const std::byte> bytes, const PayloadContext & /*context*/,
                              const TextShape &shape) const override
    {
        return protobufText(m_schema, m_message, bytes, shape);
    }

private:
    QString m_name;
    ProtobufSchema m_schema;
    int m_message;
};

Result<Format> avroFormat(const QString &name)
{
    const QString path = name.sliced(kAvro.size());
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error::make(ErrorKind::Io, file.errorString(), {{}, {}, {}, path, {}});
    const QByteArray text = file.read(kMaxSchemaBytes + 1);
    if (text.size() > kMaxSchemaBytes)
        return wrong(u"%1 is too large for a schema"_s.arg(path));
    auto schema = AvroSchema::parse(text);
    if (!schema) {
        Error error = std::move(schema).error();
        error.detail.prepend(path + u": "_s);
        return error;
    }
    return Format(std::make_shared<AvroCodec>(name, std::move(schema).value()));
}

Result<Format> protobufFormat(const QString &name)
{
    QString path = name.sliced(kProtobuf.size());
    QString message;
    if (const qsizetype hash = path.lastIndexOf(u'#'); hash >= 0 && !QFileInfo::exists(path)) {
        message = path.sliced(hash + 1);
        path.truncate(hash);
    }
    auto schema = readProtobufFile(path);
    if (!schema)
        return std::move(schema).error();
    const auto index = findMessage(*schema, message);
    if (!index)
        return wrong(path + u": "_s + index.error().detail);
    return Format(std::make_shared<ProtobufCodec>(name, std::move(schema).value(), *index));
}

} // namespace

Result<Format> formatNamed(const QString &name, const std::shared_ptr<SchemaRegistry> &registry)
{
    if (name.startsWith(kAvro))
        return avroFormat(name);
    if (name.startsWith(kProtobuf))
        return protobufFormat(name);
    const bool isRegistry = name == u"registry"_s;
    if (isRegistry && !registry)
        return wrong(u"no schema registry is given"_s);
    if (registry && (isRegistry || name == PayloadCodec::automatic()->name()))
        return registryFormat(registry, !isRegistry);
    Format plain = PayloadCodec::sharedByName(name);
    if (!plain)
        return wrong(u"unknown format '%1'; there are: %2"_s.arg(name, formatNames()));
    return plain;
}

QString formatNames()
{
    QStringList names;
    for (const PayloadCodec *codec : PayloadCodec::all())
        names += codec->name();
    names += {u"auto"_s, u"registry"_s, u"avro:FILE"_s, u"protobuf:FILE#MESSAGE"_s};
    return names.join(u", "_s);
}

} // namespace topicscope
