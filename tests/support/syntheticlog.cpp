#include "tests/support/syntheticlog.h"

#include <QElapsedTimer>

#include <algorithm>
#include <charconv>
#include <thread>

namespace topicscope::test
{

namespace
{

RecordChunkPtr makeChunk(const SyntheticLog &log, const TopicPartition &partition, qint64 first,
                         qint64 count)
{
    QByteArray bytes(count * log.valueBytes, 'x');
    std::vector<Record> records;
    records.resize(size_t(count));
    std::vector<qint64> timestampsMs;
    for (qint64 i = 0; i < count; ++i) {
        char *const value = bytes.data() + i * log.valueBytes;
        const auto digits = std::to_chars(value, value + log.valueBytes, first + i);
        if (digits.ptr < value + log.valueBytes)
            *digits.ptr = ' ';
        Record &record = records[size_t(i)];
        record.offset = Offset{first + i};
        record.keyBegin = quint32(i * log.valueBytes);
        record.valueBegin = record.keyBegin;
        record.valueSize = quint32(log.valueBytes);
        record.frameBytes = record.valueSize;
        record.flags = RecordFlag::BatchVerified;
        if (log.firstTimeMs) {
            record.flags |= RecordFlag::HasTimestamp;
            timestampsMs.push_back(*log.firstTimeMs + first + i);
        }
    }
    return std::make_shared<const RecordChunk>(partition, std::move(bytes), std::move(records),
                                               std::move(timestampsMs));
}

class Follower final : public RecordFollower
{
public:
    Follower(SyntheticLog log, const FollowRequest &request)
        : m_log(std::move(log))
        , m_maxBytes(request.maxBytes)
        , m_positions(request.from)
    {
        m_clock.start();
    }

    Result<FetchResult> next(const CallContext &context) override
    {
        for (;;) {
            const qint64 due = m_clock.elapsed() * m_log.followRate / 1000 - m_sent;
            if (due > 0 && !m_positions.empty()) {
                auto &[partition, offset] = m_positions[m_turn++ % m_positions.size()];
                const qint64 count =
                    std::min<qint64>(due, std::max<qint64>(m_maxBytes / m_log.valueBytes, 1));
                FetchResult result;
                result.partition = partition;
                result.fetchOffset = offset;
                result.chunk = makeChunk(m_log, partition, offset.value, count);
                offset = offset + count;
                result.nextOffset = offset;
                result.highWatermark = offset;
                m_sent += count;
                *m_log.followed += count;
                return result;
            }
            if (context.stop.stop_requested())
                return Error::make(ErrorKind::Cancelled, {});
            std::this_thread::sleep_for(std::chrono::milliseconds(1)); // a broker's pace
        }
    }

    void skipTo(const TopicPartition & /*partition*/, Offset /*offset*/) override {}
    std::vector<std::pair<TopicPartition, Offset>> positions() const override
    {
        return m_positions;
    }

private:
    SyntheticLog m_log;
    qint32 m_maxBytes;
    std::vector<std::pair<TopicPartition, Offset>> m_positions;
    size_t m_turn = 0;
    qint64 m_sent = 0;
    QElapsedTimer m_clock;
};

class Session final : public BrokerSession
{
public:
    Session(const SessionConfig &config, SyntheticLog log)
        : BrokerSession(config)
        , m_log(std::move(log))
    {
    }

    Capabilities capabilities() const override
    {
        Capabilities all;
        all.timestamps = m_log.firstTimeMs.has_value();
        all.offsetsByTime = all.timestamps;
        return all;
    }
    Result<void> open(const CallContext & /*context*/) override { return {}; }
    Result<TopicList> listTopics(const CallContext & /*context*/) override
    {
        return TopicList{m_log.topicInfo()};
    }

    Result<FetchResult> fetch(const FetchRequest &request, const CallContext & /*context*/) override
    {
        const auto [begin, end] = m_log.partitions.value(request.partition.partition.value);
        if (request.offset.value < begin || request.offset.value > end) {
            Error error = Error::make(
                ErrorKind::Broker, {},
                {request.partition.topic, request.partition.partition, request.offset, {}, {}});
            error.brokerName = QStringLiteral("OFFSET_OUT_OF_RANGE");
            return error;
        }
        const qint64 count = std::min(end - request.offset.value,
                                      std::max<qint64>(request.maxBytes / m_log.valueBytes, 1));
        FetchResult result;
        result.partition = request.partition;
        result.fetchOffset = request.offset;
        result.chunk = makeChunk(m_log, request.partition, request.offset.value, count);
        result.nextOffset = request.offset + count;
        result.highWatermark = Offset{end};
        result.end = count == 0 ? FetchEnd::CaughtUp : FetchEnd::More;
        return result;
    }

    Result<QList<TimeOffset>> offsetsAtTime(const QList<TopicPartition> &partitions, qint64 timeMs,
                                            const CallContext & /*context*/) override
    {
        QList<TimeOffset> offsets;
        for (const TopicPartition &at : partitions) {
            const auto [begin, end] = m_log.partitions.value(at.partition.value);
            const qint64 offset = std::clamp(timeMs - m_log.firstTimeMs.value_or(0), begin, end);
            offsets.append({at, Offset{offset}, offset >= end, {}});
        }
        return offsets;
    }

    Result<std::unique_ptr<RecordFollower>> follow(const FollowRequest &request,
                                                   const CallContext & /*context*/) override
    {
        return std::unique_ptr<RecordFollower>(std::make_unique<Follower>(m_log, request));
    }

    void close() override {}

private:
    Result<PublishResult> doPublish(const PublishRequest & /*request*/,
                                    const CallContext & /*context*/) override
    {
        return Error::make(ErrorKind::Unsupported, {});
    }

    SyntheticLog m_log;
};

} // namespace

SessionFactory SyntheticLog::factory() const
{
    return [log = *this](const SessionConfig &config) -> std::unique_ptr<BrokerSession> {
        return std::make_unique<Session>(config, log);
    };
}

TopicInfo SyntheticLog::topicInfo() const
{
    TopicInfo info;
    info.name = topic;
    for (qsizetype i = 0; i < partitions.size(); ++i) {
        info.partitions.append({PartitionId{qint32(i)},
                                Offset{partitions[i].first},
                                Offset{partitions[i].second},
                                {}});
    }
    return info;
}

} // namespace topicscope::test
