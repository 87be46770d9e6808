#pragma once

#include "core/booblik/connection.h"
#include "core/hash/partitioner.h"
#include "core/session/topicinfo.h"

#include <QList>

namespace topicscope::booblik
{

/// One topic as METADATA describes it, and the choice of a partition for a key. The partition count
/// is never given by hand.
/// Thread: confined to its owner's.
class TopicHandle
{
public:
    explicit TopicHandle(QString name, PartitionAlgorithm algorithm)
        : m_name(std::move(name))
        , m_partitioner(algorithm)
    {
    }

    const QString &name() const { return m_name; }

    /// Asks METADATA. The partitions stay in the order received: a hash selects from that list.
    /// @error Protocol when the broker lists another topic or no partition; as
    /// Connection::metadata().
    Result<void> refresh(Connection &connection, const CallContext &context);
    const QList<PartitionInfo> &partitions() const { return m_partitions; }
    const PartitionInfo *find(PartitionId id) const;

    void setAlgorithm(PartitionAlgorithm algorithm) { m_partitioner = Partitioner(algorithm); }
    /// The partition for a key. Null: the partitions in turn; the counter moves with every call, so
    /// ask only when the record is sent. Empty: a key like any other.
    /// @error InvalidArgument before the first refresh().
    Result<PartitionId> route(const std::optional<QByteArray> &key);

private:
    QString m_name;
    Partitioner m_partitioner;
    RoundRobin m_inTurn;
    QList<PartitionInfo> m_partitions;
};

/// A topic of a METADATA answer as values; its own and its partitions' `error` say what cannot be
/// true (names or offsets no broker may give out).
TopicInfo toTopicInfo(const wire::MetadataTopic &topic, const QString &endpoint);

/// OFFSET_OUT_OF_RANGE in numbers: overtaken by retention, beyond the end because the log has
/// become shorter, or a hole left by damage.
QString explainOutOfRange(Offset asked, const PartitionInfo &partition);

} // namespace topicscope::booblik
