// What a RecordPanel hands on: copies, a record for the composer, and what can be exported.

#include "core/base/bytewriter.h"
#include "core/base/digits.h"
#include "ui/panels/recordpanel_p.h"
#include "ui/views/recordtableview.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>

namespace topicscope::ui
{

std::vector<RowRef> RecordPanel::Private::selectedRows() const
{
    std::vector<int> rows;
    for (const QModelIndex &index : view->selectionModel()->selectedRows())
        rows.push_back(index.row());
    std::ranges::sort(rows);
    std::vector<RowRef> result;
    result.reserve(rows.size());
    for (const int row : rows)
        result.push_back(model.row(row));
    if (result.empty() && currentRow().block)
        result.push_back(currentRow());
    return result;
}

/// Left to right, without the hidden ones.
std::vector<RecordColumn> RecordPanel::Private::shownColumns() const
{
    const QHeaderView &sections = *view->horizontalHeader();
    std::vector<RecordColumn> shown;
    for (int i = 0; i < sections.count(); ++i) {
        if (const int section = sections.logicalIndex(i); !sections.isSectionHidden(section))
            shown.push_back(model.column(section));
    }
    return shown;
}

void RecordPanel::copyAs(CopyWhat what, CopyFormat format)
{
    const bool isCell = what == CopyWhat::Cell;
    const std::vector<RowRef> rows =
        isCell && d->currentRow().block ? std::vector{d->currentRow()} : d->selectedRows();
    if (rows.empty())
        return;
    if (payloadBytes(rows) > kMaxCopyBytes) {
        d->say(tr("Not copied: the selected rows hold more than %1.").arg(byteText(kMaxCopyBytes)));
        return;
    }
    Copied copied;
    if (isCell)
        copied = copiedCell(rows[0], d->model.column(d->view->currentIndex().column()), format);
    else if (what == CopyWhat::Rows)
        copied = copiedRows(rows, d->shownColumns(), topic(), capabilities(), format);
    else
        copied = copiedValues(rows, format);
    QApplication::clipboard()->setText(copied.text);
    QString text = isCell ? tr("Cell copied.")
                          : tr("Rows copied: %1.").arg(groupedDigits(qint64(rows.size())));
    if (copied.replaced > 0) {
        text += u' ' +
                (copied.replaced == 1
                     ? tr("1 byte not UTF-8 was replaced")
                     : tr("%1 bytes not UTF-8 were replaced").arg(groupedDigits(copied.replaced)));
        text += tr("; copying as hex or JSON keeps them.");
    }
    d->say(text);
}

ExportSubject RecordPanel::exportSubject() const
{
    ExportSubject subject;
    subject.config = d->config;
    subject.capabilities = capabilities();
    subject.isolation = d->isolation;
    subject.title = title();
    subject.topic = topic();
    for (const PartitionInfo &info : d->topic.partitions) {
        subject.topicPartitions.append({topic(), info.id});
        if (!d->partition || d->partition == info.id)
            subject.partitions.append({topic(), info.id});
    }
    subject.selected = spansOf(d->selectedRows(), topic());
    std::vector<RowRef> rows;
    rows.reserve(size_t(d->model.rowCount()));
    for (int row = 0; row < d->model.rowCount(); ++row)
        rows.push_back(d->model.row(row));
    subject.shown = spansOf(rows, topic());
    return subject;
}

void RecordPanel::copyToComposer()
{
    const RowRef row = d->currentRow();
    if (!row.record)
        return;
    const RecordChunk &chunk = *row.block->chunk;
    emit copyToComposerRequested(contentOf(chunk, *row.record), chunk.partition());
}

} // namespace topicscope::ui
