#include "core/base/bytewriter.h"
#include "core/sessionfactory.h"
#include "core/transfer/exportjob.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/brokerprocess.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

namespace topicscope::bench
{

using namespace Qt::StringLiterals;
using namespace topicscope::transfer;

namespace
{

constexpr qint64 kRecords = 1'000'000;
constexpr qsizetype kValueBytes = 128;
const TopicPartition kPartition{u"bench"_s, PartitionId{0}};

Error failed(const QString &why)
{
    return Error::make(ErrorKind::Protocol, why);
}

/// Calls `look` with each record from the first to the last. @return records a second
Result<double> readAll(BrokerSession &session,
                       const std::function<bool(const RecordChunk &, const Record &)> &look)
{
    QElapsedTimer timer;
    timer.start();
    Offset next;
    while (next.value < kRecords) {
        const auto result = session.fetch({kPartition, next}, CallContext());
        if (!result)
            return result.error();
        for (const Record &record : result->chunk->records()) {
            if (!look(*result->chunk, record))
                return failed(u"offset %1 is another one"_s.arg(record.offset.value));
        }
        if (result->nextOffset <= next)
            return failed(u"nothing at offset %1"_s.arg(next.value));
        next = result->nextOffset;
    }
    return double(kRecords) * 1e9 / double(timer.nsecsElapsed());
}

Result<double> exportAll(BrokerSession &session, const QString &path)
{
    QElapsedTimer timer;
    timer.start();
    ExportChoice choice;
    choice.partitions = {kPartition};
    const auto parts = planExport(session, choice, CallContext());
    if (!parts)
        return parts.error();
    const auto file = ExportFile::create(
        path, ExportFormat::Ndjson, {session.config().address(), session.capabilities()}, true);
    if (!file)
        return file.error();
    const ExportSummary summary =
        writeExport(session, *parts, {}, **file, [](const ExportProgress &) {}, {});
    if (summary.error)
        return *summary.error;
    if (summary.records != kRecords)
        return failed(u"%1 records were exported"_s.arg(summary.records));
    return double(kRecords) * 1e9 / double(timer.nsecsElapsed());
}

/// By a reader that shares no code with the program.
Result<void> checkByPython(const QTemporaryDir &dir, const QString &path)
{
    QFile expected(dir.filePath(u"expected"_s));
    if (!expected.open(QIODevice::WriteOnly))
        return failed(expected.errorString());
    for (qint64 i = 0; i < kRecords; ++i) {
        expected.write(R"({"topic":"bench","partition":0,"offset":)" + QByteArray::number(i) +
                       R"(,"value":")" + sampleValue(i, kValueBytes).toHex() + "\"}\n");
    }
    expected.close();
    QProcess python;
    python.setProcessChannelMode(QProcess::MergedChannels);
    python.start(
        QStringLiteral(TOPICSCOPE_PYTHON),
        {u"-B"_s, QStringLiteral(TOPICSCOPE_CHECK_EXPORT), u"ndjson"_s, path, expected.fileName()});
    if (!python.waitForFinished(600'000) || python.exitCode() != 0)
        return failed(u"the independent reader: "_s + QString::fromUtf8(python.readAll()));
    return {};
}

Result<QString> exported(BrokerProcess &broker, const QTemporaryDir &dir)
{
    if (auto started = broker.start(u"bench:1"_s); !started)
        return started.error();
    if (auto filled = broker.fill(kPartition.topic, kRecords, kValueBytes); !filled)
        return filled.error();
    return dir.filePath(u"bench.ndjson"_s);
}

/// A million records from a broker into a file, checked to the byte.
Result<Figure> export1m()
{
    const QTemporaryDir dir;
    BrokerProcess broker;
    const auto path = exported(broker, dir);
    if (!path)
        return path.error();
    const auto session = defaultSessionFactory()(broker.config());
    std::vector<double> speeds;
    for (int round = 0; round < 3; ++round) {
        const auto speed = exportAll(*session, *path);
        if (!speed)
            return speed.error();
        speeds.push_back(*speed);
    }
    if (auto checked = checkByPython(dir, *path); !checked)
        return checked.error();
    return Figure{median(speeds), {}};
}

/// The same file opened and read again, to the byte.
Result<Figure> reopen1m()
{
    const QTemporaryDir dir;
    BrokerProcess broker;
    const auto path = exported(broker, dir);
    if (!path)
        return path.error();
    const auto session = defaultSessionFactory()(broker.config());
    if (auto written = exportAll(*session, *path); !written)
        return written.error();
    SessionConfig config;
    config.setBroker(u"file:"_s + *path);
    const auto file = defaultSessionFactory()(config);
    QElapsedTimer timer;
    timer.start();
    if (auto opened = file->open(CallContext()); !opened)
        return opened.error();
    const auto read = readAll(*file, [](const RecordChunk &chunk, const Record &record) {
        return toByteArray(chunk.value(record)) == sampleValue(record.offset.value, kValueBytes);
    });
    if (!read)
        return read.error();
    return Figure{double(kRecords) * 1e9 / double(timer.nsecsElapsed()), {}};
}

} // namespace

std::vector<Benchmark> exportBenchmarks()
{
    return {
        {"export_1m", "records/s", "-", export1m},
        {"reopen_1m", "records/s", "-", reopen1m},
    };
}

} // namespace topicscope::bench
