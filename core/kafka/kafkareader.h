#pragma once

#include "core/kafka/kafkarecords.h"
#include "core/kafka/kafkastream.h"

#include <QHash>

namespace topicscope::kafka
{

/// Fetches by offset. A fetch that goes on where the last one of its partition ended finds the
/// library already reading ahead; any other starts anew.
/// Thread: confined to its owner; blocking.
class KafkaReader
{
public:
    explicit KafkaReader(HandlePtr handle)
        : m_handle(std::move(handle))
    {
    }

    /// At least one record, also when it is larger than max bytes, unless the end is reached.
    /// @error Broker (OFFSET_OUT_OF_RANGE, UNKNOWN_TOPIC_OR_PART, ...), Network, Timeout,
    /// Cancelled.
    Result<FetchResult> fetch(const FetchRequest &request, const CallContext &context);

private:
    Result<void> findTopic(const TopicPartition &partition, const CallContext &context);
    Result<void> startAt(const FetchRequest &request, const CallContext &context);
    /// Begun behind the last stable offset, of which the library says nothing: no record, no end.
    bool isBehindStable(const FetchRequest &request) const;
    /// Takes one message in. @return whether the answer is complete.
    Result<bool> take(const rd_kafka_message_t &message, const FetchRequest &request,
                      FetchBuilder &builder, const CallContext &context);
    Result<bool> stepOver(const rd_kafka_message_t &message, FetchBuilder &builder,
                          const CallContext &context);

    struct Reading {
        TopicPartition partition;
        Offset next;
    };

    HandlePtr m_handle;
    QHash<QString, qint32> m_partitions; ///< number of partitions of topics looked at
    std::unique_ptr<MessageStream> m_stream;
    std::optional<Reading> m_reading;
    std::optional<Offset> m_stable; ///< of a committed read, when it was started
    bool m_caughtUp = false;
};

} // namespace topicscope::kafka
