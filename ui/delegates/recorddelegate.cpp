#include "ui/delegates/recorddelegate.h"

#include "ui/models/modelroles.h"
#include "ui/theme/glyphs.h"
#include "ui/theme/icons.h"

#include <QFontDatabase>

#include <algorithm>

namespace topicscope::ui
{

namespace
{

Tone toneOf(RowState state)
{
    switch (state) {
    case RowState::Normal:
        return Tone::Normal;
    case RowState::Tombstone:
        return Tone::Muted;
    case RowState::ChecksumMismatch:
    case RowState::Damaged:
        return Tone::Danger;
    case RowState::Oversized:
    case RowState::Gap:
        return Tone::Warning;
    }
    return Tone::Normal;
}

IconName iconOf(RowState state)
{
    switch (state) {
    case RowState::Oversized:
        return IconName::Oversized;
    case RowState::Gap:
        return IconName::Gap;
    case RowState::Damaged:
        return IconName::Warning;
    case RowState::Tombstone:
        return IconName::Remove;
    case RowState::Normal:
    case RowState::ChecksumMismatch:
        break;
    }
    return IconName::Corrupt;
}

} // namespace

RecordDelegate::RecordDelegate(QObject *parent)
    : QStyledItemDelegate(parent)
    , m_fixed(QFontDatabase::systemFont(QFontDatabase::FixedFont))
{
}

void RecordDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    // Shaping text is what painting costs: no more of it than can be seen.
    constexpr int kNarrowestCharacter = 3; // pixels
    if (const int fits = option->rect.width() / kNarrowestCharacter + 1; option->text.size() > fits)
        option->text = option->text.first(std::max(fits, 1)) + u'…';
    option->text = withGlyphs(option->text);
    const auto state = RowState(index.data(RowStateRole).toInt());
    const bool note = index.data(NoteRole).toBool();
    if (index.data(FixedPitchRole).toBool() && !note)
        option->font = m_fixed;
    if (note) {
        option->font.setItalic(true);
        if (!isFlagged(state))
            option->palette.setColor(QPalette::Text, toneColor(Tone::Muted, option->palette));
    }
    if (isFlagged(state))
        option->backgroundBrush = toneFill(toneOf(state), option->palette);
    if (state != RowState::Normal && index.data(FlagCellRole).toBool()) {
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->icon = icon(iconOf(state), toneOf(state));
        option->decorationSize = QSize(16, 16);
    }
}

} // namespace topicscope::ui
