#include "ui/views/hexview.h"

#include "core/records/payloadformat.h"

#include <QEvent>
#include <QPainter>

namespace topicscope::ui
{

namespace
{

// Columns of a line of hexDump(): 8 digits, then two hex digits a byte with a wider gap in the
// middle, then the ASCII between bars.
constexpr int kBytesPerRow = 16;
constexpr int kAsciiColumn = 61;
constexpr int kColumns = kAsciiColumn + kBytesPerRow + 1;

constexpr int hexColumn(int byte)
{
    return 10 + 3 * byte + (byte >= kBytesPerRow / 2 ? 1 : 0);
}

} // namespace

HexView::HexView(QWidget *parent)
    : ByteView(parent)
{
    setAccessibleName(tr("Bytes in hexadecimal"));
}

int HexView::rowCount() const
{
    return int((byteCount() + kBytesPerRow - 1) / kBytesPerRow);
}

int HexView::rowOf(qsizetype position) const
{
    const qsizetype last = std::max<qsizetype>(0, byteCount() - 1);
    return int(std::min(position, last) / kBytesPerRow);
}

qsizetype HexView::rowBegin(int row) const
{
    return std::min(qsizetype(row) * kBytesPerRow, byteCount());
}

qsizetype HexView::positionAt(QPointF point) const
{
    const int row = std::clamp(firstVisibleRow() + int(point.y()) / rowHeight(), 0,
                               std::max(0, rowCount() - 1));
    const qreal column = (point.x() - leftEdge()) / columnWidth();
    int byte = 0;
    if (column >= kAsciiColumn - 1) {
        byte = int(column) - kAsciiColumn;
    } else {
        while (byte + 1 < kBytesPerRow && column >= hexColumn(byte + 1) - 0.5)
            ++byte;
    }
    return std::min(rowBegin(row) + std::clamp(byte, 0, kBytesPerRow - 1), byteCount());
}

qsizetype HexView::positionInRow(int row, qsizetype like) const
{
    return std::min(rowBegin(row) + like % kBytesPerRow, byteCount());
}

ByteView::CursorRow HexView::cursorRow() const
{
    if (byteCount() == 0)
        return {};
    const qsizetype begin = rowBegin(rowOf(cursor()));
    return {hexDump(bytes(), begin, kBytesPerRow), hexColumn(int(cursor() - begin))};
}

int HexView::contentWidth() const
{
    return int(kColumns * columnWidth());
}

void HexView::paintRows(QPainter &painter, int firstRow, int count)
{
    const qreal width = columnWidth();
    const int height = rowHeight();
    const int ascent = fontMetrics().ascent();
    for (int i = 0; i < count; ++i) {
        const qsizetype begin = rowBegin(firstRow + i);
        const QString line = hexDump(bytes(), begin, kBytesPerRow);
        const QPointF base(leftEdge(), i * height + ascent);
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(base, line.first(8));
        painter.setPen(palette().color(QPalette::Text));
        const QPointF afterPosition = base + QPointF(8 * width, 0);
        painter.drawText(afterPosition, line.sliced(8));

        const int from = int(std::clamp<qsizetype>(selectionBegin() - begin, 0, kBytesPerRow));
        const int to = int(std::clamp<qsizetype>(selectionEnd() - begin, 0, kBytesPerRow));
        const auto cells = [&](int firstColumn, int columns) {
            return QRectF(leftEdge() + firstColumn * width, i * height, columns * width, height);
        };
        if (from < to) {
            const QRectF hex = cells(hexColumn(from), hexColumn(to - 1) + 2 - hexColumn(from));
            const QRectF ascii = cells(kAsciiColumn + from, to - from);
            painter.save();
            painter.setClipRegion(QRegion(hex.toAlignedRect()) + QRegion(ascii.toAlignedRect()));
            painter.fillRect(viewport()->rect(), palette().highlight());
            painter.setPen(palette().color(QPalette::HighlightedText));
            painter.drawText(afterPosition, line.sliced(8));
            painter.restore();
        } else if (hasFocus() && cursor() >= begin && cursor() < begin + kBytesPerRow &&
                   cursor() < byteCount()) {
            const int byte = int(cursor() - begin);
            painter.setPen(palette().color(QPalette::Highlight));
            painter.drawRect(cells(hexColumn(byte), 2).adjusted(-1, 0, 1, -1));
            painter.drawRect(cells(kAsciiColumn + byte, 1).adjusted(0, 0, 0, -1));
        }
    }
}

void HexView::changeEvent(QEvent *event)
{
    ByteView::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        updateScrollBars();
    }
}

} // namespace topicscope::ui
