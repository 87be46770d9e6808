#include "core/base/bytewriter.h"
#include "ui/views/hexview.h"
#include "ui/views/textview.h"

#include <QAccessible>
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>
#include <QThreadPool>
#include <QTimer>

using namespace topicscope;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

namespace
{

template <typename View>
void give(View &view, const QByteArray &bytes)
{
    const auto owner = std::make_shared<const QByteArray>(bytes);
    view.setBytes(asBytes(*owner), owner);
}

QByteArray selected(const ByteView &view)
{
    return toByteArray(view.selectedBytes());
}

bool finds(ByteView &view, const QByteArray &needle, bool forward = true)
{
    QSignalSpy ended(&view, &ByteView::findEnded);
    view.find(needle, forward);
    if (ended.isEmpty() && !ended.wait(20'000))
        qFatal("find does not end");
    return ended.constFirst().constFirst().toBool();
}

/// Takes all threads of the pool for as long as it lives.
class BusyPool
{
public:
    BusyPool()
    {
        for (int i = 0; i < m_threads; ++i)
            QThreadPool::globalInstance()->start([release = m_release] { release->acquire(); });
    }
    ~BusyPool() { m_release->release(m_threads); }
    Q_DISABLE_COPY_MOVE(BusyPool)

private:
    int m_threads = QThreadPool::globalInstance()->maxThreadCount();
    std::shared_ptr<QSemaphore> m_release = std::make_shared<QSemaphore>();
};

} // namespace

class tst_ByteViews : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
    }

    void bytesLiveAsLongAsTheyAreShown()
    {
        HexView view;
        auto owner = std::make_shared<const QByteArray>(100, 'x');
        const std::weak_ptr<const QByteArray> watched = owner;
        view.setBytes(asBytes(*owner), owner);
        owner.reset();
        QVERIFY(!watched.expired());
        view.clear();
        QVERIFY(watched.expired());
        QCOMPARE(view.byteCount(), 0);
    }

    void screenReadersHearTheRowOfTheCursor()
    {
        HexView hex;
        give(hex, "0123456789abcdefHello");
        const QAccessibleInterface *said = QAccessible::queryAccessibleInterface(&hex);
        QVERIFY(said);
        QCOMPARE(said->role(), QAccessible::EditableText);
        QVERIFY(said->state().readOnly);
        QTest::keyClick(&hex, Qt::Key_Down);
        QTest::keyClick(&hex, Qt::Key_Right);
        const QString row = said->text(QAccessible::Value);
        QVERIFY2(row.startsWith(u"00000010  48 65 6c 6c 6f "_s), qPrintable(row));
        QVERIFY2(row.endsWith(u"|Hello|"_s), qPrintable(row));
        QCOMPARE(said->text(QAccessible::Description), u"Byte 17 of 21"_s);
        hex.select(16, 20);
        QCOMPARE(said->text(QAccessible::Description), u"Byte 20 of 21, 4 selected"_s);
        QCOMPARE(said->text(QAccessible::Name), u"Bytes in hexadecimal"_s);

        TextView text;
        text.resize(400, 200);
        give(text, "first\nsecond");
        QTRY_VERIFY(text.isIndexed());
        QTest::keyClick(&text, Qt::Key_Down);
        said = QAccessible::queryAccessibleInterface(&text);
        QCOMPARE(said->text(QAccessible::Value), u"second"_s);
        text.clear();
        QCOMPARE(said->text(QAccessible::Value), QString());
        hex.clear();
        QCOMPARE(QAccessible::queryAccessibleInterface(&hex)->text(QAccessible::Value), QString());
    }

    void hexCursorMovesBySixteen()
    {
        HexView view;
        view.resize(800, 300);
        give(view, QByteArray(100, 'x'));
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.cursor(), 16);
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.cursor(), 33);
        QTest::keyClick(&view, Qt::Key_Home);
        QCOMPARE(view.cursor(), 32);
        QTest::keyClick(&view, Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(view.cursor(), 100);
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.cursor(), 100);
        QTest::keyClick(&view, Qt::Key_Home, Qt::ControlModifier);
        QTest::keyClick(&view, Qt::Key_Left);
        QCOMPARE(view.cursor(), 0);
    }

    void selectionIsCopiedInThreeWays()
    {
        HexView view;
        view.resize(800, 300);
        give(view, QByteArray::fromHex("41ff00e282ac"));
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(&view, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(selected(view), QByteArray::fromHex("41ff00"));
        const QClipboard *clipboard = QGuiApplication::clipboard();
        view.copyHex();
        QCOMPARE(clipboard->text(), u"41ff00"_s);
        view.copyBytes();
        QCOMPARE(clipboard->mimeData()->data(u"application/octet-stream"_s),
                 QByteArray::fromHex("41ff00"));
        view.select(3, 6);
        view.copyText();
        QCOMPARE(clipboard->text(), u"€"_s);
        view.setCursor(0);
        view.copyHex(); // nothing selected: all of it
        QCOMPARE(clipboard->text(), u"41ff00e282ac"_s);
    }

    void drawnTextIsNotOfferedAsBytes()
    {
        TextView view;
        const auto offered = [&view] {
            QStringList texts;
            for (const QAction *action : view.actions()) {
                if (action->isVisible())
                    texts << action->text().remove(u'&');
            }
            return texts.join(u'|');
        };
        QCOMPARE(offered(), u"Copy as text|Copy as hex|Copy bytes|Select all"_s);
        view.setSource(TextView::Source::Drawn);
        QCOMPARE(offered(), u"Copy as text|Select all"_s);
        view.setSource(TextView::Source::Payload);
        QVERIFY(offered().contains(u"Copy bytes"_s));
    }

    void byteOrderMarkIsCopied()
    {
        HexView view;
        give(view, QByteArray("\xef\xbb\xbf"
                              "a"));
        view.copyText();
        QCOMPARE(QGuiApplication::clipboard()->text(), u"\ufeffa"_s);
    }

    void textCursorMovesByCharacters()
    {
        TextView view;
        view.resize(800, 300);
        give(view, "a€\xff"
                   "b");
        const auto right = [&] {
            QTest::keyClick(&view, Qt::Key_Right);
            return view.cursor();
        };
        QCOMPARE(right(), 1);
        QCOMPARE(right(), 4);
        QCOMPARE(right(), 5);
        QCOMPARE(right(), 6);
        QCOMPARE(right(), 6);
        const auto left = [&] {
            QTest::keyClick(&view, Qt::Key_Left);
            return view.cursor();
        };
        QCOMPARE(left(), 5);
        QCOMPARE(left(), 4);
        QCOMPARE(left(), 1);
        QCOMPARE(left(), 0);
    }

    void linesAreRowsAndLongOnesAreWrapped()
    {
        TextView view;
        view.resize(800, 300);
        give(view, "first\nsecond\nthird");
        QTRY_VERIFY(view.isIndexed());
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.cursor(), 6);
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.cursor(), 13);
        QTest::keyClick(&view, Qt::Key_Up);
        QTest::keyClick(&view, Qt::Key_End);
        QCOMPARE(view.cursor(), 12); // before the line feed

        give(view, QByteArray(100'000, 'x'));
        QTRY_VERIFY(view.isIndexed());
        QTest::keyClick(&view, Qt::Key_Down);
        QVERIFY2(view.cursor() > 20 && view.cursor() < 200,
                 qPrintable(QString::number(view.cursor())));
    }

    void malformedBytesAndControlsAreShown()
    {
        // Nothing to assert on pixels: it must paint, at every width, and keep the bytes.
        TextView view;
        QByteArray bytes;
        for (int i = 0; i < 256; ++i)
            bytes += char(i);
        give(view, bytes);
        for (const int width : {20, 100, 333, 1000}) {
            view.resize(width, 200);
            QVERIFY(!view.grab().isNull());
        }
        view.selectAll();
        QCOMPARE(selected(view), bytes);
    }

    void tenMebibytesOnOneLineDoNotBlock()
    {
        TextView view;
        view.resize(600, 400);
        view.show();
        give(view, QByteArray(10 * 1024 * 1024, 'x'));
        QVERIFY(!view.grab().isNull());
        // The first screen was painted before the whole was looked at, whatever the machine's
        // speed.
        QVERIFY(!view.isIndexed());
        QTRY_VERIFY_WITH_TIMEOUT(view.isIndexed(), 20'000);
        QTest::keyClick(&view, Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(view.cursor(), 10 * 1024 * 1024);
        QCOMPARE(view.verticalScrollBar()->value(), view.verticalScrollBar()->maximum());
    }

    void aPlaceNotIndexedYetIsShownOnceItIs()
    {
        TextView view;
        view.resize(600, 400);
        view.show();
        give(view, QByteArray(3 * 1024 * 1024, 'x') + "needle" + QByteArray(100'000, 'y'));
        QVERIFY(!view.isIndexed());
        QVERIFY(finds(view, "needle"));
        QCOMPARE(selected(view), QByteArray("needle"));
        QTRY_VERIFY_WITH_TIMEOUT(view.isIndexed(), 20'000);
        QVERIFY(view.verticalScrollBar()->value() > 0);
        QVERIFY(!finds(view, "nowhere"));
    }

    void findGoesRoundInBothDirections()
    {
        HexView view;
        give(view, "abab-ab");
        const auto places = [&view](const QByteArray &needle, bool forward) {
            QList<qsizetype> all;
            for (int i = 0; i < 4; ++i)
                all << (finds(view, needle, forward) ? view.selectionBegin() : -1);
            return all;
        };
        QCOMPARE(places("ab", true), (QList<qsizetype>{0, 2, 5, 0}));
        QCOMPARE(places("ab", false), (QList<qsizetype>{5, 2, 0, 5}));
        QCOMPARE(places("b-ab", true), (QList<qsizetype>{3, 3, 3, 3}));
        view.setCursor(7);
        QCOMPARE(places("bab", false), (QList<qsizetype>{1, 1, 1, 1}));
        QCOMPARE(places("abab-abc", true), (QList<qsizetype>{-1, -1, -1, -1}));
        QCOMPARE(places("", true), (QList<qsizetype>{-1, -1, -1, -1}));
        view.clear();
        QCOMPARE(places("a", false), (QList<qsizetype>{-1, -1, -1, -1}));
    }

    /// Much is looked through and copied in pieces of a MiB: nothing is lost between them.
    void whatLiesBetweenPiecesIsFoundAndCopied()
    {
        constexpr qsizetype kPiece = 1024 * 1024;
        QByteArray bytes(3 * kPiece, 'x');
        bytes.replace(kPiece - 2, 6, "needle");
        bytes.replace(2 * kPiece - 1, 3, "€");        // U+20AC in three bytes
        bytes.replace(3 * kPiece - 2, 2, "\xe2\x82"); // one that is cut
        HexView view;
        give(view, bytes);
        QVERIFY(finds(view, "needle"));
        QCOMPARE(view.selectionBegin(), kPiece - 2);
        view.setCursor(3 * kPiece);
        QVERIFY(finds(view, "needle", false));
        QCOMPARE(view.selectionBegin(), kPiece - 2);
        QVERIFY(!finds(view, "noodle", false));

        view.setCursor(0);
        view.copyText();
        QVERIFY(QTest::qWaitFor([&view] { return view.working().isEmpty(); }, 20'000));
        QString text(3 * kPiece - 4, u'x');
        text.replace(kPiece - 2, 6, u"needle"_s);
        text[2 * kPiece - 1] = u'€';
        text += QString::fromUtf8("\xe2\x82");
        const QClipboard *clipboard = QGuiApplication::clipboard();
        QCOMPARE(clipboard->text().size(), text.size());
        QVERIFY(clipboard->text() == text);
        view.copyBytes();
        QVERIFY(QTest::qWaitFor([&view] { return view.working().isEmpty(); }, 20'000));
        QVERIFY(clipboard->mimeData()->data(u"application/octet-stream"_s) == bytes);
        view.copyHex();
        QVERIFY(QTest::qWaitFor([&view] { return view.working().isEmpty(); }, 20'000));
        QVERIFY(clipboard->text() == QString::fromLatin1(bytes.toHex()));
    }

    void theGuiThreadGoesOnWhileMuchIsLookedThrough()
    {
        HexView view;
        give(view, QByteArray(2 * 1024 * 1024, 'x') + "needle");
        QGuiApplication::clipboard()->setText(u"before"_s);
        {
            const BusyPool pool; // whatever is not done on this thread waits
            QSignalSpy ended(&view, &ByteView::findEnded);
            view.find("needle", true);
            QCOMPARE(view.working(), u"Looking through 2.0 MiB…"_s);
            view.copyHex();
            QCOMPARE(view.working(), u"Copying 2.0 MiB…"_s);
            bool isAlive = false;
            QTimer::singleShot(0, &view, [&] { isAlive = true; });
            QTRY_VERIFY(isAlive);
            QCOMPARE(ended.count(), 0);
            QCOMPARE(QGuiApplication::clipboard()->text(), u"before"_s);
        }
        QTRY_COMPARE(view.working(), QString());
        QCOMPARE(selected(view), "needle");
        QVERIFY(QGuiApplication::clipboard()->text().endsWith(u"78786e6565646c65"_s));
    }

    void stoppedNothingComesOfIt()
    {
        HexView view;
        give(view, QByteArray(2 * 1024 * 1024, 'x') + "needle");
        QGuiApplication::clipboard()->setText(u"before"_s);
        QSignalSpy ended(&view, &ByteView::findEnded);
        {
            const BusyPool pool;
            view.find("needle", true);
            view.copyText();
            view.stopWorking();
            QCOMPARE(view.working(), QString());
        }
        QVERIFY(QThreadPool::globalInstance()->waitForDone(20'000));
        QCoreApplication::processEvents();
        QCOMPARE(ended.count(), 0);
        QCOMPARE(view.selectionEnd(), 0);
        QCOMPARE(QGuiApplication::clipboard()->text(), u"before"_s);
    }

    /// What was to be copied still is; what was looked for is gone.
    void otherBytesEndFindingAndNotCopying()
    {
        HexView view;
        give(view, QByteArray(2 * 1024 * 1024, 'x') + "needle");
        QSignalSpy ended(&view, &ByteView::findEnded);
        {
            const BusyPool pool;
            view.find("needle", true);
            view.copyText();
            give(view, "short");
            QCOMPARE(view.working(), u"Copying 2.0 MiB…"_s);
        }
        QTRY_COMPARE(view.working(), QString());
        QCOMPARE(QGuiApplication::clipboard()->text().size(), 2 * 1024 * 1024 + 6);
        QCOMPARE(ended.count(), 0);
        QCOMPARE(view.selectionEnd(), 0);
    }

    void aWordWithoutAnEndIsSelectedInPart()
    {
        HexView view;
        view.resize(900, 300);
        view.show();
        give(view, QByteArray(10 * 1024 * 1024, 'x'));
        QTest::mouseDClick(view.viewport(), Qt::LeftButton, {}, QPoint(100, 5));
        QVERIFY(view.selectionEnd() >= 1024 * 1024);
        QVERIFY(view.selectionEnd() < 2 * 1024 * 1024);
    }

    void everyRowBeginIsFoundAgain()
    {
        // Rows of many lengths, so that the remembered starts fall everywhere.
        QByteArray bytes;
        QList<qsizetype> begins;
        for (int i = 0; i < 1000; ++i) {
            begins << bytes.size();
            bytes += QByteArray(i % 37, 'x') + '\n';
        }
        TextView view;
        view.resize(800, 300);
        give(view, bytes);
        QTRY_VERIFY(view.isIndexed());
        for (int row = 0; row < 1000; ++row) {
            QCOMPARE(view.cursor(), begins[row]);
            QTest::keyClick(&view, Qt::Key_Home);
            QCOMPARE(view.cursor(), begins[row]);
            QTest::keyClick(&view, Qt::Key_Down);
        }
    }

    void resizingKeepsTheTopByte()
    {
        TextView view;
        view.resize(400, 300);
        view.show();
        give(view, QByteArray(200'000, 'x'));
        QTRY_VERIFY(view.isIndexed());
        view.setCursor(100'000);
        const int before = view.verticalScrollBar()->value();
        QVERIFY(before > 0);
        view.resize(800, 300);
        QTRY_VERIFY(view.isIndexed());
        QVERIFY(view.verticalScrollBar()->value() > 0);
        QVERIFY(view.verticalScrollBar()->value() < before);
    }

    void screenReadersReadTheRowAsText()
    {
        HexView hex;
        give(hex, "{\"id\":42,\"key\":\"order\"}");
        QAccessibleTextInterface *text =
            QAccessible::queryAccessibleInterface(&hex)->textInterface();
        QVERIFY(text);
        // As hexdump -C writes it.
        const QString first = u"00000000  7b 22 69 64 22 3a 34 32  2c 22 6b 65 79 22 3a 22  "
                              "|{\"id\":42,\"key\":\"|"_s;
        QCOMPARE(text->text(0, text->characterCount()), first);
        QCOMPARE(text->text(-5, 1'000), first);
        QCOMPARE(text->text(text->cursorPosition(), text->cursorPosition() + 2), u"7b"_s);
        QTest::keyClick(&hex, Qt::Key_Down);
        QTest::keyClick(&hex, Qt::Key_Right);
        QCOMPARE(text->cursorPosition(), 13);
        QCOMPARE(text->text(13, 15), u"72"_s); // the r of "order"

        TextView view;
        view.resize(800, 300);
        text = QAccessible::queryAccessibleInterface(&view)->textInterface();
        QVERIFY(text);
        QCOMPARE(text->characterCount(), 0);
        give(view, "first\n€ second");
        QTRY_VERIFY(view.isIndexed());
        view.setCursor(10); // behind "€ ": four bytes, two characters
        QCOMPARE(text->cursorPosition(), 2);
        QCOMPARE(text->text(0, 3), u"€ s"_s);
        // However long the payload, no more than a row of it becomes text.
        give(view, QByteArray(1'000'000, 'x'));
        QVERIFY(text->characterCount() > 0);
        QVERIFY(text->characterCount() < 1'000);
    }

    /// A row of a payload is no paragraph: that it happens to begin with Arabic turns nothing
    /// round.
    void rowBeginningWithArabicIsReadFromTheLeft()
    {
        TextView view;
        view.resize(800, 300);
        view.show();
        give(view, "\xD8\xB9\",\"id\":2997"); // the letter ain first
        QTRY_VERIFY(view.isIndexed());
        const int row = QFontMetrics(view.font()).height();
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(700, row / 2));
        QCOMPARE(view.cursor(), 13); // behind the last digit
    }

    void mouseSelectsBytes()
    {
        HexView view;
        view.resize(900, 300);
        view.show();
        give(view, "0123456789abcdef0123456789abcdef");
        const int column = QFontMetrics(view.font()).horizontalAdvance(u'0');
        const int row = QFontMetrics(view.font()).height();
        const QPoint from(4 + 10 * column + 2, row / 2);               // first byte
        const QPoint to(4 + (10 + 3 * 3) * column + 2, row + row / 2); // fourth byte, second row
        QTest::mousePress(view.viewport(), Qt::LeftButton, {}, from);
        QTest::mouseMove(view.viewport(), to);
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, to);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, Qt::ShiftModifier, to);
        QCOMPARE(selected(view), QByteArray("0123456789abcdef012"));
    }
};

QTEST_MAIN(tst_ByteViews)
#include "tst_byteviews.moc"
