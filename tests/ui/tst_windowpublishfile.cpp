// Publishing from files through the window, and selected records again.

#include "tests/ui/filesbench.h"
#include "ui/dialogs/plannedrows.h"
#include "ui/dialogs/publishfiledialog.h"

#include <QAction>
#include <QCheckBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

class tst_WindowPublishFile final : public FilesBench
{
    Q_OBJECT
private slots:
    void aFileIsCheckedThenPublished();
    void csvColumnsAreChosen();
    void onlyWhatTheEngineHasIsOffered();
    void aStoppedPublishGoesOn();
    void anotherTopicTakesOtherOutcomes();
    void aBrokerThatDoesNotAnswerIsSaid();
    void selectedRecordsAreRedriven();

private:
    PublishFileDialog *publishDialog() const
    {
        child<QAction>(u"publishFileAction"_s)->trigger();
        return child<PublishFileDialog>(u"publishFileDialog"_s);
    }
    const PublishFileDialog *checkedLines(const QString &topic);
};

/// The lines "one" and "two", to this topic, which is new: checked, to be published.
const PublishFileDialog *tst_WindowPublishFile::checkedLines(const QString &topic)
{
    m_broker.addTopic(topic, 1);
    open({}, u"orders"_s);
    const PublishFileDialog *dialog = publishDialog();
    child<QLineEdit>(dialog, u"pathEdit"_s)->setText(written("one\ntwo\n"));
    choose(dialog, u"formatBox"_s, u"Lines"_s);
    choose(dialog, u"topicBox"_s, topic);
    child<QPushButton>(dialog, u"checkButton"_s)->click();
    const auto *publish = child<QPushButton>(dialog, u"publishButton"_s);
    if (!QTest::qWaitFor([&] { return publish->isEnabled(); }))
        qFatal("not checked: %s", qPrintable(status(dialog)));
    return dialog;
}

void tst_WindowPublishFile::aFileIsCheckedThenPublished()
{
    m_broker.addTopic(u"replay"_s, 2);
    open({}, u"orders"_s);
    const QString path = written("one\n\nthree\n"); // an empty value is not stored there
    const PublishFileDialog *dialog = publishDialog();
    child<QLineEdit>(dialog, u"pathEdit"_s)->setText(path);
    choose(dialog, u"formatBox"_s, u"Lines"_s);
    choose(dialog, u"topicBox"_s, u"replay"_s);
    choose(dialog, u"partitionBox"_s, u"partition 1"_s);
    auto *publish = child<QPushButton>(dialog, u"publishButton"_s);
    QVERIFY(!publish->isEnabled()); // not before it was checked
    QTest::keyClick(child<QLineEdit>(dialog, u"pathEdit"_s), Qt::Key_Return);
    QTRY_VERIFY2(status(dialog).startsWith(u"Records: 3, of which would be refused: 1."_s),
                 qPrintable(status(dialog)));
    const auto *rows = child<QTreeWidget>(dialog, u"rows"_s);
    QCOMPARE(rows->topLevelItemCount(), 3);
    QCOMPARE(rows->topLevelItem(0)->text(PlannedRows::Partition), u"1"_s);
    QCOMPARE(rows->topLevelItem(0)->text(PlannedRows::Value), u"one"_s);
    QCOMPARE(rows->topLevelItem(1)->text(PlannedRows::Partition),
             u"refused: an empty value is not stored there"_s);
    QCOMPARE(m_broker.calls(Call::Publish), 0);
    QVERIFY(publish->isEnabled());
    publish->click();
    QTRY_VERIFY2(status(dialog).startsWith(u"Published: 2, refused: 1, unknown: 0."_s),
                 qPrintable(status(dialog)));
    QCOMPARE(m_broker.values(u"replay"_s, 1), (QList<QByteArray>{"one", "three"}));
    QVERIFY(!publish->isEnabled());
}

/// While one chooses, and without the broker.
void tst_WindowPublishFile::csvColumnsAreChosen()
{
    Capabilities capabilities = FakeBroker::booblikCapabilities();
    capabilities.keys = capabilities.headers = capabilities.timestamps = true;
    capabilities.partitioners = {PartitionAlgorithm::BooblikFnv1a,
                                 PartitionAlgorithm::BooblikLegacy};
    capabilities.compressions = {Compression::None, Compression::Zstd};
    m_broker.setCapabilities(capabilities);
    m_broker.addTopic(u"replay"_s, 3);
    open({}, u"orders"_s);
    const PublishFileDialog *dialog = publishDialog();
    const int calls = m_broker.calls(Call::ListTopics);
    choose(dialog, u"topicBox"_s, u"replay"_s);
    child<QLineEdit>(dialog, u"pathEdit"_s)
        ->setText(
            written("id,doc,trace,timestamp\norder-42,seven,t1,2026-11-30T14:05:00Z\n,x,,\n"));
    choose(dialog, u"formatBox"_s, u"CSV"_s);
    QTRY_VERIFY2(status(dialog).contains(u"hich column is the value? There are: id, doc"_s),
                 qPrintable(status(dialog)));
    auto *time = child<QComboBox>(dialog, u"timeBox"_s);
    QCOMPARE(time->currentText(), u"timestamp"_s); // by its name
    QVERIFY(!time->isEnabled());                   // it does not count
    choose(dialog, u"valueBox"_s, u"doc"_s);
    choose(dialog, u"keyBox"_s, u"id"_s);
    choose(dialog, u"headersBox"_s, u"each other"_s);
    child<QCheckBox>(dialog, u"keepTimesCheck"_s)->click();
    QVERIFY(time->isEnabled());
    const auto *rows = child<PlannedRows>(dialog, u"rows"_s);
    const auto cells = [rows](int row) {
        QStringList texts;
        for (int column = 0; column < rows->columnCount() && row < rows->topLevelItemCount();
             ++column)
            texts += rows->topLevelItem(row)->text(column);
        return texts;
    };
    // FNV-1a of the key 0x572446f4, mod 3 = 2.
    QTRY_COMPARE(cells(0), (QStringList{u"1"_s, u"2"_s, u"2026-11-30 14:05:00.000Z"_s,
                                        u"order-42"_s, u"trace=t1"_s, u"seven"_s}));
    QCOMPARE(cells(1),
             (QStringList{u"2"_s, u"any"_s, u"when it is sent"_s, u"null"_s, QString(), u"x"_s}));
    const auto colour = [rows](int row) {
        return rows->topLevelItem(row)->foreground(PlannedRows::Key);
    };
    QVERIFY(colour(1) != colour(0)); // null is no text of the file
    QTRY_COMPARE(status(dialog), u"All records are shown as they would be published."_s);
    QCOMPARE(m_broker.calls(Call::ListTopics), calls); // nobody was asked
    // h = 31 * h + byte from 1 on, as Java has it: -573199266 by Python, floor modulo 3 = 0.
    choose(dialog, u"partitionerBox"_s, u"booblik-legacy"_s);
    QTRY_COMPARE(cells(0).value(PlannedRows::Partition), u"0"_s);
    choose(dialog, u"partitionBox"_s, u"partition 1"_s);
    QVERIFY(!child<QComboBox>(dialog, u"partitionerBox"_s)->isEnabled());
    choose(dialog, u"compressionBox"_s, u"zstd"_s);
    QTRY_COMPARE(cells(0).value(PlannedRows::Partition), u"1"_s);

    child<QPushButton>(dialog, u"checkButton"_s)->click();
    auto *publish = child<QPushButton>(dialog, u"publishButton"_s);
    QTRY_VERIFY(publish->isEnabled());
    publish->click();
    QTRY_VERIFY2(status(dialog).startsWith(u"Published: 2, refused: 0"_s),
                 qPrintable(status(dialog)));
    const PublishRequest sent = m_broker.publishRequests()[0];
    QCOMPARE(sent.partition, PartitionId{1});
    QCOMPARE(sent.key, "order-42");
    QCOMPARE(sent.headers, (HeaderList{{"trace", "t1"}}));
    QCOMPARE(sent.timestampMs, 1'796'047'500'000);
    QCOMPARE(sent.compression, Compression::Zstd);
}

void tst_WindowPublishFile::onlyWhatTheEngineHasIsOffered()
{
    open({}, u"orders"_s);
    const PublishFileDialog *dialog = publishDialog();
    QVERIFY(!child<QComboBox>(dialog, u"compressionBox"_s)->isVisible());
    QVERIFY(!child<QCheckBox>(dialog, u"keepTimesCheck"_s)->isVisible());
    QVERIFY(child<QCheckBox>(dialog, u"dropCheck"_s)->isVisible());
    const auto *rows = child<PlannedRows>(dialog, u"rows"_s);
    QVERIFY(rows->isColumnHidden(PlannedRows::Headers) && rows->isColumnHidden(PlannedRows::Time));
    choose(dialog, u"ackBox"_s, u"forced"_s);
    QCOMPARE(child<QLabel>(dialog, u"ackPromise"_s)->text(), u"behind a disk barrier"_s);
    // What is shown goes with the file.
    auto *path = child<QLineEdit>(dialog, u"pathEdit"_s);
    path->setText(written("one\ntwo\n"));
    choose(dialog, u"formatBox"_s, u"Lines"_s);
    QTRY_COMPARE(rows->topLevelItemCount(), 2);
    written("one\n\n");
    choose(dialog, u"ackBox"_s, u"none"_s); // looks again
    QTRY_COMPARE(status(dialog),
                 u"All records are shown as they would be published. Of these would "
                 "be refused: 1."_s);
    path->setText(path->text() + u'x');
    QTRY_COMPARE(rows->topLevelItemCount(), 0);
    QTRY_COMPARE(status(dialog), QString()); // half typed
}

void tst_WindowPublishFile::aStoppedPublishGoesOn()
{
    const PublishFileDialog *dialog = checkedLines(u"replay"_s);
    auto *check = child<QPushButton>(dialog, u"checkButton"_s);
    auto *publish = child<QPushButton>(dialog, u"publishButton"_s);
    m_broker.loseNextPublishAnswer(true);
    publish->click();
    QTRY_VERIFY2(status(dialog).contains(u"unknown: 1."_s), qPrintable(status(dialog)));
    QVERIFY(status(dialog).contains(u"Record 2 is the next."_s));
    QVERIFY(publish->isEnabled()); // nothing was changed since it was checked
    check->click();
    QTRY_VERIFY(status(dialog).contains(u"it is gone on with"_s));
    QVERIFY(publish->isEnabled());
    QCOMPARE(publish->text(), u"&Go On"_s);
    publish->click();
    QTRY_VERIFY2(status(dialog).startsWith(u"Published: 1, refused: 0, unknown: 0. Known from "
                                           "before: 1."_s),
                 qPrintable(status(dialog)));
    QCOMPARE(m_broker.values(u"replay"_s, 0), (QList<QByteArray>{"one", "two"}));
}

/// The same file, to a second topic: its outcomes are not the first one's.
void tst_WindowPublishFile::anotherTopicTakesOtherOutcomes()
{
    m_broker.addTopic(u"second"_s, 1);
    const PublishFileDialog *dialog = checkedLines(u"first"_s);
    auto *outcomes = child<QLineEdit>(dialog, u"outcomesEdit"_s);
    QCOMPARE(outcomes->text(), path(u"kept.ndjson.outcomes"_s));
    auto *check = child<QPushButton>(dialog, u"checkButton"_s);
    auto *publish = child<QPushButton>(dialog, u"publishButton"_s);
    const auto shown = [this] {
        QStringList cells;
        for (int column = 0; column < treeRow(u"first"_s).model()->columnCount(); ++column)
            cells += treeRow(u"first"_s).siblingAtColumn(column).data().toString();
        return cells;
    };
    const QStringList before = shown();
    publish->click();
    QTRY_VERIFY2(status(dialog).startsWith(u"Published: 2,"_s), qPrintable(status(dialog)));
    QTRY_VERIFY(shown() != before); // the tree has the new offsets

    choose(dialog, u"topicBox"_s, u"second"_s);
    check->click();
    QTRY_VERIFY2(
        status(dialog).contains(u"it is of another run: topic was \"first\", not \"second\""_s,
                                Qt::CaseInsensitive),
        qPrintable(status(dialog)));
    QVERIFY2(status(dialog).endsWith(
                 u"Outcomes in a file of another name begin anew. Nothing was sent."_s),
             qPrintable(status(dialog)));
    QVERIFY(!publish->isEnabled());
    QTest::keyClicks(outcomes, u"2"_s);
    check->click();
    QTRY_VERIFY(publish->isEnabled());
    publish->click();
    QTRY_VERIFY2(status(dialog).startsWith(u"Published: 2,"_s), qPrintable(status(dialog)));
    QCOMPARE(m_broker.values(u"second"_s, 0), (QList<QByteArray>{"one", "two"}));
    QVERIFY(QFile::exists(path(u"kept.ndjson.outcomes2"_s)));
}

void tst_WindowPublishFile::aBrokerThatDoesNotAnswerIsSaid()
{
    const PublishFileDialog *dialog = checkedLines(u"replay"_s);
    auto *check = child<QPushButton>(dialog, u"checkButton"_s);
    auto *publish = child<QPushButton>(dialog, u"publishButton"_s);
    m_broker.blockDeaf(Call::Publish);
    publish->click();
    QTRY_COMPARE(status(dialog), u"Publishing… The broker does not answer…"_s);
    check->click(); // Stop
    QCOMPARE(status(dialog), u"Stopping; the answer to the last record is waited for…"_s);
    QVERIFY(!check->isEnabled());
    m_broker.release(Call::Publish);
    QTRY_VERIFY2(status(dialog).startsWith(u"Stopped. Published: 1, refused: 0, unknown: 0."_s),
                 qPrintable(status(dialog)));
    QVERIFY(check->isEnabled());
    QCOMPARE(m_broker.values(u"replay"_s, 0), QList<QByteArray>{"one"});
}

void tst_WindowPublishFile::selectedRecordsAreRedriven()
{
    m_broker.addTopic(u"replay"_s, 1);
    open({}, u"orders"_s);
    auto *table = child<QTableView>(u"recordTable"_s);
    table->clearSelection();
    QList<QByteArray> wanted;
    for (const int row : {5, 9}) {
        table->selectionModel()->select(table->model()->index(row, 0),
                                        QItemSelectionModel::Select | QItemSelectionModel::Rows);
        wanted += "r-" + table->model()->index(row, 0).data().toString().toLatin1();
    }
    child<QAction>(u"redriveAction"_s)->trigger();
    QTRY_VERIFY(m_window->findChild<PublishFileDialog *>());
    const auto *dialog = m_window->findChild<PublishFileDialog *>();
    QCOMPARE(dialog->windowTitle(), u"Redrive"_s);
    QCOMPARE(child<QComboBox>(dialog, u"partitionBox"_s)->currentText(), u"the one each was in"_s);
    // Nobody sends them to where they are already by mistake.
    QCOMPARE(child<QComboBox>(dialog, u"topicBox"_s)->currentText(), QString());
    auto *check = child<QPushButton>(dialog, u"checkButton"_s);
    QVERIFY(!check->isEnabled());
    choose(dialog, u"topicBox"_s, u"replay"_s);
    check->click();
    auto *publish = child<QPushButton>(dialog, u"publishButton"_s);
    QTRY_VERIFY(publish->isEnabled());
    publish->click();
    QTRY_VERIFY2(status(dialog).startsWith(u"Published: 2,"_s), qPrintable(status(dialog)));
    QCOMPARE(m_broker.values(u"replay"_s, 0), wanted);
}

QTEST_MAIN(tst_WindowPublishFile)
#include "tst_windowpublishfile.moc"
