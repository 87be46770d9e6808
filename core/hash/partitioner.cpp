#include "core/hash/partitioner.h"

#include "core/hash/keyhash.h"

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

QString hex(quint32 hash)
{
    return u"0x%1"_s.arg(hash, 8, 16, QChar(u'0'));
}

Error countError(qint32 partitionCount)
{
    return Error::make(ErrorKind::InvalidArgument,
                       u"partition count %1 is not above 0"_s.arg(partitionCount));
}

} // namespace

QList<Partitioner> Partitioner::all()
{
    QList<Partitioner> partitioners;
    for (int i = 0; i <= int(PartitionAlgorithm::Random); ++i)
        partitioners.append(Partitioner(PartitionAlgorithm(i)));
    return partitioners;
}

QString Partitioner::name() const
{
    switch (m_algorithm) {
    case PartitionAlgorithm::BooblikFnv1a:
        return u"booblik"_s;
    case PartitionAlgorithm::BooblikLegacy:
        return u"booblik-legacy"_s;
    case PartitionAlgorithm::Murmur2Random:
        return u"murmur2_random"_s;
    case PartitionAlgorithm::Murmur2:
        return u"murmur2"_s;
    case PartitionAlgorithm::ConsistentRandom:
        return u"consistent_random"_s;
    case PartitionAlgorithm::Consistent:
        return u"consistent"_s;
    case PartitionAlgorithm::Fnv1aRandom:
        return u"fnv1a_random"_s;
    case PartitionAlgorithm::Fnv1a:
        return u"fnv1a"_s;
    case PartitionAlgorithm::Random:
        return u"random"_s;
    }
    return {};
}

QString Partitioner::title() const
{
    switch (m_algorithm) {
    case PartitionAlgorithm::BooblikFnv1a:
        return u"FNV-1a (booblik)"_s;
    case PartitionAlgorithm::BooblikLegacy:
        return u"Java array hash (booblik before 0.3)"_s;
    case PartitionAlgorithm::Murmur2Random:
        return u"murmur2 (Kafka, Java)"_s;
    case PartitionAlgorithm::Murmur2:
        return u"murmur2, no key fixed (librdkafka)"_s;
    case PartitionAlgorithm::ConsistentRandom:
        return u"CRC-32 (librdkafka, its default)"_s;
    case PartitionAlgorithm::Consistent:
        return u"CRC-32, no key fixed (librdkafka)"_s;
    case PartitionAlgorithm::Fnv1aRandom:
        return u"FNV-1a (librdkafka, Sarama)"_s;
    case PartitionAlgorithm::Fnv1a:
        return u"FNV-1a, no key fixed (librdkafka)"_s;
    case PartitionAlgorithm::Random:
        return u"any partition (librdkafka)"_s;
    }
    return {};
}

std::optional<Partitioner> Partitioner::byName(const QString &name)
{
    for (const Partitioner &partitioner : all()) {
        if (partitioner.name() == name)
            return partitioner;
    }
    return std::nullopt;
}

/// Whether this algorithm takes a hash of such a key at all.
bool Partitioner::hashes(const std::optional<std::span<const std::byte>> &key) const
{
    switch (m_algorithm) {
    case PartitionAlgorithm::Random:
        return false;
    case PartitionAlgorithm::ConsistentRandom:
        return key && !key->empty();
    case PartitionAlgorithm::Murmur2:
    case PartitionAlgorithm::Consistent:
    case PartitionAlgorithm::Fnv1a:
        return true;
    default:
        return key.has_value();
    }
}

Result<Partitioner::Explanation> Partitioner::explain(std::optional<std::span<const std::byte>> key,
                                                      qint32 partitionCount) const
{
    if (partitionCount <= 0)
        return countError(partitionCount);
    Explanation result;
    result.algorithm = m_algorithm;
    result.partitionCount = partitionCount;
    if (!hashes(key)) {
        result.formula = u"any partition"_s;
        return result;
    }
    const auto bytes = key.value_or(std::span<const std::byte>());
    const auto count = quint32(partitionCount);
    quint32 hash = 0;
    quint32 index = 0;
    switch (m_algorithm) {
    case PartitionAlgorithm::BooblikFnv1a:
        hash = fnv1a32(bytes);
        index = hash % count;
        result.formula = u"FNV-1a %1 mod %2 = %3"_s;
        break;
    case PartitionAlgorithm::BooblikLegacy: {
        hash = javaArrayHash(bytes);
        // Math.floorMod of the signed number.
        const qint64 remainder = qint64(qint32(hash)) % partitionCount;
        index = quint32(remainder < 0 ? remainder + partitionCount : remainder);
        result.formula = u"Java array hash %1 (signed) floorMod %2 = %3"_s;
        break;
    }
    case PartitionAlgorithm::Murmur2Random:
    case PartitionAlgorithm::Murmur2:
        hash = murmur2(bytes);
        index = (hash & 0x7FFFFFFF) % count;
        result.formula = u"(murmur2 %1 & 0x7fffffff) mod %2 = %3"_s;
        break;
    case PartitionAlgorithm::ConsistentRandom:
    case PartitionAlgorithm::Consistent:
        hash = crc32Ieee(bytes);
        index = hash % count;
        result.formula = u"CRC-32 %1 mod %2 = %3"_s;
        break;
    case PartitionAlgorithm::Fnv1aRandom:
    case PartitionAlgorithm::Fnv1a: {
        hash = fnv1a32(bytes);
        const auto asSigned = qint64(qint32(hash));
        index = quint32((asSigned < 0 ? -asSigned : asSigned) % partitionCount);
        result.formula = u"|FNV-1a %1 (signed)| mod %2 = %3"_s;
        break;
    }
    case PartitionAlgorithm::Random:
        break; // takes no hash
    }
    result.hash = hash;
    result.index = qint32(index);
    result.formula = result.formula.arg(hex(hash)).arg(partitionCount).arg(index);
    return result;
}

Result<qint32> RoundRobin::next(qint32 partitionCount)
{
    if (partitionCount <= 0)
        return countError(partitionCount);
    return qint32(m_counter++ % quint32(partitionCount));
}

} // namespace topicscope
