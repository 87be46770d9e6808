#include "core/kafka/kafkareader.h"

#include "core/kafka/kafkaerrors.h"
#include "core/kafka/kafkametadata.h"
#include "core/kafka/kafkaoffsets.h"

#include <algorithm>

namespace topicscope::kafka
{

using namespace Qt::StringLiterals;

namespace
{

/// Each may hold as much as the library queues of a partition.
constexpr size_t kMostAhead = 4;

} // namespace

bool KafkaReader::isKnown(const TopicPartition &partition) const
{
    return partition.partition.value >= 0 &&
           partition.partition.value < m_partitions.value(partition.topic);
}

Result<void> KafkaReader::findTopic(const TopicPartition &partition, const CallContext &context)
{
    if (isKnown(partition))
        return {};
    // A partition that does not exist would be waited for without an end. And the library, once it
    // knows the topic, starts half a second earlier.
    const auto topic = describeTopic(m_handle, partition.topic, context);
    if (!topic)
        return topic.error();
    m_partitions.insert(partition.topic, qint32(topic->partitions.size()));
    if (partition.partition.value >= topic->partitions.size() || partition.partition.value < 0)
        return fromCode(RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART,
                        u"the topic has %1 partitions"_s.arg(topic->partitions.size()),
                        {partition.topic, partition.partition, {}, m_handle->endpoint(), {}});
    return {};
}

Result<void> KafkaReader::startAt(const FetchRequest &request, const CallContext &context)
{
    // A queue of its own for each start: nothing of an earlier position can be left in it.
    m_reading.reset();
    m_stream.reset();
    m_stable.reset();
    const auto ahead = std::ranges::find(m_ahead, request.partition, &Ahead::partition);
    std::unique_ptr<MessageStream> begun;
    if (ahead != m_ahead.end()) {
        if (ahead->from == request.offset)
            begun = std::move(ahead->stream);
        m_ahead.erase(ahead); // a partition is not started twice
    }
    if (request.isolation == Isolation::ReadCommitted) {
        const auto stable = endOffset(m_handle, request.partition, context);
        if (!stable)
            return stable.error();
        m_stable = *stable;
    }
    m_stream = begun ? std::move(begun) : std::make_unique<MessageStream>(m_handle);
    if (!m_stream->isStarted()) {
        if (auto started = m_stream->start(request.partition, request.offset); !started)
            return started;
    }
    m_reading = {request.partition, request.offset};
    return {};
}

void KafkaReader::expect(const std::vector<FetchRequest> &requests)
{
    m_ahead.clear();
    m_expected.assign(requests.begin(), requests.end());
}

void KafkaReader::readAhead(const FetchRequest &now)
{
    const auto current = std::ranges::find_if(m_expected, [&now](const FetchRequest &each) {
        return each.partition == now.partition && each.offset == now.offset;
    });
    if (current != m_expected.end())
        m_expected.erase(m_expected.begin(), current + 1);
    while (m_ahead.size() < kMostAhead && !m_expected.empty()) {
        const FetchRequest &next = m_expected.front();
        const bool isStarted =
            next.partition == now.partition ||
            std::ranges::find(m_ahead, next.partition, &Ahead::partition) != m_ahead.end();
        if (isStarted || !isKnown(next.partition))
            return; // once it is free, and known
        Ahead ahead{next.partition, next.offset, std::make_unique<MessageStream>(m_handle)};
        if (!ahead.stream->start(next.partition, next.offset))
            return; // its own fetch meets that
        m_ahead.push_back(std::move(ahead));
        m_expected.pop_front();
    }
}

bool KafkaReader::isBehindStable(const FetchRequest &request) const
{
    if (!m_stream || !m_stable || request.offset <= *m_stable)
        return false;
    const auto high = m_stream->highWatermark(request.partition);
    return high && request.offset <= *high;
}

Result<FetchResult> KafkaReader::fetch(const FetchRequest &request, const CallContext &context)
{
    if (auto found = findTopic(request.partition, context); !found)
        return std::move(found).error();
    if (!m_reading || m_reading->partition != request.partition ||
        m_reading->next != request.offset) {
        if (auto started = startAt(request, context); !started)
            return std::move(started).error();
    }
    readAhead(request);

    FetchBuilder builder(request.partition, request.offset, request.isolation);
    const QDeadlineTimer holdUntil(request.maxWait);
    m_caughtUp = false;
    for (;;) {
        const rd_kafka_message_t *message = m_stream->peek();
        std::optional<Error> interrupted;
        if (!message) {
            interrupted = m_handle->waitFor(
                [&](std::chrono::milliseconds slice) {
                    message = m_stream->front(slice);
                    return message != nullptr ||
                           ((m_caughtUp || isBehindStable(request)) && holdUntil.hasExpired());
                },
                context);
        }
        if (interrupted) {
            m_reading.reset();
            m_stream.reset(); // whatever the library waits for, it shall not go on asking
            if (builder.isEmpty() || interrupted->kind == ErrorKind::Cancelled)
                return *interrupted;
            break; // what came is an answer
        }
        if (!message)
            break;
        const auto complete = take(*message, request, builder, context);
        if (!complete) {
            m_reading.reset();
            if (builder.isEmpty())
                return complete.error();
            break; // the next fetch meets the error
        }
        if (*complete)
            break;
    }

    const Offset next = builder.nextOffset();
    const Offset high =
        (m_stream ? m_stream->highWatermark(request.partition) : std::nullopt).value_or(next);
    if (m_reading)
        m_reading->next = next;
    const bool behindStable = builder.isEmpty() && isBehindStable(request);
    const bool atEnd = builder.isEmpty() && (m_caughtUp || behindStable);
    if (atEnd || m_caughtUp || next >= high) {
        // At the end, which may be that of the stable offsets, the library would go on asking for
        // more; and it tells the end of a partition once.
        m_reading.reset();
        m_stream.reset();
    }
    FetchResult result = builder.take(high, atEnd ? FetchEnd::CaughtUp : FetchEnd::More);
    if (behindStable)
        result.lastStableOffset = m_stable;
    else if (request.isolation == Isolation::ReadCommitted && (m_caughtUp || next >= high))
        result.lastStableOffset = next;
    return result;
}

Result<bool> KafkaReader::take(const rd_kafka_message_t &message, const FetchRequest &request,
                               FetchBuilder &builder, const CallContext &context)
{
    if (codeOf(message.err) == RD_KAFKA_RESP_ERR_NO_ERROR) {
        const qsizetype taken = builder.addFront(m_stream->waiting(), request.maxBytes);
        m_stream->drop(taken);
        if (taken == 0 || builder.bytes() >= request.maxBytes)
            return true;
        // The end known since the last answer spares waiting for the library to notice it.
        return !m_stream->peek() &&
               builder.nextOffset() >=
                   m_stream->highWatermark(request.partition).value_or(Offset{INT64_MAX});
    }
    if (codeOf(message.err) == RD_KAFKA_RESP_ERR__PARTITION_EOF) {
        builder.addGap(Offset{message.offset});
        m_stream->drop();
        m_caughtUp = true;
        return !builder.isEmpty() || request.maxWait.count() == 0;
    }
    if (isUnreadableBatch(codeOf(message.err)))
        return stepOver(message, builder, context);
    if (isStrayOutOfRange(message, builder.nextOffset())) {
        if (auto restarted = m_stream->restart(request.partition, builder.nextOffset()); !restarted)
            return std::move(restarted).error();
        return false;
    }
    Error error = errorOf(message);
    error.where.endpoint = m_handle->endpoint();
    m_stream->drop();
    return error;
}

Result<bool> KafkaReader::stepOver(const rd_kafka_message_t &message, FetchBuilder &builder,
                                   const CallContext &context)
{
    const Error error = errorOf(message);
    const Offset bad{message.offset};
    const TopicPartition partition = m_reading->partition;
    const auto high = m_stream->highWatermark(partition);
    m_reading.reset();
    m_stream->stop(partition);
    const auto end =
        endOfUnreadableBatch(m_handle, partition, bad, high.value_or(bad + 1), context);
    if (!end)
        return end.error();
    builder.addUnreadable(std::max(*end, builder.nextOffset() + 1), error.detail);
    return true;
}

} // namespace topicscope::kafka
