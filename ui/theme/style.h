#pragma once

#include <QProxyStyle>

namespace topicscope::ui
{

/// Fusion with our own icons on docks, with frames of fields that can be seen in the dark (Fusion
/// derives their colour from the window's, which leaves none there), and with an arrow beside the
/// text of buttons that open a menu, where Fusion has a comma in the corner.
class Style final : public QProxyStyle
{
    Q_OBJECT
public:
    Style();

    QIcon standardIcon(StandardPixmap standardIcon, const QStyleOption *option,
                       const QWidget *widget) const override;
    int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                  QStyleHintReturn *returned) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                           const QWidget *widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option,
                            QPainter *painter, const QWidget *widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override;
};

} // namespace topicscope::ui
