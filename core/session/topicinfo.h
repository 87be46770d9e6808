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

    /// Number of offsets in the range; not necessarily of records.
    qint64 offsetSpan() const { return highWatermark - logStartOffset; }
    bool operator==(const PartitionInfo &other) const
    {
        return id == other.id && logStartOffset == other.logStartOffset &&
               highWatermark == other.highWatermark && leader == other.leader &&
               replicas == other.replicas && inSyncReplicas == other.inSyncReplicas &&
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

/// How far a reader is behind; never negative, since an answer may run ahead of its high watermark.
constexpr qint64 lagOf(Offset position, Offset highWatermark)
{
    const qint64 lag = highWatermark - position;
    return lag > 0 ? lag : 0;
}

} // namespace topicscope
