#include "ui/views/byteview.h"

#include "core/base/digits.h"
#include "ui/views/accessiblebyteview.h"
#include "ui/views/payloadwork.h"

#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFontDatabase>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QScrollBar>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

/// More is looked through and copied on another thread: this takes no more than a few ms.
constexpr qsizetype kAtOnceBytes = qsizetype(1024) * 1024;

} // namespace

ByteView::ByteView(QWidget *parent)
    : QAbstractScrollArea(parent)
{
    AccessibleByteView::install();
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setCursor(Qt::IBeamCursor);
    viewport()->setBackgroundRole(QPalette::Base);

    const auto action = [this](const QString &text, const QKeySequence &keys, auto slot) {
        auto *created = new QAction(text, this);
        created->setShortcut(keys);
        created->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(created, &QAction::triggered, this, slot);
        addAction(created);
        return created;
    };
    action(tr("Copy as &text"), QKeySequence::Copy, &ByteView::copyText);
    m_copyHex = action(tr("Copy as &hex"), tr("Ctrl+Shift+C"), &ByteView::copyHex);
    m_copyBytes = action(tr("Copy &bytes"), {}, &ByteView::copyBytes);
    action(tr("Select &all"), QKeySequence::SelectAll, &ByteView::selectAll);
}

void ByteView::setBytes(std::span<const std::byte> bytes, std::shared_ptr<const void> owner)
{
    m_bytes = bytes;
    m_owner = std::move(owner);
    m_cursor = 0;
    m_anchor = 0;
    m_finding.cancel();
    emit workingChanged();
    bytesChanged();
    verticalScrollBar()->setValue(0);
    horizontalScrollBar()->setValue(0);
    updateScrollBars();
    cursorMoved();
}

std::span<const std::byte> ByteView::selectedBytes() const
{
    if (m_cursor == m_anchor)
        return m_bytes;
    return m_bytes.subspan(size_t(selectionBegin()), size_t(selectionEnd() - selectionBegin()));
}

void ByteView::select(qsizetype begin, qsizetype end)
{
    m_anchor = std::clamp<qsizetype>(begin, 0, byteCount());
    m_cursor = std::clamp<qsizetype>(end, 0, byteCount());
    ensureVisible(m_anchor);
    cursorMoved();
}

void ByteView::find(const QByteArray &needle, bool forward)
{
    const auto look = [bytes = m_bytes, owner = m_owner, needle, forward,
                       from = selectionBegin() + (forward && m_cursor != m_anchor ? 1 : 0)](
                          const std::stop_token &stop) {
        return needle.isEmpty() ? std::nullopt : findRound(bytes, needle, from, forward, stop);
    };
    const auto found = [this, size = needle.size()](std::optional<qsizetype> at) {
        if (at)
            select(*at, *at + size);
        emit workingChanged();
        emit findEnded(at.has_value());
    };
    if (byteCount() <= kAtOnceBytes) {
        m_finding.cancel();
        found(look({}));
        return;
    }
    m_finding.start(look, found);
    emit workingChanged();
}

QString ByteView::working() const
{
    if (m_copying.isRunning())
        return tr("Copying %1…").arg(byteText(m_copiedBytes));
    return m_finding.isRunning() ? tr("Looking through %1…").arg(byteText(byteCount())) : QString();
}

void ByteView::stopWorking()
{
    m_finding.cancel();
    m_copying.cancel();
    emit workingChanged();
}

void ByteView::offerBytes(bool offered)
{
    m_copyHex->setVisible(offered);
    m_copyBytes->setVisible(offered);
}

void ByteView::selectAll()
{
    m_anchor = 0;
    m_cursor = byteCount();
    cursorMoved();
}

void ByteView::copy(Put (*make)(std::span<const std::byte> bytes, const std::stop_token &stop))
{
    m_copying.cancel();
    const auto bytes = selectedBytes();
    m_copiedBytes = qsizetype(bytes.size());
    if (m_copiedBytes <= kAtOnceBytes) {
        make(bytes, {})();
    } else {
        m_copying.start([bytes, owner = m_owner,
                         make](const std::stop_token &stop) { return make(bytes, stop); },
                        [this](const Put &put) {
                            put();
                            emit workingChanged();
                        });
    }
    emit workingChanged();
}

void ByteView::copyText()
{
    copy([](std::span<const std::byte> bytes, const std::stop_token &stop) -> Put {
        return [text = textOf(bytes, stop)] { QApplication::clipboard()->setText(text); };
    });
}

void ByteView::copyHex()
{
    copy([](std::span<const std::byte> bytes, const std::stop_token &stop) -> Put {
        return [text = hexOf(bytes, stop)] { QApplication::clipboard()->setText(text); };
    });
}

void ByteView::copyBytes()
{
    copy([](std::span<const std::byte> bytes, const std::stop_token &stop) -> Put {
        return [copied = copyOf(bytes, stop)] {
            auto *mime = new QMimeData;
            mime->setData(u"application/octet-stream"_s, copied);
            QApplication::clipboard()->setMimeData(mime);
        };
    });
}

// ---------------------------------------------------------------------------------------- layout

int ByteView::firstVisibleRow() const
{
    return verticalScrollBar()->value();
}

int ByteView::rowHeight() const
{
    return fontMetrics().height();
}

qreal ByteView::columnWidth() const
{
    return QFontMetricsF(font()).horizontalAdvance(u'0');
}

int ByteView::visibleRows() const
{
    return viewport()->height() / rowHeight() + 1;
}

int ByteView::leftEdge() const
{
    constexpr int kMargin = 4;
    return kMargin - horizontalScrollBar()->value();
}

void ByteView::updateScrollBars()
{
    const int page = std::max(1, viewport()->height() / rowHeight());
    verticalScrollBar()->setPageStep(page);
    verticalScrollBar()->setRange(0, std::max(0, rowCount() - page));
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setSingleStep(int(columnWidth()));
    horizontalScrollBar()->setRange(0, std::max(0, contentWidth() + 8 - viewport()->width()));
}

void ByteView::paintEvent(QPaintEvent * /*event*/)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), palette().base());
    painter.setFont(font());
    const int first = firstVisibleRow();
    paintRows(painter, first, std::min(visibleRows(), rowCount() - first));
}

void ByteView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBars();
}

// ----------------------------------------------------------------------------------------- input

void ByteView::moveCursor(qsizetype position, bool keepAnchor)
{
    m_cursor = std::clamp<qsizetype>(position, 0, byteCount());
    if (!keepAnchor)
        m_anchor = m_cursor;
    ensureVisible(m_cursor);
    cursorMoved();
}

void ByteView::cursorMoved()
{
    viewport()->update();
    if (QAccessible::isActive()) {
        QAccessibleTextCursorEvent event(this, cursorRow().column);
        QAccessible::updateAccessibility(&event);
    }
}

void ByteView::ensureVisible(qsizetype position)
{
    const int row = rowOf(position);
    const int page = verticalScrollBar()->pageStep();
    if (row < firstVisibleRow())
        verticalScrollBar()->setValue(row);
    else if (row >= firstVisibleRow() + page)
        verticalScrollBar()->setValue(row - page + 1);
}

bool ByteView::event(QEvent *event)
{
    // A window's shortcuts must not take the keys that move the cursor here.
    if (event->type() == QEvent::ShortcutOverride) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Home || key == Qt::Key_End || key == Qt::Key_PageUp ||
            key == Qt::Key_PageDown) {
            event->accept();
            return true;
        }
    }
    return QAbstractScrollArea::event(event);
}

void ByteView::keyPressEvent(QKeyEvent *event)
{
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    const int row = rowOf(m_cursor);
    const int page = verticalScrollBar()->pageStep();
    const auto toRow = [&](int wanted) {
        moveCursor(positionInRow(std::clamp(wanted, 0, std::max(0, rowCount() - 1)), m_cursor),
                   shift);
    };
    switch (event->key()) {
    case Qt::Key_Left:
        moveCursor(previousPosition(m_cursor), shift);
        break;
    case Qt::Key_Right:
        moveCursor(nextPosition(m_cursor), shift);
        break;
    case Qt::Key_Up:
        toRow(row - 1);
        break;
    case Qt::Key_Down:
        toRow(row + 1);
        break;
    case Qt::Key_PageUp:
        toRow(row - page);
        break;
    case Qt::Key_PageDown:
        toRow(row + page);
        break;
    case Qt::Key_Home:
        moveCursor(control ? 0 : rowBegin(row), shift);
        break;
    case Qt::Key_End:
        moveCursor(control || row + 1 >= rowCount() ? byteCount()
                                                    : previousPosition(rowBegin(row + 1)),
                   shift);
        break;
    default:
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    event->accept();
}

void ByteView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton) {
        moveCursor(positionAt(event->position()), event->modifiers().testFlag(Qt::ShiftModifier));
    }
}

void ByteView::mouseMoveEvent(QMouseEvent *event)
{
    if (event->buttons().testFlag(Qt::LeftButton))
        moveCursor(positionAt(event->position()), true);
}

void ByteView::mouseReleaseEvent(QMouseEvent *event)
{
    event->accept(); // the selection was made while moving
}

void ByteView::mouseDoubleClickEvent(QMouseEvent *event)
{
    // A word: the run of letters, digits and bytes above ASCII around the point.
    const auto inWord = [this](qsizetype position) {
        const auto byte = quint8(m_bytes[size_t(position)]);
        return byte >= 0x80 || byte == '_' || QChar::isLetterOrNumber(byte);
    };
    const qsizetype at = positionAt(event->position());
    qsizetype begin = at;
    qsizetype end = at;
    const qsizetype least = std::max<qsizetype>(0, at - kAtOnceBytes); // of a word without an end
    const qsizetype most = std::min(byteCount(), at + kAtOnceBytes);
    while (begin > least && inWord(begin - 1))
        --begin;
    while (end < most && inWord(end))
        ++end;
    select(begin, end);
}

void ByteView::contextMenuEvent(QContextMenuEvent *event)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions(actions());
    menu->popup(event->globalPos());
}

} // namespace topicscope::ui
