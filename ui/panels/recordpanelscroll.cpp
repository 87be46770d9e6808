// The scroll bar of a RecordPanel: over all offsets of the log, not over the rows loaded.

#include "core/base/digits.h"
#include "core/records/payloadformat.h"
#include "core/records/timestyle.h"
#include "ui/panels/recordpanel_p.h"
#include "ui/views/floatinglabel.h"
#include "ui/views/offsetscrollbar.h"
#include "ui/views/recordtableview.h"

#include <QCoreApplication>
#include <QLabel>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

/// While the thumb moves, it is looked this often where it is.
constexpr int kDragTickMs = 40;
/// What was asked for where the thumb was is waited for this long.
constexpr qint64 kPatienceMs = 150;

} // namespace

void RecordPanel::Private::connectScrollBar()
{
    dragLabel = new FloatingLabel(q);
    dragLabel->setObjectName(u"dragLabel"_s);
    jumpTimer.setInterval(kDragTickMs);

    connect(scrollBar, &OffsetScrollBar::dragged, q,
            [this](qint64 position) { onDragged(position); });
    connect(scrollBar, &OffsetScrollBar::dragEnded, q, [this] { onDragEnded(); });
    connect(scrollBar, &OffsetScrollBar::stepWanted, q,
            [this](QAbstractSlider::SliderAction action) {
                view->verticalScrollBar()->triggerAction(action);
            });
    connect(scrollBar, &OffsetScrollBar::wheelTurned, q, [this](QWheelEvent *event) {
        QCoreApplication::sendEvent(view->verticalScrollBar(), event);
    });
    connect(view, &RecordTableView::scrolled, q, [this] { updateScrollBar(); });
    connect(&jumpTimer, &QTimer::timeout, q, [this] { jumpIfDue(); });
}

RecordAxis RecordPanel::Private::axis() const
{
    std::vector<RecordAxis::Part> parts;
    for (const RecordLoader::Part &each : loader.parts())
        parts.push_back({each.id, each.logStart, loader.readableEnd(each)});
    return RecordAxis(std::move(parts));
}

/// Partitions merged by time: how many offsets of all of them are before a row, as the rows held
/// lie between what is before and what is behind them.
qint64 RecordPanel::Private::mergedPosition(int row) const
{
    const RecordAxis line = axis();
    qint64 before = 0;
    qint64 held = 0;
    for (size_t i = 0; i < line.parts().size(); ++i) {
        const RecordLoader::Part &each = loader.parts()[i];
        const qint64 begin = line.positionOf(each.id, each.begin);
        before += begin - line.start(i);
        held += line.positionOf(each.id, each.end) - begin;
    }
    const qint64 rows = std::max<qint64>(model.store().rowCount(), 1);
    return before + qint64(double(held) / double(rows) * double(row));
}

void RecordPanel::Private::updateScrollBar()
{
    const auto [first, last] = view->visibleRows();
    if (model.isFiltered() || last < first || jump)
        return;
    const RecordAxis line = axis();
    const auto positionOf = [&](int row) {
        const RowRef ref = model.row(row);
        return loader.isMerged() ? mergedPosition(row)
                                 : line.positionOf(ref.block->partition, ref.offset());
    };
    const qint64 top = positionOf(first);
    const qint64 page = std::max<qint64>(positionOf(last) + 1 - top, 1);
    const bool atEnd = view->isAtBottom() && !loader.canLoadNewer();
    scrollBar->setPlace(atEnd ? line.length() : top, page, line.length());
}

void RecordPanel::Private::onDragged(qint64 position)
{
    if (const auto place = placeOf(position))
        jumpWhen({*place, position >= axis().length() - view->rowsOnScreen()});
    showDragLabel();
}

void RecordPanel::Private::onDragEnded()
{
    sinceJump.invalidate();
    jumpIfDue();
    dragLabel->hide();
    updateScrollBar();
}

/// Where in the log a position of the scroll bar is. By time no offset stands for a position: that
/// of the longest partition, as far into it, leads to the time.
std::optional<RecordAxis::Place> RecordPanel::Private::placeOf(qint64 position) const
{
    const RecordAxis line = axis();
    if (!loader.isMerged())
        return line.at(position);
    const auto longest = std::ranges::max_element(
        line.parts(), {}, [](const auto &part) { return part.end - part.begin; });
    if (longest == line.parts().end() || longest->begin == longest->end)
        return std::nullopt;
    const double share = double(position) / double(std::max<qint64>(line.length(), 1));
    // Halved: the largest lengths are more than a double can tell from one that does not fit.
    const qint64 into =
        qint64(double(longest->end - longest->begin) / 2 * std::min(share, 1.0)) * 2;
    return RecordAxis::Place{longest->id, std::min(longest->begin + into, longest->end + -1)};
}

/// At once, or as soon as the last one has shown something.
void RecordPanel::Private::jumpWhen(const Jump &wantedJump)
{
    jump = wantedJump;
    if (!jumpTimer.isActive()) {
        jumpTimer.start();
        jumpIfDue();
    }
}

void RecordPanel::Private::jumpIfDue()
{
    if (!jump) {
        jumpTimer.stop();
        return;
    }
    // Rows on their way are shown, unless they are long in coming and not wanted any more.
    if (loader.job() != RecordLoader::Job::None && sinceJump.isValid() &&
        sinceJump.elapsed() < kPatienceMs)
        return;
    const auto [place, toEnd] = *jump;
    jump.reset();
    sinceJump.start();
    prepareShow();
    wanted.reset();
    if (toEnd) {
        wanted = {partition, LogPlace::end()};
        loader.showNewest();
        return;
    }
    jumping = true;
    const int column = model.section(RecordColumn::Offset);
    // By time it is not known which rows come, and no offset is told behind the end.
    const RecordLoader::Part *const part = loader.part(place.partition);
    const qint64 known = part && !loader.isMerged() ? part->highWatermark - place.offset : 0;
    view->setOutline(column, [first = place.offset, known](int row) {
        return row < known ? groupedDigits(first.value + row) : QString();
    });
    loader.jumpTo(place.partition, place.offset);
}

/// Offset, and the time as soon as there is a row to tell it.
void RecordPanel::Private::showDragLabel()
{
    if (!scrollBar->isSliderDown()) {
        dragLabel->hide();
        return;
    }
    const auto place = placeOf(scrollBar->place());
    if (!place)
        return;
    QString text = partition ? tr("Offset %1").arg(groupedDigits(place->offset.value))
                             : tr("Partition %1, offset %2")
                                   .arg(QString::number(place->partition.value),
                                        groupedDigits(place->offset.value));
    if (!jump && model.rowCount() > 0) {
        const RowRef row = model.row(0);
        if (const auto timestamp =
                row.record ? row.block->chunk->timestampMs(*row.record) : std::nullopt)
            text += u'\n' + TimeStyle::current().text(*timestamp);
    }
    const QPoint thumb = scrollBar->mapTo(q, QPoint(0, scrollBar->thumbCentre()));
    dragLabel->setText(text);
    const QSize size = dragLabel->sizeHint();
    dragLabel->showText(text, thumb - QPoint(size.width() + 8, size.height() / 2));
}

} // namespace topicscope::ui
