#include "core/records/recordaxis.h"

#include <QTest>

#include <limits>

using namespace topicscope;

namespace
{

RecordAxis::Part part(qint32 id, qint64 begin, qint64 end)
{
    return {PartitionId{id}, Offset{begin}, Offset{end}};
}

constexpr qint64 kMax = std::numeric_limits<qint64>::max();

} // namespace

/// Partitions one after the other on one line.
class tst_RecordAxis : public QObject
{
    Q_OBJECT

private slots:
    void partsFollowOneAnother()
    {
        const RecordAxis axis({part(0, 100, 150), part(1, 7, 7), part(4, 0, 10)});
        QCOMPARE(axis.length(), 60);
        QCOMPARE(axis.positionOf(PartitionId{0}, Offset{149}), 49);
        QCOMPARE(axis.positionOf(PartitionId{4}, Offset{0}), 50);
        QCOMPARE(axis.at(49), (RecordAxis::Place{PartitionId{0}, Offset{149}}));
        QCOMPARE(axis.at(50), (RecordAxis::Place{PartitionId{4}, Offset{0}}));
        QCOMPARE(axis.at(59), (RecordAxis::Place{PartitionId{4}, Offset{9}}));
    }

    void whatIsOutsideIsMovedInside()
    {
        const RecordAxis axis({part(0, 100, 150)});
        QCOMPARE(axis.positionOf(PartitionId{0}, Offset{3}), 0);
        QCOMPARE(axis.positionOf(PartitionId{0}, Offset{900}), 50);
        QCOMPARE(axis.at(-5), (RecordAxis::Place{PartitionId{0}, Offset{100}}));
        QCOMPARE(axis.at(50), (RecordAxis::Place{PartitionId{0}, Offset{149}}));
        QCOMPARE(axis.positionOf(PartitionId{9}, Offset{120}), 0);
    }

    void emptyLinesHaveNoPlace()
    {
        QVERIFY(!RecordAxis().at(0));
        QVERIFY(!RecordAxis({part(0, 5, 5)}).at(0));
    }

    void offsetsAreExactBeyond53Bits()
    {
        const RecordAxis axis({part(0, 0, 5'000'000'000), part(1, 9'007'199'254'740'993, kMax)});
        QCOMPARE(axis.positionOf(PartitionId{1}, Offset{9'007'199'254'740'995}), 5'000'000'002);
        QCOMPARE(axis.at(5'000'000'001),
                 (RecordAxis::Place{PartitionId{1}, Offset{9'007'199'254'740'994}}));
    }

    void nonsenseOffsetsStayDrawable()
    {
        const RecordAxis axis({part(0, -5, kMax), part(1, 0, kMax), part(2, 10, 3)});
        QCOMPARE(axis.length(), kMax);
        QCOMPARE(axis.at(kMax)->partition, PartitionId{0});
        QCOMPARE(axis.positionOf(PartitionId{1}, Offset{100}), kMax);
    }
};

QTEST_GUILESS_MAIN(tst_RecordAxis)
#include "tst_recordaxis.moc"
