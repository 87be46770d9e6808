// Comparing records in the whole window, by its menu and keys.

#include "core/sessionfactory.h"
#include "tests/support/chunks.h"
#include "tests/ui/windowbench.h"
#include "ui/dialogs/comparedialog.h"
#include "ui/models/diffmodel.h"

#include <QAction>
#include <QFile>
#include <QSignalSpy>
#include <QStatusBar>
#include <QToolButton>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

namespace
{

/// One line a row: "left | mark | right".
QStringList rows(const CompareDialog &dialog)
{
    const QAbstractItemModel &model = *dialog.findChild<QTableView *>(u"compareTable"_s)->model();
    QStringList shown;
    for (int row = 0; row < model.rowCount(); ++row) {
        const auto text = [&](int column) { return model.index(row, column).data().toString(); };
        shown << text(DiffModel::Left) + u" |"_s + text(DiffModel::Mark) + u"| "_s +
                     text(DiffModel::Right);
    }
    return shown;
}

QString summary(const CompareDialog &dialog)
{
    return dialog.findChild<QLabel *>(u"compareSummary"_s)->text();
}

Capabilities kafka()
{
    Capabilities capabilities;
    capabilities.keys = true;
    capabilities.timestamps = true;
    capabilities.headers = true;
    return capabilities;
}

} // namespace

class tst_WindowCompare final : public WindowBench
{
    Q_OBJECT
private slots:
    void textIsComparedLineByLine();
    void jsonIsComparedWhateverTheOrderOfMembers();
    void bytesAndHeadersAreCompared();
    void whatDiffersInALongLineIsInSight();
    void differencesAreWalkedThroughByKey();
    void nullIsNoText();
    void twoSelectedRowsAreCompared();
    void aMarkedRecordIsComparedWithOneOfAnotherTab();
    void thePreviousRecordOfAKeyIsLookedFor();

private:
    void open(const std::vector<Place> &places, const SessionConfig &config = {});
    CompareDialog *dialog() const
    {
        return m_window->findChild<CompareDialog *>(u"compareDialog"_s);
    }
};

void tst_WindowCompare::textIsComparedLineByLine()
{
    const auto chunk = chunkOf(0, 5, {"one\ntwo\nthree", "one\n2\nthree\nfour"});
    CompareDialog dialog({chunk, 0}, {chunk, 1});
    dialog.show();
    QTRY_COMPARE(summary(dialog), u"Difference 1 of 1"_s);
    QCOMPARE(rows(dialog), QStringList({u"one␊ || one␊"_s, u"two␊ |≠| 2␊"_s, u"three |≠| three␊"_s,
                                        u" |+| four"_s}));
    QVERIFY(dialog.findChild<QLabel *>(u"compareLeft"_s)->text().contains(u"offset 5"_s));
    QVERIFY(dialog.findChild<QLabel *>(u"compareRight"_s)->text().contains(u"offset 6"_s));
}

void tst_WindowCompare::jsonIsComparedWhateverTheOrderOfMembers()
{
    const auto chunk = chunkOf(0, 0, {R"({"a":1,"b":[1,2]})", R"({"b":[1,2],"a":1.0})", "text"});
    CompareDialog dialog({chunk, 0}, {chunk, 1});
    dialog.setPage(CompareDialog::Page::Json);
    dialog.show();
    QTRY_COMPARE(summary(dialog), u"Difference 1 of 1"_s);
    QCOMPARE(rows(dialog), QStringList({u"{ || {"_s, u"  \"a\": 1, |≠|   \"a\": 1.0,"_s,
                                        u"  \"b\": [ ||   \"b\": ["_s, u"    1, ||     1,"_s,
                                        u"    2 ||     2"_s, u"  ] ||   ]"_s, u"} || }"_s}));
    CompareDialog same({chunk, 0}, {chunk, 0});
    same.setPage(CompareDialog::Page::Json);
    QTRY_COMPARE(summary(same), u"No differences"_s);
    CompareDialog none({chunk, 0}, {chunk, 2});
    none.setPage(CompareDialog::Page::Json);
    none.show();
    const auto *note = none.findChild<QLabel *>(u"compareNote"_s);
    QTRY_VERIFY(note->isVisible());
    QVERIFY2(note->text().startsWith(u"Right: no JSON that can be sorted: "_s),
             qPrintable(note->text()));
}

void tst_WindowCompare::bytesAndHeadersAreCompared()
{
    const auto chunk = fullChunkOf(
        7, {{"k", {{"trace", "1"}, {"tenant", std::nullopt}}, QByteArray("\0\1\2", 3), 0},
            {"k", {{"tenant", std::nullopt}, {"trace", "1"}}, QByteArray("\0\xff\2", 3), 0}});
    CompareDialog dialog({chunk, 0, kafka()}, {chunk, 1, kafka()});
    dialog.setPage(CompareDialog::Page::Bytes);
    dialog.show();
    QTRY_COMPARE(rows(dialog).size(), 1);
    QVERIFY2(rows(dialog)[0].startsWith(u"00000000  00 01 02 "_s), qPrintable(rows(dialog)[0]));
    QVERIFY(rows(dialog)[0].contains(u"|≠| 00000000  00 ff 02 "_s));
    dialog.setPage(CompareDialog::Page::Headers);
    QTRY_COMPARE(rows(dialog), QStringList({u"\"trace\": \"1\" |−| "_s,
                                            u"\"tenant\": ‹null› || \"tenant\": ‹null›"_s,
                                            u" |+| \"trace\": \"1\""_s}));
    dialog.setPage(CompareDialog::Page::Text);
    dialog.findChild<QToolButton *>(u"compareKey"_s)->click();
    QTRY_COMPARE(rows(dialog), QStringList{u"k || k"_s});
}

void tst_WindowCompare::whatDiffersInALongLineIsInSight()
{
    const QByteArray begin(1'000'000, 'x');
    const auto chunk = chunkOf(0, 0, {begin + "one" + begin, begin + "two" + begin});
    CompareDialog dialog({chunk, 0}, {chunk, 1});
    dialog.show();
    QTRY_COMPARE(rows(dialog).size(), 1);
    const QAbstractItemModel &model = *dialog.findChild<QTableView *>(u"compareTable"_s)->model();
    const QModelIndex left = model.index(0, DiffModel::Left);
    const QString text = left.data().toString();
    QVERIFY(text.size() < 500);
    QCOMPARE(text.sliced(left.data(DiffModel::DifferentBeginRole).toInt(),
                         left.data(DiffModel::DifferentSizeRole).toInt()),
             u"one"_s);
}

void tst_WindowCompare::differencesAreWalkedThroughByKey()
{
    const auto chunk = chunkOf(0, 0, {"a\n1\nb\n2\nc\n3", "a\nx\nb\ny\nc\nz"});
    CompareDialog dialog({chunk, 0}, {chunk, 1});
    dialog.show();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    QTRY_COMPARE(summary(dialog), u"Difference 1 of 3"_s);
    const auto *table = dialog.findChild<QTableView *>(u"compareTable"_s);
    QList<int> places;
    for (const Qt::KeyboardModifier with : {Qt::NoModifier, Qt::NoModifier, Qt::ShiftModifier}) {
        QTest::keyClick(&dialog, Qt::Key_F8, with);
        places << table->currentIndex().row();
    }
    QCOMPARE(places, QList<int>({3, 5, 3}));
    QCOMPARE(summary(dialog), u"Difference 2 of 3"_s);
    QTest::keyClick(&dialog, Qt::Key_F8);
    QVERIFY(!dialog.findChild<QToolButton *>(u"nextDifference"_s)->isEnabled());
}

void tst_WindowCompare::nullIsNoText()
{
    const auto chunk =
        fullChunkOf(0, {{"k", {}, std::nullopt, 0}, {"k", {}, "", 0}, {"k", {}, "null", 0}});
    CompareDialog dialog({chunk, 0, kafka()}, {chunk, 2, kafka()});
    QTRY_COMPARE(rows(dialog), QStringList{u"‹null› |≠| null"_s});
    CompareDialog empty({chunk, 0, kafka()}, {chunk, 1, kafka()});
    QTRY_COMPARE(rows(empty), QStringList{u"‹null› |−| "_s});
}

void tst_WindowCompare::open(const std::vector<Place> &places, const SessionConfig &config)
{
    QSignalSpy opened(m_window.get(), &MainWindow::placeOpened);
    m_window->connectTo(config, places);
    while (opened.count() < int(places.size()))
        QVERIFY(opened.wait());
}

void tst_WindowCompare::twoSelectedRowsAreCompared()
{
    m_broker.addTopic(u"orders"_s, 1);
    m_broker.appendMany(u"orders"_s, 0, 5);
    showWindow();
    open({{{}, u"orders"_s, PartitionId{0}, Offset{0}}});
    auto *table = child<QTableView>(u"recordTable"_s);
    QTRY_COMPARE(table->model()->rowCount(), 5);
    table->selectRow(1);
    child<QAction>(u"compareAction"_s)->trigger();
    QVERIFY(!dialog()); // one is no two
    table->selectionModel()->select(table->model()->index(3, 0),
                                    QItemSelectionModel::Select | QItemSelectionModel::Rows);
    child<QAction>(u"compareAction"_s)->trigger();
    QVERIFY(dialog());
    QTRY_COMPARE(rows(*dialog()), QStringList{u"r-1 |≠| r-3"_s});
}

void tst_WindowCompare::aMarkedRecordIsComparedWithOneOfAnotherTab()
{
    m_broker.addTopic(u"orders"_s, 2);
    m_broker.appendMany(u"orders"_s, 0, 3, "a-");
    m_broker.appendMany(u"orders"_s, 1, 3, "b-");
    showWindow();
    open({{{}, u"orders"_s, PartitionId{0}, Offset{1}}});
    child<QAction>(u"compareMarkedAction"_s)->trigger();
    QVERIFY(!dialog()); // nothing is marked yet
    child<QAction>(u"markForComparisonAction"_s)->trigger();
    open({{{}, u"orders"_s, PartitionId{1}, Offset{2}}});
    child<QAction>(u"compareMarkedAction"_s)->trigger();
    QVERIFY(dialog());
    QTRY_COMPARE(rows(*dialog()), QStringList{u"a-1 |≠| b-2"_s});
}

/// In a file, as docs/export.md has it: its records have keys.
void tst_WindowCompare::thePreviousRecordOfAKeyIsLookedFor()
{
    constexpr int kRecords = 3'000;
    QTemporaryDir dir;
    QFile file(dir.filePath(u"records.ndjson"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"type":"export","format":"topicscope-records","version":1,"source":"test",)"
               R"("capabilities":{"keys":true,"timestamps":true,"headers":true,)"
               R"("recordChecksums":false,"emptyValues":true,"nullValues":true}})"
               "\n");
    const QByteArray count = QByteArray::number(kRecords);
    file.write(R"({"type":"partition","topic":"orders","partition":0,"from":0,"to":)" + count +
               R"(,"logStart":0,"highWatermark":)" + count + "}\n");
    const QByteArray filling(2'000, 'x');
    for (int offset = 0; offset < kRecords; ++offset) {
        const QByteArray key = offset == 3 || offset >= kRecords - 2 ? "wanted"
                               : offset == kRecords - 3              ? "once"
                                                                     : "other";
        const QByteArray value = "v" + QByteArray::number(offset) + "\\n" + filling;
        file.write(R"({"type":"record","topic":"orders","partition":0,"offset":)" +
                   QByteArray::number(offset) + R"(,"size":)" +
                   QByteArray::number(value.size() - 1) +
                   R"(,"timestamp":null,"key":{"encoding":"utf-8","data":")" + key +
                   R"("},"headers":[],"value":{"encoding":"utf-8","data":")" + value + "\"}}\n");
    }
    file.write(R"({"type":"partition-end","topic":"orders","partition":0,"from":0,"to":)" + count +
               R"(,"records":)" + count + R"(,"withoutRecord":0,"complete":true})" +
               "\n"
               R"({"type":"export-end","records":)" +
               count + R"(,"complete":true})" + "\n");
    file.close();

    showWindow(defaultSessionFactory());
    SessionConfig config;
    QVERIFY(config.setBroker(u"file:"_s + file.fileName()));
    open({{{}, u"orders"_s, PartitionId{0}, Offset{kRecords - 1}}}, config);
    const auto compared = [this] {
        const QStringList all = rows(*dialog());
        return all.isEmpty() ? QString() : all.first();
    };
    auto *records = panel();
    const auto compareFrom = [&](qint64 offset) {
        delete dialog();
        records->goToOffset({u"orders"_s, PartitionId{0}}, Offset{offset});
        QTRY_VERIFY(records->comparedRecord().chunk &&
                    records->comparedRecord().record().offset == Offset{offset});
        child<QAction>(u"comparePreviousAction"_s)->trigger();
    };
    // Near, and far before what is held.
    compareFrom(kRecords - 1);
    QTRY_VERIFY_WITH_TIMEOUT(dialog(), 20'000);
    QTRY_COMPARE(compared(), u"v2998␊ |≠| v2999␊"_s);
    compareFrom(kRecords - 2);
    QVERIFY(!dialog());
    QTRY_VERIFY_WITH_TIMEOUT(dialog(), 20'000);
    QTRY_COMPARE(compared(), u"v3␊ |≠| v2998␊"_s);
    // Nowhere.
    compareFrom(kRecords - 3);
    const auto *status = child<QLabel>(u"recordStatus"_s);
    QTRY_VERIFY_WITH_TIMEOUT(status->text().startsWith(u"No earlier record with this key in "_s),
                             20'000);
    QVERIFY(!dialog());
}

QTEST_MAIN(tst_WindowCompare)
#include "tst_windowcompare.moc"
