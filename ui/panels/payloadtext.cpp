#include "ui/panels/payloadtext.h"

#include "ui/theme/palette.h"

#include <QFontDatabase>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QStyle>
#include <QTextDocument>

#include <algorithm>

namespace topicscope::ui
{

PayloadText::PayloadText(Lines lines, QWidget *parent)
    : QPlainTextEdit(parent)
    , m_lines(lines)
{
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setTabChangesFocus(true);
    document()->setDocumentMargin(3);
    if (lines == Lines::One) {
        setLineWrapMode(QPlainTextEdit::NoWrap);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        const int height = QLineEdit().sizeHint().height();
        const int inside = height - 2 * frameWidth() - QFontMetrics(font()).lineSpacing();
        document()->setDocumentMargin(qMax(0, inside / 2));
        setFixedHeight(height);
    }
}

bool PayloadText::canShow(const QString &text) const
{
    return std::none_of(text.begin(), text.end(), [this](QChar c) {
        switch (c.unicode()) {
        case u'\n':
        case u'\t':
            return m_lines == Lines::One;
        case QChar::LineSeparator:
        case QChar::ParagraphSeparator:
        case 0xFDD0: // QTextDocument's own, of frames
        case 0xFDD1:
            return true;
        default:
            return c.category() == QChar::Other_Control;
        }
    });
}

QString PayloadText::text() const
{
    // Not toPlainText(): it turns no-break spaces into blanks.
    QString text = document()->toRawText();
    text.replace(QChar::ParagraphSeparator, QChar::LineFeed);
    text.replace(QChar::LineSeparator, QChar::LineFeed); // Shift+Return
    return text;
}

bool PayloadText::setText(const QString &newText)
{
    setPlainText(newText);
    return text() == newText;
}

void PayloadText::markError(std::optional<qsizetype> position)
{
    QList<QTextEdit::ExtraSelection> marks;
    if (position) {
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(document());
        const int last = document()->characterCount() - 1;
        // At the very end there is no character: mark the one before.
        const int at = qBound(0, int(*position), qMax(0, last - 1));
        mark.cursor.setPosition(at);
        mark.cursor.setPosition(qMin(at + 1, last), QTextCursor::KeepAnchor);
        mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        mark.format.setUnderlineColor(toneColor(Tone::Danger, palette()));
        mark.format.setBackground(toneFill(Tone::Danger, palette()));
        marks << mark;
    }
    setExtraSelections(marks);
}

QSize PayloadText::sizeHint() const
{
    if (m_lines == Lines::One)
        return {160, maximumHeight()};
    return {320, 3 * fontMetrics().lineSpacing() + 2 * frameWidth() + 6};
}

void PayloadText::keyPressEvent(QKeyEvent *event)
{
    const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (m_lines == Lines::One && isReturn) {
        event->ignore();
        return;
    }
    QPlainTextEdit::keyPressEvent(event);
}

void PayloadText::insertFromMimeData(const QMimeData *source)
{
    if (!source->hasText())
        return;
    QString pasted = source->text();
    // A line copied from elsewhere brings its line end along; in a one-line field it is not meant.
    if (m_lines == Lines::One && pasted.endsWith(u'\n'))
        pasted.chop(pasted.endsWith(QStringLiteral("\r\n")) ? 2 : 1);
    const qsizetype now = document()->characterCount() - 1;
    const QTextCursor cursor = textCursor();
    const qsizetype replaced = cursor.selectionEnd() - cursor.selectionStart();
    if (!canShow(pasted) || now - replaced + pasted.size() > kMaxChars) {
        QString whole = text();
        whole.replace(cursor.selectionStart(), replaced, pasted);
        emit pasteRefused(whole);
        return;
    }
    insertPlainText(pasted);
    ensureCursorVisible();
}

} // namespace topicscope::ui
