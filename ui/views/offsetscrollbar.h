#pragma once

#include <QScrollBar>

namespace topicscope::ui
{

/// A vertical scroll bar over 64-bit positions, whatever their number. It does not scroll by
/// itself: dragging says where to go, a click on its groove or arrows says which step to take, and
/// setPlace() shows where one is. Qt's own value is a scaled position, good to a pixel at least.
/// Thread: GUI.
class OffsetScrollBar final : public QScrollBar
{
    Q_OBJECT
public:
    explicit OffsetScrollBar(QWidget *parent = nullptr);

    /// A thumb at `position` of `length`, `page` long. Ignored while it is dragged.
    void setPlace(qint64 position, qint64 page, qint64 length);
    /// The position under the thumb.
    qint64 place() const;
    /// Middle of the thumb, in pixels from the top.
    int thumbCentre() const;

signals:
    /// The thumb is being dragged.
    void dragged(qint64 position);
    /// It was let go; place() is where.
    void dragEnded();
    /// A step of this kind is wanted: SliderSingleStepAdd, SliderPageStepSub, …
    void stepWanted(QAbstractSlider::SliderAction action);
    /// The wheel was turned over it. Valid during the signal.
    void wheelTurned(QWheelEvent *event);

protected:
    void wheelEvent(QWheelEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    void onAction(int action);

    qint64 m_end = 0;   ///< the last position the thumb can have
    qint64 m_scale = 1; ///< positions per value
    qint64 m_place = 0;
};

} // namespace topicscope::ui
