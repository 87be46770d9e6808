#include "ui/delegates/topicbardelegate.h"

#include "ui/models/topictreemodel.h"
#include "ui/theme/icons.h"

#include <QApplication>
#include <QPainter>

namespace topicscope::ui
{

namespace
{

constexpr int kMargin = 4;

QIcon iconOf(const QModelIndex &index)
{
    using Kind = TopicTreeModel::NodeKind;
    using State = TopicTreeModel::NodeState;
    const auto kind = index.data(TopicTreeModel::NodeKindRole).value<Kind>();
    const auto state = index.data(TopicTreeModel::NodeStateRole).value<State>();
    if (kind == Kind::Connection) {
        switch (state) {
        case State::Failed:
            return icon(IconName::Offline, Tone::Danger);
        case State::Connecting:
            return icon(IconName::Broker, Tone::Muted);
        case State::ReadOnly:
            return icon(IconName::ReadOnly, Tone::Warning);
        case State::Ok:
        case State::Degraded: // of topics and partitions only
            return icon(IconName::Broker, Tone::Good);
        }
    }
    if (state == State::Failed || state == State::Degraded)
        return icon(IconName::Warning, Tone::Warning);
    if (kind == Kind::Brokers || kind == Kind::Broker)
        return icon(IconName::Broker, Tone::Muted);
    return icon(kind == Kind::Topic ? IconName::Topic : IconName::Partition, Tone::Muted);
}

} // namespace

void TopicBarDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() == TopicTreeModel::NameColumn) {
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->icon = iconOf(index);
    }
}

QSize TopicBarDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QSize hint = QStyledItemDelegate::sizeHint(option, index);
    return {hint.width(), qMax(hint.height(), option.fontMetrics.height() + 6)};
}

void TopicBarDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                             const QModelIndex &index) const
{
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    if (const QVariant bar = index.data(TopicTreeModel::BarRole); bar.isValid()) {
        QStyleOptionViewItem background(option);
        background.index = index;
        option.widget->style()->drawPrimitive(QStyle::PE_PanelItemViewItem, &background, painter,
                                              option.widget);
        const QRect area = option.rect.adjusted(kMargin, 3, -kMargin, -3);
        QRect filled = area;
        filled.setWidth(qRound(area.width() * qBound(0.0, bar.toDouble(), 1.0)));
        QColor color = option.palette.color(selected ? QPalette::HighlightedText : QPalette::Link);
        color.setAlphaF(selected ? 0.25F : 0.22F);
        painter->fillRect(filled, color);
        painter->setPen(
            option.palette.color(selected ? QPalette::HighlightedText : QPalette::Text));
        painter->setFont(option.font);
        painter->drawText(option.rect.adjusted(0, 0, -kMargin - 1, 0),
                          Qt::AlignRight | Qt::AlignVCenter, index.data().toString());
        return;
    }

    QStyledItemDelegate::paint(painter, option, index);
    const QVariant count = index.data(TopicTreeModel::CountRole);
    if (index.column() != TopicTreeModel::NameColumn || !count.isValid())
        return;
    const QString text = QString::number(count.toInt());
    const int needed = option.decorationSize.width() +
                       option.fontMetrics.horizontalAdvance(index.data().toString() + text) +
                       3 * kMargin;
    if (needed > option.rect.width())
        return;
    painter->setFont(option.font);
    painter->setPen(
        option.palette.color(selected ? QPalette::HighlightedText : QPalette::PlaceholderText));
    painter->drawText(option.rect.adjusted(0, 0, -kMargin, 0), Qt::AlignRight | Qt::AlignVCenter,
                      text);
}

} // namespace topicscope::ui
