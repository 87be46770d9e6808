#pragma once

#include "core/records/recordchunk.h"

#include <map>
#include <vector>

namespace topicscope::search
{

/// The first hits of a search, in the order of partition and offset, up to a number and a size.
/// What is kept is the same whichever partition was faster: what comes later in that order gives
/// way. All hits are counted.
/// Thread: confined to one.
class HitList
{
public:
    HitList(qint64 maxHits, qint64 maxBytes)
        : m_maxHits(maxHits)
        , m_maxBytes(maxBytes)
    {
    }

    /// Hits of one partition come in offset order. @return those of them that are kept now; null:
    /// none
    RecordChunkPtr add(size_t partition, const RecordChunkPtr &hits);

    qint64 found() const { return m_found; }
    qint64 kept() const { return m_kept; }
    bool isCut() const { return m_kept < m_found; }
    /// In order.
    std::vector<RecordChunkPtr> chunks() const;

private:
    void dropLast();

    qint64 m_maxHits;
    qint64 m_maxBytes;
    qint64 m_found = 0;
    qint64 m_kept = 0;
    qint64 m_keptBytes = 0;
    std::map<size_t, std::vector<RecordChunkPtr>> m_chunks;
    std::optional<std::pair<size_t, Offset>> m_cut; ///< from here on nothing is kept
};

} // namespace topicscope::search
