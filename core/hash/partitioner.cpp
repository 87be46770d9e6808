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
    return {Partitioner(PartitionAlgorithm::BooblikFnv1a),
            Partitioner(PartitionAlgorithm::BooblikLegacy),
            Partitioner(PartitionAlgorithm::KafkaMurmur2),
            Partitioner(PartitionAlgorithm::RdkafkaCrc32),
            Partitioner(PartitionAlgorithm::RdkafkaFnv1a)};
}

QString Partitioner::name() const
{
    switch (m_algorithm) {
    case PartitionAlgorithm::BooblikFnv1a:
        return u"booblik"_s;
    case PartitionAlgorithm::BooblikLegacy:
        return u"booblik-legacy"_s;
    case PartitionAlgorithm::KafkaMurmur2:
        return u"murmur2"_s;
    case PartitionAlgorithm::RdkafkaCrc32:
        return u"crc32"_s;
    case PartitionAlgorithm::RdkafkaFnv1a:
        return u"rdkafka-fnv1a"_s;
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
    case PartitionAlgorithm::KafkaMurmur2:
        return u"murmur2 (Kafka, Java)"_s;
    case PartitionAlgorithm::RdkafkaCrc32:
        return u"CRC-32 (librdkafka consistent)"_s;
    case PartitionAlgorithm::RdkafkaFnv1a:
        return u"FNV-1a (librdkafka)"_s;
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

Result<Partitioner::Explanation> Partitioner::explain(std::span<const std::byte> key,
                                                      qint32 partitionCount) const
{
    if (partitionCount <= 0)
        return countError(partitionCount);
    const auto count = quint32(partitionCount);
    Explanation result;
    result.algorithm = m_algorithm;
    result.partitionCount = partitionCount;
    switch (m_algorithm) {
    case PartitionAlgorithm::BooblikFnv1a:
        result.hash = fnv1a32(key);
        result.index = qint32(result.hash % count);
        result.formula = u"FNV-1a %1 mod %2 = %3"_s;
        break;
    case PartitionAlgorithm::BooblikLegacy: {
        result.hash = javaArrayHash(key);
        // Math.floorMod of the signed number.
        const qint64 remainder = qint64(qint32(result.hash)) % partitionCount;
        result.index = qint32(remainder < 0 ? remainder + partitionCount : remainder);
        result.formula = u"Java array hash %1 (signed) floorMod %2 = %3"_s;
        break;
    }
    case PartitionAlgorithm::KafkaMurmur2:
        result.hash = murmur2(key);
        result.index = qint32((result.hash & 0x7FFFFFFF) % count);
        result.formula = u"(murmur2 %1 & 0x7fffffff) mod %2 = %3"_s;
        break;
    case PartitionAlgorithm::RdkafkaCrc32:
        result.hash = crc32Ieee(key);
        result.index = qint32(result.hash % count);
        result.formula = u"CRC-32 %1 mod %2 = %3"_s;
        break;
    case PartitionAlgorithm::RdkafkaFnv1a: {
        result.hash = fnv1a32(key);
        const auto asSigned = qint64(qint32(result.hash));
        result.index = qint32((asSigned < 0 ? -asSigned : asSigned) % partitionCount);
        result.formula = u"|FNV-1a %1 (signed)| mod %2 = %3"_s;
        break;
    }
    }
    result.formula = result.formula.arg(hex(result.hash)).arg(partitionCount).arg(result.index);
    return result;
}

Result<qint32> RoundRobin::next(qint32 partitionCount)
{
    if (partitionCount <= 0)
        return countError(partitionCount);
    return qint32(m_counter++ % quint32(partitionCount));
}

} // namespace topicscope
