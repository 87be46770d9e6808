#include "core/session/fetchblocks.h"

#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;

namespace
{

/// Records at 2, 3, 7 and 8; nothing at 0–1 and 9–11; an unreadable batch at 4–6.
FetchResult withGaps()
{
    std::vector<Record> records(4);
    for (size_t i = 0; i < records.size(); ++i)
        records[i].offset = Offset{std::array{2, 3, 7, 8}[i]};
    FetchResult result;
    result.partition = {u"orders"_s, PartitionId{1}};
    result.chunk = std::make_shared<const RecordChunk>(result.partition, QByteArray(4000, 'x'),
                                                       std::move(records));
    result.gaps = {{Offset{0}, Offset{2}, OffsetGap::Kind::NoRecords, {}},
                   {Offset{4}, Offset{7}, OffsetGap::Kind::Unreadable, u"bad CRC"_s},
                   {Offset{9}, Offset{12}, OffsetGap::Kind::NoRecords, {}}};
    result.nextOffset = Offset{12};
    return result;
}

QString dump(const std::vector<RecordBlock> &blocks)
{
    QStringList lines;
    for (const RecordBlock &block : blocks) {
        const auto kind = block.kind == RowKind::Record            ? u"records"_s
                          : block.kind == RowKind::UnreadableBatch ? u"unreadable"_s
                                                                   : u"nothing"_s;
        lines << u"%1 %2-%3 x%4"_s.arg(kind)
                     .arg(block.first.value)
                     .arg(block.end.value)
                     .arg(block.rows);
    }
    return lines.join(u", "_s);
}

} // namespace

class tst_FetchBlocks : public QObject
{
    Q_OBJECT

private slots:
    void recordsAndGapsComeInOffsetOrder()
    {
        const auto blocks = blocksOf(withGaps(), Offset{0}, Offset{100});
        QCOMPARE(dump(blocks), u"nothing 0-2 x1, records 2-4 x2, unreadable 4-7 x1, "
                               "records 7-9 x2, nothing 9-12 x1"_s);
        QCOMPARE(blocks[2].noteReason, u"bad CRC"_s);
        QCOMPARE(blocks[2].partition, PartitionId{1});
    }

    void whatIsOutsideIsCutOff()
    {
        QCOMPARE(dump(blocksOf(withGaps(), Offset{1}, Offset{6})),
                 u"nothing 1-2 x1, records 2-4 x2, unreadable 4-6 x1"_s);
        QCOMPARE(dump(blocksOf(withGaps(), Offset{5}, Offset{8})),
                 u"unreadable 5-7 x1, records 7-8 x1"_s);
        QCOMPARE(dump(blocksOf(withGaps(), Offset{12}, Offset{20})), QString());
    }

    void sharedMemoryIsCountedOnce()
    {
        const FetchResult result = withGaps();
        qint64 counted = 0;
        for (const RecordBlock &block : blocksOf(result, Offset{0}, Offset{100}))
            counted += block.chunkBytes;
        QCOMPARE(counted, result.chunk->heldBytes());
    }
};

QTEST_APPLESS_MAIN(tst_FetchBlocks)
#include "tst_fetchblocks.moc"
