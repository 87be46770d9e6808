#include "core/records/protobuftext.h"

#include "core/records/payloadformat.h"
#include "core/records/utf8.h"
#include "core/records/varint.h"

#include <QtEndian>

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

/// Without looking into what is length-delimited.
bool isMadeOfFields(std::span<const std::byte> bytes)
{
    std::vector<quint64> groups;
    Field field;
    for (qint64 at = 0; at < qint64(bytes.size());) {
        if (!readField(bytes, at, qint64(bytes.size()), field).isEmpty())
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

bool isText(std::span<const std::byte> bytes, bool lineEnds)
{
    for (qsizetype at = 0; at < qsizetype(bytes.size());) {
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

class ProtobufWalk
{
public:
    ProtobufWalk(std::span<const std::byte> bytes, const TextShape &shape)
        : m_bytes(bytes)
        , m_out(shape)
    {
    }

    Result<ShapedText> run()
    {
        m_out.open(u"{");
        m_frames.push_back({qint64(m_bytes.size()), 0});
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
        quint64 group; ///< its field number; 0: a message
    };

    Error wrong(const QString &why) const
    {
        return Error::make(ErrorKind::InvalidArgument, u"byte %1: %2"_s.arg(m_begin).arg(why),
                           {{}, {}, {}, {}, m_begin});
    }

    void leave()
    {
        m_out.close(u'}');
        m_guessed -= m_frames.back().group == 0 ? 1 : 0;
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
            if (qsizetype(m_frames.size()) >= kMaxDepth)
                return wrong(u"nested deeper than %1 levels"_s.arg(kMaxDepth));
            m_out.open(u"!{");
            m_frames.push_back({m_frames.back().end, field.number});
            break;
        default:
            showBytes(field);
        }
        return std::nullopt;
    }

    void showBytes(const Field &field)
    {
        const auto bytes = m_bytes.subspan(size_t(field.begin), size_t(field.value));
        if (isText(bytes, false)) {
            m_out.quoted(bytes);
        } else if (m_guessed < kMaxGuessedDepth && isMadeOfFields(bytes)) {
            m_out.open(u"{");
            m_frames.push_back({field.begin + qint64(field.value), 0});
            ++m_guessed;
            m_at = field.begin;
        } else if (isText(bytes, true)) {
            m_out.quoted(bytes);
        } else {
            m_out.hex(bytes);
        }
    }

    std::span<const std::byte> m_bytes;
    StructureWriter m_out;
    std::vector<Frame> m_frames;
    qsizetype m_guessed = 0; ///< messages open inside messages
    qint64 m_at = 0;
    qint64 m_begin = 0; ///< of the field looked at
};

} // namespace

Result<ShapedText> protobufText(std::span<const std::byte> bytes, const TextShape &shape)
{
    return ProtobufWalk(bytes, shape).run();
}

} // namespace topicscope
