#include "tests/support/fakesession.h"
#include "ui/panels/composepanel.h"
#include "ui/panels/partitionstrip.h"
#include "ui/panels/payloadtext.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace topicscope;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;
using test::Call;
using test::FakeBroker;

namespace
{

/// A panel on a session on a broker in memory with the topics orders (3 partitions) and single (1).
struct Bench {
    explicit Bench(const Capabilities &capabilities = FakeBroker::booblikCapabilities(),
                   bool readOnly = false)
    {
        broker.setCapabilities(capabilities);
        broker.addTopic(u"orders"_s, 3);
        broker.addTopic(u"single"_s, 1);
        SessionConfig config;
        config.host = u"localhost"_s;
        config.readOnly = readOnly;
        session = std::make_unique<SessionHandle>(broker.factory(), config);
        panel = std::make_unique<ComposePanel>();
        panel->setSession(session.get());
        panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(panel.get()));
        QTRY_COMPARE(session->state(), ConnectionState::Connected);
        listTopics();
        panel->setTopic(u"orders"_s);
    }

    void listTopics()
    {
        QSignalSpy listed(session.get(), &SessionHandle::topicsListed);
        session->listTopics();
        QVERIFY(listed.wait());
        panel->setTopics(listed.at(0).at(1).value<TopicList>());
    }

    template <typename T>
    T *child(const QString &name) const
    {
        T *found = panel->findChild<T *>(name);
        Q_ASSERT(found);
        return found;
    }
    QPushButton *button() const { return child<QPushButton>(u"publishButton"_s); }
    QComboBox *topic() const { return child<QComboBox>(u"topicBox"_s); }
    PayloadEdit *key() const { return child<PayloadEdit>(u"key"_s); }
    PayloadEdit *value() const { return child<PayloadEdit>(u"value"_s); }
    PayloadText *valueText() const { return child<PayloadText>(u"valueEdit"_s); }
    QString text(const QString &name) const { return child<QLabel>(name)->text(); }
    QString status() const { return text(u"status"_s); }

    /// Chooses an item of a combo box as a user does, by its data.
    void choose(const QString &box, const QVariant &data) const
    {
        auto *combo = child<QComboBox>(box);
        const int index = combo->findData(data);
        QVERIFY2(index >= 0, qPrintable(box));
        combo->setCurrentIndex(index);
        emit combo->activated(index);
    }
    void typeKey(const QString &text) const
    {
        QVERIFY(key()->setMode(PayloadEdit::Mode::Text));
        QInputMethodEvent typed; // QTest's keys are ASCII only
        typed.setCommitString(text);
        QApplication::sendEvent(child<PayloadText>(u"keyEdit"_s), &typed);
    }
    void typeValue(const QString &text) const { QTest::keyClicks(valueText(), text); }
    /// Publishes and waits for the answer.
    void publish() const
    {
        QTRY_VERIFY2(button()->isEnabled(), qPrintable(status()));
        QSignalSpy answered(panel.get(), &ComposePanel::answered);
        QTest::mouseClick(button(), Qt::LeftButton);
        QVERIFY2(answered.count() > 0 || answered.wait(), qPrintable(status()));
    }
    QByteArrayList values(qint32 partition) const { return broker.values(u"orders"_s, partition); }

    FakeBroker broker;
    std::unique_ptr<SessionHandle> session;
    std::unique_ptr<ComposePanel> panel;
};

} // namespace

class tst_ComposePanel : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void withoutSessionTheReasonIsShown();
    void readOnlySessionCannotPublish();
    void publishByKeyLandsInThePartitionShown_data();
    void publishByKeyLandsInThePartitionShown();
    void previewNamesHashFormulaAndOtherPartitioners();
    void noKeyAndEmptyKeyAreTwoThings();
    void hexKeyIsSentAsItsBytes();
    void wrongHexAndJsonSayWhere();
    void jsonNumbersKeepTheirDigits();
    void byHandGoesWhereItSays();
    void buttonIsDisabledUntilTheReply();
    void doubleClickPublishesOnce();
    void changedRecordMayFollowWhileOneWaits();
    void seventeenWaitingAreTooMany();
    void errorKeepsTheRecord();
    void lostAnswerIsUnknownNotFailed();
    void ackNoneIsNotConfirmed();
    void ackPromiseIsInWords();
    void emptyValueIsRefusedBeforeSending();
    void tooLargeValueIsRefusedBeforeSending();
    void unknownTopicIsNamedAndNotSent();
    void changedPartitionCountStopsAndAsksForTopics();
    void fileIsReadWhenSent();
    void changedKeyFileStops();
    void draftKeepsBytes_data();
    void draftKeepsBytes();
    void clearCanBeUndone();
    void refreshedTopicsKeepWhatIsChosen();
    void destroyedWhileAPublishBlocks();
    void sessionDestroyedFirst();
    void anotherSessionKeepsTheRecordAndWhatWaits();
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

void tst_ComposePanel::readOnlySessionCannotPublish()
{
    Bench bench(FakeBroker::booblikCapabilities(), true);
    bench.typeValue(u"hello"_s);
    QVERIFY(!bench.button()->isEnabled());
    QVERIFY(bench.status().contains(u"read-only"_s));
    QTest::keyClick(bench.valueText(), Qt::Key_Return, Qt::ControlModifier);
    QTest::mouseClick(bench.button(), Qt::LeftButton);
    QCOMPARE(bench.broker.calls(Call::Publish), 0);
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
    QVERIFY(bench.text(u"keyNote"_s).contains(u"key is not stored"_s));
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

void tst_ComposePanel::buttonIsDisabledUntilTheReply()
{
    Bench bench;
    bench.broker.block(Call::Publish);
    bench.typeValue(u"hello"_s);
    QSignalSpy submitted(bench.panel.get(), &ComposePanel::submitted);
    QSignalSpy answered(bench.panel.get(), &ComposePanel::answered);
    QTest::mouseClick(bench.button(), Qt::LeftButton);
    QTRY_COMPARE(bench.broker.blocked(Call::Publish), 1);
    QVERIFY(!bench.button()->isEnabled());
    QCOMPARE(bench.button()->text(), u"Publishing…"_s);
    QTest::keyClick(bench.valueText(), Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(submitted.count(), 1);
    bench.broker.release(Call::Publish);
    QVERIFY(answered.wait());
    QTRY_VERIFY(bench.button()->isEnabled());
    QCOMPARE(bench.button()->text(), u"Publish"_s);
    QCOMPARE(answered.at(0).at(0), submitted.at(0).at(0));
}

void tst_ComposePanel::doubleClickPublishesOnce()
{
    Bench bench;
    QApplication::setDoubleClickInterval(60'000);
    bench.typeValue(u"a"_s);
    bench.publish();
    QVERIFY(!bench.button()->isEnabled()); // the second click comes after the answer
    QVERIFY(bench.status().contains(u"Published"_s));
    QTest::mouseClick(bench.button(), Qt::LeftButton);
    QCOMPARE(bench.broker.calls(Call::Publish), 1);
    bench.typeValue(u"b"_s); // another record
    QVERIFY(bench.button()->isEnabled());

    QApplication::setDoubleClickInterval(1);
    bench.publish();
    QTRY_VERIFY(bench.button()->isEnabled()); // the same again, meant so
}

void tst_ComposePanel::changedRecordMayFollowWhileOneWaits()
{
    Bench bench;
    bench.broker.block(Call::Publish);
    bench.choose(u"partitionBox"_s, 0);
    bench.typeValue(u"a"_s);
    QSignalSpy answered(bench.panel.get(), &ComposePanel::answered);
    QTest::mouseClick(bench.button(), Qt::LeftButton);
    bench.typeValue(u"b"_s);
    QVERIFY(bench.button()->isEnabled());
    QTest::mouseClick(bench.button(), Qt::LeftButton);
    QVERIFY(!bench.button()->isEnabled());
    bench.broker.release(Call::Publish);
    QTRY_COMPARE(answered.count(), 2);
    QCOMPARE(bench.values(0), QByteArrayList({"a", "ab"}));
}

void tst_ComposePanel::seventeenWaitingAreTooMany()
{
    Bench bench;
    bench.broker.block(Call::Publish);
    QSignalSpy submitted(bench.panel.get(), &ComposePanel::submitted);
    bench.typeValue(u"x"_s);
    QTest::mouseClick(bench.button(), Qt::LeftButton);
    QTRY_COMPARE(bench.broker.blocked(Call::Publish), 1); // runs; the next sixteen wait
    for (int i = 0; i < SessionHandle::kMaxWaitingPublishes; ++i) {
        bench.typeValue(u"x"_s);
        QTest::mouseClick(bench.button(), Qt::LeftButton);
    }
    QCOMPARE(submitted.count(), 1 + SessionHandle::kMaxWaitingPublishes);
    bench.typeValue(u"x"_s);
    QTest::mouseClick(bench.button(), Qt::LeftButton);
    QCOMPARE(submitted.count(), 1 + SessionHandle::kMaxWaitingPublishes);
    QVERIFY2(bench.status().contains(u"Too many requests are waiting"_s),
             qPrintable(bench.status()));
    QCOMPARE(bench.valueText()->text(), QString(18, u'x'));
    QVERIFY(bench.button()->isEnabled());
}

void tst_ComposePanel::errorKeepsTheRecord()
{
    Bench bench;
    bench.broker.failNext(Call::Publish, FakeBroker::networkError());
    bench.typeKey(u"user-1"_s);
    bench.typeValue(u"precious"_s);
    bench.publish();
    QVERIFY2(bench.status().contains(u"cannot be reached"_s), qPrintable(bench.status()));
    QCOMPARE(bench.valueText()->text(), u"precious"_s);
    QCOMPARE(bench.key()->payload().bytes, std::optional(QByteArray("user-1")));
    QTRY_VERIFY(bench.button()->isEnabled());
    bench.publish();
    QCOMPARE(bench.values(1), QByteArrayList{"precious"});
    QCOMPARE(bench.valueText()->text(), u"precious"_s);
}

void tst_ComposePanel::lostAnswerIsUnknownNotFailed()
{
    Bench bench;
    bench.broker.loseNextPublishAnswer(true);
    bench.typeValue(u"v"_s);
    bench.publish();
    QVERIFY2(bench.status().contains(u"Outcome unknown"_s), qPrintable(bench.status()));
    QVERIFY(!bench.status().contains(u"fail"_s, Qt::CaseInsensitive));
    QCOMPARE(bench.broker.calls(Call::Publish), 1);
}

void tst_ComposePanel::ackNoneIsNotConfirmed()
{
    Bench bench;
    bench.typeKey(u"user-1"_s);
    bench.typeValue(u"v"_s);
    bench.choose(u"ackBox"_s, QVariant::fromValue(AckPolicy::None));
    bench.publish();
    QVERIFY2(bench.status().contains(u"Sent to orders/1, not confirmed"_s),
             qPrintable(bench.status()));
    QCOMPARE(bench.broker.publishRequests().at(0).ack, AckPolicy::None);
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
    bench.panel->setSession(nullptr);
    bench.panel->setSession(bench.session.get());
    QCOMPARE(bench.text(u"ackPromise"_s), u"behind a disk barrier"_s);
}

void tst_ComposePanel::emptyValueIsRefusedBeforeSending()
{
    {
        Bench bench;
        QVERIFY(!bench.button()->isEnabled());
        QVERIFY2(bench.status().contains(u"cannot store a record of 0 bytes"_s),
                 qPrintable(bench.status()));
    }
    Capabilities capabilities = FakeBroker::booblikCapabilities();
    capabilities.emptyValues = true;
    Bench bench(capabilities);
    QVERIFY2(bench.button()->isEnabled(), qPrintable(bench.status()));
}

void tst_ComposePanel::tooLargeValueIsRefusedBeforeSending()
{
    Bench bench;
    // 8 388 608 less the 23 bytes of a PRODUCE around one record, less the name.
    const qint64 limit = 8'388'585 - 6;
    bench.panel->setDraft(QByteArray(limit, 'x'), u"orders"_s, PartitionId{0});
    QVERIFY2(bench.button()->isEnabled(), qPrintable(bench.status()));
    bench.panel->setDraft(QByteArray(limit + 1, 'x'), u"orders"_s, PartitionId{0});
    QVERIFY(!bench.button()->isEnabled());
    QVERIFY2(bench.status().contains(u"8 388 580 bytes"_s.replace(u' ', QChar(0x202F))
                                         .replace(QChar(0x202F) + u"bytes"_s, u" bytes"_s)),
             qPrintable(bench.status()));
}

void tst_ComposePanel::unknownTopicIsNamedAndNotSent()
{
    Bench bench;
    bench.typeValue(u"v"_s);
    auto *edit = bench.topic()->lineEdit();
    edit->selectAll();
    QTest::keyClicks(edit, u"Orders"_s); // names are case-sensitive
    QTest::keyClick(edit, Qt::Key_Return);
    QCOMPARE(bench.topic()->currentText(), u"Orders"_s);
    QVERIFY(!bench.button()->isEnabled());
    QVERIFY2(bench.status().contains(u"no topic “Orders”"_s), qPrintable(bench.status()));
    QTest::keyClick(edit, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(bench.broker.calls(Call::Publish), 0);
}

void tst_ComposePanel::changedPartitionCountStopsAndAsksForTopics()
{
    Bench bench;
    bench.typeKey(u"user-1"_s);
    bench.typeValue(u"v"_s);
    bench.broker.removeTopic(u"orders"_s);
    bench.broker.addTopic(u"orders"_s, 16);
    QSignalSpy outdated(bench.panel.get(), &ComposePanel::topicsOutdated);
    bench.publish();
    QCOMPARE(outdated.count(), 1);
    QVERIFY2(bench.status().contains(u"number of partitions changed"_s),
             qPrintable(bench.status()));
    QCOMPARE(bench.broker.publishRequests().at(0).expectedPartitionCount, std::optional(3));
    bench.listTopics();
    QVERIFY(bench.text(u"preview"_s).contains(u"mod 16 = 4 → partition 4"_s));
    bench.publish();
    QCOMPARE(bench.values(4), QByteArrayList{"v"});
}

void tst_ComposePanel::fileIsReadWhenSent()
{
    QTemporaryDir dir;
    const QString path = dir.filePath(u"value.bin"_s);
    const auto write = [&](const QByteArray &bytes) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    };
    Bench bench;
    bench.choose(u"partitionBox"_s, 0);
    QVERIFY(bench.value()->setMode(PayloadEdit::Mode::File));
    QVERIFY(!bench.button()->isEnabled());
    auto *edit = bench.child<QLineEdit>(u"valuePath"_s);
    edit->setText(dir.filePath(u"nothing"_s));
    QTRY_VERIFY(bench.status().contains(u"no such file"_s));
    edit->setText(u"/dev/zero"_s);
    QTRY_VERIFY(bench.status().contains(u"regular file"_s));
    write("first");
    edit->setText(path);
    QTRY_VERIFY(bench.button()->isEnabled());
    QVERIFY(bench.text(u"sizeLabel"_s).contains(u"5 of"_s));
    write(QByteArray("\x00\xffsecond", 8));
    bench.publish();
    QCOMPARE(bench.values(0), QByteArrayList{QByteArray("\x00\xffsecond", 8)});

    write({});
    QTRY_VERIFY(bench.button()->isEnabled());
    QTest::mouseClick(bench.button(), Qt::LeftButton);
    QTRY_VERIFY2(bench.status().contains(u"the file is empty now"_s), qPrintable(bench.status()));
    QCOMPARE(bench.broker.calls(Call::Publish), 1);
}

void tst_ComposePanel::changedKeyFileStops()
{
    QTemporaryDir dir;
    QFile file(dir.filePath(u"key"_s));
    const auto write = [&](const QByteArray &bytes) {
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
        file.close();
    };
    write("user-1");
    Bench bench;
    bench.typeValue(u"v"_s);
    QVERIFY(bench.key()->setMode(PayloadEdit::Mode::File));
    bench.child<QLineEdit>(u"keyPath"_s)->setText(file.fileName());
    QTRY_VERIFY(bench.text(u"preview"_s).contains(u"user-1 → "_s));
    write("заказ-7");
    QTest::mouseClick(bench.button(), Qt::LeftButton);
    QTRY_VERIFY(bench.status().contains(u"key's file has changed"_s));
    QTRY_VERIFY(bench.text(u"preview"_s).contains(u"заказ-7 → "_s));
    QCOMPARE(bench.broker.calls(Call::Publish), 0);
    bench.publish();
    QCOMPARE(bench.values(2), QByteArrayList{"v"});
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
    bench.panel->setDraft(value, u"orders"_s, PartitionId{2});
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
    bench.panel->setDraft(QByteArray("\xff"), u"single"_s, PartitionId{0});
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

void tst_ComposePanel::destroyedWhileAPublishBlocks()
{
    Bench bench;
    bench.broker.block(Call::Publish);
    bench.typeValue(u"v"_s);
    QTest::mouseClick(bench.button(), Qt::LeftButton);
    QTRY_COMPARE(bench.broker.blocked(Call::Publish), 1);
    bench.panel.reset();
    QSignalSpy published(bench.session.get(), &SessionHandle::published);
    bench.broker.release(Call::Publish);
    QVERIFY(published.wait());
}

void tst_ComposePanel::sessionDestroyedFirst()
{
    Bench bench;
    bench.broker.block(Call::Publish);
    bench.typeValue(u"v"_s);
    QTest::mouseClick(bench.button(), Qt::LeftButton);
    QTRY_COMPARE(bench.broker.blocked(Call::Publish), 1);
    bench.session.reset();
    QTRY_VERIFY(bench.status().contains(u"no connection"_s));
    QVERIFY(!bench.button()->isEnabled());
    QCOMPARE(bench.valueText()->text(), u"v"_s);
}

void tst_ComposePanel::anotherSessionKeepsTheRecordAndWhatWaits()
{
    Bench bench;
    bench.broker.block(Call::Publish);
    bench.typeValue(u"v"_s);
    QTest::mouseClick(bench.button(), Qt::LeftButton);
    QTRY_COMPARE(bench.broker.blocked(Call::Publish), 1);
    bench.panel->setSession(nullptr);
    QVERIFY(!bench.button()->isEnabled());
    QCOMPARE(bench.valueText()->text(), u"v"_s);
    // Back again: the record still waits, and is not sent twice by accident.
    bench.panel->setSession(bench.session.get());
    QVERIFY(!bench.button()->isEnabled());
    QSignalSpy answered(bench.panel.get(), &ComposePanel::answered);
    bench.broker.release(Call::Publish);
    QVERIFY(answered.wait());
    QVERIFY(bench.status().contains(u"Published to orders/0"_s));
    QTRY_VERIFY(bench.button()->isEnabled());
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
    QCOMPARE(focused()->objectName(), u"ackBox"_s);
    QSignalSpy answered(bench.panel.get(), &ComposePanel::answered);
    QTest::keyClick(focused(), Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(answered.wait());
    QCOMPARE(bench.values(1), QByteArrayList{"typed"});
}

void tst_ComposePanel::fitsIntoTheDock()
{
    Bench bench;
    QVERIFY2(bench.panel->minimumSizeHint().height() <= 190,
             qPrintable(QString::number(bench.panel->minimumSizeHint().height())));
    QVERIFY2(bench.panel->minimumSizeHint().width() <= 690,
             qPrintable(QString::number(bench.panel->minimumSizeHint().width())));
}

QTEST_MAIN(tst_ComposePanel)
#include "tst_composepanel.moc"
