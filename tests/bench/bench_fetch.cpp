#include "core/booblik/rangereader.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/brokerprocess.h"
#include "tests/bench/plainreader.h"

#include <QElapsedTimer>

namespace topicscope::bench
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kRounds = 7;
constexpr qint32 kMaxBytes = kDefaultMaxBytes;

/// Records fetched, verified and indexed.
Result<qint64> readVerified(const SessionConfig &config, const QString &topic)
{
    booblik::Connection connection(config);
    booblik::RangeReader reader(connection, {topic, PartitionId{0}}, Offset{0}, {});
    const CallContext context;
    for (;;) {
        const auto result = reader.next(context);
        if (!result)
            return result.error();
        if (result->end == FetchEnd::CaughtUp)
            return reader.position().value;
        for (const Record &record : result->chunk->records()) {
            if (!record.flags.testFlag(RecordFlag::ChecksumVerified))
                return Error::make(ErrorKind::Checksum, {});
        }
    }
}

Result<Figure> measure(qint64 count, qsizetype valueBytes)
{
    const QString topic = u"bench"_s;
    BrokerProcess broker;
    if (auto started = broker.start(topic + u":1"_s); !started)
        return started.error();
    if (auto filled = broker.fill(topic, count, valueBytes); !filled)
        return filled.error();
    const auto speedOf = [&](const auto &read) -> Result<double> {
        QElapsedTimer timer;
        timer.start();
        const Result<qint64> records = read();
        if (!records)
            return records.error();
        if (*records != count) {
            return Error::make(ErrorKind::Protocol,
                               u"read %1 of %2 records"_s.arg(*records).arg(count));
        }
        return double(count) / double(timer.nsecsElapsed()) * 1e9;
    };
    return comparedInTurn(
        kRounds, [&] { return speedOf([&] { return readVerified(broker.config(), topic); }); },
        [&] {
            return speedOf(
                [&] { return readPlainly(broker.config(), topic.toLatin1(), kMaxBytes); });
        });
}

} // namespace

std::vector<Benchmark> fetchBenchmarks()
{
    const QByteArray against = "a plain blocking reader with the same fetches";
    return {{"booblik_fetch_128B", "records/s", against, [] { return measure(1'000'000, 128); }},
            {"booblik_fetch_1KiB", "records/s", against, [] { return measure(200'000, 1024); }}};
}

} // namespace topicscope::bench
