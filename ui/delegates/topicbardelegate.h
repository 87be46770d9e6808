#pragma once

#include <QStyledItemDelegate>

namespace topicscope::ui
{

/// Draws the topic tree: an icon for the kind and state of a row, a topic's number of partitions
/// behind its name, and a bar beneath the count of a partition. Knows TopicTreeModel's roles only.
class TopicBarDelegate final : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

} // namespace topicscope::ui
