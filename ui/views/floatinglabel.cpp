#include "ui/views/floatinglabel.h"

#include <algorithm>

namespace topicscope::ui
{

FloatingLabel::FloatingLabel(QWidget *parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setMargin(6);
    setFrameShape(Box);
    setBackgroundRole(QPalette::ToolTipBase);
    setForegroundRole(QPalette::ToolTipText);
    setAutoFillBackground(true);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void FloatingLabel::showText(const QString &text, QPoint corner)
{
    setText(text);
    adjustSize();
    const QSize room = parentWidget()->size() - size();
    move(std::clamp(corner.x(), 0, std::max(0, room.width())),
         std::clamp(corner.y(), 0, std::max(0, room.height())));
    show();
    raise();
}

} // namespace topicscope::ui
