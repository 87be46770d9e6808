#pragma once

#include "core/kafka/kafkareader.h"
#include "core/kafka/kafkastream.h"
#include "core/session/brokersession.h"

#include <map>
#include <memory>

namespace topicscope::kafka
{

/// RecordFollower on a client of its own. The library reads ahead as far as its queue allows and
/// stops asking while next() is not called.
/// Thread: confined to the thread that made it; blocking.
class KafkaFollower final : public RecordFollower
{
public:
    /// @param everything  reads uncommitted, for a follower of committed records: what those leave
    /// out is looked up there; else null.
    KafkaFollower(HandlePtr handle, qint32 maxBytes, std::unique_ptr<KafkaReader> everything);

    /// @error Broker (UNKNOWN_TOPIC_OR_PART, ...), Network, Timeout, Cancelled.
    Result<void> open(const std::vector<std::pair<TopicPartition, Offset>> &from,
                      const CallContext &context);

    Result<FetchResult> next(const CallContext &context) override;
    void skipTo(const TopicPartition &partition, Offset offset) override;
    std::vector<std::pair<TopicPartition, Offset>> positions() const override;

private:
    Result<FetchResult> takeNext(const CallContext &context);
    FetchBuilder builder(const TopicPartition &partition, Offset from) const;
    FetchResult takeRecords(const TopicPartition &partition, Offset &position);
    Result<FetchResult> stepOver(const TopicPartition &partition, Offset &position,
                                 const CallContext &context);

    MessageStream m_stream;
    qint32 m_maxBytes;
    std::unique_ptr<KafkaReader> m_everything;
    std::map<TopicPartition, Offset> m_positions;
};

} // namespace topicscope::kafka
