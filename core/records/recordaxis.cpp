#include "core/records/recordaxis.h"

#include <algorithm>
#include <limits>

namespace topicscope
{

RecordAxis::RecordAxis(std::vector<Part> parts)
    : m_parts(std::move(parts))
{
    constexpr qint64 kMost = std::numeric_limits<qint64>::max();
    for (Part &part : m_parts) {
        // Unsigned: the two ends may lie further apart than 63 bits.
        const quint64 span =
            part.end > part.begin ? quint64(part.end.value) - quint64(part.begin.value) : 0;
        const auto room = quint64(kMost - m_length);
        part.end = Offset{qint64(quint64(part.begin.value) + std::min(span, room))};
        m_starts.push_back(m_length);
        m_length += qint64(std::min(span, room));
    }
}

qint64 RecordAxis::positionOf(PartitionId partition, Offset offset) const
{
    for (size_t i = 0; i < m_parts.size(); ++i) {
        if (m_parts[i].id == partition)
            return m_starts[i] +
                   (std::clamp(offset, m_parts[i].begin, m_parts[i].end) - m_parts[i].begin);
    }
    return 0;
}

std::optional<RecordAxis::Place> RecordAxis::at(qint64 position) const
{
    if (m_length == 0)
        return std::nullopt;
    position = std::clamp<qint64>(position, 0, m_length - 1);
    // The last part that begins there or before: those before it with the same start are empty.
    const auto behind = std::ranges::upper_bound(m_starts, position);
    auto i = size_t(behind - m_starts.begin()) - 1;
    return Place{m_parts[i].id, m_parts[i].begin + (position - m_starts[i])};
}

} // namespace topicscope
