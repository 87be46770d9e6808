#include "core/records/headers.h"

#include "core/base/bytewriter.h"

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

void appendVarint(QByteArray &out, qint64 number)
{
    auto zigzag = (quint64(number) << 1) ^ quint64(number >> 63);
    while (zigzag >= 0x80) {
        out.append(char(quint8(zigzag) | 0x80));
        zigzag >>= 7;
    }
    out.append(char(zigzag));
}

/// A reader of one header list; failed() sticks.
class HeaderReader
{
public:
    explicit HeaderReader(std::span<const std::byte> bytes)
        : m_bytes(bytes)
    {
    }

    bool failed() const { return m_failed; }
    bool atEnd() const { return m_at == m_bytes.size(); }

    /// A length or count, which 32 bits hold; -1 when the bytes do not allow one.
    qint64 varint()
    {
        quint64 zigzag = 0;
        for (int shift = 0; shift < 35 && m_at < m_bytes.size(); shift += 7) {
            const auto byte = quint8(m_bytes[m_at++]);
            zigzag |= quint64(byte & 0x7F) << shift;
            if (byte < 0x80)
                return qint64(zigzag >> 1) ^ -qint64(zigzag & 1);
        }
        m_failed = true;
        return -1;
    }

    std::span<const std::byte> bytes(qint64 size)
    {
        if (m_failed || size < 0 || size > qint64(m_bytes.size() - m_at)) {
            m_failed = true;
            return {};
        }
        const auto result = m_bytes.subspan(m_at, size_t(size));
        m_at += size_t(size);
        return result;
    }

private:
    std::span<const std::byte> m_bytes;
    size_t m_at = 0;
    bool m_failed = false;
};

} // namespace

void appendHeaders(QByteArray &out, const HeaderList &headers)
{
    appendVarint(out, headers.size());
    for (const RecordHeader &header : headers) {
        appendVarint(out, header.name.size());
        out.append(header.name);
        appendVarint(out, header.value ? header.value->size() : -1);
        if (header.value)
            out.append(*header.value);
    }
}

Result<void> visitHeaders(std::span<const std::byte> bytes,
                          const std::function<bool(const RecordHeaderView &)> &visit)
{
    if (bytes.empty())
        return {};
    HeaderReader reader(bytes);
    const qint64 count = reader.varint();
    // A header takes two bytes at least, which bounds the count by what is there.
    if (!reader.failed() && count >= 0 && count <= qint64(bytes.size()) / 2) {
        for (qint64 i = 0; i < count && !reader.failed(); ++i) {
            RecordHeaderView header;
            header.name = reader.bytes(reader.varint());
            const qint64 size = reader.varint();
            if (size != -1)
                header.value = reader.bytes(size);
            if (!reader.failed() && !visit(header))
                return {};
        }
        if (!reader.failed() && reader.atEnd())
            return {};
    }
    return Error::make(ErrorKind::Protocol,
                       u"a header list of %1 bytes does not add up"_s.arg(bytes.size()));
}

Result<HeaderList> readHeaders(std::span<const std::byte> bytes)
{
    HeaderList headers;
    const auto read = visitHeaders(bytes, [&](const RecordHeaderView &header) {
        headers.append({toByteArray(header.name),
                        header.value ? std::optional(toByteArray(*header.value)) : std::nullopt});
        return true;
    });
    if (!read)
        return read.error();
    return headers;
}

JsonLine headerJson(const RecordHeader &header)
{
    JsonLine json;
    json.bytes("name", asBytes(header.name));
    if (header.value)
        json.bytes("value", asBytes(*header.value));
    else
        json.null("value");
    return json;
}

} // namespace topicscope
