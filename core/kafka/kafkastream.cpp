#include "core/kafka/kafkastream.h"

#include "core/kafka/kafkaerrors.h"

#include <algorithm>
#include <array>

namespace topicscope::kafka
{

MessageStream::MessageStream(HandlePtr handle)
    : m_handle(std::move(handle))
    , m_queue(rd_kafka_queue_new(m_handle->get()))
{
}

MessageStream::~MessageStream()
{
    m_waiting.clear();
    while (!m_started.empty())
        stop(TopicPartition(m_started.back()));
}

rd_kafka_topic_t *MessageStream::topic(const QString &name)
{
    Topic &topic = m_topics[name];
    if (!topic)
        topic.reset(rd_kafka_topic_new(m_handle->get(), name.toUtf8().constData(), nullptr));
    return topic.get();
}

Result<void> MessageStream::start(const TopicPartition &partition, Offset from)
{
    rd_kafka_topic_t *const handle = topic(partition.topic);
    const ErrorPlace where{partition.topic, partition.partition, from, m_handle->endpoint(), {}};
    if (!handle || rd_kafka_consume_start_queue(handle, partition.partition.value, from.value,
                                                m_queue.get()) != 0)
        return fromCode(rd_kafka_last_error(), {}, where);
    m_started.push_back(partition);
    return {};
}

void MessageStream::stop(const TopicPartition &partition)
{
    const auto started = std::ranges::find(m_started, partition);
    if (started == m_started.end())
        return;
    rd_kafka_consume_stop(topic(partition.topic), partition.partition.value);
    std::erase_if(m_waiting,
                  [&](const Message &message) { return partitionOf(*message) == partition; });
    m_started.erase(started);
}

Result<void> MessageStream::restart(const TopicPartition &partition, Offset from)
{
    stop(partition);
    return start(partition, from);
}

const rd_kafka_message_t *MessageStream::front(std::chrono::milliseconds wait)
{
    if (m_waiting.empty()) {
        // The batch call waits for all it is asked for, this one for the first.
        Message first(rd_kafka_consume_queue(m_queue.get(), int(wait.count())));
        if (!first)
            return nullptr;
        m_waiting.push_back(std::move(first));
        std::array<rd_kafka_message_t *, 1000> more{};
        const auto count = rd_kafka_consume_batch_queue(m_queue.get(), 0, more.data(), more.size());
        for (qsizetype i = 0; i < qsizetype(count); ++i)
            m_waiting.emplace_back(more[size_t(i)]);
    }
    return m_waiting.front().get();
}

const rd_kafka_message_t *MessageStream::peek() const
{
    return m_waiting.empty() ? nullptr : m_waiting.front().get();
}

std::optional<Offset> MessageStream::highWatermark(const TopicPartition &partition) const
{
    int64_t low = RD_KAFKA_OFFSET_INVALID;
    int64_t high = RD_KAFKA_OFFSET_INVALID;
    const auto code =
        rd_kafka_get_watermark_offsets(m_handle->get(), partition.topic.toUtf8().constData(),
                                       partition.partition.value, &low, &high);
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR || high < 0)
        return std::nullopt;
    return Offset{high};
}

TopicPartition MessageStream::partitionOf(const rd_kafka_message_t &message)
{
    return {message.rkt ? QString::fromUtf8(rd_kafka_topic_name(message.rkt)) : QString(),
            PartitionId{message.partition}};
}

bool isStrayOutOfRange(const rd_kafka_message_t &message, Offset position)
{
    return codeOf(message.err) == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET &&
           message.offset != position.value;
}

Error errorOf(const rd_kafka_message_t &message)
{
    const TopicPartition partition = MessageStream::partitionOf(message);
    // For an error the payload is the library's sentence.
    const QString detail =
        message.payload
            ? QString::fromUtf8(static_cast<const char *>(message.payload), qsizetype(message.len))
            : QString();
    return fromCode(codeOf(message.err), detail,
                    {partition.topic, partition.partition, Offset{message.offset}, {}, {}});
}

namespace
{

/// The end of somewhere else: see isStrayOutOfRange().
bool isStrayEnd(const rd_kafka_message_t &message, Offset position)
{
    return codeOf(message.err) == RD_KAFKA_RESP_ERR__PARTITION_EOF &&
           message.offset != position.value;
}

/// Whether a fetch from here fails at `bad`. Precondition: the log goes on behind `from`.
Result<bool> failsAt(const HandlePtr &handle, const TopicPartition &partition, Offset bad,
                     Offset from, const CallContext &context)
{
    MessageStream stream(handle);
    if (auto started = stream.start(partition, from); !started)
        return std::move(started).error();
    const rd_kafka_message_t *message = nullptr;
    do {
        if (message) {
            if (auto restarted = stream.restart(partition, from); !restarted)
                return std::move(restarted).error();
        }
        const auto interrupted = handle->waitFor(
            [&](std::chrono::milliseconds slice) {
                message = stream.front(slice);
                return message != nullptr;
            },
            context);
        if (interrupted)
            return *interrupted;
    } while (isStrayOutOfRange(*message, from) || isStrayEnd(*message, from));
    if (isUnreadableBatch(codeOf(message->err)))
        return Offset{message->offset} == bad;
    if (codeOf(message->err) == RD_KAFKA_RESP_ERR_NO_ERROR ||
        codeOf(message->err) == RD_KAFKA_RESP_ERR__PARTITION_EOF)
        return false;
    return errorOf(*message);
}

} // namespace

Result<Offset> endOfUnreadableBatch(const HandlePtr &handle, const TopicPartition &partition,
                                    Offset bad, Offset end, const CallContext &context)
{
    // Doubling steps, then halving between the last that failed and the first that did not.
    Offset fails = bad;
    qint64 step = 1;
    while (fails + 1 < end) {
        const Offset tried = std::min(bad + step, end);
        if (tried == end) {
            break;
        }
        const auto failed = failsAt(handle, partition, bad, tried, context);
        if (!failed)
            return failed.error();
        if (!*failed) {
            end = tried;
            break;
        }
        fails = tried;
        step *= 2;
    }
    while (fails + 1 < end) {
        const Offset middle = fails + (end - fails) / 2;
        const auto failed = failsAt(handle, partition, bad, middle, context);
        if (!failed)
            return failed.error();
        (*failed ? fails : end) = middle;
    }
    return end;
}

} // namespace topicscope::kafka
