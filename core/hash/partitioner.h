#pragma once

#include "core/base/result.h"

#include <QList>
#include <QString>

#include <cstddef>
#include <optional>
#include <span>

namespace topicscope
{

/// How a key is turned into an index into a topic's partition list.
enum class PartitionAlgorithm {
    BooblikFnv1a,  ///< FNV-1a, unsigned remainder: booblik's clients since 0.3
    BooblikLegacy, ///< Java array hash, signed floor modulo: booblik's clients before 0.3
    KafkaMurmur2,  ///< (murmur2 & 0x7fffffff) mod n: Kafka's Java client
    RdkafkaCrc32,  ///< crc32 mod n: librdkafka's "consistent"
    RdkafkaFnv1a,  ///< |signed FNV-1a| mod n: librdkafka's "fnv1a", which is not booblik's
};

/// One partitioner, named and able to explain itself.
/// Thread: any; a plain value.
class Partitioner
{
public:
    /// Everything a reader needs to check the choice by hand.
    struct Explanation {
        PartitionAlgorithm algorithm = PartitionAlgorithm::BooblikFnv1a;
        quint32 hash = 0;
        qint32 partitionCount = 0;
        qint32 index = 0; ///< into the partition list in METADATA order
        QString formula;  ///< e.g. "FNV-1a 0x572446f4 mod 3 = 2"
    };

    explicit constexpr Partitioner(PartitionAlgorithm algorithm)
        : m_algorithm(algorithm)
    {
    }

    /// Every algorithm, the default of booblik's current clients first.
    static QList<Partitioner> all();

    PartitionAlgorithm algorithm() const { return m_algorithm; }
    /// Stable name for the CLI and settings: "booblik", "booblik-legacy", "murmur2", "crc32",
    /// "rdkafka-fnv1a".
    QString name() const;
    /// For people: "FNV-1a (booblik)", "before 0.3 (Java array hash)", ...
    QString title() const;
    static std::optional<Partitioner> byName(const QString &name);

    /// The index for a key; an empty key is a key.
    /// @error InvalidArgument when partitionCount <= 0.
    Result<Explanation> explain(std::span<const std::byte> key, qint32 partitionCount) const;

private:
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
