#include "ui/views/columnlayout.h"

#include <QHeaderView>
#include <QMenu>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>

using namespace topicscope::ui;
using namespace Qt::StringLiterals;

namespace
{

/// A table with four columns, the last one stretched to the right edge.
struct Table {
    Table()
    {
        model.setHorizontalHeaderLabels({u"Offset"_s, u"Size"_s, u"CRC"_s, u"Value & more"_s});
        model.setRowCount(3);
        view.setModel(&model);
        view.horizontalHeader()->setStretchLastSection(true);
        view.resize(900, 200);
        layout = new ColumnLayout(view.horizontalHeader());
        layout->setColumns(columns);
        view.show();
    }

    QHeaderView *header() const { return view.horizontalHeader(); }
    /// Names of what is shown, left to right.
    QStringList shown() const
    {
        QStringList names;
        for (int i = 0; i < header()->count(); ++i) {
            const int section = header()->logicalIndex(i);
            if (!header()->isSectionHidden(section))
                names += columns[size_t(section)].name;
        }
        return names;
    }
    /// Chooses an entry of the menu; false when there is no such one to choose.
    bool choose(const QString &text, int section = -1) const
    {
        QMenu menu;
        layout->fillMenu(&menu, section);
        for (QAction *action : menu.actions()) {
            if (QString(action->text()).remove(QRegularExpression(u"&(?!&)"_s)) == text &&
                action->isEnabled()) {
                action->trigger();
                return true;
            }
        }
        return false;
    }

    std::vector<ColumnLayout::Column> columns{
        {u"offset"_s, 90}, {u"size"_s, 60}, {u"crc"_s, 120}, {u"value"_s, 300}};
    QStandardItemModel model;
    QTableView view;
    ColumnLayout *layout = nullptr;
};

} // namespace

class tst_ColumnLayout : public QObject
{
    Q_OBJECT
private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".?"_s)); }
    void whatTheUserArrangesComesBack();
    void windowSizeIsNotTheUsersDoing();
    void stretchedColumnFitsAndHasItsWidthElsewhere();
    void hidesAndShowsFromTheMenu();
    void lastColumnStays();
    void movesAndSizesFromTheMenu();
    void menuWithoutSectionIsAboutTheCurrentCell();
    void resetGoesBack();
    void absentColumnsKeepTheirPlace();
    void newColumnsStandWhereTheyDoByDefault();
    void nonsenseIsIgnored_data();
    void nonsenseIsIgnored();
};

void tst_ColumnLayout::whatTheUserArrangesComesBack()
{
    QStringList state;
    {
        Table table;
        QSignalSpy changed(table.layout, &ColumnLayout::changed);
        QVERIFY(table.layout->state().isEmpty());
        table.header()->resizeSection(0, 133);
        table.header()->moveSection(2, 0);
        QVERIFY(table.choose(u"Size"_s));
        QCOMPARE(changed.count(), 3);
        state = table.layout->state();
    }
    Table table;
    table.layout->setState(state);
    QCOMPARE(table.shown(), QStringList({u"crc"_s, u"offset"_s, u"value"_s}));
    QCOMPARE(table.header()->sectionSize(0), 133);
    QCOMPARE(table.header()->sectionSize(2), 120);
    QCOMPARE(table.layout->state(), state);
    QVERIFY(table.choose(u"Size"_s));
    QCOMPARE(table.header()->sectionSize(1), 60);
}

void tst_ColumnLayout::windowSizeIsNotTheUsersDoing()
{
    Table table;
    const QSignalSpy changed(table.layout, &ColumnLayout::changed);
    const int before = table.header()->sectionSize(3);
    table.view.resize(1400, 200);
    QTRY_COMPARE(table.header()->sectionSize(3), before + 500);
    QCOMPARE(changed.count(), 0);
    QVERIFY(table.layout->state().isEmpty());
}

void tst_ColumnLayout::stretchedColumnFitsAndHasItsWidthElsewhere()
{
    Table table;
    table.view.resize(400, 200); // 270 for the others, less than its 300 are left
    QTRY_VERIFY(table.header()->length() <= table.view.viewport()->width());
    table.header()->moveSection(3, 0);
    QCOMPARE(table.header()->sectionSize(3), 300);
    QVERIFY(table.choose(u"CRC"_s)); // Size is the last now
    QVERIFY(table.choose(u"CRC"_s));
    QCOMPARE(table.header()->sectionSize(1), 60);
    QCOMPARE(table.layout->state(),
             QStringList({u"value:0"_s, u"offset:0"_s, u"size:0"_s, u"crc:0"_s}));
}

void tst_ColumnLayout::hidesAndShowsFromTheMenu()
{
    Table table;
    QVERIFY(table.choose(u"CRC"_s));
    QCOMPARE(table.shown(), QStringList({u"offset"_s, u"size"_s, u"value"_s}));
    QVERIFY(table.choose(u"Value & more"_s));
    QCOMPARE(table.shown(), QStringList({u"offset"_s, u"size"_s}));
    QVERIFY(table.choose(u"CRC"_s));
    QCOMPARE(table.shown(), QStringList({u"offset"_s, u"size"_s, u"crc"_s}));
}

void tst_ColumnLayout::lastColumnStays()
{
    Table table;
    table.layout->setState({u"-offset:0"_s, u"-size:0"_s, u"-crc:0"_s});
    QCOMPARE(table.shown(), QStringList{u"value"_s});
    QMenu menu;
    table.layout->fillMenu(&menu);
    for (const QAction *action : menu.actions()) {
        if (action->isCheckable() && action->isChecked())
            QVERIFY(!action->isEnabled());
    }
    // Also when a settings file says so.
    table.layout->setState({u"-offset:0"_s, u"-size:0"_s, u"-crc:0"_s, u"-value:0"_s});
    QCOMPARE(table.shown(), QStringList({u"offset"_s, u"size"_s, u"crc"_s, u"value"_s}));
}

void tst_ColumnLayout::movesAndSizesFromTheMenu()
{
    Table table;
    QVERIFY(table.choose(u"Size"_s)); // moving steps over what is hidden
    QVERIFY(table.choose(u"Move Offset Right"_s, 0));
    QCOMPARE(table.shown(), QStringList({u"crc"_s, u"offset"_s, u"value"_s}));
    QVERIFY(table.choose(u"Move Offset Left"_s, 0));
    QCOMPARE(table.shown(), QStringList({u"offset"_s, u"crc"_s, u"value"_s}));
    QVERIFY(!table.choose(u"Move Offset Left"_s, 0));
    QVERIFY(table.choose(u"Widen Offset"_s, 0));
    QCOMPARE(table.header()->sectionSize(0), 110);
    QVERIFY(table.choose(u"Narrow Offset"_s, 0));
    QCOMPARE(table.header()->sectionSize(0), 90);
}

void tst_ColumnLayout::menuWithoutSectionIsAboutTheCurrentCell()
{
    Table table;
    QVERIFY(!table.choose(u"Move CRC Left"_s));
    table.view.setCurrentIndex(table.model.index(1, 2));
    QVERIFY(table.choose(u"Move CRC Left"_s));
    QCOMPARE(table.shown(), QStringList({u"offset"_s, u"crc"_s, u"size"_s, u"value"_s}));
}

void tst_ColumnLayout::resetGoesBack()
{
    Table table;
    QVERIFY(!table.choose(u"Reset Columns"_s)); // nothing to do
    QVERIFY(table.choose(u"Size"_s));
    table.header()->resizeSection(0, 200);
    table.header()->moveSection(3, 0);
    QSignalSpy changed(table.layout, &ColumnLayout::changed);
    QVERIFY(table.choose(u"Reset Columns"_s));
    QCOMPARE(changed.count(), 1);
    QVERIFY(table.layout->state().isEmpty());
    QCOMPARE(table.shown(), QStringList({u"offset"_s, u"size"_s, u"crc"_s, u"value"_s}));
    QCOMPARE(table.header()->sectionSize(0), 90);
    QCOMPARE(table.header()->sectionSize(1), 60);
}

void tst_ColumnLayout::absentColumnsKeepTheirPlace()
{
    Table table;
    table.layout->setState(
        {u"value:250"_s, u"-key:77"_s, u"offset:0"_s, u"time:180"_s, u"size:0"_s, u"crc:0"_s});
    QCOMPARE(table.shown(), QStringList({u"value"_s, u"offset"_s, u"size"_s, u"crc"_s}));
    table.header()->resizeSection(0, 101);
    QCOMPARE(table.layout->state(), QStringList({u"value:250"_s, u"-key:77"_s, u"offset:101"_s,
                                                 u"time:180"_s, u"size:0"_s, u"crc:0"_s}));
}

void tst_ColumnLayout::newColumnsStandWhereTheyDoByDefault()
{
    Table table;
    table.layout->setState(
        {u"crc:0"_s, u"-offset:0"_s, u"value:0"_s}); // of before there was a size
    QCOMPARE(table.shown(), QStringList({u"crc"_s, u"size"_s, u"value"_s}));
}

void tst_ColumnLayout::nonsenseIsIgnored_data()
{
    QTest::addColumn<QStringList>("state");
    QTest::newRow("no entries") << QStringList({u""_s, u":"_s, u"offset"_s, u"offset:-1"_s});
    QTest::newRow("too wide") << QStringList({u"offset:999999999"_s});
    QTest::newRow("unknown") << QStringList({u"nothing:10"_s, u"x y:5"_s});
}

void tst_ColumnLayout::nonsenseIsIgnored()
{
    QFETCH(QStringList, state);
    Table table;
    table.layout->setState(state);
    QCOMPARE(table.shown(), QStringList({u"offset"_s, u"size"_s, u"crc"_s, u"value"_s}));
    QCOMPARE(table.header()->sectionSize(0), 90);
}

QTEST_MAIN(tst_ColumnLayout)
#include "tst_columnlayout.moc"
