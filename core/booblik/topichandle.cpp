#include "core/booblik/topichandle.h"

#include "core/booblik/topicname.h"

#include <algorithm>

namespace topicscope::booblik
{

using namespace Qt::StringLiterals;

Result<void> TopicHandle::refresh(Connection &connection, const CallContext &context)
{
    auto answer = connection.metadata({m_name}, context);
    if (!answer)
        return std::move(answer).error();
    const ErrorPlace where{m_name, {}, {}, connection.config().endpoint(), {}};
    if (answer->topics.size() != 1 || answer->topics.first().topicName != m_name) {
        return Error::make(
            ErrorKind::Protocol,
            u"METADATA lists %1 topics, but not the one asked for"_s.arg(answer->topics.size()),
            where);
    }
    TopicInfo topic = toTopicInfo(answer->topics.first(), where.endpoint);
    if (topic.error)
        return *std::move(topic.error);
    m_partitions = std::move(topic.partitions);
    return {};
}

const PartitionInfo *TopicHandle::find(PartitionId id) const
{
    const auto found = std::find_if(m_partitions.cbegin(), m_partitions.cend(),
                                    [id](const PartitionInfo &info) { return info.id == id; });
    return found == m_partitions.cend() ? nullptr : &*found;
}

Result<PartitionId> TopicHandle::route(const std::optional<QByteArray> &key)
{
    const auto count = qint32(m_partitions.size());
    const auto explained = m_partitioner.explain(asBytesOrNull(key), count);
    if (!explained)
        return explained.error();
    if (explained->index)
        return m_partitions.at(*explained->index).id;
    const auto turn = m_inTurn.next(count);
    if (!turn)
        return turn.error();
    return m_partitions.at(*turn).id;
}

TopicInfo toTopicInfo(const wire::MetadataTopic &topic, const QString &endpoint)
{
    TopicInfo info;
    info.name = topic.topicName;
    const ErrorPlace where{topic.topicName, {}, {}, endpoint, {}};
    if (!isValidTopicName(topic.topicName)) {
        info.error =
            Error::make(ErrorKind::Protocol,
                        u"the broker lists a topic whose name it would not accept"_s, where);
    } else if (topic.partitions.isEmpty()) {
        info.error = Error::make(ErrorKind::Protocol, u"the topic has no partition"_s, where);
    }
    info.partitions.reserve(topic.partitions.size());
    for (const wire::MetadataPartition &partition : topic.partitions) {
        PartitionInfo entry;
        entry.id = PartitionId{partition.partitionId};
        entry.logStartOffset = Offset{partition.logStartOffset};
        entry.highWatermark = Offset{partition.highWatermark};
        if (partition.partitionId < 0 || partition.logStartOffset < 0 ||
            partition.highWatermark < partition.logStartOffset) {
            entry.error = Error::make(ErrorKind::Protocol,
                                      u"log start offset %1 and high watermark %2 cannot be"_s
                                          .arg(partition.logStartOffset)
                                          .arg(partition.highWatermark),
                                      {topic.topicName, entry.id, {}, endpoint, {}});
        }
        info.partitions.append(std::move(entry));
    }
    return info;
}

QString explainOutOfRange(Offset asked, const PartitionInfo &partition)
{
    if (asked < partition.logStartOffset) {
        return u"retention has overtaken this position: the log starts at %1 now, %2 records are gone"_s
            .arg(partition.logStartOffset.value)
            .arg(partition.logStartOffset - asked);
    }
    if (asked > partition.highWatermark) {
        return u"%1 lies beyond the end %2: the log has become shorter, or never was that long; "
               "offsets from %2 on will be given to other records"_s.arg(asked.value)
                   .arg(partition.highWatermark.value);
    }
    return u"%1 lies between log start %2 and high watermark %3, but its records are missing: a "
           u"hole "
           "left by damage"_s.arg(asked.value)
               .arg(partition.logStartOffset.value)
               .arg(partition.highWatermark.value);
}

} // namespace topicscope::booblik
