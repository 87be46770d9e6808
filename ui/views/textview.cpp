#include "ui/views/textview.h"

#include "core/records/payloadformat.h"
#include "core/records/utf8.h"
#include "ui/theme/glyphs.h"

#include <QElapsedTimer>
#include <QEvent>
#include <QPainter>
#include <QScrollBar>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kMarkRows = 64;
constexpr int kSliceMs = 4;
constexpr int kTabColumns = 4;
constexpr int kMinColumns = 16;

/// About how many columns a character takes; only decides where rows are wrapped.
int columnsOf(Utf8Character character)
{
    const char32_t c = character.codePoint;
    if (character.size == 0)
        return 4;
    if (c >= 0x20 && c < 0x7F)
        return 1;
    if (c == U'\t')
        return kTabColumns;
    if (c == U'\n')
        return 1;
    const bool wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) ||
                      (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
                      (c >= 0xFF00 && c <= 0xFF60) || (c >= 0x1F300 && c <= 0x1FAFF) ||
                      (c >= 0x20000 && c <= 0x3FFFD);
    return wide ? 2 : int(withGlyphs(drawnCharacter(c)).size());
}

} // namespace

TextView::TextView(QWidget *parent)
    : ByteView(parent)
{
    setAccessibleName(tr("Payload as text"));
    m_timer.setInterval(0);
    connect(&m_timer, &QTimer::timeout, this, &TextView::indexSlice);
}

void TextView::setSource(Source source)
{
    if (source == m_source)
        return;
    m_source = source;
    offerBytes(source == Source::Payload);
    bytesChanged();
    updateScrollBars();
}

// ------------------------------------------------------------------------------------------ rows

qsizetype TextView::rowEnd(qsizetype begin) const
{
    const auto all = bytes();
    int columns = 0;
    qsizetype position = begin;
    while (position < byteCount()) {
        const Utf8Character character = utf8At(all, position);
        if (character.codePoint == U'\n' && character.size == 1)
            return position + 1;
        columns += columnsOf(character);
        if (columns > m_columns && position > begin)
            return position;
        position += std::max(character.size, 1);
    }
    return position;
}

int TextView::columnsFor(int width) const
{
    // One column is kept free for the drawn line end.
    return std::max(kMinColumns, int((width - 2 * 4) / columnWidth()) - 1);
}

void TextView::bytesChanged()
{
    m_columns = columnsFor(viewport()->width());
    m_marks.clear();
    m_toReveal.reset();
    m_rows = 0;
    m_indexed = 0;
    m_contentWidth = 0;
    indexSlice();
}

void TextView::indexSlice()
{
    QElapsedTimer time;
    time.start();
    while (m_indexed < byteCount()) {
        if (m_rows % kMarkRows == 0) {
            if (time.elapsed() >= kSliceMs)
                break;
            m_marks.push_back(m_indexed);
        }
        m_indexed = rowEnd(m_indexed);
        ++m_rows;
    }
    updateScrollBars();
    viewport()->update();
    if (m_indexed < byteCount()) {
        m_timer.start();
        return;
    }
    m_timer.stop();
    if (const auto position = std::exchange(m_toReveal, std::nullopt))
        ensureVisible(*position);
    emit indexed();
}

void TextView::ensureVisible(qsizetype position)
{
    m_toReveal.reset();
    if (position < m_indexed || isIndexed())
        ByteView::ensureVisible(position);
    else
        m_toReveal = position;
}

qsizetype TextView::rowBegin(int row) const
{
    if (row >= m_rows)
        return m_indexed;
    qsizetype position = m_marks[size_t(row / kMarkRows)];
    for (int i = 0; i < row % kMarkRows; ++i)
        position = rowEnd(position);
    return position;
}

int TextView::rowOf(qsizetype position) const
{
    if (m_rows == 0)
        return 0;
    const auto mark = std::upper_bound(m_marks.begin(), m_marks.end(), position) - 1;
    int row = int(mark - m_marks.begin()) * kMarkRows;
    for (qsizetype begin = *mark; row + 1 < m_rows; ++row) {
        begin = rowEnd(begin);
        if (begin > position)
            break;
    }
    return row;
}

TextView::Row TextView::makeRow(int row) const
{
    Row result;
    const qsizetype begin = rowBegin(row);
    const qsizetype end = rowEnd(begin);
    QTextCharFormat muted;
    muted.setForeground(palette().placeholderText());
    for (qsizetype position = begin; position < end;) {
        const Utf8Character character = utf8At(bytes(), position);
        const qsizetype next = position + std::max(character.size, 1);
        QString shown;
        if (m_source == Source::Payload) {
            shown = character.codePoint == U'\n' ? lineEndGlyph()
                    : character.codePoint == U'\t'
                        ? tabGlyph() + u'\t'
                        : withGlyphs(textView(bytes(), position, 1).text);
        } else if (character.codePoint != U'\n') {
            shown = withGlyphs(QString::fromUcs4(&character.codePoint, 1));
        }
        const bool asIs = character.size > 0 && shown == QString::fromUcs4(&character.codePoint, 1);
        if (!asIs && !shown.isEmpty())
            result.drawn.append({int(result.text.size()), int(shown.size()), muted});
        result.text += shown;
        result.byteOf.resize(size_t(result.text.size()), position);
        position = next;
    }
    result.byteOf.push_back(end);
    return result;
}

ByteView::CursorRow TextView::cursorRow() const
{
    if (m_rows == 0)
        return {};
    const Row row = makeRow(rowOf(cursor()));
    const auto unit = std::ranges::lower_bound(row.byteOf, cursor()) - row.byteOf.begin();
    return {row.text, int(std::min<qsizetype>(unit, row.text.size()))};
}

void TextView::layOut(QTextLayout &layout) const
{
    QTextOption option;
    option.setWrapMode(QTextOption::NoWrap);
    option.setTextDirection(Qt::LeftToRight); // whatever letters a row begins with
    option.setTabStopDistance(kTabColumns * columnWidth());
    layout.setTextOption(option);
    layout.setFont(font());
    layout.setCacheEnabled(false);
    layout.beginLayout();
    layout.createLine().setLeadingIncluded(false);
    layout.endLayout();
}

// ---------------------------------------------------------------------------- painting, positions

void TextView::paintRows(QPainter &painter, int firstRow, int count)
{
    int widest = 0;
    QTextCharFormat selected;
    selected.setBackground(palette().highlight());
    selected.setForeground(palette().highlightedText());
    painter.setPen(palette().color(QPalette::Text));
    for (int i = 0; i < count; ++i) {
        const Row row = makeRow(firstRow + i);
        QList<QTextLayout::FormatRange> formats = row.drawn;
        const auto unitOf = [&row](qsizetype byte) {
            return int(std::lower_bound(row.byteOf.begin(), row.byteOf.end(), byte) -
                       row.byteOf.begin());
        };
        const int from = std::min(unitOf(selectionBegin()), int(row.text.size()));
        const int to = std::min(unitOf(selectionEnd()), int(row.text.size()));
        if (from < to)
            formats.append({from, to - from, selected});
        QTextLayout layout(row.text);
        layout.setFormats(formats);
        layOut(layout);
        const QPointF at(leftEdge(), i * rowHeight());
        layout.draw(&painter, at);
        const bool atEnd = cursor() == byteCount() && firstRow + i + 1 == m_rows;
        if (hasFocus() && cursor() >= row.byteOf.front() && (cursor() < row.byteOf.back() || atEnd))
            layout.drawCursor(&painter, at, std::min(unitOf(cursor()), int(row.text.size())));
        widest = std::max(widest, int(layout.lineAt(0).naturalTextWidth()) + 1);
    }
    if (widest > m_contentWidth) {
        m_contentWidth = widest;
        updateScrollBars();
    }
}

qsizetype TextView::positionAt(QPointF point) const
{
    if (m_rows == 0)
        return 0;
    const int row =
        std::clamp(firstVisibleRow() + int(std::floor(point.y() / rowHeight())), 0, m_rows - 1);
    const Row made = makeRow(row);
    QTextLayout layout(made.text);
    layOut(layout);
    const int unit = layout.lineAt(0).xToCursor(point.x() - leftEdge());
    const qsizetype position = made.byteOf[size_t(unit)];
    // Behind the last character of a row means before its line end, not the next row's begin.
    const bool lastRow = row + 1 == m_rows;
    return position == made.byteOf.back() && !lastRow ? previousPosition(position) : position;
}

qsizetype TextView::positionInRow(int row, qsizetype like) const
{
    const int from = rowOf(like);
    const Row here = makeRow(from);
    const auto unit =
        std::lower_bound(here.byteOf.begin(), here.byteOf.end(), like) - here.byteOf.begin();
    const Row there = makeRow(row);
    const bool lastRow = row + 1 == m_rows;
    const auto last = qsizetype(there.byteOf.size()) - (lastRow ? 1 : 2);
    return there.byteOf[size_t(std::clamp<qsizetype>(unit, 0, std::max<qsizetype>(last, 0)))];
}

qsizetype TextView::nextPosition(qsizetype position) const
{
    if (position >= byteCount())
        return byteCount();
    return position + std::max(utf8At(bytes(), position).size, 1);
}

qsizetype TextView::previousPosition(qsizetype position) const
{
    // A character has at most four bytes: the farthest start that ends exactly here.
    for (qsizetype size = std::min<qsizetype>(4, position); size > 1; --size) {
        if (utf8At(bytes(), position - size).size == size)
            return position - size;
    }
    return std::max<qsizetype>(position - 1, 0);
}

void TextView::resizeEvent(QResizeEvent *event)
{
    if (columnsFor(viewport()->width()) != m_columns) {
        const qsizetype top = m_rows > 0 ? rowBegin(std::min(firstVisibleRow(), m_rows - 1)) : 0;
        const auto toReveal = m_toReveal;
        bytesChanged();
        verticalScrollBar()->setValue(rowOf(std::min(top, m_indexed)));
        if (toReveal)
            ensureVisible(*toReveal);
    }
    ByteView::resizeEvent(event);
}

void TextView::changeEvent(QEvent *event)
{
    ByteView::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        bytesChanged();
        updateScrollBars();
    }
}

} // namespace topicscope::ui
