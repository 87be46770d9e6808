#include "ui/theme/style.h"

#include "ui/theme/icons.h"

#include <QPainter>
#include <QStyleOption>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qreal kFieldRadius = 2;

void drawFrameInTheDark(const QStyleOption *option, QPainter *painter, qreal radius)
{
    if (!isDark(option->palette) || option->state.testFlag(QStyle::State_HasFocus))
        return;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(option->palette.color(QPalette::Mid));
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    painter->restore();
}

} // namespace

Style::Style()
    : QProxyStyle(u"Fusion"_s)
{
    setObjectName(u"topicscope"_s);
}

QIcon Style::standardIcon(StandardPixmap standardIcon, const QStyleOption *option,
                          const QWidget *widget) const
{
    switch (standardIcon) {
    case SP_DockWidgetCloseButton:
    case SP_TitleBarCloseButton:
        return icon(IconName::Close, Tone::Muted);
    case SP_TitleBarNormalButton:
        return icon(IconName::Copy, Tone::Muted); // two sheets: a window of its own, or back
    default:
        return QProxyStyle::standardIcon(standardIcon, option, widget);
    }
}

int Style::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                     QStyleHintReturn *returned) const
{
    if (hint == SH_DialogButtonBox_ButtonsHaveIcons)
        return 0;
    return QProxyStyle::styleHint(hint, option, widget, returned);
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option,
                               QPainter *painter, const QWidget *widget) const
{
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (control == CC_ComboBox || control == CC_SpinBox)
        drawFrameInTheDark(option, painter, kFieldRadius);
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                          const QWidget *widget) const
{
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (element == PE_FrameLineEdit)
        drawFrameInTheDark(option, painter, kFieldRadius);
    else if (element == PE_Frame)
        drawFrameInTheDark(option, painter, 0);
}

} // namespace topicscope::ui
