#include "core/kafka/kafkagroups.h"

#include "core/kafka/kafkaadmin.h"
#include "core/kafka/kafkaerrors.h"
#include "core/kafka/kafkametadata.h"
#include "core/kafka/kafkaoffsets.h"

#include <QMap>
#include <QSet>

#include <algorithm>
#include <array>
#include <span>

namespace topicscope::kafka
{

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{

using GroupRequest = std::unique_ptr<rd_kafka_ListConsumerGroupOffsets_t,
                                     Destroy<&rd_kafka_ListConsumerGroupOffsets_destroy>>;

/// A broker that is down is waited for this long, while the others have answered at once.
constexpr std::chrono::milliseconds kListPatience = 10s;
constexpr std::chrono::milliseconds kRetryPause = 100ms;
/// Where coordinators keep groups. Asking for a coordinator makes a broker create it.
constexpr auto kOffsetsTopic = "__consumer_offsets"_L1;

std::optional<Error> errorOf(const rd_kafka_error_t *error, const HandlePtr &handle)
{
    if (!error || rd_kafka_error_code(error) == RD_KAFKA_RESP_ERR_NO_ERROR)
        return std::nullopt;
    return fromCode(rd_kafka_error_code(error), QString::fromUtf8(rd_kafka_error_string(error)),
                    {{}, {}, {}, handle->endpoint(), {}});
}

/// By name, since later versions of the library know more states.
GroupState stateOf(rd_kafka_consumer_group_state_t state)
{
    const QString name = QString::fromUtf8(rd_kafka_consumer_group_state_name(state));
    for (const GroupState known :
         {GroupState::PreparingRebalance, GroupState::CompletingRebalance, GroupState::Assigning,
          GroupState::Reconciling, GroupState::Stable, GroupState::Empty, GroupState::Dead}) {
        if (name == groupStateName(known))
            return known;
    }
    return GroupState::Unknown;
}

QString textOf(const char *text)
{
    return QString::fromUtf8(text ? text : "");
}

/// Asks again as long as the group's coordinator is just being moved, or elected.
template <typename T>
Result<T> retried(const HandlePtr &handle, const std::function<Result<T>()> &once,
                  const CallContext &context)
{
    Result<T> answer = once();
    while (!answer && answer.error().kind == ErrorKind::Broker && answer.error().retriable) {
        const QDeadlineTimer pause(kRetryPause);
        const auto interrupted = handle->waitFor(
            [&](std::chrono::milliseconds slice) {
                handle->serve(slice);
                return pause.hasExpired();
            },
            context);
        if (interrupted && interrupted->kind == ErrorKind::Cancelled)
            return *interrupted;
        if (interrupted)
            break; // the broker's refusal says more than that time is up
        answer = once();
    }
    return answer;
}

GroupMember toMember(const rd_kafka_MemberDescription_t *member)
{
    GroupMember result{textOf(rd_kafka_MemberDescription_consumer_id(member)),
                       textOf(rd_kafka_MemberDescription_client_id(member)),
                       textOf(rd_kafka_MemberDescription_host(member)),
                       textOf(rd_kafka_MemberDescription_group_instance_id(member)),
                       {}};
    if (result.host.startsWith(u'/')) // as Java prints an address without a name
        result.host.remove(0, 1);
    const auto *assignment = rd_kafka_MemberDescription_assignment(member);
    const auto *list = assignment ? rd_kafka_MemberAssignment_partitions(assignment) : nullptr;
    for (int i = 0; list && i < list->cnt; ++i)
        result.assignment.append({textOf(list->elems[i].topic), //
                                  PartitionId{list->elems[i].partition}});
    std::ranges::sort(result.assignment);
    return result;
}

/// State and members, without offsets.
Result<GroupInfo> describeMembers(const HandlePtr &handle, const QString &id,
                                  const CallContext &context)
{
    const QByteArray name = id.toUtf8();
    const auto event = askAdmin(
        handle, RD_KAFKA_ADMIN_OP_DESCRIBECONSUMERGROUPS,
        [&name](rd_kafka_t *client, const rd_kafka_AdminOptions_t *options,
                rd_kafka_queue_t *queue) {
            std::array<const char *, 1> names{name.constData()};
            rd_kafka_DescribeConsumerGroups(client, names.data(), names.size(), options, queue);
        },
        context);
    if (!event)
        return event.error();
    size_t count = 0;
    const auto *const *groups = rd_kafka_DescribeConsumerGroups_result_groups(
        rd_kafka_event_DescribeConsumerGroups_result(event->get()), &count);
    if (count == 0)
        return Error::make(ErrorKind::Protocol, u"no group in the answer"_s);
    const auto *group = groups[0];
    if (auto error = errorOf(rd_kafka_ConsumerGroupDescription_error(group), handle))
        return std::move(*error);

    GroupInfo info;
    info.summary.id = id;
    info.summary.state = stateOf(rd_kafka_ConsumerGroupDescription_state(group));
    info.summary.isSimple = rd_kafka_ConsumerGroupDescription_is_simple_consumer_group(group) != 0;
    if (const auto *node = rd_kafka_ConsumerGroupDescription_coordinator(group)) {
        info.summary.coordinatorId = rd_kafka_Node_id(node);
        info.summary.coordinator =
            u"%1:%2"_s.arg(textOf(rd_kafka_Node_host(node))).arg(rd_kafka_Node_port(node));
    }
    info.assignor = textOf(rd_kafka_ConsumerGroupDescription_partition_assignor(group));
    const size_t members = rd_kafka_ConsumerGroupDescription_member_count(group);
    for (size_t i = 0; i < members; ++i)
        info.members.append(toMember(rd_kafka_ConsumerGroupDescription_member(group, i)));
    std::ranges::sort(info.members, {}, &GroupMember::memberId);
    return info;
}

GroupOffset toCommitted(const rd_kafka_topic_partition_t &element, const QString &endpoint)
{
    GroupOffset row;
    row.partition = {textOf(element.topic), PartitionId{element.partition}};
    if (const auto code = codeOf(element.err); code != RD_KAFKA_RESP_ERR_NO_ERROR) {
        row.error =
            fromCode(code, {}, {row.partition.topic, row.partition.partition, {}, endpoint, {}});
    }
    if (element.offset >= 0)
        row.committed = Offset{element.offset};
    row.metadata = QString::fromUtf8(static_cast<const char *>(element.metadata),
                                     qsizetype(element.metadata_size));
    return row;
}

Result<QList<GroupOffset>> committedOffsets(const HandlePtr &handle, const QString &id,
                                            const CallContext &context)
{
    const GroupRequest request(
        rd_kafka_ListConsumerGroupOffsets_new(id.toUtf8().constData(), nullptr));
    const auto event = askAdmin(
        handle, RD_KAFKA_ADMIN_OP_LISTCONSUMERGROUPOFFSETS,
        [&request](rd_kafka_t *client, const rd_kafka_AdminOptions_t *options,
                   rd_kafka_queue_t *queue) {
            std::array<rd_kafka_ListConsumerGroupOffsets_t *, 1> requests{request.get()};
            rd_kafka_ListConsumerGroupOffsets(client, requests.data(), requests.size(), options,
                                              queue);
        },
        context);
    if (!event)
        return event.error();
    size_t count = 0;
    const auto *const *groups = rd_kafka_ListConsumerGroupOffsets_result_groups(
        rd_kafka_event_ListConsumerGroupOffsets_result(event->get()), &count);
    if (count == 0)
        return Error::make(ErrorKind::Protocol, u"no group in the answer"_s);
    if (auto error = errorOf(rd_kafka_group_result_error(groups[0]), handle))
        return std::move(*error);
    QList<GroupOffset> rows;
    const auto *list = rd_kafka_group_result_partitions(groups[0]);
    for (int i = 0; list && i < list->cnt; ++i)
        rows.append(toCommitted(list->elems[i], handle->endpoint()));
    return rows;
}

/// Topics of the group as they are now; one that is gone is not asked for its end, for which the
/// library would wait until time is up.
QHash<QString, Result<TopicInfo>> topicsOf(const HandlePtr &handle,
                                           const QList<GroupOffset> &committed,
                                           const QList<GroupMember> &members,
                                           const CallContext &context)
{
    QSet<QString> names;
    for (const GroupOffset &row : committed)
        names.insert(row.partition.topic);
    for (const GroupMember &member : members) {
        for (const TopicPartition &partition : member.assignment)
            names.insert(partition.topic);
    }
    QHash<QString, Result<TopicInfo>> topics;
    const auto found = describeTopics(handle, names.values(), context);
    for (const QString &name : std::as_const(names)) {
        topics.insert(name, found ? fromCode(RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART, {},
                                             {name, {}, {}, handle->endpoint(), {}})
                                  : found.error());
    }
    if (found) {
        for (const TopicInfo &topic : *found)
            topics.insert(topic.name, topic.error ? Result<TopicInfo>(*topic.error) : topic);
    }
    return topics;
}

void addEnds(const HandlePtr &handle, QList<GroupOffset> &rows, const CallContext &context)
{
    std::vector<TopicPartition> readable;
    for (const GroupOffset &row : rows) {
        if (!row.gone && !row.error)
            readable.push_back(row.partition);
    }
    if (readable.empty())
        return;
    const auto ends = offsetsFor(handle, readable, kLatest, context);
    for (GroupOffset &row : rows) {
        if (row.gone || row.error)
            continue;
        if (!ends) {
            row.error = ends.error();
        } else if (const auto end = ends->constFind(row.partition); end != ends->cend()) {
            if (!*end)
                row.error = end->error();
            else if (end->value() >= 0)
                row.end = Offset{end->value()};
        }
    }
}

Error noSuchGroup(const HandlePtr &handle, const QString &id)
{
    return Error::make(ErrorKind::InvalidArgument, u"there is no group '%1'"_s.arg(id),
                       {{}, {}, {}, handle->endpoint(), {}});
}

/// Brokers call a group dead that is not there, and, asked by an older library, one of the newer
/// kind (KIP-848, group.protocol=consumer): only the list tells these apart.
Result<void> settleDead(const HandlePtr &handle, GroupInfo &info, const CallContext &context)
{
    const auto list = listGroups(handle, context);
    if (!list)
        return list.error().kind == ErrorKind::Cancelled ? Result<void>(list.error())
                                                         : Result<void>();
    const auto listed = std::ranges::find(list->groups, info.summary.id, &GroupSummary::id);
    if (listed == list->groups.end()) {
        return list->errors.isEmpty() && info.offsets.isEmpty() && !info.offsetsError
                   ? Result<void>(noSuchGroup(handle, info.summary.id))
                   : Result<void>();
    }
    info.summary.state = listed->state;
    if (listed->state != GroupState::Dead && listed->state != GroupState::Empty) {
        info.membersError = Error::make(
            ErrorKind::Unsupported,
            u"members of a group of this kind (group.protocol=consumer) need librdkafka 2.10; "
            "this is %1"_s.arg(QLatin1StringView(rd_kafka_version_str())));
    }
    return {};
}

} // namespace

Result<GroupList> listGroups(const HandlePtr &handle, const CallContext &context)
{
    const auto event = askAdmin(
        handle, RD_KAFKA_ADMIN_OP_LISTCONSUMERGROUPS,
        [](rd_kafka_t *client, const rd_kafka_AdminOptions_t *options, rd_kafka_queue_t *queue) {
            rd_kafka_ListConsumerGroups(client, options, queue);
        },
        context.within(kListPatience));
    if (!event)
        return event.error();
    const auto *result = rd_kafka_event_ListConsumerGroups_result(event->get());
    size_t count = 0;
    const auto *const *groups = rd_kafka_ListConsumerGroups_result_valid(result, &count);
    QMap<QString, GroupSummary> byId; // before 2.14.2 one may come twice
    for (const auto *group : std::span(groups, count)) {
        GroupSummary summary;
        summary.id = textOf(rd_kafka_ConsumerGroupListing_group_id(group));
        summary.state = stateOf(rd_kafka_ConsumerGroupListing_state(group));
        summary.isSimple = rd_kafka_ConsumerGroupListing_is_simple_consumer_group(group) != 0;
        byId.insert(summary.id, summary);
    }
    GroupList list;
    list.groups = byId.values();
    const auto *const *errors = rd_kafka_ListConsumerGroups_result_errors(result, &count);
    for (const auto *error : std::span(errors, count)) {
        if (auto known = errorOf(error, handle))
            list.errors.append(std::move(*known));
    }
    return list;
}

Result<GroupInfo> describeGroup(const HandlePtr &handle, const QString &id,
                                const CallContext &context)
{
    const auto store = describeTopic(handle, kOffsetsTopic, context);
    if (!store && store.error().brokerCode == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART)
        return noSuchGroup(handle, id);

    auto described = retried<GroupInfo>(
        handle, [&] { return describeMembers(handle, id, context); }, context);
    if (!described && described.error().kind != ErrorKind::Broker &&
        described.error().kind != ErrorKind::Unsupported)
        return described;
    const auto committed = retried<QList<GroupOffset>>(
        handle, [&] { return committedOffsets(handle, id, context); }, context);
    if (!committed && (!described || committed.error().kind == ErrorKind::Cancelled))
        return committed.error();

    GroupInfo info;
    info.summary.id = id;
    if (described)
        info = std::move(described).value();
    else
        info.membersError = described.error();
    if (committed) {
        const auto topics = topicsOf(handle, *committed, info.members, context);
        info.offsets = groupRows(*committed, info.members, topics);
        addEnds(handle, info.offsets, context);
    } else {
        info.offsetsError = committed.error();
    }
    if (info.summary.state == GroupState::Dead && info.members.isEmpty()) {
        if (auto settled = settleDead(handle, info, context); !settled)
            return std::move(settled).error();
    }
    if (context.stop.stop_requested())
        return Error::make(ErrorKind::Cancelled, {});
    return info;
}

QList<GroupOffset> groupRows(const QList<GroupOffset> &committed, const QList<GroupMember> &members,
                             const QHash<QString, Result<TopicInfo>> &topics)
{
    QMap<TopicPartition, GroupOffset> rows;
    const auto row = [&rows](const TopicPartition &partition) -> GroupOffset & {
        GroupOffset &found = rows[partition];
        found.partition = partition;
        return found;
    };
    for (const GroupOffset &known : committed)
        row(known.partition) = known;
    for (const GroupMember &member : members) {
        for (const TopicPartition &partition : member.assignment)
            row(partition);
    }
    QSet<TopicPartition> there;
    for (auto topic = topics.cbegin(); topic != topics.cend(); ++topic) {
        if (!*topic)
            continue;
        for (const PartitionInfo &partition : topic->value().partitions) {
            const TopicPartition key{topic.key(), partition.id};
            there.insert(key);
            GroupOffset &known = row(key);
            if (known.error)
                continue;
            if (partition.error)
                known.error = partition.error;
            else if (partition.leader == -1)
                known.error = fromCode(RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE, {},
                                       {key.topic, key.partition, {}, {}, {}});
        }
    }
    for (GroupOffset &known : rows) {
        const auto topic = topics.constFind(known.partition.topic);
        if (there.contains(known.partition) || topic == topics.cend())
            continue;
        if (*topic || topic->error().brokerCode == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART)
            known.gone = true;
        else if (!known.error)
            known.error = topic->error();
    }
    return rows.values();
}

} // namespace topicscope::kafka
