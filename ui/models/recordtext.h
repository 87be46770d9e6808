#pragma once

#include "core/records/payloadcodec.h"
#include "core/records/recordstore.h"
#include "ui/models/modelroles.h"

#include <QString>

#include <memory>
#include <optional>
#include <span>

namespace topicscope::ui
{

enum class RecordColumn {
    Partition,
    Offset,
    Flags,
    Time,
    TimeType,
    Key,
    Headers,
    KeySize,
    Size,
    TotalSize,
    Crc,
    Batch,
    Value,
};

/// How keys and values are written out; nullptr: as they seem to be.
struct RecordFormats {
    std::shared_ptr<const PayloadCodec> key;
    std::shared_ptr<const PayloadCodec> value;
    bool hasRegistry = false; ///< there is one to choose

    const std::shared_ptr<const PayloadCodec> &of(PayloadPart part) const
    {
        return part == PayloadPart::Key ? key : value;
    }
    bool operator==(const RecordFormats &) const = default;
};

// What a record row is and how each of its cells reads. Previews look at no more than a few hundred
// bytes of a record; a checksum is computed only where it is known to differ. Thread: any (pure).

QString cellText(const RowRef &row, RecordColumn column, const RecordFormats &formats = {});
/// The number a cell shows, where it is one.
std::optional<qint64> cellNumber(const RowRef &row, RecordColumn column);
/// The text is about the cell ("null", "not fetched"), not its content.
bool isCellNote(const RowRef &row, RecordColumn column);
QString cellToolTip(const RowRef &row, RecordColumn column, const RecordFormats &formats = {});
/// A column of digits.
bool isNumber(RecordColumn column);

/// Two or three words for a flag; empty when there is none.
QString stateName(RowState state);
/// "create", "log append" or "none": whose clock the record's time is of.
QString timeTypeText(const RecordChunk &chunk, const Record &record);
/// What is wrong with the row and what can be done, in sentences; empty for a sound record.
QString rowNote(const RowRef &row);

/// What the column is called in settings.
QString columnName(RecordColumn column);
QString columnTitle(RecordColumn column);
QString columnToolTip(RecordColumn column);

/// What a payload looks like: "JSON", "text", "binary", "empty".
QString payloadKindText(std::span<const std::byte> payload);

} // namespace topicscope::ui
