#pragma once

#include "core/session/followhandle.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <deque>
#include <vector>

namespace topicscope::ui
{

/// Follow mode as a table needs it: batches are handed on at most 30 times a second, and credits go
/// back only then. Held, nothing is handed on and no credit goes back: the broker keeps what is to
/// come, and nothing is lost.
/// Thread: GUI.
class RecordFeed final : public QObject
{
    Q_OBJECT
public:
    RecordFeed(const SessionFactory &factory, const SessionConfig &config, FollowRequest request,
               QObject *parent = nullptr);
    Q_DISABLE_COPY_MOVE(RecordFeed)

    void setHeld(bool held);
    /// Goes on at `offset` in a partition that failed.
    void skipTo(const TopicPartition &partition, Offset offset)
    {
        m_handle.skipTo(partition, offset);
    }
    ConnectionState state() const { return m_handle.state(); }
    const Error &lastError() const { return m_handle.lastError(); }
    /// Records a second over the last seconds.
    double rate() const;

signals:
    void arrived(const std::vector<topicscope::FetchResult> &results);
    void partitionFailed(const topicscope::TopicPartition &partition,
                         const topicscope::Error &error);
    void stateChanged();

private:
    void onFetched(const FetchResult &result);
    void handOn();

    FollowHandle m_handle;
    std::vector<FetchResult> m_pending; ///< at most FollowHandle::kCredits
    QTimer m_tick;
    bool m_held = false;
    QElapsedTimer m_clock;
    std::deque<std::pair<qint64, qint64>> m_recent; ///< (ms, records) handed on
};

} // namespace topicscope::ui
