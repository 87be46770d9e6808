#include "core/search/hitlist.h"

#include <algorithm>
#include <numeric>

namespace topicscope::search
{

namespace
{

/// What a hit counts for: its bytes, its entry in the index and its time.
qint64 bytesOf(const Record &record)
{
    return qint64(record.frameBytes) + qint64(sizeof(Record) + sizeof(qint64));
}

RecordChunkPtr firstOf(const RecordChunkPtr &chunk, size_t count)
{
    std::vector<size_t> chosen(count);
    std::iota(chosen.begin(), chosen.end(), size_t(0));
    return subsetOf(chunk, chosen);
}

} // namespace

RecordChunkPtr HitList::add(size_t partition, const RecordChunkPtr &hits)
{
    const std::vector<Record> &records = hits->records();
    m_found += qint64(records.size());
    size_t count = records.size();
    if (m_cut && m_cut->first < partition)
        count = 0;
    else if (m_cut && m_cut->first == partition)
        count = size_t(std::ranges::lower_bound(records, m_cut->second, {}, &Record::offset) -
                       records.begin());
    if (count == 0)
        return nullptr;
    m_chunks[partition].push_back(firstOf(hits, count));
    m_kept += qint64(count);
    for (size_t i = 0; i < count; ++i)
        m_keptBytes += bytesOf(records[i]);
    while (m_kept > m_maxHits || m_keptBytes > m_maxBytes)
        dropLast();

    const auto kept = m_chunks.find(partition);
    if (kept == m_chunks.end() || kept->second.empty())
        return nullptr;
    const RecordChunkPtr &last = kept->second.back();
    return last->records().front().offset == records.front().offset ? last : nullptr;
}

/// The last hits, as many of their chunk as have to go.
void HitList::dropLast()
{
    const auto last = std::prev(m_chunks.end());
    const RecordChunkPtr chunk = last->second.back();
    size_t count = chunk->records().size();
    while (count > 0 && (m_kept > m_maxHits || m_keptBytes > m_maxBytes)) {
        const Record &record = chunk->records()[--count];
        --m_kept;
        m_keptBytes -= bytesOf(record);
        m_cut = {last->first, record.offset};
    }
    if (count > 0) {
        last->second.back() = firstOf(chunk, count);
        return;
    }
    last->second.pop_back();
    if (last->second.empty())
        m_chunks.erase(last);
}

std::vector<RecordChunkPtr> HitList::chunks() const
{
    std::vector<RecordChunkPtr> all;
    for (const auto &[partition, chunks] : m_chunks)
        all.insert(all.end(), chunks.begin(), chunks.end());
    return all;
}

} // namespace topicscope::search
