#include "ui/views/recordtableview.h"

#include <QHeaderView>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>

namespace topicscope::ui
{

RecordTableView::RecordTableView(QWidget *parent)
    : QTableView(parent)
{
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setShowGrid(false);
    setWordWrap(false);
    setTextElideMode(Qt::ElideRight);
    setVerticalScrollMode(ScrollPerItem);
    setHorizontalScrollMode(ScrollPerPixel);
    setTabKeyNavigation(false);
    setCornerButtonEnabled(false);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setMinimumSectionSize(1);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setStretchLastSection(true);
}

void RecordTableView::setModel(QAbstractItemModel *model)
{
    QTableView::setModel(model);
    connect(model, &QAbstractItemModel::rowsAboutToBeInserted, this, &RecordTableView::keepTop);
    connect(model, &QAbstractItemModel::rowsRemoved, this, &RecordTableView::restoreTop);
    connect(model, &QAbstractItemModel::modelReset, this, &RecordTableView::checkEdgesLater);
}

void RecordTableView::setPlaceholder(const QString &text)
{
    m_placeholder = text;
    viewport()->update();
}

void RecordTableView::setOutline(int column, std::function<QString(int row)> text)
{
    m_outlineColumn = column;
    m_outline = std::move(text);
    viewport()->update();
}

bool RecordTableView::isAtBottom() const
{
    return verticalScrollBar()->value() >= verticalScrollBar()->maximum();
}

int RecordTableView::rowsOnScreen() const
{
    return std::max(1, viewport()->height() / verticalHeader()->defaultSectionSize());
}

std::pair<int, int> RecordTableView::visibleRows() const
{
    const int rows = model() ? model()->rowCount() : 0;
    if (rows == 0)
        return {0, -1};
    const int first = std::max(0, rowAt(0));
    const int last = rowAt(viewport()->height() - 1);
    return {first, last < 0 ? rows - 1 : last};
}

void RecordTableView::showRow(int row)
{
    const QModelIndex index = model()->index(row, std::max(0, currentIndex().column()));
    const auto [first, last] = visibleRows();
    setCurrentIndex(index);
    if (row <= first || row >= last)
        scrollTo(index, PositionAtCenter);
}

void RecordTableView::keepTop()
{
    const int top = rowAt(0);
    m_top = top < 0 ? QModelIndex() : model()->index(top, 0);
    m_wasAtBottom = isAtBottom();
}

void RecordTableView::restoreTop()
{
    updateGeometries(); // the scroll bar must know about the rows before it is set
    if (m_followsEnd && m_wasAtBottom)
        scrollToBottom();
    else if (m_top.isValid())
        verticalScrollBar()->setValue(m_top.row());
    m_top = QModelIndex();
    checkEdgesLater();
}

void RecordTableView::rowsInserted(const QModelIndex &parent, int first, int last)
{
    QTableView::rowsInserted(parent, first, last);
    restoreTop();
}

void RecordTableView::rowsAboutToBeRemoved(const QModelIndex &parent, int first, int last)
{
    keepTop();
    // Left alone, the view would make a neighbour of an evicted row current and scroll to it.
    const int current = currentIndex().row();
    if (current >= first && current <= last)
        selectionModel()->clearCurrentIndex();
    QTableView::rowsAboutToBeRemoved(parent, first, last);
}

void RecordTableView::scrollContentsBy(int dx, int dy)
{
    QTableView::scrollContentsBy(dx, dy);
    if (dy != 0) {
        emit scrolled();
        checkEdgesLater();
    }
}

void RecordTableView::resizeEvent(QResizeEvent *event)
{
    const bool wasAtBottom = isAtBottom();
    const QRect current = visualRect(currentIndex());
    const bool wasInView = current.isValid() && current.bottom() < event->oldSize().height();
    QTableView::resizeEvent(event);
    // Less room must not hide what comes in, nor what is looked at.
    if (m_followsEnd && wasAtBottom)
        scrollToBottom();
    else if (wasInView && current.bottom() >= viewport()->height())
        scrollTo(currentIndex().siblingAtColumn(0));
    checkEdgesLater();
}

void RecordTableView::checkEdgesLater()
{
    if (std::exchange(m_checkPosted, true))
        return;
    QMetaObject::invokeMethod(this, &RecordTableView::checkEdges, Qt::QueuedConnection);
}

void RecordTableView::checkEdges()
{
    m_checkPosted = false;
    const auto [first, last] = visibleRows();
    const int rows = model() ? model()->rowCount() : 0;
    if (rows == 0)
        return;
    const int margin = 2 * (last - first + 1);
    if (first < margin)
        emit topNeared();
    if (last > rows - 1 - margin)
        emit bottomNeared();
}

void RecordTableView::paintEvent(QPaintEvent *event)
{
    QTableView::paintEvent(event);
    if (model() && model()->rowCount() > 0)
        return;
    QPainter painter(viewport());
    if (m_outline) {
        paintOutline(painter);
        return;
    }
    if (m_placeholder.isEmpty())
        return;
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(viewport()->rect().adjusted(16, 16, -16, -16),
                     int(Qt::AlignCenter | Qt::TextWordWrap), m_placeholder);
}

void RecordTableView::paintOutline(QPainter &painter) const
{
    const int height = verticalHeader()->defaultSectionSize();
    const int bar = std::max(2, height / 4);
    const QColor text = palette().color(QPalette::PlaceholderText);
    QColor outline = text;
    outline.setAlphaF(0.18F);
    const auto *const header = horizontalHeader();
    for (int row = 0; row * height < viewport()->height(); ++row) {
        for (int section = 0; section < header->count(); ++section) {
            if (header->isSectionHidden(section))
                continue;
            const QRect cell(header->sectionViewportPosition(section), row * height,
                             header->sectionSize(section), height);
            const QRect inside = cell.adjusted(6, 0, -6, 0);
            if (section == m_outlineColumn) {
                painter.setPen(text);
                painter.drawText(inside, int(Qt::AlignRight | Qt::AlignVCenter), m_outline(row));
            } else {
                const int width = std::min(inside.width(), header->fontMetrics().height() * 14);
                painter.fillRect(inside.left(), cell.center().y() - bar / 2, width * 3 / 4, bar,
                                 outline);
            }
        }
    }
}

} // namespace topicscope::ui
