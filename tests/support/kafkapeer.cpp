#include "tests/support/kafkapeer.h"

#include <QDeadlineTimer>

#include <algorithm>
#include <array>

namespace topicscope::test
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kLimitMs = 30'000;
constexpr int kLookMs = 10; ///< between two looks at what a broker is about to do

template <auto destroy>
struct Destroy {
    template <typename T>
    void operator()(T *object) const
    {
        destroy(object);
    }
};
template <typename T, auto destroy>
using Owned = std::unique_ptr<T, Destroy<destroy>>;

using Event = Owned<rd_kafka_event_t, &rd_kafka_event_destroy>;
using Queue = Owned<rd_kafka_queue_t, &rd_kafka_queue_destroy>;
using Partitions = Owned<rd_kafka_topic_partition_list_t, &rd_kafka_topic_partition_list_destroy>;
using Metadata = Owned<const rd_kafka_metadata_t, &rd_kafka_metadata_destroy>;
using Text = std::array<char, 512>;

Error failure(const QString &what)
{
    return Error::make(ErrorKind::Io, what);
}

Error failure(rd_kafka_resp_err_t code, const char *text = nullptr)
{
    return failure(u"%1: %2"_s.arg(QString::fromUtf8(rd_kafka_err2name(code)),
                                   QString::fromUtf8(text ? text : rd_kafka_err2str(code))));
}

Result<void> outcome(rd_kafka_resp_err_t code, const char *text = nullptr)
{
    if (code == RD_KAFKA_RESP_ERR_NO_ERROR)
        return {};
    return failure(code, text);
}

/// Takes the error object, which is null for success.
Result<void> outcome(rd_kafka_error_t *error)
{
    if (!error)
        return {};
    Error result = failure(rd_kafka_error_code(error), rd_kafka_error_string(error));
    rd_kafka_error_destroy(error);
    return result;
}

Result<void> outcome(const rd_kafka_error_t *error)
{
    return outcome(rd_kafka_error_code(error), rd_kafka_error_string(error));
}

Partitions onePartition(const QString &topic, int partition, qint64 offset)
{
    Partitions list(rd_kafka_topic_partition_list_new(1));
    rd_kafka_topic_partition_list_add(list.get(), topic.toUtf8().constData(), partition)->offset =
        offset;
    return list;
}

struct Report {
    rd_kafka_resp_err_t error = RD_KAFKA_RESP_ERR__IN_PROGRESS;
    qint64 offset = -1;
};

void onReport(rd_kafka_t * /*client*/, const rd_kafka_message_t *message, void * /*opaque*/)
{
    auto *report = static_cast<Report *>(message->_private);
    report->error = message->err;
    report->offset = message->offset;
}

KafkaClient makeClient(const KafkaProperties &properties, QString *wrong)
{
    rd_kafka_conf_t *conf = rd_kafka_conf_new();
    KafkaProperties all = {{u"allow.auto.create.topics"_s, u"false"_s},
                           {u"reconnect.backoff.ms"_s, u"20"_s},
                           {u"reconnect.backoff.max.ms"_s, u"200"_s},
                           {u"socket.nagle.disable"_s, u"true"_s}};
    all.insert(properties);
    Text text{};
    for (auto it = all.cbegin(); it != all.cend(); ++it) {
        if (rd_kafka_conf_set(conf, it.key().toUtf8().constData(), it.value().toUtf8().constData(),
                              text.data(), text.size()) != RD_KAFKA_CONF_OK)
            *wrong = QString::fromUtf8(text.data());
    }
    rd_kafka_conf_set_log_cb(conf, nullptr);
    rd_kafka_conf_set_dr_msg_cb(conf, &onReport);
    KafkaClient client(rd_kafka_new(RD_KAFKA_PRODUCER, conf, text.data(), text.size()),
                       &rd_kafka_destroy);
    if (!client) {
        rd_kafka_conf_destroy(conf);
        *wrong = QString::fromUtf8(text.data());
    }
    return client;
}

/// Makes one admin request and waits for its answer.
/// @param enqueue  given the options and the queue for the answer
template <typename Enqueue>
Result<Event> ask(rd_kafka_t *client, Enqueue enqueue)
{
    const Queue queue(rd_kafka_queue_new(client));
    const Owned<rd_kafka_AdminOptions_t, &rd_kafka_AdminOptions_destroy> options(
        rd_kafka_AdminOptions_new(client, RD_KAFKA_ADMIN_OP_ANY));
    Text text{};
    rd_kafka_AdminOptions_set_request_timeout(options.get(), kLimitMs, text.data(), text.size());
    enqueue(options.get(), queue.get());
    Event event(rd_kafka_queue_poll(queue.get(), 2 * kLimitMs));
    if (!event)
        return failure(u"no answer to an admin request"_s);
    if (rd_kafka_event_error(event.get()) != RD_KAFKA_RESP_ERR_NO_ERROR)
        return failure(rd_kafka_event_error(event.get()), rd_kafka_event_error_string(event.get()));
    return event;
}

/// The first error of topics that were created or deleted.
Result<void> outcome(const rd_kafka_topic_result_t **topics, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (auto done = outcome(rd_kafka_topic_result_error(topics[i]),
                                rd_kafka_topic_result_error_string(topics[i]));
            !done)
            return done;
    }
    return {};
}

Result<void> outcome(const rd_kafka_topic_partition_list_t *list)
{
    for (int i = 0; i < list->cnt; ++i) {
        if (list->elems[i].err != RD_KAFKA_RESP_ERR_NO_ERROR)
            return failure(list->elems[i].err);
    }
    return {};
}

/// Of one topic, or of all when it is empty.
Result<Metadata> metadataOf(rd_kafka_t *client, const QString &topic)
{
    const Owned<rd_kafka_topic_t, &rd_kafka_topic_destroy> wanted(
        topic.isEmpty() ? nullptr
                        : rd_kafka_topic_new(client, topic.toUtf8().constData(), nullptr));
    const rd_kafka_metadata_t *metadata = nullptr;
    const auto code = rd_kafka_metadata(client, wanted ? 0 : 1, wanted.get(), &metadata, kLimitMs);
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR)
        return failure(code);
    return Metadata(metadata);
}

/// Looks again until `reached` says so or an error comes.
template <typename Reached>
Result<void> waitUntil(rd_kafka_t *client, Reached reached)
{
    const QDeadlineTimer deadline(kLimitMs);
    while (true) {
        Result<bool> now = reached();
        if (!now)
            return std::move(now).error();
        if (now.value())
            return {};
        if (deadline.hasExpired())
            return failure(u"the cluster did not get there in time"_s);
        rd_kafka_poll(client, kLookMs);
    }
}

} // namespace

PeerProducer::PeerProducer(const QString &bootstrap, const KafkaProperties &properties)
    : m_client(nullptr, &rd_kafka_destroy)
{
    KafkaProperties all = {{u"bootstrap.servers"_s, bootstrap}};
    all.insert(properties);
    m_client = makeClient(all, &m_wrong);
}

PeerProducer::PeerProducer(const KafkaProperties &properties)
    : m_client(makeClient(properties, &m_wrong))
{
}

Result<QList<qint64>> PeerProducer::produce(const QString &topic, const QList<PeerRecord> &records)
{
    if (!m_wrong.isEmpty())
        return failure(m_wrong);
    // What a first record waits for otherwise.
    if (auto known = metadataOf(m_client.get(), topic); !known)
        return std::move(known).error();
    // Written by callbacks that run in here alone: flush() below waits for the last.
    std::vector<Report> reports(size_t(records.size()));
    Result<void> sent;
    for (qsizetype i = 0; i < records.size() && sent; ++i)
        sent = enqueue(topic, records.at(i), &reports[size_t(i)]);
    if (rd_kafka_flush(m_client.get(), kLimitMs) != RD_KAFKA_RESP_ERR_NO_ERROR) {
        rd_kafka_purge(m_client.get(), RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
        rd_kafka_flush(m_client.get(), kLimitMs);
    }
    if (!sent)
        return std::move(sent).error();
    QList<qint64> offsets;
    for (const Report &report : reports) {
        if (report.error != RD_KAFKA_RESP_ERR_NO_ERROR)
            return failure(report.error);
        offsets.append(report.offset);
    }
    return offsets;
}

Result<void> PeerProducer::enqueue(const QString &topic, const PeerRecord &record, void *report)
{
    const auto bytes = [](const std::optional<QByteArray> &field) {
        return field ? const_cast<char *>(field->constData()) : nullptr;
    };
    const auto size = [](const std::optional<QByteArray> &field) {
        return field ? size_t(field->size()) : size_t(0);
    };
    rd_kafka_headers_t *headers = rd_kafka_headers_new(size_t(record.headers.size()));
    for (const auto &[name, value] : record.headers)
        rd_kafka_header_add(headers, name.constData(), name.size(), bytes(value),
                            qsizetype(size(value)));
    while (true) {
        const auto code = rd_kafka_producev(
            m_client.get(), RD_KAFKA_V_TOPIC(topic.toUtf8().constData()),
            RD_KAFKA_V_PARTITION(record.partition), RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
            RD_KAFKA_V_KEY(bytes(record.key), size(record.key)),
            RD_KAFKA_V_VALUE(bytes(record.value), size(record.value)),
            RD_KAFKA_V_TIMESTAMP(record.timestampMs), RD_KAFKA_V_HEADERS(headers),
            RD_KAFKA_V_OPAQUE(report), RD_KAFKA_V_END);
        if (code == RD_KAFKA_RESP_ERR__QUEUE_FULL) {
            rd_kafka_poll(m_client.get(), kLookMs);
            continue;
        }
        if (code != RD_KAFKA_RESP_ERR_NO_ERROR)
            rd_kafka_headers_destroy(headers); // otherwise it is librdkafka's
        return outcome(code);
    }
}

Result<void> PeerProducer::begin()
{
    if (!m_wrong.isEmpty())
        return failure(m_wrong);
    if (!m_initialised) {
        if (auto done = outcome(rd_kafka_init_transactions(m_client.get(), kLimitMs)); !done)
            return done;
        m_initialised = true;
    }
    return outcome(rd_kafka_begin_transaction(m_client.get()));
}

Result<void> PeerProducer::commit()
{
    return outcome(rd_kafka_commit_transaction(m_client.get(), kLimitMs));
}

Result<void> PeerProducer::abort()
{
    return outcome(rd_kafka_abort_transaction(m_client.get(), kLimitMs));
}

Result<void> PeerProducer::sendOffset(const QString &group, const QString &topic, int partition,
                                      qint64 offset)
{
    const Owned<rd_kafka_consumer_group_metadata_t, &rd_kafka_consumer_group_metadata_destroy>
        member(rd_kafka_consumer_group_metadata_new(group.toUtf8().constData()));
    const Partitions list = onePartition(topic, partition, offset);
    return outcome(
        rd_kafka_send_offsets_to_transaction(m_client.get(), list.get(), member.get(), kLimitMs));
}

KafkaPeer::KafkaPeer(const QString &bootstrap)
    : m_bootstrap(bootstrap)
    , m_client(nullptr, &rd_kafka_destroy)
{
    QString wrong;
    m_client = makeClient({{u"bootstrap.servers"_s, bootstrap}}, &wrong);
    Q_ASSERT_X(m_client, "KafkaPeer", qPrintable(wrong));
}

Result<void> KafkaPeer::createTopic(const QString &topic, int partitions,
                                    const KafkaProperties &configs, int replicas)
{
    return create(topic, partitions, replicas, {}, configs);
}

Result<void> KafkaPeer::createTopicOn(const QString &topic, const QList<QList<qint32>> &replicas)
{
    return create(topic, int(replicas.size()), -1, replicas, {});
}

Result<void> KafkaPeer::create(const QString &topic, int partitions, int replicas,
                               const QList<QList<qint32>> &assignment,
                               const KafkaProperties &configs)
{
    Text text{};
    const Owned<rd_kafka_NewTopic_t, &rd_kafka_NewTopic_destroy> wanted(rd_kafka_NewTopic_new(
        topic.toUtf8().constData(), partitions, replicas, text.data(), text.size()));
    if (!wanted)
        return failure(QString::fromUtf8(text.data()));
    for (qsizetype i = 0; i < assignment.size(); ++i) {
        QList<qint32> nodes = assignment.at(i);
        const auto assigned = rd_kafka_NewTopic_set_replica_assignment(
            wanted.get(), int(i), nodes.data(), size_t(nodes.size()), text.data(), text.size());
        if (assigned != RD_KAFKA_RESP_ERR_NO_ERROR)
            return failure(assigned, text.data());
    }
    for (auto it = configs.cbegin(); it != configs.cend(); ++it)
        rd_kafka_NewTopic_set_config(wanted.get(), it.key().toUtf8().constData(),
                                     it.value().toUtf8().constData());
    auto event = ask(m_client.get(), [&](const auto *options, auto *queue) {
        rd_kafka_NewTopic_t *topics = wanted.get();
        rd_kafka_CreateTopics(m_client.get(), &topics, 1, options, queue);
    });
    if (!event)
        return std::move(event).error();
    size_t count = 0;
    const auto **results = rd_kafka_CreateTopics_result_topics(
        rd_kafka_event_CreateTopics_result(event->get()), &count);
    if (auto created = outcome(results, count); !created)
        return created;
    auto led = waitUntil(m_client.get(), [&]() -> Result<bool> {
        auto metadata = metadataOf(m_client.get(), topic);
        if (!metadata)
            return std::move(metadata).error();
        const rd_kafka_metadata_topic &seen = metadata.value()->topics[0];
        return seen.err == RD_KAFKA_RESP_ERR_NO_ERROR && seen.partition_cnt == partitions &&
               std::all_of(seen.partitions, seen.partitions + seen.partition_cnt,
                           [](const auto &partition) { return partition.leader >= 0; });
    });
    // A broker may be named the leader before it knows that itself.
    for (int i = 0; led && i < partitions; ++i)
        led =
            waitUntil(m_client.get(), [&]() -> Result<bool> { return watermarks(topic, i).ok(); });
    return led;
}

Result<void> KafkaPeer::deleteTopic(const QString &topic)
{
    const Owned<rd_kafka_DeleteTopic_t, &rd_kafka_DeleteTopic_destroy> wanted(
        rd_kafka_DeleteTopic_new(topic.toUtf8().constData()));
    auto event = ask(m_client.get(), [&](const auto *options, auto *queue) {
        rd_kafka_DeleteTopic_t *topics = wanted.get();
        rd_kafka_DeleteTopics(m_client.get(), &topics, 1, options, queue);
    });
    if (!event)
        return std::move(event).error();
    size_t count = 0;
    const auto **results = rd_kafka_DeleteTopics_result_topics(
        rd_kafka_event_DeleteTopics_result(event->get()), &count);
    if (auto deleted = outcome(results, count); !deleted)
        return deleted;
    return waitUntil(m_client.get(), [&]() -> Result<bool> {
        auto all = topics();
        if (!all)
            return std::move(all).error();
        return !all->contains(topic);
    });
}

Result<void> KafkaPeer::deleteRecords(const QString &topic, int partition, qint64 offset)
{
    const Partitions list = onePartition(topic, partition, offset);
    const Owned<rd_kafka_DeleteRecords_t, &rd_kafka_DeleteRecords_destroy> wanted(
        rd_kafka_DeleteRecords_new(list.get()));
    auto event = ask(m_client.get(), [&](const auto *options, auto *queue) {
        rd_kafka_DeleteRecords_t *records = wanted.get();
        rd_kafka_DeleteRecords(m_client.get(), &records, 1, options, queue);
    });
    if (!event)
        return std::move(event).error();
    return outcome(
        rd_kafka_DeleteRecords_result_offsets(rd_kafka_event_DeleteRecords_result(event->get())));
}

Result<QList<qint64>> KafkaPeer::produce(const QString &topic, const QList<PeerRecord> &records,
                                         const KafkaProperties &properties) const
{
    return PeerProducer(m_bootstrap, properties).produce(topic, records);
}

Result<QStringList> KafkaPeer::topics() const
{
    auto metadata = metadataOf(m_client.get(), {});
    if (!metadata)
        return std::move(metadata).error();
    QStringList names;
    for (int i = 0; i < metadata.value()->topic_cnt; ++i)
        names += QString::fromUtf8(metadata.value()->topics[i].topic);
    names.sort();
    return names;
}

Result<QStringList> KafkaPeer::groups()
{
    auto event = ask(m_client.get(), [&](const auto *options, auto *queue) {
        rd_kafka_ListConsumerGroups(m_client.get(), options, queue);
    });
    if (!event)
        return std::move(event).error();
    const auto *result = rd_kafka_event_ListConsumerGroups_result(event->get());
    size_t count = 0;
    if (const auto **errors = rd_kafka_ListConsumerGroups_result_errors(result, &count); count > 0)
        return outcome(errors[0]).error();
    const auto **groups = rd_kafka_ListConsumerGroups_result_valid(result, &count);
    QStringList names;
    for (size_t i = 0; i < count; ++i)
        names += QString::fromUtf8(rd_kafka_ConsumerGroupListing_group_id(groups[i]));
    names.sort();
    names.removeDuplicates();
    return names;
}

Result<int> KafkaPeer::leader(const QString &topic, int partition) const
{
    auto metadata = metadataOf(m_client.get(), topic);
    if (!metadata)
        return std::move(metadata).error();
    const rd_kafka_metadata_topic &seen = metadata.value()->topics[0];
    for (int i = 0; i < seen.partition_cnt; ++i) {
        if (seen.partitions[i].id == partition)
            return seen.partitions[i].leader;
    }
    return failure(seen.err == RD_KAFKA_RESP_ERR_NO_ERROR ? RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION
                                                          : seen.err);
}

Result<std::pair<qint64, qint64>> KafkaPeer::watermarks(const QString &topic, int partition) const
{
    int64_t first = -1;
    int64_t end = -1;
    const auto code = rd_kafka_query_watermark_offsets(m_client.get(), topic.toUtf8().constData(),
                                                       partition, &first, &end, kLimitMs);
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR)
        return failure(code);
    return std::pair<qint64, qint64>(first, end);
}

Result<std::optional<qint64>> KafkaPeer::committed(const QString &group, const QString &topic,
                                                   int partition)
{
    const Partitions list = onePartition(topic, partition, RD_KAFKA_OFFSET_INVALID);
    const Owned<rd_kafka_ListConsumerGroupOffsets_t, &rd_kafka_ListConsumerGroupOffsets_destroy>
        wanted(rd_kafka_ListConsumerGroupOffsets_new(group.toUtf8().constData(), list.get()));
    auto event = ask(m_client.get(), [&](const auto *options, auto *queue) {
        rd_kafka_ListConsumerGroupOffsets_t *groups = wanted.get();
        rd_kafka_ListConsumerGroupOffsets(m_client.get(), &groups, 1, options, queue);
    });
    if (!event)
        return std::move(event).error();
    size_t count = 0;
    const auto **groups = rd_kafka_ListConsumerGroupOffsets_result_groups(
        rd_kafka_event_ListConsumerGroupOffsets_result(event->get()), &count);
    if (const auto *error = rd_kafka_group_result_error(groups[0]))
        return outcome(error).error();
    const auto *found = rd_kafka_group_result_partitions(groups[0]);
    if (auto done = outcome(found); !done)
        return std::move(done).error();
    const qint64 offset = found->elems[0].offset;
    return offset < 0 ? std::optional<qint64>() : std::optional<qint64>(offset);
}

Result<void> KafkaPeer::commitOffset(const QString &group, const QString &topic, int partition,
                                     qint64 offset)
{
    // The first group of a cluster makes the topic that keeps them, which takes a moment.
    return waitUntil(m_client.get(), [&]() -> Result<bool> {
        const auto done = tryToCommit(group, topic, partition, offset);
        if (done || done.error().detail.contains(u"COORDINATOR"_s))
            return done.ok();
        return done.error();
    });
}

Result<void> KafkaPeer::tryToCommit(const QString &group, const QString &topic, int partition,
                                    qint64 offset)
{
    const Partitions list = onePartition(topic, partition, offset);
    const Owned<rd_kafka_AlterConsumerGroupOffsets_t, &rd_kafka_AlterConsumerGroupOffsets_destroy>
        wanted(rd_kafka_AlterConsumerGroupOffsets_new(group.toUtf8().constData(), list.get()));
    auto event = ask(m_client.get(), [&](const auto *options, auto *queue) {
        rd_kafka_AlterConsumerGroupOffsets_t *groups = wanted.get();
        rd_kafka_AlterConsumerGroupOffsets(m_client.get(), &groups, 1, options, queue);
    });
    if (!event)
        return std::move(event).error();
    size_t count = 0;
    const auto **groups = rd_kafka_AlterConsumerGroupOffsets_result_groups(
        rd_kafka_event_AlterConsumerGroupOffsets_result(event->get()), &count);
    if (const auto *error = rd_kafka_group_result_error(groups[0]))
        return outcome(error);
    return outcome(rd_kafka_group_result_partitions(groups[0]));
}

Result<void> KafkaPeer::allow(const QString &user, rd_kafka_ResourceType_t type,
                              const QString &resource, rd_kafka_AclOperation_t operation)
{
    Text text{};
    const QByteArray principal = "User:" + user.toUtf8();
    const Owned<rd_kafka_AclBinding_t, &rd_kafka_AclBinding_destroy> wanted(rd_kafka_AclBinding_new(
        type, resource.toUtf8().constData(), RD_KAFKA_RESOURCE_PATTERN_LITERAL,
        principal.constData(), "*", operation, RD_KAFKA_ACL_PERMISSION_TYPE_ALLOW, text.data(),
        text.size()));
    if (!wanted)
        return failure(QString::fromUtf8(text.data()));
    auto event = ask(m_client.get(), [&](const auto *options, auto *queue) {
        rd_kafka_AclBinding_t *bindings = wanted.get();
        rd_kafka_CreateAcls(m_client.get(), &bindings, 1, options, queue);
    });
    if (!event)
        return std::move(event).error();
    size_t count = 0;
    const auto **results =
        rd_kafka_CreateAcls_result_acls(rd_kafka_event_CreateAcls_result(event->get()), &count);
    for (size_t i = 0; i < count; ++i) {
        if (const auto *error = rd_kafka_acl_result_error(results[i]))
            return outcome(error);
    }
    // Whoever decides by it learns of it after the answer.
    const Owned<rd_kafka_AclBindingFilter_t, &rd_kafka_AclBinding_destroy> same(
        rd_kafka_AclBindingFilter_new(type, resource.toUtf8().constData(),
                                      RD_KAFKA_RESOURCE_PATTERN_LITERAL, principal.constData(), "*",
                                      operation, RD_KAFKA_ACL_PERMISSION_TYPE_ALLOW, text.data(),
                                      text.size()));
    if (!same)
        return failure(QString::fromUtf8(text.data()));
    return waitUntil(m_client.get(), [&]() -> Result<bool> {
        auto described = ask(m_client.get(), [&](const auto *options, auto *queue) {
            rd_kafka_DescribeAcls(m_client.get(), same.get(), options, queue);
        });
        if (!described)
            return std::move(described).error();
        size_t found = 0;
        rd_kafka_DescribeAcls_result_acls(rd_kafka_event_DescribeAcls_result(described->get()),
                                          &found);
        return found > 0;
    });
}

} // namespace topicscope::test
