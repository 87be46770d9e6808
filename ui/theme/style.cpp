#include "ui/theme/style.h"

#include "ui/theme/icons.h"

#include <QPainter>
#include <QStyleOption>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

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

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                          const QWidget *widget) const
{
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    const bool isFrame = element == PE_FrameLineEdit || element == PE_Frame;
    if (!isFrame || !isDark(option->palette) || option->state.testFlag(State_HasFocus))
        return;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(option->palette.color(QPalette::Mid));
    painter->setBrush(Qt::NoBrush);
    const qreal radius = element == PE_FrameLineEdit ? 2 : 0;
    painter->drawRoundedRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    painter->restore();
}

} // namespace topicscope::ui
