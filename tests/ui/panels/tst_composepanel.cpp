#include "tests/ui/panels/composebench.h"
#include "ui/panels/partitionstrip.h"

#include <QAction>

using namespace topicscope;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;
using test::Call;
using test::FakeBroker;
using Bench = test::ComposeBench;

class tst_ComposePanel : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void withoutSessionTheReasonIsShown();
    void publishByKeyLandsInThePartitionShown_data();
    void publishByKeyLandsInThePartitionShown();
    void previewNamesHashFormulaAndOtherPartitioners();
    void noKeyAndEmptyKeyAreTwoThings();
    void hexKeyIsSentAsItsBytes();
    void wrongHexAndJsonSayWhere();
    void jsonNumbersKeepTheirDigits();
    void byHandGoesWhereItSays();
    void ackPromiseIsInWords();
    void draftKeepsBytes_data();
    void draftKeepsBytes();
    void clearCanBeUndone();
    void refreshedTopicsKeepWhatIsChosen();
    void everythingByKeyboard();
    void fitsIntoTheDock();
};

void tst_ComposePanel::init()
{
    QApplication::setDoubleClickInterval(1);
    // All but what the offscreen platform says about any window with a smallest size.
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support propagateSize)"_s));
}

void tst_ComposePanel::withoutSessionTheReasonIsShown()
{
    ComposePanel panel;
    QVERIFY(!panel.findChild<QPushButton *>(u"publishButton"_s)->isEnabled());
    QVERIFY(!panel.publishAction()->isEnabled());
    QVERIFY(panel.findChild<QLabel *>(u"status"_s)->text().contains(u"no connection"_s));
}

void tst_ComposePanel::publishByKeyLandsInThePartitionShown_data()
{
    // Three partitions; the table of vectors of booblik's protocol, FNV-1a.
    QTest::addColumn<QString>("key");
    QTest::addColumn<int>("partition");
    QTest::newRow("ascii") << u"user-1"_s << 1;
    QTest::newRow("one bit apart") << u"user-2"_s << 1;
    QTest::newRow("cyrillic") << u"заказ-7"_s << 2;
    QTest::newRow("emoji") << u"order-🚀"_s << 2;
    QTest::newRow("209 characters") << u"customer/"_s + QString(200, u'9') << 0;
}

void tst_ComposePanel::publishByKeyLandsInThePartitionShown()
{
    QFETCH(QString, key);
    QFETCH(int, partition);
    Bench bench;
    bench.typeKey(key);
    bench.typeValue(u"hello"_s);
    const auto *strip = bench.child<PartitionStrip>(u"partitionStrip"_s);
    QCOMPARE(strip->chosen(), std::optional(PartitionId{partition}));
    QVERIFY(bench.text(u"preview"_s).contains(u"→ partition %1"_s.arg(partition)));
    bench.publish();
    QCOMPARE(bench.values(partition), QByteArrayList{"hello"});
    QVERIFY2(bench.status().contains(u"Published to orders/%1 at offset 0"_s.arg(partition)),
             qPrintable(bench.status()));
}

void tst_ComposePanel::previewNamesHashFormulaAndOtherPartitioners()
{
    Bench bench;
    bench.typeKey(u"user-2"_s);
    // 4166221357 and 51471857 from the protocol's tables of vectors.
    const QString preview = bench.text(u"preview"_s);
    QVERIFY2(preview.startsWith(u"user-2 → FNV-1a 0xf8537e2d mod 3 = 1 → partition 1; "_s),
             qPrintable(preview));
    QVERIFY2(preview.contains(u"before 0.3: 2"_s), qPrintable(preview));
    QVERIFY2(preview.contains(u"murmur2: "_s), qPrintable(preview));
    QVERIFY(bench.text(u"note"_s).contains(u"key is not stored"_s));
}

void tst_ComposePanel::noKeyAndEmptyKeyAreTwoThings()
{
    Bench bench;
    bench.typeValue(u"v"_s);
    QVERIFY(bench.text(u"preview"_s).contains(u"no key: partitions in turn"_s));
    QCOMPARE(bench.child<PartitionStrip>(u"partitionStrip"_s)->chosen(), std::nullopt);
    bench.publish();
    QVERIFY(!bench.broker.publishRequests().at(0).key.has_value());

    QVERIFY(bench.key()->setMode(PayloadEdit::Mode::Text));
    QVERIFY(bench.text(u"preview"_s).contains(u"empty key (0 bytes)"_s));
    QCOMPARE(bench.child<PartitionStrip>(u"partitionStrip"_s)->chosen(),
             std::optional(PartitionId{1})); // 2166136261 mod 3
    bench.publish();
    const auto key = bench.broker.publishRequests().at(1).key;
    QVERIFY(key.has_value());
    QCOMPARE(key->size(), 0);
}

void tst_ComposePanel::hexKeyIsSentAsItsBytes()
{
    Bench bench;
    QVERIFY(bench.key()->setMode(PayloadEdit::Mode::Hex));
    QTest::keyClicks(bench.child<PayloadText>(u"keyEdit"_s), u"00 80 ff"_s);
    bench.typeValue(u"v"_s);
    bench.publish();
    QCOMPARE(bench.broker.publishRequests().at(0).key,
             std::optional(QByteArray("\x00\x80\xff", 3)));
}

void tst_ComposePanel::wrongHexAndJsonSayWhere()
{
    Bench bench;
    QVERIFY(bench.value()->setMode(PayloadEdit::Mode::Json));
    bench.typeValue(u"{\"id\":4 2}"_s);
    QVERIFY(!bench.button()->isEnabled());
    QVERIFY2(bench.status().contains(u"character 9"_s), qPrintable(bench.status()));
    QCOMPARE(bench.valueText()->extraSelections().size(), 1);
    bench.valueText()->clear();
    QVERIFY(bench.value()->setMode(PayloadEdit::Mode::Hex));
    bench.typeValue(u"00 8g"_s);
    QVERIFY(!bench.button()->isEnabled());
    QVERIFY2(bench.status().contains(u"character 5"_s), qPrintable(bench.status()));
    QTest::keyClick(bench.valueText(), Qt::Key_Backspace);
    bench.typeValue(u"0"_s);
    QVERIFY2(bench.button()->isEnabled(), qPrintable(bench.status()));
}

void tst_ComposePanel::jsonNumbersKeepTheirDigits()
{
    Bench bench;
    QVERIFY(bench.value()->setMode(PayloadEdit::Mode::Json));
    const QByteArray json = R"({"n":12345678901234567890.10, "e":1E400,"n":1})";
    bench.typeValue(QString::fromLatin1(json));
    bench.typeKey(u"user-1"_s);
    bench.publish();
    QCOMPARE(bench.values(1), QByteArrayList{json});
}

void tst_ComposePanel::byHandGoesWhereItSays()
{
    Bench bench;
    bench.typeKey(u"user-1"_s);
    bench.typeValue(u"v"_s);
    bench.choose(u"partitionBox"_s, 2);
    QVERIFY(bench.text(u"preview"_s).contains(u"by hand → partition 2"_s));
    QVERIFY(bench.text(u"preview"_s).contains(u"user-1 would select 1"_s));
    bench.publish();
    QCOMPARE(bench.values(2), QByteArrayList{"v"});
}

void tst_ComposePanel::ackPromiseIsInWords()
{
    Bench bench;
    QCOMPARE(bench.text(u"ackPromise"_s),
             u"in the log; survives a killed broker, not a power cut"_s);
    bench.choose(u"ackBox"_s, QVariant::fromValue(AckPolicy::None));
    QCOMPARE(bench.text(u"ackPromise"_s), u"no answer; you will not know"_s);
    bench.choose(u"ackBox"_s, QVariant::fromValue(AckPolicy::Forced));
    QCOMPARE(bench.text(u"ackPromise"_s), u"behind a disk barrier"_s);
    // A choice is not lost with the connection.
    bench.panel->lookAt({});
    bench.panel->lookAt(bench.place(u"orders"_s));
    QCOMPARE(bench.text(u"ackPromise"_s), u"behind a disk barrier"_s);
}

void tst_ComposePanel::draftKeepsBytes_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::newRow("text") << QByteArray("hello\nworld\t!");
    QTest::newRow("carriage returns") << QByteArray("a\r\nb\r");
    QTest::newRow("no-break space") << QByteArray("a\xc2\xa0z");
    QTest::newRow("line separator") << QByteArray("a\xe2\x80\xa8z");
    QTest::newRow("byte order mark") << QByteArray("\xef\xbb\xbf{}");
    QTest::newRow("zero byte") << QByteArray("a\0b", 3);
    QTest::newRow("not UTF-8") << QByteArray("\xff\xfe\x80");
    QTest::newRow("replacement character") << QByteArray("\xef\xbf\xbd");
    QTest::newRow("object replacement") << QByteArray("\xef\xbf\xbc\xef\xb7\x90");
    QTest::newRow("looks like hex") << QByteArray("00 80 ff");
    QTest::newRow("the word null") << QByteArray("null");
    QTest::newRow("300 KiB") << QByteArray(300 * 1024, 'x');
    QTest::newRow("3 MiB of zeros") << QByteArray(3 * 1024 * 1024, '\0');
}

void tst_ComposePanel::draftKeepsBytes()
{
    QFETCH(QByteArray, value);
    Bench bench;
    bench.panel->setDraft({{}, value, {}, {}}, bench.place(u"orders"_s), PartitionId{2});
    QCOMPARE(bench.value()->payload().bytes, std::optional(value));
    bench.publish();
    QCOMPARE(bench.values(2), QByteArrayList{value});
}

void tst_ComposePanel::clearCanBeUndone()
{
    Bench bench;
    auto *undo = bench.child<QPushButton>(u"undoButton"_s);
    QVERIFY(!undo->isEnabled());
    bench.typeKey(u"user-1"_s);
    bench.typeValue(u"precious"_s);
    QTest::mouseClick(bench.child<QPushButton>(u"clearButton"_s), Qt::LeftButton);
    QCOMPARE(bench.valueText()->text(), QString());
    QVERIFY(bench.text(u"preview"_s).contains(u"no key"_s));
    QTest::mouseClick(undo, Qt::LeftButton);
    QCOMPARE(bench.valueText()->text(), u"precious"_s);
    QCOMPARE(bench.key()->payload().bytes, std::optional(QByteArray("user-1")));
    // A draft from elsewhere does not eat what was composed either.
    bench.panel->setDraft({{}, QByteArray("\xff"), {}, {}}, bench.place(u"single"_s),
                          PartitionId{0});
    QTest::mouseClick(undo, Qt::LeftButton);
    QCOMPARE(bench.valueText()->text(), u"precious"_s);
    QCOMPARE(bench.topic()->currentText(), u"orders"_s);
}

void tst_ComposePanel::refreshedTopicsKeepWhatIsChosen()
{
    Bench bench;
    bench.choose(u"partitionBox"_s, 2);
    bench.typeValue(u"v"_s);
    bench.broker.addTopic(u"another"_s, 1);
    auto *partitions = bench.child<QComboBox>(u"partitionBox"_s);
    QSignalSpy refilled(partitions->model(), &QAbstractItemModel::rowsInserted);
    bench.listTopics();
    QCOMPARE(refilled.count(), 0); // an open list stays open
    QCOMPARE(bench.topic()->currentText(), u"orders"_s);
    QCOMPARE(bench.child<QComboBox>(u"partitionBox"_s)->currentData().toInt(), 2);
    // A partition that is gone is not silently another one.
    bench.broker.removeTopic(u"orders"_s);
    bench.broker.addTopic(u"orders"_s, 2);
    bench.listTopics();
    QVERIFY(!bench.button()->isEnabled());
    QVERIFY2(bench.status().contains(u"has no partition 2"_s), qPrintable(bench.status()));
}

void tst_ComposePanel::everythingByKeyboard()
{
    Bench bench;
    bench.topic()->setFocus();
    QApplication::setActiveWindow(bench.panel.get());
    const auto focused = [&] { return bench.panel->focusWidget(); };
    const auto tab = [&] { QTest::keyClick(focused(), Qt::Key_Tab); };
    tab();
    QCOMPARE(focused()->objectName(), u"keyMode"_s);
    QTest::keyClicks(focused(), u"t"_s); // text
    tab();
    QCOMPARE(focused()->objectName(), u"keyEdit"_s);
    QTest::keyClicks(focused(), u"user-1"_s);
    tab();
    QCOMPARE(focused()->objectName(), u"valueMode"_s);
    tab();
    QCOMPARE(focused()->objectName(), u"valueEdit"_s);
    QTest::keyClicks(focused(), u"typed"_s);
    tab();
    QCOMPARE(focused()->objectName(), u"partitionBox"_s);
    tab();
    QCOMPARE(focused()->objectName(), u"partitionerBox"_s);
    tab();
    QCOMPARE(focused()->objectName(), u"ackBox"_s);
    QSignalSpy answered(bench.panel.get(), &ComposePanel::answered);
    QTest::keyClick(focused(), Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(answered.wait());
    QCOMPARE(bench.values(1), QByteArrayList{"typed"});
}

void tst_ComposePanel::fitsIntoTheDock()
{
    Bench bench;
    QVERIFY2(bench.panel->minimumSizeHint().height() <= 210,
             qPrintable(QString::number(bench.panel->minimumSizeHint().height())));
    QVERIFY2(bench.panel->minimumSizeHint().width() <= 690,
             qPrintable(QString::number(bench.panel->minimumSizeHint().width())));
}

QTEST_MAIN(tst_ComposePanel)
#include "tst_composepanel.moc"
