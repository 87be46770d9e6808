#include "core/records/recordstore.h"
#include "tests/support/chunks.h"

#include <QTest>

using namespace topicscope;
using namespace topicscope::test;

namespace
{

RecordBlock block(qint64 first, int count, qint32 partition = 0)
{
    return RecordBlock::records(chunkOf(partition, first, count));
}

QList<qint64> offsets(const RecordStore &store)
{
    QList<qint64> result;
    for (qint64 row = store.firstRow(); row < store.endRow(); ++row)
        result << store.at(row).offset().value;
    return result;
}

} // namespace

class tst_RecordStore : public QObject
{
    Q_OBJECT

private slots:
    void growsAtBothEndsInOffsetOrder()
    {
        RecordStore store;
        QCOMPARE(store.rowCount(), 0);
        store.append(block(100, 3));
        store.append(block(103, 2));
        store.prepend(block(98, 2));
        QCOMPARE(offsets(store), (QList<qint64>{98, 99, 100, 101, 102, 103, 104}));
        QCOMPARE(store.range(PartitionId{0}), (RecordStore::Range{Offset{98}, Offset{105}, 3}));
        QVERIFY(!store.range(PartitionId{1}));
    }

    void aRowKeepsItsNumberWhileOthersComeAndGo()
    {
        RecordStore store;
        store.append(block(100, 3));
        const qint64 row = *store.find(PartitionId{0}, Offset{101});
        store.prepend(block(90, 10));
        QCOMPARE(store.at(row).offset(), Offset{101});
        store.removeFront(10);
        store.append(block(103, 4));
        QCOMPARE(store.at(row).offset(), Offset{101});
        QCOMPARE(store.find(PartitionId{0}, Offset{101}), row);
        QCOMPARE(store.rowCount(), 7);
    }

    void findsRecordsByOffsetInEachPartition()
    {
        RecordStore store;
        store.append(block(100, 3, 0));
        store.append(block(100, 3, 1));
        QCOMPARE(store.find(PartitionId{0}, Offset{102}), 2);
        QCOMPARE(store.find(PartitionId{1}, Offset{100}), 3);
        QVERIFY(!store.find(PartitionId{1}, Offset{103}));
        QVERIFY(!store.find(PartitionId{2}, Offset{100}));
    }

    void notesStandForOffsetsWithoutRecords()
    {
        RecordStore store;
        store.append(RecordBlock::note(RowKind::Hole, PartitionId{0}, Offset{10}, Offset{500}));
        store.append(block(500, 1));
        store.append(RecordBlock::note(RowKind::Oversized, PartitionId{0}, Offset{501}, Offset{502},
                                       3'000'000));
        QCOMPARE(store.rowCount(), 3);
        QCOMPARE(store.find(PartitionId{0}, Offset{499}), 0);
        const RowRef oversized = store.at(2);
        QVERIFY(!oversized.record);
        QCOMPARE(oversized.block->kind, RowKind::Oversized);
        QCOMPARE(oversized.block->noteBytes, 3'000'000);
        QCOMPARE(oversized.offset(), Offset{501});
        QCOMPARE(store.range(PartitionId{0})->end, Offset{502});
    }

    void anOversizedRowBecomesTheRecordOnceFetched()
    {
        RecordStore store;
        store.append(block(500, 1));
        store.append(
            RecordBlock::note(RowKind::Oversized, PartitionId{0}, Offset{501}, Offset{502}));
        store.append(block(502, 1));
        const qint64 before = store.heldBytes();
        const auto whole = chunkOf(0, 501, {QByteArray(5000, 'x')});
        store.replaceNote(1, RecordBlock::records(whole));
        QCOMPARE(store.at(1).record->valueSize, 5000U);
        QCOMPARE(store.heldBytes(), before + whole->heldBytes());
        QCOMPARE(offsets(store), (QList<qint64>{500, 501, 502}));
    }

    void trimmingKeepsTheRowsAskedFor()
    {
        const RecordBlock whole = block(100, 10);
        const RecordBlock middle = whole.trimmed(Offset{103}, Offset{105});
        RecordStore store;
        store.append(middle);
        QCOMPARE(offsets(store), (QList<qint64>{103, 104}));
        QCOMPARE(store.at(0).index, 3);
        QCOMPARE(whole.trimmed(Offset{110}, Offset{120}).rows, 0);
        QCOMPARE(whole.trimmed(Offset{0}, Offset{1000}).rows, 10);
    }

    void evictsWholeBlocksAtTheChosenEndOnly()
    {
        RecordStore store;
        for (int i = 0; i < 10; ++i)
            store.append(block(i * 100, 100));
        store.setByteBudget(store.heldBytes() / 2);
        QVERIFY(store.overBudget());
        QCOMPARE(store.rowsToEvictFront(store.endRow()), 500);
        QCOMPARE(store.rowsToEvictBack(store.firstRow()), 500);
        store.removeFront(500);
        QVERIFY(!store.overBudget());
        QCOMPARE(store.range(PartitionId{0}), (RecordStore::Range{Offset{500}, Offset{1000}, 5}));
        QCOMPARE(store.rowsToEvictFront(store.endRow()), 0);
    }

    void evictionStopsBeforeTheRowsToKeep()
    {
        RecordStore store;
        for (int i = 0; i < 10; ++i)
            store.append(block(i * 100, 100));
        store.setRowBudget(200);
        QCOMPARE(store.rowsToEvictFront(/*keep*/ 350), 300);
        QCOMPARE(store.rowsToEvictBack(/*keep*/ 350), 600);
        store.removeBack(600);
        QCOMPARE(offsets(store).last(), 399);
    }

    void theLastBlockStaysEvenWhenItIsLargerThanTheBudget()
    {
        RecordStore store;
        store.append(block(0, 100));
        store.setByteBudget(1);
        QVERIFY(store.overBudget());
        QCOMPARE(store.rowsToEvictFront(store.endRow()), 0);
        QCOMPARE(store.rowsToEvictBack(store.firstRow()), 0);
    }

    void manySmallChunksCountTheirOverhead()
    {
        RecordStore store;
        for (int i = 0; i < 100; ++i)
            store.append(block(i, 1));
        QVERIFY2(store.heldBytes() > 100 * 256, qPrintable(QString::number(store.heldBytes())));
        store.clear();
        QCOMPARE(store.heldBytes(), 0);
        QVERIFY(!store.range(PartitionId{0}));
    }

    void evictingOnePartitionLeavesTheRangesOfOthers()
    {
        RecordStore store;
        store.append(block(0, 10, 0));
        store.append(block(0, 10, 1));
        store.append(block(10, 10, 0));
        store.removeFront(10);
        QCOMPARE(store.range(PartitionId{0}), (RecordStore::Range{Offset{10}, Offset{20}, 1}));
        QCOMPARE(store.range(PartitionId{1}), (RecordStore::Range{Offset{0}, Offset{10}, 1}));
        store.removeFront(10);
        QVERIFY(!store.range(PartitionId{1}));
    }
};

QTEST_APPLESS_MAIN(tst_RecordStore)
#include "tst_recordstore.moc"
