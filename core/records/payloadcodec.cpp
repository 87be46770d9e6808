#include "core/records/payloadcodec.h"

#include "core/base/bytewriter.h"
#include "core/records/jsontext.h"
#include "core/records/payloadcodec_p.h"

#include <QUuid>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

class JsonCodec final : public PayloadCodec
{
public:
    QString name() const override { return u"json"_s; }
    QString title() const override { return u"JSON"_s; }

    Result<QByteArray> encode(const QString &text,
                              const PayloadContext & /*context*/) const override
    {
        QByteArray bytes = text.toUtf8();
        const auto checked = jsonCheck(asBytes(bytes));
        if (checked)
            return bytes;
        const qint64 at =
            std::clamp<qint64>(checked.error().where.byte.value_or(0), 0, bytes.size());
        return refusal(checked.error().detail, QString::fromUtf8(bytes.constData(), at).size());
    }

    DecodedPayload decode(std::span<const std::byte> bytes, const PayloadContext & /*context*/,
                          qsizetype maxChars) const override
    {
        // Checked only as far as a table cell can afford; the text is the bytes' in any case.
        constexpr size_t kCheckedBytes = size_t{64} * 1024;
        DecodedPayload decoded = asText(bytes, maxChars);
        if (bytes.size() > kCheckedBytes)
            return decoded;
        if (const auto checked = jsonCheck(bytes); !checked)
            setProblem(decoded, checked.error());
        return decoded;
    }

    DecodedPayload layOut(std::span<const std::byte> bytes, const PayloadContext &context,
                          qsizetype maxChars) const override
    {
        auto pretty =
            jsonPretty(bytes, {.maxBytes = maxChars, .maxChars = maxChars, .stop = context.stop});
        if (pretty)
            return {std::move(pretty).value(), {}};
        DecodedPayload decoded = asText(bytes, maxChars);
        setProblem(decoded, pretty.error());
        return decoded;
    }

private:
    static DecodedPayload asText(std::span<const std::byte> bytes, qsizetype maxChars)
    {
        return byName(u"text"_s)->decode(bytes, {}, maxChars);
    }

    static void setProblem(DecodedPayload &decoded, const Error &error)
    {
        decoded.byte = error.where.byte;
        decoded.problem = error.where.byte
                              ? u"byte %1: %2"_s.arg(*error.where.byte).arg(error.detail)
                              : error.detail;
    }
};

class HexCodec final : public PayloadCodec
{
public:
    QString name() const override { return u"hex"_s; }
    QString title() const override { return u"hex"_s; }

    Result<QByteArray> encode(const QString &text,
                              const PayloadContext & /*context*/) const override
    {
        return parseHex(text);
    }

    DecodedPayload decode(std::span<const std::byte> bytes, const PayloadContext & /*context*/,
                          qsizetype maxChars) const override
    {
        return asHex(bytes, maxChars);
    }
};

class Base64Codec final : public PayloadCodec
{
public:
    QString name() const override { return u"base64"_s; }
    QString title() const override { return u"base64"_s; }

    Result<QByteArray> encode(const QString &text,
                              const PayloadContext & /*context*/) const override
    {
        QByteArray digits;
        digits.reserve(text.size());
        for (qsizetype i = 0; i < text.size(); ++i) {
            const char16_t c = text[i].unicode();
            if (text[i].isSpace())
                continue;
            const bool known = (c >= u'A' && c <= u'Z') || (c >= u'a' && c <= u'z') ||
                               (c >= u'0' && c <= u'9') || c == u'+' || c == u'/' || c == u'=';
            if (!known)
                return refusal(
                    u"character %1, '%2', is no base64 digit"_s.arg(i + 1).arg(drawnCharacter(c)),
                    i);
            digits += char(c);
        }
        const auto decoded =
            QByteArray::fromBase64Encoding(digits, QByteArray::AbortOnBase64DecodingErrors);
        if (digits.size() % 4 != 0 || !decoded)
            return refusal(u"not whole groups of four base64 digits, padded with '='"_s);
        return *decoded;
    }

    DecodedPayload decode(std::span<const std::byte> bytes, const PayloadContext & /*context*/,
                          qsizetype maxChars) const override
    {
        const size_t shown =
            std::min(bytes.size(), (size_t(std::max<qsizetype>(maxChars, 0)) / 4 + 1) * 3);
        const QByteArray digits = toByteArray(bytes.first(shown)).toBase64();
        return cutText(QString::fromLatin1(digits), shown < bytes.size(), maxChars);
    }
};

enum class ByteOrder { Big, Little };

/// An integer or floating point number of as many bytes as T has.
template <typename T>
class NumberCodec final : public PayloadCodec
{
public:
    NumberCodec(ByteOrder order, QString name, QString title)
        : m_order(order)
        , m_name(std::move(name))
        , m_title(std::move(title))
    {
    }

    QString name() const override { return m_name; }
    QString title() const override { return m_title; }
    qsizetype fixedBytes() const override { return sizeof(T); }

    Result<QByteArray> encode(const QString &text,
                              const PayloadContext & /*context*/) const override
    {
        QByteArray digits = text.trimmed().toUtf8();
        if (digits.isEmpty())
            return refusal(u"empty: a number is needed"_s);
        if (digits.startsWith('+') && digits.size() > 1 && digits[1] != '-')
            digits.remove(0, 1); // std::from_chars knows no plus sign
        T number{};
        const char *const end = digits.constData() + digits.size();
        const auto [stopped, code] = std::from_chars(digits.constData(), end, number);
        const bool negative = std::is_unsigned_v<T> && isNegative(digits);
        if (code == std::errc::result_out_of_range || negative)
            return refusal(outOfRange(text.trimmed()));
        if (code != std::errc() || stopped != end)
            return refusal(std::is_integral_v<T> ? u"'%1' is no whole number"_s.arg(text.trimmed())
                                                 : u"'%1' is no number"_s.arg(text.trimmed()));
        QByteArray bytes(sizeof(T), Qt::Uninitialized);
        if (m_order == ByteOrder::Big)
            qToBigEndian(number, bytes.data());
        else
            qToLittleEndian(number, bytes.data());
        return bytes;
    }

    DecodedPayload decode(std::span<const std::byte> bytes, const PayloadContext & /*context*/,
                          qsizetype maxChars) const override
    {
        if (bytes.size() != sizeof(T))
            return asHex(bytes, maxChars, u"%1 bytes, not %2"_s.arg(bytes.size()).arg(sizeof(T)));
        return {shown(m_order == ByteOrder::Big ? qFromBigEndian<T>(bytes.data())
                                                : qFromLittleEndian<T>(bytes.data())),
                {}};
    }

private:
    /// Whether digits and a minus sign are all there is, other than -0.
    static bool isNegative(const QByteArray &digits)
    {
        return digits.size() > 1 && digits[0] == '-' &&
               std::all_of(digits.begin() + 1, digits.end(),
                           [](char c) { return c >= '0' && c <= '9'; });
    }

    static QString outOfRange(const QString &number)
    {
        if (!std::is_integral_v<T>)
            return u"%1 is too large or too small for %2 bits"_s.arg(number).arg(8 * sizeof(T));
        return u"%1 is not between %2 and %3"_s.arg(number, shown(std::numeric_limits<T>::min()),
                                                    shown(std::numeric_limits<T>::max()));
    }

    /// The shortest digits that give the same number again.
    static QString shown(T number)
    {
        std::array<char, 64> text{};
        const auto result = std::to_chars(text.data(), text.data() + text.size(), number);
        return QString::fromLatin1(text.data(), result.ptr - text.data());
    }

    ByteOrder m_order;
    QString m_name;
    QString m_title;
};

/// 16 bytes in the order they are written, as RFC 4122 has it.
class UuidCodec final : public PayloadCodec
{
public:
    QString name() const override { return u"uuid"_s; }
    QString title() const override { return u"UUID (16 bytes)"_s; }
    qsizetype fixedBytes() const override { return kBytes; }

    Result<QByteArray> encode(const QString &text,
                              const PayloadContext & /*context*/) const override
    {
        // Not by QUuid, which lets digits be missing.
        const QString trimmed = text.trimmed();
        const QString pattern = u"xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"_s;
        QByteArray digits;
        for (qsizetype i = 0; i < trimmed.size() && trimmed.size() == pattern.size(); ++i) {
            const char16_t c = trimmed[i].unicode();
            const bool isHex =
                (c >= u'0' && c <= u'9') || (c >= u'a' && c <= u'f') || (c >= u'A' && c <= u'F');
            if (pattern[i] == u'x' ? !isHex : c != u'-')
                break;
            if (isHex)
                digits += char(c);
        }
        if (digits.size() != 2 * kBytes)
            return refusal(u"no UUID: 32 hex digits as %1 are needed"_s.arg(pattern));
        return QByteArray::fromHex(digits);
    }

    DecodedPayload decode(std::span<const std::byte> bytes, const PayloadContext & /*context*/,
                          qsizetype maxChars) const override
    {
        if (bytes.size() != kBytes)
            return asHex(bytes, maxChars, u"%1 bytes, not %2"_s.arg(bytes.size()).arg(kBytes));
        return {QUuid::fromRfc4122(toByteArray(bytes)).toString(QUuid::WithoutBraces), {}};
    }

private:
    static constexpr qsizetype kBytes = 16;
};

template <typename T>
void addNumber(Codecs &codecs, const QString &name, const QString &title)
{
    if (sizeof(T) == 1) {
        codecs.push_back(std::make_unique<NumberCodec<T>>(ByteOrder::Big, name, title));
        return;
    }
    codecs.push_back(std::make_unique<NumberCodec<T>>(ByteOrder::Big, name + u"-be"_s,
                                                      title + u", big-endian"_s));
    codecs.push_back(std::make_unique<NumberCodec<T>>(ByteOrder::Little, name + u"-le"_s,
                                                      title + u", little-endian"_s));
}

Codecs makeAll()
{
    Codecs codecs;
    addTextEncodings(codecs);
    codecs.push_back(std::make_unique<JsonCodec>());
    codecs.push_back(std::make_unique<HexCodec>());
    codecs.push_back(std::make_unique<Base64Codec>());
    addStructures(codecs);
    addNumber<qint8>(codecs, u"int8"_s, u"signed 8 bit"_s);
    addNumber<quint8>(codecs, u"uint8"_s, u"unsigned 8 bit"_s);
    addNumber<qint16>(codecs, u"int16"_s, u"signed 16 bit"_s);
    addNumber<quint16>(codecs, u"uint16"_s, u"unsigned 16 bit"_s);
    addNumber<qint32>(codecs, u"int32"_s, u"signed 32 bit"_s);
    addNumber<quint32>(codecs, u"uint32"_s, u"unsigned 32 bit"_s);
    addNumber<qint64>(codecs, u"int64"_s, u"signed 64 bit"_s);
    addNumber<quint64>(codecs, u"uint64"_s, u"unsigned 64 bit"_s);
    addNumber<float>(codecs, u"float"_s, u"float (32 bit)"_s);
    addNumber<double>(codecs, u"double"_s, u"double (64 bit)"_s);
    codecs.push_back(std::make_unique<UuidCodec>());
    return codecs;
}

} // namespace

Error refusal(const QString &why, std::optional<qint64> position)
{
    return Error::make(ErrorKind::InvalidArgument, why, {{}, {}, {}, {}, position});
}

DecodedPayload cutText(QString text, bool more, qsizetype maxChars)
{
    DecodedPayload decoded;
    decoded.cut = more || text.size() > maxChars;
    decoded.text = std::move(text);
    if (decoded.cut) {
        decoded.text.truncate(std::max<qsizetype>(maxChars - 1, 0));
        if (!decoded.text.isEmpty() && decoded.text.back().isHighSurrogate())
            decoded.text.chop(1);
        decoded.text += u'…';
    }
    return decoded;
}

DecodedPayload asHex(std::span<const std::byte> bytes, qsizetype maxChars, const QString &problem)
{
    const size_t shown = std::min(bytes.size(), size_t(std::max<qsizetype>(maxChars, 0)) / 2 + 1);
    DecodedPayload decoded = cutText(hexString(bytes.first(shown)), shown < bytes.size(), maxChars);
    decoded.problem = problem;
    return decoded;
}

const QList<const PayloadCodec *> &PayloadCodec::all()
{
    static const Codecs owned = makeAll();
    static const QList<const PayloadCodec *> list = [] {
        QList<const PayloadCodec *> result;
        for (const auto &codec : owned)
            result.append(codec.get());
        return result;
    }();
    return list;
}

const PayloadCodec *PayloadCodec::byName(const QString &name)
{
    const auto found = std::find_if(all().begin(), all().end(), [&](const PayloadCodec *codec) {
        return codec->name() == name;
    });
    if (found != all().end())
        return *found;
    return name == automatic()->name() ? automatic() : nullptr;
}

std::shared_ptr<const PayloadCodec> PayloadCodec::sharedByName(const QString &name)
{
    return {std::shared_ptr<const void>(), byName(name)};
}

} // namespace topicscope
