#pragma once

#include "core/base/callcontext.h"
#include "core/base/result.h"
#include "core/session/capabilities.h"
#include "core/session/sessionconfig.h"

#include <QByteArray>
#include <QList>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

namespace topicscope::booblik
{

class Connection;

struct ProducerOptions {
    AckPolicy ack = AckPolicy::Written;
    qsizetype maxBatchRecords = 100;
    /// A batch is closed before it would exceed this; a larger record goes alone.
    qint64 maxBatchBytes = 1'048'576;
    std::chrono::milliseconds linger{5}; ///< 0: each record goes alone, at once
    /// From send() to the answer. What has not been sent by then is not sent any more.
    std::chrono::milliseconds deliveryTimeout{30'000};
    qsizetype maxWaitingRecords = 100'000; ///< bounds of what is accepted and not yet answered;
    qint64 maxWaitingBytes = 67'108'864;   ///< beyond them send() says Busy
};

/// What became of one record.
struct Delivery {
    TopicPartition partition;
    std::optional<Offset> offset; ///< nullopt for ack policy NONE: sent, not confirmed
};

/// Publishes many records: collects them for a moment and sends one PRODUCE per partition.
///
/// The linger runs from the first record on and is not restarted by later ones. When it is over, or
/// when one partition's batch is full, or on flush(), everything collected is sent, one request at
/// a time. Each record accepted is answered exactly once. A batch that fails fails all its records
/// with the same error and no other batch. Nothing is ever sent twice.
///
/// A std::jthread and not a QThread: its work is a wait for records or the linger, whichever comes
/// first, which is a condition variable; there are no events to dispatch. It owns its connection.
///
/// Thread: send(), flush(), close() and takeLateErrors() may be called from any; answers arrive on
/// the producer's own thread and must not block or call back into the producer's flush() or
/// close().
class Producer
{
public:
    using Answer = std::function<void(const Result<Delivery> &)>;

    explicit Producer(SessionConfig config, ProducerOptions options = {});
    /// Abandons: what has not been sent is answered with Closed. Bounded by one wait slice.
    ~Producer();
    Q_DISABLE_COPY_MOVE(Producer)

    /// Accepts one record; `answer` is called once, later. On an error nothing was accepted and it
    /// is not called.
    /// @error Busy: too much is waiting; go on after some answers. Closed: after close().
    /// @error ReadOnly: the config says so. InvalidArgument: empty, or larger than a frame.
    Result<void> send(const TopicPartition &partition, QByteArray record, Answer answer);
    /// The same with a future, which holds the error when nothing was accepted.
    std::future<Result<Delivery>> send(const TopicPartition &partition, QByteArray record);

    /// Sends everything accepted so far and returns when all of it has been answered, failures
    /// included. With ack policy NONE, also asks whether something was refused.
    /// @error Closed after close(); Timeout, Cancelled: the records stay with the producer.
    Result<void> flush(const CallContext &context);

    /// Accepts nothing more, delivers what was accepted, ends the thread. When the context ends
    /// first, what has not been sent is answered with Closed. A second call does nothing.
    void close(const CallContext &context);

    /// Refusals of records with ack policy NONE since the last call.
    QList<Error> takeLateErrors();

private:
    struct Waiting {
        QByteArray record;
        Answer answer;
        std::chrono::steady_clock::time_point accepted;
    };
    struct Group {
        std::vector<Waiting> records;
        qint64 bytes = 0;
    };

    void run(const std::stop_token &stop);
    void deliver(Connection &connection, const TopicPartition &partition,
                 std::span<Waiting> records, const std::stop_token &stop);
    void deliverBatch(Connection &connection, const TopicPartition &partition,
                      std::span<Waiting> batch, const std::stop_token &stop);
    void answer(Waiting &waiting, const Result<Delivery> &result);
    void collectLateErrors(Connection &connection, const std::stop_token &stop, bool settle);

    const SessionConfig m_config;
    const ProducerOptions m_options;

    std::mutex m_mutex;
    std::condition_variable_any m_changed;  ///< for the thread: records, flush, close
    std::condition_variable_any m_progress; ///< for flush() and close(): a round is over
    std::map<TopicPartition, Group> m_collected;
    std::chrono::steady_clock::time_point m_collectingSince; ///< the first record of m_collected
    bool m_full = false;     ///< a batch of m_collected is: do not linger
    bool m_flushing = false; ///< do not linger, and settle
    bool m_closing = false;
    bool m_ended = false;
    // A round is what the thread takes from m_collected at once, and its delivery.
    quint64 m_roundsTaken = 0;
    quint64 m_roundsDone = 0;
    // Accepted and not yet answered.
    qsizetype m_waitingRecords = 0;
    qint64 m_waitingBytes = 0;
    QList<Error> m_lateErrors;

    std::once_flag m_joined; ///< close() may be called by several at once
    std::jthread m_thread;   ///< last: it uses the others
};

} // namespace topicscope::booblik
