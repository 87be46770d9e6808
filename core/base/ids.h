#pragma once

#include <QHash>
#include <QString>
#include <QtGlobal>

#include <compare>

namespace topicscope
{

/// Position of a record in its partition: first record 0, +1 per record. Also used for the log
/// start offset and the high watermark. A type of its own so that it cannot be passed as a byte
/// position.
struct Offset {
    qint64 value = 0;

    constexpr Offset() = default;
    explicit constexpr Offset(qint64 v)
        : value(v)
    {
    }
    constexpr auto operator<=>(const Offset &) const = default;
    /// The offset `n` records further on (or back, when negative).
    constexpr Offset operator+(qint64 n) const { return Offset{value + n}; }
    /// Number of offsets from `other` to this one.
    constexpr qint64 operator-(Offset other) const { return value - other.value; }
};

/// Number of a partition inside its topic, from 0.
struct PartitionId {
    qint32 value = 0;

    constexpr PartitionId() = default;
    explicit constexpr PartitionId(qint32 v)
        : value(v)
    {
    }
    constexpr auto operator<=>(const PartitionId &) const = default;
};

struct TopicPartition {
    QString topic;
    PartitionId partition;

    bool operator==(const TopicPartition &) const = default;
    std::strong_ordering operator<=>(const TopicPartition &other) const
    {
        const int byTopic = topic.compare(other.topic);
        if (byTopic != 0)
            return byTopic < 0 ? std::strong_ordering::less : std::strong_ordering::greater;
        return partition <=> other.partition;
    }
};

inline size_t qHash(const TopicPartition &key, size_t seed = 0) noexcept
{
    return qHashMulti(seed, key.topic, key.partition.value);
}

/// Names one request made through a SessionHandle; each answer carries it back. 0 is never given
/// out.
struct RequestId {
    quint64 value = 0;

    constexpr RequestId() = default;
    explicit constexpr RequestId(quint64 v)
        : value(v)
    {
    }
    constexpr auto operator<=>(const RequestId &) const = default;
    explicit constexpr operator bool() const { return value != 0; }
};

inline size_t qHash(RequestId key, size_t seed = 0) noexcept
{
    return ::qHash(key.value, seed);
}

} // namespace topicscope
