#pragma once

// The inside of FakeBroker: what its sessions (fakesession.cpp) and its script (fakebroker.cpp)
// share.

#include "core/base/bytewriter.h"
#include "core/records/recordcodec.h"
#include "tests/support/fakesession.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>

namespace topicscope::test
{

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace fake
{

struct Partition {
    Offset logStart;
    QList<QByteArray> values; // as published; index 0 is offset 0
    QList<QByteArray> stored; // with header, perhaps damaged
    QList<qint64> timesMs;
    std::set<Offset> missing;
    std::optional<Offset> lastStable;
    std::vector<OffsetGap> leftOut; // by a committed read, in order
    std::optional<Error> error;
    std::optional<qint32> leader;
    QList<qint32> replicas;
    QList<qint32> inSync;

    Offset highWatermark() const { return Offset{values.size()}; }
};

struct Topic {
    std::vector<Partition> partitions;
    std::optional<Error> error;
    bool internal = false;
    std::optional<TopicRules> rules;

    TopicInfo info(const QString &name, bool withOffsets) const
    {
        TopicInfo info{name, {}, error, internal};
        if (error)
            return info;
        for (const Partition &partition : partitions) {
            PartitionInfo shown;
            shown.id = PartitionId{qint32(info.partitions.size())};
            shown.error = partition.error;
            shown.leader = partition.leader;
            shown.replicas = partition.replicas;
            shown.inSyncReplicas = partition.inSync;
            shown.offsetsKnown = withOffsets && partition.leader != -1;
            if (shown.offsetsKnown) {
                shown.logStartOffset = partition.logStart;
                shown.highWatermark = partition.highWatermark();
                shown.lastStableOffset = partition.lastStable.value_or(shown.highWatermark);
            }
            info.partitions.append(shown);
        }
        return info;
    }
};

struct Script {
    int calls = 0;
    bool blocked = false;
    bool deaf = false;
    int waiting = 0;
    bool admitted = false; // by releaseOne()
    int failures = 0;
    std::optional<Error> error;
};

inline constexpr qint16 kUnknownTopicOrPartition = 1;
inline constexpr qint16 kOffsetOutOfRange = 2;
inline constexpr qint16 kRecordTooLarge = 3;
inline constexpr qint16 kTopicAuthorizationFailed = 29;

inline constexpr auto kDeafness = 10s;

using Lock = std::unique_lock<std::mutex>;

} // namespace fake

using namespace fake;

struct FakeBroker::State {
    mutable std::mutex mutex;
    std::condition_variable changed;
    std::map<QString, Topic> topics;
    std::map<QString, GroupInfo> groups;
    QList<Error> groupListErrors;
    std::map<Call, Script> scripts;
    Capabilities capabilities = booblikCapabilities();
    bool down = false;
    int generation = 0; // counts breakdowns: a follower of an older one is dead
    bool offsetsAskedFor = false;
    std::optional<int> reading;
    ClusterInfo cluster;
    QList<QStringList> describedTopics;
    std::optional<bool> losePublish;
    RoundRobin roundRobin;
    std::vector<FetchRequest> fetchRequests;
    std::vector<PublishRequest> publishRequests;
    std::vector<FollowRequest> followRequests;
    int liveSessions = 0;
    int liveFollowers = 0;

    Partition *find(const TopicPartition &at)
    {
        const auto topic = topics.find(at.topic);
        const auto index = size_t(at.partition.value);
        if (topic == topics.end() || index >= topic->second.partitions.size())
            return nullptr;
        return &topic->second.partitions[index];
    }

    Partition &get(const QString &topic, qint32 partition)
    {
        Partition *found = find({topic, PartitionId{partition}});
        Q_ASSERT_X(found, "FakeBroker", "no such partition: addTopic() first");
        return *found;
    }

    /// Sleeps until something changes, at most one slice; the interruption, if there is one.
    std::optional<Error> sleep(Lock &lock, const CallContext &context)
    {
        if (auto interrupted = context.interruption())
            return interrupted;
        changed.wait_for(lock, std::max(context.slice(), std::chrono::milliseconds(1)));
        return context.interruption();
    }

    /// Counts the call, blocks and fails it as scripted.
    std::optional<Error> enter(Lock &lock, Call call, const CallContext &context)
    {
        Script &script = scripts[call];
        ++script.calls;
        if (script.blocked) {
            ++script.waiting;
            std::optional<Error> interrupted;
            const QDeadlineTimer deafUntil(script.deaf ? kDeafness : 0ms);
            while (script.blocked && !script.admitted && !down && !interrupted) {
                if (deafUntil.hasExpired())
                    interrupted = sleep(lock, context);
                else
                    changed.wait_for(lock, 50ms);
            }
            --script.waiting;
            script.admitted = false;
            if (interrupted)
                return interrupted;
        }
        if (auto interrupted = context.interruption())
            return interrupted;
        if (down)
            return networkError();
        if (script.failures > 0) {
            --script.failures;
            return script.error;
        }
        return std::nullopt;
    }

    Result<FetchResult> read(const FetchRequest &request)
    {
        const Partition *partition = find(request.partition);
        const ErrorPlace where{
            request.partition.topic, request.partition.partition, request.offset, {}, {}};
        if (!partition)
            return refused(kUnknownTopicOrPartition, u"UNKNOWN_TOPIC_OR_PARTITION"_s, where);
        if (partition->error) {
            Error error = *partition->error;
            error.where = where;
            return error;
        }
        if (request.offset < partition->logStart || request.offset > partition->highWatermark())
            return refused(kOffsetOutOfRange, u"OFFSET_OUT_OF_RANGE"_s, where);

        FetchResult result;
        result.partition = request.partition;
        result.fetchOffset = request.offset;
        result.highWatermark = partition->highWatermark();
        const bool committed = request.isolation == Isolation::ReadCommitted;
        const Offset end =
            committed ? partition->lastStable.value_or(result.highWatermark) : result.highWatermark;
        QByteArray payload;
        for (Offset at = request.offset;
             at < end && payload.size() < request.maxBytes && !partition->missing.contains(at);
             at = at + 1) {
            payload += partition->stored.at(at.value);
        }
        payload.truncate(request.maxBytes);
        auto decoded = decodeRecords(request.partition, payload, 0, request.offset);
        Q_ASSERT(decoded.ok());
        result.chunk =
            capabilities.timestamps ? timed(*decoded->chunk, payload, *partition) : decoded->chunk;
        result.nextOffset = request.offset + qint64(result.chunk->records().size());
        if (committed && result.nextOffset >= end)
            result.lastStableOffset = end;
        if (decoded->end == PayloadEnd::ImpossibleSize) {
            result.end = FetchEnd::ImpossibleSize;
            result.endRecordBytes = decoded->endRecordBytes;
        } else if (result.chunk->isEmpty()) {
            result.endRecordBytes = decoded->endRecordBytes;
            result.end = request.offset >= end               ? FetchEnd::CaughtUp
                         : decoded->end == PayloadEnd::Clean ? FetchEnd::EmptyBelowHighWatermark
                                                             : FetchEnd::RecordExceedsMaxBytes;
        }
        if (committed)
            leaveOut(result, partition->leftOut);
        return result;
    }

    static void leaveOut(FetchResult &result, const std::vector<OffsetGap> &leftOut)
    {
        for (OffsetGap gap : leftOut) {
            gap.first = std::max(gap.first, result.fetchOffset);
            gap.end = std::min(gap.end, result.nextOffset);
            if (gap.first < gap.end)
                result.gaps.push_back(gap);
        }
        std::vector<size_t> kept;
        for (size_t i = 0; i < result.chunk->records().size(); ++i) {
            const Offset offset = result.chunk->records()[i].offset;
            if (std::ranges::none_of(result.gaps, [&](const OffsetGap &gap) {
                    return gap.first <= offset && offset < gap.end;
                }))
                kept.push_back(i);
        }
        result.chunk = subsetOf(result.chunk, kept);
    }

    /// The same records with their times.
    static RecordChunkPtr timed(const RecordChunk &chunk, const QByteArray &payload,
                                const Partition &partition)
    {
        auto records = chunk.records();
        std::vector<qint64> timestampsMs;
        for (Record &record : records) {
            const bool isTimed = record.offset.value < partition.timesMs.size();
            record.flags.setFlag(RecordFlag::HasTimestamp, isTimed);
            timestampsMs.push_back(isTimed ? partition.timesMs[record.offset.value] : 0);
        }
        return std::make_shared<const RecordChunk>(chunk.partition(), payload, std::move(records),
                                                   std::move(timestampsMs));
    }

    static Error refused(qint16 code, const QString &name, const ErrorPlace &where)
    {
        Error error = refusal(code, name);
        error.where = where;
        return error;
    }

    Offset append(Partition &partition, const QByteArray &value)
    {
        Q_ASSERT(!value.isEmpty());
        const Offset offset = partition.highWatermark();
        QByteArray stored;
        appendStoredRecord(stored, asBytes(value));
        partition.values.append(value);
        partition.stored.append(stored);
        return offset;
    }

    Result<PublishResult> publish(const PublishRequest &request)
    {
        const auto topic = topics.find(request.topic);
        if (topic == topics.end())
            return refused(kUnknownTopicOrPartition, u"UNKNOWN_TOPIC_OR_PARTITION"_s,
                           {request.topic, request.partition, {}, {}, {}});
        const auto count = qint32(topic->second.partitions.size());
        if (request.expectedPartitionCount && *request.expectedPartitionCount != count)
            return Error::make(ErrorKind::PartitionsChanged, u"%1 partitions now"_s.arg(count),
                               {request.topic, {}, {}, {}, {}});
        if (!request.value || (request.value->isEmpty() && !capabilities.emptyValues))
            return Error::make(ErrorKind::InvalidArgument, u"no value"_s);
        if (request.value->size() > capabilities.maxRecordBytes)
            return refused(kRecordTooLarge, u"RECORD_TOO_LARGE"_s,
                           {request.topic, request.partition, {}, {}, {}});

        PublishResult result;
        result.ack = request.ack;
        result.partition.topic = request.topic;
        if (request.partition) {
            result.partition.partition = *request.partition;
        } else {
            const auto choice =
                Partitioner(request.partitioner).explain(asBytesOrNull(request.key), count);
            if (!choice)
                return choice.error();
            result.partition.partition =
                PartitionId{choice->index ? *choice->index : roundRobin.next(count).value()};
        }
        Partition *partition = find(result.partition);
        const ErrorPlace where{
            request.topic, result.partition.partition, std::nullopt, {}, std::nullopt};
        if (!partition)
            return refused(kUnknownTopicOrPartition, u"UNKNOWN_TOPIC_OR_PARTITION"_s, where);
        result.endOffsetBefore = partition->highWatermark();
        const std::optional<bool> lose = std::exchange(losePublish, std::nullopt);
        if (!lose || *lose)
            append(*partition, *request.value);
        if (lose) {
            Error error = Error::make(ErrorKind::OutcomeUnknown, u"no answer came"_s, where);
            error.where.offset = result.endOffsetBefore;
            return error;
        }
        if (request.ack != AckPolicy::None) {
            result.offset = result.endOffsetBefore;
            result.logEndOffset = partition->highWatermark();
        }
        return result;
    }
};

/// A session on this state.
std::unique_ptr<BrokerSession> makeFakeSession(const SessionConfig &config,
                                               std::shared_ptr<FakeBroker::State> state);

} // namespace topicscope::test
