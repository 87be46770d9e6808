#include "core/booblik/subscription.h"

#include "core/booblik/socketcalls.h"

#include <algorithm>
#include <thread>

namespace topicscope::booblik
{

using namespace Qt::StringLiterals;

struct Subscription::Partition {
    Connection connection;
    RangeReader reader;
    /// Time spent in wait() since the last byte came. Not since asking: while the caller is busy
    /// with something else, an answer may be stuck on its way to us.
    std::chrono::milliseconds waited{0};
    bool resting = false; ///< until skipTo()

    Partition(const SessionConfig &config, const Start &start, const ReadOptions &options)
        : connection(config)
        , reader(connection, start.first, start.second, options)
    {
    }
};

Subscription::Subscription(const SessionConfig &config, const std::vector<Start> &from,
                           ReadOptions options)
{
    options.maxWait = std::min(options.maxWait, holdTime(config));
    m_partitions.reserve(from.size());
    for (const Start &start : from)
        m_partitions.push_back(std::make_unique<Partition>(config, start, options));
}

Subscription::~Subscription() = default;

std::chrono::milliseconds Subscription::holdTime(const SessionConfig &config)
{
    using namespace std::chrono_literals;
    return std::min<std::chrono::milliseconds>(30s, config.requestTimeout * 2 / 3);
}

Result<void> Subscription::open(const CallContext &context)
{
    for (const auto &partition : m_partitions) {
        if (auto opened = partition->connection.open(context); !opened)
            return opened;
    }
    return {};
}

Result<FetchResult> Subscription::next(const CallContext &context)
{
    for (;;) {
        if (auto asked = askAll(context); !asked)
            return std::move(asked).error();
        for (size_t i = 0; i < m_partitions.size(); ++i) {
            const size_t index = (m_turn + i) % m_partitions.size();
            Partition &partition = *m_partitions[index];
            if (partition.resting)
                continue;
            auto taken = take(partition, context);
            if (taken && !*taken)
                continue;
            m_turn = (index + 1) % m_partitions.size();
            if (!taken)
                return std::move(taken).error();
            return *std::move(taken).value();
        }
        if (auto interruption = context.interruption())
            return *std::move(interruption);
        wait(context.slice());
    }
}

Result<void> Subscription::askAll(const CallContext &context)
{
    for (const auto &partition : m_partitions) {
        if (partition->resting || partition->reader.isAsking())
            continue;
        // A caller that asks in short steps must not cut every attempt to reconnect short.
        const bool connecting = !partition->connection.isOpen();
        const CallContext limited =
            connecting ? CallContext(partition->connection.config().requestTimeout, context.stop)
                       : context;
        if (auto asked = partition->reader.ask(limited); !asked) {
            Error error = std::move(asked).error();
            if (error.kind == ErrorKind::Timeout && (connecting || !context.deadline.hasExpired()))
                error.kind = ErrorKind::Network; // the connection's own limit, not the caller's
            return error;
        }
        partition->waited = {};
    }
    return {};
}

Result<std::optional<FetchResult>> Subscription::take(Partition &partition,
                                                      const CallContext &context)
{
    if (!partition.reader.isAsking())
        return std::optional<FetchResult>(); // answered empty this round; asked again in the next
    auto result = partition.reader.tryNext(context);
    if (!result) {
        partition.resting = result.error().kind == ErrorKind::Broker;
        return result;
    }
    if (!*result) {
        if (partition.waited < partition.connection.config().requestTimeout)
            return result;
        // Not Timeout: to the caller that would mean that nothing is wrong.
        const TopicPartition &which = partition.reader.partition();
        partition.connection.close();
        return Error::make(ErrorKind::Network,
                           u"no answer within %1 ms to a FETCH held for at most %2 ms"_s
                               .arg(partition.connection.config().requestTimeout.count())
                               .arg(partition.reader.options().maxWait.count()),
                           {which.topic,
                            which.partition,
                            partition.reader.position(),
                            partition.connection.config().endpoint(),
                            {}});
    }
    partition.waited = {};
    switch ((*result)->end) {
    case FetchEnd::More:
        break;
    case FetchEnd::CaughtUp:
        return std::optional<FetchResult>(); // a hold that ended without records
    case FetchEnd::RecordExceedsMaxBytes:
    case FetchEnd::EmptyBelowHighWatermark:
    case FetchEnd::ImpossibleSize:
        partition.resting = true;
        break;
    }
    return result;
}

void Subscription::wait(std::chrono::milliseconds limit)
{
    std::vector<SocketWait> waits;
    std::vector<Partition *> waiting;
    for (const auto &partition : m_partitions) {
        if (partition->reader.isAsking()) {
            waits.push_back({partition->connection.descriptor(), true, false});
            waiting.push_back(partition.get());
        } else if (!partition->resting) {
            return; // there is something to ask first
        }
    }
    if (waits.empty()) {
        std::this_thread::sleep_for(limit);
        return;
    }
    const auto begin = std::chrono::steady_clock::now();
    waitForSockets(waits, limit);
    const auto end = std::chrono::steady_clock::now();
    for (size_t i = 0; i < waits.size(); ++i) {
        waiting[i]->waited += std::chrono::ceil<std::chrono::milliseconds>(end - begin);
        if (waits[i].readable)
            waiting[i]->waited = {};
    }
}

void Subscription::skipTo(const TopicPartition &partition, Offset offset)
{
    for (const auto &candidate : m_partitions) {
        if (candidate->reader.partition() == partition) {
            candidate->reader.seek(offset);
            candidate->resting = false;
        }
    }
}

std::vector<Subscription::Start> Subscription::positions() const
{
    std::vector<Start> result;
    result.reserve(m_partitions.size());
    for (const auto &partition : m_partitions)
        result.emplace_back(partition->reader.partition(), partition->reader.position());
    return result;
}

} // namespace topicscope::booblik
