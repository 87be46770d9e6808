#pragma once

#include "core/session/holeprobe.h"
#include "core/session/sessionhandle.h"
#include "core/session/topicinfo.h"
#include "ui/models/recordtablemodel.h"

#include <QElapsedTimer>
#include <QHash>
#include <QObject>

#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace topicscope::ui
{

/// Fills a RecordTableModel with a window of one or several partitions: where one goes, and around
/// that as one scrolls. One job at a time; what it brings comes as one insertion for older records,
/// and as they arrive for newer ones. What cannot be read becomes a row saying why.
///
/// Several partitions make one sequence, see Order. What is followed comes as it arrives.
///
/// recordloader.cpp decides what to ask for, recordloaderorder.cpp where a window stands and how
/// its partitions become one sequence, recordloaderanswers.cpp takes what comes.
///
/// Thread: GUI. Nothing here waits; answers to requests given up are dropped.
class RecordLoader final : public QObject
{
    Q_OBJECT
public:
    /// Rows of one load, at least.
    static constexpr int kMinPageRows = 20;

    RecordLoader(SessionHandle *session, RecordTableModel *model, QObject *parent = nullptr);
    Q_DISABLE_COPY_MOVE(RecordLoader)

    enum class Job { None, ReadingOffsets, LookingUp, Older, Newer, Whole };

    /// How several partitions become one sequence of rows.
    enum class Order {
        Partition, ///< one partition after the other
        Time,      ///< by the records' times, see timemerge.h
    };

    /// What is known and held of one partition. Held is [begin, end); both are where the window
    /// stands when nothing is held.
    struct Part {
        PartitionId id;
        Offset logStart;
        Offset highWatermark;
        Offset begin;
        Offset end;
        bool exhausted = false; ///< asked for older ones in vain
        /// Where committed records end, as far as it is known.
        std::optional<Offset> lastStable = std::nullopt;
        /// Following stands here: the broker has no such offset.
        std::optional<Offset> rest = std::nullopt;
        /// By time: rows read that wait for other partitions', right before begin and behind end.
        std::deque<RecordBlock> before = {};
        std::deque<RecordBlock> behind = {};
    };

    /// Rows (first, last) that must not be evicted.
    void setVisibleRows(std::function<std::pair<int, int>()> rows) { m_visible = std::move(rows); }
    void setMaxBytes(qint32 bytes) { m_maxBytes = bytes; }
    qint32 maxBytes() const { return m_maxBytes; }
    /// For what is loaded from now on.
    void setIsolation(Isolation isolation) { m_isolation = isolation; }

    /// Forgets everything and takes these partitions. Nothing is loaded yet.
    void open(const TopicInfo &topic, std::optional<PartitionId> partition);
    /// Before anything is loaded.
    void setOrder(Order order) { m_order = order; }
    /// Several partitions in the order of time. Otherwise all of them are one line of offsets.
    bool isMerged() const { return m_order == Order::Time && m_parts.size() > 1; }
    const QString &topic() const { return m_topic; }
    const std::vector<Part> &parts() const { return m_parts; }
    const Part *part(PartitionId id) const;
    /// First offset that cannot be read now: the high watermark, or for committed records the last
    /// stable offset.
    Offset readableEnd(const Part &part) const;

    /// Where to stand in a partition, asked once its offsets have been read again.
    using Where = std::function<Offset(const Part &)>;
    /// Which row to stand at, asked once the offsets have been read again.
    using Place = std::function<std::pair<PartitionId, Offset>()>;

    /// Empties the window and shows the records from there on; where that is the end, the newest
    /// ones. An offset outside the log is moved to its nearer end. One partition after the other:
    /// at the first of which something is to be shown.
    void show(Where where);
    void showNewest();
    /// The same at one row; by time, the other partitions stand where they stood at its time.
    void showAt(Place place);
    /// As showAt(), with the offsets read last: for a scroll bar that is dragged.
    void jumpTo(PartitionId partition, Offset offset);
    void loadOlder();
    void loadNewer();
    bool canLoadOlder() const;
    bool canLoadNewer() const;
    /// Rows were let go at this end for those at the other: they come back when one is there, not
    /// before, or the two ends would take turns for ever.
    bool wasEvictedInFront() const { return m_evictedInFront; }
    bool wasEvictedBehind() const { return m_evictedBehind; }
    /// Reads log start and high watermark again; nothing else changes.
    void readOffsets();
    /// Fetches one oversized record. @param bytes its size; 0 = unknown, found by doubling
    void fetchWhole(PartitionId partition, Offset offset, qint64 bytes);

    /// Appends what a follower brought; records already held are left out. @return rows
    qint64 appendFollowed(const std::vector<FetchResult> &results);
    /// A follower's partition failed. When retention passed its position, what was removed becomes
    /// a row and followGoesOn() tells where to go on, once the offsets were read again; when the
    /// log was cut back before it, logShortened() tells.
    void followFailed(const TopicPartition &partition, const Error &error);
    /// While following, newer records come from elsewhere, from the end of each part on, and must
    /// stay.
    void setFollowing(bool following);
    /// Evicts at the beginning what is not visible. False when the budget cannot be kept so.
    bool evictOldest();
    /// Evicts at both ends, for a budget that is another one.
    void keepToBudget();

    Job job() const { return m_job; }
    /// Tries again what failed.
    void retry();
    void cancel();
    /// The last job ended with an error, or show() was cancelled before there was a row: scrolling
    /// loads nothing until retry() or another show().
    bool hasFailed() const { return m_failed; }

signals:
    void jobChanged();
    /// Offsets or the window of a partition changed.
    void rangesChanged();
    /// These rows are about to come into the window.
    void rowsLoaded(const std::vector<topicscope::RecordBlock> &blocks);
    /// A show() is done: rows are there, or there are none, or failed() was emitted.
    void shown();
    void failed(const topicscope::Error &error);
    /// One of several partitions is refused; a row stands for it, and the others go on.
    void partRefused(const topicscope::Error &error);
    void followGoesOn(topicscope::PartitionId partition, topicscope::Offset offset);
    /// While following: logs end before what was followed now, so that rows shown are no longer in
    /// them. In words, which and where.
    void logShortened(const QString &what);
    /// Something the user should know, in words.
    void noticed(const QString &text);

private:
    struct Task {
        PartitionId partition;
        Offset next;
        Offset limit; ///< first offset not wanted
        std::vector<RecordBlock> blocks;
        qint64 bytes = 0;
        int rows = 0;
        bool done = false;
        bool failed = false; ///< and not refused: it may be tried again
        bool outOfRange = false;
        bool asksForAll = false; ///< with all of max bytes, whatever is wanted
        std::optional<HoleProbe> probe;
        RowKind probeKind = RowKind::Hole;
        qint64 probeBytes = 0;
    };

    Part *partOf(PartitionId id);
    Task *task(PartitionId id);
    size_t shares() const { return isMerged() ? m_parts.size() : 1; }
    size_t indexOf(PartitionId id) const;
    bool hasOlder(const Part &part) const;
    bool hasNewer(const Part &part) const;
    void placeOthers();
    int pageRows() const;
    qint64 loadBytes() const;
    void begin(Job job);
    void beginShow(Where where, Place place);
    void startShow();
    void placeWindow(const Where &where);
    void lookUp(PartitionId partition, Offset offset);
    void askForTime();
    bool wantsMore(const std::deque<RecordBlock> &waiting) const;
    void onOffsetsFound(RequestId id, const QList<TimeOffset> &offsets);
    void startOlder();
    void startNewer();
    void step();
    qint32 maxBytesFor(const Task &task) const;
    void takeEnds(Part &known, const FetchResult &result);
    void take(Task &task, const FetchResult &result);
    void takeProbe(Task &task, const FetchResult &result);
    void startProbe(Task &task, Offset first, RowKind kind, qint64 bytes);
    void addBlock(Task &task, RecordBlock block);
    void deliver(std::vector<RecordBlock> blocks);
    void deliverWhatIsNext();
    std::vector<RecordBlock> takeOlder();
    void mergeOlder();
    void mergeNewer();
    void checkDone(Task &task, const FetchResult &result);
    void keepWithinReason(Task &task);
    void resolveOutOfRange();
    void skipRemoved();
    void tellShortened();
    void finishJob();
    void endJob();
    void fail(const Error &error);
    void noteRefusal(Task &task, const Error &error);
    void takeWhole(const FetchResult &result);
    void requestWhole(qint64 maxBytes);
    void syncParts(bool frontEvicted);

    void onFetched(RequestId id, const FetchResult &result);
    void onFetchFailed(RequestId id, const TopicPartition &partition, const Error &error);
    void onFetchFinished(RequestId id);
    void onTopicsDescribed(RequestId id, const TopicList &topics);
    void onFailed(RequestId id, const Error &error);

    SessionHandle *const m_session;
    RecordTableModel *const m_model;
    std::function<std::pair<int, int>()> m_visible;
    qint32 m_maxBytes = kDefaultMaxBytes;
    Isolation m_isolation = Isolation::ReadUncommitted;
    QString m_topic;
    std::vector<Part> m_parts;
    QHash<qint32, size_t> m_indexes; ///< into m_parts, by partition
    Order m_order = Order::Partition;
    /// One partition after the other: the window is from within this part to within that one.
    size_t m_firstPart = 0;
    size_t m_lastPart = 0;
    bool m_evictedInFront = false;
    bool m_evictedBehind = false;
    bool m_hasArrivals = false; ///< several partitions were followed: the end is as they came
    double m_averageBytes = 0;  ///< of a stored record, lately; 0 = unknown

    Job m_job = Job::None;
    bool m_showing = false; ///< the job belongs to a show()
    bool m_failed = false;
    bool m_following = false;
    Where m_where;                             ///< of the last show()
    Place m_place;                             ///< of the last showAt(); empty: m_where counts
    std::pair<PartitionId, Offset> m_lookedUp; ///< whose time is asked for
    Offset m_lookUpAsked;
    Offset m_lookUpNext;               ///< behind what was looked at for it
    std::optional<qint64> m_timeThere; ///< that time, in ms since 1970
    QElapsedTimer m_sinceOffsets;      ///< since all offsets were read
    std::vector<Task> m_tasks;
    RequestId m_request;     ///< of the job
    RequestId m_offsetsRead; ///< of readOffsets()
    std::optional<Error> m_firstError;
    std::function<void()> m_again;

    struct Whole {
        PartitionId partition;
        Offset offset;
        qint64 asked = 0; ///< max bytes of the request running
        qint64 next = 0;  ///< max bytes of the request to follow; 0 = none
    } m_whole;
};

} // namespace topicscope::ui
