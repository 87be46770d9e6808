#pragma once

#include "core/hash/partitioner.h"

#include <QList>
#include <QString>

namespace topicscope
{

/// What a broker promises when it answers a publish. The policies of different engines are
/// different promises and are never mapped onto each other.
enum class AckPolicy {
    None,    ///< booblik: no answer; nothing is known about the record afterwards
    Written, ///< booblik: in the log; survives a killed broker process, not a power cut
    Forced,  ///< booblik: behind a disk barrier
    Acks0,   ///< Kafka: no answer; nothing is known about the record afterwards
    Acks1,   ///< Kafka: in the leader's log; lost when the leader dies before the others have it
    AcksAll, ///< Kafka: in the log of every replica in sync
};

/// How a record's bytes are packed in the log. Readers unpack them; what is read is the same.
enum class Compression { None, Gzip, Snappy, Lz4, Zstd };

/// Stable lower-case name: "none", "gzip", "snappy", "lz4", "zstd".
QString compressionName(Compression compression);

/// Stable lower-case name: "none", "written", "forced", "0", "1", "all".
QString ackPolicyName(AckPolicy policy);

/// What an engine can do. The UI shows and hides by these; nobody asks which engine it is.
struct Capabilities {
    bool keys = false; ///< records carry a key (otherwise it only selects the partition)
    bool timestamps = false;
    bool headers = false;
    bool transactions = false;    ///< both isolation levels can be chosen
    bool recordChecksums = false; ///< one stored checksum per record
    bool emptyValues = false;     ///< a value of zero bytes can be stored
    bool nullValues = false;      ///< tombstones
    bool groups = false;          ///< consumer groups can be looked at: BrokerSession::groups()
    bool offsetsByTime = false;   ///< BrokerSession::offsetsAtTime() answers
    bool brokers = false;         ///< a cluster: describeCluster() tells its brokers
    bool topicRules = false;      ///< BrokerSession::topicRules() answers
    bool publish = false;
    QList<AckPolicy> ackPolicies;    ///< empty when publish is false; the default first
    QList<Compression> compressions; ///< empty: no choice; the default first
    /// What may choose a partition for a key; first the one the engine's clients use.
    QList<PartitionAlgorithm> partitioners;
    qint64 maxRecordBytes = 0; ///< largest value that can be published, topic name aside

    bool operator==(const Capabilities &) const = default;
};

} // namespace topicscope
