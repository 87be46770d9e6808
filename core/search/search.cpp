#include "core/search/search.h"

#include <QElapsedTimer>
#include <QThread>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>

namespace topicscope::search
{

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{

constexpr auto kProgressEvery = 100ms;

Error partitionError(const QString &name, const TopicPartition &partition)
{
    Error error =
        Error::make(ErrorKind::Broker, {}, {partition.topic, partition.partition, {}, {}, {}});
    error.brokerName = name;
    return error;
}

/// Where a partition stands, or why nobody knows.
Result<PartitionInfo> infoOf(const TopicList &topics, const TopicPartition &partition)
{
    const auto topic = std::ranges::find(topics, partition.topic, &TopicInfo::name);
    if (topic == topics.end())
        return partitionError(u"UNKNOWN_TOPIC_OR_PARTITION"_s, partition);
    if (topic->error)
        return *topic->error;
    const auto info = std::ranges::find(topic->partitions, partition.partition, &PartitionInfo::id);
    if (info == topic->partitions.end())
        return partitionError(u"UNKNOWN_TOPIC_OR_PARTITION"_s, partition);
    if (info->error)
        return *info->error;
    if (!info->offsetsKnown)
        return partitionError(u"LEADER_NOT_AVAILABLE"_s, partition);
    return *info;
}

/// The edges' offsets by time, for partitions that are known.
using Times = QList<TimeOffset>;

Result<Times> timesOf(BrokerSession &session, const QList<TopicPartition> &partitions,
                      const LogPlace &edge, const CallContext &context)
{
    if (edge.kind != LogPlace::Kind::Time || partitions.isEmpty())
        return Times();
    return session.offsetsAtTime(partitions, edge.number, context);
}

Result<Offset> resolved(const LogPlace &edge, const PartitionInfo &info,
                        const TopicPartition &partition, const Times &times)
{
    if (edge.kind != LogPlace::Kind::Time)
        return edge.resolveWithin(info.logStartOffset, info.highWatermark);
    const auto time = std::ranges::find(times, partition, &TimeOffset::partition);
    if (time == times.end())
        return partitionError(u"UNKNOWN_TOPIC_OR_PARTITION"_s, partition);
    if (time->error)
        return *time->error;
    return std::min(time->offset, info.highWatermark);
}

PartitionLedger planned(const TopicPartition &partition, const Result<PartitionInfo> &info,
                        const SearchScope &scope, const Times &fromTimes, const Times &toTimes)
{
    if (!info)
        return {partition, info.error()};
    const auto from = resolved(scope.from, *info, partition, fromTimes);
    const auto to = resolved(scope.to, *info, partition, toTimes);
    if (!from || !to)
        return {partition, from ? to.error() : from.error()};
    return {partition, *from, *to, info->logStartOffset, info->highWatermark};
}

/// The run's threads and what they share.
class Run
{
public:
    Run(const SessionFactory &factory, const SessionConfig &config, const Filter &filter,
        const SearchOptions &options, Ledger &ledger, SearchObserver &observer,
        const std::stop_token &stop)
        : m_factory(factory)
        , m_config(config)
        , m_filter(filter)
        , m_options(options)
        , m_ledger(ledger)
        , m_observer(observer)
        , m_stop(stop)
        , m_shown(ledger)
        , m_before(totalsOf(ledger))
    {
        for (size_t i = 0; i < m_ledger.size(); ++i) {
            if (m_ledger[i].pending())
                m_waiting.push_back(i);
        }
        m_idle = int(m_ledger.size() - m_waiting.size());
    }

    void run()
    {
        m_clock.start();
        for (size_t i = 0; i < m_ledger.size(); ++i) {
            if (!m_ledger[i].pending())
                m_observer.ended(i); // an empty partition costs no session
        }
        const size_t count = std::min(m_waiting.size(), size_t(std::max(1, m_options.sessions)));
        std::vector<std::unique_ptr<QThread>> threads;
        for (size_t i = 0; i < count; ++i) {
            threads.emplace_back(QThread::create([this] { work(); }));
            threads.back()->start();
        }
        for (const auto &thread : threads)
            thread->wait();
        m_observer.progressed(progress());
    }

private:
    void work()
    {
        const std::unique_ptr<BrokerSession> session = m_factory(m_config);
        while (!m_stop.stop_requested()) {
            const size_t next = m_next.fetch_add(1);
            if (next >= m_waiting.size())
                return;
            search(*session, m_waiting[next]);
        }
    }

    void search(BrokerSession &session, size_t index)
    {
        PartitionLedger &ledger = m_ledger[index];
        const ScanCallbacks callbacks{
            [&](const RecordChunkPtr &hits) { m_observer.found(index, hits); },
            [&] { show(index, ledger); },
        };
        scanPartition(session, m_filter, m_options.scan, ledger, callbacks, m_stop);
        {
            const std::scoped_lock lock(m_mutex);
            m_shown[index] = ledger;
            ++m_idle;
        }
        m_observer.ended(index);
    }

    /// Tells of progress, unless that was done a moment ago.
    void show(size_t index, const PartitionLedger &ledger)
    {
        const std::scoped_lock lock(m_mutex);
        m_shown[index] = ledger;
        if (m_clock.elapsed() - m_shownAt < kProgressEvery.count())
            return;
        m_shownAt = m_clock.elapsed();
        m_observer.progressed(progress());
    }

    SearchProgress progress() const
    {
        SearchProgress progress;
        progress.ledger = m_shown;
        progress.totals = totalsOf(m_shown);
        progress.ended = m_idle;
        const qint64 elapsed = std::max<qint64>(1, m_clock.elapsed());
        progress.elapsed = std::chrono::milliseconds(elapsed);
        progress.bytesPerSecond =
            double(progress.totals.bytes - m_before.bytes) * 1000 / double(elapsed);
        const qint64 pending = progress.totals.of(Coverage::Pending);
        const qint64 done = m_before.of(Coverage::Pending) - pending;
        if (done > 0) {
            constexpr double kMost = 1e15; // ms; what is more is never, and no number of them
            progress.left = std::chrono::milliseconds(
                qint64(std::min(double(elapsed) * double(pending) / double(done), kMost)));
        }
        return progress;
    }

    const SessionFactory &m_factory;
    const SessionConfig &m_config;
    const Filter &m_filter;
    const SearchOptions &m_options;
    Ledger &m_ledger; ///< each entry is its worker's
    SearchObserver &m_observer;
    const std::stop_token &m_stop;
    std::vector<size_t> m_waiting; ///< partitions to be searched
    std::atomic<size_t> m_next = 0;
    QElapsedTimer m_clock;

    mutable std::mutex m_mutex; ///< the rest
    Ledger m_shown;             ///< as of the last time each worker told
    LedgerTotals m_before;
    qint64 m_shownAt = 0;
    int m_idle = 0;
};

} // namespace

std::optional<QList<PartitionId>> parsePartitions(const QString &text)
{
    constexpr qsizetype kMost = 100'000; // more than any topic has
    const auto number = [](const QString &word) {
        bool ok = false;
        const qint32 value = word.toInt(&ok);
        return ok && value >= 0 && word[0].isDigit() ? std::optional(value) : std::nullopt;
    };
    QList<PartitionId> all;
    for (const QString &part : text.split(u',')) {
        const QStringList ends = part.trimmed().split(u'-');
        const auto first = number(ends.constFirst().trimmed());
        const auto last = number(ends.constLast().trimmed());
        if (ends.size() > 2 || !first || !last || *last < *first ||
            *last - *first >= kMost - all.size())
            return std::nullopt;
        for (qint64 id = *first; id <= *last; ++id)
            all += PartitionId{qint32(id)};
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

Result<Ledger> planSearch(BrokerSession &session, const QList<TopicPartition> &partitions,
                          const SearchScope &scope, const CallContext &context)
{
    QList<TopicPartition> sorted = partitions;
    std::ranges::sort(sorted);
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    QStringList names;
    for (const TopicPartition &partition : std::as_const(sorted))
        names += partition.topic;
    names.removeDuplicates();
    const auto topics = session.describeTopics(names, context);
    if (!topics)
        return topics.error();

    QList<TopicPartition> known;
    for (const TopicPartition &partition : std::as_const(sorted)) {
        if (infoOf(*topics, partition))
            known += partition;
    }
    const auto fromTimes = timesOf(session, known, scope.from, context);
    if (!fromTimes)
        return fromTimes.error();
    const auto toTimes = timesOf(session, known, scope.to, context);
    if (!toTimes)
        return toTimes.error();

    Ledger ledger;
    for (const TopicPartition &partition : std::as_const(sorted)) {
        ledger.push_back(
            planned(partition, infoOf(*topics, partition), scope, *fromTimes, *toTimes));
    }
    return ledger;
}

void runSearch(const SessionFactory &factory, const SessionConfig &config, const Filter &filter,
               const SearchOptions &options, Ledger &ledger, SearchObserver &observer,
               const std::stop_token &stop)
{
    Run(factory, config, filter, options, ledger, observer, stop).run();
}

} // namespace topicscope::search
