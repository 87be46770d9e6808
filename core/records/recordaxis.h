#pragma once

#include "core/base/ids.h"

#include <optional>
#include <vector>

namespace topicscope
{

/// The offsets of several partitions, one partition after the other, as one line of 64-bit
/// positions: what a scroll bar and a map of them are drawn along. A partition's length is its
/// number of offsets, whether they carry records or not. Lengths that do not fit into 63 bits
/// together are cut off, so that a broker's nonsense stays drawable.
/// Thread: any (a value).
class RecordAxis
{
public:
    struct Part {
        PartitionId id;
        Offset begin;
        Offset end; ///< not before begin
        bool operator==(const Part &) const = default;
    };
    struct Place {
        PartitionId partition;
        Offset offset;
        bool operator==(const Place &) const = default;
    };

    RecordAxis() = default;
    explicit RecordAxis(std::vector<Part> parts);

    const std::vector<Part> &parts() const { return m_parts; }
    /// Where the part at `index` begins on the line.
    qint64 start(size_t index) const { return m_starts[index]; }
    qint64 length() const { return m_length; }
    /// Of an offset, moved into its partition; 0 for a partition that is not there.
    qint64 positionOf(PartitionId partition, Offset offset) const;
    /// What is at a position, moved into the line; nullopt when the line is empty.
    std::optional<Place> at(qint64 position) const;

    bool operator==(const RecordAxis &) const = default;

private:
    std::vector<Part> m_parts;
    std::vector<qint64> m_starts;
    qint64 m_length = 0;
};

} // namespace topicscope
