#include "core/booblik/connection.h"
#include "core/sessionfactory.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/brokerprocess.h"
#include "ui/models/recordtablemodel.h"
#include "ui/panels/recordpanel.h"

#include <QAbstractItemView>
#include <QElapsedTimer>
#include <QEvent>
#include <QEventLoop>
#include <QTimer>

#include <algorithm>
#include <atomic>
#include <thread>

namespace topicscope::bench
{

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{

constexpr int kRounds = 5;
constexpr int kGiveUpMs = 20'000;
constexpr qint64 kRecords = 1'000'000;
constexpr qsizetype kValueBytes = 128;
constexpr double kFirstRowsLimitMs = 300;
constexpr double kStallLimitMs = 50;
const QString kTopic = u"bench"_s;

/// Beats every 5 ms on the thread that made it and remembers the longest time it came late.
class Heartbeat
{
public:
    Heartbeat()
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] {
            const double late = double(m_sinceBeat.nsecsElapsed()) / 1e6 - kBeatMs;
            m_worstMs = std::max(m_worstMs, late);
            m_sinceBeat.restart();
        });
        m_sinceBeat.start();
        m_timer.start(kBeatMs);
    }
    double worstMs() const { return m_worstMs; }

private:
    static constexpr int kBeatMs = 5;
    QTimer m_timer;
    QElapsedTimer m_sinceBeat;
    double m_worstMs = 0;
};

/// Runs the event loop until the condition holds, which is looked at after each event.
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

/// Tells when a view has painted.
class PaintWatch final : public QObject
{
public:
    explicit PaintWatch(QWidget *widget) { widget->installEventFilter(this); }
    void reset() { m_painted = false; }
    bool painted() const { return m_painted; }

protected:
    bool eventFilter(QObject *, QEvent *event) override
    {
        m_painted |= event->type() == QEvent::Paint;
        return false;
    }

private:
    bool m_painted = false;
};

/// A record panel in a window of its own, as a click on a partition makes it.
struct OpenPanel {
    explicit OpenPanel(const SessionConfig &config)
        : panel(defaultSessionFactory(), config)
        , view(panel.findChild<QAbstractItemView *>(u"recordTable"_s))
        , watch(view->viewport())
    {
        QObject::connect(&panel, &ui::RecordPanel::loaded, &panel, [this] {
            loaded = true;
            watch.reset();
        });
        panel.resize(1200, 800);
        panel.show();
        panel.open({kTopic, {{PartitionId{0}, Offset{0}, Offset{kRecords}, {}}}, {}},
                   PartitionId{0});
    }

    bool showsRows() const { return loaded && watch.painted() && view->model()->rowCount() > 0; }
    /// Offset of the last row; -1 without rows.
    qint64 lastOffset() const
    {
        const auto *model = qobject_cast<const ui::RecordTableModel *>(view->model());
        const int row = model->rowCount() - 1;
        return row < 0 ? -1
                       : model->index(row, model->section(ui::RecordColumn::Offset))
                             .data(ui::SortRole)
                             .toLongLong();
    }

    ui::RecordPanel panel;
    QAbstractItemView *view;
    PaintWatch watch;
    bool loaded = false;
};

Error noRows()
{
    return Error::make(ErrorKind::Timeout, u"no rows were shown"_s);
}

Figure againstLimit(std::vector<double> values, double limit)
{
    const double value = median(std::move(values));
    return {value, limit / value};
}

Result<Figure> measureFirstRows()
{
    BrokerProcess broker;
    if (auto started = broker.start(kTopic + u":1"_s); !started)
        return started.error();
    if (auto filled = broker.fill(kTopic, kRecords, kValueBytes); !filled)
        return filled.error();
    std::vector<double> milliseconds;
    for (int round = 0; round < kRounds; ++round) {
        QElapsedTimer timer;
        timer.start();
        const OpenPanel open(broker.config());
        if (!waitFor([&] { return open.showsRows(); }))
            return noRows();
        milliseconds.push_back(double(timer.nsecsElapsed()) / 1e6);
    }
    return againstLimit(std::move(milliseconds), kFirstRowsLimitMs);
}

/// Publishes at a steady rate from a thread of its own until it is stopped.
class SteadyProducer
{
public:
    SteadyProducer(const SessionConfig &config, int recordsPerSecond)
        : m_thread([this, config, recordsPerSecond](const std::stop_token &stop) {
            run(config, recordsPerSecond, stop);
        })
    {
    }
    qint64 published() const { return m_published; }

private:
    void run(const SessionConfig &config, int recordsPerSecond, const std::stop_token &stop)
    {
        static constexpr auto kEvery = 10ms;
        booblik::Connection connection(config);
        booblik::wire::ProduceRequest request;
        request.topicName = kTopic;
        for (int i = 0; i < recordsPerSecond / int(1s / kEvery); ++i)
            request.records.append(sampleValue(i, kValueBytes));
        const CallContext context(std::chrono::milliseconds(30s), stop);
        for (auto next = std::chrono::steady_clock::now(); !stop.stop_requested();) {
            if (!connection.send(request, context) || !connection.receive(context))
                return;
            m_published += request.records.size();
            next += kEvery;
            std::this_thread::sleep_until(next);
        }
    }

    std::atomic<qint64> m_published = 0;
    std::jthread m_thread;
};

Result<double> worstStall(const BrokerProcess &broker)
{
    static constexpr int kRecordsPerSecond = 50'000;
    static constexpr int kFollowMs = 4000;
    const Heartbeat heartbeat;
    OpenPanel open(broker.config());
    if (!waitFor([&] { return open.showsRows(); }))
        return noRows();
    open.panel.setFollowing(true);
    const qint64 before = open.lastOffset();
    const SteadyProducer producer(broker.config(), kRecordsPerSecond);
    waitFor([] { return false; }, kFollowMs);
    const double worst = heartbeat.worstMs();
    // A window that fell behind was not measured while following.
    const qint64 shown = open.lastOffset() - before;
    if (shown < producer.published() / 2) {
        return Error::make(ErrorKind::Timeout, u"%1 of %2 records were followed"_s.arg(shown).arg(
                                                   producer.published()));
    }
    return worst;
}

Result<Figure> measureStall()
{
    BrokerProcess broker;
    if (auto started = broker.start(kTopic + u":1"_s); !started)
        return started.error();
    if (auto filled = broker.fill(kTopic, kRecords, kValueBytes); !filled)
        return filled.error();
    std::vector<double> milliseconds;
    for (int round = 0; round < kRounds; ++round) {
        const auto worst = worstStall(broker);
        if (!worst)
            return worst.error();
        milliseconds.push_back(*worst);
    }
    return againstLimit(std::move(milliseconds), kStallLimitMs);
}

} // namespace

std::vector<Benchmark> windowBenchmarks()
{
    return {{"open_1m_first_rows", "ms", "a limit of 300 ms", measureFirstRows},
            {"gui_stall_worst", "ms", "a limit of 50 ms", measureStall}};
}

} // namespace topicscope::bench
