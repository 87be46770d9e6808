#include "core/kafka/kafkafollower.h"

#include "core/kafka/kafkaerrors.h"
#include "core/kafka/kafkagaps.h"
#include "core/kafka/kafkametadata.h"

#include <QSet>

namespace topicscope::kafka
{

namespace
{

/// For looking up what one batch left out.
constexpr std::chrono::milliseconds kLookTime{2'000};

} // namespace

KafkaFollower::KafkaFollower(HandlePtr handle, qint32 maxBytes,
                             std::unique_ptr<KafkaReader> everything)
    : m_stream(std::move(handle))
    , m_maxBytes(maxBytes)
    , m_everything(std::move(everything))
{
}

Result<void> KafkaFollower::open(const std::vector<std::pair<TopicPartition, Offset>> &from,
                                 const CallContext &context)
{
    QSet<QString> known;
    for (const auto &[partition, offset] : from) {
        if (known.contains(partition.topic))
            continue;
        if (const auto topic = describeTopic(m_stream.handle(), partition.topic, context); !topic)
            return topic.error();
        known.insert(partition.topic);
    }
    for (const auto &[partition, offset] : from) {
        if (auto started = m_stream.start(partition, offset); !started)
            return started;
        m_positions.insert_or_assign(partition, offset);
    }
    return {};
}

FetchBuilder KafkaFollower::builder(const TopicPartition &partition, Offset from) const
{
    return {partition, from, m_everything ? Isolation::ReadCommitted : Isolation::ReadUncommitted};
}

Result<FetchResult> KafkaFollower::next(const CallContext &context)
{
    auto result = takeNext(context);
    if (result && m_everything) {
        // next() may be given little time; what was taken must be told all the same.
        nameGaps(*result, [&](const FetchRequest &request) {
            return m_everything->fetch(request, CallContext(kLookTime, context.stop));
        });
    }
    return result;
}

Result<FetchResult> KafkaFollower::takeNext(const CallContext &context)
{
    for (;;) {
        const rd_kafka_message_t *message = nullptr;
        const auto interrupted = m_stream.handle()->waitFor(
            [&](std::chrono::milliseconds slice) {
                message = m_stream.front(slice);
                return message != nullptr;
            },
            context);
        if (interrupted)
            return *interrupted;
        const TopicPartition partition = MessageStream::partitionOf(*message);
        Offset &position = m_positions[partition];
        if (codeOf(message->err) == RD_KAFKA_RESP_ERR_NO_ERROR)
            return takeRecords(partition, position);
        if (codeOf(message->err) == RD_KAFKA_RESP_ERR__PARTITION_EOF) {
            const Offset end{message->offset};
            m_stream.drop();
            if (end <= position)
                continue; // caught up, said each time
            FetchBuilder builder = this->builder(partition, position);
            builder.addGap(end);
            position = end;
            return builder.take(m_stream.highWatermark(partition).value_or(end), FetchEnd::More);
        }
        if (isUnreadableBatch(codeOf(message->err)))
            return stepOver(partition, position, context);
        if (isStrayOutOfRange(*message, position)) {
            if (auto restarted = m_stream.restart(partition, position); !restarted)
                return std::move(restarted).error();
            continue;
        }
        Error error = errorOf(*message);
        error.where.endpoint = m_stream.handle()->endpoint();
        m_stream.stop(partition);
        return error;
    }
}

FetchResult KafkaFollower::takeRecords(const TopicPartition &partition, Offset &position)
{
    FetchBuilder builder = this->builder(partition, position);
    m_stream.drop(builder.addFront(m_stream.waiting(), m_maxBytes));
    position = builder.nextOffset();
    return builder.take(m_stream.highWatermark(partition).value_or(position), FetchEnd::More);
}

Result<FetchResult> KafkaFollower::stepOver(const TopicPartition &partition, Offset &position,
                                            const CallContext &context)
{
    const rd_kafka_message_t *const message = m_stream.peek();
    const QString reason = errorOf(*message).detail;
    const Offset bad{message->offset};
    const Offset high = m_stream.highWatermark(partition).value_or(bad + 1);
    m_stream.stop(partition);
    const auto end = endOfUnreadableBatch(m_stream.handle(), partition, bad, high, context);
    // Not found in time: from the same place again with the next call.
    const Offset from = end ? std::max(*end, position + 1) : position;
    if (auto started = m_stream.start(partition, from); !started)
        return std::move(started).error();
    if (!end)
        return end.error();
    FetchBuilder builder = this->builder(partition, position);
    builder.addUnreadable(from, reason);
    position = from;
    return builder.take(high, FetchEnd::More);
}

void KafkaFollower::skipTo(const TopicPartition &partition, Offset offset)
{
    m_stream.stop(partition);
    m_positions.insert_or_assign(partition, offset);
    // A failure to start shows as the partition's error with the next fetch of its topic.
    (void)m_stream.start(partition, offset);
}

std::vector<std::pair<TopicPartition, Offset>> KafkaFollower::positions() const
{
    return {m_positions.begin(), m_positions.end()};
}

} // namespace topicscope::kafka
