#include "core/records/jsonline.h"

#include "core/base/bytewriter.h"
#include "core/records/payloadformat.h"
#include "core/records/utf8.h"

#include <QChar>

namespace topicscope
{

namespace
{

constexpr size_t kLargeBytes = size_t(1024) * 1024;

void appendUnit(QByteArray &out, char16_t unit)
{
    out += "\\u" + QByteArray::number(unit, 16).rightJustified(4, '0');
}

bool isInvisible(char32_t c)
{
    switch (QChar::category(c)) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return true;
    default:
        return false;
    }
}

void appendEscaped(QByteArray &out, char32_t c)
{
    if (c == U'"' || c == U'\\') {
        out += '\\';
        out += char(c);
    } else if (c == U'\n') {
        out += "\\n";
    } else if (c == U'\r') {
        out += "\\r";
    } else if (c == U'\t') {
        out += "\\t";
    } else if (QChar::requiresSurrogates(c)) {
        appendUnit(out, QChar::highSurrogate(c));
        appendUnit(out, QChar::lowSurrogate(c));
    } else {
        appendUnit(out, char16_t(c));
    }
}

/// Appends well-formed UTF-8 as a JSON string, in runs of what may stand as it is.
void appendString(QByteArray &out, std::span<const std::byte> utf8)
{
    out += '"';
    const auto *const text = reinterpret_cast<const char *>(utf8.data());
    qsizetype run = 0;
    qsizetype position = 0;
    while (position < qsizetype(utf8.size())) {
        const Utf8Character character = utf8At(utf8, position);
        const char32_t c = character.codePoint;
        if (c == U'"' || c == U'\\' || isInvisible(c)) {
            out.append(text + run, position - run);
            appendEscaped(out, c);
            run = position + character.size;
        }
        position += character.size;
    }
    out.append(text + run, position - run);
    out += '"';
}

} // namespace

void JsonLine::begin(const char *name)
{
    if (m_json.size() > 1)
        m_json += ',';
    m_json += '"' + QByteArray(name) + "\":";
}

JsonLine &JsonLine::text(const char *name, const QString &value)
{
    begin(name);
    appendString(m_json, asBytes(value.toUtf8()));
    return *this;
}

JsonLine &JsonLine::number(const char *name, qint64 value)
{
    begin(name);
    m_json += QByteArray::number(value);
    return *this;
}

JsonLine &JsonLine::number(const char *name, std::optional<qint64> value)
{
    return value ? number(name, *value) : null(name);
}

JsonLine &JsonLine::numbers(const char *name, const QList<qint32> &values)
{
    begin(name);
    m_json += '[';
    for (qsizetype i = 0; i < values.size(); ++i)
        m_json += (i > 0 ? "," : "") + QByteArray::number(values[i]);
    m_json += ']';
    return *this;
}

JsonLine &JsonLine::boolean(const char *name, bool value)
{
    begin(name);
    m_json += value ? "true" : "false";
    return *this;
}

JsonLine &JsonLine::bytes(const char *name, std::span<const std::byte> value)
{
    begin(name);
    m_json += bytesObject(value);
    return *this;
}

JsonLine &JsonLine::null(const char *name)
{
    begin(name);
    m_json += "null";
    return *this;
}

JsonLine &JsonLine::array(const char *name, const QList<JsonLine> &values)
{
    begin(name);
    m_json += '[';
    for (qsizetype i = 0; i < values.size(); ++i) {
        if (i > 0)
            m_json += ',';
        m_json += values[i].take();
    }
    m_json += ']';
    return *this;
}

QByteArray JsonLine::bytesObject(std::span<const std::byte> value)
{
    if (isValidUtf8(value)) {
        QByteArray json = R"({"encoding":"utf-8","data":)";
        appendString(json, value);
        // Up to six times as long as the bytes otherwise.
        const qsizetype inBase64 = qsizetype(value.size() / 3 + 1) * 4;
        if (value.size() <= kLargeBytes || json.size() <= inBase64 + 100)
            return json + '}';
    }
    return R"({"encoding":"base64","data":")" + toByteArray(value).toBase64() + "\"}";
}

QByteArray JsonLine::quotedUtf8(std::span<const std::byte> utf8)
{
    QByteArray json;
    appendString(json, utf8);
    return json;
}

QByteArray JsonLine::quoted(const QString &value)
{
    QByteArray json;
    appendString(json, asBytes(value.toUtf8()));
    return json;
}

JsonLine &JsonLine::object(const char *name, const JsonLine &value)
{
    begin(name);
    m_json += value.take();
    return *this;
}

} // namespace topicscope
