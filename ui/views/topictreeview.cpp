#include "ui/views/topictreeview.h"

#include "ui/theme/palette.h"

#include <QKeyEvent>
#include <QPainter>

namespace topicscope::ui
{

namespace
{

constexpr int kMargin = 4;

} // namespace

TopicTreeView::TopicTreeView(int noteRole, QWidget *parent)
    : QTreeView(parent)
    , m_noteRole(noteRole)
{
}

void TopicTreeView::drawRow(QPainter *painter, const QStyleOptionViewItem &options,
                            const QModelIndex &index) const
{
    QTreeView::drawRow(painter, options, index);
    const QString note = index.data(m_noteRole).toString();
    if (note.isEmpty())
        return;
    int first = model()->columnCount();
    while (first > 1 && index.siblingAtColumn(first - 1).data().toString().isEmpty())
        --first;
    if (first == model()->columnCount())
        return;
    QRect area = options.rect;
    area.setLeft(columnViewportPosition(first) + kMargin);
    if (first == 1) { // right behind the name, which may leave more room
        const QModelIndex name = index.siblingAtColumn(0);
        const int end = visualRect(name).left() + sizeHintForIndex(name).width() + 2 * kMargin;
        area.setLeft(qMin(area.left(), end));
    }
    area.setRight(viewport()->width() - kMargin);
    for (int column = 1; column < model()->columnCount(); ++column) {
        if (const QWidget *widget = indexWidget(index.siblingAtColumn(column)))
            area.setRight(qMin(area.right(), widget->x() - kMargin));
    }
    const bool selected = selectionModel()->isRowSelected(index.row(), index.parent());
    painter->save();
    painter->setFont(font());
    painter->setPen(selected ? palette().color(QPalette::HighlightedText)
                             : toneColor(Tone::Muted, palette()));
    painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(note, Qt::ElideRight, area.width()));
    painter->restore();
}

void TopicTreeView::keyPressEvent(QKeyEvent *event)
{
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) &&
        currentIndex().isValid()) {
        emit opened(currentIndex());
        return;
    }
    QTreeView::keyPressEvent(event);
}

void TopicTreeView::mouseDoubleClickEvent(QMouseEvent *event)
{
    const QModelIndex index = indexAt(event->position().toPoint());
    if (index.isValid() && event->button() == Qt::LeftButton)
        emit opened(index);
    else
        QTreeView::mouseDoubleClickEvent(event);
}

} // namespace topicscope::ui
