#include "tests/support/modeldump.h"
#include "tests/support/syntheticlog.h"
#include "tests/ui/panels/recordbench.h"
#include "ui/views/offsetscrollbar.h"
#include "ui/views/partitionmap.h"

#include <QHeaderView>
#include <QStyle>
#include <QStyleOptionSlider>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

/// The scroll bar over all offsets of a log, however many.
class tst_RecordPanelScroll final : public RecordBench
{
    Q_OBJECT

private slots:
    void theBarSpansTheLogNotTheRowsLoaded();
    void draggingShowsWhatIsThere_data();
    void draggingShowsWhatIsThere();
    void offsetsBeyond53BitsAreExact();
    void theLabelTellsWhereTheThumbIs();
    void untilRowsArriveTheirOutlineIsDrawn();
    void stepsAndWheelScrollTheTable();
    void aTopicWithoutTimesIsOneLine();
    void aTopicByTimeLeadsToItsTime();
    void rowsFilteredHaveTheirOwnBar();
    void theMapSamplesWhatIsNotLoaded();
    void theMapSaysWhenItIsFilled();
    void theMapOfASmallLogAsksNothing();
    void clickingTheMapGoesThere();

private:
    void openLog(const SyntheticLog &log, std::optional<qint32> partition = 0)
    {
        m_panel = std::make_unique<RecordPanel>(log.factory(), SessionConfig());
        m_panel->resize(900, 400);
        m_panel->show();
        QSignalSpy loaded(m_panel.get(), &RecordPanel::loaded);
        m_panel->open(log.topicInfo(),
                      partition ? std::optional(PartitionId{*partition}) : std::nullopt);
        QVERIFY(loaded.wait());
    }

    OffsetScrollBar *bar() const
    {
        return m_panel->findChild<OffsetScrollBar *>(u"offsetScrollBar"_s);
    }
    QLabel *label() const { return m_panel->findChild<QLabel *>(u"dragLabel"_s); }

    QRect part(QStyle::SubControl which) const
    {
        QStyleOptionSlider option;
        option.initFrom(bar());
        option.orientation = Qt::Vertical;
        option.minimum = bar()->minimum();
        option.maximum = bar()->maximum();
        option.pageStep = bar()->pageStep();
        option.sliderPosition = bar()->sliderPosition();
        option.sliderValue = bar()->value();
        return bar()->style()->subControlRect(QStyle::CC_ScrollBar, &option, which, bar());
    }

    /// Presses the thumb and moves it there, in parts of the groove.
    void drag(double to)
    {
        const QRect thumb = part(QStyle::SC_ScrollBarSlider);
        const QRect groove = part(QStyle::SC_ScrollBarGroove);
        QTest::mousePress(bar(), Qt::LeftButton, {}, thumb.center());
        const int y = groove.top() + int(double(groove.height()) * to);
        QTest::mouseMove(bar(), {thumb.center().x(), y});
    }
    void letGo() { QTest::mouseRelease(bar(), Qt::LeftButton, {}, bar()->rect().center()); }

    qint64 topOffset() const
    {
        const int row = view()->rowAt(0);
        return row < 0 ? -1 : offsets().value(row);
    }
};

void tst_RecordPanelScroll::theBarSpansTheLogNotTheRowsLoaded()
{
    SyntheticLog log;
    log.partitions = {{0, 5'000'000'000}};
    openLog(log);
    QTRY_COMPARE(bar()->value(), bar()->maximum());
    QVERIFY(bar()->place() > 4'999'999'900);
    QVERIFY(view()->model()->rowCount() < 20'000);
    m_panel->goToFirst();
    QTRY_COMPARE(bar()->place(), 0);
    m_panel->goTo(u"2500000000"_s);
    QTRY_VERIFY(qAbs(bar()->place() - 2'500'000'000) < 100);
    QVERIFY(qAbs(bar()->value() - bar()->maximum() / 2) < 100);
}

void tst_RecordPanelScroll::draggingShowsWhatIsThere_data()
{
    QTest::addColumn<double>("to");
    QTest::newRow("a tenth") << 0.1;
    QTest::newRow("the middle") << 0.5;
    QTest::newRow("nearly the end") << 0.9;
}

void tst_RecordPanelScroll::draggingShowsWhatIsThere()
{
    QFETCH(double, to);
    SyntheticLog log;
    log.partitions = {{1'000'000'000, 6'000'000'000}};
    openLog(log);
    drag(to);
    const qint64 wanted = 1'000'000'000 + bar()->place();
    QVERIFY(qAbs(double(bar()->place()) / 5e9 - to) < 0.05);
    QTRY_COMPARE(topOffset(), wanted);
    QVERIFY(column(u"Value"_s).value(view()->rowAt(0)).startsWith(QString::number(wanted) + u' '));
    letGo();
    // It goes on from there in both directions.
    QTRY_VERIFY(offsets().contains(wanted - 1));
    QCOMPARE(topOffset(), wanted);
}

void tst_RecordPanelScroll::offsetsBeyond53BitsAreExact()
{
    SyntheticLog log;
    log.partitions = {{9'007'199'254'740'991, 9'007'199'254'750'991}};
    openLog(log);
    m_panel->goTo(u"9007199254740993"_s);
    QTRY_COMPARE(currentOffset().remove(QChar(0x202f)), u"9007199254740993"_s);
    QVERIFY(
        column(u"Value"_s).value(view()->currentIndex().row()).startsWith(u"9007199254740993 "_s));
}

void tst_RecordPanelScroll::theLabelTellsWhereTheThumbIs()
{
    SyntheticLog log;
    log.partitions = {{0, 5'000'000'000}};
    log.firstTimeMs = 1'700'000'000'000; // 2023-11-14 22:13:20 UTC
    openLog(log);
    QVERIFY(!label()->isVisible());
    drag(0.5);
    QVERIFY(label()->isVisible());
    QVERIFY2(label()->text().startsWith(u"Offset 2\u202f"_s), qPrintable(label()->text()));
    QTRY_VERIFY2(label()->text().contains(u"2023-12-1"_s), qPrintable(label()->text()));
    QVERIFY(label()->geometry().right() < bar()->geometry().left());
    letGo();
    QVERIFY(!label()->isVisible());
}

void tst_RecordPanelScroll::untilRowsArriveTheirOutlineIsDrawn()
{
    m_broker->appendMany(u"orders"_s, 0, 20'000);
    openPanel();
    m_broker->block(Call::Fetch);
    drag(0.5);
    QTRY_COMPARE(m_broker->blocked(Call::Fetch), 1);
    QCOMPARE(view()->model()->rowCount(), 0);
    const QImage drawn = view()->viewport()->grab().toImage();
    // Something is drawn in every row, down to the last.
    const int height = view()->verticalHeader()->defaultSectionSize();
    for (int row = 0; row < view()->rowsOnScreen(); ++row) {
        bool isBlank = true;
        for (int y = row * height; y < (row + 1) * height && isBlank; ++y) {
            for (int x = 0; x < drawn.width() && isBlank; ++x)
                isBlank = drawn.pixel(x, y) == drawn.pixel(0, 0);
        }
        QVERIFY2(!isBlank, qPrintable(u"row %1 is blank"_s.arg(row)));
    }
    m_broker->release(Call::Fetch);
    QTRY_VERIFY(view()->model()->rowCount() > 0);
    letGo();
}

void tst_RecordPanelScroll::stepsAndWheelScrollTheTable()
{
    SyntheticLog log;
    log.partitions = {{0, 5'000'000'000}};
    openLog(log);
    m_panel->goTo(u"1000000"_s);
    QTRY_COMPARE(currentOffset().remove(QChar(0x202f)), u"1000000"_s);
    QTRY_VERIFY(offsets().value(0) < topOffset() - 100);
    const qint64 top = topOffset();
    bar()->triggerAction(QAbstractSlider::SliderSingleStepAdd);
    QCOMPARE(topOffset(), top + 1);
    QCOMPARE(bar()->place(), top + 1);
    bar()->triggerAction(QAbstractSlider::SliderPageStepSub);
    QVERIFY(topOffset() < top - 5);
    QVERIFY(topOffset() > top - 100);
}

void tst_RecordPanelScroll::aTopicWithoutTimesIsOneLine()
{
    SyntheticLog log;
    log.partitions = {{0, 1'000'000}, {0, 0}, {500, 1'000'500}};
    openLog(log, std::nullopt);
    drag(0.75); // the middle of partition 2
    QVERIFY2(label()->text().startsWith(u"Partition 2, offset "_s), qPrintable(label()->text()));
    const qint64 wanted = bar()->place() - 1'000'000 + 500;
    QTRY_COMPARE(topOffset(), wanted);
    QCOMPARE(column(u"Partition"_s).value(view()->rowAt(0)), u"2"_s);
    letGo();
}

void tst_RecordPanelScroll::aTopicByTimeLeadsToItsTime()
{
    SyntheticLog log;
    log.partitions = {{0, 1'000'000}, {0, 1'000'000}};
    log.firstTimeMs = 1'700'000'000'000;
    openLog(log, std::nullopt);
    drag(0.5);
    QTRY_VERIFY(topOffset() >= 0);
    letGo();
    // Both partitions are there at the same time: rows of equal time alternate.
    QTRY_VERIFY2(qAbs(topOffset() - 500'000) < 60'000, qPrintable(QString::number(topOffset())));
    const int top = view()->rowAt(0);
    QCOMPARE(column(u"Partition"_s).value(top), u"0"_s);
    QCOMPARE(column(u"Partition"_s).value(top + 1), u"1"_s);
    QCOMPARE(column(u"Offset"_s).value(top), column(u"Offset"_s).value(top + 1));
}

void tst_RecordPanelScroll::rowsFilteredHaveTheirOwnBar()
{
    m_broker->appendMany(u"orders"_s, 0, 2'000);
    openPanel();
    QVERIFY(bar()->isVisible());
    QVERIFY(!view()->verticalScrollBar()->isVisible());
    m_panel->setFilter(u"r-"_s);
    QVERIFY(!bar()->isVisible());
    QTRY_VERIFY(view()->verticalScrollBar()->isVisible());
    m_panel->setFilter({});
    QVERIFY(bar()->isVisible());
}

void tst_RecordPanelScroll::theMapSamplesWhatIsNotLoaded()
{
    SyntheticLog log;
    log.partitions = {{0, 5'000'000'000}};
    openLog(log);
    m_panel->setMapShown(true);
    auto *map = m_panel->findChild<PartitionMap *>();
    QTRY_VERIFY(map->height() > 100);
    const QPoint middle(map->width() - 3, map->height() / 2);
    QTRY_VERIFY2(map->toolTipAt(middle).contains(u"256 of at most 256 samples"_s),
                 qPrintable(map->toolTipAt(middle)));
    // All parts of it were looked at.
    int known = 0;
    for (int y = 0; y < map->height(); ++y)
        known += map->toolTipAt({map->width() - 3, y}).contains(u"looked at yet"_s) ? 0 : 1;
    QVERIFY2(known > map->height() / 5, qPrintable(QString::number(known)));
    QVERIFY2(map->toolTipAt(middle).contains(u"offset 2\u202f"_s),
             qPrintable(map->toolTipAt(middle)));
}

void tst_RecordPanelScroll::theMapSaysWhenItIsFilled()
{
    SyntheticLog log;
    log.partitions = {{0, 5'000'000'000}};
    const auto openWithMap = [&](bool isShown) {
        m_panel = std::make_unique<RecordPanel>(log.factory(), SessionConfig());
        m_panel->resize(900, 400);
        m_panel->setMapShown(isShown);
        m_panel->show();
        const QSignalSpy loaded(m_panel.get(), &RecordPanel::loaded);
        QSignalSpy filled(m_panel.get(), &RecordPanel::mapFilled);
        m_panel->open(log.topicInfo(), PartitionId{0});
        QVERIFY(filled.wait());
        QCOMPARE(loaded.count(), 1);
        QCOMPARE(filled.count(), 1);
    };
    openWithMap(true);
    const auto *map = m_panel->findChild<PartitionMap *>();
    int known = 0; // about one line in two: there are more of them than samples
    for (int y = 0; y < map->height(); ++y)
        known += map->toolTipAt({map->width() - 3, y}).contains(u"looked at yet"_s) ? 0 : 1;
    QVERIFY2(known > map->height() / 5, qPrintable(QString::number(known)));
    openWithMap(false);
}

void tst_RecordPanelScroll::theMapOfASmallLogAsksNothing()
{
    m_broker->appendMany(u"orders"_s, 0, 200);
    openPanel();
    const int fetches = m_broker->calls(Call::Fetch);
    m_panel->setMapShown(true);
    m_panel->refresh();
    QTRY_VERIFY(!status().contains(u"Loading"_s));
    QTRY_COMPARE(m_broker->liveSessions(), 1);
    QCOMPARE(m_broker->calls(Call::Fetch), fetches + 1); // the refresh
}

void tst_RecordPanelScroll::clickingTheMapGoesThere()
{
    SyntheticLog log;
    log.partitions = {{0, 5'000'000'000}};
    openLog(log);
    m_panel->setMapShown(true);
    auto *map = m_panel->findChild<PartitionMap *>();
    QTRY_VERIFY(map->height() > 100);
    const QPoint quarter(map->width() - 3, map->height() / 4);
    const auto place = map->placeAt(quarter);
    QTest::mouseClick(map, Qt::LeftButton, {}, quarter);
    QTRY_COMPARE(topOffset(), place->offset.value);
}

QTEST_MAIN(tst_RecordPanelScroll)
#include "tst_recordpanelscroll.moc"
