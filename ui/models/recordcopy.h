#pragma once

#include "core/records/recordstore.h"
#include "core/session/capabilities.h"
#include "ui/models/recordtext.h"

#include <QString>

#include <vector>

namespace topicscope::ui
{

enum class CopyWhat {
    Cell,   ///< the current cell
    Rows,   ///< the selected rows with the columns shown
    Values, ///< the values of the selected rows, one a line
};

enum class CopyFormat {
    Text, ///< bytes as UTF-8, numbers in plain digits
    Hex,  ///< bytes in hex digits, the rest as text
    Json, ///< bytes lossless, as the command line's --json writes them
};

/// What one copy may take from the records, in bytes; more is refused, not cut.
inline constexpr qint64 kMaxCopyBytes = qint64(64) * 1024 * 1024;

struct Copied {
    QString text;
    qint64 replaced = 0; ///< bytes that are not UTF-8 and stand as U+FFFD in the text
};

// Rows as text for the clipboard: keys and values in full, everything else as shown. Thread: any
// (pure).

Copied copiedCell(const RowRef &row, RecordColumn column, CopyFormat format);
/// A row a line, cells in the order given and separated by tabs. A cell that would break this is
/// put into quotes, as spreadsheets do. As JSON: one object a line, with all of the row.
Copied copiedRows(const std::vector<RowRef> &rows, const std::vector<RecordColumn> &columns,
                  const QString &topic, const Capabilities &capabilities, CopyFormat format);
/// Rows that are no records give an empty line.
Copied copiedValues(const std::vector<RowRef> &rows, CopyFormat format);
/// Keys and values of these rows.
qint64 payloadBytes(const std::vector<RowRef> &rows);

} // namespace topicscope::ui
