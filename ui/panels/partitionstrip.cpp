#include "ui/panels/partitionstrip.h"

#include "core/base/digits.h"
#include "ui/theme/palette.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kMaxCellWidth = 28;
constexpr int kMinCellWidth = 3; ///< of the chosen one, however many there are
constexpr int kPointer = 4;      ///< height of the triangle above the chosen bar

} // namespace

PartitionStrip::PartitionStrip(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Partitions of the topic"));
    describe();
}

void PartitionStrip::setPartitions(const QList<PartitionInfo> &partitions)
{
    if (partitions == m_partitions)
        return;
    m_partitions = partitions;
    m_largest = 0;
    for (const PartitionInfo &partition : std::as_const(m_partitions))
        m_largest = std::max(m_largest, partition.offsetSpan());
    describe();
    update();
}

void PartitionStrip::setChosen(std::optional<PartitionId> chosen)
{
    if (chosen == m_chosen)
        return;
    m_chosen = chosen;
    describe();
    update();
}

void PartitionStrip::describe()
{
    QString text = tr("Number of partitions: %1").arg(m_partitions.size());
    if (m_chosen)
        text = tr("%1; partition %2 is chosen").arg(text).arg(m_chosen->value);
    setAccessibleDescription(text);
}

QSize PartitionStrip::sizeHint() const
{
    return {120, fontMetrics().height() + kPointer + 6};
}

QSize PartitionStrip::minimumSizeHint() const
{
    return {40, sizeHint().height()};
}

QRect PartitionStrip::cell(qsizetype index) const
{
    const qint64 count = m_partitions.size();
    const qint64 all = std::min<qint64>(width(), count * kMaxCellWidth);
    const int left = int(index * all / count);
    const int right = int((index + 1) * all / count);
    return {left, kPointer, right - left, height() - kPointer};
}

bool PartitionStrip::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    for (qsizetype i = 0; i < m_partitions.size(); ++i) {
        const QRect room = cell(i);
        if (help->x() < room.left() || help->x() > room.right())
            continue;
        const PartitionInfo &partition = m_partitions[i];
        QString text = (partition.id == m_chosen ? tr("Partition %1 (chosen)") : tr("Partition %1"))
                           .arg(partition.id.value);
        if (partition.offsetsKnown)
            text = tr("%1: %2 records").arg(text, groupedDigits(partition.offsetSpan()));
        QToolTip::showText(help->globalPos(), text, this, room);
        return true;
    }
    QToolTip::hideText();
    return true;
}

void PartitionStrip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QColor frame = toneColor(Tone::Muted, palette());
    const QColor accent = palette().color(QPalette::Highlight);
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.85);
    painter.setFont(small);
    const QFontMetrics metrics(small);

    std::optional<qsizetype> chosenIndex;
    const auto paintCell = [&](qsizetype index, bool chosen) {
        const PartitionInfo &partition = m_partitions[index];
        QRect room = cell(index);
        if (chosen && room.width() < kMinCellWidth)
            room.setWidth(kMinCellWidth);
        const bool spaced = room.width() > 6;
        const QRect box = spaced ? room.adjusted(1, 1, -1, 0) : room.adjusted(0, 1, 0, 0);
        painter.fillRect(box, palette().color(QPalette::Base));
        const int full = box.height();
        const int level = m_largest > 0 ? int(partition.offsetSpan() * full / m_largest) : 0;
        QRect bar = box;
        bar.setTop(box.bottom() + 1 - std::max(level, partition.offsetSpan() > 0 ? 1 : 0));
        QColor fill = chosen ? accent : frame;
        fill.setAlphaF(chosen ? 0.55F : 0.30F);
        painter.fillRect(bar, fill);
        if (spaced || chosen) {
            painter.setPen(QPen(chosen ? accent : frame, chosen ? 2 : 1));
            painter.drawRect(chosen ? box.adjusted(1, 1, -1, -1) : box.adjusted(0, 0, -1, -1));
        }
        const QString number = QString::number(partition.id.value);
        if (metrics.horizontalAdvance(number) + 4 <= box.width()) {
            painter.setPen(palette().color(QPalette::Text));
            painter.drawText(box, int(Qt::AlignCenter), number);
        }
        if (chosen) {
            const int middle = room.center().x() + 1;
            painter.setPen(Qt::NoPen);
            painter.setBrush(palette().color(QPalette::WindowText));
            painter.drawPolygon(QPolygon({QPoint(middle - kPointer, 0),
                                          QPoint(middle + kPointer, 0), QPoint(middle, kPointer)}));
            painter.setBrush(Qt::NoBrush);
        }
    };
    for (qsizetype i = 0; i < m_partitions.size(); ++i) {
        if (m_partitions[i].id == m_chosen)
            chosenIndex = i; // painted last: it may overlap its neighbours
        else
            paintCell(i, false);
    }
    if (chosenIndex)
        paintCell(*chosenIndex, true);
}

} // namespace topicscope::ui
