#include "core/records/protobuftext.h"

#include "core/records/payloadformat.h"
#include "core/records/utf8.h"
#include "core/records/varint.h"

#include <QtEndian>

#include <algorithm>
#include <bit>
#include <vector>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

enum WireType { Varint = 0, Bits64 = 1, Length = 2, GroupBegin = 3, GroupEnd = 4, Bits32 = 5 };

constexpr quint64 kMaxField = (1U << 29) - 1;

/// One field as it lies there; of a length-delimited one where its bytes are.
struct Field {
    quint64 number = 0;
    quint64 wireType = 0;
    quint64 value = 0; ///< or the size
    qint64 begin = 0;  ///< of the value
};

template <typename T>
quint64 littleEndian(std::span<const std::byte> bytes)
{
    return qFromLittleEndian<T>(bytes.data());
}

/// The field at `at`, which moves behind it (of a group: behind its tag). Empty when it is well
/// formed, else what is wrong.
QString readField(std::span<const std::byte> bytes, qint64 &at, qint64 end, Field &field)
{
    const auto tag = readVarint(bytes, at, end);
    if (!tag)
        return u"no whole field number"_s;
    field.number = *tag >> 3;
    field.wireType = *tag & 7;
    if (field.number == 0 || field.number > kMaxField)
        return u"a field cannot have the number %1"_s.arg(field.number);
    qint64 fixed = 0;
    switch (field.wireType) {
    case Varint:
    case Length: {
        const auto value = readVarint(bytes, at, end);
        if (!value)
            return u"field %1: no whole varint"_s.arg(field.number);
        field.value = *value;
        field.begin = at;
        if (field.wireType == Length && field.value > quint64(end - at)) {
            return u"field %1: %2 bytes, but %3 are left"_s.arg(field.number)
                .arg(field.value)
                .arg(end - at);
        }
        if (field.wireType == Length)
            at += qint64(field.value);
        return {};
    }
    case Bits64:
        fixed = 8;
        break;
    case Bits32:
        fixed = 4;
        break;
    case GroupBegin:
    case GroupEnd:
        return {};
    default:
        return u"field %1: there is no wire type %2"_s.arg(field.number).arg(field.wireType);
    }
    if (fixed > end - at)
        return u"field %1: %2 bytes, but %3 are left"_s.arg(field.number).arg(fixed).arg(end - at);
    const auto value = bytes.subspan(size_t(at), size_t(fixed));
    field.value = fixed == 8 ? littleEndian<quint64>(value) : littleEndian<quint32>(value);
    at += fixed;
    return {};
}

/// Without looking into what is length-delimited. @param budget  fields that may be looked at
bool isMadeOfFields(std::span<const std::byte> bytes, qint64 &budget)
{
    std::vector<quint64> groups;
    Field field;
    for (qint64 at = 0; at < qint64(bytes.size());) {
        if (--budget < 0 || !readField(bytes, at, qint64(bytes.size()), field).isEmpty())
            return false;
        if (field.wireType == GroupBegin) {
            groups.push_back(field.number);
        } else if (field.wireType == GroupEnd) {
            if (groups.empty() || groups.back() != field.number)
                return false;
            groups.pop_back();
        }
    }
    return groups.empty();
}

/// As far as is looked: its first `limit` bytes.
bool isText(std::span<const std::byte> bytes, bool lineEnds, qsizetype limit)
{
    for (qsizetype at = 0; at < std::min(qsizetype(bytes.size()), limit);) {
        const Utf8Character character = utf8At(bytes, at);
        const char32_t c = character.codePoint;
        const bool isControl = c < 0x20 || c == 0x7F;
        if (character.size == 0 ||
            (isControl && !(lineEnds && (c == U'\n' || c == U'\r' || c == U'\t'))))
            return false;
        at += character.size;
    }
    return true;
}

using Kind = ProtobufSchema::Kind;

/// What a value of that kind is written as, alone.
WireType wireTypeOf(Kind kind)
{
    switch (kind) {
    case Kind::Fixed32:
    case Kind::SFixed32:
    case Kind::Float:
        return Bits32;
    case Kind::Fixed64:
    case Kind::SFixed64:
    case Kind::Double:
        return Bits64;
    case Kind::String:
    case Kind::Bytes:
    case Kind::Message:
        return Length;
    case Kind::Group:
        return GroupBegin;
    default:
        return Varint;
    }
}

class ProtobufWalk
{
public:
    /// @param schema  null: none
    ProtobufWalk(const ProtobufSchema *schema, int message, std::span<const std::byte> bytes,
                 const TextShape &shape, qsizetype first)
        : m_schema(schema)
        , m_bytes(bytes)
        , m_out(shape)
        , m_textLimit(kLookedAtPerChar * shape.maxChars)
        , m_guessBudget(std::min<qint64>(kMaxGuessedFields, kLookedAtPerChar * shape.maxChars))
        , m_at(std::min<qint64>(first, qint64(bytes.size())))
    {
        m_frames.push_back({qint64(bytes.size()), 0, message, false});
    }

    Result<ShapedText> run()
    {
        m_out.open(u"{");
        while (!m_frames.empty() && !m_out.full()) {
            const Frame &frame = m_frames.back();
            m_begin = m_at;
            if (m_at == frame.end) {
                if (frame.group != 0)
                    return wrong(u"group %1 does not end"_s.arg(frame.group));
                leave();
                continue;
            }
            Field field;
            if (const QString why = readField(m_bytes, m_at, frame.end, field); !why.isEmpty())
                return wrong(why);
            if (auto error = show(field))
                return *error;
        }
        return m_out.take();
    }

private:
    struct Frame {
        qint64 end;
        quint64 group;  ///< its field number; 0: a message
        int message;    ///< its type, -1: not known
        bool isGuessed; ///< a message because it looks like one
    };

    Error wrong(const QString &why) const
    {
        return Error::make(ErrorKind::InvalidArgument, u"byte %1: %2"_s.arg(m_begin).arg(why),
                           {{}, {}, {}, {}, m_begin});
    }

    void leave()
    {
        m_out.close(u'}');
        m_guessed -= m_frames.back().isGuessed ? 1 : 0;
        m_frames.pop_back();
    }

    std::optional<Error> show(const Field &field)
    {
        if (field.wireType == GroupEnd) {
            if (m_frames.back().group != field.number)
                return wrong(u"group %1 ends, but it is not open"_s.arg(field.number));
            leave();
            return std::nullopt;
        }
        m_out.item();
        if (const auto *known = knownField(field))
            return showKnown(field, *known);
        m_out.number(field.number);
        m_out.write(u": ");
        switch (field.wireType) {
        case Varint:
            m_out.number(field.value);
            if (qint64(field.value) < 0)
                m_out.write(u" (%1)"_s.arg(qint64(field.value)));
            break;
        case Bits64:
            m_out.write(u"0x%1"_s.arg(field.value, 16, 16, QChar(u'0')));
            break;
        case Bits32:
            m_out.write(u"0x%1"_s.arg(field.value, 8, 16, QChar(u'0')));
            break;
        case GroupBegin:
            return enter(u"!{", {m_frames.back().end, field.number, -1, false});
        default:
            showBytes(field);
        }
        return std::nullopt;
    }

    std::optional<Error> enter(QStringView mark, const Frame &frame)
    {
        if (qsizetype(m_frames.size()) >= kMaxDepth)
            return wrong(u"nested deeper than %1 levels"_s.arg(kMaxDepth));
        m_out.open(mark);
        m_frames.push_back(frame);
        return std::nullopt;
    }

    /// nullptr when the schema has no such field, or not of this wire type.
    const ProtobufSchema::Field *knownField(const Field &field) const
    {
        if (!m_schema || m_frames.back().message < 0)
            return nullptr;
        const auto &fields = m_schema->messages[size_t(m_frames.back().message)].fields;
        const auto found = fields.constFind(quint32(field.number));
        if (found == fields.constEnd())
            return nullptr;
        const WireType alone = wireTypeOf(found->kind);
        const bool isPacked = field.wireType == Length && alone != GroupBegin;
        return field.wireType == quint64(alone) || isPacked ? &*found : nullptr;
    }

    std::optional<Error> showKnown(const Field &field, const ProtobufSchema::Field &known)
    {
        m_out.write(known.name);
        m_out.write(u": ");
        const auto bytes = [&] {
            return m_bytes.subspan(size_t(field.begin), size_t(field.value));
        };
        switch (known.kind) {
        case Kind::String:
            m_out.quoted(bytes());
            return std::nullopt;
        case Kind::Bytes:
            m_out.hex(bytes());
            return std::nullopt;
        case Kind::Message:
            m_at = field.begin;
            return enter(u"{", {field.begin + qint64(field.value), 0, known.type, false});
        case Kind::Group:
            return enter(u"{", {m_frames.back().end, field.number, known.type, false});
        default:
            break;
        }
        if (field.wireType == Length)
            return showPacked(field, known);
        showNumber(field.value, known);
        return std::nullopt;
    }

    std::optional<Error> showPacked(const Field &field, const ProtobufSchema::Field &known)
    {
        const WireType wireType = wireTypeOf(known.kind);
        const qint64 end = field.begin + qint64(field.value);
        m_out.open(u"[");
        for (qint64 at = field.begin; at < end && !m_out.full();) {
            m_begin = at;
            std::optional<quint64> value;
            if (wireType == Varint) {
                value = readVarint(m_bytes, at, end);
            } else {
                const qint64 size = wireType == Bits64 ? 8 : 4;
                if (size <= end - at) {
                    const auto fixed = m_bytes.subspan(size_t(at), size_t(size));
                    value = size == 8 ? littleEndian<quint64>(fixed) : littleEndian<quint32>(fixed);
                }
                at += size;
            }
            if (!value)
                return wrong(u"%1: the bytes end inside a number"_s.arg(known.name));
            m_out.item();
            showNumber(*value, known);
        }
        m_out.close(u']');
        return std::nullopt;
    }

    void showNumber(quint64 value, const ProtobufSchema::Field &known)
    {
        switch (known.kind) {
        case Kind::Int32:
        case Kind::SFixed32:
            m_out.number(qint64(qint32(value)));
            break;
        case Kind::Int64:
        case Kind::SFixed64:
            m_out.number(qint64(value));
            break;
        case Kind::UInt32:
            m_out.number(quint64(quint32(value)));
            break;
        case Kind::SInt:
            m_out.number(fromZigZag(value));
            break;
        case Kind::Bool:
            m_out.write(value != 0 ? u"true" : u"false");
            break;
        case Kind::Enum: {
            const auto &names = m_schema->enums[size_t(known.type)].names;
            m_out.write(names.value(qint32(value), QString::number(qint32(value))));
            break;
        }
        case Kind::Float:
            m_out.write(floatText(std::bit_cast<float>(quint32(value))));
            break;
        case Kind::Double:
            m_out.write(floatText(std::bit_cast<double>(value)));
            break;
        default:
            m_out.number(value);
        }
    }

    void showBytes(const Field &field)
    {
        const auto bytes = m_bytes.subspan(size_t(field.begin), size_t(field.value));
        const bool isLine = isText(bytes, false, m_textLimit);
        if (!isLine && m_guessed < kMaxGuessedDepth && isMadeOfFields(bytes, m_guessBudget)) {
            m_out.open(u"{");
            m_frames.push_back({field.begin + qint64(field.value), 0, -1, true});
            ++m_guessed;
            m_at = field.begin;
        } else if (isLine || isText(bytes, true, m_textLimit)) {
            m_out.quoted(bytes);
        } else {
            m_out.hex(bytes);
        }
    }

    const ProtobufSchema *m_schema;
    std::span<const std::byte> m_bytes;
    StructureWriter m_out;
    // What is looked at is worth what is shown: a table cell guesses less.
    static constexpr qsizetype kLookedAtPerChar = 8;
    qsizetype m_textLimit;
    qint64 m_guessBudget;
    std::vector<Frame> m_frames;
    qsizetype m_guessed = 0; ///< messages open inside messages
    qint64 m_at;
    qint64 m_begin = 0; ///< of the field looked at
};

} // namespace

Result<ShapedText> protobufText(std::span<const std::byte> bytes, const TextShape &shape)
{
    return ProtobufWalk(nullptr, -1, bytes, shape, 0).run();
}

Result<ShapedText> protobufText(const ProtobufSchema &schema, int message,
                                std::span<const std::byte> bytes, const TextShape &shape,
                                qsizetype first)
{
    return ProtobufWalk(&schema, message, bytes, shape, first).run();
}

} // namespace topicscope
