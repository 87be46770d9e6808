#include "core/records/payloadformat.h"

#include "core/base/bytewriter.h"
#include "core/records/jsontext.h"
#include "core/records/utf8.h"

#include <QChar>
#include <QStringDecoder>

#include <algorithm>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qsizetype kDumpWidth = 16;

constexpr char16_t kDigits[] = u"0123456789abcdef";
constexpr char16_t kUpperDigits[] = u"0123456789ABCDEF";

/// Characters that are invisible, change how others are drawn, or are our own marks.
bool mustBeNamed(char32_t c)
{
    if (c == U'‹' || (c >= 0x2400 && c <= 0x2421))
        return true;
    switch (QChar::category(c)) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Other_Surrogate:
    case QChar::Other_PrivateUse:
    case QChar::Other_NotAssigned:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return true;
    default:
        break;
    }
    // Letters and marks without a glyph: grapheme joiner, Hangul and Khmer fillers.
    return c == 0x034F || c == 0x115F || c == 0x1160 || c == 0x17B4 || c == 0x17B5 || c == 0x3164 ||
           c == 0xFFA0;
}

bool isBlank(std::byte byte)
{
    return byte == std::byte{' '} || byte == std::byte{'\t'} || byte == std::byte{'\n'} ||
           byte == std::byte{'\r'};
}

bool isHexDigit(QChar c)
{
    return (c >= u'0' && c <= u'9') || (c >= u'a' && c <= u'f') || (c >= u'A' && c <= u'F');
}

bool isHexSeparator(QChar c)
{
    return c.isSpace() || c == u':' || c == u',';
}

Error hexError(qsizetype position, const QString &why)
{
    return Error::make(ErrorKind::InvalidArgument, why, {{}, {}, {}, {}, position});
}

} // namespace

void appendDrawn(QString &out, char32_t codePoint)
{
    if (codePoint < 0x20) {
        out += QChar(char16_t(0x2400 + codePoint));
    } else if (codePoint == 0x7F) {
        out += u'␡';
    } else if (codePoint >= 0x7F && mustBeNamed(codePoint)) {
        out += u"‹U+%1›"_s.arg(QString::number(quint32(codePoint), 16).toUpper(), 4, QChar(u'0'));
    } else if (QChar::requiresSurrogates(codePoint)) {
        out += QChar(QChar::highSurrogate(codePoint));
        out += QChar(QChar::lowSurrogate(codePoint));
    } else {
        out += QChar(char16_t(codePoint));
    }
}

void appendDrawn(QString &out, std::byte byte)
{
    const QChar drawn[] = {u'‹', kUpperDigits[quint8(byte) >> 4], kUpperDigits[quint8(byte) & 0xF],
                           u'›'};
    out.append(drawn, 4);
}

QString drawnCharacter(char32_t codePoint)
{
    QString text;
    appendDrawn(text, codePoint);
    return text;
}

QString previewText(std::span<const std::byte> bytes, qsizetype maxChars)
{
    const auto size = qsizetype(bytes.size());
    const qsizetype limit = std::min(size, kPreviewBytes);
    QString text;
    qsizetype beforeEllipsis = 0; // how much fits when "…" has to follow
    qsizetype position = 0;
    while (position < limit) {
        const Utf8Character character = utf8At(bytes, position);
        if (position + character.size > limit)
            break;
        if (character.size > 0)
            appendDrawn(text, character.codePoint);
        else
            appendDrawn(text, bytes[size_t(position)]);
        if (text.size() > maxChars)
            break;
        if (text.size() < maxChars)
            beforeEllipsis = text.size();
        position += std::max(character.size, 1);
    }
    if (position == size)
        return text;
    return maxChars > 0 ? text.first(beforeEllipsis) + u'…' : QString();
}

TextPiece textView(std::span<const std::byte> bytes, qsizetype from, qsizetype count)
{
    const auto size = qsizetype(bytes.size());
    TextPiece piece;
    piece.nextByte = std::clamp<qsizetype>(from, 0, size);
    const qsizetype end = piece.nextByte + std::clamp<qsizetype>(count, 0, size - piece.nextByte);
    while (piece.nextByte < end) {
        const Utf8Character character = utf8At(bytes, piece.nextByte);
        if (character.size == 0) {
            appendDrawn(piece.text, bytes[size_t(piece.nextByte)]);
            ++piece.nextByte;
            continue;
        }
        appendDrawn(piece.text, character.codePoint);
        if (character.codePoint == U'\n' || character.codePoint == U'\t')
            piece.text += QChar(char16_t(character.codePoint));
        piece.nextByte += character.size;
    }
    return piece;
}

QString hexDump(std::span<const std::byte> bytes, qsizetype from, qsizetype count)
{
    const auto size = qsizetype(bytes.size());
    const qsizetype begin = std::clamp<qsizetype>(from, 0, size);
    const qsizetype end = begin + std::clamp<qsizetype>(count, 0, size - begin);
    constexpr qsizetype kLineChars = 79;
    QString dump;
    dump.reserve((end - begin + kDumpWidth - 1) / kDumpWidth * kLineChars);
    QString ascii;
    for (qsizetype line = begin; line < end; line += kDumpWidth) {
        if (line > begin)
            dump += u'\n';
        for (int shift = 28; shift >= 0; shift -= 4)
            dump += QChar(kDigits[line >> shift & 0xF]);
        dump += u' ';
        ascii.clear();
        for (qsizetype i = 0; i < kDumpWidth; ++i) {
            if (i == kDumpWidth / 2)
                dump += u' ';
            if (line + i >= end) {
                dump += u"   "_s;
                continue;
            }
            const auto byte = quint8(bytes[size_t(line + i)]);
            dump += u' ';
            dump += QChar(kDigits[byte >> 4]);
            dump += QChar(kDigits[byte & 0xF]);
            ascii += byte >= 0x20 && byte < 0x7F ? QChar(char16_t(byte)) : QChar(u'.');
        }
        dump += u"  |"_s;
        dump += ascii;
        dump += u'|';
    }
    return dump;
}

QString hexString(std::span<const std::byte> bytes)
{
    return QString::fromLatin1(toByteArray(bytes).toHex());
}

Result<QByteArray> parseHex(const QString &text)
{
    QByteArray bytes;
    qsizetype position = 0;
    while (position < text.size()) {
        if (isHexSeparator(text[position])) {
            ++position;
            continue;
        }
        if (QStringView(text).sliced(position).startsWith(u"0x", Qt::CaseInsensitive))
            position += 2;
        const qsizetype begin = position;
        while (position < text.size() && isHexDigit(text[position]))
            ++position;
        if (position < text.size() && !isHexSeparator(text[position])) {
            return hexError(position, u"character %1, '%2', is no hex digit"_s.arg(position + 1)
                                          .arg(drawnCharacter(text[position].unicode())));
        }
        const QStringView group = QStringView(text).sliced(begin, position - begin);
        if (group.isEmpty())
            return hexError(position, u"nothing follows 0x"_s);
        if (group.size() % 2 != 0) {
            return hexError(position, u"an odd number of hex digits in '%1'"_s.arg(group));
        }
        bytes += QByteArray::fromHex(group.toLatin1());
    }
    return bytes;
}

bool isValidUtf8(std::span<const std::byte> bytes)
{
    qsizetype position = 0;
    while (position < qsizetype(bytes.size())) {
        const Utf8Character character = utf8At(bytes, position);
        if (character.size == 0)
            return false;
        position += character.size;
    }
    return true;
}

qint64 malformedBytes(std::span<const std::byte> bytes)
{
    qint64 count = 0;
    for (qsizetype position = 0; position < qsizetype(bytes.size());) {
        const int size = utf8At(bytes, position).size;
        count += size == 0 ? 1 : 0;
        position += size == 0 ? 1 : size;
    }
    return count;
}

QString utf8Text(std::span<const std::byte> bytes)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless |
                                                     QStringDecoder::Flag::ConvertInitialBom);
    return decoder(QByteArrayView(bytes.data(), qsizetype(bytes.size())));
}

PayloadKind detectKind(std::span<const std::byte> bytes, qsizetype limit)
{
    const auto size = qsizetype(bytes.size());
    if (size == 0)
        return PayloadKind::Empty;
    limit = std::min(size, limit);
    qsizetype position = 0;
    while (position < limit) {
        const Utf8Character character = utf8At(bytes, position);
        const char32_t c = character.codePoint;
        const bool otherControl = (c < 0x20 && !(c >= 0x09 && c <= 0x0D) && c != 0x1B) || c == 0x7F;
        if (character.size == 0 || otherControl)
            return PayloadKind::Binary;
        position += character.size;
    }
    const auto begin = std::find_if_not(bytes.begin(), bytes.begin() + limit, isBlank);
    if (begin == bytes.begin() + limit || (*begin != std::byte{'{'} && *begin != std::byte{'['}))
        return PayloadKind::Text;
    if (size <= limit)
        return jsonCheck(bytes).ok() ? PayloadKind::Json : PayloadKind::Text;
    const auto tail = bytes.last(size_t(std::min(size, kPreviewBytes)));
    const auto last = std::find_if_not(tail.rbegin(), tail.rend(), isBlank);
    const std::byte wanted = *begin == std::byte{'{'} ? std::byte{'}'} : std::byte{']'};
    return last != tail.rend() && *last == wanted ? PayloadKind::Json : PayloadKind::Text;
}

} // namespace topicscope
