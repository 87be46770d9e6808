// The filter of a RecordPanel: over the rows loaded and those that come.

#include "core/base/digits.h"
#include "ui/models/cellfilter.h"
#include "ui/panels/recordbar.h"
#include "ui/panels/recordpanel_p.h"
#include "ui/views/offsetscrollbar.h"
#include "ui/views/recordtableview.h"

#include <QDateTime>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;
using search::Filter;

void RecordPanel::setFilter(const QString &text)
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    std::optional<Filter> filter;
    d->filterNote.clear();
    if (!text.trimmed().isEmpty()) {
        auto parsed = Filter::parse(text, now);
        if (!parsed) {
            d->filterNote = parsed.error().detail;
            if (const auto asText = search::filterForText(text.trimmed()))
                parsed = Filter::parse(*asText, now);
        }
        if (parsed)
            filter = std::move(parsed).value();
    }
    d->model.setFilter(std::move(filter));
    // Rows that are filtered are a list of their own, not a piece of the log.
    d->scrollBar->setVisible(!d->model.isFiltered());
    d->view->setVerticalScrollBarPolicy(d->model.isFiltered() ? Qt::ScrollBarAsNeeded
                                                              : Qt::ScrollBarAlwaysOff);
}

/// Says so where there is none.
std::optional<QString> RecordPanel::Private::currentCellFilter()
{
    const RowRef row = currentRow();
    if (!row.record)
        return std::nullopt;
    const RecordColumn column = model.column(view->currentIndex().column());
    auto filter = cellFilter(row, column);
    if (!filter)
        say(tr("%1: one cannot filter or search for what this cell has.").arg(columnTitle(column)));
    return filter;
}

void RecordPanel::Private::addFilter(const QString &expression)
{
    const QString before = bar->filterText().trimmed();
    if (before.isEmpty()) {
        bar->setFilterText(expression);
        return;
    }
    const bool isExpression = Filter::parse(before, QDateTime::currentMSecsSinceEpoch()).ok();
    const auto asText = isExpression ? std::optional(before) : search::filterForText(before);
    bar->setFilterText(asText ? search::filterBoth(*asText, expression) : expression);
}

void RecordPanel::filterForCell()
{
    if (const auto filter = d->currentCellFilter())
        d->addFilter(*filter);
}

void RecordPanel::filterOutCell()
{
    if (const auto filter = d->currentCellFilter())
        d->addFilter(search::filterOut(*filter));
}

void RecordPanel::searchForCell()
{
    if (const auto filter = d->currentCellFilter())
        emit searchRequested(*filter);
}

/// How many rows are shown and hidden; empty without a filter.
QString RecordPanel::Private::filterText() const
{
    if (!model.isFiltered())
        return {};
    const qint64 all = model.store().rowCount();
    QString text =
        tr("Filter: %1 of %2 rows loaded").arg(groupedDigits(model.rowCount()), groupedDigits(all));
    if (model.isFilterScanning())
        text += u'…';
    else if (all > model.rowCount())
        text += tr(", %1 hidden").arg(groupedDigits(all - model.rowCount()));
    if (!filterNote.isEmpty())
        text += tr(" · taken as text: %1").arg(filterNote);
    return text;
}

} // namespace topicscope::ui
