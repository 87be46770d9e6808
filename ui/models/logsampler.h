#pragma once

#include "core/records/logmap.h"
#include "core/session/sessionhandle.h"

#include <QObject>
#include <QTimer>

#include <map>
#include <memory>
#include <vector>

namespace topicscope::ui
{

/// Fills the profiles of a topic's partitions: with what a table has loaded anyway, and, where
/// nothing is known, by small fetches on a connection of its own, evenly from coarse to fine and no
/// more than kMostFetches. What it cannot read stays unknown; it never gets in the way of a reader.
/// Thread: GUI.
class LogSampler final : public QObject
{
    Q_OBJECT
public:
    static constexpr int kMostFetches = 256;

    LogSampler(SessionFactory factory, SessionConfig config, QObject *parent = nullptr);
    Q_DISABLE_COPY_MOVE(LogSampler)

    /// Forgets everything. The more partitions, the coarser each is known.
    void open(const QString &topic, size_t partitions);
    void setEnds(PartitionId partition, Offset begin, Offset end);
    void setIsolation(Isolation isolation) { m_isolation = isolation; }
    void add(const std::vector<RecordBlock> &blocks);
    /// Goes on with sampling; stops by itself. Once the connection was lost only open() begins
    /// again: a map is worth no login that may be refused another time.
    void start();
    /// The broker can be reached again: samples what a lost connection left out.
    void goOn();
    void stop();

    const std::map<PartitionId, PartitionProfile> &profiles() const { return m_profiles; }
    int fetches() const { return m_fetches; }
    /// There is nothing more to ask for since open(): all is known, as much as may be, or the
    /// connection was lost.
    bool hasEnded() const { return m_ended; }

signals:
    void changed();
    /// hasEnded() now.
    void ended();

private:
    PartitionProfile &profile(PartitionId partition);
    void next();
    void end();
    void onFetched(RequestId id, const FetchResult &result);
    void onFinished(RequestId id);

    const SessionFactory m_factory;
    const SessionConfig m_config;
    std::unique_ptr<SessionHandle> m_session; ///< while there is something to sample
    QString m_topic;
    Isolation m_isolation = Isolation::ReadUncommitted;
    std::map<PartitionId, PartitionProfile> m_profiles;
    qint64 m_buckets = PartitionProfile::kMaxBuckets;
    PartitionId m_lastAsked;
    RequestId m_request;
    bool m_running = false;
    bool m_gaveUp = false;
    bool m_ended = false;
    int m_fetches = 0;
    QTimer m_announce; ///< not at every answer
};

} // namespace topicscope::ui
