#include "tests/ui/panels/recordbench.h"

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

/// A whole topic in one table: its partitions one after the other, or by time.
class tst_RecordPanelMerged final : public RecordBench
{
    Q_OBJECT

private slots:
    void withoutTimesOnePartitionComesAfterTheOther();
    void withoutTimesScrollingCoversTheWholeTopic_data();
    void withoutTimesScrollingCoversTheWholeTopic();
    void byTimeTheNewestOfAllComeLast();
    void byTimeScrollingKeepsTheOrderAndMissesNothing();
    void byTimeARecordStandsAmongItsContemporaries();
    void byTimeASilentPartitionIsAskedOnce();
    void aPartitionThatFailsHidesNoOther_data();
    void aPartitionThatFailsHidesNoOther();
    void theBudgetHoldsInBothOrders_data();
    void theBudgetHoldsInBothOrders();
    void manyPartitionsAskForSharesAndStillShowLargeRecords();
    void whatIsFollowedComesAsItArrives();

private:
    void useTimes()
    {
        Capabilities capabilities = FakeBroker::booblikCapabilities();
        capabilities.timestamps = true;
        capabilities.offsetsByTime = true;
        m_broker->setCapabilities(capabilities);
    }

    /// `count` records of a partition, the first at `first` ms, one each `step` ms.
    void fill(qint32 partition, int count, qint64 first, qint64 step)
    {
        m_broker->appendMany(u"orders"_s, partition, count);
        QList<qint64> times;
        for (int i = 0; i < count; ++i)
            times += first + step * i;
        m_broker->setTimes(u"orders"_s, partition, times);
        m_times[partition] = times;
    }

    /// "partition:offset" of all rows in the window.
    QStringList rows() const
    {
        const QStringList partitions = column(u"Partition"_s);
        QStringList all = column(u"Offset"_s);
        for (qsizetype i = 0; i < all.size(); ++i)
            all[i] = partitions[i] + u':' + all[i].remove(QChar(0x202f));
        return all;
    }

    /// Scrolls from the window's end to its beginning until this row is there, and collects the
    /// rows seen, in display order. Where rows went at the end, they were seen before.
    QStringList scrollUp(const QString &until)
    {
        QStringList seen = rows();
        while (rows().value(0) != until) {
            const QString first = rows().value(0);
            view()->verticalScrollBar()->setValue(0);
            if (!QTest::qWaitFor([&] { return rows().value(0) != first; }))
                break; // what is missing shows
            const QStringList now = rows();
            seen = now.first(now.indexOf(first)) + seen;
        }
        return seen;
    }

    void goToFirst()
    {
        const QSignalSpy left(view()->model(), &QAbstractItemModel::modelReset);
        m_panel->goToFirst();
        QTRY_VERIFY(!left.isEmpty() && rows().contains(u"0:0"_s));
    }

    QStringList scrollDown(const QString &until)
    {
        QStringList seen = rows();
        while (rows().value(rows().size() - 1) != until) {
            const QString last = rows().value(rows().size() - 1);
            auto *bar = view()->verticalScrollBar();
            bar->setValue(bar->maximum());
            if (!QTest::qWaitFor([&] { return rows().value(rows().size() - 1) != last; }))
                break;
            const QStringList now = rows();
            seen += now.sliced(now.indexOf(last) + 1);
        }
        return seen;
    }

    /// All rows by time, then by partition.
    QStringList expectedByTime() const
    {
        std::vector<std::tuple<qint64, qint32, qsizetype>> all;
        for (const auto &[partition, times] : m_times) {
            for (qsizetype i = 0; i < times.size(); ++i)
                all.emplace_back(times[i], partition, i);
        }
        std::ranges::sort(all);
        QStringList rows;
        for (const auto &[time, partition, offset] : all)
            rows << u"%1:%2"_s.arg(partition).arg(offset);
        return rows;
    }

    static QStringList expectedByPartition(const QList<int> &counts)
    {
        QStringList rows;
        for (qsizetype partition = 0; partition < counts.size(); ++partition) {
            for (int i = 0; i < counts[partition]; ++i)
                rows << u"%1:%2"_s.arg(partition).arg(i);
        }
        return rows;
    }

    std::map<qint32, QList<qint64>> m_times;
};

void tst_RecordPanelMerged::withoutTimesOnePartitionComesAfterTheOther()
{
    m_broker->appendMany(u"orders"_s, 0, 3);
    m_broker->appendMany(u"orders"_s, 2, 2);
    openPanel(std::nullopt);
    QVERIFY2(header().contains(u"by partition"_s), qPrintable(header()));
    QTRY_COMPARE(rows(), expectedByPartition({3, 0, 2}));
    m_panel->goToFirst();
    QTRY_COMPARE(currentOffset(), u"0"_s); // its partition
    QTRY_COMPARE(rows(), expectedByPartition({3, 0, 2}));
}

void tst_RecordPanelMerged::withoutTimesScrollingCoversTheWholeTopic_data()
{
    QTest::addColumn<qint64>("budget");
    QTest::newRow("all held") << qint64(32'000'000);
    QTest::newRow("pieces go again") << qint64(120'000);
}

void tst_RecordPanelMerged::withoutTimesScrollingCoversTheWholeTopic()
{
    QFETCH(qint64, budget);
    m_broker->appendMany(u"orders"_s, 0, 1500);
    m_broker->appendMany(u"orders"_s, 1, 30);
    m_broker->appendMany(u"orders"_s, 2, 2000);
    m_byteBudget = budget;
    openPanel(std::nullopt);
    QTRY_COMPARE(rows().value(rows().size() - 1), u"2:1999"_s);
    QCOMPARE(scrollUp(u"0:0"_s), expectedByPartition({1500, 30, 2000}));
    goToFirst();
    QCOMPARE(scrollDown(u"2:1999"_s), expectedByPartition({1500, 30, 2000}));
}

void tst_RecordPanelMerged::byTimeTheNewestOfAllComeLast()
{
    useTimes();
    fill(0, 50, 1'000, 100);
    fill(1, 50, 3'000, 100);
    fill(2, 1, 2'500, 1);
    openPanel(std::nullopt);
    QVERIFY2(header().contains(u"by time"_s), qPrintable(header()));
    QTRY_COMPARE(rows(), expectedByTime());
}

void tst_RecordPanelMerged::byTimeScrollingKeepsTheOrderAndMissesNothing()
{
    useTimes();
    fill(0, 3000, 0, 100);
    fill(1, 200, 50, 1'500);    // far apart
    fill(2, 1000, 290'000, 10); // all of it late
    m_byteBudget = 400'000;
    openPanel(std::nullopt);
    const QStringList expected = expectedByTime();
    QTRY_COMPARE(rows().value(rows().size() - 1), expected.constLast());
    QCOMPARE(scrollUp(expected.constFirst()), expected);
    goToFirst();
    QCOMPARE(scrollDown(expected.constLast()), expected);
}

void tst_RecordPanelMerged::byTimeARecordStandsAmongItsContemporaries()
{
    useTimes();
    fill(0, 3000, 0, 100);
    fill(1, 6000, 0, 50);
    openPanel(std::nullopt);
    m_panel->goToOffset({u"orders"_s, PartitionId{0}}, Offset{1500}); // at 150 000 ms
    QTRY_COMPARE(view()->currentIndex().siblingAtColumn(1).data().toString(), u"1500"_s);
    const QStringList all = rows();
    const qsizetype at = all.indexOf(u"0:1500"_s);
    QCOMPARE(all.value(at + 1), u"1:3000"_s);
    QCOMPARE(all.value(at + 2), u"1:3001"_s);
    QCOMPARE(all.value(at + 3), u"0:1501"_s);
}

void tst_RecordPanelMerged::byTimeASilentPartitionIsAskedOnce()
{
    useTimes();
    fill(0, 4000, 0, 10);
    fill(1, 600, 0, 1'000'000); // nearly all of it later than the other's
    openPanel(std::nullopt);
    goToFirst();
    const auto before = m_broker->fetchRequests().size();
    scrollDown(expectedByTime().constLast());
    QSet<qint64> asked;
    const auto requests = m_broker->fetchRequests();
    for (size_t i = before; i < requests.size(); ++i) {
        if (requests[i].partition.partition != PartitionId{1})
            continue;
        QVERIFY2(!asked.contains(requests[i].offset.value), "the same rows were read twice");
        asked.insert(requests[i].offset.value);
    }
}

void tst_RecordPanelMerged::aPartitionThatFailsHidesNoOther_data()
{
    QTest::addColumn<bool>("byTime");
    QTest::newRow("by time") << true;
    QTest::newRow("by partition") << false;
}

void tst_RecordPanelMerged::aPartitionThatFailsHidesNoOther()
{
    QFETCH(bool, byTime);
    if (byTime)
        useTimes();
    fill(0, 40, 0, 10);
    fill(1, 40, 0, 10);
    fill(2, 40, 0, 10);
    m_broker->failPartition(u"orders"_s, 1, FakeBroker::refusal(5, u"LEADER_NOT_AVAILABLE"_s));
    openPanel(std::nullopt);
    QTRY_VERIFY(banner()->isVisible());
    QTRY_VERIFY(rows().contains(u"2:39"_s));
    goToFirst();
    QTRY_VERIFY(rows().contains(u"2:39"_s));
    QVERIFY(banner()->isVisible());
}

void tst_RecordPanelMerged::theBudgetHoldsInBothOrders_data()
{
    aPartitionThatFailsHidesNoOther_data();
}

void tst_RecordPanelMerged::theBudgetHoldsInBothOrders()
{
    QFETCH(bool, byTime);
    constexpr int kRecordBytes = 100'000;
    if (byTime)
        useTimes();
    QList<qint64> times;
    for (int i = 0; i < 60; ++i)
        times += i * 10;
    for (qint32 partition = 0; partition < 3; ++partition) {
        for (int i = 0; i < 60; ++i)
            m_broker->append(u"orders"_s, partition, QByteArray(kRecordBytes, 'x'));
        m_broker->setTimes(u"orders"_s, partition, times);
    }
    m_byteBudget = 4'000'000;
    openPanel(std::nullopt);
    const auto check = [this] {
        QCOMPARE(rows().value(rows().size() - 1), u"2:59"_s);
        // One load may come on top: what is seen is never taken away.
        QVERIFY2(rows().size() <= 6'000'000 / kRecordBytes,
                 qPrintable(QString::number(rows().size())));
    };
    check();
    QTRY_VERIFY2(!status().contains(u"Loading"_s), qPrintable(status()));
    check();
}

void tst_RecordPanelMerged::manyPartitionsAskForSharesAndStillShowLargeRecords()
{
    useTimes();
    // 600 kB fit into max bytes, not into a third of it.
    for (qint32 partition = 0; partition < 3; ++partition) {
        m_broker->append(u"orders"_s, partition, "small");
        m_broker->append(u"orders"_s, partition, QByteArray(600'000, 'x'));
        m_broker->append(u"orders"_s, partition, "behind");
        m_broker->setTimes(u"orders"_s, partition, {1, 2, 3});
    }
    openPanel(std::nullopt);
    QTRY_COMPARE(view()->model()->rowCount(), 9);
    QCOMPARE(m_panel->flaggedCount(), 0);
    QVERIFY(m_broker->fetchRequests().front().maxBytes <= 350'000);
}

void tst_RecordPanelMerged::whatIsFollowedComesAsItArrives()
{
    m_broker->appendMany(u"orders"_s, 0, 2);
    m_broker->appendMany(u"orders"_s, 2, 2);
    openPanel(std::nullopt);
    m_panel->setFollowing(true);
    QTRY_COMPARE(m_broker->liveFollowers(), 1);
    m_broker->append(u"orders"_s, 0, "new");
    QTRY_COMPARE(rows().value(rows().size() - 1), u"0:2"_s);
    m_broker->append(u"orders"_s, 1, "first");
    QTRY_COMPARE(rows().value(rows().size() - 1), u"1:0"_s);
    m_broker->append(u"orders"_s, 0, "newer");
    QTRY_COMPARE(rows(), (QStringList{u"0:0"_s, u"0:1"_s, u"2:0"_s, u"2:1"_s, u"0:2"_s, u"1:0"_s,
                                      u"0:3"_s}));
    m_panel->setFollowing(false);
    m_broker->append(u"orders"_s, 1, "second");
    m_panel->refresh(); // in its order again
    QTRY_COMPARE(rows(), expectedByPartition({4, 2, 2}));
}

QTEST_MAIN(tst_RecordPanelMerged)
#include "tst_recordpanelmerged.moc"
