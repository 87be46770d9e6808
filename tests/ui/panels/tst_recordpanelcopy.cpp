#include "tests/ui/panels/recordbench.h"
#include "ui/views/columnlayout.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

class tst_RecordPanelCopy final : public RecordBench
{
    Q_OBJECT

private slots:
    void valuesOfTheSelectedRows();
    void rowsAsTextAreTheColumnsShownInTheirOrder();
    void rowsAsJsonAreAsTheCommandLineWritesThem();
    void cellInEveryForm();
    void bytesReplacedAreSaid();
    void cellTooLargeToCopyIsRefused();
    void recordGoesToTheComposer();

private:
    QString copied(CopyWhat what, CopyFormat format) const
    {
        QGuiApplication::clipboard()->setText(u"before"_s);
        m_panel->copyAs(what, format);
        return QGuiApplication::clipboard()->text();
    }
    /// Selects the last rows.
    void select(int rows) const
    {
        const int count = view()->model()->rowCount();
        view()->clearSelection();
        for (int row = count - rows; row < count; ++row) {
            view()->selectionModel()->select(view()->model()->index(row, 0),
                                             QItemSelectionModel::Select |
                                                 QItemSelectionModel::Rows);
        }
    }
    void setColumn(const QString &title) const
    {
        const QAbstractItemModel &model = *view()->model();
        for (int column = 0; column < model.columnCount(); ++column) {
            if (model.headerData(column, Qt::Horizontal).toString() == title)
                view()->setCurrentIndex(view()->currentIndex().siblingAtColumn(column));
        }
    }
};

void tst_RecordPanelCopy::valuesOfTheSelectedRows()
{
    m_broker->append(u"orders"_s, 0, "first");
    m_broker->append(u"orders"_s, 0, QByteArray::fromHex("00ff80"));
    openPanel();
    QCOMPARE(copied(CopyWhat::Values, CopyFormat::Hex), u"00ff80"_s);
    view()->selectAll();
    QCOMPARE(copied(CopyWhat::Values, CopyFormat::Hex), u"6669727374\n00ff80"_s);
    m_panel->goToOffset({u"orders"_s, PartitionId{0}}, Offset{0});
    QCOMPARE(copied(CopyWhat::Values, CopyFormat::Text), u"first"_s);
}

void tst_RecordPanelCopy::rowsAsTextAreTheColumnsShownInTheirOrder()
{
    m_broker->appendMany(u"orders"_s, 0, 1200);
    m_broker->append(u"orders"_s, 0, "hello"); // CRC-32C by another implementation: 9a71bb4c
    m_broker->append(u"orders"_s, 0, "a\tb\n\"c\"");
    openPanel();
    select(2);
    QCOMPARE(copied(CopyWhat::Rows, CopyFormat::Text).section(u'\n', 0, 0),
             u"1200\t\t5\t9a71bb4c ✓\thello"_s);
    m_panel->columns()->setState(
        {u"value:0"_s, u"offset:0"_s, u"-flags:0"_s, u"-size:0"_s, u"-crc:0"_s});
    // What would break the table is in quotes, as spreadsheets expect it.
    QCOMPARE(copied(CopyWhat::Rows, CopyFormat::Text), u"hello\t1200\n\"a\tb\n\"\"c\"\"\"\t1201"_s);
    QVERIFY2(status().contains(u"Rows copied: 2"_s), qPrintable(status()));
    QCOMPARE(copied(CopyWhat::Rows, CopyFormat::Hex), u"68656c6c6f\t1200\n6109620a226322\t1201"_s);
}

void tst_RecordPanelCopy::rowsAsJsonAreAsTheCommandLineWritesThem()
{
    m_broker->append(u"orders"_s, 1, "hello");
    m_broker->append(u"orders"_s, 1, QByteArray::fromHex("00ff80"));
    m_broker->append(u"orders"_s, 1, QByteArray(3'000'000, 'x'));
    openPanel(1);
    select(3);
    const QStringList lines = copied(CopyWhat::Rows, CopyFormat::Json).split(u'\n');
    QCOMPARE(lines.size(), 3);
    QCOMPARE(lines[0], uR"({"type":"record","topic":"orders","partition":1,"offset":0,"size":5,)"
                       uR"("crc32c":{"stored":"9a71bb4c","computed":"9a71bb4c","ok":true},)"
                       uR"("value":{"encoding":"utf-8","data":"hello"}})"_s);
    // RFC 4648, section 4
    QVERIFY2(lines[1].endsWith(uR"("value":{"encoding":"base64","data":"AP+A"}})"_s),
             qPrintable(lines[1]));
    QVERIFY2(
        lines[2].startsWith(
            uR"({"type":"too-large","topic":"orders","partition":1,"offset":2,"size":3000000,)"_s),
        qPrintable(lines[2]));
}

void tst_RecordPanelCopy::cellInEveryForm()
{
    m_broker->appendMany(u"orders"_s, 0, 1200);
    m_broker->append(u"orders"_s, 0, "\xc3\xa4");
    openPanel();
    setColumn(u"Offset"_s);
    QCOMPARE(copied(CopyWhat::Cell, CopyFormat::Text), u"1200"_s);
    QCOMPARE(copied(CopyWhat::Cell, CopyFormat::Json), u"1200"_s);
    setColumn(u"Value"_s);
    QCOMPARE(copied(CopyWhat::Cell, CopyFormat::Text), u"ä"_s);
    QCOMPARE(copied(CopyWhat::Cell, CopyFormat::Hex), u"c3a4"_s);
    QCOMPARE(copied(CopyWhat::Cell, CopyFormat::Json), uR"({"encoding":"utf-8","data":"ä"})"_s);
    setColumn(u"CRC-32C"_s);
    QVERIFY(copied(CopyWhat::Cell, CopyFormat::Json).startsWith(u'"'));
}

void tst_RecordPanelCopy::bytesReplacedAreSaid()
{
    m_broker->append(u"orders"_s, 0, QByteArray::fromHex("41ff80c328"));
    openPanel();
    copied(CopyWhat::Values, CopyFormat::Text);
    QVERIFY2(status().contains(u"3 bytes not UTF-8 were replaced"_s), qPrintable(status()));
    copied(CopyWhat::Values, CopyFormat::Hex);
    QVERIFY2(!status().contains(u"replaced"_s), qPrintable(status()));
    // Also while the line has something else to show.
    m_panel->setFollowing(true);
    copied(CopyWhat::Rows, CopyFormat::Text);
    QVERIFY2(status().contains(u"3 bytes not UTF-8"_s), qPrintable(status()));
    QVERIFY2(status().contains(u"records/s"_s), qPrintable(status()));
}

void tst_RecordPanelCopy::cellTooLargeToCopyIsRefused()
{
    m_broker->append(u"orders"_s, 0, QByteArray(kMaxCopyBytes + 1, 'x'));
    openPanel();
    m_panel->setMaxBytes(qint32(2 * kMaxCopyBytes));
    m_panel->goToFirst();
    QTRY_COMPARE_WITH_TIMEOUT(column(u"Flags"_s), QStringList{QString()}, 30'000);
    view()->setCurrentIndex(view()->model()->index(0, view()->model()->columnCount() - 1));
    QGuiApplication::clipboard()->setText(u"before"_s);
    m_panel->copyAs(CopyWhat::Cell, CopyFormat::Text);
    QCOMPARE(QGuiApplication::clipboard()->text(), u"before"_s);
    QVERIFY2(status().contains(u"more than 64.0 MiB"_s), qPrintable(status()));
}

void tst_RecordPanelCopy::recordGoesToTheComposer()
{
    const QByteArray value = QByteArray::fromHex("ff0041");
    m_broker->append(u"orders"_s, 1, value);
    openPanel(1);
    QSignalSpy requested(m_panel.get(), &RecordPanel::copyToComposerRequested);
    m_panel->copyToComposer();
    QCOMPARE(requested.count(), 1);
    QCOMPARE(requested[0][0].value<RecordContent>(), (RecordContent{{}, value, {}, {}}));
    QCOMPARE(requested[0][1].value<TopicPartition>(),
             (TopicPartition{u"orders"_s, PartitionId{1}}));
}

QTEST_MAIN(tst_RecordPanelCopy)
#include "tst_recordpanelcopy.moc"
