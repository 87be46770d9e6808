#include "ui/panels/elidedlabel.h"

#include "ui/plaintooltip.h"

#include <QIcon>
#include <QPainter>
#include <QStyle>
#include <QTextLayout>

namespace topicscope::ui
{

namespace
{
constexpr int kIconGap = 4;
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

void ElidedLabel::setTone(Tone tone)
{
    m_tone = tone;
    update();
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
    const QStringList lines = breakLines(text(), font(), area.width(), m_lines);
    const int height = fontMetrics().lineSpacing();
    QRect line(area.left(), area.center().y() + 1 - int(lines.size()) * height / 2, area.width(),
               height);
    QPalette colors = palette();
    if (m_tone != Tone::Normal)
        colors.setColor(QPalette::Active, foregroundRole(), toneColor(m_tone, colors));
    for (const QString &words : lines) {
        style()->drawItemText(&painter, line, int(Qt::AlignLeft | Qt::AlignVCenter), colors,
                              isEnabled(), words, foregroundRole());
        line.translate(0, height);
    }
}

QStringList breakLines(const QString &text, const QFont &font, int width, int lines)
{
    const QFontMetrics metrics(font);
    QTextOption anywhere;
    anywhere.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere); // words may be long
    QStringList broken;
    QString rest = text;
    while (int(broken.size()) + 1 < lines && metrics.horizontalAdvance(rest) > width) {
        QTextLayout layout(rest, font);
        layout.setTextOption(anywhere);
        layout.beginLayout();
        QTextLine line = layout.createLine();
        line.setLineWidth(width);
        layout.endLayout();
        if (!line.isValid() || line.textLength() == 0)
            break;
        broken << rest.first(line.textLength()).trimmed();
        rest.remove(0, line.textLength());
    }
    return broken << metrics.elidedText(rest, Qt::ElideRight, width);
}

} // namespace topicscope::ui
