// Going places in a RecordPanel: offsets, ends, flagged records.

#include "core/base/digits.h"
#include "ui/panels/recordbar.h"
#include "ui/panels/recordpanel_p.h"
#include "ui/views/recordtableview.h"

namespace topicscope::ui
{

void RecordPanel::goTo(const QString &where)
{
    const auto target = GoToTarget::parse(where);
    if (!target) {
        d->say(tr("“%1” is no place: type an offset, start, end, or -100.").arg(where.trimmed()));
        return;
    }
    d->goTo(*target);
}

void RecordPanel::goToFirst()
{
    d->goTo({GoToTarget::From::Start, 0});
}

void RecordPanel::goToLast()
{
    d->goTo({GoToTarget::From::End, 0});
}

void RecordPanel::goToOffset(const TopicPartition &partition, Offset offset)
{
    if (partition.topic != d->topic.name || !d->loader.part(partition.partition) ||
        d->selectLoaded(partition.partition, offset))
        return;
    d->wanted = {partition.partition, GoToTarget{GoToTarget::From::Zero, offset.value}};
    d->show([wanted = partition.partition, offset](const RecordLoader::Part &part) {
        return part.id == wanted ? offset : part.highWatermark;
    });
}

void RecordPanel::Private::goTo(const GoToTarget &target)
{
    if (target.from == GoToTarget::From::Zero && partition &&
        selectLoaded(*partition, Offset{target.offset}))
        return;
    wanted = {partition, target};
    show([target](const RecordLoader::Part &part) {
        return target.resolve(part.logStart, part.highWatermark);
    });
}

void RecordPanel::Private::show(RecordLoader::Where where)
{
    if (following)
        setFollowing(false);
    scan.cancel();
    message.clear();
    bar->clearFilter();
    q->setFilter({});
    loader.show(std::move(where));
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
    const auto distance = [&asked](const RecordLoader::Part &part) {
        if (part.logStart >= part.highWatermark)
            return std::numeric_limits<qint64>::max();
        const Offset exact = asked.target->resolve(part.logStart, part.highWatermark);
        return std::max<qint64>({0, part.logStart - exact, exact - (part.highWatermark + -1)});
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
        if (asked->target->from == GoToTarget::From::Zero)
            say(tr("There is no offset %1: the log is empty.")
                    .arg(groupedDigits(asked->target->offset)));
        return;
    }
    if (asked->target->from == GoToTarget::From::End && asked->target->offset == 0) {
        view->setCurrentIndex(model.index(model.rowCount() - 1, 0));
        view->scrollToBottom();
        return;
    }
    const RecordLoader::Part &part = partNearest(*asked);
    if (part.logStart >= part.highWatermark) {
        say(tr("There is no offset %1: partition %2 is empty.")
                .arg(groupedDigits(asked->target->offset), QString::number(part.id.value)));
        return;
    }
    const Offset exact = asked->target->resolve(part.logStart, part.highWatermark);
    const Offset nearest = std::clamp(exact, part.logStart, part.highWatermark + -1);
    if (exact != nearest && asked->partition) {
        say(tr("Offset %1 is outside %2 … %3 of partition %4; this is the nearest record.")
                .arg(groupedDigits(exact.value), groupedDigits(part.logStart.value),
                     groupedDigits(part.highWatermark.value - 1), QString::number(part.id.value)));
    } else if (exact != nearest && asked->target->from == GoToTarget::From::Zero) {
        say(tr("No partition has an offset %1; the nearest is %2 of partition %3.")
                .arg(groupedDigits(exact.value), groupedDigits(nearest.value),
                     QString::number(part.id.value)));
    }
    const int row = model.rowOf(part.id, nearest);
    if (row >= 0) {
        view->setCurrentIndex(model.index(row, 0));
        view->scrollTo(model.index(row, 0), QAbstractItemView::PositionAtCenter);
    }
}

/// Gives up what is being loaded, and following when it waited for that.
void RecordPanel::Private::cancelLoading()
{
    loader.cancel();
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
    const qint64 scanned = scan.scanned();
    q->goToOffset(where, offset);
    say(tr("Found after %1 offsets.").arg(groupedDigits(scanned)));
}

} // namespace topicscope::ui
