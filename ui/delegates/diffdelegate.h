#pragma once

#include <QStyledItemDelegate>

namespace topicscope::ui
{

/// Paints the rows of a DiffModel: rows that differ on a tint, what differs in them bold and
/// underlined. Knows its roles.
class DiffDelegate final : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

} // namespace topicscope::ui
