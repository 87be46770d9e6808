#pragma once

#include "core/session/sessionhandle.h"

#include <QObject>

#include <functional>
#include <vector>

namespace topicscope::ui
{

/// Looks for the nearest flagged record, or another one that is wanted, outside a window: reads on,
/// keeps nothing, says how far it got. What retention removes meanwhile is passed over. Ranges are
/// searched in the order given; backwards from the end of each. Thread: GUI. The handle must not be
/// asked to fetch anything else meanwhile.
class FlagScan final : public QObject
{
    Q_OBJECT
public:
    enum class Direction { Forward, Backward };
    struct Range {
        TopicPartition partition;
        Offset from;
        Offset to; ///< exclusive
    };

    explicit FlagScan(SessionHandle *session, QObject *parent = nullptr);
    Q_DISABLE_COPY_MOVE(FlagScan)

    using Wanted = std::function<bool(const RecordChunk &chunk, const Record &record)>;

    /// @param wanted  empty: flagged ones. Otherwise what cannot be read is passed over.
    void start(std::vector<Range> ranges, Direction direction, qint32 maxBytes, Wanted wanted = {});
    void setIsolation(Isolation isolation) { m_isolation = isolation; }
    void cancel();
    bool isRunning() const { return bool(m_request); }
    bool isForWanted() const { return bool(m_wanted); }
    /// Where the wanted one that was found is.
    RecordChunkPtr foundChunk() const { return m_foundChunk; }
    qint64 scanned() const { return m_scanned; } ///< offsets looked at so far
    /// Where it is looking, or looked last.
    TopicPartition partition() const { return m_range.partition; }
    Offset position() const { return m_next; }

signals:
    void progressed();
    void found(const topicscope::TopicPartition &partition, topicscope::Offset offset);
    void finishedWithout();
    void failed(const topicscope::Error &error);

private:
    void nextRange();
    void nextWindow();
    void fetch();
    void onFetched(RequestId id, const FetchResult &result);
    void onFetchFailed(RequestId id, const TopicPartition &partition, const Error &error);
    void onFetchFinished(RequestId id);
    void onTopicsDescribed(RequestId id, const TopicList &topics);
    void onFailed(RequestId id, const Error &error);
    void goOn();
    void flag(Offset offset);
    void flagUnreadable(Offset offset);

    SessionHandle *const m_session;
    std::vector<Range> m_ranges; ///< still to come, in reverse order
    Range m_range;               ///< current; backwards its end moves to the front
    Direction m_direction = Direction::Forward;
    qint32 m_maxBytes = 0;
    Isolation m_isolation = Isolation::ReadUncommitted;
    RequestId m_request;
    Offset m_next;                 ///< to fetch
    Offset m_windowEnd;            ///< of the piece read now
    std::optional<Offset> m_found; ///< in this piece: the first, backwards the last
    Wanted m_wanted;
    RecordChunkPtr m_foundChunk;
    std::optional<Error> m_error;
    std::optional<Error> m_outOfRange; ///< at m_next; the request is then for the topic's offsets
    qint64 m_scanned = 0;
};

} // namespace topicscope::ui
