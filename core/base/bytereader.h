#pragma once

#include <QtEndian>
#include <QtGlobal>

#include <cstddef>
#include <span>

namespace topicscope
{

/// Reads big-endian fields from borrowed bytes. Failure is sticky: after the first read past the
/// end every read returns 0 or an empty span, so a decoder checks ok() once at the end. Thread:
/// any; not shared.
class ByteReader
{
public:
    explicit ByteReader(std::span<const std::byte> bytes)
        : m_bytes(bytes)
    {
    }

    bool ok() const { return m_ok; }
    /// Bytes not yet read; 0 after a failure.
    qsizetype left() const { return m_ok ? qsizetype(m_bytes.size()) - m_position : 0; }
    /// Bytes read so far.
    qsizetype position() const { return m_position; }
    void fail() { m_ok = false; }

    qint8 i8() { return read<qint8>(); }
    quint8 u8() { return read<quint8>(); }
    quint16 u16() { return read<quint16>(); }
    qint16 i16() { return read<qint16>(); }
    qint32 i32() { return read<qint32>(); }
    quint32 u32() { return read<quint32>(); }
    qint64 i64() { return read<qint64>(); }

    /// The next `count` bytes, borrowed. Fails when count is negative or more than is left.
    std::span<const std::byte> bytes(qsizetype count)
    {
        if (count < 0 || count > left()) {
            m_ok = false;
            return {};
        }
        const auto result = m_bytes.subspan(size_t(m_position), size_t(count));
        m_position += count;
        return result;
    }

    /// An i32 element count. Fails when negative, or when that many elements of at least
    /// `minElementBytes` cannot be in the bytes left; so it is safe to reserve for.
    qint32 count(qsizetype minElementBytes)
    {
        const qint32 n = i32();
        if (n < 0 || n > left() / minElementBytes) {
            m_ok = false;
            return 0;
        }
        return n;
    }

private:
    template <typename T>
    T read()
    {
        const auto field = bytes(qsizetype(sizeof(T)));
        return field.empty() ? T{0} : qFromBigEndian<T>(field.data());
    }

    std::span<const std::byte> m_bytes;
    qsizetype m_position = 0;
    bool m_ok = true;
};

} // namespace topicscope
