#include "core/base/bytewriter.h"
#include "core/search/searchhandle.h"
#include "core/sessionfactory.h"
#include "tests/core/search/ledgertext.h"
#include "tests/support/fakesession.h"
#include "tests/support/startedbroker.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <mutex>
#include <thread>

using namespace topicscope;
using namespace topicscope::search;
using namespace topicscope::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{

Filter parsed(const QString &text)
{
    return Filter::parse(text, 0).value();
}

/// Everything a search tells; by partition, as it came.
class Collected final : public SearchObserver
{
public:
    void found(size_t partition, const RecordChunkPtr &hits) override
    {
        const std::scoped_lock lock(mutex);
        for (const Record &record : hits->records())
            places[partition].push_back(record.offset.value);
        chunks.push_back(hits);
    }
    void ended(size_t partition) override
    {
        const std::scoped_lock lock(mutex);
        endings.push_back(partition);
    }

    QList<Place> sorted(const Ledger &ledger) const
    {
        QList<Place> all;
        for (const auto &[partition, offsets] : places) {
            for (const qint64 offset : offsets)
                all += {ledger[partition].partition().partition.value, offset};
        }
        return all;
    }

    std::mutex mutex;
    std::map<size_t, std::vector<qint64>> places;
    std::vector<RecordChunkPtr> chunks;
    std::vector<size_t> endings;
};

QList<TopicPartition> partitionsOf(const QString &topic, qint32 count)
{
    QList<TopicPartition> all;
    for (qint32 i = 0; i < count; ++i)
        all += TopicPartition{topic, PartitionId{i}};
    return all;
}

} // namespace

/// Searching partitions: what is found, what the ledger says, and what stands in the way.
class tst_Search final : public QObject
{
    Q_OBJECT

private slots:
    void init();

    void findsInAllPartitions();
    void tenRunsAreTheSame();
    void scopeIsResolvedOnce_data();
    void scopeIsResolvedOnce();
    void scopeByTime();
    void damageHidesNothingElse();
    void largeRecordsAreFetchedWhole();
    void partitionsFailAlone();
    void retentionOvertakesASearch();
    void aCutLogEnds();
    void openTransactionsAreSaid();
    void whatACommittedReadLeavesOutIsSaid();
    void emptyPartitionsCostNothing();
    void aLostConnectionIsTriedOnceMore();
    void undecidedRecordsAreCounted();
    void cancelsAndResumes();
    void handleTellsAndCancels();
    void searchesABroker();

private:
    Ledger plan(const QList<TopicPartition> &partitions, const SearchScope &scope = {})
    {
        const auto session = m_broker->factory()(SessionConfig());
        return planSearch(*session, partitions, scope, CallContext()).value();
    }
    void run(Ledger &ledger, const QString &filter, SearchObserver &observer,
             const SearchOptions &options = {}, const std::stop_token &stop = {})
    {
        runSearch(m_broker->factory(), SessionConfig(), parsed(filter), options, ledger, observer,
                  stop);
        for (const PartitionLedger &partition : ledger)
            QVERIFY2(isTiled(partition), qPrintable(told(partition)));
    }

    std::unique_ptr<FakeBroker> m_broker;
};

void tst_Search::init()
{
    m_broker = std::make_unique<FakeBroker>();
}

void tst_Search::findsInAllPartitions()
{
    m_broker->addTopic(u"orders"_s, 3);
    for (qint32 partition = 0; partition < 3; ++partition)
        m_broker->appendMany(u"orders"_s, partition, 100);
    m_broker->append(u"orders"_s, 2, "needle");
    Ledger ledger = plan(partitionsOf(u"orders"_s, 3));
    m_broker->append(u"orders"_s, 1, "needle"); // too late: the scope was resolved
    Collected collected;
    run(ledger, u"needle or r-42"_s, collected);
    QCOMPARE(collected.sorted(ledger), (QList<Place>{{0, 42}, {1, 42}, {2, 42}, {2, 100}}));
    QVERIFY(totalsOf(ledger).isComplete());
    QCOMPARE(totalsOf(ledger).records, 301);
    QCOMPARE(totalsOf(ledger).hits, 4);
    std::ranges::sort(collected.endings);
    QCOMPARE(collected.endings, (std::vector<size_t>{0, 1, 2}));
    for (const RecordChunkPtr &chunk : collected.chunks)
        QVERIFY(chunk->bytes().size() < 40); // the hits alone, not the answers they came in
}

void tst_Search::tenRunsAreTheSame()
{
    m_broker->addTopic(u"orders"_s, 5);
    for (qint32 partition = 0; partition < 5; ++partition)
        m_broker->appendMany(u"orders"_s, partition, 2000);
    SearchOptions options;
    options.scan.maxBytes = 500;
    QList<Place> first;
    for (int i = 0; i < 10; ++i) {
        Ledger ledger = plan(partitionsOf(u"orders"_s, 5));
        Collected collected;
        run(ledger, u"value ends 7"_s, collected, options);
        if (i == 0)
            first = collected.sorted(ledger);
        QCOMPARE(first.size(), 5 * 200);
        QCOMPARE(collected.sorted(ledger), first);
    }
}

void tst_Search::scopeIsResolvedOnce_data()
{
    using Kind = LogPlace::Kind;
    QTest::addColumn<int>("fromKind");
    QTest::addColumn<qint64>("from");
    QTest::addColumn<int>("toKind");
    QTest::addColumn<qint64>("to");
    QTest::addColumn<QString>("ranges");
    const auto row = [](const char *name, Kind fromKind, qint64 from, Kind toKind, qint64 to,
                        const char *ranges) {
        QTest::newRow(name) << int(fromKind) << from << int(toKind) << to
                            << QString::fromLatin1(ranges);
    };
    row("all", Kind::Start, 0, Kind::End, 0, "20..100 scanned");
    row("newest", Kind::End, 5, Kind::End, 0, "95..100 scanned");
    row("more than there are", Kind::End, std::numeric_limits<qint64>::max(), Kind::End, 0,
        "20..100 scanned");
    row("offsets", Kind::Offset, 30, Kind::Offset, 40, "30..40 scanned");
    row("up to", Kind::Start, 0, Kind::End, 10, "20..90 scanned");
    row("removed", Kind::Offset, 10, Kind::Offset, 25, "10..20 below-log-start, 20..25 scanned");
    row("not there", Kind::Offset, 98, Kind::Offset, 110, "98..100 scanned, 100..110 behind-end");
    row("none", Kind::Offset, 50, Kind::Offset, 50, "");
    row("turned round", Kind::Offset, 60, Kind::Offset, 50, "");
}

void tst_Search::scopeIsResolvedOnce()
{
    QFETCH(int, fromKind);
    QFETCH(qint64, from);
    QFETCH(int, toKind);
    QFETCH(qint64, to);
    QFETCH(QString, ranges);
    m_broker->addTopic(u"orders"_s, 1);
    m_broker->appendMany(u"orders"_s, 0, 100);
    m_broker->setLogStart(u"orders"_s, 0, Offset{20});
    Ledger ledger = plan(partitionsOf(u"orders"_s, 1),
                         {{LogPlace::Kind(fromKind), from}, {LogPlace::Kind(toKind), to}});
    Collected collected;
    run(ledger, u"r"_s, collected);
    QCOMPARE(told(ledger.front()), ranges);
    QCOMPARE(collected.sorted(ledger).size(), ledger.front().offsets(Coverage::Scanned));
}

void tst_Search::scopeByTime()
{
    Capabilities capabilities = FakeBroker::booblikCapabilities();
    capabilities.offsetsByTime = true;
    m_broker->setCapabilities(capabilities);
    m_broker->addTopic(u"orders"_s, 2);
    m_broker->appendMany(u"orders"_s, 0, 5);
    m_broker->appendMany(u"orders"_s, 1, 5);
    m_broker->setTimes(u"orders"_s, 0, {10, 20, 30, 40, 50});
    m_broker->setTimes(u"orders"_s, 1, {100, 200, 300, 400, 500});
    using Kind = LogPlace::Kind;
    Ledger ledger = plan(partitionsOf(u"orders"_s, 2), {{Kind::Time, 25}, {Kind::Time, 300}});
    Collected collected;
    run(ledger, u"r"_s, collected);
    QCOMPARE(told(ledger[0]), u"2..5 scanned"_s);
    QCOMPARE(told(ledger[1]), u"0..2 scanned"_s);
}

void tst_Search::damageHidesNothingElse()
{
    m_broker->addTopic(u"orders"_s, 3);
    for (qint32 partition = 0; partition < 3; ++partition)
        m_broker->appendMany(u"orders"_s, partition, 50);
    m_broker->damage(u"orders"_s, 0, Offset{5}, Damage::Size);
    for (qint64 offset = 20; offset < 25; ++offset)
        m_broker->damage(u"orders"_s, 1, Offset{offset}, Damage::Missing);
    m_broker->damage(u"orders"_s, 2, Offset{30}, Damage::Checksum);
    for (qint64 offset = 45; offset < 50; ++offset) // at the end of the log
        m_broker->damage(u"orders"_s, 2, Offset{offset}, Damage::Missing);
    Ledger ledger = plan(partitionsOf(u"orders"_s, 3));
    Collected collected;
    run(ledger, u"value ends 9 or flag:crc"_s, collected);
    QCOMPARE(told(ledger[0]), u"0..5 scanned, 5..6 damaged-size, 6..50 scanned"_s);
    QCOMPARE(told(ledger[1]), u"0..20 scanned, 20..25 missing, 25..50 scanned"_s);
    QCOMPARE(told(ledger[2]), u"0..45 scanned, 45..50 missing"_s);
    QCOMPARE(collected.sorted(ledger), (QList<Place>{{0, 9},
                                                     {0, 19},
                                                     {0, 29},
                                                     {0, 39},
                                                     {0, 49},
                                                     {1, 9},
                                                     {1, 19},
                                                     {1, 29},
                                                     {1, 39},
                                                     {1, 49},
                                                     {2, 9},
                                                     {2, 19},
                                                     {2, 29},
                                                     {2, 30},
                                                     {2, 39}}));
    QVERIFY(!totalsOf(ledger).isComplete());
    QCOMPARE(totalsOf(ledger).notSearched(), 11);
}

void tst_Search::largeRecordsAreFetchedWhole()
{
    m_broker->addTopic(u"orders"_s, 1);
    m_broker->append(u"orders"_s, 0, "small needle");
    m_broker->append(u"orders"_s, 0, QByteArray(5000, 'x') + "needle");
    m_broker->append(u"orders"_s, 0, QByteArray(50'000, 'x') + "needle");
    m_broker->append(u"orders"_s, 0, "last needle");
    SearchOptions options;
    options.scan.maxBytes = 100;
    options.scan.maxRecordBytes = 10'000;
    Ledger ledger = plan(partitionsOf(u"orders"_s, 1));
    Collected collected;
    run(ledger, u"needle"_s, collected, options);
    QCOMPARE(collected.sorted(ledger), (QList<Place>{{0, 0}, {0, 1}, {0, 3}}));
    QCOMPARE(told(ledger[0]), u"0..2 scanned, 2..3 too-large, 3..4 scanned"_s);
    for (const FetchRequest &request : m_broker->fetchRequests())
        QVERIFY(request.maxBytes <= 10'000);
}

void tst_Search::partitionsFailAlone()
{
    m_broker->addTopic(u"orders"_s, 4);
    for (qint32 partition = 0; partition < 4; ++partition)
        m_broker->appendMany(u"orders"_s, partition, 10);
    m_broker->setReplicas(u"orders"_s, 1, -1, {0}, {}); // nobody leads
    Ledger ledger = plan(partitionsOf(u"orders"_s, 5));
    m_broker->failPartition(u"orders"_s, 2,
                            FakeBroker::refusal(29, u"TOPIC_AUTHORIZATION_FAILED"_s));
    Collected collected;
    run(ledger, u"r-3"_s, collected);
    QCOMPARE(collected.sorted(ledger), (QList<Place>{{0, 3}, {3, 3}}));
    QCOMPARE(ledger[1].error()->brokerName, u"LEADER_NOT_AVAILABLE"_s);
    QVERIFY(ledger[1].ranges().empty());
    QCOMPARE(told(ledger[2]), u"0..10 failed"_s);
    QCOMPARE(ledger[2].error()->brokerName, u"TOPIC_AUTHORIZATION_FAILED"_s);
    QCOMPARE(ledger[4].error()->brokerName, u"UNKNOWN_TOPIC_OR_PARTITION"_s);
    QCOMPARE(totalsOf(ledger).unknown, 2);
    QVERIFY(!totalsOf(ledger).isComplete());
}

void tst_Search::retentionOvertakesASearch()
{
    m_broker->addTopic(u"orders"_s, 1);
    m_broker->appendMany(u"orders"_s, 0, 100);
    Ledger ledger = plan(partitionsOf(u"orders"_s, 1));
    m_broker->setLogStart(u"orders"_s, 0, Offset{60});
    Collected collected;
    run(ledger, u"value ends 5"_s, collected);
    QCOMPARE(told(ledger[0]), u"0..60 below-log-start, 60..100 scanned"_s);
    QCOMPARE(collected.sorted(ledger).size(), 4);
}

void tst_Search::aCutLogEnds()
{
    m_broker->addTopic(u"orders"_s, 2);
    m_broker->appendMany(u"orders"_s, 0, 100);
    m_broker->appendMany(u"orders"_s, 1, 100);
    Ledger ledger =
        plan(partitionsOf(u"orders"_s, 2), {{LogPlace::Kind::Offset, 50}, LogPlace::end()});
    m_broker->truncate(u"orders"_s, 0, Offset{70}); // in the range
    m_broker->truncate(u"orders"_s, 1, Offset{30}); // before it
    Collected collected;
    run(ledger, u"r"_s, collected);
    QCOMPARE(told(ledger[0]), u"50..70 scanned, 70..100 behind-end"_s);
    QCOMPARE(told(ledger[1]), u"50..100 behind-end"_s);
}

void tst_Search::openTransactionsAreSaid()
{
    m_broker->addTopic(u"orders"_s, 1);
    m_broker->appendMany(u"orders"_s, 0, 100);
    m_broker->setLastStable(u"orders"_s, 0, Offset{40});
    SearchOptions options;
    options.scan.isolation = Isolation::ReadCommitted;
    Ledger ledger = plan(partitionsOf(u"orders"_s, 1));
    Collected collected;
    run(ledger, u"r"_s, collected, options);
    QCOMPARE(told(ledger[0]), u"0..40 scanned, 40..100 not-committed"_s);
    QVERIFY(!totalsOf(ledger).isComplete());
}

void tst_Search::whatACommittedReadLeavesOutIsSaid()
{
    m_broker->addTopic(u"orders"_s, 1);
    m_broker->appendMany(u"orders"_s, 0, 100);
    using Kind = OffsetGap::Kind;
    m_broker->setLeftOut(u"orders"_s, 0, {Offset{10}, Offset{20}, Kind::Aborted, {}});
    m_broker->setLeftOut(u"orders"_s, 0, {Offset{30}, Offset{31}, Kind::NotCommitted, {}});
    m_broker->setLeftOut(u"orders"_s, 0, {Offset{50}, Offset{51}, Kind::NoRecords, {}});
    m_broker->setLeftOut(u"orders"_s, 0, {Offset{60}, Offset{61}, Kind::Unreadable, u"zstd"_s});
    SearchOptions options;
    options.scan.isolation = Isolation::ReadCommitted;
    options.scan.maxBytes = 150; // a dozen records: answers begin and end within them
    Ledger ledger =
        plan(partitionsOf(u"orders"_s, 1), {LogPlace::start(), {LogPlace::Kind::Offset, 60}});
    Collected collected;
    run(ledger, u"r"_s, collected, options);
    QCOMPARE(told(ledger[0]), u"0..10 scanned, 10..20 left-out, 20..30 scanned, 30..31 left-out, "
                              "31..60 scanned"_s);
    QCOMPARE(rangeText(ledger[0].ranges()[1]),
             u"offsets 10 to 19: left out: not committed (aborted transactions)"_s);
    QCOMPARE(rangeText(ledger[0].ranges()[3]),
             u"offset 30: left out: not committed (aborted transactions, or control records)"_s);
    QCOMPARE(ledger[0].hits, 60 - 10 - 1 - 1);
    // Nobody asked for them: nothing is missing.
    const LedgerTotals totals = totalsOf(ledger);
    QVERIFY(totals.isComplete());
    QCOMPARE(totals.notSearched(), 0);
    QCOMPARE(totals.of(Coverage::Scanned), 49);
    QCOMPARE(outcomeText(ledger), u"48 hits: 49 of 60 offsets of 1 partition were searched. Left "
                                  "out as not committed: 11."_s);

    ledger = plan(partitionsOf(u"orders"_s, 1));
    run(ledger, u"nothing"_s, collected, options);
    QVERIFY(!totalsOf(ledger).isComplete());
    QCOMPARE(outcomeText(ledger), u"No hits in what was searched: 88 of 100 offsets of 1 partition."
                                  " Not searched: 1 (a batch that cannot be read). Left out as "
                                  "not committed: 11."_s);

    ledger = plan(partitionsOf(u"orders"_s, 1));
    run(ledger, u"r"_s, collected); // everything is asked for, and there
    QCOMPARE(told(ledger[0]), u"0..100 scanned"_s);
}

void tst_Search::emptyPartitionsCostNothing()
{
    m_broker->addTopic(u"orders"_s, 60);
    Ledger ledger = plan(partitionsOf(u"orders"_s, 60));
    Collected collected;
    run(ledger, u"r"_s, collected);
    QCOMPARE(m_broker->calls(Call::Fetch), 0);
    QCOMPARE(collected.endings.size(), size_t(60));
    QVERIFY(totalsOf(ledger).isComplete());
}

void tst_Search::aLostConnectionIsTriedOnceMore()
{
    m_broker->addTopic(u"orders"_s, 1);
    m_broker->appendMany(u"orders"_s, 0, 10);
    m_broker->failNext(Call::Fetch, FakeBroker::networkError());
    Ledger ledger = plan(partitionsOf(u"orders"_s, 1));
    Collected once;
    run(ledger, u"r-3"_s, once);
    QVERIFY(totalsOf(ledger).isComplete());
    QCOMPARE(once.sorted(ledger).size(), 1);

    m_broker->failNext(Call::Fetch, FakeBroker::networkError(), 2);
    Ledger lost = plan(partitionsOf(u"orders"_s, 1));
    Collected twice;
    run(lost, u"r-3"_s, twice);
    QCOMPARE(told(lost[0]), u"0..10 failed"_s);
    lost[0].reopen();
    run(lost, u"r-3"_s, twice);
    QVERIFY(totalsOf(lost).isComplete());
}

void tst_Search::undecidedRecordsAreCounted()
{
    m_broker->addTopic(u"orders"_s, 1);
    m_broker->append(u"orders"_s, 0, "aab");
    m_broker->append(u"orders"_s, 0, QByteArray(3000, 'a'));
    m_broker->append(u"orders"_s, 0, "ab");
    Ledger ledger = plan(partitionsOf(u"orders"_s, 1));
    Collected collected;
    run(ledger, u"value =~ /(a+)+[bc]/"_s, collected);
    QCOMPARE(collected.sorted(ledger), (QList<Place>{{0, 0}, {0, 2}}));
    QCOMPARE(told(ledger[0]), u"0..1 scanned, 1..2 undecided, 2..3 scanned"_s);
}

void tst_Search::cancelsAndResumes()
{
    m_broker->addTopic(u"orders"_s, 3);
    for (qint32 partition = 0; partition < 3; ++partition)
        m_broker->appendMany(u"orders"_s, partition, 500);
    SearchOptions options;
    options.scan.maxBytes = 300;
    options.sessions = 2;
    Ledger ledger = plan(partitionsOf(u"orders"_s, 3));

    class StopsAfter final : public SearchObserver
    {
    public:
        void found(size_t partition, const RecordChunkPtr &hits) override
        {
            collected.found(partition, hits);
            if (++calls == 20)
                stop.request_stop();
        }
        Collected collected;
        std::atomic<int> calls = 0;
        std::stop_source stop;
    } observer;
    run(ledger, u"r"_s, observer, options, observer.stop.get_token());
    const LedgerTotals totals = totalsOf(ledger);
    QVERIFY(totals.of(Coverage::Pending) > 0);
    QVERIFY(totals.of(Coverage::Scanned) > 0);
    // Hits are told for what counts as scanned and for nothing else.
    QCOMPARE(observer.collected.sorted(ledger).size(), totals.of(Coverage::Scanned));
    run(ledger, u"r"_s, observer.collected, options);
    QVERIFY(totalsOf(ledger).isComplete());
    QList<Place> all;
    for (qint32 partition = 0; partition < 3; ++partition) {
        for (qint64 offset = 0; offset < 500; ++offset)
            all += {partition, offset};
    }
    QCOMPARE(observer.collected.sorted(ledger), all); // each once
}

void tst_Search::handleTellsAndCancels()
{
    m_broker->addTopic(u"orders"_s, 2);
    m_broker->appendMany(u"orders"_s, 0, 100);
    m_broker->appendMany(u"orders"_s, 1, 100);
    SearchRequest request{partitionsOf(u"orders"_s, 2), {}, parsed(u"r"_s), {}};
    request.maxHits = 150;
    const auto finished = [](SearchHandle &handle) {
        std::optional<SearchResult> result;
        QObject::connect(&handle, &SearchHandle::finished, &handle,
                         [&](const SearchResult &r) { result = r; });
        [&] { QTRY_VERIFY(result.has_value()); }();
        return result.value_or(SearchResult());
    };
    {
        SearchHandle handle(m_broker->factory(), SessionConfig(), request);
        QSignalSpy progressed(&handle, &SearchHandle::progressed);
        QSignalSpy planned(&handle, &SearchHandle::planned);
        QSignalSpy found(&handle, &SearchHandle::found);
        const SearchResult result = finished(handle);
        QCOMPARE(planned.size(), 1);
        QVERIFY(!found.isEmpty());
        QVERIFY(!progressed.isEmpty());
        QCOMPARE(progressed.last().first().value<SearchProgress>().ended, 2);
        QCOMPARE(result.found, 200);
        QCOMPARE(result.kept, 150);
        QCOMPARE(result.hits.back()->records().back().offset, Offset{49});
        QVERIFY(totalsOf(result.ledger).isComplete());
    }
    m_broker->block(Call::Fetch);
    Ledger left;
    {
        SearchHandle handle(m_broker->factory(), SessionConfig(), request);
        QTRY_COMPARE(m_broker->blocked(Call::Fetch), 2);
        handle.cancel(); // its fetches are never answered
        left = finished(handle).ledger;
        QCOMPARE(totalsOf(left).of(Coverage::Pending), 200);
    }
    m_broker->release(Call::Fetch);
    request.resumed = left;
    SearchHandle handle(m_broker->factory(), SessionConfig(), request);
    QCOMPARE(finished(handle).found, 200);

    m_broker->failNext(Call::ListTopics, FakeBroker::networkError());
    request.resumed.clear();
    SearchHandle lost(m_broker->factory(), SessionConfig(), request);
    QSignalSpy failed(&lost, &SearchHandle::failed);
    QTRY_COMPARE(failed.size(), 1);
}

void tst_Search::searchesABroker()
{
    QTemporaryDir data;
    broker::BrokerConfig config;
    config.dataDirectory = data.path();
    config.port = 0;
    config.topics = {{u"orders"_s, 2}, {u"none"_s, 1}};
    broker::EmbeddedBroker broker(config);
    const auto port = startAndWait(broker);
    QVERIFY(port);
    SessionConfig session;
    session.host = u"127.0.0.1"_s;
    session.port = *port;
    session.requestTimeout = 10s;
    for (int i = 0; i < 200; ++i) {
        for (qint32 partition = 0; partition < 2; ++partition)
            broker.append({u"orders"_s, PartitionId{partition}},
                          R"({"id":)" + QByteArray::number(i) + '}');
    }
    const auto isFilled = [&] {
        const auto topics = defaultSessionFactory()(session)->describeTopics(
            {u"orders"_s}, CallContext(QDeadlineTimer(10s)));
        return topics && std::ranges::all_of(topics->first().partitions, [](const auto &info) {
                   return info.highWatermark == Offset{200};
               });
    };
    QTRY_VERIFY(isFilled());
    // Records are 8 bytes of framing and {"id":0} ... {"id":199}.
    QFile segment(data.filePath(u"orders-0/00000000000000000000.log"_s));
    QVERIFY(segment.open(QIODevice::ReadWrite));
    segment.seek(5 * 16 + 8 + 6); // the digit of the sixth
    segment.write("4");
    segment.close();

    const QList<TopicPartition> partitions =
        partitionsOf(u"orders"_s, 2) + partitionsOf(u"none"_s, 1);
    const auto search = [&](const QString &filter) {
        SearchRequest request{partitions, {}, parsed(filter), {}};
        request.options.scan.maxBytes = 1000;
        SearchHandle handle(defaultSessionFactory(), session, request);
        std::optional<SearchResult> result;
        connect(&handle, &SearchHandle::finished, &handle,
                [&](const SearchResult &r) { result = r; });
        [&] { QTRY_VERIFY_WITH_TIMEOUT(result.has_value(), 20'000); }();
        return result.value_or(SearchResult());
    };
    const SearchResult found = search(u"json.id == 4 or flag:crc or json.id >= 199"_s);
    QCOMPARE(found.found, 5);
    QVERIFY(totalsOf(found.ledger).isComplete());
    QList<Place> places;
    for (const RecordChunkPtr &chunk : found.hits) {
        for (const Record &record : chunk->records())
            places += {chunk->partition().partition.value, record.offset.value};
    }
    QCOMPARE(places, (QList<Place>{{0, 4}, {0, 5}, {0, 199}, {1, 4}, {1, 199}}));
    QCOMPARE(totalsOf(found.ledger).records, 400);
    QSignalSpy stopped(&broker, &broker::EmbeddedBroker::stopped);
    broker.stop();
    QTRY_COMPARE(stopped.size(), 1);
}

QTEST_GUILESS_MAIN(tst_Search)
#include "tst_search.moc"
