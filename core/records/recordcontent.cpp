#include "core/records/recordcontent.h"

#include "core/base/bytewriter.h"

#include <QJsonArray>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

QJsonValue packed(const std::optional<QByteArray> &bytes)
{
    return bytes ? QJsonValue(QString::fromLatin1(bytes->toBase64())) : QJsonValue();
}

/// Null stays null; `ok` becomes false for what is neither null nor base64.
std::optional<QByteArray> unpacked(const QJsonValue &json, bool &ok)
{
    if (json.isNull())
        return std::nullopt;
    const auto bytes = QByteArray::fromBase64Encoding(json.toString().toLatin1(),
                                                      QByteArray::AbortOnBase64DecodingErrors);
    ok = ok && json.isString() && bytes;
    return *bytes;
}

} // namespace

RecordContent contentOf(const RecordChunk &chunk, const Record &record)
{
    RecordContent content;
    if (record.flags & RecordFlag::HasKey)
        content.key = toByteArray(chunk.key(record));
    if (!(record.flags & RecordFlag::NullValue))
        content.value = toByteArray(chunk.value(record));
    if (auto headers = readHeaders(chunk.headers(record)))
        content.headers = std::move(headers).value();
    return content;
}

QJsonObject toJson(const RecordContent &content)
{
    QJsonArray headers;
    for (const RecordHeader &header : content.headers)
        headers.append(
            QJsonObject{{u"name"_s, packed(header.name)}, {u"value"_s, packed(header.value)}});
    QJsonObject json{{u"key"_s, packed(content.key)},
                     {u"value"_s, packed(content.value)},
                     {u"headers"_s, headers}};
    if (content.timestampMs)
        json.insert(u"timestampMs"_s, QString::number(*content.timestampMs));
    return json;
}

Result<RecordContent> recordContentFromJson(const QJsonObject &json)
{
    bool ok =
        json.contains(u"key"_s) && json.contains(u"value"_s) && json.value(u"headers"_s).isArray();
    RecordContent content;
    content.key = unpacked(json.value(u"key"_s), ok);
    content.value = unpacked(json.value(u"value"_s), ok);
    const QJsonArray headers = json.value(u"headers"_s).toArray();
    for (const auto &entry : headers) {
        const QJsonObject header = entry.toObject();
        const auto name = unpacked(header.value(u"name"_s), ok);
        ok = ok && name && header.contains(u"value"_s);
        content.headers.append(
            {name.value_or(QByteArray()), unpacked(header.value(u"value"_s), ok)});
    }
    if (const QJsonValue time = json.value(u"timestampMs"_s); !time.isUndefined()) {
        bool isNumber = false;
        content.timestampMs = time.toString().toLongLong(&isNumber);
        ok = ok && isNumber;
    }
    if (!ok)
        return Error::make(ErrorKind::InvalidArgument, u"no record's content"_s);
    return content;
}

} // namespace topicscope
