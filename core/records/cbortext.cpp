#include "core/records/cbortext.h"

#include "core/base/bytewriter.h"

#include <QCborStreamReader>

#include <vector>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

enum class Frame { Array, MapKey, MapValue, Tag };

class CborWalk
{
public:
    CborWalk(std::span<const std::byte> bytes, const TextShape &shape)
        : m_size(qint64(bytes.size()))
        , m_reader(reinterpret_cast<const char *>(bytes.data()), qsizetype(bytes.size()))
        , m_out(shape)
    {
    }

    Result<ShapedText> run()
    {
        while (!m_done && !m_out.full()) {
            if (isAtContainerEnd()) {
                if (auto error = leave())
                    return *error;
                continue;
            }
            m_at = m_reader.currentOffset();
            if (m_reader.lastError().c != QCborError::NoError || !m_reader.isValid())
                return broken();
            if (m_frames.empty() || m_frames.back() == Frame::Array ||
                m_frames.back() == Frame::MapKey)
                m_out.item();
            if (auto error = value())
                return *error;
        }
        if (m_done && !m_out.full() && m_reader.currentOffset() < m_size) {
            m_at = m_reader.currentOffset();
            return wrong(u"%1 bytes follow the value"_s.arg(m_size - m_at));
        }
        return m_out.take();
    }

private:
    bool isAtContainerEnd()
    {
        return !m_frames.empty() && m_frames.back() != Frame::Tag &&
               m_reader.lastError().c == QCborError::NoError && !m_reader.hasNext();
    }

    Error wrong(const QString &why) const
    {
        return Error::make(ErrorKind::InvalidArgument, u"byte %1: %2"_s.arg(m_at).arg(why),
                           {{}, {}, {}, {}, m_at});
    }

    Error broken()
    {
        switch (m_reader.lastError().c) {
        case QCborError::EndOfFile:
            return wrong(u"the bytes end inside a value"_s);
        case QCborError::UnexpectedBreak:
            return wrong(u"a break where a value was expected"_s);
        case QCborError::IllegalNumber:
        case QCborError::IllegalType:
        case QCborError::IllegalSimpleType:
            return wrong(u"no CBOR value begins like this"_s);
        case QCborError::DataTooLarge:
            return wrong(u"a length larger than the payload"_s);
        default:
            return wrong(m_reader.lastError().c == QCborError::NoError
                             ? u"the bytes end where a value was expected"_s
                             : m_reader.lastError().toString());
        }
    }

    std::optional<Error> value()
    {
        switch (m_reader.type()) {
        case QCborStreamReader::UnsignedInteger:
            m_out.number(m_reader.toUnsignedInteger());
            return scalarDone();
        case QCborStreamReader::NegativeInteger: {
            const auto magnitude = quint64(m_reader.toNegativeInteger()); // 0 is 2^64
            m_out.write(u"-");
            m_out.write(magnitude == 0 ? u"18446744073709551616"_s : QString::number(magnitude));
            return scalarDone();
        }
        case QCborStreamReader::ByteString:
        case QCborStreamReader::TextString:
            return string();
        case QCborStreamReader::Array:
        case QCborStreamReader::Map:
            return enter();
        case QCborStreamReader::Tag:
            if (qsizetype(m_frames.size()) >= kMaxDepth)
                return tooDeep();
            m_out.number(quint64(m_reader.toTag()));
            m_out.write(u"(");
            m_frames.push_back(Frame::Tag);
            m_reader.next();
            return std::nullopt;
        case QCborStreamReader::Float16:
            m_out.write(floatText(double(float(m_reader.toFloat16()))));
            return scalarDone();
        case QCborStreamReader::Float:
            m_out.write(floatText(double(m_reader.toFloat())));
            return scalarDone();
        case QCborStreamReader::Double:
            m_out.write(floatText(m_reader.toDouble()));
            return scalarDone();
        case QCborStreamReader::SimpleType:
            m_out.write(simpleText(m_reader.toSimpleType()));
            return scalarDone();
        case QCborStreamReader::Invalid:
            break;
        }
        return broken();
    }

    static QString simpleText(QCborSimpleType type)
    {
        switch (type) {
        case QCborSimpleType::False:
            return u"false"_s;
        case QCborSimpleType::True:
            return u"true"_s;
        case QCborSimpleType::Null:
            return u"null"_s;
        case QCborSimpleType::Undefined:
            return u"undefined"_s;
        }
        return u"simple(%1)"_s.arg(quint8(type));
    }

    Error tooDeep() const { return wrong(u"nested deeper than %1 levels"_s.arg(kMaxDepth)); }

    std::optional<Error> enter()
    {
        if (qsizetype(m_frames.size()) >= kMaxDepth)
            return tooDeep();
        const bool isArray = m_reader.isArray();
        const bool isOpenEnded = !m_reader.isLengthKnown();
        m_out.open(isArray ? (isOpenEnded ? u"[_ " : u"[") : (isOpenEnded ? u"{_ " : u"{"));
        m_frames.push_back(isArray ? Frame::Array : Frame::MapKey);
        m_reader.enterContainer(); // what is wrong with its first item is found there
        return std::nullopt;
    }

    std::optional<Error> leave()
    {
        m_at = m_reader.currentOffset();
        m_out.close(m_frames.back() == Frame::Array ? u']' : u'}');
        m_frames.pop_back();
        if (!m_reader.leaveContainer())
            return broken();
        valueDone();
        return std::nullopt;
    }

    std::optional<Error> scalarDone()
    {
        m_reader.next();
        valueDone();
        return std::nullopt;
    }

    /// A value ended: so do the tags around it, and a member's key has its value next.
    void valueDone()
    {
        while (!m_frames.empty() && m_frames.back() == Frame::Tag) {
            m_out.write(u")");
            m_frames.pop_back();
        }
        if (m_frames.empty()) {
            m_done = true;
        } else if (m_frames.back() == Frame::MapKey) {
            m_out.write(u": ");
            m_frames.back() = Frame::MapValue;
        } else if (m_frames.back() == Frame::MapValue) {
            m_frames.back() = Frame::MapKey;
        }
    }

    std::optional<Error> string()
    {
        const bool isText = m_reader.isString();
        const bool isOpenEnded = !m_reader.isLengthKnown();
        bool isFirst = true;
        if (isOpenEnded)
            m_out.write(u"(_ ");
        while (!m_out.full()) {
            const qsizetype claimed = m_reader.currentStringChunkSize();
            if (claimed < 0 && m_reader.lastError().c != QCborError::NoError)
                return broken();
            if (claimed > m_size - m_at)
                return wrong(
                    u"a string of %1 bytes, but %2 are left"_s.arg(claimed).arg(m_size - m_at));
            // No more than is shown, and never more than there is.
            QByteArray chunk(std::clamp<qsizetype>(claimed, 0, 4 * m_out.room()),
                             Qt::Uninitialized);
            const auto read = m_reader.readStringChunk(chunk.data(), chunk.size());
            if (read.status == QCborStreamReader::Error)
                return broken();
            if (read.status == QCborStreamReader::EndOfString)
                break;
            chunk.truncate(read.data);
            if (!std::exchange(isFirst, false))
                m_out.write(u", ");
            if (isText)
                m_out.quoted(asBytes(chunk));
            else
                m_out.hex(asBytes(chunk));
        }
        if (isFirst && !isOpenEnded)
            m_out.write(isText ? u"\"\"" : u"h''");
        if (isOpenEnded)
            m_out.write(u")");
        valueDone();
        return std::nullopt;
    }

    qint64 m_size;
    qint64 m_at = 0; ///< where the item looked at begins
    QCborStreamReader m_reader;
    StructureWriter m_out;
    std::vector<Frame> m_frames;
    bool m_done = false;
};

} // namespace

Result<ShapedText> cborText(std::span<const std::byte> bytes, const TextShape &shape)
{
    return CborWalk(bytes, shape).run();
}

} // namespace topicscope
