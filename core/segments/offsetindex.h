#pragma once

#include <QtGlobal>

#include <algorithm>
#include <vector>

namespace topicscope
{

/// Sparse index of one segment, in memory only: from a record's number in its segment to a byte
/// position at or before it. The first record has an entry, then one each time `interval` bytes
/// have gone by.
/// Thread: one at a time.
class OffsetIndex
{
public:
    struct Entry {
        quint32 number = 0;
        quint32 position = 0;
    };

    explicit OffsetIndex(qint64 intervalBytes)
        : m_intervalBytes(intervalBytes)
    {
    }

    /// Tells of every record, ascending.
    void add(qint64 number, qint64 position)
    {
        if (m_entries.empty() || position - m_entries.back().position >= m_intervalBytes)
            m_entries.push_back({quint32(number), quint32(position)});
    }

    /// Where to begin walking for a record; the segment's beginning when nothing is known.
    Entry find(qint64 number) const
    {
        const auto behind = std::upper_bound(
            m_entries.begin(), m_entries.end(), number,
            [](qint64 wanted, const Entry &entry) { return wanted < qint64(entry.number); });
        return behind == m_entries.begin() ? Entry{} : *std::prev(behind);
    }

    /// Forgets records at and behind a position.
    void truncate(qint64 position)
    {
        while (!m_entries.empty() && m_entries.back().position >= position)
            m_entries.pop_back();
    }

private:
    qint64 m_intervalBytes;
    std::vector<Entry> m_entries;
};

} // namespace topicscope
