#include "core/records/logmap.h"

#include <QSet>
#include <QTest>

#include <limits>

using namespace topicscope;
using namespace Qt::StringLiterals;

namespace
{

constexpr PartitionId kPartition{0};

RecordBlock records(qint64 first, const QList<int> &sizes, qint64 damaged = -1)
{
    std::vector<Record> all;
    std::vector<qint64> timestampsMs;
    for (qsizetype i = 0; i < sizes.size(); ++i) {
        Record record;
        record.offset = Offset{first + i};
        record.valueSize = quint32(sizes[i]);
        record.flags = RecordFlag::HasTimestamp;
        timestampsMs.push_back(1'000 + (first + i) % 1'000'000'000);
        if (first + i == damaged)
            record.flags |= RecordFlag::ChecksumMismatch;
        all.push_back(record);
    }
    return RecordBlock::records(std::make_shared<const RecordChunk>(
        TopicPartition{u"t"_s, kPartition}, QByteArray(), std::move(all), std::move(timestampsMs)));
}

PartitionProfile profile(qint64 begin, qint64 end)
{
    PartitionProfile result;
    result.setEnds(Offset{begin}, Offset{end});
    return result;
}

} // namespace

/// What a map of a log is drawn from.
class tst_LogMap : public QObject
{
    Q_OBJECT

private slots:
    void lengthDoesNotMatter()
    {
        const PartitionProfile log = profile(0, 5'000'000'000'000'000);
        QVERIFY(log.bucketCount() <= PartitionProfile::kMaxBuckets);
        QVERIFY(log.bucketCount() > PartitionProfile::kMaxBuckets / 2);
        QCOMPARE(log.bucketOf(Offset{0}), 0);
        QCOMPARE(log.bucketOf(Offset{4'999'999'999'999'999}), log.bucketCount() - 1);
    }

    void recordsAreCountedWhereTheyAre()
    {
        PartitionProfile log = profile(0, 10'240); // 11 offsets a bucket
        QCOMPARE(log.bucketSpan(), 11);
        log.add(records(5, {100, 200, 900}));
        const auto &first = log.bucket(0);
        QCOMPARE(first.records, 3);
        QCOMPARE(first.offsetsSeen, 3);
        QCOMPARE(first.bytes, 1200);
        QCOMPARE(first.peakBytes, 900);
        QCOMPARE(first.firstTimeMs, 1'005);
        QCOMPARE(log.bucket(1).offsetsSeen, 0);
    }

    void whatWasSeenCountsOnce()
    {
        PartitionProfile log = profile(0, 100);
        for (int i = 0; i < 3; ++i)
            log.add(records(10, {1, 2, 3, 4}));
        log.add(records(8, {7, 7, 1, 2, 3, 4, 5}));
        const auto all = log.between(Offset{0}, Offset{100});
        QCOMPARE(all.records, 7);
        QCOMPARE(all.bytes, 7 + 7 + 1 + 2 + 3 + 4 + 5);
    }

    void gapsAreSeenAndEmpty()
    {
        PartitionProfile log = profile(0, 1'000'000);
        log.add(
            RecordBlock::note(RowKind::NoRecords, kPartition, Offset{100'000}, Offset{900'000}));
        const auto all = log.between(Offset{0}, Offset{1'000'000});
        QCOMPARE(all.offsetsSeen, 800'000);
        QCOMPARE(all.records, 0);
        QVERIFY(log.flagged().empty());
    }

    void everyFlaggedRowIsKept()
    {
        PartitionProfile log = profile(0, 5'000'000'000);
        log.add(records(70, {1, 1, 1, 1}, 72));
        log.add(records(90, {1, 1}, 91)); // in the same bucket, and what lies between is not seen
        log.add(records(74, {1, 1, 1}, 75));
        log.add(RecordBlock::note(RowKind::Hole, kPartition, Offset{4'000'000'000},
                                  Offset{4'000'000'007}));
        QCOMPARE(log.flagged(),
                 (std::set<Offset>{Offset{72}, Offset{75}, Offset{91}, Offset{4'000'000'000}}));
    }

    void growsWithItsLog()
    {
        PartitionProfile log = profile(1'000, 2'000);
        log.add(records(1'500, {10, 20}));
        log.setEnds(Offset{1'000}, Offset{50'000'000});
        QVERIFY(log.bucketCount() <= PartitionProfile::kMaxBuckets);
        QCOMPARE(log.between(Offset{1'000}, Offset{50'000'000}).bytes, 30);
        log.add(records(60'000'000, {5})); // an answer may run ahead of what is known
        QCOMPARE(log.end(), Offset{60'000'001});
        QCOMPARE(log.between(Offset{1'000}, Offset{60'000'001}).bytes, 35);
    }

    void forgetsWhatRetentionRemoves()
    {
        PartitionProfile log = profile(0, 100'000);
        log.add(records(10, {1}, 10));
        log.add(records(90'000, {2}, 90'000));
        log.setEnds(Offset{50'000}, Offset{120'000});
        QCOMPARE(log.flagged(), std::set<Offset>{Offset{90'000}});
        QCOMPARE(log.between(Offset{50'000}, Offset{120'000}).records, 1);
        log.setEnds(Offset{9'000'000}, Offset{9'000'010}); // all of it
        QCOMPARE(log.between(Offset{9'000'000}, Offset{9'000'010}).records, 0);
        log.add(records(9'000'000, {3}));
        QCOMPARE(log.between(Offset{9'000'000}, Offset{9'000'010}).records, 1);
    }

    void asksEvenlyFromCoarseToFine()
    {
        PartitionProfile log = profile(0, 1'024'000);
        QList<qint64> asked;
        for (int i = 0; i < 4; ++i)
            asked << log.nextUnknown()->value;
        std::ranges::sort(asked);
        const qint64 span = log.bucketSpan();
        for (int i = 0; i < 4; ++i)
            QVERIFY2(qAbs(asked[i] - i * 256'000) <= span, qPrintable(QString::number(asked[i])));
        // Each bucket at most once, and none of those seen.
        log.add(records(512'000, QList<int>(5'000, 1)));
        QSet<qint64> seen;
        while (const auto next = log.nextUnknown()) {
            QVERIFY(!seen.contains(log.bucketOf(*next)));
            seen.insert(log.bucketOf(*next));
            QVERIFY(log.bucket(log.bucketOf(*next)).offsetsSeen == 0);
        }
        QVERIFY(seen.size() > 900);
    }

    void nonsenseOffsetsDoNotOverflow()
    {
        constexpr qint64 kMax = std::numeric_limits<qint64>::max();
        PartitionProfile log = profile(-kMax, kMax);
        QVERIFY(log.bucketCount() <= PartitionProfile::kMaxBuckets);
        log.add(records(kMax - 3, {1, 2}));
        QCOMPARE(log.between(Offset{0}, Offset{kMax}).records, 2);
        log.add(RecordBlock::note(RowKind::Refused, kPartition, Offset{kMax - 10}, Offset{kMax}));
        log.add(RecordBlock::note(RowKind::Refused, kPartition, Offset{0}, Offset{kMax}));
        QCOMPARE(log.between(Offset{0}, Offset{kMax}).records, 2);
        log.setEnds(Offset{10}, Offset{3});
        QCOMPARE(log.between(Offset{0}, Offset{10}).records, 0);
    }

    void aLogMadeAnewIsAnotherLog()
    {
        PartitionProfile log = profile(1'000'000, 2'000'000);
        log.add(records(1'500'000, {1}, 1'500'000));
        for (const qint64 end : {10, 900'000, 2'000'000}) {
            log.setEnds(Offset{0}, Offset{end});
            QCOMPARE(log.between(Offset{0}, Offset{end}).records, 0);
            QVERIFY(log.flagged().empty());
            log.add(records(5, {1, 1}));
            QCOMPARE(log.between(Offset{0}, Offset{end}).records, 2);
            QVERIFY(log.nextUnknown());
            log.setEnds(Offset{1'000'000}, Offset{2'000'000});
        }
    }

    void anEmptyLogAsksNothing()
    {
        PartitionProfile log = profile(7, 7);
        QCOMPARE(log.bucketCount(), 0);
        QVERIFY(!log.nextUnknown());
        QCOMPARE(log.between(Offset{0}, Offset{100}).records, 0);
    }
};

QTEST_GUILESS_MAIN(tst_LogMap)
#include "tst_logmap.moc"
