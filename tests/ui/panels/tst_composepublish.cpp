#include "tests/ui/panels/composebench.h"

#include <QLineEdit>
#include <QTemporaryDir>

using namespace topicscope;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;
using test::Call;
using test::FakeBroker;
using Bench = test::ComposeBench;

class tst_ComposePublish : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void readOnlySessionCannotPublish();
    void buttonIsDisabledUntilTheReply();
    void doubleClickPublishesOnce();
    void changedRecordMayFollowWhileOneWaits();
    void seventeenWaitingAreTooMany();
    void errorKeepsTheRecord();
    void lostAnswerIsUnknownNotFailed();
    void ackNoneIsNotConfirmed();
    void theEnginesOwnPartitionerIsShownAndUsed();
    void emptyValueIsRefusedBeforeSending();
    void tooLargeValueIsRefusedBeforeSending();
    void unknownTopicIsNamedAndNotSent();
    void changedPartitionCountStopsAndAsksForTopics();
    void fileIsReadWhenSent();
    void changedKeyFileStops();
    void destroyedWhileAPublishBlocks();
    void sessionDestroyedFirst();
};

void tst_ComposePublish::init()
{
    QApplication::setDoubleClickInterval(1);
    // All but what the offscreen platform says about any window with a smallest size.
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support propagateSize)"_s));
}

void tst_ComposePublish::readOnlySessionCannotPublish()
{
    Bench bench(FakeBroker::booblikCapabilities(), true);
    bench.typeValue(u"hello"_s);
    QVERIFY(!bench.button()->isEnabled());
    QVERIFY(bench.status().contains(u"read-only"_s));
    QTest::keyClick(bench.valueText(), Qt::Key_Return, Qt::ControlModifier);
    QTest::mouseClick(bench.button(), Qt::LeftButton);
    QCOMPARE(bench.broker.calls(Call::Publish), 0);
}

void tst_ComposePublish::buttonIsDisabledUntilTheReply()
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
    QCOMPARE(answered.at(0).at(0), submitted.at(0).at(1));
}

void tst_ComposePublish::doubleClickPublishesOnce()
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

void tst_ComposePublish::changedRecordMayFollowWhileOneWaits()
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

void tst_ComposePublish::seventeenWaitingAreTooMany()
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
    QVERIFY2(bench.status().contains(u"16 records are waiting to be published"_s),
             qPrintable(bench.status()));
    QCOMPARE(bench.valueText()->text(), QString(18, u'x'));
    QVERIFY(bench.button()->isEnabled());
}

void tst_ComposePublish::errorKeepsTheRecord()
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

void tst_ComposePublish::lostAnswerIsUnknownNotFailed()
{
    Bench bench;
    bench.broker.loseNextPublishAnswer(true);
    bench.typeValue(u"v"_s);
    bench.publish();
    QVERIFY2(bench.status().contains(u"Outcome unknown"_s), qPrintable(bench.status()));
    QVERIFY(!bench.status().contains(u"fail"_s, Qt::CaseInsensitive));
    QCOMPARE(bench.broker.calls(Call::Publish), 1);
}

void tst_ComposePublish::ackNoneIsNotConfirmed()
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

void tst_ComposePublish::theEnginesOwnPartitionerIsShownAndUsed()
{
    Capabilities capabilities = FakeBroker::booblikCapabilities();
    capabilities.partitioners = {PartitionAlgorithm::Murmur2Random,
                                 PartitionAlgorithm::BooblikFnv1a};
    Bench bench(capabilities);
    bench.typeKey(u"kafka"_s);
    bench.typeValue(u"v"_s);
    // murmur2 of "kafka" is a published vector; booblik's FNV-1a 0xf2cc3b1f would choose 2.
    const QString preview = bench.text(u"preview"_s);
    QVERIFY2(preview.contains(u"0xd067cf64"_s) && preview.contains(u"→ partition 1; FNV-1a: 2"_s),
             qPrintable(preview));
    bench.publish();
    QCOMPARE(bench.values(1), QByteArrayList{"v"});
    QCOMPARE(bench.values(2), QByteArrayList());
}

void tst_ComposePublish::emptyValueIsRefusedBeforeSending()
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

void tst_ComposePublish::tooLargeValueIsRefusedBeforeSending()
{
    Bench bench;
    // 8 388 608 less the 23 bytes of a PRODUCE around one record, less the name.
    const qint64 limit = 8'388'585 - 6;
    bench.panel->setDraft({{}, QByteArray(limit, 'x'), {}, {}}, bench.place(u"orders"_s),
                          PartitionId{0});
    QVERIFY2(bench.button()->isEnabled(), qPrintable(bench.status()));
    bench.panel->setDraft({{}, QByteArray(limit + 1, 'x'), {}, {}}, bench.place(u"orders"_s),
                          PartitionId{0});
    QVERIFY(!bench.button()->isEnabled());
    QVERIFY2(bench.status().contains(u"8 388 580 bytes"_s.replace(u' ', QChar(0x202F))
                                         .replace(QChar(0x202F) + u"bytes"_s, u" bytes"_s)),
             qPrintable(bench.status()));
}

void tst_ComposePublish::unknownTopicIsNamedAndNotSent()
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

void tst_ComposePublish::changedPartitionCountStopsAndAsksForTopics()
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

void tst_ComposePublish::fileIsReadWhenSent()
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

void tst_ComposePublish::changedKeyFileStops()
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

void tst_ComposePublish::destroyedWhileAPublishBlocks()
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

void tst_ComposePublish::sessionDestroyedFirst()
{
    Bench bench;
    bench.broker.block(Call::Publish);
    bench.typeValue(u"v"_s);
    QTest::mouseClick(bench.button(), Qt::LeftButton);
    QTRY_COMPARE(bench.broker.blocked(Call::Publish), 1);
    bench.session.reset();
    QTRY_VERIFY(bench.status().contains(u"is closed"_s));
    QVERIFY(!bench.button()->isEnabled());
    QCOMPARE(bench.valueText()->text(), u"v"_s);
}

QTEST_MAIN(tst_ComposePublish)
#include "tst_composepublish.moc"
