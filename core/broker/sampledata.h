#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/broker/brokerconfig.h"

#include <QByteArray>
#include <QDateTime>
#include <QList>

#include <map>
#include <random>

namespace topicscope::broker
{

/// The two records to look at first.
struct SamplePlaces {
    TopicPartition partition;
    Offset damaged; ///< damaged on disk once the broker has opened it
    Offset large;   ///< 3 MiB
};

/// Records worth looking at, the same ones for the same seed and time.
struct SampleData {
    /// orders:3 JSON keyed order-<id>, placed as a producer would; clicks:1 small JSON;
    /// telemetry:2 binary; logs:1 text with control characters and a stack trace.
    std::map<TopicPartition, QList<QByteArray>> records;
    SamplePlaces places;
};

inline constexpr quint32 kSampleSeed = 20'240'229;

/// @param until  when the last record was published, as their texts have it
SampleData makeSampleData(const QDateTime &until, quint32 seed = kSampleSeed);

/// One more record for clicks/0.
QByteArray makeSampleClick(std::mt19937 &random, const QDateTime &published);

/// The topics of the sample data.
QList<TopicConfig> sampleTopics();
/// The partition that keeps growing.
TopicPartition growingPartition();

/// Writes the records as a broker's data directory. @error Io
Result<void> writeSampleData(const SampleData &data, const QString &dataDirectory);

/// Flips one bit in the body of a record that is on disk. @error Io, InvalidArgument (no such
/// record in the partition's first segment)
Result<void> damageRecord(const QString &dataDirectory, const TopicPartition &partition,
                          Offset offset);

} // namespace topicscope::broker
