#include "ui/models/cellfilter.h"

#include "core/records/headers.h"
#include "core/records/recordtime.h"
#include "core/search/filter.h"

#include <QStringList>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

QString flagFilter(RecordFlags flags)
{
    if (flags.testFlag(RecordFlag::SizeDamaged))
        return u"flag:size"_s;
    if (flags.testFlag(RecordFlag::ChecksumMismatch))
        return u"flag:crc"_s;
    if (flags.testFlag(RecordFlag::NullValue))
        return u"flag:tombstone"_s;
    return u"not flag:crc"_s;
}

QString timeTypeFilter(const RecordChunk &chunk, const Record &record)
{
    if (!timeOf(chunk, record))
        return u"time is null"_s;
    return record.flags.testFlag(RecordFlag::LogAppendTime) ? u"flag:log-append"_s
                                                            : u"not flag:log-append"_s;
}

/// All of them, in whatever order.
std::optional<QString> headersFilter(std::span<const std::byte> headers)
{
    QStringList all;
    bool fits = true;
    qsizetype size = 0;
    (void)visitHeaders(headers, [&](const RecordHeaderView &header) {
        const auto one = search::filterForHeader(header.name, header.value);
        all += one.value_or(QString());
        size += all.constLast().size() + 5; // " and "
        fits = one && size <= search::kMaxFilterChars;
        return fits;
    });
    if (!fits)
        return std::nullopt;
    return all.isEmpty() ? u"not flag:headers"_s : all.join(u" and "_s);
}

} // namespace

std::optional<QString> cellFilter(const RowRef &row, RecordColumn column)
{
    if (!row.record)
        return std::nullopt;
    const RecordChunk &chunk = *row.block->chunk;
    const Record &record = *row.record;
    switch (column) {
    case RecordColumn::Partition:
        return search::filterForNumber(u"partition"_s, chunk.partition().partition.value);
    case RecordColumn::Offset:
        return search::filterForNumber(u"offset"_s, record.offset.value);
    case RecordColumn::Flags:
    case RecordColumn::Crc:
        return flagFilter(record.flags);
    case RecordColumn::Time:
        return search::filterForTime(timeOf(chunk, record));
    case RecordColumn::TimeType:
        return timeTypeFilter(chunk, record);
    case RecordColumn::Key:
        return search::filterForKey(record.flags.testFlag(RecordFlag::HasKey)
                                        ? search::CellBytes(chunk.key(record))
                                        : std::nullopt);
    case RecordColumn::Headers:
        return headersFilter(chunk.headers(record));
    case RecordColumn::Size:
        return search::filterForNumber(u"size"_s, record.valueSize);
    case RecordColumn::Value:
        return search::filterForValue(record.flags.testFlag(RecordFlag::NullValue)
                                          ? std::nullopt
                                          : search::CellBytes(chunk.value(record)));
    case RecordColumn::KeySize:
    case RecordColumn::TotalSize:
    case RecordColumn::Batch:
        break;
    }
    return std::nullopt;
}

} // namespace topicscope::ui
