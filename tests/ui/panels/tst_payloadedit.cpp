#include "ui/panels/payloadedit.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>

using namespace topicscope::ui;
using namespace Qt::StringLiterals;
using Mode = PayloadEdit::Mode;
using Bytes = std::optional<QByteArray>;

namespace
{

PayloadEdit::Setup setup(PayloadText::Lines lines = PayloadText::Lines::Many)
{
    return {u"value"_s,
            {Mode::None, Mode::Text, Mode::Json, Mode::Hex, Mode::File},
            lines,
            u"null"_s,
            u"no value at all"_s,
            -1};
}

PayloadText *editor(const PayloadEdit &edit)
{
    return edit.findChild<PayloadText *>(u"valueEdit"_s);
}

void paste(const PayloadEdit &edit, const QString &text)
{
    QGuiApplication::clipboard()->setText(text);
    editor(edit)->paste();
}

} // namespace

class tst_PayloadEdit : public QObject
{
    Q_OBJECT
private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".?"_s)); }
    void nullEmptyAndBytesAreThreeThings();
    void modesShowTheSameBytes();
    void wrongHexBecomesTextAsItStands();
    void bytesThatAreNoTextStayInHex();
    void noBreakSpacesAreNotBlanks();
    void hugePasteIsHeldAndNotEdited();
    void hugeHexPasteIsHeldAsItsBytes();
    void pastedLineHasNoLineEnd();
    void pastedLinesInOneLineBecomeHex();
    void pastedBytesStayAsTheyAre_data();
    void pastedBytesStayAsTheyAre();
    void pastedHexStaysHex();
    void heldBytesSurviveAnotherMode();
    void stateComesBack();
};

void tst_PayloadEdit::nullEmptyAndBytesAreThreeThings()
{
    PayloadEdit edit(setup());
    QCOMPARE(edit.payload().kind, Payload::Kind::None);
    QCOMPARE(edit.payload().bytes, Bytes());
    QVERIFY(edit.setMode(Mode::Text));
    QCOMPARE(edit.payload().kind, Payload::Kind::Bytes);
    QCOMPARE(edit.payload().bytes, Bytes(QByteArray()));
    QCOMPARE(editor(edit)->placeholderText(), u"empty value (0 bytes)"_s);
    edit.setBytes(QByteArray("null")); // no magic words
    QCOMPARE(edit.mode(), Mode::Text);
    QCOMPARE(edit.payload().bytes, Bytes("null"));
    edit.setBytes(std::nullopt);
    QCOMPARE(edit.mode(), Mode::None);
    QCOMPARE(edit.findChild<QLabel *>(u"valueSentence"_s)->text(), u"no value at all"_s);
    edit.setNoneAllowed(false);
    QVERIFY(edit.mode() != Mode::None);
    QVERIFY(!edit.setMode(Mode::None));
}

void tst_PayloadEdit::modesShowTheSameBytes()
{
    PayloadEdit edit(setup());
    edit.setBytes(QByteArray("{\"a\":\"\xc3\xa4\"}"));
    QVERIFY(edit.setMode(Mode::Hex));
    QCOMPARE(editor(edit)->text(), u"7b 22 61 22 3a 22 c3 a4 22 7d"_s);
    QVERIFY(edit.setMode(Mode::Json));
    QCOMPARE(editor(edit)->text(), u"{\"a\":\"ä\"}"_s);
    QCOMPARE(edit.payload().bytes, Bytes("{\"a\":\"\xc3\xa4\"}"));
    // The text waits while another page is shown.
    QVERIFY(edit.setMode(Mode::None));
    QVERIFY(edit.setMode(Mode::Hex));
    QCOMPARE(edit.payload().bytes, Bytes("{\"a\":\"\xc3\xa4\"}"));
}

void tst_PayloadEdit::wrongHexBecomesTextAsItStands()
{
    PayloadEdit edit(setup());
    QVERIFY(edit.setMode(Mode::Hex));
    QTest::keyClicks(editor(edit), u"hello"_s);
    QCOMPARE(edit.payload().kind, Payload::Kind::Invalid);
    QVERIFY(edit.payload().problem.contains(u"character 1"_s));
    QVERIFY(edit.setMode(Mode::Text));
    QCOMPARE(edit.payload().bytes, Bytes("hello"));
}

void tst_PayloadEdit::bytesThatAreNoTextStayInHex()
{
    PayloadEdit edit(setup());
    QSignalSpy refused(&edit, &PayloadEdit::refused);
    edit.setBytes(QByteArray("\xff\x00", 2));
    QCOMPARE(edit.mode(), Mode::Hex);
    auto *modes = edit.findChild<QComboBox *>(u"valueMode"_s);
    const int text = modes->findData(QVariant::fromValue(Mode::Text));
    modes->setCurrentIndex(text);
    emit modes->activated(text);
    QCOMPARE(refused.count(), 1);
    QCOMPARE(edit.mode(), Mode::Hex);
    QCOMPARE(modes->currentData().value<Mode>(), Mode::Hex);
    QCOMPARE(edit.payload().bytes, Bytes(QByteArray("\xff\x00", 2)));
}

void tst_PayloadEdit::noBreakSpacesAreNotBlanks()
{
    PayloadEdit edit(setup());
    QVERIFY(edit.setMode(Mode::Text));
    paste(edit, u"a\u00a0z"_s);
    QCOMPARE(edit.payload().bytes, Bytes("a\xc2\xa0z"));
}

void tst_PayloadEdit::hugePasteIsHeldAndNotEdited()
{
    PayloadEdit edit(setup());
    QVERIFY(edit.setMode(Mode::Text));
    QTest::keyClicks(editor(edit), u"<>"_s);
    editor(edit)->moveCursor(QTextCursor::Left);
    paste(edit, QString(10 * 1024 * 1024, u'x'));
    QCOMPARE(edit.mode(), Mode::Held);
    QCOMPARE(edit.payload().bytes, Bytes('<' + QByteArray(10 * 1024 * 1024, 'x') + '>'));
    QVERIFY(edit.findChild<QLabel *>(u"valueSentence"_s)->text().contains(u"kept as they are"_s));
    QVERIFY(!edit.setMode(Mode::Text));
    QCOMPARE(edit.mode(), Mode::Held);
}

void tst_PayloadEdit::hugeHexPasteIsHeldAsItsBytes()
{
    PayloadEdit edit(setup());
    QVERIFY(edit.setMode(Mode::Hex));
    paste(edit, u"00ff"_s.repeated(20'000));
    QCOMPARE(edit.mode(), Mode::Held);
    QCOMPARE(edit.payload().bytes, Bytes(QByteArray("\x00\xff", 2).repeated(20'000)));
}

void tst_PayloadEdit::pastedLineHasNoLineEnd()
{
    PayloadEdit edit(setup(PayloadText::Lines::One));
    QVERIFY(edit.setMode(Mode::Text));
    paste(edit, u"order-42\n"_s);
    QCOMPARE(edit.payload().bytes, Bytes("order-42"));
}

void tst_PayloadEdit::pastedLinesInOneLineBecomeHex()
{
    PayloadEdit edit(setup(PayloadText::Lines::One));
    QVERIFY(edit.setMode(Mode::Text));
    paste(edit, u"a\nb"_s);
    QCOMPARE(edit.mode(), Mode::Hex);
    QCOMPARE(edit.payload().bytes, Bytes("a\nb"));
    QTest::keyClick(editor(edit), Qt::Key_Return); // no second line
    QCOMPARE(edit.payload().bytes, Bytes("a\nb"));
}

void tst_PayloadEdit::pastedBytesStayAsTheyAre_data()
{
    QTest::addColumn<QString>("pasted");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<Mode>("mode");
    QTest::newRow("LF, tab") << u"a\n\tb"_s << QByteArray("a\n\tb") << Mode::Text;
    QTest::newRow("CR LF") << u"a\r\nb"_s << QByteArray("a\r\nb") << Mode::Hex;
    QTest::newRow("CR") << u"a\rb"_s << QByteArray("a\rb") << Mode::Hex;
    QTest::newRow("line separator") << u"a\u2028b"_s
                                    << QByteArray("a\xe2\x80\xa8"
                                                  "b")
                                    << Mode::Hex;
    QTest::newRow("paragraph separator") << u"a\u2029b"_s
                                         << QByteArray("a\xe2\x80\xa9"
                                                       "b")
                                         << Mode::Hex;
    QTest::newRow("noncharacter") << u"a\ufdd0b"_s
                                  << QByteArray("a\xef\xb7\x90"
                                                "b")
                                  << Mode::Hex;
    QTest::newRow("escape") << u"\u001b[1m"_s << QByteArray("\x1b[1m") << Mode::Hex;
    QTest::newRow("NUL") << QString(QChar(0)) << QByteArray(1, '\0') << Mode::Hex;
}

void tst_PayloadEdit::pastedBytesStayAsTheyAre()
{
    QFETCH(QString, pasted);
    QFETCH(QByteArray, bytes);
    QFETCH(Mode, mode);
    PayloadEdit edit(setup());
    QVERIFY(edit.setMode(Mode::Text));
    QTest::keyClicks(editor(edit), u"<>"_s);
    editor(edit)->moveCursor(QTextCursor::Left);
    paste(edit, pasted);
    QCOMPARE(edit.payload().bytes, Bytes('<' + bytes + '>'));
    QCOMPARE(edit.mode(), mode);
}

void tst_PayloadEdit::pastedHexStaysHex()
{
    PayloadEdit edit(setup());
    QVERIFY(edit.setMode(Mode::Hex));
    paste(edit, u"41 42\r\n43\r\n"_s);
    QCOMPARE(edit.mode(), Mode::Hex);
    QCOMPARE(edit.payload().bytes, Bytes("ABC"));
}

void tst_PayloadEdit::heldBytesSurviveAnotherMode()
{
    PayloadEdit edit(setup());
    const QByteArray large(100'000, '\x01');
    edit.setBytes(large);
    QVERIFY(edit.setMode(Mode::File));
    QCOMPARE(edit.payload().kind, Payload::Kind::Invalid);
    QVERIFY(edit.setMode(Mode::Held));
    QCOMPARE(edit.payload().bytes, Bytes(large));
}

void tst_PayloadEdit::stateComesBack()
{
    PayloadEdit edit(setup());
    QVERIFY(edit.setMode(Mode::Hex));
    QTest::keyClicks(editor(edit), u"00 8"_s); // not finished
    const PayloadEdit::State before = edit.state();
    edit.setBytes(QByteArray(100'000, 'x'));
    edit.setState(before);
    QCOMPARE(edit.mode(), Mode::Hex);
    QCOMPARE(editor(edit)->text(), u"00 8"_s);
}

QTEST_MAIN(tst_PayloadEdit)
#include "tst_payloadedit.moc"
