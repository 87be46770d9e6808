#include "app/cli/targets.h"

#include "app/cli/commandline.h"

#include <algorithm>

namespace topicscope::cli
{

using namespace Qt::StringLiterals;

namespace
{

/// Of "TOPIC" or "TOPIC/PARTITION".
qsizetype lengthOfTopic(const QString &name)
{
    const qsizetype slash = name.lastIndexOf(u'/');
    return slash < 0 ? name.size() : slash;
}

Result<Target> target(const TopicInfo &topic, const PartitionInfo &partition)
{
    if (partition.error)
        return *partition.error;
    return Target{{topic.name, partition.id},
                  partition.logStartOffset,
                  partition.highWatermark,
                  partition.logStartOffset};
}

struct Named {
    const TopicInfo *topic;
    const PartitionInfo *partition;
};

/// The partitions a name means, whether they can be read or not.
Result<QList<Named>> namedBy(const TopicList &topics, const QString &name)
{
    const qsizetype slash = name.lastIndexOf(u'/');
    const QString topicName = name.first(lengthOfTopic(name));
    const auto topic = std::find_if(topics.begin(), topics.end(),
                                    [&](const TopicInfo &t) { return t.name == topicName; });
    if (topic == topics.end())
        return noSuchTopic(topicName);
    if (topic->error)
        return *topic->error;

    QList<Named> found;
    const std::optional<qint64> wanted = slash < 0
                                             ? std::nullopt
                                             : parseNumber(QStringView(name).sliced(slash + 1), 0,
                                                           std::numeric_limits<qint32>::max());
    for (const PartitionInfo &partition : topic->partitions) {
        if (slash < 0 || partition.id.value == wanted)
            found += {&*topic, &partition};
    }
    if (found.isEmpty()) {
        return Error::make(
            ErrorKind::InvalidArgument,
            u"topic '%1' has no partition '%2'; it has %3"_s.arg(
                topicName, name.sliced(slash + 1), QString::number(topic->partitions.size())));
    }
    return found;
}

} // namespace

QString nameOf(const TopicPartition &partition)
{
    return u"%1/%2"_s.arg(partition.topic, QString::number(partition.partition.value));
}

QStringList topicsOf(const QStringList &names)
{
    QStringList topics;
    for (const QString &name : names)
        topics.append(name.first(lengthOfTopic(name)));
    topics.removeDuplicates();
    return topics;
}

Error noSuchTopic(const QString &name)
{
    return Error::make(
        ErrorKind::InvalidArgument,
        u"the broker has no topic '%1'; 'topicscope-cli topics' lists them"_s.arg(name));
}

Result<QList<Target>> findTargets(const TopicList &topics, const QStringList &names)
{
    QList<Target> all;
    for (const QString &name : names) {
        const Result<QList<Named>> found = namedBy(topics, name);
        if (!found)
            return found.error();
        for (const Named &each : *found) {
            Result<Target> one = target(*each.topic, *each.partition);
            if (!one)
                return std::move(one).error();
            const bool known = std::any_of(all.cbegin(), all.cend(), [&](const Target &t) {
                return t.partition == one->partition;
            });
            if (!known)
                all += std::move(one).value();
        }
    }
    return all;
}

Result<QList<TopicPartition>> findPartitions(const TopicList &topics, const QStringList &names)
{
    QList<TopicPartition> all;
    for (const QString &name : names) {
        const Result<QList<Named>> found = namedBy(topics, name);
        if (!found)
            return found.error();
        for (const Named &each : *found) {
            const TopicPartition partition{each.topic->name, each.partition->id};
            if (!all.contains(partition))
                all += partition;
        }
    }
    return all;
}

} // namespace topicscope::cli
