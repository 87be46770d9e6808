#pragma once

#include "core/kafka/kafkahandle.h"
#include "core/session/publish.h"

#include <map>
#include <optional>

namespace topicscope::kafka
{

/// What this build of the library can compress with; none at all among them.
QList<Compression> supportedCompressions();

/// Publishes one record at a time with one acks setting and one compression, on a client of its
/// own. With acks=all the client is idempotent: its own retries store a record once. Thread:
/// confined to its owner; blocking.
class KafkaProducer
{
public:
    /// @error InvalidArgument for a property the library refuses.
    static Result<std::unique_ptr<KafkaProducer>> make(const SessionConfig &config, AckPolicy ack,
                                                       Compression compression);

    const HandlePtr &handle() const { return m_handle; }
    /// Whether the client must not be used any more: a publish was cancelled or failed in a way
    /// that leaves a gap in its sequence.
    bool isSpent() const { return m_spent; }

    /// Sends the record to this partition and waits for what became of it.
    /// @error OutcomeUnknown when it may be in the log; every other error: it is not.
    Result<PublishResult> publish(const PublishRequest &request, const TopicPartition &partition,
                                  const CallContext &context);

private:
    struct Report {
        rd_kafka_resp_err_t error = RD_KAFKA_RESP_ERR_NO_ERROR;
        rd_kafka_msg_status_t status = RD_KAFKA_MSG_STATUS_NOT_PERSISTED;
        qint64 offset = -1;
        std::optional<qint64> timestampMs;
    };
    /// By number of publish. A report nobody waits for any more finds no harm to do.
    using Reports = std::map<quint64, Report>;

    KafkaProducer() = default;

    static void onReport(rd_kafka_t *client, const rd_kafka_message_t *message, void *opaque);
    rd_kafka_resp_err_t enqueue(const PublishRequest &request, const TopicPartition &partition,
                                quint64 number);
    Report waitForReport(quint64 number, const CallContext &context);

    HandlePtr m_handle;
    std::shared_ptr<Reports> m_reports; ///< written in serve(), on the owner's thread
    AckPolicy m_ack = AckPolicy::AcksAll;
    quint64 m_lastNumber = 0;
    bool m_spent = false;
};

} // namespace topicscope::kafka
