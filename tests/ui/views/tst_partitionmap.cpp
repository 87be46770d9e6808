#include "ui/views/partitionmap.h"

#include <QImage>
#include <QSignalSpy>
#include <QTest>

using namespace topicscope;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

namespace
{

constexpr QSize kSize(40, 400);

RecordBlock record(qint32 partition, qint64 offset, int bytes, bool damaged = false)
{
    Record record;
    record.offset = Offset{offset};
    record.valueSize = quint32(bytes);
    if (damaged)
        record.flags |= RecordFlag::ChecksumMismatch;
    return RecordBlock::records(std::make_shared<const RecordChunk>(
        TopicPartition{u"t"_s, PartitionId{partition}}, QByteArray(), std::vector{record}));
}

} // namespace

/// The map as it is seen and clicked.
class tst_PartitionMap : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_profiles.clear();
        m_map = std::make_unique<PartitionMap>();
        m_map->setProfiles(&m_profiles);
    }

    void everyFlaggedRecordIsSeenHoweverLongTheLog()
    {
        PartitionProfile &log = addLog(0, 0, 5'000'000'000);
        const QImage before = draw();
        log.add(record(0, 1'234'567'890, 100, true));
        const QImage after = draw();
        const int y = m_map->rectOf(PartitionId{0}, Offset{1'234'567'890}).top();
        QCOMPARE(y, 98); // of 400 rows: 400 × 1234567890 / 5e9 = 98.77
        const int x = after.width() - 2;
        QVERIFY(before.pixel(x, y) != after.pixel(x, y));
        QColor seen = after.pixelColor(x, y);
        QVERIFY2(seen.red() > seen.green() + 40 && seen.red() > seen.blue() + 40,
                 qPrintable(seen.name()));
        QCOMPARE(before.pixel(x, y + 5), after.pixel(x, y + 5));
    }

    void everyHitIsSeenHoweverManyThereAre()
    {
        addLog(0, 0, 5'000'000'000);
        addLog(1, 0, 5'000'000'000);
        const QImage before = draw();
        auto hits = std::make_shared<MarkedOffsets>();
        // Two on one line, the last offset there is, and one the log does not have any more.
        (*hits)[PartitionId{0}] = {Offset{1'234'567'890}, Offset{1'234'567'891},
                                   Offset{2'500'000'000}, Offset{4'999'999'999},
                                   Offset{6'000'000'000}};
        m_map->setHits(hits);
        const QImage after = draw();
        QList<int> lines;
        const QRect strip = m_map->rectOf(PartitionId{0}, Offset{0});
        for (int y = 0; y < after.height(); ++y) {
            if (before.pixel(strip.right(), y) != after.pixel(strip.right(), y))
                lines << y;
        }
        QCOMPARE(lines, (QList<int>{98, 200, 399})); // 400 × 1234567890 / 5e9 = 98.77
        const int other = m_map->rectOf(PartitionId{1}, Offset{0}).right();
        QCOMPARE(before.copy(other, 0, 1, 400), after.copy(other, 0, 1, 400));
        QVERIFY(toolTip({strip.center().x(), 5}).contains(u"hits: 5"_s));
        QVERIFY(!toolTip({other, 5}).contains(u"hits"_s));
        m_map->setHits(nullptr);
        QCOMPARE(draw(), before);
    }

    void whatWasNotLookedAtIsTold()
    {
        PartitionProfile &log = addLog(0, 0, 1'000'000);
        draw();
        QVERIFY2(toolTip({30, 200}).contains(u"not looked at yet"_s),
                 qPrintable(toolTip({30, 200})));
        log.add(record(0, 500'100, 2048));
        const QString text = toolTip({30, 200});
        QVERIFY2(text.contains(u"1 records in 1 offsets looked at"_s), qPrintable(text));
        QVERIFY2(text.contains(u"2.0 KiB"_s), qPrintable(text));
    }

    void peaksStandOutAndUsualSizesDoNot()
    {
        PartitionProfile &log = addLog(0, 0, 400);
        log.add(record(0, 100, 41));
        log.add(record(0, 200, 44));
        const QImage usual = draw();
        const QRect strip = m_map->rectOf(PartitionId{0}, Offset{0});
        const int nearTheEnd = strip.right() - 2;
        QCOMPARE(usual.pixel(nearTheEnd, 200), usual.pixel(nearTheEnd, 100));
        log.add(record(0, 300, 3'000'000));
        const QImage peak = draw();
        QVERIFY(peak.pixel(nearTheEnd, 300) != peak.pixel(nearTheEnd, 100));
        QCOMPARE(peak.pixel(nearTheEnd, 200), peak.pixel(nearTheEnd, 100));
    }

    void oneGiantLeavesTheOthersAShape()
    {
        PartitionProfile &log = addLog(0, 0, 400);
        log.add(record(0, 100, 200));
        log.add(record(0, 200, 215));
        log.add(record(0, 300, 3'000'000));
        const QImage map = draw();
        QVERIFY(map.copy(0, 200, map.width(), 1) != map.copy(0, 100, map.width(), 1));
    }

    void clickingGoesThere()
    {
        addLog(3, 1'000, 5'001'000);
        draw();
        const QSignalSpy gone(m_map.get(), &PartitionMap::goToRequested);
        QTest::mouseClick(m_map.get(), Qt::LeftButton, {}, {30, 200});
        QCOMPARE(gone.count(), 1);
        QCOMPARE(gone[0][0].value<PartitionId>(), PartitionId{3});
        QCOMPARE(gone[0][1].value<Offset>(), Offset{2'501'000});
        QTest::mouseClick(m_map.get(), Qt::LeftButton, {}, {30, 399});
        QVERIFY(gone[1][1].value<Offset>() < Offset{5'001'000});
    }

    void partitionsAreToOneScale()
    {
        addLog(0, 0, 1'000'000);
        addLog(1, 0, 250'000);
        addLog(2, 0, 1);
        addLog(3, 7, 7);
        draw();
        QCOMPARE(m_map->rectOf(PartitionId{0}, Offset{999'999}).top(), 399);
        QCOMPARE(m_map->rectOf(PartitionId{1}, Offset{249'999}).top(), 99);
        QCOMPARE(m_map->rectOf(PartitionId{2}, Offset{0}).top(), 0);
        const int x = m_map->rectOf(PartitionId{1}, Offset{0}).center().x();
        const auto place = m_map->placeAt({x, 50});
        QCOMPARE(place, (RecordAxis::Place{PartitionId{1}, Offset{125'000}}));
        QVERIFY(!m_map->placeAt({m_map->rectOf(PartitionId{3}, Offset{7}).center().x(), 0}));
    }

    void timesAreWrittenWhereTheyFall()
    {
        addLog(0, 0, 400);
        m_map->setTimeText([](qint64 ms, bool) { return u"t%1"_s.arg(ms); });
        QVERIFY(m_map->sizeHint().width() > 22);
        const QImage before = draw();
        Record timed;
        timed.offset = Offset{200};
        timed.flags = RecordFlag::HasTimestamp;
        m_profiles[PartitionId{0}].add(RecordBlock::records(std::make_shared<const RecordChunk>(
            TopicPartition{u"t"_s, PartitionId{0}}, QByteArray(), std::vector{timed},
            std::vector<qint64>{7})));
        const QImage after = draw();
        const int left = m_map->rectOf(PartitionId{0}, Offset{0}).left();
        QVERIFY(before.copy(0, 190, left, 20) != after.copy(0, 190, left, 20));
        QCOMPARE(before.copy(0, 0, left, 100), after.copy(0, 0, left, 100));
        QVERIFY(toolTip({left + 5, 200}).contains(u"t7"_s));
    }

    /// Of a log of some seconds each place would have the same minute.
    void theSameTimeIsWrittenOnce()
    {
        addLog(0, 0, 400);
        m_map->setTimeText([](qint64 ms, bool) { return QString::number(ms / 60'000); });
        const auto addAt = [this](qint64 offset, qint64 timeMs) {
            Record timed;
            timed.offset = Offset{offset};
            timed.flags = RecordFlag::HasTimestamp;
            m_profiles[PartitionId{0}].add(RecordBlock::records(std::make_shared<const RecordChunk>(
                TopicPartition{u"t"_s, PartitionId{0}}, QByteArray(), std::vector{timed},
                std::vector{timeMs})));
        };
        addAt(100, 1'000);
        const QImage one = draw();
        const int left = m_map->rectOf(PartitionId{0}, Offset{0}).left();
        addAt(200, 59'000);
        QCOMPARE(draw().copy(0, 190, left, 20), one.copy(0, 190, left, 20));
        addAt(300, 61'000);
        QVERIFY(draw().copy(0, 290, left, 20) != one.copy(0, 290, left, 20));
    }

private:
    PartitionProfile &addLog(qint32 id, qint64 begin, qint64 end)
    {
        PartitionProfile &profile = m_profiles[PartitionId{id}];
        profile.setEnds(Offset{begin}, Offset{end});
        m_map->setProfiles(&m_profiles);
        return profile;
    }

    QImage draw()
    {
        m_map->resize(kSize);
        return m_map->grab().toImage();
    }

    QString toolTip(const QPoint &point) const { return m_map->toolTipAt(point); }

    PartitionMap::Profiles m_profiles;
    std::unique_ptr<PartitionMap> m_map;
};

QTEST_MAIN(tst_PartitionMap)
#include "tst_partitionmap.moc"
