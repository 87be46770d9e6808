#include "ui/dialogs/plannedrows.h"

#include "core/base/bytewriter.h"
#include "core/base/digits.h"
#include "core/records/payloadformat.h"
#include "core/records/timestyle.h"
#include "ui/theme/icons.h"
#include "ui/theme/palette.h"

#include <QHeaderView>

#include <algorithm>
#include <utility>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;
using namespace topicscope::transfer;

namespace
{

constexpr int kPartitionWidth = 90;
constexpr int kRowSpace = 6; ///< as in the table of records

QString textOf(const std::optional<QByteArray> &bytes)
{
    if (!bytes)
        return PlannedRows::tr("null");
    return bytes->isEmpty() ? PlannedRows::tr("empty") : previewText(asBytes(*bytes));
}

/// "trace-id=7, tenant=null"
QString textOf(const PlannedRow &row)
{
    QStringList texts;
    for (const RecordHeader &header : row.headers)
        texts += textOf(header.name) + u'=' + textOf(header.value);
    if (row.headerCount > row.headers.size())
        texts += u"…"_s;
    return texts.join(u", "_s);
}

} // namespace

PlannedRows::PlannedRows(QWidget *parent)
    : QTreeWidget(parent)
{
    setHeaderLabels(
        {tr("Record"), tr("Partition"), tr("Time"), tr("Key"), tr("Headers"), tr("Value")});
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    setAccessibleName(tr("What becomes of each record"));
    header()->resizeSection(Number, 64);
    header()->resizeSection(Partition, kPartitionWidth);
    header()->resizeSection(Time,
                            fontMetrics().horizontalAdvance(TimeStyle().text(kLongTimeMs)) + 16);
    header()->resizeSection(Key, 120);
    header()->resizeSection(Headers, 190);
}

void PlannedRows::setCapabilities(const Capabilities &capabilities)
{
    setColumnHidden(Time, !capabilities.timestamps);
    setColumnHidden(Headers, !capabilities.headers);
}

void PlannedRows::setRows(const QList<PlannedRow> &rows)
{
    clear();
    for (const PlannedRow &row : rows) {
        const bool isRefused = !row.refusal.isEmpty();
        const QString where = isRefused       ? tr("refused: %1").arg(row.refusal)
                              : row.partition ? QString::number(row.partition->value)
                                              : tr("any");
        const QString time =
            row.timestampMs ? TimeStyle::current().text(*row.timestampMs) : tr("when it is sent");
        auto *item = new QTreeWidgetItem(this, {groupedDigits(row.number), where, time,
                                                textOf(row.key), textOf(row), textOf(row.value)});
        // What is said about a cell is not its content: "null" may well be a text.
        for (const auto &[column, isNote] :
             {std::pair(Partition, !row.partition && !isRefused), std::pair(Time, !row.timestampMs),
              std::pair(Key, !row.key || row.key->isEmpty()),
              std::pair(Value, !row.value || row.value->isEmpty())}) {
            if (isNote)
                item->setForeground(column, toneColor(Tone::Muted, palette()));
        }
        item->setSizeHint(Number, {0, fontMetrics().height() + kRowSpace});
        if (isRefused) {
            item->setIcon(Partition, icon(IconName::Warning, Tone::Warning));
            item->setToolTip(Partition, row.refusal);
        }
    }
    resizeColumnToContents(Partition); // reasons are long, numbers are not
    setColumnWidth(Partition, std::clamp(columnWidth(Partition), kPartitionWidth, width() / 2));
}

} // namespace topicscope::ui
