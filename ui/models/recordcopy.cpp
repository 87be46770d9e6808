#include "ui/models/recordcopy.h"

#include "core/records/payloadformat.h"
#include "core/session/recordjson.h"

#include <numeric>
#include <optional>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

/// The bytes a cell shows the beginning of; nullopt when it shows none, or a note about them.
std::optional<std::span<const std::byte>> bytesOf(const RowRef &row, RecordColumn column)
{
    if (!row.record)
        return std::nullopt;
    const RecordFlags flags = row.record->flags;
    if (column == RecordColumn::Value && !(flags & RecordFlag::NullValue))
        return row.block->chunk->value(*row.record);
    if (column == RecordColumn::Key && (flags & RecordFlag::HasKey))
        return row.block->chunk->key(*row.record);
    return std::nullopt;
}

/// As the command line calls what is no record.
QString typeOf(RowKind kind)
{
    switch (kind) {
    case RowKind::Record:
        return u"record"_s;
    case RowKind::Oversized:
        return u"too-large"_s;
    case RowKind::Unreadable:
        return u"missing"_s;
    case RowKind::ImpossibleSize:
        return u"damaged-size"_s;
    case RowKind::BelowLogStart:
        return u"removed"_s;
    case RowKind::Hole:
        return u"hole"_s;
    case RowKind::NoRecords:
        return u"gap"_s;
    case RowKind::Aborted:
        return u"aborted"_s;
    case RowKind::NotCommitted:
        return u"not-committed"_s;
    case RowKind::NotExported:
        return u"filtered"_s;
    case RowKind::Refused:
        return u"refused"_s;
    case RowKind::UnreadableBatch:
        return u"unreadable"_s;
    }
    return {};
}

QString jsonCell(const RowRef &row, RecordColumn column)
{
    if (const auto bytes = bytesOf(row, column))
        return QString::fromUtf8(JsonLine::bytesObject(*bytes));
    if (const auto number = cellNumber(row, column))
        return QString::number(*number);
    if (row.record && (column == RecordColumn::Key || column == RecordColumn::Value))
        return u"null"_s;
    return QString::fromUtf8(JsonLine::quoted(cellText(row, column)));
}

QString jsonRow(const RowRef &row, const QString &topic, const Capabilities &capabilities)
{
    const RecordBlock &block = *row.block;
    if (row.record)
        return QString::fromUtf8(recordJson(*block.chunk, *row.record, capabilities).take());
    JsonLine json = rowJson(typeOf(block.kind), {topic, block.partition}, block.first);
    if (block.end > block.first + 1)
        json.number("end", block.end.value);
    if (block.noteBytes != 0)
        json.number("size", block.noteBytes);
    return QString::fromUtf8(json.text("text", rowNote(row)).take());
}

QString quotedWhereNeeded(const QString &cell)
{
    const bool breaks = cell.contains(u'\t') || cell.contains(u'\n') || cell.contains(u'\r');
    if (!breaks && !cell.startsWith(u'"'))
        return cell;
    return u'"' + QString(cell).replace(u'"', u"\"\""_s) + u'"';
}

} // namespace

Copied copiedCell(const RowRef &row, RecordColumn column, CopyFormat format)
{
    if (format == CopyFormat::Json)
        return {jsonCell(row, column)};
    if (const auto bytes = bytesOf(row, column)) {
        if (format == CopyFormat::Hex)
            return {hexString(*bytes)};
        return {utf8Text(*bytes), malformedBytes(*bytes)};
    }
    const auto number = cellNumber(row, column);
    return {number ? QString::number(*number) : cellText(row, column)};
}

Copied copiedRows(const std::vector<RowRef> &rows, const std::vector<RecordColumn> &columns,
                  const QString &topic, const Capabilities &capabilities, CopyFormat format)
{
    Copied all;
    for (const RowRef &row : rows) {
        if (&row != rows.data())
            all.text += u'\n';
        if (format == CopyFormat::Json) {
            all.text += jsonRow(row, topic, capabilities);
            continue;
        }
        for (size_t i = 0; i < columns.size(); ++i) {
            const Copied cell = copiedCell(row, columns[i], format);
            all.text += (i > 0 ? u"\t"_s : QString()) + quotedWhereNeeded(cell.text);
            all.replaced += cell.replaced;
        }
    }
    return all;
}

Copied copiedValues(const std::vector<RowRef> &rows, CopyFormat format)
{
    Copied all;
    for (const RowRef &row : rows) {
        if (&row != rows.data())
            all.text += u'\n';
        if (!row.record)
            continue;
        const Copied value = copiedCell(row, RecordColumn::Value, format);
        all.text += value.text;
        all.replaced += value.replaced;
    }
    return all;
}

qint64 payloadBytes(const std::vector<RowRef> &rows)
{
    return std::accumulate(rows.begin(), rows.end(), qint64(0), [](qint64 sum, const RowRef &row) {
        return sum + (row.record ? qint64(row.record->valueSize) + row.record->keySize : 0);
    });
}

} // namespace topicscope::ui
