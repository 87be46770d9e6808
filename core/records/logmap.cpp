#include "core/records/logmap.h"

#include "core/records/rowstate.h"

#include <algorithm>
#include <bit>

namespace topicscope
{

namespace
{

constexpr size_t kMaxFlagged = 10'000;

/// 0, 1/2, 1/4, 3/4, 1/8, … of `steps`, a power of two: the bits of a counter in reverse.
quint64 spread(quint64 counter, quint64 steps)
{
    quint64 result = 0;
    for (int bit = 0; bit < std::countr_zero(steps); ++bit)
        result = (result << 1) | ((counter >> bit) & 1);
    return result;
}

} // namespace

void PartitionProfile::setEnds(Offset begin, Offset end)
{
    begin = std::max(begin, Offset{0}); // a broker's nonsense must not overflow
    end = std::max(begin, end);
    if (begin < m_origin) { // another log under the same name
        m_buckets.clear();
        m_flagged.clear();
        m_tried = 0;
    }
    const bool isNew = m_buckets.empty();
    if (isNew) {
        m_origin = begin;
        m_span = std::max<qint64>((end - begin) / m_maxBuckets + 1, 1);
    }
    m_begin = begin;
    m_end = end;
    // What retention removed is forgotten in whole buckets, so that the others keep their places.
    if (const qint64 gone = std::min((begin - m_origin) / m_span, bucketCount()); gone > 0) {
        m_buckets.erase(m_buckets.begin(), m_buckets.begin() + gone);
        m_origin = m_origin + gone * m_span;
    }
    if (m_buckets.empty() && (begin - m_origin) / m_span > 0)
        m_origin = begin;
    m_flagged.erase(m_flagged.begin(), m_flagged.lower_bound(begin));
    m_flagged.erase(m_flagged.lower_bound(end), m_flagged.end());
    const auto bucketsNeeded = [&] {
        return (quint64(end - m_origin) + quint64(m_span) - 1) / quint64(m_span);
    };
    while (bucketsNeeded() > quint64(m_maxBuckets))
        widen();
    m_buckets.resize(size_t(bucketsNeeded()));
}

/// Two buckets become one.
void PartitionProfile::widen()
{
    std::vector<Piece> wider((m_buckets.size() + 1) / 2);
    for (size_t i = 0; i < m_buckets.size(); ++i) {
        const Piece &from = m_buckets[i];
        Piece &to = wider[i / 2];
        if (from.known.offsetsSeen == 0)
            continue;
        if (to.known.offsetsSeen == 0) {
            to = from;
            continue;
        }
        to.known.offsetsSeen += from.known.offsetsSeen;
        to.known.records += from.known.records;
        to.known.bytes += from.known.bytes;
        to.known.peakBytes = std::max(to.known.peakBytes, from.known.peakBytes);
        if (!to.known.firstTimeMs)
            to.known.firstTimeMs = from.known.firstTimeMs;
        to.seenEnd = from.seenEnd;
    }
    m_buckets = std::move(wider);
    m_span *= 2;
}

void PartitionProfile::add(const RecordBlock &block)
{
    if (block.end > m_end)
        setEnds(m_begin, block.end);
    if (block.kind != RowKind::Record) {
        addRow(block.first, block.end, std::nullopt);
        if (isFlagged(stateOf({&block})) && block.end > m_begin)
            flag(std::max(block.first, m_begin));
        return;
    }
    const auto &records = block.chunk->records();
    for (int i = 0; i < block.rows; ++i) {
        const Record &record = records[size_t(block.firstIndex) + size_t(i)];
        addRow(record.offset, record.offset + 1,
               Seen{qint64(record.keySize) + record.valueSize, block.chunk->timestampMs(record)});
        if (isFlagged(stateOf({&block, &record})))
            flag(record.offset);
    }
}

void PartitionProfile::addPeak(Offset offset, qint64 bytes)
{
    if (offset < m_begin || offset >= m_end)
        return;
    addRow(offset, offset + 1, Seen{bytes, std::nullopt});
}

void PartitionProfile::flag(Offset offset)
{
    if (offset >= m_begin && offset < m_end && m_flagged.size() < kMaxFlagged)
        m_flagged.insert(offset);
}

void PartitionProfile::addRow(Offset offset, Offset end, const std::optional<Seen> &record)
{
    offset = std::max(offset, m_begin);
    end = std::min(end, m_end);
    while (offset < end) {
        const qint64 index = bucketOf(offset);
        if (index < 0 || index >= bucketCount())
            return;
        Piece &piece = m_buckets[size_t(index)];
        const Offset first = bucketBegin(index); // the last one may end where no number does
        const Offset pieceEnd = end - first > m_span ? first + m_span : end;
        Bucket &known = piece.known;
        // Of what lies between two pieces seen nothing is counted twice, but the largest is kept.
        const qint64 bytes = record ? record->bytes : 0;
        known.peakBytes = std::max(known.peakBytes, bytes);
        const bool isFirst = known.offsetsSeen == 0;
        if (isFirst || offset < piece.seenBegin || pieceEnd > piece.seenEnd) {
            // Not a stretch that was seen already: what of it is new.
            qint64 fresh = pieceEnd - offset;
            if (!isFirst) {
                const Offset overlapBegin = std::max(offset, piece.seenBegin);
                const Offset overlapEnd = std::min(pieceEnd, piece.seenEnd);
                fresh -= std::max<qint64>(overlapEnd - overlapBegin, 0);
            }
            known.offsetsSeen += fresh;
            if (record) {
                ++known.records;
                known.bytes += bytes;
                if (record->timeMs && (!known.firstTimeMs || offset < piece.seenBegin))
                    known.firstTimeMs = record->timeMs;
            }
            piece.seenBegin = isFirst ? offset : std::min(piece.seenBegin, offset);
            piece.seenEnd = isFirst ? pieceEnd : std::max(piece.seenEnd, pieceEnd);
        }
        offset = pieceEnd;
    }
}

PartitionProfile::Bucket PartitionProfile::between(Offset from, Offset to) const
{
    Bucket all;
    if (m_buckets.empty() || to <= from)
        return all;
    const qint64 first = std::clamp<qint64>(bucketOf(from), 0, bucketCount() - 1);
    const qint64 last = std::clamp<qint64>(bucketOf(to + -1), first, bucketCount() - 1);
    for (qint64 i = first; i <= last; ++i) {
        const Bucket &each = bucket(i);
        all.offsetsSeen += each.offsetsSeen;
        all.records += each.records;
        all.bytes += each.bytes;
        all.peakBytes = std::max(all.peakBytes, each.peakBytes);
        if (!all.firstTimeMs)
            all.firstTimeMs = each.firstTimeMs;
    }
    return all;
}

std::optional<Offset> PartitionProfile::nextUnknown()
{
    // A full circle: each bucket once.
    for (const auto steps = quint64(m_maxBuckets); m_tried < steps; ++m_tried) {
        const auto place = qint64(spread(m_tried, steps));
        const qint64 index = place * bucketCount() / m_maxBuckets;
        if (index >= bucketCount() || bucket(index).offsetsSeen > 0)
            continue;
        ++m_tried;
        return std::max(bucketBegin(index), m_begin);
    }
    return std::nullopt;
}

} // namespace topicscope
