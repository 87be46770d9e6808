// Going places in a RecordPanel: offsets, ends, flagged records.

#include "core/base/digits.h"
#include "core/records/payloadformat.h"
#include "core/records/timeinput.h"
#include "ui/errortext.h"
#include "ui/panels/recordbar.h"
#include "ui/panels/recordpanel_p.h"
#include "ui/views/banner.h"
#include "ui/views/recordtableview.h"

#include <QDateTime>

#include <map>

namespace topicscope::ui
{

void RecordPanel::goTo(const QString &where)
{
    const bool takesTimes = capabilities().offsetsByTime;
    const bool meansTime = where.trimmed().startsWith(u'@');
    const QString text = meansTime ? where.trimmed().sliced(1) : where;
    const auto target = meansTime ? std::nullopt : LogPlace::parse(text);
    const auto time = parseTime(text, QDateTime::currentMSecsSinceEpoch());
    if (target)
        d->goTo(*target);
    else if (time && takesTimes)
        d->goToTime(*time);
    else if (time)
        d->say(tr("Records have no times here that one could go to."));
    else if (takesTimes)
        d->say(tr("“%1” is no place: type an offset, start, end, -100, or a time as 14:05 or -1h.")
                   .arg(where.trimmed()));
    else
        d->say(tr("“%1” is no place: type an offset, start, end, or -100.").arg(where.trimmed()));
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

void RecordPanel::Private::goToTime(qint64 ms)
{
    cancelLoading();
    scan.cancel();
    banner->hide();
    QList<TopicPartition> partitions;
    for (const RecordLoader::Part &part : loader.parts())
        partitions.append({topic.name, part.id});
    timeMs = ms;
    timeRequest = session.offsetsAtTime(partitions, ms);
    say(tr("Looking for %1 UTC…").arg(timestampText(ms)));
}

void RecordPanel::Private::onTimeFound(const QList<TimeOffset> &offsets)
{
    timeRequest = {};
    std::map<PartitionId, Offset> places;
    std::optional<TimeOffset> found; // the first one with such a record
    int later = 0;
    for (const TimeOffset &each : offsets) {
        if (each.error) {
            banner->say(Tone::Danger, errorText(*each.error).full());
            continue;
        }
        places.emplace(each.partition.partition, each.offset);
        if (each.afterLast)
            ++later;
        else if (!found)
            found = each;
    }
    if (places.empty()) {
        say({});
        return;
    }
    const QString time = timestampText(timeMs);
    QString text = found ? tr("The first record at or after %1 UTC.").arg(time)
                         : tr("No record is at or after %1 UTC: this is the end.").arg(time);
    if (found && later > 0)
        text += u' ' + tr("Partitions without one, shown at their end: %1.").arg(later);
    if (found && partition) {
        goTo({LogPlace::Kind::Offset, found->offset.value});
    } else if (!found) {
        goTo(LogPlace::end());
    } else {
        show([places](const RecordLoader::Part &part) {
            const auto place = places.find(part.id);
            return place == places.end() ? part.highWatermark : place->second;
        });
        wanted = {found->partition.partition,
                  LogPlace{LogPlace::Kind::Offset, found->offset.value}};
    }
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
    session.cancel(std::exchange(timeRequest, {}));
    arrival.clear();
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
}

/// Gives up what is being loaded, and following when it waited for that.
void RecordPanel::Private::cancelLoading()
{
    loader.cancel();
    session.cancel(std::exchange(timeRequest, {}));
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
    const qint64 scanned = scan.scanned();
    q->goToOffset(where, offset);
    say(tr("Found after %1 offsets.").arg(groupedDigits(scanned)));
}

} // namespace topicscope::ui
