#include "core/booblik/producer.h"

#include "core/booblik/connection.h"
#include "core/booblik/produce.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace topicscope::booblik
{

using namespace Qt::StringLiterals;
using Clock = std::chrono::steady_clock;

namespace
{

/// Of a PRODUCE: request header, name length, partition, ack policy and count.
constexpr qint64 kProduceOverhead = 19;
constexpr qint64 kSizeField = 4;

Error closedError(const TopicPartition &partition, const SessionConfig &config)
{
    return Error::make(ErrorKind::Closed, u"the producer is closed"_s,
                       {partition.topic, partition.partition, {}, config.endpoint(), {}});
}

/// Waits in slices for `done`, as every blocking call does.
template <typename Done>
std::optional<Error> waitFor(std::condition_variable_any &condition,
                             std::unique_lock<std::mutex> &lock, const CallContext &context,
                             Done done)
{
    while (!done()) {
        if (auto interruption = context.interruption())
            return interruption;
        condition.wait_for(lock, context.slice());
    }
    return std::nullopt;
}

} // namespace

Producer::Producer(SessionConfig config, ProducerOptions options)
    : m_config(std::move(config))
    , m_options(options)
    , m_thread([this](const std::stop_token &stop) { run(stop); })
{
}

Producer::~Producer()
{
    close(CallContext(std::chrono::milliseconds(0)));
}

Result<void> Producer::send(const TopicPartition &partition, QByteArray record, Answer answer)
{
    const ErrorPlace where{partition.topic, partition.partition, {}, m_config.endpoint(), {}};
    if (m_config.readOnly)
        return Error::make(ErrorKind::ReadOnly, u"the connection is marked read-only"_s, where);
    if (record.isEmpty()) {
        return Error::make(ErrorKind::InvalidArgument, u"a booblik record is at least one byte"_s,
                           where);
    }
    const qint64 frame =
        kProduceOverhead + partition.topic.toUtf8().size() + kSizeField + record.size();
    if (frame > wire::kMaxRequestFrame) {
        return Error::make(
            ErrorKind::InvalidArgument,
            u"a record of %1 bytes needs a frame of %2, the limit is %3"_s.arg(record.size())
                .arg(frame)
                .arg(wire::kMaxRequestFrame),
            where);
    }

    const std::scoped_lock lock(m_mutex);
    if (m_closing)
        return closedError(partition, m_config);
    if (m_waitingRecords >= m_options.maxWaitingRecords ||
        (m_waitingRecords > 0 && m_waitingBytes + record.size() > m_options.maxWaitingBytes)) {
        return Error::make(ErrorKind::Busy,
                           u"%1 records of %2 bytes wait to be delivered"_s.arg(m_waitingRecords)
                               .arg(m_waitingBytes),
                           where);
    }
    if (m_collected.empty())
        m_collectingSince = Clock::now();
    ++m_waitingRecords;
    m_waitingBytes += record.size();
    Group &group = m_collected[partition];
    group.bytes += kSizeField + record.size();
    group.records.push_back({std::move(record), std::move(answer), Clock::now()});
    m_full = m_full || qsizetype(group.records.size()) >= m_options.maxBatchRecords ||
             group.bytes >= m_options.maxBatchBytes;
    m_changed.notify_one();
    return {};
}

std::future<Result<Delivery>> Producer::send(const TopicPartition &partition, QByteArray record)
{
    const auto promise = std::make_shared<std::promise<Result<Delivery>>>();
    auto future = promise->get_future();
    auto accepted = send(partition, std::move(record),
                         [promise](const Result<Delivery> &result) { promise->set_value(result); });
    if (!accepted)
        promise->set_value(std::move(accepted).error());
    return future;
}

Result<void> Producer::flush(const CallContext &context)
{
    std::unique_lock lock(m_mutex);
    if (m_closing)
        return closedError({}, m_config);
    m_flushing = true;
    m_changed.notify_one();
    const quint64 round = m_roundsTaken + 1; // the next to be taken sees the flag and every record
    if (auto interruption =
            waitFor(m_progress, lock, context, [&] { return m_roundsDone >= round; }))
        return *std::move(interruption);
    return {};
}

void Producer::close(const CallContext &context)
{
    {
        std::unique_lock lock(m_mutex);
        m_closing = true;
        m_changed.notify_one();
        // Out of time: the stop below interrupts the request under way.
        static_cast<void>(waitFor(m_progress, lock, context, [this] { return m_ended; }));
    }
    m_thread.request_stop();
    std::call_once(m_joined, [this] { m_thread.join(); });
}

QList<Error> Producer::takeLateErrors()
{
    const std::scoped_lock lock(m_mutex);
    return std::exchange(m_lateErrors, {});
}

void Producer::run(const std::stop_token &stop)
{
    Connection connection(m_config);
    std::unique_lock lock(m_mutex);
    while (!m_ended) {
        m_changed.wait(lock, stop,
                       [this] { return !m_collected.empty() || m_flushing || m_closing; });
        if (!m_collected.empty()) {
            m_changed.wait_until(lock, stop, m_collectingSince + m_options.linger,
                                 [this] { return m_full || m_flushing || m_closing; });
        }
        // All is taken at once and under the lock: a record that arrives at the very moment the
        // linger ends is either in this round or the first of the next.
        auto groups = std::exchange(m_collected, {});
        const bool flushing = std::exchange(m_flushing, false);
        const bool closing = m_closing;
        m_full = false;
        ++m_roundsTaken;
        lock.unlock();
        for (auto &[partition, group] : groups)
            deliver(connection, partition, group.records, stop);
        collectLateErrors(connection, stop, flushing || closing);
        lock.lock();
        ++m_roundsDone;
        m_ended = closing;
        m_progress.notify_all();
    }
}

void Producer::deliver(Connection &connection, const TopicPartition &partition,
                       std::span<Waiting> records, const std::stop_token &stop)
{
    const qsizetype maxRecords =
        m_options.linger.count() > 0 ? std::max<qsizetype>(m_options.maxBatchRecords, 1) : 1;
    const qint64 maxBytes =
        std::min(m_options.maxBatchBytes,
                 wire::kMaxRequestFrame - kProduceOverhead - partition.topic.toUtf8().size());
    while (!records.empty()) {
        size_t count = 0;
        qint64 bytes = 0;
        while (count < records.size() && qsizetype(count) < maxRecords) {
            bytes += kSizeField + records[count].record.size();
            if (count > 0 && bytes > maxBytes)
                break;
            ++count;
        }
        deliverBatch(connection, partition, records.first(count), stop);
        records = records.subspan(count);
    }
}

void Producer::deliverBatch(Connection &connection, const TopicPartition &partition,
                            std::span<Waiting> batch, const std::stop_token &stop)
{
    const auto due = batch.front().accepted + m_options.deliveryTimeout;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(due - Clock::now());
    const CallContext context(std::max(left, std::chrono::milliseconds(0)), stop);

    wire::ProduceRequest request{
        partition.topic, partition.partition.value, wireAck(m_options.ack), {}};
    request.records.reserve(qsizetype(batch.size()));
    for (const Waiting &waiting : batch)
        request.records.append(waiting.record);

    const auto stored = produceOnce(connection, request, Silence::Trust, context);
    if (!stored) {
        Error error = stored.error();
        error.where.topic = partition.topic;
        error.where.partition = partition.partition;
        if (error.kind == ErrorKind::Cancelled) // nothing was sent; only close() cancels
            error = closedError(partition, m_config);
        for (Waiting &waiting : batch)
            answer(waiting, error);
        return;
    }
    for (size_t i = 0; i < batch.size(); ++i) {
        Delivery delivery{partition, {}};
        if (*stored)
            delivery.offset = Offset{(*stored)->baseOffset + qint64(i)};
        answer(batch[i], delivery);
    }
}

void Producer::answer(Waiting &waiting, const Result<Delivery> &result)
{
    {
        const std::scoped_lock lock(m_mutex);
        --m_waitingRecords;
        m_waitingBytes -= waiting.record.size();
    }
    // Outside the lock: an answer may send the next record.
    std::exchange(waiting.answer, {})(result);
}

void Producer::collectLateErrors(Connection &connection, const std::stop_token &stop, bool settle)
{
    QList<Error> errors;
    if (settle) {
        const CallContext context(m_options.deliveryTimeout, stop);
        if (auto settled = connection.settle(context); !settled)
            errors.append(std::move(settled).error());
    }
    for (Connection::LateError &late : connection.takeLateErrors())
        errors.append(std::move(late.error));
    if (errors.isEmpty())
        return;
    const std::scoped_lock lock(m_mutex);
    m_lateErrors.append(std::move(errors));
}

} // namespace topicscope::booblik
