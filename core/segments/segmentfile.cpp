#include "core/segments/segmentfile.h"

#include "core/hash/crc32c.h"
#include "core/records/recordcodec.h"

#include <QtEndian>

#include <algorithm>
#include <vector>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qsizetype kBaseDigits = 20;
constexpr qsizetype kSegmentNameUnits = 24;
constexpr qint64 kWindowBytes = 1 << 20;

/// A sliding window over a file, so that many small reads become few large ones.
class FileWindow
{
public:
    explicit FileWindow(const PosixFile &file)
        : m_file(file)
        , m_buffer(size_t(kWindowBytes))
    {
    }

    /// `bytes` (at most kWindowBytes) from `position`; fewer where the file ends.
    Result<std::span<const std::byte>> at(qint64 position, qint64 bytes)
    {
        if (position < m_begin || position + bytes > m_begin + m_filled) {
            const auto read = m_file.read(position, m_buffer);
            if (!read)
                return read.error();
            m_begin = position;
            m_filled = *read;
        }
        const qint64 skip = position - m_begin;
        return std::span<const std::byte>(m_buffer).subspan(
            size_t(skip), size_t(std::min(bytes, m_filled - skip)));
    }

private:
    const PosixFile &m_file;
    std::vector<std::byte> m_buffer;
    qint64 m_begin = 0;
    qint64 m_filled = 0;
};

Result<quint32> checksumOf(FileWindow &window, qint64 position, qint64 bytes)
{
    quint32 crc = 0;
    while (bytes > 0) {
        const auto piece = window.at(position, std::min(bytes, kWindowBytes));
        if (!piece)
            return piece.error();
        if (piece->empty()) // the file shrank under us: the sum will not fit
            break;
        crc = crc32cExtend(crc, *piece);
        position += qint64(piece->size());
        bytes -= qint64(piece->size());
    }
    return crc;
}

} // namespace

QString segmentFileName(Offset base)
{
    return u"%1.log"_s.arg(base.value, int(kBaseDigits), 10, QChar(u'0'));
}

SegmentName parseSegmentFileName(const QString &name)
{
    if (name.size() != kSegmentNameUnits || !name.endsWith(u".log"_s))
        return {};
    const QStringView digits = QStringView(name).first(kBaseDigits);
    const bool ascii =
        std::all_of(digits.begin(), digits.end(), [](QChar c) { return c >= u'0' && c <= u'9'; });
    bool fits = false;
    const qint64 base = digits.toLongLong(&fits);
    if (!ascii || !fits)
        return {SegmentNameKind::Malformed, {}};
    return {SegmentNameKind::Segment, Offset{base}};
}

Result<SegmentWalk> walkSegment(const PosixFile &file, const RecordVisitor &visit)
{
    const auto size = file.size();
    if (!size)
        return size.error();
    if (*size > kMaxSegmentBytes) {
        return Error::make(
            ErrorKind::Io,
            u"%1 bytes are more than a segment can have (%2)"_s.arg(*size).arg(kMaxSegmentBytes),
            {{}, {}, {}, file.path(), {}});
    }
    SegmentWalk walk;
    walk.fileBytes = *size;
    FileWindow window(file);
    for (;;) {
        const qint64 left = walk.fileBytes - walk.endPosition;
        if (left == 0)
            return walk;
        const auto header = window.at(walk.endPosition, std::min(left, kRecordHeaderBytes));
        if (!header)
            return header.error();
        if (qint64(header->size()) < kRecordHeaderBytes) {
            walk.stop = SegmentStop::CutHeader;
            return walk;
        }
        walk.stopSize = qFromBigEndian<qint32>(header->data());
        const auto stored = qFromBigEndian<quint32>(header->data() + 4);
        if (walk.stopSize <= 0) {
            walk.stop = walk.stopSize == 0 ? SegmentStop::ZeroSize : SegmentStop::NegativeSize;
            return walk;
        }
        if (walk.stopSize > left - kRecordHeaderBytes) {
            walk.stop = SegmentStop::BeyondEnd;
            return walk;
        }
        const auto computed =
            checksumOf(window, walk.endPosition + kRecordHeaderBytes, walk.stopSize);
        if (!computed)
            return computed.error();
        if (*computed != stored) {
            walk.stop = SegmentStop::ChecksumMismatch;
            walk.stored = stored;
            walk.computed = *computed;
            return walk;
        }
        if (visit)
            visit(walk.recordCount, walk.endPosition, walk.stopSize);
        ++walk.recordCount;
        walk.endPosition += kRecordHeaderBytes + walk.stopSize;
        walk.stopSize = 0;
    }
}

Result<qint64> endOfNonZero(const PosixFile &file, qint64 from, qint64 fileBytes)
{
    std::vector<std::byte> buffer(static_cast<size_t>(kWindowBytes));
    qint64 end = from;
    for (qint64 at = file.nextData(from, fileBytes); at < fileBytes;) {
        const auto read =
            file.read(at, std::span(buffer).first(size_t(std::min(kWindowBytes, fileBytes - at))));
        if (!read)
            return read.error();
        if (*read == 0)
            break;
        const auto piece = std::span(buffer).first(size_t(*read));
        const auto last = std::find_if(piece.rbegin(), piece.rend(),
                                       [](std::byte b) { return b != std::byte{0}; });
        if (last != piece.rend())
            end = at + (piece.rend() - last);
        at = file.nextData(at + *read, fileBytes);
    }
    return end;
}

} // namespace topicscope
