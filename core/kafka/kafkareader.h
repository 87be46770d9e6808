#pragma once

#include "core/kafka/kafkarecords.h"
#include "core/kafka/kafkastream.h"

#include <QHash>

namespace topicscope::kafka
{

/// Fetches by offset. A fetch that goes on where the last one of its partition ended finds the
/// library already reading ahead, and so does one that was expected; any other starts anew.
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

    /// Fetches that come next: with the first of these, the library reads for the few behind it,
    /// too. In place of those expected before.
    void expect(const std::vector<FetchRequest> &requests);

private:
    bool isKnown(const TopicPartition &partition) const;
    Result<void> findTopic(const TopicPartition &partition, const CallContext &context);
    Result<void> startAt(const FetchRequest &request, const CallContext &context);
    void readAhead(const FetchRequest &now);
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
    struct Ahead {
        TopicPartition partition;
        Offset from;
        std::unique_ptr<MessageStream> stream;
    };
    std::vector<Ahead> m_ahead; ///< other partitions than the one being read, each once
    std::deque<FetchRequest> m_expected;
    std::optional<Offset> m_stable; ///< of a committed read, when it was started
    bool m_caughtUp = false;
};

} // namespace topicscope::kafka
