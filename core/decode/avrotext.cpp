#include "core/decode/avrotext.h"

#include "core/base/bytewriter.h"
#include "core/records/payloadformat.h"
#include "core/records/varint.h"

#include <QDateTime>
#include <QtEndian>

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

using Kind = AvroType::Kind;

/// What is open: a record at its next field, a block of an array or map, or a union's branch.
struct Frame {
    int type = 0;
    qint64 done = 0; ///< fields of a record
    qint64 left = 0; ///< of a block, as announced: never allocated for
};

/// A two's complement number, big-endian, in decimal; empty when it is longer than is sensible.
QString decimalText(std::span<const std::byte> bytes, int scale)
{
    constexpr size_t kMostBytes = 64;
    if (bytes.empty() || bytes.size() > kMostBytes)
        return {};
    std::vector<quint8> magnitude;
    for (const std::byte byte : bytes)
        magnitude.push_back(quint8(byte));
    const bool isNegative = magnitude.front() >= 0x80;
    if (isNegative) { // its complement, and one more
        unsigned carry = 1;
        for (size_t i = magnitude.size(); i-- > 0;) {
            const unsigned sum = quint8(~magnitude[i]) + carry;
            magnitude[i] = quint8(sum);
            carry = sum >> 8;
        }
    }
    QString digits; // the last first
    bool isZero = false;
    while (!isZero) {
        unsigned rest = 0;
        isZero = true;
        for (quint8 &byte : magnitude) {
            const unsigned number = rest * 256 + byte;
            byte = quint8(number / 10);
            rest = number % 10;
            isZero = isZero && byte == 0;
        }
        digits += QChar(char16_t(u'0' + rest));
    }
    while (digits.size() <= scale)
        digits += u'0';
    std::reverse(digits.begin(), digits.end());
    if (scale > 0)
        digits.insert(digits.size() - scale, u'.');
    return isNegative ? u'-' + digits : digits;
}

/// Units of the logical type in a second; 0: it is none of a time.
qint64 unitsPerSecond(const QString &logical)
{
    if (logical.endsWith(u"-millis"_s))
        return 1'000;
    if (logical.endsWith(u"-micros"_s))
        return 1'000'000;
    return logical.endsWith(u"-nanos"_s) ? 1'000'000'000 : 0;
}

/// What a number of that logical type says; empty when that is nothing.
QString timeOf(const QString &logical, qint64 number)
{
    constexpr qint64 kDay = 86'400;
    constexpr qint64 kFarthest = 253'402'300'800; // the year 10000
    if (logical == u"date"_s) {
        return number > -kFarthest / kDay && number < kFarthest / kDay
                   ? QDate(1970, 1, 1).addDays(number).toString(Qt::ISODate)
                   : QString();
    }
    const qint64 units = unitsPerSecond(logical);
    const bool isTime = logical.startsWith(u"time-"_s);
    if (units == 0 || (!isTime && !logical.contains(u"timestamp-"_s)))
        return {};
    qint64 seconds = number / units;
    qint64 rest = number % units;
    if (rest < 0) {
        rest += units;
        --seconds;
    }
    if (seconds <= -kFarthest || seconds >= kFarthest ||
        (isTime && (seconds < 0 || seconds >= kDay)))
        return {};
    const int places = units == 1'000 ? 3 : units == 1'000'000 ? 6 : 9;
    const QString format = isTime ? u"HH:mm:ss"_s : u"yyyy-MM-dd HH:mm:ss"_s;
    return QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC).toString(format) +
           u".%1"_s.arg(rest, places, 10, QChar(u'0'));
}

class AvroWalk
{
public:
    AvroWalk(const AvroSchema &schema, std::span<const std::byte> bytes, const TextShape &shape,
             qsizetype first)
        : m_schema(schema)
        , m_bytes(bytes)
        , m_out(shape)
        , m_at(std::min<qint64>(first, qint64(bytes.size())))
        , m_next(schema.root())
    {
    }

    Result<ShapedText> run()
    {
        while (!m_out.full() && (m_next >= 0 || !m_frames.empty())) {
            m_begin = m_at;
            const auto error = m_next >= 0 ? value(std::exchange(m_next, -1)) : goOn();
            if (error)
                return *error;
        }
        m_begin = m_at;
        if (!m_out.full() && left() > 0)
            return wrong(u"%1 bytes follow the value"_s.arg(left()));
        return m_out.take();
    }

private:
    qint64 left() const { return qint64(m_bytes.size()) - m_at; }

    Error wrong(const QString &why) const
    {
        return Error::make(ErrorKind::InvalidArgument, u"byte %1: %2"_s.arg(m_begin).arg(why),
                           {{}, {}, {}, {}, m_begin});
    }

    Error tooShort(const AvroType &type) const
    {
        return wrong(u"the bytes end inside a value of type %1"_s.arg(type.name));
    }

    std::optional<qint64> number()
    {
        const auto number = readVarint(m_bytes, m_at, qint64(m_bytes.size()));
        return number ? std::optional(fromZigZag(*number)) : std::nullopt;
    }

    /// The next `size` bytes, of what is called so.
    std::optional<Error> take(const QString &what, qint64 size, std::span<const std::byte> &bytes)
    {
        if (size < 0)
            return wrong(u"%1: %2 bytes"_s.arg(what).arg(size));
        if (size > left())
            return wrong(u"%1: %2 bytes, but %3 are left"_s.arg(what).arg(size).arg(left()));
        bytes = m_bytes.subspan(size_t(m_at), size_t(size));
        m_at += size;
        return std::nullopt;
    }

    std::optional<Error> push(int type)
    {
        if (qsizetype(m_frames.size()) >= kMaxDepth)
            return wrong(u"nested deeper than %1 levels"_s.arg(kMaxDepth));
        m_frames.push_back({.type = type});
        return std::nullopt;
    }

    std::optional<Error> value(int index)
    {
        const AvroType &type = m_schema.type(index);
        switch (type.kind) {
        case Kind::Null:
            m_out.write(u"null");
            return std::nullopt;
        case Kind::Boolean:
            return boolean(type);
        case Kind::Int:
        case Kind::Long:
            return integer(type);
        case Kind::Float:
            return floating<float, quint32>(type);
        case Kind::Double:
            return floating<double, quint64>(type);
        case Kind::Bytes:
        case Kind::String: {
            const auto size = number();
            return size ? string(type, *size) : tooShort(type);
        }
        case Kind::Fixed:
            return string(type, type.size);
        case Kind::Enum: {
            const auto symbol = number();
            if (!symbol)
                return tooShort(type);
            if (*symbol < 0 || *symbol >= type.symbols.size())
                return wrong(u"%1 has no symbol %2"_s.arg(type.name).arg(*symbol));
            quoted(type.symbols[*symbol]);
            return std::nullopt;
        }
        case Kind::Union:
            return branch(index);
        case Kind::Record:
        case Kind::Map:
            m_out.open(u"{");
            return push(index);
        case Kind::Array:
            m_out.open(u"[");
            return push(index);
        }
        return std::nullopt;
    }

    /// The next field, element or member of what is open.
    std::optional<Error> goOn()
    {
        Frame &frame = m_frames.back();
        const AvroType &type = m_schema.type(frame.type);
        if (type.kind == Kind::Union) { // its one branch has been read
            close(u'}');
            return std::nullopt;
        }
        if (type.kind == Kind::Record) {
            if (frame.done == type.fields.size()) {
                close(u'}');
                return std::nullopt;
            }
            const AvroType::Field &field = type.fields[frame.done++];
            m_out.item();
            quoted(field.name);
            m_out.write(u": ");
            m_next = field.type;
            return std::nullopt;
        }
        if (frame.left == 0) {
            if (auto error = readBlock(type, frame))
                return error;
            if (frame.left == 0) {
                close(type.kind == Kind::Map ? u'}' : u']');
                return std::nullopt;
            }
        }
        --frame.left;
        m_begin = m_at;
        m_out.item();
        if (type.kind == Kind::Map) {
            const auto size = number();
            std::span<const std::byte> key;
            if (!size)
                return tooShort(type);
            if (auto error = take(u"key"_s, *size, key))
                return error;
            m_out.quoted(key);
            m_out.write(u": ");
        }
        m_next = type.item;
        return std::nullopt;
    }

    /// A count, negative where the block's size in bytes follows; 0 ends.
    std::optional<Error> readBlock(const AvroType &type, Frame &frame)
    {
        const auto count = number();
        if (!count)
            return tooShort(type);
        frame.left = *count;
        if (*count >= 0)
            return std::nullopt;
        const auto size = number();
        if (!size)
            return tooShort(type);
        if (*count == std::numeric_limits<qint64>::min())
            return wrong(u"a block of more elements than can be counted"_s);
        if (*size < 0 || *size > left())
            return wrong(u"a block of %1 bytes, but %2 are left"_s.arg(*size).arg(left()));
        frame.left = -*count;
        return std::nullopt;
    }

    void close(QChar mark)
    {
        m_out.close(mark);
        m_frames.pop_back();
    }

    void quoted(const QString &text) { m_out.quoted(asBytes(text.toUtf8())); }

    std::optional<Error> boolean(const AvroType &type)
    {
        std::span<const std::byte> byte;
        if (auto error = take(type.name, 1, byte))
            return error;
        if (quint8(byte[0]) > 1)
            return wrong(u"a boolean that is neither 0 nor 1"_s);
        m_out.write(byte[0] == std::byte{1} ? u"true" : u"false");
        return std::nullopt;
    }

    std::optional<Error> integer(const AvroType &type)
    {
        const auto value = number();
        if (!value)
            return tooShort(type);
        if (type.kind == Kind::Int && *value != qint64(qint32(*value)))
            return wrong(u"%1 is more than an int holds"_s.arg(*value));
        m_out.number(*value);
        if (const QString time = timeOf(type.logical, *value); !time.isEmpty())
            m_out.write(u" /%1/"_s.arg(time));
        return std::nullopt;
    }

    template <typename T, typename Bits>
    std::optional<Error> floating(const AvroType &type)
    {
        std::span<const std::byte> bytes;
        if (auto error = take(type.name, sizeof(T), bytes))
            return error;
        m_out.write(floatText(std::bit_cast<T>(qFromLittleEndian<Bits>(bytes.data()))));
        return std::nullopt;
    }

    std::optional<Error> string(const AvroType &type, qint64 size)
    {
        std::span<const std::byte> bytes;
        if (auto error = take(type.name, size, bytes))
            return error;
        const QString decimal =
            type.logical == u"decimal"_s ? decimalText(bytes, type.scale) : QString();
        if (!decimal.isEmpty())
            m_out.write(decimal);
        else if (type.kind == Kind::String)
            m_out.quoted(bytes);
        else
            m_out.hex(bytes);
        return std::nullopt;
    }

    std::optional<Error> branch(int index)
    {
        const AvroType &type = m_schema.type(index);
        const auto chosen = number();
        if (!chosen)
            return tooShort(type);
        if (*chosen < 0 || *chosen >= type.branches.size())
            return wrong(
                u"a union of %1 has no branch %2"_s.arg(type.branches.size()).arg(*chosen));
        m_next = type.branches[*chosen];
        const AvroType &branch = m_schema.type(m_next);
        const auto isNull = [&](int each) { return m_schema.type(each).kind == Kind::Null; };
        const qsizetype others =
            type.branches.size() - (std::ranges::any_of(type.branches, isNull) ? 1 : 0);
        if (branch.kind == Kind::Null || others <= 1)
            return std::nullopt;
        m_out.open(u"{");
        m_out.item();
        quoted(branch.name);
        m_out.write(u": ");
        return push(index);
    }

    const AvroSchema &m_schema;
    std::span<const std::byte> m_bytes;
    StructureWriter m_out;
    std::vector<Frame> m_frames;
    qint64 m_at;
    qint64 m_begin = 0; ///< of the value looked at
    int m_next;         ///< the type of the value to read now; -1: what is open goes on
};

} // namespace

Result<ShapedText> avroText(const AvroSchema &schema, std::span<const std::byte> bytes,
                            const TextShape &shape, qsizetype first)
{
    return AvroWalk(schema, bytes, shape, first).run();
}

} // namespace topicscope
