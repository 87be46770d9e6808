#pragma once

#include "core/session/brokersession.h"
#include "core/transfer/outcomefile.h"
#include "core/transfer/recordsource.h"

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>

namespace topicscope::transfer
{

/// How records of a file are published.
struct PublishPlan {
    enum class Mapping {
        ByKey, ///< as the partitioner says; without a key as the engine does
        Keep,  ///< the partition they were in
        Fixed, ///< all to `fixed`
    };
    QString topic;
    Mapping mapping = Mapping::ByKey;
    PartitionId fixed;
    PartitionAlgorithm partitioner = PartitionAlgorithm::BooblikFnv1a;
    AckPolicy ack = AckPolicy::Written;
    Compression compression = Compression::None;
    bool keepTimes = false; ///< else: the moment of sending
    /// Headers, keys and times the target does not store are left out; else such a record is
    /// refused (a key only where it has no other use).
    bool dropUnstored = false;
    double perSecond = 0; ///< records at most; 0: as fast as it goes
};

/// What is known of where they go. Read once, before.
struct PublishTarget {
    TopicInfo topic;
    Capabilities capabilities;
    std::optional<TopicRules> rules; ///< where the engine tells
};

/// @error InvalidArgument: no such topic, or the plan does not fit it; what the session says.
/// Thread: the session's; blocking.
Result<PublishTarget> findTarget(BrokerSession &session, const PublishPlan &plan,
                                 const CallContext &context);

/// What would become of one record.
struct PlannedRecord {
    PublishRequest request;
    std::optional<PartitionId> partition; ///< nullopt: any
    QString refusal;                      ///< why it cannot be published; empty: it can
};

/// Of a topic whose partitions are not known nothing is said about them. Thread: any (pure).
PlannedRecord planRecord(const SourceRecord &record, const PublishPlan &plan,
                         const PublishTarget &target);

struct PublishProgress {
    qint64 record = 0; ///< of the source, the last one looked at
    qint64 published = 0;
    qint64 refused = 0;
    std::chrono::milliseconds elapsed{0};
};

/// What came of a run.
struct PublishSummary {
    bool finished = false; ///< the source has come to its end
    qint64 before = 0;     ///< records whose outcome was known from earlier runs
    qint64 published = 0;  ///< in this run
    qint64 refused = 0;    ///< in this run
    qint64 unknown = 0;    ///< in this run
    qint64 next = 1;       ///< the first record without an outcome
    bool canGoOn = false;  ///< there is a file of outcomes; only PublishHandle looks
    /// Why it ended early. OutcomeUnknown: the last record's; a resumed run goes on behind it.
    std::optional<Error> error;
};

/// Looks at every record and sends none.
/// @param each  called for each, in order; false: that is enough
/// @error what the source says; Cancelled.
Result<PublishSummary>
planAll(RecordSource &source, const PublishPlan &plan, const PublishTarget &target,
        const std::function<bool(const SourceRecord &, const PlannedRecord &)> &each,
        const std::stop_token &stop);

/// Publishes, one after the other, what has no outcome yet. A record that is refused for what it is
/// gets that as its outcome, and the next one follows; anything else that fails ends the run, to be
/// resumed. Nothing is sent again: not what was published, nor what is unknown.
/// @param progress  called at most ten times a second
/// Thread: the session's; blocking, back within 50 ms of a stop or, when a record was sent, as soon
/// as its answer is there or the publish timeout is over.
PublishSummary publishAll(BrokerSession &session, RecordSource &source, const PublishPlan &plan,
                          const PublishTarget &target, OutcomeFile &outcomes,
                          const std::function<void(const PublishProgress &)> &progress,
                          const std::stop_token &stop);

/// What a resumed run has to have in common with the one before.
OutcomeFile::Run runOf(const QString &sourcePath, SourceFormat format, const SessionConfig &target,
                       const PublishPlan &plan);

/// "key", "keep", "2".
QString mappingName(const PublishPlan &plan);

} // namespace topicscope::transfer
