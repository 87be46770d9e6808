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

Result<From> From::parse(const QString &text)
{
    if (text == u"start"_s)
        return start();
    if (text == u"end"_s)
        return end();
    const bool relative = text.startsWith(u'-');
    const QStringView digits = relative ? QStringView(text).sliced(1) : QStringView(text);
    if (const auto number = parseNumber(digits, 0, std::numeric_limits<qint64>::max()))
        return From(relative ? Kind::BeforeEnd : Kind::Offset, *number);
    return Error::make(ErrorKind::InvalidArgument,
                       u"--from needs an offset, -N, 'start' or 'end', not '%1'"_s.arg(text));
}

Offset From::in(const Target &target) const
{
    switch (m_kind) {
    case Kind::Start:
        return target.logStart;
    case Kind::End:
        return target.end;
    case Kind::Offset:
        return Offset{m_number};
    case Kind::BeforeEnd:
        break;
    }
    // Compared by what is there, so that no subtraction can overflow.
    return m_number >= target.end - target.logStart ? target.logStart : target.end + -m_number;
}

} // namespace topicscope::cli
