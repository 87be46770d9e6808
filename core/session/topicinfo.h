#pragma once

#include "core/base/error.h"

#include <QList>

#include <optional>

namespace topicscope
{

struct PartitionInfo {
    PartitionId id;
    Offset logStartOffset;      ///< oldest record still kept
    Offset highWatermark;       ///< the next offset to be given
    std::optional<Error> error; ///< this partition cannot be read; the others can
    /// Broker ids, where an engine has several brokers; leader -1: none at the moment.
    std::optional<qint32> leader = std::nullopt;
    QList<qint32> replicas = {};
    QList<qint32> inSyncReplicas = {};
    /// Whether the two offsets were asked for; where not they are 0 and mean nothing.
    bool offsetsKnown = true;
    /// Where reading committed records ends; told where one topic is described alone.
    std::optional<Offset> lastStableOffset = std::nullopt;

    /// Number of offsets in the range; not necessarily of records.
    qint64 offsetSpan() const { return highWatermark - logStartOffset; }
    bool operator==(const PartitionInfo &other) const
    {
        return id == other.id && logStartOffset == other.logStartOffset &&
               highWatermark == other.highWatermark && leader == other.leader &&
               replicas == other.replicas && inSyncReplicas == other.inSyncReplicas &&
               offsetsKnown == other.offsetsKnown && lastStableOffset == other.lastStableOffset &&
               error.has_value() == other.error.has_value();
    }
};

struct TopicInfo {
    QString name;
    QList<PartitionInfo> partitions; ///< in the broker's order
    std::optional<Error> error;      ///< this topic cannot be described; the others can
    bool internal = false;           ///< the broker's own, e.g. "__consumer_offsets"
};

using TopicList = QList<TopicInfo>;

/// What a topic demands of the records published to it, as its broker applies it now.
struct TopicRules {
    /// Only the last record of each key is kept: one without a key is refused, one without a value
    /// deletes its key.
    bool compacted = false;
    std::optional<qint64> maxRecordBytes; ///< as stored, thus compressed; nullopt: not told
    bool limitIsDefault = false;          ///< the broker's for all topics, not this topic's own
    /// What a record takes at least beside its key, value and headers.
    qint64 recordOverhead = 0;

    bool operator==(const TopicRules &) const = default;
};

/// What an operator has to know of a partition's replicas; later ones are worse.
enum class PartitionHealth {
    Ok,
    LeaderNotPreferred, ///< another replica leads than the first in the list; all are in sync
    OutOfSync,          ///< at least one replica is not in sync
    Leaderless,         ///< nobody can read or publish
};

PartitionHealth healthOf(const PartitionInfo &partition);

/// Brokers that hold the partition and are not in sync, in the order of its replicas.
QList<qint32> outOfSyncReplicas(const PartitionInfo &partition);

/// Whether the offsets of some partition were not asked for yet.
bool lacksOffsets(const TopicInfo &topic);

/// How far a reader is behind; never negative, since an answer may run ahead of its high watermark.
constexpr qint64 lagOf(Offset position, Offset highWatermark)
{
    const qint64 lag = highWatermark - position;
    return lag > 0 ? lag : 0;
}

} // namespace topicscope
