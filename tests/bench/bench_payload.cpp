#include "tests/bench/benchmarks.h"
#include "tests/bench/eventloop.h"
#include "tests/support/chunks.h"
#include "ui/panels/inspectorpanel.h"
#include "ui/views/textview.h"

#include <QElapsedTimer>
#include <QEvent>
#include <QLabel>
#include <QScrollBar>

namespace topicscope::bench
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kRounds = 5;
constexpr double kFirstScreenLimitMs = 100;
constexpr double kBeatLimitMs = 50;
constexpr qsizetype kMega = 1'000'000;

/// An inspector like the window's, with one payload.
class Inspector final : public QObject
{
public:
    Inspector(ui::InspectorPanel::Tab tab, const QString &view)
        : m_view(m_panel.findChild<ui::TextView *>(view + u"View"_s))
        , m_state(m_panel.findChild<QLabel *>(view + u"State"_s))
    {
        m_panel.resize(480, 700);
        m_panel.setCurrentTab(tab);
        m_panel.show();
        m_view->viewport()->installEventFilter(this);
    }

    ui::TextView &view() { return *m_view; }

    /// Until it is painted as it stays. @return ms
    double show(const RecordChunkPtr &chunk)
    {
        QElapsedTimer time;
        time.start();
        m_panel.showRecord(chunk, 0, {});
        m_isPainted = false;
        if (!waitFor([this] { return m_isPainted; }))
            return -1;
        return double(time.nsecsElapsed()) / 1e6;
    }

protected:
    bool eventFilter(QObject *, QEvent *event) override
    {
        m_isPainted |= event->type() == QEvent::Paint && m_state->isHidden();
        return false;
    }

private:
    ui::InspectorPanel m_panel;
    ui::TextView *m_view;
    QLabel *m_state;
    bool m_isPainted = false;
};

Error notShown()
{
    return Error::make(ErrorKind::Timeout, u"nothing was shown"_s);
}

QByteArray longLine(qsizetype bytes)
{
    const QByteArray piece = R"({"id":123456,"name":"Zoë","state":"open"},)";
    return piece.repeated(bytes / piece.size());
}

/// 26,000 lines when it is laid out: as a document of a search engine has them.
QByteArray manyLines()
{
    constexpr int kObjects = 2'889; // of nine lines each
    QByteArray json = "[";
    for (int i = 0; i < kObjects; ++i) {
        json += i == 0 ? "" : ",";
        json += R"({"id":)" + QByteArray::number(i) +
                R"(,"name":"item","tags":["a","b"],"price":9.90})";
    }
    return json + ']';
}

Result<Figure> firstScreen(ui::InspectorPanel::Tab tab, const QString &view,
                           const QByteArray &payload)
{
    const auto chunk = test::chunkOf(0, 0, {payload});
    std::vector<double> milliseconds;
    for (int round = 0; round < kRounds; ++round) {
        Inspector inspector(tab, view);
        const double ms = inspector.show(chunk);
        if (ms < 0)
            return notShown();
        milliseconds.push_back(ms);
    }
    const double value = median(std::move(milliseconds));
    return Figure{value, kFirstScreenLimitMs / value};
}

/// The latest of all beats while 64 MB are looked through from end to end.
Result<Figure> scrolling()
{
    const auto chunk = test::chunkOf(
        0, 0, {QByteArray("a line of a log, as long as they are\n").repeated(1'700'000)});
    Inspector inspector(ui::InspectorPanel::Tab::Text, u"text"_s);
    const Heartbeat heartbeat;
    if (inspector.show(chunk) < 0)
        return notShown();
    QScrollBar &bar = *inspector.view().verticalScrollBar();
    static constexpr int kSteps = 200;
    for (int step = 0; step < kSteps || !inspector.view().isIndexed(); ++step) {
        bar.setValue(bar.maximum() / kSteps * (step % kSteps));
        waitFor([] { return false; }, 10);
        if (step > 100 * kSteps)
            return notShown();
    }
    const double worst = heartbeat.worstMs();
    return Figure{worst, kBeatLimitMs / worst};
}

} // namespace

std::vector<Benchmark> payloadBenchmarks()
{
    using Tab = ui::InspectorPanel::Tab;
    return {{"show_10MB_line", "ms", "a limit of 100 ms",
             [] { return firstScreen(Tab::Text, u"text"_s, longLine(10 * kMega)); }},
            {"show_26k_json", "ms", "a limit of 100 ms",
             [] { return firstScreen(Tab::Json, u"json"_s, manyLines()); }},
            {"show_64MB_text", "ms", "a limit of 100 ms",
             [] { return firstScreen(Tab::Text, u"text"_s, longLine(64 * kMega)); }},
            {"scroll_64MB_worst", "ms", "a limit of 50 ms", scrolling}};
}

} // namespace topicscope::bench
