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
constexpr int kArrowRoom = 16; ///< of a button that opens a menu; the text stays in the middle
constexpr int kArrowSize = 8;

/// The button's option if all of it opens a menu.
const QStyleOptionToolButton *menuButton(const QStyleOption *option)
{
    const auto *button = qstyleoption_cast<const QStyleOptionToolButton *>(option);
    const bool isOne = button && button->features.testFlag(QStyleOptionToolButton::HasMenu) &&
                       !button->features.testFlag(QStyleOptionToolButton::MenuButtonPopup) &&
                       !button->text.isEmpty();
    return isOne ? button : nullptr;
}

void drawFrameInTheDark(const QStyleOption *option, QPainter *painter, qreal radius)
{
    if (!isDark(option->palette))
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

QSize Style::sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                              const QWidget *widget) const
{
    const QSize plain = QProxyStyle::sizeFromContents(type, option, size, widget);
    return type == CT_ToolButton && menuButton(option) ? plain + QSize(kArrowRoom, 0) : plain;
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option,
                               QPainter *painter, const QWidget *widget) const
{
    if (const auto *button = control == CC_ToolButton ? menuButton(option) : nullptr) {
        QStyleOptionToolButton plain(*button);
        plain.features.setFlag(QStyleOptionToolButton::HasMenu, false);
        QProxyStyle::drawComplexControl(control, &plain, painter, widget);
        const QRect room = plain.rect.adjusted(plain.rect.width() - kArrowRoom, 0, 0, 0);
        plain.rect = alignedRect(plain.direction, Qt::AlignLeft | Qt::AlignVCenter,
                                 QSize(kArrowSize, kArrowSize),
                                 visualRect(plain.direction, plain.rect, room));
        drawPrimitive(PE_IndicatorArrowDown, &plain, painter, widget);
        return;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    const bool hasFocus = option->state.testFlag(State_HasFocus); // then it has a frame
    if ((control == CC_ComboBox || control == CC_SpinBox) && !hasFocus)
        drawFrameInTheDark(option, painter, kFieldRadius);
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                          const QWidget *widget) const
{
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    const bool hasFocus = option->state.testFlag(State_HasFocus); // then it has a frame
    if (element == PE_IndicatorCheckBox || (element == PE_FrameLineEdit && !hasFocus))
        drawFrameInTheDark(option, painter, kFieldRadius);
    else if (element == PE_Frame) // has none of its own for the focus
        drawFrameInTheDark(option, painter, 0);
}

} // namespace topicscope::ui
