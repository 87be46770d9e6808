#include "ui/views/recordtableview.h"

#include <QHeaderView>
#include <QPainter>
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

bool RecordTableView::isAtBottom() const
{
    return verticalScrollBar()->value() >= verticalScrollBar()->maximum();
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
    QTableView::resizeEvent(event);
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
    if (m_placeholder.isEmpty() || (model() && model()->rowCount() > 0))
        return;
    QPainter painter(viewport());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(viewport()->rect().adjusted(16, 16, -16, -16),
                     int(Qt::AlignCenter | Qt::TextWordWrap), m_placeholder);
}

} // namespace topicscope::ui
