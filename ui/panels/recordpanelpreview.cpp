// What a place typed into "go to" is, told before one goes there.

#include "core/base/digits.h"
#include "core/records/timestyle.h"
#include "ui/errortext.h"
#include "ui/panels/recordbar.h"
#include "ui/panels/recordpanel_p.h"

#include <QDateTime>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kNamedPartitions = 3;

} // namespace

void RecordPanel::Private::preview(const QString &text)
{
    previewDelay.stop();
    previewed.cancel();
    const auto range = LogRange::parse(text, QDateTime::currentMSecsSinceEpoch());
    if (text.trimmed().isEmpty() || loader.parts().empty()) {
        bar->setPreview({});
    } else if (!range) {
        bar->setPreview(noPlace());
    } else if (!needsTimes(*range)) {
        previewed.find(topic.name, loader.parts(), *range);
    } else if (!session.capabilities().offsetsByTime) {
        bar->setPreview(tr("Records have no times here that one could go to."));
    } else {
        // Not for every letter of a time; the broker is asked.
        bar->setPreview(tr("Looking…"));
        previewRange = *range;
        previewDelay.start();
    }
}

/// What goTo() would do, in words.
QString RecordPanel::Private::placeText(const PlaceFinder &places) const
{
    const LogRange &range = places.range();
    const auto &each = places.places();
    const auto silent = std::ranges::count_if(
        each, [](const auto &place) { return place.second.error.has_value(); });
    if (silent > 0 && size_t(silent) == each.size())
        return errorText(*each.begin()->second.error).full();
    const QString unknown =
        silent > 0 ? u'\n' + tr("Partitions that cannot say: %1.").arg(silent) : QString();
    if (range.to)
        return rangeText(places) + unknown;
    if (range.from.kind == LogPlace::Kind::Time)
        return timeText(places) + unknown;
    if (!partition && range.from.kind != LogPlace::Kind::Offset) {
        return range.from.kind == LogPlace::Kind::Start ? tr("The oldest records of all partitions")
               : range.from.number == 0                 ? tr("The newest record of all partitions")
                                        : tr("The newest records of all partitions: %1")
                                              .arg(groupedDigits(range.from.number));
    }
    const RecordLoader::Part &part = partNearest({partition, range.from});
    const Offset end = loader.readableEnd(part);
    const QString where =
        partition ? QString() : tr("Partition %1: ").arg(QString::number(part.id.value));
    if (part.logStart >= end)
        return tr("The log is empty.");
    const Offset exact = range.from.resolve(part.logStart, part.highWatermark);
    const Offset nearest = std::clamp(exact, part.logStart, end + -1);
    if (exact != nearest && exact != part.highWatermark) {
        return where + tr("%1 is outside of %2 … %3. Enter goes to %4.")
                           .arg(groupedDigits(exact.value), groupedDigits(part.logStart.value),
                                groupedDigits(end.value - 1), groupedDigits(nearest.value));
    }
    return where + tr("Offset %1").arg(groupedDigits(nearest.value));
}

QString RecordPanel::Private::timeText(const PlaceFinder &places) const
{
    const QString time = TimeStyle::current().text(places.range().from.number);
    QStringList found;
    int later = 0;
    for (const auto &[id, place] : places.places()) {
        if (place.error)
            continue;
        later += place.isAfterLast ? 1 : 0;
        if (!place.isAfterLast) {
            found += partition
                         ? tr("Offset %1").arg(groupedDigits(place.from.value))
                         : tr("partition %1: %2")
                               .arg(QString::number(id.value), groupedDigits(place.from.value));
        }
    }
    if (found.isEmpty())
        return tr("No record is at or after %1. Enter goes to the end.").arg(time);
    QString text = tr("The first record at or after %1:").arg(time) + u'\n' +
                   found.first(std::min<qsizetype>(found.size(), kNamedPartitions)).join(u'\n');
    if (found.size() > kNamedPartitions)
        text += u'\n' + tr("and of %1 more partitions").arg(found.size() - kNamedPartitions);
    if (later > 0)
        text += u'\n' + tr("Partitions without one, shown at their end: %1.").arg(later);
    return text;
}

QString RecordPanel::Private::rangeText(const PlaceFinder &places) const
{
    const LogRange &range = places.range();
    const RowRanges rows = rowsOf(places);
    if (rows.empty()) {
        const bool isBackwards = std::ranges::all_of(places.places(), [](const auto &each) {
            return each.second.error || *each.second.to <= each.second.from;
        });
        const bool areOffsets =
            range.from.kind == LogPlace::Kind::Offset && range.to->kind == LogPlace::Kind::Offset;
        return !isBackwards ? tr("The log has nothing in it.")
               : areOffsets ? tr("It ends before it begins. A time of day is @14:05.")
                            : tr("Nothing is between its ends.");
    }
    qint64 offsets = 0;
    for (const auto &[id, row] : rows)
        offsets += row.second - row.first;
    const auto &[id, first] = *rows.begin();
    if (rows.size() > 1) {
        return tr("%1 offsets in %2 partitions")
            .arg(groupedDigits(offsets), QString::number(rows.size()));
    }
    QString text = tr("%1 … %2, offsets: %3")
                       .arg(groupedDigits(first.first.value), groupedDigits(first.second.value - 1),
                            groupedDigits(offsets));
    const PlaceFinder::Place &asked = places.places().at(id);
    if (asked.from < first.first || first.second < *asked.to)
        text += u' ' + tr("(the log has no more of it)");
    return partition ? text : tr("Partition %1: ").arg(QString::number(id.value)) + text;
}

QString RecordPanel::Private::noPlace() const
{
    return session.capabilities().offsetsByTime
               ? tr("No place: an offset, start, end, -100, @14:05, @-1h, or from:to as 10:20")
               : tr("No place: an offset, start, end, -100, or from:to as 10:20");
}

} // namespace topicscope::ui
