#include "core/records/recordcodec.h"
#include "core/search/search.h"
#include "core/sessionfactory.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/brokerprocess.h"

#include <QElapsedTimer>

#include <cstring>
#include <vector>

namespace topicscope::bench
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kRounds = 7;
constexpr qsizetype kValueBytes = 128;
const QByteArray kNeedle = QByteArrayLiteral("\"no such order\"");

Result<search::Filter> needleFilter()
{
    return search::Filter::parse(u"'%1'"_s.arg(QString::fromLatin1(kNeedle)), 0);
}

/// Chunks as a fetch brings them; 64 MiB together, more than the caches hold.
std::vector<RecordChunkPtr> heldChunks()
{
    std::vector<RecordChunkPtr> chunks;
    qint64 number = 0;
    for (int i = 0; i < 64; ++i) {
        QByteArray bytes;
        const qint64 first = number;
        while (bytes.size() < kDefaultMaxBytes) {
            const QByteArray value = sampleValue(number++, kValueBytes);
            appendStoredRecord(bytes,
                               std::as_bytes(std::span(value.constData(), size_t(value.size()))));
        }
        chunks.push_back(
            decodeRecords({u"bench"_s, PartitionId{0}}, bytes, 0, Offset{first}).value().chunk);
    }
    return chunks;
}

/// MB/s of one pass over the chunks that finds nothing.
template <typename Search>
Result<double> speedOf(const std::vector<RecordChunkPtr> &chunks, Search hitsIn)
{
    QElapsedTimer timer;
    timer.start();
    qint64 bytes = 0;
    size_t hits = 0;
    for (const RecordChunkPtr &chunk : chunks) {
        hits += hitsIn(*chunk);
        bytes += qint64(chunk->bytes().size());
    }
    if (hits != 0)
        return Error::make(ErrorKind::Protocol, u"found what is not there"_s);
    return double(bytes) / double(timer.nsecsElapsed()) * 1e3;
}

Result<Figure> searchHeld()
{
    const auto filter = needleFilter();
    if (!filter)
        return filter.error();
    const std::vector<RecordChunkPtr> chunks = heldChunks();
    return comparedInTurn(
        kRounds,
        [&] {
            return speedOf(chunks, [&](const RecordChunk &chunk) {
                return filter->matchesIn(chunk).hits.size();
            });
        },
        [&] {
            return speedOf(chunks, [&](const RecordChunk &chunk) {
                const auto bytes = chunk.bytes();
                return memmem(bytes.data(), bytes.size(), kNeedle.constData(),
                              size_t(kNeedle.size()))
                           ? size_t(1)
                           : size_t(0);
            });
        });
}

class NothingFound final : public search::SearchObserver
{
public:
    void found(size_t, const RecordChunkPtr &) override {}
};

/// Records of the topic's partition 0, searched.
Result<qint64> searched(const SessionConfig &config, const TopicPartition &partition)
{
    const auto filter = needleFilter();
    if (!filter)
        return filter.error();
    const auto session = defaultSessionFactory()(config);
    auto ledger = search::planSearch(*session, {partition}, {}, CallContext());
    if (!ledger)
        return ledger.error();
    NothingFound observer;
    search::runSearch(defaultSessionFactory(), config, *filter, {}, *ledger, observer, {});
    const search::LedgerTotals totals = search::totalsOf(*ledger);
    if (!totals.isComplete() || totals.hits != 0)
        return Error::make(ErrorKind::Protocol, search::outcomeText(*ledger));
    return totals.records;
}

/// The same fetches without looking at what comes.
Result<qint64> fetched(const SessionConfig &config, const TopicPartition &partition)
{
    const auto session = defaultSessionFactory()(config);
    FetchRequest request;
    request.partition = partition;
    for (qint64 records = 0;;) {
        const auto result = session->fetch(request, CallContext());
        if (!result)
            return result.error();
        records += qint64(result->chunk->records().size());
        request.offset = result->nextOffset;
        if (result->nextOffset >= result->highWatermark)
            return records;
    }
}

Result<Figure> searchScan()
{
    constexpr qint64 kRecords = 1'000'000;
    const TopicPartition partition{u"bench"_s, PartitionId{0}};
    BrokerProcess broker;
    if (auto started = broker.start(partition.topic + u":1"_s); !started)
        return started.error();
    if (auto filled = broker.fill(partition.topic, kRecords, kValueBytes); !filled)
        return filled.error();
    const auto timed = [&](const auto &read) -> Result<double> {
        QElapsedTimer timer;
        timer.start();
        const Result<qint64> records = read(broker.config(), partition);
        if (!records)
            return records.error();
        if (*records != kRecords) {
            return Error::make(ErrorKind::Protocol,
                               u"read %1 of %2 records"_s.arg(*records).arg(kRecords));
        }
        return double(kRecords) / double(timer.nsecsElapsed()) * 1e9;
    };
    return comparedInTurn(
        kRounds, [&] { return timed(searched); }, [&] { return timed(fetched); });
}

} // namespace

std::vector<Benchmark> searchBenchmarks()
{
    return {{"search_held", "MB/s", "memmem over the same bytes", [] { return searchHeld(); }},
            {"search_scan_booblik", "records/s", "the same fetches without a filter",
             [] { return searchScan(); }}};
}

} // namespace topicscope::bench
