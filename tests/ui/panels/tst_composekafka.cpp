#include "tests/ui/panels/composebench.h"
#include "ui/panels/elidedlabel.h"
#include "ui/panels/headersedit.h"
#include "ui/panels/timestampedit.h"

#include <QAction>
#include <QLineEdit>
#include <QTableView>
#include <QToolButton>

using namespace topicscope;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;
using test::FakeBroker;
using Bench = test::ComposeBench;

namespace
{

/// As Apache Kafka's: everything a record can have.
Capabilities everything()
{
    Capabilities capabilities = FakeBroker::booblikCapabilities();
    capabilities.keys = true;
    capabilities.headers = true;
    capabilities.timestamps = true;
    capabilities.emptyValues = true;
    capabilities.partitioners = {PartitionAlgorithm::Murmur2Random, PartitionAlgorithm::Consistent,
                                 PartitionAlgorithm::BooblikFnv1a};
    capabilities.compressions = {Compression::None, Compression::Zstd};
    capabilities.topicRules = true;
    capabilities.nullValues = true;
    return capabilities;
}

TopicRules compacted()
{
    TopicRules rules;
    rules.compacted = true;
    return rules;
}

/// 1,000 bytes with 68 for the rest of a record.
TopicRules small(bool isDefault)
{
    return {false, 1000, isDefault, 68};
}

/// The topic "single", with rules, as the target.
void lookAtSingle(Bench &bench, const TopicRules &rules)
{
    bench.broker.setRules(u"single"_s, rules);
    bench.panel->lookAt(bench.place(u"single"_s));
    QTRY_COMPARE(bench.broker.calls(test::Call::TopicRules), 2); // orders, single
}

} // namespace

/// What the composer offers where an engine has headers, times, partitioners and compression.
class tst_ComposeKafka : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void onlyWhatTheEngineHasIsShown();
    void headersAreTypedByKeyboard();
    void halfTypedHeaderIsPublished();
    void copiedRecordGoesOutAsItCame();
    void headersKeepATargetFromChanging();
    void timeIsSetOrThatOfSending();
    void partitionerAndCompressionAreUsed();
    void recordsWithoutKeyGoWhereThePartitionerSays();
    void numbersAreSentAsTheirBytes();
    void formatsAreRecalledByTopic();
    void aCompactedTopicIsToldBeforeSending();
    void aRecordOverTheTopicsLimitIsToldBeforeSending();
    void nothingIsClaimedOfATopicThatDoesNotTell();
    void rulesAreAskedForOnceAndOnlyWhereOneCanPublish();
    void rulesAreAskedForAgainWhenTheConnectionIsBack();
};

void tst_ComposeKafka::init()
{
    QApplication::setDoubleClickInterval(1);
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support propagateSize)"_s));
}

void tst_ComposeKafka::onlyWhatTheEngineHasIsShown()
{
    const auto isShown = [](const Bench &bench, const QString &name) {
        return bench.child<QWidget>(name)->isVisible();
    };
    const Bench plain;
    const Bench full(everything());
    for (const auto &name : {u"headers"_s, u"time"_s, u"compressionBox"_s}) {
        QVERIFY2(!isShown(plain, name), qPrintable(name));
        QVERIFY2(isShown(full, name), qPrintable(name));
    }
    const Bench none{Capabilities()}; // as a file
    for (const auto &name : {u"partitionerBox"_s, u"ackBox"_s}) {
        QVERIFY2(isShown(plain, name), qPrintable(name));
        QVERIFY2(!isShown(none, name), qPrintable(name));
    }
    QVERIFY(!isShown(full, u"headerGrid"_s)); // folded while there are none
    QCOMPARE(full.child<QToolButton>(u"headerFold"_s)->text(), u"none"_s);
    QVERIFY(full.panel->minimumSizeHint().height() < 330);
    QVERIFY(full.panel->minimumSizeHint().width() <= 690);
}

void tst_ComposeKafka::headersAreTypedByKeyboard()
{
    Bench bench(everything());
    auto *grid = bench.child<QTableView>(u"headerGrid"_s);
    bench.child<QAction>(u"addHeader"_s)->trigger();
    QVERIFY(grid->isVisible());
    auto *editor = qobject_cast<QLineEdit *>(grid->indexWidget(grid->currentIndex()));
    QVERIFY(editor);
    QTest::keyClicks(editor, u"trace"_s);
    QTest::keyClick(editor, Qt::Key_Return);
    const auto *edit = bench.child<HeadersEdit>(u"headers"_s);
    QTRY_COMPARE(edit->headers()[0].name, QByteArray("trace"));
    grid->setCurrentIndex(grid->model()->index(0, 2));
    QTest::keyClicks(grid, u"4"_s); // any key begins to edit
    editor = qobject_cast<QLineEdit *>(grid->indexWidget(grid->currentIndex()));
    QVERIFY(editor);
    QTest::keyClicks(editor, u"2"_s);
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_COMPARE(edit->headers()[0].value, std::optional(QByteArray("42")));
    QCOMPARE(bench.child<QToolButton>(u"headerFold"_s)->text(), u"1 header"_s);
    QTest::keyClick(grid, Qt::Key_Delete);
    QVERIFY(edit->headers().isEmpty());
    QCOMPARE(bench.child<QToolButton>(u"headerFold"_s)->text(), u"none"_s);
}

void tst_ComposeKafka::halfTypedHeaderIsPublished()
{
    Bench bench(everything());
    bench.typeValue(u"v"_s);
    bench.child<QAction>(u"addHeader"_s)->trigger();
    auto *grid = bench.child<QTableView>(u"headerGrid"_s);
    auto *editor = qobject_cast<QLineEdit *>(grid->indexWidget(grid->currentIndex()));
    QVERIFY(editor);
    QTest::keyClicks(editor, u"h"_s);
    bench.publish(); // without Return before
    QCOMPARE(bench.broker.publishRequests().at(0).headers, (HeaderList{{"h", QByteArray("")}}));
}

void tst_ComposeKafka::copiedRecordGoesOutAsItCame()
{
    Bench bench(everything());
    const RecordContent record{QByteArray(""),
                               QByteArray("\x00\xff", 2),
                               {{"b", QByteArray("1")},
                                {"\xff", std::nullopt},
                                {"b", QByteArray("\x00", 1)},
                                {"", QByteArray("")}},
                               {}};
    bench.panel->setDraft(record, bench.place(u"orders"_s), {});
    QVERIFY(bench.child<QTableView>(u"headerGrid"_s)->isVisible());
    QCOMPARE(bench.panel->content(), std::optional(record));
    bench.publish();
    const PublishRequest sent = bench.broker.publishRequests().at(0);
    QVERIFY(sent.key.has_value());
    QCOMPARE(sent.key, record.key);
    QCOMPARE(sent.value, record.value);
    QCOMPARE(sent.headers, record.headers);
    QVERIFY(!sent.timestampMs.has_value());
    QVERIFY(!sent.partition.has_value());
    // Cleared and brought back.
    QTest::mouseClick(bench.child<QPushButton>(u"clearButton"_s), Qt::LeftButton);
    QCOMPARE(bench.panel->content(),
             std::optional(RecordContent{std::nullopt, QByteArray(""), {}, {}}));
    QTest::mouseClick(bench.child<QPushButton>(u"undoButton"_s), Qt::LeftButton);
    QCOMPARE(bench.panel->content(), std::optional(record));
}

void tst_ComposeKafka::headersKeepATargetFromChanging()
{
    Bench bench(everything());
    bench.panel->setContent({std::nullopt, QByteArray(""), {{"h", QByteArray("")}}, {}});
    bench.panel->lookAt(bench.place(u"single"_s));
    QCOMPARE(bench.topic()->currentText(), u"orders"_s);
}

void tst_ComposeKafka::timeIsSetOrThatOfSending()
{
    Bench bench(everything());
    bench.typeValue(u"v"_s);
    bench.publish();
    QVERIFY(!bench.broker.publishRequests().at(0).timestampMs.has_value());
    auto *time = bench.child<TimestampEdit>(u"time"_s);
    auto *mode = bench.child<QComboBox>(u"timeMode"_s);
    const auto choose = [&](int index) {
        mode->setCurrentIndex(index);
        emit mode->activated(index);
    };
    time->setTimestampMs(1'700'000'000'123);
    QCOMPARE(bench.text(u"note"_s), QString());
    choose(2);
    auto *ms = bench.child<QLineEdit>(u"timeMs"_s);
    QCOMPARE(ms->text(), u"1700000000123"_s);
    ms->setText(u"soon"_s);
    QVERIFY(!bench.button()->isEnabled());
    QVERIFY2(bench.status().contains(u"milliseconds"_s), qPrintable(bench.status()));
    const QList<std::pair<qint64, QString>> times{
        {-1, u"no time"_s},
        {-5, u"negative"_s},
        {1'700'000'000, u"1970"_s}, // seconds, taken for milliseconds
        {9'000'000'000'000'000, u"ahead"_s}};
    for (const auto &[value, note] : times) {
        ms->setText(QString::number(value));
        QVERIFY2(bench.text(u"note"_s).contains(note), qPrintable(bench.text(u"note"_s)));
        bench.publish();
        const auto requests = bench.broker.publishRequests();
        QCOMPARE(requests.back().timestampMs, std::optional(value));
    }
    choose(0);
    bench.publish();
    QVERIFY(!bench.broker.publishRequests().back().timestampMs.has_value());
}

void tst_ComposeKafka::partitionerAndCompressionAreUsed()
{
    Bench bench(everything());
    QCOMPARE(bench.child<QComboBox>(u"partitionerBox"_s)->currentText(), u"murmur2_random"_s);
    bench.typeKey(u"kafka"_s);
    bench.typeValue(u"v"_s);
    // "kafka" over 3 partitions: murmur2 1, CRC-32 2 (published vectors).
    QVERIFY(bench.text(u"preview"_s).contains(u"→ partition 1; CRC-32: 2"_s));
    bench.choose(u"partitionerBox"_s, QVariant::fromValue(PartitionAlgorithm::Consistent));
    bench.choose(u"compressionBox"_s, QVariant::fromValue(Compression::Zstd));
    QVERIFY2(bench.text(u"preview"_s).contains(u"→ partition 2; murmur2: 1"_s),
             qPrintable(bench.text(u"preview"_s)));
    bench.publish();
    QCOMPARE(bench.broker.publishRequests().at(0).partitioner, PartitionAlgorithm::Consistent);
    QCOMPARE(bench.broker.publishRequests().at(0).compression, Compression::Zstd);
    QCOMPARE(bench.values(2), QByteArrayList{"v"});
}

void tst_ComposeKafka::recordsWithoutKeyGoWhereThePartitionerSays()
{
    Bench bench(everything());
    bench.typeValue(u"v"_s);
    QCOMPARE(bench.text(u"preview"_s), u"no key → any partition"_s);
    // CRC-32 of nothing is 0.
    bench.choose(u"partitionerBox"_s, QVariant::fromValue(PartitionAlgorithm::Consistent));
    QVERIFY2(bench.text(u"preview"_s)
                 .startsWith(u"no key → CRC-32 0x00000000 mod 3 = 0 → partition 0"_s),
             qPrintable(bench.text(u"preview"_s)));
    bench.publish();
    QCOMPARE(bench.values(0), QByteArrayList{"v"});
}

void tst_ComposeKafka::numbersAreSentAsTheirBytes()
{
    Bench bench(everything());
    bench.typeValue(u"300"_s);
    QVERIFY(bench.value()->setFormat(PayloadCodec::byName(u"int8"_s)));
    QVERIFY(!bench.button()->isEnabled());
    QVERIFY2(bench.status().contains(u"not between -128 and 127"_s), qPrintable(bench.status()));
    QVERIFY(bench.value()->setFormat(PayloadCodec::byName(u"int32-le"_s)));
    bench.publish();
    QCOMPARE(bench.broker.publishRequests().at(0).value,
             std::optional(QByteArray::fromHex("2c010000")));
    QVERIFY(bench.value()->setMode(PayloadEdit::Mode::Hex));
    QCOMPARE(bench.valueText()->text(), u"2c 01 00 00"_s);
    QVERIFY(!bench.value()->setFormat(PayloadCodec::byName(u"uuid"_s)));
    QVERIFY2(bench.status().contains(u"4 bytes, not 16"_s), qPrintable(bench.status()));
    QVERIFY(bench.value()->setFormat(PayloadCodec::byName(u"int32-be"_s)));
    QCOMPARE(bench.valueText()->text(), u"738263040"_s); // 0x2c010000
}

void tst_ComposeKafka::formatsAreRecalledByTopic()
{
    QMap<QString, const PayloadCodec *> kept;
    const auto key = [](const QString &connection, const QString &topic, PayloadPart part) {
        return connection + u' ' + topic + (part == PayloadPart::Key ? u" k"_s : u" v"_s);
    };
    Bench bench(everything());
    bench.panel->setFormatMemory(
        {[&](const QString &connection, const QString &topic, PayloadPart part) {
             return kept.value(key(connection, topic, part));
         },
         [&](const QString &connection, const QString &topic, PayloadPart part,
             const PayloadCodec *format) { kept.insert(key(connection, topic, part), format); }});
    auto *box = bench.child<QComboBox>(u"valueMode"_s);
    const auto choose = [&](const QString &text) {
        const int index = box->findText(text);
        QVERIFY(index >= 0);
        box->setCurrentIndex(index);
        emit box->activated(index);
    };
    choose(u"int64-be"_s);
    QCOMPARE(bench.value()->mode(), PayloadEdit::Mode::Format);
    QCOMPARE(kept.value(u"localhost:9092 orders v"_s), PayloadCodec::byName(u"int64-be"_s));
    bench.panel->lookAt(bench.place(u"single"_s));
    QCOMPARE(bench.topic()->currentText(), u"single"_s); // nothing is typed yet
    QCOMPARE(bench.value()->mode(), PayloadEdit::Mode::Text);
    bench.panel->lookAt(bench.place(u"orders"_s));
    QCOMPARE(box->currentText(), u"int64-be"_s);
    choose(u"text"_s);
    QCOMPARE(kept.value(u"localhost:9092 orders v"_s), nullptr);
    kept.insert(u"localhost:9092 single v"_s, PayloadCodec::byName(u"uuid"_s));
    bench.panel->lookAt(bench.place(u"single"_s));
    QCOMPARE(bench.topic()->currentText(), u"single"_s);
    QCOMPARE(box->currentText(), u"uuid"_s);
    const QByteArray bytes = QByteArray::fromHex("0123abcd00004000800000000000ffff");
    bench.panel->setContent({std::nullopt, bytes, {}, {}});
    QCOMPARE(bench.valueText()->text(), u"0123abcd-0000-4000-8000-00000000ffff"_s);
    QCOMPARE(bench.panel->content()->value, std::optional(bytes));
    bench.panel->setContent({std::nullopt, QByteArray("no"), {}, {}}); // does not fit: as text
    QCOMPARE(bench.value()->mode(), PayloadEdit::Mode::Text);
}

void tst_ComposeKafka::aCompactedTopicIsToldBeforeSending()
{
    Bench bench(everything());
    QTRY_COMPARE(bench.broker.calls(test::Call::TopicRules), 1);
    QCOMPARE(bench.text(u"keySentence"_s), u"no key"_s);
    lookAtSingle(bench, compacted());
    QTRY_COMPARE(bench.text(u"keySentence"_s), u"no key: will be refused"_s);
    QVERIFY(bench.value()->setMode(PayloadEdit::Mode::None));
    QVERIFY2(bench.text(u"valueSentence"_s).contains(u"deletes the key"_s),
             qPrintable(bench.text(u"valueSentence"_s)));
    QCOMPARE(bench.text(u"note"_s), u"The topic is compacted: a record without a key is refused"_s);
    QTRY_VERIFY(bench.button()->isEnabled()); // the broker has the last word
    bench.typeKey(u"k"_s);
    QVERIFY(!bench.child<QLabel>(u"note"_s)->isVisible());
    QVERIFY(!bench.child<QLabel>(u"keySentence"_s)->isVisible());
    bench.panel->setTopics(bench.session.get(), bench.topics);
    bench.child<QPushButton>(u"clearButton"_s)->click();
    bench.panel->lookAt(bench.place(u"orders"_s)); // of this one nothing is known
    QTRY_COMPARE(bench.text(u"keySentence"_s), u"no key"_s);
}

void tst_ComposeKafka::aRecordOverTheTopicsLimitIsToldBeforeSending()
{
    Bench bench(everything());
    QTRY_COMPARE(bench.broker.calls(test::Call::TopicRules), 1);
    lookAtSingle(bench, small(false));
    QTRY_COMPARE(bench.text(u"sizeLabel"_s), u"0 bytes, topic's limit 1000"_s);
    const auto *size = bench.child<ElidedLabel>(u"sizeLabel"_s);
    bench.panel->setContent({QByteArray(100, 'k'), QByteArray(830, 'v'), {{"h", "x"}}, {}});
    QCOMPARE(bench.text(u"sizeLabel"_s), u"830 bytes, topic's limit 1000"_s);
    QCOMPARE(size->tone(), Tone::Normal); // 68 + 100 + 830 + 2
    QVERIFY(!bench.child<QLabel>(u"note"_s)->isVisible());
    bench.typeValue(u"v"_s);
    QCOMPARE(size->tone(), Tone::Danger);
    QCOMPARE(bench.text(u"note"_s),
             u"The record is larger than max.message.bytes: it will be refused"_s);
    QVERIFY(size->toolTip().contains(u"1001"_s));
    bench.choose(u"compressionBox"_s, QVariant::fromValue(Compression::Zstd));
    QVERIFY(bench.text(u"note"_s).endsWith(u"unless compressed"_s));
    QTRY_VERIFY(bench.button()->isEnabled());

    bench.broker.setRules(u"orders"_s, small(true));
    bench.panel->setDraft({{}, "v", {}, {}}, bench.place(u"orders"_s), std::nullopt);
    QTRY_COMPARE(bench.text(u"sizeLabel"_s), u"1 bytes, limit 1000 (broker's default)"_s);
    QCOMPARE(size->tone(), Tone::Normal);
}

void tst_ComposeKafka::nothingIsClaimedOfATopicThatDoesNotTell()
{
    Bench bench(everything()); // no rules: refused, as without the right
    bench.panel->setContent({std::nullopt, QByteArray(5'000, 'v'), {}, {}});
    QTRY_COMPARE(bench.broker.calls(test::Call::TopicRules), 1);
    QCOMPARE(bench.text(u"keySentence"_s), u"no key"_s);
    QVERIFY(!bench.child<QLabel>(u"note"_s)->isVisible());
    QCOMPARE(bench.child<ElidedLabel>(u"sizeLabel"_s)->tone(), Tone::Normal);
    QVERIFY(!bench.text(u"sizeLabel"_s).contains(u"limit"_s));
    QCOMPARE(bench.session->state(), ConnectionState::Connected);
    bench.publish();
    // What it refuses may be told now.
    bench.broker.setRules(u"orders"_s, small(false));
    bench.broker.failNext(test::Call::Publish, FakeBroker::refusal(10, u"MSG_SIZE_TOO_LARGE"_s));
    bench.typeValue(u"v"_s);
    bench.publish();
    QTRY_COMPARE(bench.child<ElidedLabel>(u"sizeLabel"_s)->tone(), Tone::Danger);
}

void tst_ComposeKafka::rulesAreAskedForOnceAndOnlyWhereOneCanPublish()
{
    Bench bench(everything());
    QTRY_COMPARE(bench.broker.calls(test::Call::TopicRules), 1);
    bench.listTopics();
    bench.typeValue(u"v"_s);
    bench.publish();
    // A publish that no broker refused says nothing of its rules.
    bench.broker.failNext(test::Call::Publish, Error::make(ErrorKind::InvalidArgument, {}));
    bench.typeValue(u"w"_s);
    bench.publish();
    bench.panel->hide();
    bench.child<QPushButton>(u"clearButton"_s)->click();
    bench.panel->lookAt(bench.place(u"single"_s));
    bench.listTopics(); // behind whatever was asked for
    QCOMPARE(bench.broker.calls(test::Call::TopicRules), 1);
    bench.panel->show();
    QTRY_COMPARE(bench.broker.calls(test::Call::TopicRules), 2);

    Bench readOnly(everything(), true);
    readOnly.listTopics();
    QCOMPARE(readOnly.broker.calls(test::Call::TopicRules), 0);
    Bench plain;
    plain.listTopics();
    QCOMPARE(plain.broker.calls(test::Call::TopicRules), 0);
}

void tst_ComposeKafka::rulesAreAskedForAgainWhenTheConnectionIsBack()
{
    Bench bench(everything());
    QTRY_COMPARE(bench.broker.calls(test::Call::TopicRules), 1);
    bench.broker.setRules(u"single"_s, compacted());
    bench.broker.setDown(true);
    bench.panel->lookAt(bench.place(u"single"_s));
    bench.session->listTopics();
    QTRY_COMPARE(bench.session->state(), ConnectionState::Lost);
    QCOMPARE(bench.text(u"keySentence"_s), u"no key"_s);
    bench.broker.setDown(false);
    bench.session->reconnectNow();
    QTRY_VERIFY(bench.text(u"keySentence"_s).contains(u"refused"_s));
}

QTEST_MAIN(tst_ComposeKafka)
#include "tst_composekafka.moc"
