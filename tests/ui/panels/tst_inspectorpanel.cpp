#include "core/base/bytewriter.h"
#include "core/base/digits.h"
#include "tests/support/chunks.h"
#include "ui/panels/inspectorpanel.h"
#include "ui/views/hexview.h"
#include "ui/views/textview.h"

#include <QAction>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>
#include <QThreadPool>
#include <QToolButton>
#include <QTreeWidget>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

class tst_InspectorPanel : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
        m_panel = std::make_unique<InspectorPanel>();
        m_panel->resize(500, 400);
        m_panel->show();
    }
    void cleanup() { m_panel.reset(); }

    void textAndHexShowTheBytesOfTheRecord()
    {
        const auto chunk = chunkOf(0, 5, {"zero", "one", "two"});
        m_panel->showRecord(chunk, 1, {});
        QCOMPARE(text(u"textView"_s), "one");
        m_panel->setCurrentTab(InspectorPanel::Tab::Hex);
        QCOMPARE(toByteArray(m_panel->findChild<HexView *>(u"hexView"_s)->bytes()), "one");
        m_panel->showRecord(chunk, 2, {});
        QCOMPARE(toByteArray(m_panel->findChild<HexView *>(u"hexView"_s)->bytes()), "two");
    }

    void whatIsNoTextIsShownAsItSeemsToBe()
    {
        const auto *state = m_panel->findChild<QLabel *>(u"textState"_s);
        const auto chunk = chunkOf(
            0, 5,
            {QByteArray::fromHex("a26161016162f5"), "{}", QByteArray::fromHex("a26161"), "text"});
        m_panel->showRecord(chunk, 0, {});
        QCOMPARE(text(u"textView"_s), "{\n  \"a\": 1,\n  \"b\": true\n}");
        QCOMPARE(state->text(), u"CBOR: all of it is one value"_s);
        m_panel->showRecord(chunk, 1, {});
        QCOMPARE(text(u"textView"_s), "{}");
        QVERIFY(state->isHidden());
        m_panel->showRecord(chunk, 2, {});
        QCOMPARE(state->text(), u"Shown as text: 3 bytes, not text."_s);
        m_panel->showRecord(chunk, 3, {});
        QVERIFY(state->isHidden());
        // In a format of choice: where it is not of it, and the bytes.
        m_panel->showRecord(chunk, 2, {}, {nullptr, PayloadCodec::sharedByName(u"cbor"_s)});
        QCOMPARE(state->text(), u"Not CBOR: byte 3: the bytes end inside a value."_s);
        QVERIFY(text(u"textView"_s).startsWith("00000000  a2 61 61 "));
    }

    void theKeyIsShownAsTheValueIs()
    {
        m_panel->showRecord(
            fullChunkOf(5, {{QByteArray("\x00\x00\x00\x2a", 4), {}, "v", 0}, {{}, {}, "v", 0}}), 0,
            kafka(), {PayloadCodec::sharedByName(u"int32-be"_s), nullptr});
        auto *key = m_panel->findChild<QToolButton *>(u"keyButton"_s);
        QVERIFY(key->isVisible());
        key->click();
        QCOMPARE(text(u"textView"_s), "42");
        m_panel->setCurrentTab(InspectorPanel::Tab::Hex);
        QCOMPARE(toByteArray(m_panel->findChild<HexView *>(u"hexView"_s)->bytes()),
                 QByteArray("\x00\x00\x00\x2a", 4));
        // Of the next record the key again; a format it does not fit is told.
        m_panel->setCurrentTab(InspectorPanel::Tab::Text);
        m_panel->showRecord(fullChunkOf(6, {{"abc", {}, "v", 0}}), 0, kafka(),
                            {PayloadCodec::sharedByName(u"int32-be"_s), nullptr});
        const auto *state = m_panel->findChild<QLabel *>(u"textState"_s);
        QVERIFY2(state->text().contains(u"3 bytes"_s), qPrintable(state->text()));
        m_panel->showRecord(fullChunkOf(7, {{{}, {}, "v", 0}}), 0, kafka());
        QVERIFY2(state->text().contains(u"null"_s), qPrintable(state->text()));
        QCOMPARE(text(u"textView"_s), "");
        m_panel->showRecord(fullChunkOf(8, {{"", {}, "v", 0}}), 0, kafka());
        QVERIFY2(state->text().contains(u"empty"_s), qPrintable(state->text()));
    }

    void headersStandInOrderWithTheirBytes()
    {
        const HeaderList headers{
            {"b", "1"}, {"a", std::nullopt}, {"b", ""}, {"", "x"}, {"\xff\xfe", "\x80"}};
        m_panel->showRecord(fullChunkOf(5, {{{}, headers, "v", 0}}), 0, kafka());
        m_panel->setCurrentTab(InspectorPanel::Tab::Headers);
        auto *table = m_panel->findChild<QTreeWidget *>(u"headersTable"_s);
        QVERIFY(table->isVisible());
        QStringList rows;
        for (int i = 0; i < table->topLevelItemCount(); ++i) {
            const QTreeWidgetItem *item = table->topLevelItem(i);
            rows << item->text(0) + u'|' + item->text(1) + u'|' + item->text(2);
        }
        QCOMPARE(rows, (QStringList{u"b|1|1"_s, u"a|null|"_s, u"b|empty|0"_s, u"empty|x|1"_s,
                                    u"0xfffe|0x80|1"_s}));
        const auto *bytes = m_panel->findChild<HexView *>(u"headerBytes"_s);
        QCOMPARE(toByteArray(bytes->bytes()), "1");
        table->setCurrentItem(table->topLevelItem(4));
        QCOMPARE(toByteArray(bytes->bytes()), "\x80");
        for (QAction *action : table->actions()) {
            if (action->text().contains(u"JSON"_s))
                action->trigger();
        }
        const QString copied = QGuiApplication::clipboard()->text();
        QVERIFY2(copied.contains(u"\"value\":null"_s), qPrintable(copied));
        QVERIFY2(copied.contains(u"\"data\":\"//4=\""_s), qPrintable(copied)); // ff fe
        // An engine without headers has no such tab.
        m_panel->showRecord(chunkOf(0, 0, {"v"}), 0, {});
        QVERIFY(!m_panel->findChild<QTabWidget *>()->isTabVisible(3));
        QVERIFY(!m_panel->findChild<QToolButton *>(u"keyButton"_s)->isVisible());
    }

    void jsonIsLaidOutWithItsNumbersExact()
    {
        m_panel->setCurrentTab(InspectorPanel::Tab::Json);
        show(R"({"a":9007199254740993,"b":[1e400,0.10]})");
        QCOMPARE(text(u"jsonView"_s), "{\n  \"a\": 9007199254740993,\n  \"b\": [\n    1e400,\n"
                                      "    0.10\n  ]\n}");
        QVERIFY(!jsonState()->isVisible());
    }

    void whatIsNoJsonIsShownWithThePlaceAndAsItIs()
    {
        m_panel->setCurrentTab(InspectorPanel::Tab::Json);
        show(R"({"a":tru})");
        QVERIFY(jsonState()->isVisible());
        QVERIFY2(jsonState()->text().contains(u"byte 8"_s), qPrintable(jsonState()->text()));
        QCOMPARE(text(u"jsonView"_s), R"({"a":tru})");
        const auto *view = m_panel->findChild<TextView *>(u"jsonView"_s);
        QCOMPARE(view->selectionBegin(), 8);
    }

    void largeJsonIsLaidOutOffTheGuiThread()
    {
        m_panel->setCurrentTab(InspectorPanel::Tab::Json);
        QByteArray large = "[0";
        while (large.size() < 8'000'000)
            large += ",12345678901234567890";
        large += ']';
        show(large);
        QVERIFY(jsonState()->isVisible()); // back here while it is still being laid out
        QTRY_VERIFY_WITH_TIMEOUT(!jsonState()->isVisible(), 20'000);
        QVERIFY(text(u"jsonView"_s).startsWith("[\n  0,\n  12345678901234567890,"));
    }

    void anotherRecordDropsTheLayoutStillRunning()
    {
        m_panel->setCurrentTab(InspectorPanel::Tab::Json);
        QByteArray large = "[0";
        while (large.size() < 4'000'000)
            large += ",1";
        large += ']';
        show(large);
        show("[7]");
        QCOMPARE(text(u"jsonView"_s), "[\n  7\n]");
        layoutsEnd(); // nothing may come of the first one
        QCOMPARE(text(u"jsonView"_s), "[\n  7\n]");
        show(large);
        m_panel.reset(); // and nobody may be called any more
        layoutsEnd();
    }

    void largePayloadsAreWrittenOutOffTheGuiThread()
    {
        // An array of so many small numbers, and the same one short of its last.
        constexpr int kCount = 300'000;
        QByteArray cbor = QByteArray::fromHex("9a000493e0") + QByteArray(kCount, '\x07');
        const auto *state = m_panel->findChild<QLabel *>(u"textState"_s);
        show(cbor);
        QVERIFY2(state->text().startsWith(u"Laying out 293.0 KiB"_s), qPrintable(state->text()));
        QCOMPARE(text(u"textView"_s), "");
        QTRY_COMPARE_WITH_TIMEOUT(state->text(), u"CBOR: begins as one value"_s, 20'000);
        const QByteArray all = text(u"textView"_s);
        QVERIFY(all.startsWith("[\n  7,\n  7,"));
        QCOMPARE(all.size(), 1 + kCount * 5 - 1 + 2); // "\n  7," but for the last comma, "\n]"
        cbor.chop(1);
        m_panel->showRecord(chunkOf(0, 0, {cbor}), 0, {},
                            {nullptr, PayloadCodec::sharedByName(u"cbor"_s)});
        QTRY_VERIFY_WITH_TIMEOUT(state->text().startsWith(u"Not CBOR: byte 300004"_s), 20'000);
        QVERIFY(text(u"textView"_s).startsWith("00000000  9a 00 04 93 e0 07"));
        // Another one is selected meanwhile.
        show(cbor);
        show("short");
        QCOMPARE(text(u"textView"_s), "short");
        layoutsEnd();
        QCOMPARE(text(u"textView"_s), "short");
    }

    void chosenJsonIsLaidOutAndToldWhereItIsNone()
    {
        const auto *state = m_panel->findChild<QLabel *>(u"textState"_s);
        const auto json = PayloadCodec::sharedByName(u"json"_s);
        m_panel->showRecord(chunkOf(0, 0, {"[1]", "[1"}), 0, {}, {nullptr, json});
        QCOMPARE(text(u"textView"_s), "[\n  1\n]");
        m_panel->showRecord(chunkOf(0, 0, {"[1]", "[1"}), 1, {}, {nullptr, json});
        QVERIFY2(state->text().startsWith(u"Not JSON: at byte 2"_s), qPrintable(state->text()));
        QCOMPARE(text(u"textView"_s), "[1");
    }

    void jsonBehindASchemaIdIsLaidOut()
    {
        const auto *state = m_panel->findChild<QLabel *>(u"jsonState"_s);
        m_panel->setCurrentTab(InspectorPanel::Tab::Json);
        show(QByteArray("\0\0\0\0\7{\"a\":1}", 12));
        QCOMPARE(text(u"jsonView"_s), "{\n  \"a\": 1\n}");
        QCOMPARE(state->text(), u"Behind the id of schema 7, in five bytes."_s);
        show(QByteArray("\0\0\0\0\7{\"a\":", 10));
        QVERIFY2(state->text().startsWith(u"Not JSON: at byte 10"_s), qPrintable(state->text()));
    }

    void frameNamesEveryField()
    {
        m_panel->setCurrentTab(InspectorPanel::Tab::Frame);
        m_panel->showRecord(chunkOf(3, 41, {"hello"}), 0, {});
        const QStringList rows = fields();
        QVERIFY2(rows.contains(u"|partition|3"_s), qPrintable(rows.join(u'\n')));
        QVERIFY(rows.contains(u"|offset|41"_s));
        QVERIFY(rows.contains(u"0 … 3|size (i32)|5"_s));
        // CRC-32C of "hello", by another implementation.
        QVERIFY(rows.contains(u"4 … 7|CRC-32C, stored (u32)|9a71bb4c"_s));
        QVERIFY(rows.contains(u"|CRC-32C, computed|9a71bb4c  equal"_s));
        QVERIFY(rows.contains(u"8 … 12|body|5 bytes, text"_s));
    }

    void fieldSelectsItsBytes()
    {
        m_panel->setCurrentTab(InspectorPanel::Tab::Frame);
        m_panel->showRecord(chunkOf(0, 0, {"hello"}), 0, {});
        auto *tree = m_panel->findChild<QTreeWidget *>(u"frameFields"_s);
        const auto found = tree->findItems(u"CRC-32C, stored (u32)"_s, Qt::MatchExactly, 1);
        QCOMPARE(found.size(), 1);
        tree->setCurrentItem(found.first());
        const auto views = m_panel->findChildren<HexView *>();
        const auto *frame = *std::find_if(views.begin(), views.end(), [](const HexView *view) {
            return view->byteCount() == 13;
        });
        QCOMPARE(frame->selectionBegin(), 4);
        QCOMPARE(frame->selectionEnd(), 8);
    }

    void damagedRecordSaysSoAndShowsItsBytes()
    {
        QByteArray bytes;
        appendStoredRecord(bytes, asBytes(QByteArrayLiteral("hello")));
        bytes.back() = 'n';
        const auto chunk =
            decodeRecords({u"orders"_s, PartitionId{0}}, bytes, 0, Offset{0}).value().chunk;
        m_panel->showRecord(chunk, 0, {});
        const auto *note = m_panel->findChild<QLabel *>(u"note"_s);
        QVERIFY(note->isVisible());
        QVERIFY(note->text().contains(u"9a71bb4c"_s));
        QCOMPARE(text(u"textView"_s), "helln");
    }

    void findSelectsTheNextAndThePreviousPlace()
    {
        show("one two one two one");
        auto *view = m_panel->findChild<TextView *>(u"textView"_s);
        auto *edit = m_panel->findChild<QLineEdit *>(u"findEdit"_s);
        QVERIFY(!edit->isVisible());
        // The window around uses the same keys for something else.
        QAction windowsOwn;
        windowsOwn.setShortcut(QKeySequence::Find);
        m_panel->addAction(&windowsOwn);
        QSignalSpy triggered(&windowsOwn, &QAction::triggered);
        m_panel->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
        view->setFocus();
        QTest::keySequence(view, QKeySequence::Find);
        QCOMPARE(triggered.count(), 0);
        QVERIFY(edit->isVisible());
        QTest::keyClicks(edit, u"one"_s);
        QList<qsizetype> places;
        for (int i = 0; i < 4; ++i) {
            QTest::keyClick(edit, Qt::Key_Return);
            places << view->selectionBegin();
        }
        QCOMPARE(places, (QList<qsizetype>{0, 8, 16, 0}));
        QTest::keyClick(edit, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(view->selectionBegin(), 16);
        QTest::keyClick(edit, Qt::Key_Escape);
        QVERIFY(!edit->isVisible());
    }

    void findingInMuchIsSaidAndStopped()
    {
        show(QByteArray(2 * 1024 * 1024, 'x') + "needle");
        auto *view = m_panel->findChild<TextView *>(u"textView"_s);
        auto *edit = m_panel->findChild<QLineEdit *>(u"findEdit"_s);
        const auto *said = m_panel->findChild<QLabel *>(u"workText"_s);
        auto *stop = m_panel->findChild<QToolButton *>(u"stopWorkButton"_s);
        QVERIFY(!said->isVisible());
        m_panel->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
        view->setFocus();
        QTest::keySequence(view, QKeySequence::Find);
        QTest::keyClicks(edit, u"needle"_s);
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(said->text(), u"Looking through 2.0 MiB…"_s);
        QVERIFY(said->isVisible());
        QVERIFY(stop->isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(view->selectionBegin(), 2 * 1024 * 1024, 20'000);
        QVERIFY(!said->isVisible());

        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(said->isVisible());
        QTest::keyClick(stop, Qt::Key_Space);
        QVERIFY(!said->isVisible());
        QTest::keyClick(edit, Qt::Key_Return);
        QTest::keyClick(edit, Qt::Key_Escape); // first what is being done, then the line
        QVERIFY(!said->isVisible());
        QVERIFY(edit->isVisible());
        view->setFocus();
        QTest::keySequence(view, QKeySequence::Copy); // a few bytes are selected: at once
        QCOMPARE(QGuiApplication::clipboard()->text(), u"needle"_s);
        QVERIFY(!said->isVisible());
        view->selectAll();
        QTest::keySequence(view, QKeySequence::Copy);
        QCOMPARE(said->text(), u"Copying 2.0 MiB…"_s);
        QTest::keyClick(view, Qt::Key_Escape);
        QVERIFY(!said->isVisible());

        QTest::keyClicks(edit, u"s"_s);
        QTest::keyClick(edit, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(said->text(), u"Not found in what this tab shows."_s, 20'000);
        QVERIFY(said->isVisible());
        QVERIFY(!stop->isVisible());
        QTest::keyClick(edit, Qt::Key_Backspace);
        QVERIFY(!said->isVisible());
        QTest::keyClick(edit, Qt::Key_Escape);
        QVERIFY(!edit->isVisible());
    }

    void noteStandsForARecordThatWasNotFetched()
    {
        m_panel->showRecord(chunkOf(0, 0, {"x"}), 0, {});
        m_panel->showNote(u"larger than max bytes"_s);
        QCOMPARE(m_panel->findChild<QLabel *>(u"note"_s)->text(), u"larger than max bytes"_s);
        QCOMPARE(text(u"textView"_s), QByteArray());
        m_panel->showRecord(nullptr, -1, {});
        QVERIFY(!m_panel->findChild<QLabel *>(u"note"_s)->isVisible());
    }

private:
    void show(const QByteArray &value) { m_panel->showRecord(chunkOf(0, 0, {value}), 0, {}); }
    QByteArray text(const QString &view) const
    {
        return toByteArray(m_panel->findChild<TextView *>(view)->bytes());
    }
    static void layoutsEnd()
    {
        QVERIFY(QThreadPool::globalInstance()->waitForDone(20'000));
        QCoreApplication::processEvents();
    }
    static Capabilities kafka()
    {
        Capabilities capabilities;
        capabilities.keys = true;
        capabilities.timestamps = true;
        capabilities.headers = true;
        return capabilities;
    }
    QLabel *jsonState() const { return m_panel->findChild<QLabel *>(u"jsonState"_s); }
    QStringList fields() const
    {
        QStringList rows;
        const auto *tree = m_panel->findChild<QTreeWidget *>(u"frameFields"_s);
        for (int i = 0; i < tree->topLevelItemCount(); ++i) {
            const QTreeWidgetItem *item = tree->topLevelItem(i);
            rows << item->text(0) + u'|' + item->text(1) + u'|' + item->text(2);
        }
        return rows;
    }

    std::unique_ptr<InspectorPanel> m_panel;
};

QTEST_MAIN(tst_InspectorPanel)
#include "tst_inspectorpanel.moc"
