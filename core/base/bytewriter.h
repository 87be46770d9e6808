#pragma once

#include <QByteArray>
#include <QtEndian>
#include <QtGlobal>

#include <cstddef>
#include <optional>
#include <span>

namespace topicscope
{

/// Appends big-endian fields to a QByteArray it owns.
/// Thread: any; not shared.
class ByteWriter
{
public:
    ByteWriter() = default;
    explicit ByteWriter(qsizetype reserve) { m_bytes.reserve(reserve); }

    void i8(qint8 v) { write(v); }
    void u16(quint16 v) { write(v); }
    void i16(qint16 v) { write(v); }
    void i32(qint32 v) { write(v); }
    void u32(quint32 v) { write(v); }
    void i64(qint64 v) { write(v); }
    void bytes(std::span<const std::byte> v)
    {
        m_bytes.append(reinterpret_cast<const char *>(v.data()), qsizetype(v.size()));
    }
    void bytes(const QByteArray &v) { m_bytes.append(v); }

    qsizetype size() const { return m_bytes.size(); }
    QByteArray take() { return std::move(m_bytes); }

private:
    template <typename T>
    void write(T v)
    {
        char field[sizeof(T)];
        qToBigEndian(v, field);
        m_bytes.append(field, qsizetype(sizeof(T)));
    }

    QByteArray m_bytes;
};

/// Borrowed view of a QByteArray's bytes; valid as long as the array is neither changed nor gone.
inline std::span<const std::byte> asBytes(const QByteArray &array)
{
    return std::as_bytes(std::span(array.constData(), size_t(array.size())));
}

/// The same of bytes that may be null, which stay so.
inline std::optional<std::span<const std::byte>>
asBytesOrNull(const std::optional<QByteArray> &array)
{
    return array ? std::optional(asBytes(*array)) : std::nullopt;
}

/// Owned copy of borrowed bytes.
inline QByteArray toByteArray(std::span<const std::byte> bytes)
{
    return QByteArray(reinterpret_cast<const char *>(bytes.data()), qsizetype(bytes.size()));
}

} // namespace topicscope
