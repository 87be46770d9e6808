#include "ui/panels/elidedlabel.h"

#include "ui/plaintooltip.h"

#include <QIcon>
#include <QPainter>
#include <QStyle>

namespace topicscope::ui
{

namespace
{
constexpr int kIconGap = 4;
constexpr int kRaggedChars = 10;
} // namespace

ElidedLabel::ElidedLabel(QWidget *parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

ElidedLabel::ElidedLabel(int lines, QWidget *parent)
    : ElidedLabel(parent)
{
    m_lines = lines;
}

void ElidedLabel::setLine(const QString &text, const QIcon &icon)
{
    const bool sameSize = text == this->text() && icon.isNull() == m_icon.isNull();
    m_icon = text.isEmpty() ? QIcon() : icon;
    update();
    if (sameSize)
        return;
    setText(text);
    setToolTip(plainToolTip(text));
    updateGeometry();
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 8, sizeHint().height()};
}

QSize ElidedLabel::sizeHint() const
{
    const int iconSize = style()->pixelMetric(QStyle::PM_SmallIconSize, nullptr, this);
    const int iconWidth = m_icon.isNull() ? 0 : iconSize + kIconGap;
    // Two pixels more than the text: fractional advances would otherwise elide what just fits.
    return {fontMetrics().horizontalAdvance(text()) + iconWidth + 2,
            qMax(m_lines * fontMetrics().lineSpacing(), iconSize)};
}

void ElidedLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    QRect area = rect();
    if (!m_icon.isNull()) {
        const int size = style()->pixelMetric(QStyle::PM_SmallIconSize, nullptr, this);
        m_icon.paint(&painter, QRect(area.left(), area.center().y() - size / 2, size, size));
        area.setLeft(area.left() + size + kIconGap);
    }
    int flags = int(Qt::AlignLeft | Qt::AlignVCenter);
    int room = area.width();
    if (m_lines > 1 && fontMetrics().horizontalAdvance(text()) > room) {
        flags |= int(Qt::TextWordWrap);
        // Lines end between words, so not all of their length can be used.
        room = m_lines * room - (m_lines - 1) * kRaggedChars * fontMetrics().averageCharWidth();
    }
    style()->drawItemText(&painter, area, flags, palette(), isEnabled(),
                          fontMetrics().elidedText(text(), Qt::ElideRight, room), foregroundRole());
}

} // namespace topicscope::ui
