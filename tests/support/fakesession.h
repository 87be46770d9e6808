#pragma once

#include "core/session/brokersession.h"

#include <QByteArray>
#include <QList>

#include <memory>
#include <optional>
#include <vector>

namespace topicscope::test
{

/// The calls of a session that can be counted, failed and blocked.
enum class Call {
    Open,
    ListTopics,
    DescribeTopics,
    TopicRules,
    Fetch,
    Publish,
    Follow,
    Next,
    ListGroups,
    DescribeGroup,
    OffsetsAtTime
};

/// What is wrong with a stored record.
enum class Damage {
    Checksum, ///< one bit of the value flipped: the stored checksum no longer fits
    Size,     ///< the size field says 0
    Missing,  ///< nothing comes from here on although the high watermark lies behind
};

/// A broker in memory, scripted by the test that owns it. Sessions made by factory() share its
/// state, live on whatever thread made them and may outlive it.
///
/// Records are kept as they would be stored, and come through the same decoder as real ones: an
/// answer is cut at the reader's max bytes, so oversized records need no script.
///
/// Thread: any; one mutex guards everything.
class FakeBroker
{
public:
    FakeBroker();

    SessionFactory factory() const;

    // Contents.
    void addTopic(const QString &name, qint32 partitions);
    void removeTopic(const QString &name);
    /// Appends one record (not empty) and wakes followers; returns its offset.
    Offset append(const QString &topic, qint32 partition, const QByteArray &value);
    /// Appends `count` values made of `prefix` and their offset: "r-0", "r-1", …
    void appendMany(const QString &topic, qint32 partition, int count,
                    const QByteArray &prefix = QByteArrayLiteral("r-"));
    void damage(const QString &topic, qint32 partition, Offset offset, Damage damage);
    /// Retention: everything before `offset` is gone.
    void setLogStart(const QString &topic, qint32 partition, Offset offset);
    /// The log is cut back: everything from `end` on is gone.
    void truncate(const QString &topic, qint32 partition, Offset end);
    /// An open transaction begins at `offset`: reading committed records ends there. nullopt: none.
    void setLastStable(const QString &topic, qint32 partition, std::optional<Offset> offset);
    /// Reading committed records leaves these out, and tells of them as this gap.
    void setLeftOut(const QString &topic, qint32 partition, const OffsetGap &gap);
    /// Values as published or appended, undamaged.
    QList<QByteArray> values(const QString &topic, qint32 partition) const;

    /// The times of the records at offset 0, 1, …: what offsets are looked up by. With
    /// Capabilities::timestamps the records carry them.
    void setTimes(const QString &topic, qint32 partition, const QList<qint64> &timesMs);
    /// Adds a group, or puts it in the place of one with its id.
    void setGroup(const GroupInfo &group);
    void removeGroup(const QString &id);
    /// Brokers that do not answer when groups are listed.
    void setGroupListErrors(const QList<Error> &errors);

    /// Sessions are of a source that is read before anything of it is known: whatever comes first
    /// opens it, and says that this much is read when Call::Open begins. nullopt: no such source.
    void setReading(std::optional<int> percent);
    void setCapabilities(const Capabilities &capabilities);
    /// Topics are listed without offsets, which only describing them gives. Without this they come
    /// with the list, and describing is a ListTopics.
    void setOffsetsAskedFor(bool askedFor);
    /// Leader, replicas and those in sync of a partition; its offsets stay.
    void setReplicas(const QString &topic, qint32 partition, qint32 leader,
                     const QList<qint32> &replicas, const QList<qint32> &inSync);
    void setInternal(const QString &topic, bool internal);
    /// Listing and describing the topic shows this error instead of its partitions.
    void failTopic(const QString &topic, const Error &error);
    /// What the topic demands; one without is refused (TOPIC_AUTHORIZATION_FAILED).
    void setRules(const QString &topic, const TopicRules &rules);
    /// Told with Capabilities::brokers only.
    void setCluster(const ClusterInfo &cluster);

    // Failures.
    /// The next `times` calls fail with this error; nothing is done by them.
    void failNext(Call call, const Error &error, int times = 1);
    /// Fetching and following this partition fails from now on.
    void failPartition(const QString &topic, qint32 partition, const Error &error);
    /// Down: every call, also one that is waiting, fails with Network, and followers are dead.
    void setDown(bool down);
    /// The next publish ends with OutcomeUnknown; `stored` says whether the record arrived.
    void loseNextPublishAnswer(bool stored);

    // Blocking: calls wait until release(), their deadline or a cancel.
    void block(Call call);
    /// The same, but waits for release() alone, as a call does inside of its wait slice; at most
    /// 10 s, so that a test that is waiting for it fails instead of hanging.
    void blockDeaf(Call call);
    void release(Call call);
    /// Lets one waiting call through; later ones go on being blocked.
    void releaseOne(Call call);
    /// Calls of this kind waiting now. For QTRY_COMPARE.
    int blocked(Call call) const;

    // What arrived.
    /// Calls of this kind begun so far, failed ones included.
    int calls(Call call) const;
    std::vector<FetchRequest> fetchRequests() const;
    /// The names of each describeTopics() call, while offsets are asked for.
    QList<QStringList> describedTopics() const;
    std::vector<PublishRequest> publishRequests() const;
    std::vector<FollowRequest> followRequests() const;
    /// Sessions and followers that exist now.
    int liveSessions() const;
    int liveFollowers() const;

    static Error networkError();
    /// The broker does not take who we are.
    static Error loginRefusal();
    static Error refusal(qint16 code, const QString &name);
    /// As booblik: checksums, no keys, no empty values; acks written, forced, none.
    static Capabilities booblikCapabilities();

    struct State;

private:
    std::shared_ptr<State> m_state;
};

} // namespace topicscope::test
