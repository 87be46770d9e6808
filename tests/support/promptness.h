#pragma once

#include <QTest>

#include <algorithm>
#include <limits>

namespace topicscope::test
{

/// Within this a call that was cancelled is back.
constexpr qint64 kCancelledMs = 200;

/// The least that an attempt took, of some: a busy machine delays one or the other, what is too
/// slow is so each time. No more are made than it needs. @param attempt  void(qint64 &tookMs)
template <typename Attempt>
qint64 quickest(const Attempt &attempt)
{
    constexpr int kAttempts = 5;
    qint64 best = std::numeric_limits<qint64>::max();
    for (int i = 0; i < kAttempts && best >= kCancelledMs && !QTest::currentTestFailed(); ++i) {
        qint64 took = best;
        attempt(took);
        best = std::min(best, took);
    }
    return best;
}

} // namespace topicscope::test
