#include "core/decode/avroschema.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

using Kind = AvroType::Kind;

constexpr qsizetype kMaxSchemaBytes = 4'000'000;
constexpr int kMaxLevels = 200;
constexpr int kMaxScale = 1000;

// In the order of Kind, which begins with them.
constexpr std::array kPrimitives{u"null",  u"boolean", u"int",   u"long",
                                 u"float", u"double",  u"bytes", u"string"};

Error wrong(const QString &why)
{
    return Error::make(ErrorKind::InvalidArgument, why);
}

std::optional<Kind> primitive(const QString &name)
{
    for (size_t i = 0; i < kPrimitives.size(); ++i) {
        if (name == QStringView(kPrimitives[i]))
            return Kind(i);
    }
    return std::nullopt;
}

QString nameIn(const QString &space, const QString &name)
{
    return space.isEmpty() || name.contains(u'.') ? name : space + u'.' + name;
}

void takeLogical(AvroType &type, const QJsonObject &json)
{
    type.logical = json[u"logicalType"_s].toString();
    type.scale = std::clamp(json[u"scale"_s].toInt(), 0, kMaxScale);
}

} // namespace

Result<AvroSchema> AvroSchema::parse(const QByteArray &json, const QList<QByteArray> &references)
{
    AvroSchema schema;
    for (const QByteArray &text : references + QList{json}) {
        if (text.size() > kMaxSchemaBytes)
            return wrong(u"the schema is too large"_s);
        // A schema may be a lone string, which Qt reads inside something only.
        QJsonParseError problem;
        const QJsonDocument document = QJsonDocument::fromJson('[' + text + ']', &problem);
        if (problem.error != QJsonParseError::NoError || document.array().size() != 1) {
            Error error = wrong(u"the schema is no JSON: %1"_s.arg(problem.errorString()));
            error.where.byte = std::max(problem.offset - 1, 0);
            return error;
        }
        const auto root = schema.add(document.array().first(), {}, 0);
        if (!root)
            return root.error();
        schema.m_root = *root;
    }
    return schema;
}

int AvroSchema::put(AvroType type)
{
    m_types.push_back(std::move(type));
    return int(m_types.size()) - 1;
}

Result<int> AvroSchema::add(const QJsonValue &json, const QString &space, int depth)
{
    if (depth > kMaxLevels)
        return wrong(u"the schema is nested deeper than %1 levels"_s.arg(kMaxLevels));
    if (json.isArray())
        return addUnion(json, space, depth);
    if (json.isString()) {
        const QString name = json.toString();
        if (const auto kind = primitive(name))
            return put({.kind = *kind, .name = name});
        const auto inSpace = m_named.constFind(nameIn(space, name));
        if (inSpace != m_named.constEnd())
            return *inSpace;
        const auto bare = m_named.constFind(name);
        if (bare != m_named.constEnd())
            return *bare;
        return wrong(u"the schema names an unknown type \"%1\""_s.arg(name));
    }
    if (!json.isObject())
        return wrong(u"a type is a name, an object or an array"_s);
    const QJsonObject object = json.toObject();
    const QJsonValue type = object[u"type"_s];
    const QString name = type.toString();
    if (name == u"array" || name == u"map") {
        const bool isArray = name == u"array";
        const auto item = add(object[isArray ? u"items"_s : u"values"_s], space, depth + 1);
        if (!item)
            return item.error();
        return put({.kind = isArray ? Kind::Array : Kind::Map, .name = name, .item = *item});
    }
    if (name == u"record" || name == u"error" || name == u"enum" || name == u"fixed")
        return addNamed(object, space, depth);
    auto inner = add(type, space, depth + 1);
    if (!inner || !object.contains(u"logicalType"_s))
        return inner;
    AvroType annotated = m_types[size_t(*inner)];
    takeLogical(annotated, object);
    return put(std::move(annotated));
}

Result<int> AvroSchema::addUnion(const QJsonValue &json, const QString &space, int depth)
{
    AvroType type{.kind = Kind::Union, .name = u"union"_s};
    for (const auto &branch : json.toArray()) {
        const auto index = add(branch, space, depth + 1);
        if (!index)
            return index.error();
        if (this->type(*index).kind == Kind::Union)
            return wrong(u"a union directly in a union"_s);
        type.branches.append(*index);
    }
    return put(std::move(type));
}

Result<int> AvroSchema::addNamed(const QJsonObject &json, const QString &space, int depth)
{
    const QString kind = json[u"type"_s].toString();
    const QString given = json[u"name"_s].toString();
    if (given.isEmpty())
        return wrong(u"a type of kind %1 has no name"_s.arg(kind));
    const QJsonValue ownSpace = json[u"namespace"_s];
    const QString name = nameIn(ownSpace.isString() ? ownSpace.toString() : space, given);
    if (m_named.contains(name))
        return wrong(u"the type %1 is defined twice"_s.arg(name));
    const QString inner = name.contains(u'.') ? name.section(u'.', 0, -2) : QString();
    AvroType type{.name = name};
    takeLogical(type, json);
    if (kind == u"enum") {
        type.kind = Kind::Enum;
        for (const auto &symbol : json[u"symbols"_s].toArray())
            type.symbols.append(symbol.toString());
    } else if (kind == u"fixed") {
        type.kind = Kind::Fixed;
        type.size = json[u"size"_s].toInteger(-1);
        if (type.size < 0)
            return wrong(u"the size of %1 is none"_s.arg(name));
    } else {
        type.kind = Kind::Record;
    }
    const bool isRecord = type.kind == Kind::Record;
    const int index = put(std::move(type));
    m_named.insert(name, index); // before its fields, which may be of its own type
    if (isRecord) {
        if (auto added = addFields(index, json, inner, depth); !added)
            return std::move(added).error();
    }
    return index;
}

Result<void> AvroSchema::addFields(int record, const QJsonObject &json, const QString &space,
                                   int depth)
{
    if (!json[u"fields"_s].isArray())
        return wrong(u"the record %1 has no fields"_s.arg(type(record).name));
    for (const auto &each : json[u"fields"_s].toArray()) {
        const QJsonObject field = each.toObject();
        const auto fieldType = add(field[u"type"_s], space, depth + 1);
        if (!fieldType)
            return fieldType.error();
        m_types[size_t(record)].fields.append({field[u"name"_s].toString(), *fieldType});
    }
    return {};
}

} // namespace topicscope
