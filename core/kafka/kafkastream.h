#pragma once

#include "core/base/callcontext.h"
#include "core/base/ids.h"
#include "core/kafka/kafkahandle.h"

#include <deque>
#include <map>

namespace topicscope::kafka
{

/// Messages of started partitions, as the library fetches them. Joins no group and commits nothing:
/// partitions are started one by one with the calls kcat uses, too.
///
/// A partition must not be started twice on one client. Thread: confined to its owner.
class MessageStream
{
public:
    explicit MessageStream(HandlePtr handle);
    ~MessageStream();
    Q_DISABLE_COPY_MOVE(MessageStream)

    const HandlePtr &handle() const { return m_handle; }

    /// @error what the library says about the topic or partition.
    Result<void> start(const TopicPartition &partition, Offset from);
    bool isStarted() const { return !m_started.empty(); }
    /// Its messages that wait are dropped.
    void stop(const TopicPartition &partition);
    /// Stops, and starts again from here.
    Result<void> restart(const TopicPartition &partition, Offset from);

    /// The first message in the order they came; null when none comes within `wait`. Its `err`
    /// tells records from the end of a partition and from errors. Valid until drop() or stop().
    const rd_kafka_message_t *front(std::chrono::milliseconds wait);
    /// As front(), of those already here.
    const rd_kafka_message_t *peek() const;
    /// So many at once: letting each go between other work has the library's threads wait for the
    /// allocator all the time.
    void drop(qsizetype count = 1)
    {
        m_waiting.erase(m_waiting.begin(), m_waiting.begin() + count);
    }
    /// All that are here, in the order they came.
    const std::deque<Message> &waiting() const { return m_waiting; }

    /// What the last answer from the leader said; nullopt before the first.
    std::optional<Offset> highWatermark(const TopicPartition &partition) const;

    static TopicPartition partitionOf(const rd_kafka_message_t &message);

private:
    rd_kafka_topic_t *topic(const QString &name);

    HandlePtr m_handle;
    Queue m_queue;
    std::map<QString, Topic> m_topics;
    std::vector<TopicPartition> m_started;
    std::deque<Message> m_waiting;
};

/// The first offset behind the batch which begins at `bad` and cannot be read, but not behind
/// `end`; found by trying, since the library does not say: a fetch from inside the batch fails at
/// `bad` again. Precondition: the partition is not started on this client. Thread: any; blocking,
/// one round trip a try, their number logarithmic in the batch's records.
Result<Offset> endOfUnreadableBatch(const HandlePtr &handle, const TopicPartition &partition,
                                    Offset bad, Offset end, const CallContext &context);

/// Whether this says that an offset nobody asked for is out of range, the reader being at
/// `position`. Behind a batch whose checksum is wrong the library takes payload for the next
/// batch's header and fetches from the offset it finds there; what the broker says to that may come
/// in after the partition was started anew, and ends its reading: restart() it.
bool isStrayOutOfRange(const rd_kafka_message_t &message, Offset position);

/// The library's message as an error of that partition.
Error errorOf(const rd_kafka_message_t &message);

} // namespace topicscope::kafka
