#include "core/records/payloadcodec_p.h"
#include "core/records/utf8.h"

#include <QtEndian>

#include <algorithm>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

/// Text of which every code point is `readAt()` somewhere, drawn as previewText() and textView()
/// do.
class EncodedText : public PayloadCodec
{
public:
    DecodedPayload decode(std::span<const std::byte> bytes, const PayloadContext & /*context*/,
                          qsizetype maxChars) const override
    {
        return drawn(bytes, maxChars, false);
    }

    DecodedPayload layOut(std::span<const std::byte> bytes, const PayloadContext & /*context*/,
                          qsizetype maxChars) const override
    {
        return drawn(bytes, maxChars, true);
    }

protected:
    /// Draws the character at `at`, which moves behind it. @return its code point, 0 for none
    virtual char32_t draw(QString &out, std::span<const std::byte> bytes, size_t &at) const = 0;
    /// Empty where the bytes may be of this encoding.
    virtual QString problemOf(std::span<const std::byte> /*bytes*/) const { return {}; }

private:
    DecodedPayload drawn(std::span<const std::byte> bytes, qsizetype maxChars, bool lines) const
    {
        if (const QString problem = problemOf(bytes); !problem.isEmpty())
            return asHex(bytes, maxChars, problem);
        QString text;
        size_t at = 0;
        while (at < bytes.size() && text.size() <= maxChars) {
            const char32_t character = draw(text, bytes, at);
            if (lines && (character == U'\n' || character == U'\t'))
                text += QChar(char16_t(character));
        }
        return cutText(std::move(text), at < bytes.size(), maxChars);
    }
};

/// UTF-8, called just text.
class TextCodec final : public EncodedText
{
public:
    QString name() const override { return u"text"_s; }
    QString title() const override { return u"text"_s; }

    Result<QByteArray> encode(const QString &text,
                              const PayloadContext & /*context*/) const override
    {
        return text.toUtf8();
    }

protected:
    char32_t draw(QString &out, std::span<const std::byte> bytes, size_t &at) const override
    {
        const Utf8Character character = utf8At(bytes, qsizetype(at));
        if (character.size == 0) {
            appendDrawn(out, bytes[at++]);
            return 0;
        }
        appendDrawn(out, character.codePoint);
        at += size_t(character.size);
        return character.codePoint;
    }
};

class Latin1Codec final : public EncodedText
{
public:
    QString name() const override { return u"latin1"_s; }
    QString title() const override { return u"text in Latin-1"_s; }

    Result<QByteArray> encode(const QString &text,
                              const PayloadContext & /*context*/) const override
    {
        for (qsizetype i = 0; i < text.size(); ++i) {
            if (text[i].unicode() > 0xFF)
                return refusal(u"character %1 is none of Latin-1"_s.arg(i + 1), i);
        }
        return text.toLatin1();
    }

protected:
    char32_t draw(QString &out, std::span<const std::byte> bytes, size_t &at) const override
    {
        const char32_t character = quint8(bytes[at++]);
        appendDrawn(out, character);
        return character;
    }
};

/// A byte order mark is a character like any other, so it is drawn; the other order's is a problem.
/// Halves of a surrogate pair and a last odd byte are drawn as what they are.
class Utf16Codec final : public EncodedText
{
public:
    explicit Utf16Codec(bool isBig)
        : m_isBig(isBig)
    {
    }

    QString name() const override { return m_isBig ? u"utf16be"_s : u"utf16le"_s; }
    QString title() const override
    {
        return m_isBig ? u"text in UTF-16, big-endian"_s : u"text in UTF-16, little-endian"_s;
    }

    Result<QByteArray> encode(const QString &text,
                              const PayloadContext & /*context*/) const override
    {
        QByteArray bytes(text.size() * 2, Qt::Uninitialized);
        for (qsizetype i = 0; i < text.size(); ++i) {
            if (m_isBig)
                qToBigEndian(quint16(text[i].unicode()), bytes.data() + 2 * i);
            else
                qToLittleEndian(quint16(text[i].unicode()), bytes.data() + 2 * i);
        }
        return bytes;
    }

protected:
    QString problemOf(std::span<const std::byte> bytes) const override
    {
        constexpr char16_t kSwappedMark = 0xFFFE;
        if (bytes.size() < 2 || unit(bytes, 0) != kSwappedMark)
            return {};
        return m_isBig ? u"byte 0: the byte order mark of little-endian"_s
                       : u"byte 0: the byte order mark of big-endian"_s;
    }

    char32_t draw(QString &out, std::span<const std::byte> bytes, size_t &at) const override
    {
        if (bytes.size() - at < 2) {
            appendDrawn(out, bytes[at++]);
            return 0;
        }
        char32_t character = unit(bytes, at);
        at += 2;
        if (QChar::isHighSurrogate(character) && bytes.size() - at >= 2) {
            const char16_t low = unit(bytes, at);
            if (QChar::isLowSurrogate(low)) {
                character = QChar::surrogateToUcs4(char16_t(character), low);
                at += 2;
            }
        }
        appendDrawn(out, character);
        return character;
    }

private:
    char16_t unit(std::span<const std::byte> bytes, size_t at) const
    {
        return m_isBig ? qFromBigEndian<quint16>(bytes.data() + at)
                       : qFromLittleEndian<quint16>(bytes.data() + at);
    }

    bool m_isBig;
};

} // namespace

void addTextEncodings(Codecs &codecs)
{
    codecs.push_back(std::make_unique<TextCodec>());
    codecs.push_back(std::make_unique<Latin1Codec>());
    codecs.push_back(std::make_unique<Utf16Codec>(false));
    codecs.push_back(std::make_unique<Utf16Codec>(true));
}

} // namespace topicscope
