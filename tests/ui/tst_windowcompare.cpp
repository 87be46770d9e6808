// Comparing records in the whole window, by its menu and keys.

#include "core/profiles/connectionstore.h"
#include "core/sessionfactory.h"
#include "tests/support/chunks.h"
#include "tests/support/fakesession.h"
#include "ui/dialogs/comparedialog.h"
#include "ui/mainwindow.h"
#include "ui/models/diffmodel.h"
#include "ui/panels/recordpanel.h"

#include <QAction>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
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

class tst_WindowCompare final : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
    }

    void textIsComparedLineByLine();
    void jsonIsComparedWhateverTheOrderOfMembers();
    void bytesAndHeadersAreCompared();
    void whatDiffersInALongLineIsInSight();
    void differencesAreWalkedThroughByKey();
    void nullIsNoText();
    void twoSelectedRowsAreCompared();
    void aMarkedRecordIsComparedWithOneOfAnotherTab();
    void thePreviousRecordOfAKeyIsLookedFor();
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

namespace
{

/// The window on a broker in memory, with a partition open.
struct Window {
    explicit Window(const SessionFactory &factory)
        : settings(dir.filePath(u"window.ini"_s))
        , store(dir.filePath(u"connections.ini"_s))
        , window(factory, &settings, &store)
    {
        window.resize(1280, 800);
        window.show();
    }
    void open(const std::vector<Place> &places, const SessionConfig &config = {})
    {
        QSignalSpy opened(&window, &MainWindow::placeOpened);
        window.connectTo(config, places);
        while (opened.count() < int(places.size()))
            QVERIFY(opened.wait());
    }
    QAction *action(const QString &name) const { return window.findChild<QAction *>(name); }
    CompareDialog *dialog() const { return window.findChild<CompareDialog *>(u"compareDialog"_s); }

    QTemporaryDir dir;
    UiSettings settings;
    ConnectionStore store;
    MainWindow window;
};

} // namespace

void tst_WindowCompare::twoSelectedRowsAreCompared()
{
    FakeBroker broker;
    broker.addTopic(u"orders"_s, 1);
    broker.appendMany(u"orders"_s, 0, 5);
    Window bench(broker.factory());
    bench.open({{{}, u"orders"_s, PartitionId{0}, Offset{0}}});
    auto *table = bench.window.findChild<QTableView *>(u"recordTable"_s);
    QTRY_COMPARE(table->model()->rowCount(), 5);
    table->selectRow(1);
    bench.action(u"compareAction"_s)->trigger();
    QVERIFY(!bench.dialog()); // one is no two
    table->selectionModel()->select(table->model()->index(3, 0),
                                    QItemSelectionModel::Select | QItemSelectionModel::Rows);
    bench.action(u"compareAction"_s)->trigger();
    QVERIFY(bench.dialog());
    QTRY_COMPARE(rows(*bench.dialog()), QStringList{u"r-1 |≠| r-3"_s});
}

void tst_WindowCompare::aMarkedRecordIsComparedWithOneOfAnotherTab()
{
    FakeBroker broker;
    broker.addTopic(u"orders"_s, 2);
    broker.appendMany(u"orders"_s, 0, 3, "a-");
    broker.appendMany(u"orders"_s, 1, 3, "b-");
    Window bench(broker.factory());
    bench.open({{{}, u"orders"_s, PartitionId{0}, Offset{1}}});
    bench.action(u"compareMarkedAction"_s)->trigger();
    QVERIFY(!bench.dialog()); // nothing is marked yet
    bench.action(u"markForComparisonAction"_s)->trigger();
    bench.open({{{}, u"orders"_s, PartitionId{1}, Offset{2}}});
    bench.action(u"compareMarkedAction"_s)->trigger();
    QVERIFY(bench.dialog());
    QTRY_COMPARE(rows(*bench.dialog()), QStringList{u"a-1 |≠| b-2"_s});
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

    Window bench(defaultSessionFactory());
    SessionConfig config;
    QVERIFY(config.setBroker(u"file:"_s + file.fileName()));
    bench.open({{{}, u"orders"_s, PartitionId{0}, Offset{kRecords - 1}}}, config);
    const auto compared = [&bench] {
        const QStringList all = rows(*bench.dialog());
        return all.isEmpty() ? QString() : all.first();
    };
    auto *panel = bench.window.findChild<RecordPanel *>();
    const auto compareFrom = [&](qint64 offset) {
        delete bench.dialog();
        panel->goToOffset({u"orders"_s, PartitionId{0}}, Offset{offset});
        QTRY_VERIFY(panel->comparedRecord().chunk &&
                    panel->comparedRecord().record().offset == Offset{offset});
        bench.action(u"comparePreviousAction"_s)->trigger();
    };
    // Near, and far before what is held.
    compareFrom(kRecords - 1);
    QTRY_VERIFY_WITH_TIMEOUT(bench.dialog(), 20'000);
    QTRY_COMPARE(compared(), u"v2998␊ |≠| v2999␊"_s);
    compareFrom(kRecords - 2);
    QVERIFY(!bench.dialog());
    QTRY_VERIFY_WITH_TIMEOUT(bench.dialog(), 20'000);
    QTRY_COMPARE(compared(), u"v3␊ |≠| v2998␊"_s);
    // Nowhere.
    compareFrom(kRecords - 3);
    const auto *status = bench.window.findChild<QLabel *>(u"recordStatus"_s);
    QTRY_VERIFY_WITH_TIMEOUT(status->text().startsWith(u"No earlier record with this key in "_s),
                             20'000);
    QVERIFY(!bench.dialog());
}

QTEST_MAIN(tst_WindowCompare)
#include "tst_windowcompare.moc"
