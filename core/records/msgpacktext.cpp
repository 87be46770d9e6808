#include "core/records/msgpacktext.h"

#include "core/base/bytereader.h"

#include <QDateTime>

#include <bit>
#include <vector>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

/// A container that is open: what is left of it counts down and is never allocated for.
struct Frame {
    quint64 left = 0; ///< elements; of a map keys and values
    bool isMap = false;
};

class MsgpackWalk
{
public:
    MsgpackWalk(std::span<const std::byte> bytes, const TextShape &shape)
        : m_reader(bytes)
        , m_out(shape)
    {
    }

    Result<ShapedText> run()
    {
        bool isDone = false;
        while (!isDone && !m_out.full()) {
            m_at = m_reader.position();
            if (!isMemberValue())
                m_out.item();
            const size_t open = m_frames.size();
            if (auto error = value())
                return *error;
            if (m_frames.size() == open) // no container was opened
                isDone = valueDone();
            else if (m_frames.back().left == 0)
                isDone = closed();
        }
        if (isDone && !m_out.full() && m_reader.left() > 0) {
            m_at = m_reader.position();
            return wrong(u"%1 bytes follow the value"_s.arg(m_reader.left()));
        }
        return m_out.take();
    }

private:
    bool isMemberValue() const
    {
        return !m_frames.empty() && m_frames.back().isMap && m_frames.back().left % 2 == 1;
    }

    Error wrong(const QString &why) const
    {
        return Error::make(ErrorKind::InvalidArgument, u"byte %1: %2"_s.arg(m_at).arg(why),
                           {{}, {}, {}, {}, m_at});
    }

    /// @return whether that was all
    bool valueDone()
    {
        if (m_frames.empty())
            return true;
        Frame &frame = m_frames.back();
        --frame.left;
        if (frame.isMap && frame.left % 2 == 1)
            m_out.write(u": ");
        return frame.left == 0 && closed();
    }

    bool closed()
    {
        // Each container that ends is a value of the one around it.
        while (m_frames.back().left == 0) {
            m_out.close(m_frames.back().isMap ? u'}' : u']');
            m_frames.pop_back();
            if (m_frames.empty())
                return true;
            Frame &around = m_frames.back();
            --around.left;
            if (around.isMap && around.left % 2 == 1) {
                m_out.write(u": ");
                return false;
            }
        }
        return false;
    }

    std::optional<Error> open(quint64 count, bool isMap)
    {
        if (qsizetype(m_frames.size()) >= kMaxDepth)
            return wrong(u"nested deeper than %1 levels"_s.arg(kMaxDepth));
        m_out.open(isMap ? u"{" : u"[");
        m_frames.push_back({isMap ? 2 * count : count, isMap});
        return ended();
    }

    /// Whether the bytes were too few for what was just read.
    std::optional<Error> ended() const
    {
        if (m_reader.ok())
            return std::nullopt;
        return wrong(u"the bytes end inside a value"_s);
    }

    std::optional<Error> value()
    {
        const quint8 head = m_reader.u8();
        if (!m_reader.ok())
            return wrong(u"the bytes end where a value was expected"_s);
        if (head <= 0x7F) {
            m_out.number(quint64(head));
        } else if (head >= 0xE0) {
            m_out.number(qint64(qint8(head)));
        } else if (head <= 0x8F) {
            return open(head & 0x0F, true);
        } else if (head <= 0x9F) {
            return open(head & 0x0F, false);
        } else if (head <= 0xBF) {
            return string(head & 0x1F);
        } else {
            return longValue(head);
        }
        return std::nullopt;
    }

    std::optional<Error> longValue(quint8 head)
    {
        switch (head) {
        case 0xC0:
            m_out.write(u"null");
            break;
        case 0xC2:
            m_out.write(u"false");
            break;
        case 0xC3:
            m_out.write(u"true");
            break;
        case 0xC4:
            return binary(m_reader.u8());
        case 0xC5:
            return binary(m_reader.u16());
        case 0xC6:
            return binary(m_reader.u32());
        case 0xC7:
            return extension(m_reader.u8());
        case 0xC8:
            return extension(m_reader.u16());
        case 0xC9:
            return extension(m_reader.u32());
        case 0xCA:
            m_out.write(floatText(std::bit_cast<float>(m_reader.u32())));
            break;
        case 0xCB:
            m_out.write(floatText(std::bit_cast<double>(m_reader.i64())));
            break;
        case 0xCC:
            m_out.number(quint64(m_reader.u8()));
            break;
        case 0xCD:
            m_out.number(quint64(m_reader.u16()));
            break;
        case 0xCE:
            m_out.number(quint64(m_reader.u32()));
            break;
        case 0xCF:
            m_out.number(quint64(m_reader.i64()));
            break;
        case 0xD0:
            m_out.number(qint64(m_reader.i8()));
            break;
        case 0xD1:
            m_out.number(qint64(m_reader.i16()));
            break;
        case 0xD2:
            m_out.number(qint64(m_reader.i32()));
            break;
        case 0xD3:
            m_out.number(m_reader.i64());
            break;
        case 0xD4:
        case 0xD5:
        case 0xD6:
        case 0xD7:
        case 0xD8:
            return extension(qint64(1) << (head - 0xD4));
        case 0xD9:
            return string(m_reader.u8());
        case 0xDA:
            return string(m_reader.u16());
        case 0xDB:
            return string(m_reader.u32());
        case 0xDC:
            return open(m_reader.u16(), false);
        case 0xDD:
            return open(m_reader.u32(), false);
        case 0xDE:
            return open(m_reader.u16(), true);
        case 0xDF:
            return open(m_reader.u32(), true);
        default:
            return wrong(u"no MessagePack value begins with c1"_s);
        }
        return ended();
    }

    /// The bytes of that length; fails where there are fewer.
    std::optional<Error> take(qint64 size, std::span<const std::byte> &bytes)
    {
        if (m_reader.ok() && size > m_reader.left()) {
            return wrong(u"a value of %1 bytes, but %2 are left"_s.arg(size).arg(m_reader.left()));
        }
        bytes = m_reader.bytes(size);
        return ended();
    }

    std::optional<Error> string(qint64 size)
    {
        std::span<const std::byte> bytes;
        auto error = take(size, bytes);
        if (!error)
            m_out.quoted(bytes);
        return error;
    }

    std::optional<Error> binary(qint64 size)
    {
        std::span<const std::byte> bytes;
        auto error = take(size, bytes);
        if (!error)
            m_out.hex(bytes);
        return error;
    }

    std::optional<Error> extension(qint64 size)
    {
        const qint8 type = m_reader.i8();
        std::span<const std::byte> bytes;
        if (auto error = take(size, bytes))
            return error;
        if (const QString time = type == -1 ? timestamp(bytes) : QString(); !time.isEmpty()) {
            m_out.write(u"timestamp(\"%1\")"_s.arg(time));
            return std::nullopt;
        }
        m_out.write(u"ext(%1, "_s.arg(type));
        m_out.hex(bytes);
        m_out.write(u")");
        return std::nullopt;
    }

    /// Of an extension of type -1; empty when it is no time a calendar has.
    static QString timestamp(std::span<const std::byte> bytes)
    {
        constexpr quint32 kNanosecondBits = 34;
        constexpr qint64 kYear0 = -62'167'219'200;
        constexpr qint64 kEndOf9999 = 253'402'300'800;
        ByteReader reader(bytes);
        qint64 seconds = 0;
        quint32 nanoseconds = 0;
        if (bytes.size() == 4) {
            seconds = reader.u32();
        } else if (bytes.size() == 8) {
            const auto both = quint64(reader.i64());
            seconds = qint64(both & ((quint64(1) << kNanosecondBits) - 1));
            nanoseconds = quint32(both >> kNanosecondBits);
        } else if (bytes.size() == 12) {
            nanoseconds = reader.u32();
            seconds = reader.i64();
        } else {
            return {};
        }
        if (nanoseconds > 999'999'999 || seconds < kYear0 || seconds >= kEndOf9999)
            return {};
        QString text =
            QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC).toString(u"yyyy-MM-dd'T'HH:mm:ss"_s);
        if (nanoseconds > 0)
            text += u".%1"_s.arg(nanoseconds, 9, 10, QChar(u'0'));
        return text + u'Z';
    }

    ByteReader m_reader;
    StructureWriter m_out;
    std::vector<Frame> m_frames;
    qint64 m_at = 0; ///< where the value looked at begins
};

} // namespace

Result<ShapedText> msgpackText(std::span<const std::byte> bytes, const TextShape &shape)
{
    return MsgpackWalk(bytes, shape).run();
}

} // namespace topicscope
