// Records out into files and back in, through the window. What is in a file is read by hand here,
// not by the program's own reader.

#include "tests/ui/filesbench.h"
#include "ui/dialogs/connectdialog.h"
#include "ui/dialogs/exportdialog.h"
#include "ui/views/banner.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

class tst_WindowFiles final : public FilesBench
{
    Q_OBJECT
private slots:
    void selectedRowsAreExported();
    void aRangeWithAFilter();
    void whatIsWrongIsSaidAsItIsTyped();
    void nothingIsReplacedUnasked();
    void stoppedTellsOfTheUnfinishedFile();
    void closedWhileItRuns();
    void hitsAreExported();
    void selectedHitsAreExported();
    void hitsThatAreGoneAreSaid();
    void hitsThatWereNotKeptAreSaid();
    void aFileIsOpenedLikeABroker();
    void anExportIsOpenedAgain();
    void aDamagedFileSaysSo();
    void theConnectDialogTakesFiles();
    void theTablesMenuHasEachLetterOnce();

private:
    RecordPanel *panelOf(const QString &topic);
    QStringList column(const RecordPanel *panel, const QString &title) const;
    ExportDialog *exportDialog();
    ExportDialog *lastExportDialog() const
    {
        return m_window->findChildren<ExportDialog *>().constLast();
    }
    /// All partitions of a topic with three of them, which is open then.
    void searchEvents(const QString &expression, const QString &outcome);
    void exportTo(const ExportDialog *dialog, const QString &name) const
    {
        auto *edit = child<QLineEdit>(dialog, u"pathEdit"_s);
        edit->setText(path(name));
        QTest::keyClick(edit, Qt::Key_Return);
    }
    using FilesBench::choose;
    static void choose(const ExportDialog *dialog, const QString &beginning)
    {
        choose(dialog, u"whatBox"_s, beginning);
    }
    QList<QJsonObject> lines(const QString &name) const
    {
        QFile file(path(name));
        QList<QJsonObject> lines;
        if (file.open(QIODevice::ReadOnly)) {
            for (const QByteArray &line : file.readAll().split('\n')) {
                if (!line.isEmpty())
                    lines += QJsonDocument::fromJson(line).object();
            }
        }
        return lines;
    }
    QList<qint64> offsets(const QString &name) const
    {
        QList<qint64> offsets;
        for (const QJsonObject &line : lines(name)) {
            if (line[u"type"_s] == u"record"_s)
                offsets += line[u"offset"_s].toInteger();
        }
        return offsets;
    }
};

ExportDialog *tst_WindowFiles::exportDialog()
{
    child<QAction>(u"exportAction"_s)->trigger();
    return lastExportDialog(); // one closed may still be there
}

void tst_WindowFiles::searchEvents(const QString &expression, const QString &outcome)
{
    m_broker.addTopic(u"events"_s, 3);
    for (qint32 partition = 0; partition < 3; ++partition)
        m_broker.appendMany(u"events"_s, partition, 100);
    m_broker.append(u"events"_s, 2, "a \"needle\"");
    open({}, u"events"_s);
    QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    auto *edit = child<QLineEdit>(u"searchExpression"_s);
    QTest::keyClicks(edit, expression);
    QTest::keyClick(edit, Qt::Key_Return);
    QTRY_COMPARE(child<QLabel>(u"searchStatus"_s)->text(), outcome);
}

void tst_WindowFiles::selectedRowsAreExported()
{
    open({}, u"orders"_s);
    auto *table = child<QTableView>(u"recordTable"_s);
    const QAbstractItemModel &model = *table->model();
    table->clearSelection();
    QList<qint64> wanted;
    for (const int row : {3, 4, 10}) {
        table->selectionModel()->select(model.index(row, 0),
                                        QItemSelectionModel::Select | QItemSelectionModel::Rows);
        wanted += model.index(row, 0).data().toString().toLongLong();
    }
    const ExportDialog *dialog = exportDialog();
    QCOMPARE(child<QComboBox>(dialog, u"whatBox"_s)->currentText(), u"Selected rows: 3 offsets"_s);
    child<QLineEdit>(dialog, u"pathEdit"_s)->setText(path(u"selected.ndjson"_s));
    QTest::keyClick(child<QLineEdit>(dialog, u"pathEdit"_s), Qt::Key_Return);
    QTRY_VERIFY2(status(dialog).contains(u"records: 3, offsets without a record: 5; that is each "
                                         "of 8 offsets"_s),
                 qPrintable(status(dialog)));
    QCOMPARE(offsets(u"selected.ndjson"_s), wanted);
    QVERIFY(lines(u"selected.ndjson"_s).constLast()[u"complete"_s].toBool());
    QVERIFY(!QFile::exists(path(u"selected.ndjson.part"_s)));
}

void tst_WindowFiles::aRangeWithAFilter()
{
    open({}, u"orders"_s);
    const ExportDialog *dialog = exportDialog();
    // One selected row is where one looks, not what is wanted.
    QCOMPARE(child<QComboBox>(dialog, u"whatBox"_s)->currentText(), u"All of orders / 0"_s);
    choose(dialog, u"A range"_s);
    child<QLineEdit>(dialog, u"fromEdit"_s)->setText(u"-60"_s);
    child<QLineEdit>(dialog, u"toEdit"_s)->setText(u"end"_s);
    child<QLineEdit>(dialog, u"filterEdit"_s)->setText(u"value == r-41 or value == r-7"_s);
    child<QLineEdit>(dialog, u"pathEdit"_s)->setText(path(u"range.ndjson"_s));
    child<QPushButton>(dialog, u"exportButton"_s)->click();
    QTRY_VERIFY2(status(dialog).contains(u"records: 1, offsets without a record: 59; that is each "
                                         "of 60 offsets"_s),
                 qPrintable(status(dialog)));
    QCOMPARE(offsets(u"range.ndjson"_s), QList<qint64>{41});
}

void tst_WindowFiles::whatIsWrongIsSaidAsItIsTyped()
{
    open({}, u"orders"_s);
    const ExportDialog *dialog = exportDialog();
    auto *filter = child<QLineEdit>(dialog, u"filterEdit"_s);
    auto *button = child<QPushButton>(dialog, u"exportButton"_s);
    QVERIFY(button->isEnabled());
    QTest::keyClicks(filter, u"value =="_s);
    QVERIFY(!button->isEnabled());
    QVERIFY2(status(dialog).startsWith(u"Filter: Column 9: "_s), qPrintable(status(dialog)));
    QTest::keyClicks(filter, u" x"_s);
    QVERIFY(button->isEnabled());
    QCOMPARE(status(dialog), QString());
    choose(dialog, u"A range"_s);
    child<QLineEdit>(dialog, u"fromEdit"_s)->setText(u"14:05"_s); // there are no times here
    QVERIFY(!button->isEnabled());
    QVERIFY(status(dialog).startsWith(u"An offset, start, end"_s));
    child<QLineEdit>(dialog, u"fromEdit"_s)->clear();
    child<QLineEdit>(dialog, u"pathEdit"_s)->setText(path(u"no/such/x"_s));
    QTRY_VERIFY(!button->isEnabled());
    QVERIFY(status(dialog).startsWith(u"There is no folder"_s));
}

void tst_WindowFiles::nothingIsReplacedUnasked()
{
    QFile file(path(u"mine"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("mine");
    file.close();
    open({}, u"orders"_s);
    const ExportDialog *dialog = exportDialog();
    child<QLineEdit>(dialog, u"pathEdit"_s)->setText(path(u"mine"_s));
    auto *button = child<QPushButton>(dialog, u"exportButton"_s);
    QTRY_VERIFY(!button->isEnabled());
    QVERIFY(status(dialog).contains(u"is there already"_s));
    auto *replace = child<QCheckBox>(dialog, u"replaceCheck"_s);
    QVERIFY(replace->isVisible());
    replace->click();
    QVERIFY(button->isEnabled());
    button->click();
    QTRY_VERIFY(status(dialog).contains(u"records: 100,"_s));
    QCOMPARE(offsets(u"mine"_s).size(), 100);

    // Nor what turned up after the name was typed.
    replace->click();
    child<QLineEdit>(dialog, u"pathEdit"_s)->setText(path(u"later"_s));
    QTRY_VERIFY(!replace->isVisible());
    QVERIFY(button->isEnabled());
    file.setFileName(path(u"later"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("mine");
    file.close();
    button->click();
    QTRY_VERIFY(!button->isEnabled());
    QVERIFY(status(dialog).contains(u"is there already"_s));
    QVERIFY(replace->isVisible());
    QCOMPARE(file.size(), 4);
}

void tst_WindowFiles::stoppedTellsOfTheUnfinishedFile()
{
    open({}, u"orders"_s);
    const ExportDialog *dialog = exportDialog();
    child<QLineEdit>(dialog, u"pathEdit"_s)->setText(path(u"stopped.ndjson"_s));
    auto *button = child<QPushButton>(dialog, u"exportButton"_s);
    m_broker.block(Call::Fetch);
    button->click();
    QTRY_VERIFY(m_broker.blocked(Call::Fetch) > 0);
    QCOMPARE(button->text(), u"&Stop"_s);
    button->click();
    QTRY_VERIFY2(status(dialog).startsWith(u"Stopped. Not finished: "_s),
                 qPrintable(status(dialog)));
    QVERIFY(status(dialog).contains(path(u"stopped.ndjson.part"_s)));
    QVERIFY(QFile::exists(path(u"stopped.ndjson.part"_s)));
    QVERIFY(!QFile::exists(path(u"stopped.ndjson"_s)));
    QVERIFY(!lines(u"stopped.ndjson.part"_s).constLast()[u"complete"_s].toBool(true));
    m_broker.release(Call::Fetch);
}

void tst_WindowFiles::closedWhileItRuns()
{
    open({}, u"orders"_s);
    auto *dialog = exportDialog();
    child<QLineEdit>(dialog, u"pathEdit"_s)->setText(path(u"closed.ndjson"_s));
    m_broker.block(Call::Fetch);
    child<QPushButton>(dialog, u"exportButton"_s)->click();
    QTRY_VERIFY(m_broker.blocked(Call::Fetch) > 0);
    QTest::keyClick(dialog, Qt::Key_Escape);
    QVERIFY(dialog->isVisible()); // it has to tell what became of it
    QTRY_VERIFY(status(dialog).startsWith(u"Stopped."_s));
    QTest::keyClick(dialog, Qt::Key_Escape);
    QVERIFY(!dialog->isVisible());

    dialog = exportDialog();
    child<QLineEdit>(dialog, u"pathEdit"_s)->setText(path(u"again.ndjson"_s));
    child<QPushButton>(dialog, u"exportButton"_s)->click();
    QTRY_VERIFY(m_broker.blocked(Call::Fetch) > 0);
    m_window.reset(); // in the midst of it
    m_broker.release(Call::Fetch);
}

void tst_WindowFiles::hitsAreExported()
{
    auto *action = child<QAction>(u"exportHitsAction"_s);
    auto *button = child<QToolButton>(u"exportHitsButton"_s);
    QVERIFY(!action->isEnabled());
    QVERIFY(!button->isEnabled());
    searchEvents(u"r-42 or needle"_s,
                 u"events: 4 hits: all 301 offsets of 3 partitions were searched."_s);
    QVERIFY(action->isEnabled());
    QTest::keyClick(button, Qt::Key_Space);
    const ExportDialog *dialog = lastExportDialog();
    const auto *what = child<QComboBox>(dialog, u"whatBox"_s);
    QCOMPARE(what->currentText(), u"All hits found: 4"_s);
    QCOMPARE(what->count(), 1);
    QVERIFY(child<QLineEdit>(dialog, u"pathEdit"_s)->text().endsWith(u"events-hits.ndjson"_s));
    exportTo(dialog, u"hits.ndjson"_s);
    QTRY_VERIFY2(status(dialog).endsWith(u"records: 4, offsets without a record: 57; that is each "
                                         "of 61 offsets."_s),
                 qPrintable(status(dialog)));
    QStringList told;
    for (const QJsonObject &line : lines(u"hits.ndjson"_s)) {
        const QString at = QString::number(line[u"offset"_s].toInteger());
        const QString partition = QString::number(line[u"partition"_s].toInteger());
        if (line[u"type"_s] == u"record"_s)
            told += partition + u'/' + at + u": "_s + line[u"value"_s][u"data"_s].toString();
        if (line[u"type"_s] == u"filtered"_s)
            told += u"%1/%2-%3"_s.arg(partition, at).arg(line[u"end"_s].toInteger());
    }
    QCOMPARE(told, (QStringList{u"0/42: r-42"_s, u"1/42: r-42"_s, u"2/42: r-42"_s, u"2/43-100"_s,
                                u"2/100: a \"needle\""_s}));
    QVERIFY(lines(u"hits.ndjson"_s).constLast()[u"complete"_s].toBool());
}

void tst_WindowFiles::selectedHitsAreExported()
{
    searchEvents(u"r-42 or needle"_s,
                 u"events: 4 hits: all 301 offsets of 3 partitions were searched."_s);
    auto *table = child<QTableView>(u"hitTable"_s);
    table->setFocus();
    table->setCurrentIndex(table->model()->index(2, 0));
    QTest::keyClick(table, Qt::Key_Down, Qt::ShiftModifier);
    QTest::keyClick(m_window.get(), Qt::Key_H, Qt::ControlModifier | Qt::ShiftModifier);
    const ExportDialog *dialog = lastExportDialog();
    const auto *what = child<QComboBox>(dialog, u"whatBox"_s);
    QCOMPARE(what->currentText(), u"Selected hits: 2"_s);
    QCOMPARE(what->itemText(1), u"All hits found: 4"_s);
    choose(dialog, u"formatBox"_s, u"CSV"_s);
    exportTo(dialog, u"hits.csv"_s);
    QTRY_VERIFY2(status(dialog).contains(u"records: 2, "_s), qPrintable(status(dialog)));
    QFile file(path(u"hits.csv"_s));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArrayList records;
    for (const QByteArray &line : file.readAll().split('\n')) {
        if (line.startsWith("record,"))
            records += line.left(line.indexOf(",utf-8"));
    }
    QCOMPARE(records, (QByteArrayList{R"(record,"events",2,42,43,,,,,null,,"r-42")",
                                      R"(record,"events",2,100,101,,,,,null,,"a ""needle""")"}));

    // One is what is looked at, not what was chosen; it is offered.
    table->setCurrentIndex(table->model()->index(0, 0));
    auto *action = child<QAction>(u"exportFoundAction"_s);
    QVERIFY(table->actions().contains(action));
    action->trigger();
    QCOMPARE(child<QComboBox>(lastExportDialog(), u"whatBox"_s)->currentText(),
             u"All hits found: 4"_s);
}

void tst_WindowFiles::hitsThatAreGoneAreSaid()
{
    searchEvents(u"r-42 or r-43 or needle"_s,
                 u"events: 7 hits: all 301 offsets of 3 partitions were searched."_s);
    m_broker.setLogStart(u"events"_s, 1, Offset{43});
    m_broker.truncate(u"events"_s, 2, Offset{100});
    child<QAction>(u"exportHitsAction"_s)->trigger();
    const ExportDialog *dialog = lastExportDialog();
    exportTo(dialog, u"gone.ndjson"_s);
    QTRY_VERIFY2(status(dialog).contains(u"records: 5, "_s), qPrintable(status(dialog)));
    QVERIFY2(
        status(dialog).contains(u" Hits without a record by now: 2; each is noted in the file."_s),
        qPrintable(status(dialog)));
    QCOMPARE(offsets(u"gone.ndjson"_s), (QList<qint64>{42, 43, 43, 42, 43}));
    const QList<QJsonObject> told = lines(u"gone.ndjson"_s);
    const auto isTold = [&](const QString &type, int partition, qint64 offset) {
        return std::ranges::any_of(told, [&](const QJsonObject &line) {
            return line[u"type"_s] == type && line[u"partition"_s] == partition &&
                   line[u"offset"_s] == offset && line[u"end"_s] == offset + 1;
        });
    };
    QVERIFY(isTold(u"gap"_s, 1, 42));
    QVERIFY(isTold(u"missing"_s, 2, 100));

    choose(dialog, u"formatBox"_s, u"JSON as kcat"_s);
    exportTo(dialog, u"gone.json"_s);
    QTRY_VERIFY2(status(dialog).contains(u" Hits without a record by now: 2; this format has no "
                                         "place to say which."_s),
                 qPrintable(status(dialog)));
}

void tst_WindowFiles::hitsThatWereNotKeptAreSaid()
{
    ExportSubject subject;
    subject.title = subject.topic = u"events"_s;
    subject.shown[{u"events"_s, PartitionId{0}}] = {{Offset{1}, Offset{3}}};
    subject.found = 12'345;
    const ExportDialog dialog(m_broker.factory(), subject);
    QCOMPARE(child<QComboBox>(&dialog, u"whatBox"_s)->currentText().remove(QChar(0x202f)),
             u"The first 2 of 12345 hits found"_s);
    QCOMPARE(dialog.windowTitle(), u"Export Hits in events"_s);
}

RecordPanel *tst_WindowFiles::panelOf(const QString &topic)
{
    RecordPanel *found = nullptr;
    const auto look = [&] {
        for (RecordPanel *panel : m_window->findChildren<RecordPanel *>()) {
            if (panel->topic() == topic && panel->isLoaded())
                found = panel;
        }
        return found != nullptr;
    };
    if (!QTest::qWaitFor(look))
        qFatal("no panel");
    return found;
}

QStringList tst_WindowFiles::column(const RecordPanel *panel, const QString &title) const
{
    const QAbstractItemModel &model = *child<QTableView>(panel, u"recordTable"_s)->model();
    QStringList texts;
    for (int section = 0; section < model.columnCount(); ++section) {
        for (int row = 0; row < model.rowCount(); ++row) {
            if (model.headerData(section, Qt::Horizontal).toString() == title)
                texts << model.index(row, section).data().toString();
        }
    }
    return texts;
}

void tst_WindowFiles::aFileIsOpenedLikeABroker()
{
    const QString path = written(
        R"({"type":"export","format":"topicscope-records","version":1,"source":"x",)"
        R"("capabilities":{"keys":true,"nullValues":true}})"
        "\n"
        R"({"type":"record","topic":"kept","partition":0,"offset":7,"key":{"encoding":"utf-8",)"
        R"("data":"k7"},"value":{"encoding":"utf-8","data":"v7"}})"
        "\n"
        R"({"type":"record","topic":"kept","partition":0,"offset":8,"key":null,"value":null})"
        "\n"
        R"({"type":"export-end","records":2,"complete":true})"
        "\n");
    child<QAction>(u"openRecordFileAction"_s)->trigger();
    auto *chooser = child<QFileDialog>(u"recordFileChooser"_s);
    emit chooser->fileSelected(path);
    chooser->reject();
    const RecordPanel *panel = panelOf(u"kept"_s);
    QTRY_COMPARE(column(panel, u"Offset"_s), QStringList({u"7"_s, u"8"_s}));
    QCOMPARE(column(panel, u"Key"_s).value(0), u"k7"_s);
    QVERIFY(!child<Banner>(panel, u"recordBanner"_s)->isVisible());
    QVERIFY(m_window->windowTitle().contains(u"kept.ndjson (read-only)"_s));
}

void tst_WindowFiles::anExportIsOpenedAgain()
{
    open({}, u"orders"_s);
    const ExportDialog *dialog = exportDialog();
    choose(dialog, u"A range"_s);
    child<QLineEdit>(dialog, u"fromEdit"_s)->setText(u"20"_s);
    child<QLineEdit>(dialog, u"toEdit"_s)->setText(u"23"_s);
    child<QLineEdit>(dialog, u"pathEdit"_s)->setText(path(u"again.ndjson"_s));
    child<QPushButton>(dialog, u"exportButton"_s)->click();
    auto *button = child<QPushButton>(dialog, u"openButton"_s);
    QTRY_VERIFY(button->isVisible());
    button->click();
    QTRY_VERIFY(m_window->windowTitle().contains(u"again.ndjson"_s));
    const auto *tabs = child<QTabWidget>(u"recordTabs"_s);
    QTRY_COMPARE(tabs->count(), 2);
    QTRY_COMPARE(column(qobject_cast<RecordPanel *>(tabs->currentWidget()), u"Value"_s),
                 QStringList({u"r-20"_s, u"r-21"_s, u"r-22"_s}));
}

void tst_WindowFiles::aDamagedFileSaysSo()
{
    const QString path =
        written(R"({"type":"export","format":"topicscope-records","version":1,"source":"x",)"
                R"("capabilities":{}})"
                "\n"
                R"({"type":"partition","topic":"kept","partition":0,"from":0,"to":9,"logStart":0,)"
                R"("highWatermark":9})"
                "\n"
                R"({"type":"record","topic":"kept","partition":0,"offset":0,"value":null})"
                "\n"
                R"({"type":"record","topic":"kept","par)");
    SessionConfig config;
    config.setBroker(u"file:"_s + path);
    m_window->connectTo(config, {Place{}});
    const RecordPanel *panel = panelOf(u"kept"_s);
    const auto *banner = child<Banner>(panel, u"recordBanner"_s);
    QTRY_VERIFY(banner->isVisible());
    QVERIFY2(
        banner->text().startsWith(u"The file is damaged, and read up to there only: line 4: "_s),
        qPrintable(banner->text()));
    QTRY_COMPARE(column(panel, u"Offset"_s).size(), 2); // the record, and a row for what is missing
    QVERIFY2(column(panel, u"Value"_s).value(1).contains(u"the file is damaged: line 4"_s),
             qPrintable(column(panel, u"Value"_s).join(u'|')));
}

void tst_WindowFiles::theConnectDialogTakesFiles()
{
    child<QAction>(u"connectAction"_s)->trigger();
    const auto *dialog = m_window->findChild<ConnectDialog *>();
    QVERIFY(dialog);
    QTest::keyClicks(child<QLineEdit>(dialog, u"address"_s), u"file:/tmp/a b.ndjson"_s);
    QCOMPARE(child<QLineEdit>(dialog, u"address"_s)->text(), u"/tmp/a b.ndjson"_s);
    QVERIFY(child<QPushButton>(dialog, u"browseButton"_s)->isVisible());
    const auto config = dialog->config();
    QVERIFY(config);
    QCOMPARE(config->engine, Engine::File);
    QCOMPARE(config->host, u"/tmp/a b.ndjson"_s);
    QCOMPARE(config->name, u"a b.ndjson"_s);
    QVERIFY(config->readOnly);
}

/// Or a letter only walks from one entry to the next.
void tst_WindowFiles::theTablesMenuHasEachLetterOnce()
{
    open({}, u"orders"_s);
    QMap<QString, QString> texts; // by letter
    for (const QAction *action : child<QTableView>(u"recordTable"_s)->actions()) {
        const QString letter = QKeySequence::mnemonic(action->text()).toString();
        if (letter.isEmpty())
            continue;
        QVERIFY2(!texts.contains(letter),
                 qPrintable(action->text() + u" and "_s + texts.value(letter)));
        texts.insert(letter, action->text());
    }
    QVERIFY(texts.size() > 10);
}

QTEST_MAIN(tst_WindowFiles)
#include "tst_windowfiles.moc"
