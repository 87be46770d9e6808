#include "core/records/recordcodec.h"
#include "core/session/fetch.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/brokerprocess.h"
#include "ui/models/recordtablemodel.h"
#include "ui/views/recordtableview.h"

#include <QCoreApplication>
#include <QElapsedTimer>

#include <algorithm>

namespace topicscope::bench
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 kRecords = 1'000'000;
constexpr qsizetype kValueBytes = 100;
constexpr double kOverheadLimitBytes = 48;
constexpr double kInsertLimit = 2e6; // records a second
constexpr int kRounds = 5;

/// What fetches of a million records bring.
std::vector<RecordBlock> fetchedBlocks()
{
    std::vector<RecordBlock> blocks;
    for (qint64 offset = 0; offset < kRecords;) {
        QByteArray bytes;
        bytes.reserve(kDefaultMaxBytes);
        const qint64 first = offset;
        while (offset < kRecords &&
               bytes.size() + kValueBytes + kRecordHeaderBytes <= kDefaultMaxBytes) {
            const QByteArray value = sampleValue(offset++, kValueBytes);
            appendStoredRecord(bytes,
                               std::as_bytes(std::span(value.constData(), size_t(value.size()))));
        }
        bytes.squeeze();
        blocks.push_back(RecordBlock::records(
            decodeRecords({u"bench"_s, PartitionId{0}}, bytes, 0, Offset{first}).value().chunk));
    }
    return blocks;
}

/// The process's own growth, not what the store says of itself: bytes a record beyond its value.
Result<Figure> heldBytesPerRecord()
{
    const auto resident = [] { return residentMiB(QCoreApplication::applicationPid()); };
    std::vector<RecordBlock> warm = fetchedBlocks(); // what the allocator keeps anyway
    warm.clear();
    RecordStore store;
    const auto before = resident();
    if (!before)
        return before.error();
    for (RecordBlock &block : fetchedBlocks())
        store.append(std::move(block));
    const auto after = resident();
    if (!after)
        return after.error();
    if (store.rowCount() != kRecords)
        return Error::make(ErrorKind::Protocol, u"records are missing"_s);
    const double held = std::max((*after - *before) * 1024 * 1024, double(store.heldBytes()));
    const double overhead = held / double(kRecords) - double(kValueBytes);
    return Figure{overhead, kOverheadLimitBytes / overhead};
}

/// Into the model of a table that is shown, block by block as answers come.
Result<Figure> tableInsert()
{
    Capabilities capabilities;
    capabilities.recordChecksums = true;
    std::vector<double> speeds;
    for (int i = 0; i < kRounds; ++i) {
        std::vector<RecordBlock> blocks = fetchedBlocks();
        ui::RecordTableModel model;
        model.reset(capabilities, false);
        ui::RecordTableView view;
        view.setModel(&model);
        view.resize(900, 600);
        view.show();
        QCoreApplication::processEvents();
        QElapsedTimer timer;
        timer.start();
        for (RecordBlock &block : blocks)
            model.append({std::move(block)});
        speeds.push_back(double(kRecords) / double(timer.nsecsElapsed()) * 1e9);
        if (model.rowCount() != kRecords)
            return Error::make(ErrorKind::Protocol, u"rows are missing"_s);
    }
    const double speed = median(speeds);
    return Figure{speed, speed / kInsertLimit};
}

} // namespace

std::vector<Benchmark> tableBenchmarks()
{
    return {{"held_bytes_per_record", "B", "a limit of 48 B beyond a value of 100 B",
             heldBytesPerRecord},
            {"table_insert", "records/s", "a limit of 2 M records/s", tableInsert}};
}

} // namespace topicscope::bench
