#pragma once

#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>

#include <algorithm>
#include <vector>

namespace topicscope::bench
{

/// Beats every 5 ms on the thread that made it and remembers how late each beat came.
class Heartbeat
{
public:
    Heartbeat()
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] {
            m_lateMs.push_back(double(m_sinceBeat.nsecsElapsed()) / 1e6 - kBeatMs);
            m_sinceBeat.restart();
        });
        m_sinceBeat.start();
        m_timer.start(kBeatMs);
    }
    double worstMs() const { return m_lateMs.empty() ? 0 : *std::ranges::max_element(m_lateMs); }
    /// 99 of 100 beats were not later.
    double p99Ms() const
    {
        if (m_lateMs.empty())
            return 0;
        auto sorted = m_lateMs;
        std::ranges::sort(sorted);
        return sorted[(sorted.size() - 1) * 99 / 100];
    }

private:
    static constexpr int kBeatMs = 5;
    QTimer m_timer;
    QElapsedTimer m_sinceBeat;
    std::vector<double> m_lateMs;
};

inline constexpr int kGiveUpMs = 20'000;

/// Runs the event loop until the condition holds, which is looked at each millisecond.
template <typename Condition>
bool waitFor(Condition condition, int limitMs = kGiveUpMs)
{
    QEventLoop loop;
    QTimer poll;
    QObject::connect(&poll, &QTimer::timeout, &loop, [&] {
        if (condition())
            loop.quit();
    });
    poll.start(1);
    QTimer::singleShot(limitMs, &loop, &QEventLoop::quit);
    loop.exec();
    return condition();
}

} // namespace topicscope::bench
