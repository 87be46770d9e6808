#include "core/kafka/kafkaproducer.h"

#include "core/kafka/kafkaerrors.h"
#include "core/kafka/kafkalimits.h"

namespace topicscope::kafka
{

using namespace Qt::StringLiterals;

QList<Compression> supportedCompressions()
{
    static const QList<Compression> supported = [] {
        QList<Compression> result;
        rd_kafka_conf_t *conf = rd_kafka_conf_new();
        for (const Compression compression :
             {Compression::None, Compression::Gzip, Compression::Snappy, Compression::Lz4,
              Compression::Zstd}) {
            const QByteArray name = compressionName(compression).toLatin1();
            if (rd_kafka_conf_set(conf, "compression.type", name.constData(), nullptr, 0) ==
                RD_KAFKA_CONF_OK)
                result.append(compression);
        }
        rd_kafka_conf_destroy(conf);
        return result;
    }();
    return supported;
}

Result<std::unique_ptr<KafkaProducer>> KafkaProducer::make(const SessionConfig &config,
                                                           AckPolicy ack, Compression compression)
{
    const bool all = ack == AckPolicy::AcksAll;
    const QMap<QString, QString> properties{
        {u"acks"_s, all ? u"all"_s : ackPolicyName(ack)},
        {u"enable.idempotence"_s, all ? u"true"_s : u"false"_s},
        // Without idempotence a retry by the library could store the record twice.
        {u"retries"_s, all ? u"2147483647"_s : u"0"_s},
        {u"compression.type"_s, compressionName(compression)},
        {u"linger.ms"_s, u"0"_s},
        {u"delivery.timeout.ms"_s, QString::number(config.publishTimeout.count())},
        {u"message.max.bytes"_s, QString::number(kMaxRecordBytes)},
    };
    auto reports = std::make_shared<Reports>();
    auto handle = Handle::make(RD_KAFKA_PRODUCER, config, properties, &onReport, reports);
    if (!handle)
        return std::move(handle).error();
    std::unique_ptr<KafkaProducer> producer(new KafkaProducer);
    producer->m_handle = std::move(handle).value();
    producer->m_reports = std::move(reports);
    producer->m_ack = ack;
    return producer;
}

void KafkaProducer::onReport(rd_kafka_t * /*client*/, const rd_kafka_message_t *message,
                             void *opaque)
{
    Report report;
    report.error = codeOf(message->err);
    report.status = rd_kafka_message_status(message);
    report.offset = message->offset;
    auto type = RD_KAFKA_TIMESTAMP_NOT_AVAILABLE;
    const qint64 timestamp = rd_kafka_message_timestamp(message, &type);
    if (type != RD_KAFKA_TIMESTAMP_NOT_AVAILABLE)
        report.timestampMs = timestamp;
    auto *reports = static_cast<Reports *>(Handle::reportsOf(opaque));
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a number, which cannot dangle
    reports->insert_or_assign(reinterpret_cast<quintptr>(message->_private), report);
}

rd_kafka_resp_err_t KafkaProducer::enqueue(const PublishRequest &request,
                                           const TopicPartition &partition, quint64 number)
{
    const auto bytesOf = [](const std::optional<QByteArray> &bytes) -> const void * {
        return bytes ? bytes->constData() : nullptr; // never null for an empty array
    };
    Headers headers(rd_kafka_headers_new(size_t(request.headers.size())));
    for (const RecordHeader &header : request.headers) {
        rd_kafka_header_add(headers.get(), header.name.constData(), header.name.size(),
                            bytesOf(header.value), header.value ? header.value->size() : -1);
    }
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a number, which cannot dangle
    void *const opaque = reinterpret_cast<void *>(quintptr(number));
    // Not rd_kafka_produceva(): until 2.12 that frees the headers twice when it fails.
    const auto code = rd_kafka_producev(
        m_handle->get(), RD_KAFKA_V_TOPIC(partition.topic.toUtf8().constData()),
        RD_KAFKA_V_PARTITION(partition.partition.value), RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
        RD_KAFKA_V_KEY(const_cast<void *>(bytesOf(request.key)),
                       size_t(request.key ? request.key->size() : 0)),
        RD_KAFKA_V_VALUE(const_cast<void *>(bytesOf(request.value)),
                         size_t(request.value ? request.value->size() : 0)),
        RD_KAFKA_V_HEADERS(headers.get()), RD_KAFKA_V_TIMESTAMP(request.timestampMs.value_or(0)),
        RD_KAFKA_V_OPAQUE(opaque), RD_KAFKA_V_END);
    if (code == RD_KAFKA_RESP_ERR_NO_ERROR)
        (void)headers.release(); // NOLINT(bugprone-unused-return-value): the library's now
    return code;
}

KafkaProducer::Report KafkaProducer::waitForReport(quint64 number, const CallContext &context)
{
    bool purged = false;
    for (;;) {
        m_handle->serve(context.slice());
        if (const auto report = m_reports->find(number); report != m_reports->end()) {
            const Report result = report->second;
            m_reports->erase(report);
            return result;
        }
        if (!purged && (context.interruption() || m_handle->connectionError())) {
            // The library knows whether it had begun to send it, and reports that at once.
            rd_kafka_purge(m_handle->get(), RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
            purged = true;
        }
    }
}

Result<PublishResult> KafkaProducer::publish(const PublishRequest &request,
                                             const TopicPartition &partition,
                                             const CallContext &context)
{
    const ErrorPlace where{partition.topic, partition.partition, {}, m_handle->endpoint(), {}};
    if (!context.mayBeSent())
        return Error::make(ErrorKind::Cancelled, u"given up before it was sent"_s, where);
    m_handle->begin();
    const quint64 number = ++m_lastNumber;
    if (const auto code = enqueue(request, partition, number); code != RD_KAFKA_RESP_ERR_NO_ERROR)
        return fromCode(code, {}, where);

    const Report report = waitForReport(number, context);
    PublishResult result;
    result.partition = partition;
    result.ack = m_ack;
    result.timestampMs = report.timestampMs;
    if (report.error == RD_KAFKA_RESP_ERR_NO_ERROR) {
        // Also without an offset: acks 0, or a duplicate the broker already had.
        if (m_ack != AckPolicy::Acks0 && report.offset >= 0) {
            result.offset = Offset{report.offset};
            result.logEndOffset = Offset{report.offset} + 1;
        }
        return result;
    }

    m_spent = true;
    Error error = fromCode(report.error, {}, where);
    if (report.status != RD_KAFKA_MSG_STATUS_NOT_PERSISTED) {
        error.kind = ErrorKind::OutcomeUnknown;
    } else if (context.stop.stop_requested()) {
        error.kind = ErrorKind::Cancelled;
    } else if (report.error == RD_KAFKA_RESP_ERR__PURGE_QUEUE && context.deadline.hasExpired()) {
        error = fromCode(RD_KAFKA_RESP_ERR__MSG_TIMED_OUT);
    } else if (const auto unreachable = m_handle->connectionError()) {
        error = *unreachable;
    }
    error.where = where;
    return error;
}

} // namespace topicscope::kafka
