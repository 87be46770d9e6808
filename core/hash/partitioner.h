#pragma once

#include "core/base/result.h"

#include <QList>
#include <QString>

#include <cstddef>
#include <optional>
#include <span>

namespace topicscope
{

/// How a key is turned into an index into a topic's partition list. A `Random` at the end of a name
/// says that records without a key go to any partition; those without it, which are librdkafka's
/// alone, put them all where the hash of nothing points to.
enum class PartitionAlgorithm {
    BooblikFnv1a,     ///< FNV-1a, unsigned remainder: booblik's clients since 0.3
    BooblikLegacy,    ///< Java array hash, signed floor modulo: booblik's clients before 0.3
    Murmur2Random,    ///< (murmur2 & 0x7fffffff) mod n: Kafka's Java client, and kafka-python
    Murmur2,          ///< the same
    ConsistentRandom, ///< crc32 mod n; an empty key counts as none: librdkafka's default
    Consistent,       ///< crc32 mod n, an empty key as well
    Fnv1aRandom,      ///< |signed FNV-1a| mod n, as Sarama's, which is not booblik's
    Fnv1a,            ///< the same
    Random,           ///< any partition, whatever the key
};

/// One partitioner, named and able to explain itself.
/// Thread: any; a plain value.
class Partitioner
{
public:
    /// Everything a reader needs to check the choice by hand.
    struct Explanation {
        PartitionAlgorithm algorithm = PartitionAlgorithm::BooblikFnv1a;
        std::optional<quint32> hash; ///< nullopt: none is taken, any partition will do
        qint32 partitionCount = 0;
        std::optional<qint32> index; ///< into the partition list in METADATA order; set with `hash`
        QString formula;             ///< e.g. "FNV-1a 0x572446f4 mod 3 = 2"; "any partition"
    };

    explicit constexpr Partitioner(PartitionAlgorithm algorithm)
        : m_algorithm(algorithm)
    {
    }

    /// Every algorithm, the default of booblik's current clients first.
    static QList<Partitioner> all();

    PartitionAlgorithm algorithm() const { return m_algorithm; }
    /// Stable name for the CLI and settings: "booblik", "booblik-legacy"; the others as librdkafka
    /// has them: "murmur2_random", "murmur2", "consistent_random", "consistent", "fnv1a_random",
    /// "fnv1a", "random".
    QString name() const;
    /// For people: "FNV-1a (booblik)", "murmur2 (Kafka, Java)", ...
    QString title() const;
    static std::optional<Partitioner> byName(const QString &name);

    /// The index for a key. No key (nullopt) and an empty one are different things; what becomes of
    /// either is the algorithm's.
    /// @error InvalidArgument when partitionCount <= 0.
    Result<Explanation> explain(std::optional<std::span<const std::byte>> key,
                                qint32 partitionCount) const;

private:
    bool hashes(const std::optional<std::span<const std::byte>> &key) const;

    PartitionAlgorithm m_algorithm;
};

/// Partition choice for records without a key: the partitions in turn, from `start` on. The counter
/// advances on every call, so ask only when the record is sent. Never negative, also after 2^32
/// calls. Thread: confined to its owner.
class RoundRobin
{
public:
    explicit RoundRobin(quint32 start = 0)
        : m_counter(start)
    {
    }

    /// @error InvalidArgument when partitionCount <= 0.
    Result<qint32> next(qint32 partitionCount);

private:
    quint32 m_counter;
};

} // namespace topicscope
