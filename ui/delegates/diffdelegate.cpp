#include "ui/delegates/diffdelegate.h"

#include "ui/models/diffmodel.h"
#include "ui/theme/glyphs.h"
#include "ui/theme/palette.h"

#include <QApplication>
#include <QPainter>
#include <QTextLayout>

namespace topicscope::ui
{

namespace
{

constexpr int kMargin = 4;

Tone toneOf(DiffRow::Kind kind)
{
    switch (kind) {
    case DiffRow::Kind::LeftOnly:
        return Tone::Danger;
    case DiffRow::Kind::RightOnly:
        return Tone::Good;
    default:
        return Tone::Warning;
    }
}

} // namespace

void DiffDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const auto kind = DiffRow::Kind(index.data(DiffModel::KindRole).toInt());
    const bool isText = index.data(DiffModel::DifferentSizeRole).isValid();
    if (kind != DiffRow::Kind::Equal)
        option->backgroundBrush = toneFill(toneOf(kind), option->palette);
    else if (!isText)
        option->palette.setColor(QPalette::Text, toneColor(Tone::Muted, option->palette));
    option->font.setBold(index.column() == DiffModel::Mark);
}

void DiffDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                         const QModelIndex &index) const
{
    const QVariant size = index.data(DiffModel::DifferentSizeRole);
    if (!size.isValid()) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    QStyleOptionViewItem whole = option;
    initStyleOption(&whole, index);
    const QString text = std::exchange(whole.text, {});
    const QStyle *style = whole.widget ? whole.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &whole, painter, whole.widget);

    // Signs without a glyph are drawn as others, which may be more characters.
    const auto begin = qsizetype(index.data(DiffModel::DifferentBeginRole).toInt());
    const QString before = withGlyphs(text.first(begin));
    const QString different = withGlyphs(text.sliced(begin, size.toInt()));
    QTextLayout layout(before + different + withGlyphs(text.sliced(begin + size.toInt())),
                       whole.font);
    QTextCharFormat marked;
    marked.setFontWeight(QFont::Bold);
    marked.setFontUnderline(true);
    if (!different.isEmpty())
        layout.setFormats({{int(before.size()), int(different.size()), marked}});
    QTextOption lines;
    lines.setWrapMode(QTextOption::NoWrap);
    lines.setTextDirection(Qt::LeftToRight);
    layout.setTextOption(lines);
    layout.beginLayout();
    QTextLine line = layout.createLine();
    layout.endLayout();
    const bool isSelected = whole.state.testFlag(QStyle::State_Selected);
    const auto group =
        whole.state.testFlag(QStyle::State_Active) ? QPalette::Active : QPalette::Inactive;
    painter->save();
    painter->setClipRect(whole.rect);
    painter->setPen(
        whole.palette.color(group, isSelected ? QPalette::HighlightedText : QPalette::Text));
    layout.draw(painter, QPointF(whole.rect.left() + kMargin,
                                 whole.rect.top() + (whole.rect.height() - line.height()) / 2));
    painter->restore();
}

} // namespace topicscope::ui
