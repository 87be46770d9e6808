#pragma once

#include "core/base/callcontext.h"
#include "core/base/result.h"

#include <QList>
#include <QString>

#include <optional>

namespace topicscope
{

/// What a consumer group is doing, as its coordinator says.
enum class GroupState {
    Unknown, ///< not told, or by a name this build does not know
    PreparingRebalance,
    CompletingRebalance,
    Assigning,
    Reconciling,
    Stable,
    Empty, ///< no members; its offsets are kept
    Dead,
};

/// Stable name as Kafka writes it: "Stable", "PreparingRebalance".
QString groupStateName(GroupState state);

struct GroupSummary {
    QString id;
    GroupState state = GroupState::Unknown;
    bool isSimple = false; ///< only stores offsets: its readers divide the partitions themselves
    std::optional<qint32> coordinatorId; ///< the broker that keeps it; known when described
    QString coordinator;                 ///< its "host:port"
};

/// A list may be incomplete: the brokers that could not answer are told beside what the others
/// said. Brokers leave out, without a word, the groups a user may not describe.
struct GroupList {
    QList<GroupSummary> groups; ///< by id, each once
    QList<Error> errors;        ///< one for each broker that did not answer
};

struct GroupMember {
    QString memberId;
    QString clientId;
    QString host;
    QString instanceId; ///< of a static member; else empty
    QList<TopicPartition> assignment;
};

/// How far a group has come in one partition.
struct GroupOffset {
    TopicPartition partition;
    std::optional<Offset> committed; ///< nullopt: it has committed none, which is not 0
    QString metadata;                ///< the text committed with it
    std::optional<Offset> end;       ///< the high watermark
    bool gone = false;               ///< the topic, or this partition of it, is not there any more
    std::optional<Error> error;      ///< why one of both is not known

    /// Offsets between the committed one and the end, never negative: transaction markers and gaps
    /// count, so there may be fewer records. nullopt when one of both is not known.
    std::optional<qint64> lag() const;
};

struct GroupInfo {
    GroupSummary summary;
    QString assignor; ///< how partitions are divided, e.g. "range"; empty without members
    QList<GroupMember> members;
    std::optional<Error> membersError; ///< why the members are not known; the offsets may be
    /// Every partition of every topic the group has committed for or reads, in order.
    QList<GroupOffset> offsets;
    std::optional<Error> offsetsError; ///< why the committed offsets are not known

    /// Sum of the lags that are known; nullopt when none is.
    std::optional<qint64> totalLag() const;
};

/// The consumer groups of an engine that has some; only to look at. Looking leaves no trace: no
/// group joined or made, nothing committed. Thread: that of its BrokerSession; blocking.
class GroupReader
{
public:
    virtual ~GroupReader() = default;

    virtual Result<GroupList> listGroups(const CallContext &context) = 0;

    /// @error InvalidArgument: there is no such group.
    /// @error Broker (GROUP_AUTHORIZATION_FAILED, ...): nothing of it could be read.
    virtual Result<GroupInfo> describeGroup(const QString &id, const CallContext &context) = 0;
};

/// What is said where an engine has none. @return Unsupported
Error noGroups(const QString &endpoint);

/// The first record at or after a time, in one partition. Producers choose the times, so behind it
/// there may be records that are older.
struct TimeOffset {
    TopicPartition partition;
    Offset offset;              ///< the end of the log when afterLast
    bool afterLast = false;     ///< no record is that young
    std::optional<Error> error; ///< this partition could not answer; the others could
};

} // namespace topicscope
