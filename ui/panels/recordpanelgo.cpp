// Going places in a RecordPanel: offsets, ends, flagged records.

#include "core/base/digits.h"
#include "core/records/payloadformat.h"
#include "core/records/timestyle.h"
#include "ui/errortext.h"
#include "ui/panels/recordbar.h"
#include "ui/panels/recordpanel_p.h"
#include "ui/views/banner.h"
#include "ui/views/recordtableview.h"

#include <QDateTime>

namespace topicscope::ui
{

void RecordPanel::goTo(const QString &where)
{
    // What is typed is gone to: a preview of it that asks the broker would take this one's turn.
    d->previewDelay.stop();
    d->previewed.cancel();
    const auto range = LogRange::parse(where, QDateTime::currentMSecsSinceEpoch());
    if (!range) {
        d->say(tr("“%1”: %2").arg(where.trimmed(), d->noPlace()));
    } else if (needsTimes(*range) && !capabilities().offsetsByTime) {
        d->say(tr("Records have no times here that one could go to."));
    } else if (range->to || needsTimes(*range)) {
        d->cancelLoading();
        d->scan.cancel();
        d->banner->hide();
        if (needsTimes(*range))
            d->say(tr("Looking for %1…").arg(where.trimmed()));
        d->finder.find(d->topic.name, d->loader.parts(), *range);
    } else {
        d->goTo(range->from);
    }
}

void RecordPanel::goToFirst()
{
    d->goTo(LogPlace::start());
}

void RecordPanel::goToLast()
{
    d->goTo(LogPlace::end());
}

void RecordPanel::goToOffset(const TopicPartition &partition, Offset offset)
{
    if (partition.topic != d->topic.name || !d->loader.part(partition.partition) ||
        d->selectLoaded(partition.partition, offset))
        return;
    d->wanted = {partition.partition, LogPlace{LogPlace::Kind::Offset, offset.value}};
    d->prepareShow();
    d->loader.showAt([id = partition.partition, offset] { return std::pair(id, offset); });
}

void RecordPanel::Private::goTo(const LogPlace &target)
{
    if (target.kind == LogPlace::Kind::Offset && partition &&
        selectLoaded(*partition, Offset{target.number}))
        return;
    wanted = {partition, target};
    if (!partition && target.kind == LogPlace::Kind::Offset) {
        prepareShow();
        loader.showAt([this, asked = *wanted, target] {
            return std::pair(partNearest(asked).id, Offset{target.number});
        });
    } else if (!partition && target.kind == LogPlace::Kind::End) {
        show([this](const RecordLoader::Part &part) { return loader.readableEnd(part); });
    } else {
        show([target](const RecordLoader::Part &part) {
            return target.resolve(part.logStart, part.highWatermark);
        });
    }
}

void RecordPanel::Private::onPlacesFound()
{
    bool anyKnown = false;
    for (const auto &[id, place] : finder.places()) {
        anyKnown = anyKnown || !place.error;
        if (place.error)
            banner->say(Tone::Danger, errorText(*place.error).full());
    }
    if (!anyKnown)
        say({});
    else if (finder.range().to)
        goToFoundRange();
    else
        goToFoundTime();
}

void RecordPanel::Private::goToFoundTime()
{
    const PlaceFinder::Places places = finder.places();
    const auto found = std::ranges::find_if(
        places, [](const auto &each) { return !each.second.error && !each.second.isAfterLast; });
    const auto later = std::ranges::count_if(
        places, [](const auto &each) { return !each.second.error && each.second.isAfterLast; });
    const QString time = TimeStyle::current().text(finder.range().from.number);
    const bool anyError =
        std::ranges::any_of(places, [](const auto &each) { return each.second.error.has_value(); });
    QString text =
        found != places.end() ? tr("The first record at or after %1.").arg(time)
        : anyError ? tr("No record is at or after %1 in the partitions that could say.").arg(time)
                   : tr("No record is at or after %1: this is the end.").arg(time);
    if (found != places.end() && later > 0)
        text += u' ' + tr("Partitions without one, shown at their end: %1.").arg(later);
    if (found == places.end()) {
        goTo(LogPlace::end());
    } else if (partition) {
        goTo({LogPlace::Kind::Offset, found->second.from.value});
    } else {
        show([places](const RecordLoader::Part &part) {
            const auto place = places.find(part.id);
            return place == places.end() || place->second.error ? part.highWatermark
                                                                : place->second.from;
        });
        wanted = {found->first, LogPlace{LogPlace::Kind::Offset, found->second.from.value}};
    }
    arriveWith(text);
}

/// The rows of a range, as far as the log has them. Of one that begins with the log, what matters
/// is where it ends.
void RecordPanel::Private::goToFoundRange()
{
    const RowRanges rows = rowsOf(finder);
    if (rows.empty()) {
        say(rangeText(finder));
        return;
    }
    const bool fromStart = finder.range().from.kind == LogPlace::Kind::Start;
    const auto placeIn = [fromStart](const std::pair<Offset, Offset> &range) {
        return fromStart ? range.second + -1 : range.first;
    };
    const auto &[id, first] = *rows.begin();
    const Offset place = placeIn(first);
    if (partition && model.rowOf(id, place) >= 0) {
        selectLoaded(id, place);
        chosen = rows;
        selectChosen();
        return;
    }
    show([rows, placeIn](const RecordLoader::Part &part) {
        const auto range = rows.find(part.id);
        return range == rows.end() ? part.highWatermark : placeIn(range->second);
    });
    wanted = {id, LogPlace{LogPlace::Kind::Offset, place.value}};
    chosen = rows;
}

/// Of the range found what is in the log, without partitions that have none of it.
RecordPanel::Private::RowRanges RecordPanel::Private::rowsOf(const PlaceFinder &found) const
{
    RowRanges rows;
    for (const auto &[id, place] : found.places()) {
        const RecordLoader::Part *part = loader.part(id);
        if (!part || place.error || !place.to)
            continue;
        const Offset begin = std::max(place.from, part->logStart);
        const Offset end = std::min(*place.to, loader.readableEnd(*part));
        if (begin < end)
            rows.emplace(id, std::pair(begin, end));
    }
    return rows;
}

/// The rows that are there: more of a long range come as one scrolls.
void RecordPanel::Private::selectChosen()
{
    const RowRanges rows = std::exchange(chosen, {});
    QItemSelection selection;
    int first = -1;
    int count = 0;
    const int end = model.rowCount();
    for (int row = 0; row <= end; ++row) {
        bool isIn = false;
        if (row < end) {
            const RowRef ref = model.row(row);
            const auto range = rows.find(ref.block->partition);
            isIn = range != rows.end() && ref.offset() >= range->second.first &&
                   ref.offset() < range->second.second;
        }
        count += isIn ? 1 : 0;
        if (isIn && first < 0)
            first = row;
        if (!isIn && first >= 0) {
            selection.select(model.index(first, 0), model.index(row - 1, 0));
            first = -1;
        }
    }
    view->selectionModel()->select(selection,
                                   QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    say(tr("%1. Rows selected: %2.").arg(rangeText(finder), groupedDigits(count)));
}

/// Says it now, or when the rows are there that are being loaded.
void RecordPanel::Private::arriveWith(const QString &text)
{
    if (loader.job() == RecordLoader::Job::None)
        say(text);
    else
        arrival = text;
}

void RecordPanel::Private::show(RecordLoader::Where where)
{
    prepareShow();
    loader.show(std::move(where));
}

/// Another place is gone to: what belongs to this one ends.
void RecordPanel::Private::prepareShow()
{
    finder.cancel();
    arrival.clear();
    chosen.clear();
    if (following)
        setFollowing(false);
    scan.cancel();
    message.clear();
    bar->clearFilter();
    q->setFilter({});
}

bool RecordPanel::Private::selectLoaded(PartitionId id, Offset offset)
{
    const int row = model.rowOf(id, offset);
    if (row < 0)
        return false;
    say({});
    view->showRow(row);
    view->setFocus();
    return true;
}

/// Of several partitions: the one that has the place asked for, or is nearest to having it.
const RecordLoader::Part &RecordPanel::Private::partNearest(const Wanted &asked) const
{
    if (asked.partition)
        return *loader.part(*asked.partition);
    const auto distance = [this, &asked](const RecordLoader::Part &part) {
        const Offset end = loader.readableEnd(part);
        if (part.logStart >= end)
            return std::numeric_limits<qint64>::max();
        const Offset exact = asked.target->resolve(part.logStart, part.highWatermark);
        return std::max<qint64>({0, part.logStart - exact, exact - (end + -1)});
    };
    return *std::ranges::min_element(loader.parts(), {}, distance);
}

/// Rows are there: selects what was asked for, or what is nearest to it, and says so.
void RecordPanel::Private::settle()
{
    if (loader.hasFailed())
        return; // trying again will want the same
    const auto asked = std::exchange(wanted, std::nullopt);
    if (!asked || !asked->target || loader.parts().empty())
        return;
    if (model.rowCount() == 0) {
        if (asked->target->kind == LogPlace::Kind::Offset)
            say(tr("There is no offset %1: the log is empty.")
                    .arg(groupedDigits(asked->target->number)));
        return;
    }
    if (asked->target->kind == LogPlace::Kind::End &&
        (asked->target->number == 0 || !asked->partition)) {
        const qint64 row = model.rowCount() - std::max<qint64>(asked->target->number, 1);
        view->setCurrentIndex(model.index(int(std::max<qint64>(row, 0)), 0));
        if (asked->target->number == 0)
            view->scrollToBottom();
        return;
    }
    const RecordLoader::Part &part = partNearest(*asked);
    const Offset end = loader.readableEnd(part);
    if (part.logStart >= end) {
        say(tr("There is no offset %1: partition %2 is empty.")
                .arg(groupedDigits(asked->target->number), QString::number(part.id.value)));
        return;
    }
    const Offset exact = asked->target->resolve(part.logStart, part.highWatermark);
    const Offset nearest = std::clamp(exact, part.logStart, end + -1);
    if (exact != nearest && asked->partition) {
        say(tr("Offset %1 is outside %2 … %3 of partition %4; this is the nearest record.")
                .arg(groupedDigits(exact.value), groupedDigits(part.logStart.value),
                     groupedDigits(end.value - 1), QString::number(part.id.value)));
    } else if (exact != nearest && asked->target->kind == LogPlace::Kind::Offset) {
        say(tr("No partition has an offset %1; the nearest is %2 of partition %3.")
                .arg(groupedDigits(exact.value), groupedDigits(nearest.value),
                     QString::number(part.id.value)));
    }
    const int row = model.rowOf(part.id, nearest);
    if (row >= 0) {
        view->setCurrentIndex(model.index(row, 0));
        view->scrollTo(model.index(row, 0), QAbstractItemView::PositionAtCenter);
    }
    if (!chosen.empty())
        selectChosen();
}

/// Gives up what is being loaded, and following when it waited for that.
void RecordPanel::Private::cancelLoading()
{
    loader.cancel();
    finder.cancel();
    jump.reset();
    jumping = false;
    view->setOutline(-1, {});
    if (following && !feed)
        setFollowing(false);
}

// ---------------------------------------------------------------------------------------- flagged

void RecordPanel::nextFlagged()
{
    d->findFlagged(FlagScan::Direction::Forward);
}

void RecordPanel::previousFlagged()
{
    d->findFlagged(FlagScan::Direction::Backward);
}

void RecordPanel::Private::findFlagged(FlagScan::Direction direction)
{
    const bool forward = direction == FlagScan::Direction::Forward;
    const int from = view->currentIndex().isValid() ? view->currentIndex().row()
                     : forward                      ? -1
                                                    : model.rowCount();
    if (const int row = model.nextFlagged(from, forward ? 1 : -1); row >= 0) {
        say({});
        view->showRow(row);
        return;
    }
    cancelLoading();
    const auto ranges = rangesOutside(direction);
    if (ranges.empty()) {
        say(forward ? tr("No flagged record behind this one, up to the high watermark.")
                    : tr("No flagged record before this one, down to the log start."));
        return;
    }
    scan.start(ranges, direction, loader.maxBytes());
    updateStatus();
}

std::vector<FlagScan::Range>
RecordPanel::Private::rangesOutside(FlagScan::Direction direction) const
{
    std::vector<FlagScan::Range> ranges;
    for (const RecordLoader::Part &part : loader.parts()) {
        const bool forward = direction == FlagScan::Direction::Forward;
        const Offset from = forward ? part.end : part.logStart;
        const Offset to = forward ? part.highWatermark : part.begin;
        if (from < to && !(forward && following))
            ranges.push_back({{topic.name, part.id}, from, to});
    }
    if (direction == FlagScan::Direction::Backward)
        std::ranges::reverse(ranges);
    return ranges;
}

void RecordPanel::Private::onScanFound(const TopicPartition &where, Offset offset)
{
    if (scan.isForWanted()) {
        onPreviousFound(where, offset);
        return;
    }
    const qint64 scanned = scan.scanned();
    q->goToOffset(where, offset);
    say(tr("Found after %1 offsets.").arg(groupedDigits(scanned)));
}

} // namespace topicscope::ui
