#include "core/base/bytewriter.h"
#include "core/search/hitlist.h"
#include "core/search/search.h"
#include "tests/core/search/ledgertext.h"
#include "tests/support/chunks.h"

#include <QTest>

#include <algorithm>

using namespace topicscope;
using namespace topicscope::search;
using namespace topicscope::test;
using namespace Qt::StringLiterals;

/// What a search keeps: its account, and the first of its hits.
class tst_Ledger final : public QObject
{
    Q_OBJECT

private slots:
    void ledgerTilesWhateverComes();
    void longLedgersAreShortened();
    void hitListKeepsTheFirst();
    void subsetsKeepRecordsWhole();
    void outcomeIsNeverSilent();
    void offsetsOfAnySizeAreCounted();
    void partitionsAreListed();
};

void tst_Ledger::ledgerTilesWhateverComes()
{
    const TopicPartition where{u"orders"_s, PartitionId{0}};
    PartitionLedger ledger(where, Offset{0}, Offset{100}, Offset{10}, Offset{80});
    QCOMPARE(told(ledger), u"0..10 below-log-start, 10..80 pending, 80..100 behind-end"_s);
    ledger.advance(Offset{20}, Coverage::Scanned);
    ledger.advance(Offset{15}, Coverage::Missing); // behind us: nothing
    ledger.advance(Offset{30}, Coverage::Scanned); // the same goes on
    ledger.advance(Offset{31}, Coverage::TooLarge);
    QVERIFY(isTiled(ledger));
    QCOMPARE(told(ledger), u"0..10 below-log-start, 10..30 scanned, 30..31 too-large, "
                           "31..80 pending, 80..100 behind-end"_s);
    ledger.fail(Error::make(ErrorKind::Network, {}));
    QCOMPARE(ledger.offsets(Coverage::Failed), 49);
    QVERIFY(!ledger.pending());
    ledger.reopen();
    QCOMPARE(ledger.pending()->first, Offset{31});
    QVERIFY(!ledger.error());
    ledger.advance(Offset{1000}, Coverage::Scanned); // never beyond what was pending
    QVERIFY(isTiled(ledger));
    QCOMPARE(ledger.offsets(Coverage::Scanned), 69);
    QVERIFY(!ledger.pending());

    QVERIFY(isTiled(PartitionLedger(where, Offset{5}, Offset{5}, Offset{0}, Offset{9})));
    QVERIFY(isTiled(PartitionLedger(where, Offset{9}, Offset{3}, Offset{0}, Offset{9})));
    QCOMPARE(told(PartitionLedger(where, Offset{20}, Offset{30}, Offset{0}, Offset{9})),
             u"20..30 behind-end"_s);
    QCOMPARE(told(PartitionLedger(where, Offset{0}, Offset{3}, Offset{5}, Offset{9})),
             u"0..3 below-log-start"_s);
}

void tst_Ledger::longLedgersAreShortened()
{
    constexpr qint64 kEnd = 10'000;
    PartitionLedger ledger({u"orders"_s, PartitionId{0}}, Offset{0}, Offset{kEnd}, Offset{0},
                           Offset{kEnd});
    for (qint64 offset = 0; offset + 1 < kEnd; offset += 2) {
        ledger.advance(Offset{offset + 1}, Coverage::Scanned);
        ledger.advance(Offset{offset + 2}, Coverage::Undecided);
    }
    QVERIFY(isTiled(ledger));
    QVERIFY(ledger.ranges().size() <= PartitionLedger::kMaxRanges);
    QVERIFY(std::ranges::count(ledger.ranges(), Coverage::Mixed, &LedgerRange::coverage) == 1);
    QCOMPARE(ledger.offsets(Coverage::Undecided), kEnd / 2); // counted all the same
    QCOMPARE(ledger.offsets(Coverage::Scanned), kEnd / 2);
}

void tst_Ledger::hitListKeepsTheFirst()
{
    // Whatever comes first, the first five in order of partition and offset stay.
    struct Batch {
        size_t partition;
        qint64 first;
        int count;
    };
    const std::vector<Batch> batches{{0, 0, 2}, {0, 10, 1}, {1, 0, 3}, {2, 5, 4}};
    std::vector<size_t> order{0, 1, 2, 3};
    do {
        const auto at = [&](size_t i) { return std::ranges::find(order, i) - order.begin(); };
        if (at(0) > at(1))
            continue; // one partition's hits come in offset order
        HitList list(5, 1'000'000);
        for (const size_t i : order)
            list.add(batches[i].partition,
                     chunkOf(qint32(batches[i].partition), batches[i].first, batches[i].count));
        QList<Place> kept;
        for (const RecordChunkPtr &chunk : list.chunks()) {
            for (const Record &record : chunk->records())
                kept += {chunk->partition().partition.value, record.offset.value};
        }
        QCOMPARE(kept, (QList<Place>{{0, 0}, {0, 1}, {0, 10}, {1, 0}, {1, 1}}));
        QCOMPARE(list.found(), 10);
        QVERIFY(list.isCut());
    } while (std::next_permutation(order.begin(), order.end()));

    HitList bytes(1000, 350);
    QVERIFY(bytes.add(0, chunkOf(0, 0, QByteArrayList(10, QByteArray(50, 'x')))));
    QCOMPARE(bytes.kept(), 3); // 50 bytes, 8 of framing, 40 of index
    QVERIFY(!bytes.add(0, chunkOf(0, 10, QByteArrayList{"y"}))); // small, but behind the cut
    QCOMPARE(bytes.found(), 11);
}

void tst_Ledger::subsetsKeepRecordsWhole()
{
    const RecordChunkPtr framed = chunkOf(3, 7, {"hello", "other", "bytes"});
    const std::vector<size_t> chosen{0, 2};
    const RecordChunkPtr some = subsetOf(framed, chosen);
    QCOMPARE(some->records().size(), size_t(2));
    QCOMPARE(some->bytes().size(), size_t(2 * (5 + 8)));
    for (size_t i = 0; i < 2; ++i) {
        const Record &record = some->records()[i];
        const Record &original = framed->records()[chosen[i]];
        QCOMPARE(record.offset, original.offset);
        QVERIFY(std::ranges::equal(some->frame(record), framed->frame(original)));
        QVERIFY(std::ranges::equal(some->value(record), framed->value(original)));
        QCOMPARE(some->storedCrc(record), framed->storedCrc(original));
    }
    QCOMPARE(some->storedCrc(some->records()[0]), 0x9a71bb4cU); // of "hello"
    const RecordChunkPtr full =
        fullChunkOf(0, {{"k1", {}, "v1", 5}, {"k2", {{"h", "x"}}, "v2", 6}});
    const RecordChunkPtr last = subsetOf(full, std::vector<size_t>{1});
    const Record &record = last->records().front();
    QVERIFY(std::ranges::equal(last->key(record), asBytes(QByteArray("k2"))));
    QVERIFY(std::ranges::equal(last->value(record), asBytes(QByteArray("v2"))));
    QCOMPARE(readHeaders(last->headers(record)).value().first().name, "h");
    QCOMPARE(last->timestampMs(record), 6);
    QCOMPARE(subsetOf(full, std::vector<size_t>{0, 1}), full);
}

void tst_Ledger::outcomeIsNeverSilent()
{
    const TopicPartition where{u"orders"_s, PartitionId{0}};
    Ledger ledger{PartitionLedger(where, Offset{0}, Offset{20'000}, Offset{0}, Offset{20'000})};
    QCOMPARE(outcomeText(ledger), u"No hits in what was searched: 0 of 20\u202f000 offsets of 1 "
                                  "partition. Not searched: 20\u202f000 (not reached)."_s);
    ledger[0].advance(Offset{19'999}, Coverage::Scanned);
    ledger[0].advance(Offset{20'000}, Coverage::TooLarge);
    QCOMPARE(outcomeText(ledger),
             u"No hits in what was searched: 19\u202f999 of 20\u202f000 offsets "
             "of 1 partition. Not searched: 1 (too large to be fetched)."_s);
    Ledger outside{PartitionLedger(where, Offset{0}, Offset{std::numeric_limits<qint64>::max()},
                                   Offset{10}, Offset{20})};
    outside.push_back(outside.front());
    for (PartitionLedger &partition : outside)
        partition.advance(Offset{20}, Coverage::Scanned);
    QCOMPARE(totalsOf(outside).offsets, 20);
    QVERIFY(totalsOf(outside).isComplete());
    QVERIFY2(outcomeText(outside).startsWith(
                 u"No hits: all 20 offsets of 2 partitions were searched. Not there: 20 "
                 "(removed by retention); "_s),
             qPrintable(outcomeText(outside)));
    Ledger whole{PartitionLedger(where, Offset{0}, Offset{10}, Offset{0}, Offset{10})};
    whole[0].advance(Offset{10}, Coverage::Scanned);
    whole[0].hits = 1;
    QCOMPARE(outcomeText(whole), u"1 hit: all 10 offsets of 1 partition were searched."_s);
    whole.emplace_back(TopicPartition{u"orders"_s, PartitionId{1}},
                       Error::make(ErrorKind::Broker, u"LEADER_NOT_AVAILABLE"_s));
    QCOMPARE(outcomeText(whole), u"1 hit in what was searched: 10 of 10 offsets of 2 partitions. "
                                 "1 partition could not be asked at all."_s);
}

/// A broker may say anything; nothing overflows.
void tst_Ledger::offsetsOfAnySizeAreCounted()
{
    const TopicPartition where{u"orders"_s, PartitionId{0}};
    const Offset most{std::numeric_limits<qint64>::max()};
    const Offset least{std::numeric_limits<qint64>::min()};
    Ledger ledger{PartitionLedger(where, least, most, least, most),
                  PartitionLedger(where, least, most, most, least)};
    QCOMPARE(told(ledger[0]), u"0..9223372036854775807 pending"_s);
    QVERIFY(isTiled(ledger[0]));
    QVERIFY(isTiled(ledger[1]));
    ledger[0].advance(most, Coverage::Scanned);
    ledger.push_back(ledger[0]);
    QCOMPARE(totalsOf(ledger).offsets, most.value); // as much as can be said
    QVERIFY(outcomeText(ledger).startsWith(u"No hits"_s));
}

void tst_Ledger::partitionsAreListed()
{
    const auto listed = [](const QString &text) {
        QList<qint32> all;
        const auto parsed = parsePartitions(text);
        for (const PartitionId id : parsed.value_or(QList<PartitionId>()))
            all += id.value;
        return parsed ? all : QList<qint32>{-1};
    };
    QCOMPARE(listed(u"7, 3-5,0,4"_s), (QList<qint32>{0, 3, 4, 5, 7}));
    QCOMPARE(listed(u"2147483647"_s), QList<qint32>{2147483647});
    for (const QString &wrong : {u""_s, u"-1"_s, u"5-3"_s, u"1-2-3"_s, u"a"_s, u"1,"_s, u"+1"_s,
                                 u"2147483648"_s, u"0-2147483647"_s})
        QCOMPARE(listed(wrong), QList<qint32>{-1});
}

QTEST_GUILESS_MAIN(tst_Ledger)
#include "tst_ledger.moc"
