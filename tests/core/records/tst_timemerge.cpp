#include "core/records/timemerge.h"

#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;

namespace
{

/// Records at consecutive offsets with these times; -1: a record without one.
RecordBlock block(qint32 partition, qint64 first, const QList<qint64> &times)
{
    std::vector<Record> records;
    for (qsizetype i = 0; i < times.size(); ++i) {
        Record record;
        record.offset = Offset{first + i};
        if (times[i] >= 0)
            record.flags |= RecordFlag::HasTimestamp;
        records.push_back(record);
    }
    return RecordBlock::records(std::make_shared<const RecordChunk>(
        TopicPartition{u"t"_s, PartitionId{partition}}, QByteArray(), std::move(records),
        std::vector<qint64>(times.cbegin(), times.cend())));
}

MergeQueue queue(std::deque<RecordBlock> blocks, bool complete = true)
{
    return {std::move(blocks), complete};
}

/// "partition:offset" of each row.
QString rows(const std::vector<RecordBlock> &blocks)
{
    QStringList all;
    for (const RecordBlock &each : blocks) {
        for (int i = 0; i < each.rows; ++i) {
            const Offset offset =
                each.chunk ? each.chunk->records()[size_t(each.firstIndex + i)].offset : each.first;
            all << u"%1:%2"_s.arg(each.partition.value).arg(offset.value);
        }
    }
    return all.join(u' ');
}

QString left(const std::vector<MergeQueue> &queues)
{
    std::vector<RecordBlock> all;
    for (const MergeQueue &each : queues)
        all.insert(all.end(), each.blocks.begin(), each.blocks.end());
    return rows(all);
}

} // namespace

/// Partitions shown as one sequence by time.
class tst_TimeMerge : public QObject
{
    Q_OBJECT

private slots:
    void rowsComeByTimeAndEqualOnesByPartition()
    {
        std::vector<MergeQueue> queues{queue({block(0, 10, {100, 300, 300})}),
                                       queue({block(1, 70, {200, 300}), block(1, 72, {400})})};
        QCOMPARE(rows(mergeForward(queues)), u"0:10 1:70 0:11 0:12 1:71 1:72"_s);
        QCOMPARE(left(queues), QString());
    }

    void bothDirectionsGiveTheSameOrder()
    {
        const std::vector<MergeQueue> queues{queue({block(0, 0, {5, 7, 7, 20}), block(0, 4, {30})}),
                                             queue({block(1, 0, {6, 7, 8, 25})}),
                                             queue({block(2, 0, {7, 7, 26})})};
        auto forward = queues;
        auto backward = queues;
        const QString expected = u"0:0 1:0 0:1 0:2 1:1 2:0 2:1 1:2 0:3 1:3 2:2 0:4"_s;
        QCOMPARE(rows(mergeForward(forward)), expected);
        QCOMPARE(rows(mergeBackward(backward)), expected);
    }

    void whatMayStillGetEarlierRowsIsWaitedFor()
    {
        std::vector<MergeQueue> queues{queue({block(0, 0, {1, 2, 9})}),
                                       queue({block(1, 0, {3})}, false)};
        // Behind 1:0 partition 1 may have a record at time 4.
        QCOMPARE(rows(mergeForward(queues)), u"0:0 0:1 1:0"_s);
        QCOMPARE(left(queues), u"0:2"_s);
        QCOMPARE(rows(mergeForward(queues)), QString());
        queues[1].blocks.push_back(block(1, 1, {4}));
        queues[1].isComplete = true;
        QCOMPARE(rows(mergeForward(queues)), u"1:1 0:2"_s);
    }

    void backwardsWhatMayStillGetLaterRowsIsWaitedFor()
    {
        std::vector<MergeQueue> queues{queue({block(0, 0, {1, 8, 9})}),
                                       queue({block(1, 5, {7})}, false)};
        QCOMPARE(rows(mergeBackward(queues)), u"1:5 0:1 0:2"_s);
        QCOMPARE(left(queues), u"0:0"_s);
        queues[1].isComplete = true;
        QCOMPARE(rows(mergeBackward(queues)), u"0:0"_s);
    }

    void withinAPartitionTheOffsetsDecide()
    {
        // Producers' clocks may run backwards.
        std::vector<MergeQueue> queues{queue({block(0, 0, {50, 10, 60})}),
                                       queue({block(1, 0, {40, 55})})};
        QCOMPARE(rows(mergeForward(queues)), u"1:0 0:0 0:1 1:1 0:2"_s);
    }

    void rowsWithoutATimeStayWithTheirNeighbour()
    {
        std::vector<MergeQueue> queues{
            queue({block(0, 0, {10, -1, 30}),
                   RecordBlock::note(RowKind::NoRecords, PartitionId{0}, Offset{3}, Offset{9})}),
            queue({block(1, 0, {20, 40})})};
        auto backward = queues;
        QCOMPARE(rows(mergeForward(queues)), u"0:0 0:1 1:0 0:2 0:3 1:1"_s);
        // There the gap has nothing behind it and is taken first.
        QCOMPARE(rows(mergeBackward(backward)), u"0:0 1:0 0:1 0:2 1:1 0:3"_s);
    }

    void piecesOfOneBlockCoverItsOffsetsAndItsMemory()
    {
        RecordBlock whole = block(0, 0, {1, 5, 6});
        whole.chunkBytes = 1000;
        std::vector<MergeQueue> queues{queue({whole}), queue({block(1, 0, {3})})};
        const auto merged = mergeForward(queues);
        QCOMPARE(rows(merged), u"0:0 1:0 0:1 0:2"_s);
        QCOMPARE(merged.size(), size_t(3));
        QCOMPARE(merged[0].end, Offset{1});
        QCOMPARE(merged[2].first, Offset{1});
        QCOMPARE(merged[2].end, Offset{3});
        QCOMPARE(merged[0].chunkBytes + merged[2].chunkBytes, 1000);
    }
};

QTEST_GUILESS_MAIN(tst_TimeMerge)
#include "tst_timemerge.moc"
