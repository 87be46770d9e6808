#include "tests/bench/benchmarks.h"
#include "tests/bench/eventloop.h"
#include "tests/support/syntheticlog.h"
#include "ui/models/recordtablemodel.h"
#include "ui/panels/recordpanel.h"
#include "ui/views/offsetscrollbar.h"
#include "ui/views/recordtableview.h"

#include <QCoreApplication>
#include <QRandomGenerator>

namespace topicscope::bench
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 kOffsets = 5'000'000'000;
constexpr qsizetype kValueBytes = 200;
constexpr double kDragLimitMs = 150;
constexpr double kDragMemoryMiB = 250;
constexpr int kDragMs = 60'000;
constexpr qint64 kFollowRate = 200'000;
constexpr int kFollowMs = 60'000;
constexpr double kFollowP99Ms = 16;
constexpr double kFollowWorstMs = 50;

Error noRows(const QString &why)
{
    return Error::make(ErrorKind::Timeout, why);
}

/// A record panel on a log made as it is read.
class LongLog
{
public:
    explicit LongLog(const test::SyntheticLog &log)
        : m_panel(log.factory(), SessionConfig())
        , m_view(*m_panel.findChild<ui::RecordTableView *>(u"recordTable"_s))
        , m_bar(*m_panel.findChild<ui::OffsetScrollBar *>(u"offsetScrollBar"_s))
    {
        m_panel.resize(1280, 800);
        m_panel.show();
        m_panel.open(log.topicInfo(), PartitionId{0});
    }

    bool isLoaded() const { return m_panel.isLoaded(); }
    void follow() { m_panel.setFollowing(true); }
    qint64 topOffset() const { return offsetAt(m_view.rowAt(0)); }
    qint64 lastOffset() const { return offsetAt(m_view.model()->rowCount() - 1); }

    /// Moves the thumb there, and is back when the rows there are on the screen. @return ms
    Result<double> drag(double share)
    {
        QElapsedTimer timer;
        timer.start();
        m_bar.setSliderDown(true);
        m_bar.setSliderPosition(int(share * m_bar.maximum()));
        const qint64 wanted = m_bar.place();
        if (!waitFor([&] { return topOffset() == wanted; }))
            return noRows(u"no rows at offset %1"_s.arg(wanted));
        m_view.viewport()->repaint();
        return double(timer.nsecsElapsed()) / 1e6;
    }

private:
    qint64 offsetAt(int row) const
    {
        const auto *model = qobject_cast<const ui::RecordTableModel *>(m_view.model());
        return row < 0 || row >= model->rowCount()
                   ? -1
                   : model->index(row, model->section(ui::RecordColumn::Offset))
                         .data(ui::SortRole)
                         .toLongLong();
    }

    ui::RecordPanel m_panel;
    ui::RecordTableView &m_view;
    ui::OffsetScrollBar &m_bar;
};

struct Drags {
    double worstMs = 0;
    double mostMiB = 0;
};

/// TOPICSCOPE_BENCH_SECONDS makes it longer.
Result<Drags> dragAnywhere()
{
    test::SyntheticLog log;
    log.partitions = {{0, kOffsets}};
    log.valueBytes = kValueBytes;
    LongLog window(log);
    if (!waitFor([&] { return window.isLoaded(); }))
        return noRows(u"not opened"_s);
    bool given = false;
    const int seconds = qEnvironmentVariableIntValue("TOPICSCOPE_BENCH_SECONDS", &given);
    const qint64 limitMs = given ? seconds * 1000LL : kDragMs;
    QRandomGenerator random(1);
    Drags drags;
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < limitMs) {
        // Short of the end, where the newest rows are shown at the bottom.
        const auto ms = window.drag(random.bounded(0.99));
        if (!ms)
            return ms.error();
        drags.worstMs = std::max(drags.worstMs, *ms);
        const auto held = residentMiB(QCoreApplication::applicationPid());
        if (!held)
            return held.error();
        drags.mostMiB = std::max(drags.mostMiB, *held);
    }
    return drags;
}

Result<Figure> measureDrag()
{
    const auto drags = dragAnywhere();
    if (!drags)
        return drags.error();
    return Figure{drags->worstMs, kDragLimitMs / drags->worstMs};
}

Result<Figure> measureDragMemory()
{
    const auto drags = dragAnywhere();
    if (!drags)
        return drags.error();
    return Figure{drags->mostMiB, kDragMemoryMiB / drags->mostMiB};
}

struct Beats {
    double p99Ms = 0;
    double worstMs = 0;
};

Result<Beats> followFast()
{
    test::SyntheticLog log;
    log.partitions = {{0, 1'000}};
    log.valueBytes = kValueBytes;
    log.followRate = kFollowRate;
    LongLog window(log);
    if (!waitFor([&] { return window.isLoaded(); }))
        return noRows(u"not opened"_s);
    window.follow();
    if (!waitFor([&] { return window.lastOffset() > kFollowRate; }))
        return noRows(u"nothing was followed"_s);
    const Heartbeat heartbeat;
    const qint64 before = window.lastOffset();
    waitFor([] { return false; }, kFollowMs);
    // A window that fell behind was not measured at that rate.
    const qint64 shown = window.lastOffset() - before;
    if (shown < kFollowRate * (kFollowMs / 1000) * 95 / 100)
        return noRows(u"%1 records in %2 s were followed"_s.arg(shown).arg(kFollowMs / 1000));
    return Beats{heartbeat.p99Ms(), heartbeat.worstMs()};
}

Result<Figure> measureFollowP99()
{
    const auto beats = followFast();
    if (!beats)
        return beats.error();
    return Figure{beats->p99Ms, kFollowP99Ms / beats->p99Ms};
}

Result<Figure> measureFollowWorst()
{
    const auto beats = followFast();
    if (!beats)
        return beats.error();
    return Figure{beats->worstMs, kFollowWorstMs / beats->worstMs};
}

} // namespace

std::vector<Benchmark> longLogBenchmarks()
{
    return {{"drag_5e9_worst", "ms", "a limit of 150 ms", measureDrag},
            {"drag_5e9_rss", "MiB", "a limit of 250 MiB", measureDragMemory},
            {"follow_200k_p99", "ms", "a limit of 16 ms", measureFollowP99},
            {"follow_200k_worst", "ms", "a limit of 50 ms", measureFollowWorst}};
}

} // namespace topicscope::bench
