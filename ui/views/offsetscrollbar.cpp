#include "ui/views/offsetscrollbar.h"

#include <QContextMenuEvent>
#include <QSignalBlocker>
#include <QStyle>
#include <QStyleOptionSlider>
#include <QWheelEvent>

#include <algorithm>

namespace topicscope::ui
{

namespace
{

/// Far more than a screen has pixels, far less than an int holds.
constexpr qint64 kMostValues = 1'000'000'000;

} // namespace

OffsetScrollBar::OffsetScrollBar(QWidget *parent)
    : QScrollBar(Qt::Vertical, parent)
{
    setAccessibleName(tr("Place in the log"));
    connect(this, &QAbstractSlider::actionTriggered, this, &OffsetScrollBar::onAction);
    connect(this, &QAbstractSlider::sliderReleased, this, &OffsetScrollBar::dragEnded);
    setPlace(0, 1, 0);
}

void OffsetScrollBar::setPlace(qint64 position, qint64 page, qint64 length)
{
    if (isSliderDown())
        return;
    page = std::clamp<qint64>(page, 1, std::max<qint64>(length, 1));
    m_end = std::max<qint64>(length - page, 0);
    m_scale = m_end / kMostValues + 1;
    m_place = std::clamp<qint64>(position, 0, m_end);
    const QSignalBlocker quiet(this);
    setRange(0, int(m_end / m_scale));
    setPageStep(int(std::max<qint64>(page / m_scale, 1)));
    // At the end it stands at its end, whatever scaling leaves over.
    setValue(m_place == m_end ? maximum() : int(m_place / m_scale));
    setEnabled(m_end > 0);
    update();
}

qint64 OffsetScrollBar::place() const
{
    return m_place;
}

int OffsetScrollBar::thumbCentre() const
{
    QStyleOptionSlider option;
    initStyleOption(&option);
    return style()
        ->subControlRect(QStyle::CC_ScrollBar, &option, QStyle::SC_ScrollBarSlider, this)
        .center()
        .y();
}

void OffsetScrollBar::wheelEvent(QWheelEvent *event)
{
    emit wheelTurned(event);
    event->accept();
}

/// Qt's menu would set values, which mean nothing here.
void OffsetScrollBar::contextMenuEvent(QContextMenuEvent *event)
{
    event->ignore();
}

void OffsetScrollBar::onAction(int action)
{
    if (action == SliderMove) {
        m_place = sliderPosition() >= maximum() ? m_end : sliderPosition() * m_scale;
        emit dragged(m_place);
        return;
    }
    setSliderPosition(value()); // the step is taken by whoever scrolls; then setPlace() shows it
    if (action != SliderNoAction)
        emit stepWanted(SliderAction(action));
}

} // namespace topicscope::ui
