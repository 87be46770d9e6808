#include "core/booblik/connection.h"
#include "core/profiles/connectionstore.h"
#include "core/sessionfactory.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/brokerprocess.h"
#include "tests/bench/eventloop.h"
#include "tests/support/fakekafkabroker.h"
#include "ui/mainwindow.h"
#include "ui/models/recordtablemodel.h"
#include "ui/openconnections.h"
#include "ui/panels/recordpanel.h"
#include "ui/panels/topicpanel.h"

#include <QAbstractItemView>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QTemporaryDir>

#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>

namespace topicscope::bench
{

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{

constexpr int kRounds = 5;
constexpr qint64 kRecords = 1'000'000;
constexpr qsizetype kValueBytes = 128;
constexpr double kFirstRowsLimitMs = 300;
constexpr double kStallLimitMs = 50;
#ifdef TOPICSCOPE_WITH_KAFKA
constexpr double kTreeLimitMs = 300;
constexpr double kTreeWholeLimitMs = 1'000;
#endif
constexpr double kMemoryLimitMiB = 100;
const QString kTopic = u"bench"_s;

/// Tells when a view has painted.
class PaintWatch final : public QObject
{
public:
    void watch(QWidget *widget) { widget->installEventFilter(this); }
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

/// The whole window on a broker, with settings of its own that go with it.
class Window
{
public:
    explicit Window(const SessionConfig &config)
        : m_settings(m_folder.filePath(u"settings.ini"_s))
        , m_store(m_folder.filePath(u"settings.ini"_s))
        , m_window(defaultSessionFactory(), &m_settings, &m_store)
        , m_topics(*m_window.findChild<ui::OpenConnections *>()->model())
        , m_connection(m_window.connectTo(config))
    {
        m_window.show();
    }

    /// Calls back when the session's list of topics arrives, before anybody sees it.
    void onListing(const std::function<void()> &arrived)
    {
        SessionHandle *session = m_window.findChild<ui::OpenConnections *>()->session(m_connection);
        QObject::connect(session, &SessionHandle::clusterDescribed, &m_paints, [this, arrived] {
            m_paints.reset();
            arrived();
        });
        m_tree = m_window.findChild<QAbstractItemView *>(u"topicTree"_s);
        m_paints.watch(m_tree->viewport());
    }
    /// Whether the tree was painted with so many topics.
    bool showsTopics(qsizetype count)
    {
        const QAbstractItemModel &shown = *m_tree->model();
        const bool listed = shown.rowCount(shown.index(0, 0)) >= count;
        if (!listed)
            m_paints.reset();
        return listed && m_paints.painted();
    }

    bool topicsAreListed() const { return !m_topics.topics(m_connection).isEmpty(); }

    /// What a double click on partition 0 does.
    void openPartition()
    {
        emit m_window.findChild<ui::TopicPanel *>()->partitionActivated(
            m_connection, m_topics.topics(m_connection).first(), PartitionId{0});
        m_panel = m_window.findChild<ui::RecordPanel *>();
        m_view = m_panel->findChild<QAbstractItemView *>(u"recordTable"_s);
        m_paints.watch(m_view->viewport());
        QObject::connect(m_panel, &ui::RecordPanel::loaded, &m_paints, [this] {
            m_loaded = true;
            m_paints.reset();
        });
    }

    bool showsRows() const
    {
        return m_loaded && m_paints.painted() && m_view->model()->rowCount() > 0;
    }

    /// Shows the record at an offset, and pages through what follows.
    bool browse(qint64 offset)
    {
        static constexpr int kPages = 20;
        m_panel->goTo(QString::number(offset));
        if (!waitFor([&] { return offsetAt(0) <= offset && offset <= lastOffset(); }))
            return false;
        for (int page = 0; page < kPages; ++page) {
            const int rows = m_view->model()->rowCount();
            m_view->scrollToBottom();
            waitFor([this, rows] { return m_view->model()->rowCount() != rows; }, kPageMs);
        }
        return true;
    }

    void follow() { m_panel->setFollowing(true); }

    /// Offset of the last row; -1 without rows.
    qint64 lastOffset() const { return offsetAt(m_view->model()->rowCount() - 1); }
    qint64 offsetAt(int row) const
    {
        const auto *model = qobject_cast<const ui::RecordTableModel *>(m_view->model());
        return row < 0 || row >= model->rowCount()
                   ? -1
                   : model->index(row, model->section(ui::RecordColumn::Offset))
                         .data(ui::SortRole)
                         .toLongLong();
    }

private:
    static constexpr int kPageMs = 100;

    QTemporaryDir m_folder;
    ui::UiSettings m_settings;
    ConnectionStore m_store;
    ui::MainWindow m_window;
    const ui::TopicTreeModel &m_topics;
    ui::ConnectionId m_connection;
    ui::RecordPanel *m_panel = nullptr;
    QAbstractItemView *m_view = nullptr;
    QAbstractItemView *m_tree = nullptr;
    PaintWatch m_paints;
    bool m_loaded = false;
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

/// A broker with the partition of a million records.
Result<void> prepare(BrokerProcess &broker)
{
    if (auto started = broker.start(kTopic + u":1"_s); !started)
        return started.error();
    return broker.fill(kTopic, kRecords, kValueBytes);
}

Result<Figure> measureFirstRows()
{
    BrokerProcess broker;
    if (auto prepared = prepare(broker); !prepared)
        return prepared.error();
    std::vector<double> milliseconds;
    for (int round = 0; round < kRounds; ++round) {
        Window window(broker.config());
        if (!waitFor([&] { return window.topicsAreListed(); }))
            return noRows();
        QElapsedTimer timer;
        timer.start();
        window.openPartition();
        if (!waitFor([&] { return window.showsRows(); }))
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
    Window window(broker.config());
    if (!waitFor([&] { return window.topicsAreListed(); }))
        return noRows();
    const Heartbeat heartbeat;
    window.openPartition();
    if (!waitFor([&] { return window.showsRows(); }))
        return noRows();
    window.follow();
    const qint64 before = window.lastOffset();
    const SteadyProducer producer(broker.config(), kRecordsPerSecond);
    waitFor([] { return false; }, kFollowMs);
    const double worst = heartbeat.worstMs();
    // A window that fell behind was not measured while following.
    const qint64 shown = window.lastOffset() - before;
    if (shown < producer.published() / 2) {
        return Error::make(ErrorKind::Timeout, u"%1 of %2 records were followed"_s.arg(shown).arg(
                                                   producer.published()));
    }
    return worst;
}

Result<Figure> measureStall()
{
    BrokerProcess broker;
    if (auto prepared = prepare(broker); !prepared)
        return prepared.error();
    std::vector<double> milliseconds;
    for (int round = 0; round < kRounds; ++round) {
        const auto worst = worstStall(broker);
        if (!worst)
            return worst.error();
        milliseconds.push_back(*worst);
    }
    return againstLimit(std::move(milliseconds), kStallLimitMs);
}

/// What the process holds more after opening the partition and looking at it in ten places.
Result<Figure> measureMemory()
{
    BrokerProcess broker;
    if (auto prepared = prepare(broker); !prepared)
        return prepared.error();
    Window window(broker.config());
    if (!waitFor([&] { return window.topicsAreListed(); }))
        return noRows();
    const qint64 self = QCoreApplication::applicationPid();
    const auto before = residentMiB(self);
    if (!before)
        return before.error();
    window.openPartition();
    if (!waitFor([&] { return window.showsRows(); }))
        return noRows();
    static constexpr int kPlaces = 10;
    for (int place = 0; place < kPlaces; ++place) {
        if (!window.browse(place * (kRecords / kPlaces)))
            return noRows();
    }
    const auto after = residentMiB(self);
    if (!after)
        return after.error();
    return againstLimit({*after - *before}, kMemoryLimitMiB);
}

#ifdef TOPICSCOPE_WITH_KAFKA
enum class Since { Connecting, Answer };

/// Until the tree shows the names of ten thousand topics of a cluster.
Result<Figure> measureTree(Since since)
{
    static constexpr qsizetype kTopics = 10'000;
    static constexpr int kPartitions = 4;
    const test::FakeKafkaBroker broker(test::manyTopics(kTopics, kPartitions));
    std::vector<double> milliseconds;
    for (int round = 0; round < kRounds; ++round) {
        QElapsedTimer timer;
        timer.start();
        Window window(broker.config());
        window.onListing([&] {
            if (since == Since::Answer)
                timer.restart();
        });
        if (!waitFor([&] { return window.showsTopics(kTopics); }))
            return noRows();
        milliseconds.push_back(double(timer.nsecsElapsed()) / 1e6);
    }
    return againstLimit(std::move(milliseconds),
                        since == Since::Answer ? kTreeLimitMs : kTreeWholeLimitMs);
}
#endif

} // namespace

std::vector<Benchmark> windowBenchmarks()
{
    return {
#ifdef TOPICSCOPE_WITH_KAFKA
        {"tree_10000_topics", "ms", "a limit of 300 ms from the answer",
         [] { return measureTree(Since::Answer); }},
        {"tree_10000_topics_whole", "ms", "a limit of 1 s from connecting",
         [] { return measureTree(Since::Connecting); }},
#endif
        {"open_1m_first_rows", "ms", "a limit of 300 ms", measureFirstRows},
        {"open_1m_memory", "MiB", "a limit of 100 MiB", measureMemory},
        {"gui_stall_worst", "ms", "a limit of 50 ms", measureStall}};
}

} // namespace topicscope::bench
