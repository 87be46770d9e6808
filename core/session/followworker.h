#pragma once

#include "core/session/backoff.h"
#include "core/session/brokersession.h"
#include "core/session/connectionstate.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <stop_token>
#include <vector>

namespace topicscope
{

/// Owns a BrokerSession and its RecordFollower and asks it for one batch after the other while
/// there are credits. Blocks at most kStep at a time, so that skipTo() and addCredit() get their
/// turn. Thread: made anywhere, then moved to its own; slots and signals belong to that thread.
class FollowWorker final : public QObject
{
    Q_OBJECT
public:
    FollowWorker(SessionFactory factory, SessionConfig config, FollowRequest request, int credits,
                 std::stop_token stop);
    ~FollowWorker() override;
    Q_DISABLE_COPY_MOVE(FollowWorker)

    static constexpr std::chrono::milliseconds kStep{100};

public slots:
    /// Makes the session and connects; before everything else.
    void start();
    void addCredit();
    void skipTo(const topicscope::TopicPartition &partition, topicscope::Offset offset);

signals:
    void stateChanged(topicscope::ConnectionState state, const topicscope::Error &error);
    void fetched(const topicscope::FetchResult &result);
    void partitionFailed(const topicscope::TopicPartition &partition,
                         const topicscope::Error &error);

private:
    using Position = std::pair<TopicPartition, Offset>;

    void connectNow();
    void step();
    void stepLater();
    void deliver(const FetchResult &result);
    void lost(const Error &error);

    SessionFactory m_factory;
    SessionConfig m_config;
    FollowRequest m_request;         ///< `from`: where to go on while there is no follower
    std::vector<Position> m_resting; ///< reported as not readable here, until skipTo()
    int m_credits;
    const int m_maxCredits;
    std::stop_token m_stop;
    BackOff m_backOff;
    QTimer m_retry;
    bool m_stepPosted = false;
    std::unique_ptr<BrokerSession> m_session;
    std::unique_ptr<RecordFollower> m_follower; ///< before the session it came from
};

} // namespace topicscope
