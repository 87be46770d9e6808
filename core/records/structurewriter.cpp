#include "core/records/structurewriter.h"

#include "core/records/jsontext.h"
#include "core/records/payloadformat.h"
#include "core/records/utf8.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

template <typename T>
QString shortest(T number)
{
    if (std::isnan(number))
        return u"NaN"_s;
    if (std::isinf(number))
        return number < 0 ? u"-Infinity"_s : u"Infinity"_s;
    // Exponents only where the digits would be lost among zeros.
    constexpr double kSmallest = 1e-5;
    constexpr double kLargest = 1e16;
    const double size = std::abs(double(number));
    const bool isPlain = size == 0 || (size >= kSmallest && size < kLargest);
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number,
                                   isPlain ? std::chars_format::fixed : std::chars_format::general)
                         .ptr;
    const QString digits = QString::fromLatin1(text.data(), end - text.data());
    return digits.contains(u'.') || digits.contains(u'e') ? digits : digits + u".0"_s;
}

/// The escape JSON has for it; empty: none.
QStringView escape(char32_t c)
{
    switch (c) {
    case U'"':
        return u"\\\"";
    case U'\\':
        return u"\\\\";
    case U'\n':
        return u"\\n";
    case U'\r':
        return u"\\r";
    case U'\t':
        return u"\\t";
    case U'\b':
        return u"\\b";
    case U'\f':
        return u"\\f";
    default:
        return {};
    }
}

} // namespace

void StructureWriter::quoted(std::span<const std::byte> utf8)
{
    m_text += u'"';
    for (qsizetype at = 0; at < qsizetype(utf8.size()) && !full();) {
        const Utf8Character character = utf8At(utf8, at);
        at += std::max(character.size, 1);
        if (character.size == 0)
            appendDrawn(m_text, utf8[size_t(at - 1)]);
        else if (const QStringView escaped = escape(character.codePoint); !escaped.isEmpty())
            m_text += escaped;
        else if (character.codePoint < 0x20)
            m_text += u"\\u%1"_s.arg(quint32(character.codePoint), 4, 16, QChar(u'0'));
        else
            appendDrawn(m_text, character.codePoint);
    }
    m_text += u'"';
}

void StructureWriter::hex(std::span<const std::byte> bytes)
{
    const auto shown = std::clamp<qsizetype>(room(), 0, qsizetype(bytes.size()));
    m_text += u"h'"_s + hexString(bytes.first(size_t(shown))) + u'\'';
}

void StructureWriter::open(QStringView mark)
{
    m_text += m_shape.lines ? mark.trimmed() : mark;
    ++m_depth;
    m_isFirst = true;
}

void StructureWriter::item()
{
    if (!m_isFirst)
        m_text += u',';
    if (m_shape.lines && m_depth > 0)
        newLine();
    else if (!m_isFirst)
        m_text += u' ';
    m_isFirst = false;
}

void StructureWriter::close(QChar mark)
{
    --m_depth;
    if (m_shape.lines && !m_isFirst)
        newLine();
    m_text += mark;
    m_isFirst = false;
}

void StructureWriter::newLine()
{
    m_text += u'\n';
    m_text.resize(m_text.size() + 2 * std::min(m_depth, kMaxIndentLevels), u' ');
}

ShapedText StructureWriter::take()
{
    if (!full())
        return {std::move(m_text), false};
    m_text.truncate(std::max<qsizetype>(m_shape.maxChars - 1, 0));
    if (!m_text.isEmpty() && m_text.back().isHighSurrogate())
        m_text.chop(1);
    return {m_text + u'…', true};
}

QString floatText(double number)
{
    return shortest(number);
}

QString floatText(float number)
{
    return shortest(number);
}

} // namespace topicscope
