#pragma once

#include "core/records/recordstore.h"

#include <QString>

#include <vector>

namespace topicscope::ui
{

enum class CopyFormat {
    Cell, ///< the current cell, in full and with plain digits
    Text, ///< values, one a line
    Hex,  ///< values in hex digits, one a line
    Json, ///< whole rows, one object a line, bytes lossless
};

/// What one copy may take from the records, in bytes; more is refused, not cut.
inline constexpr qint64 kMaxCopyBytes = qint64(64) * 1024 * 1024;

// Rows as text for the clipboard; rows that are no records give an empty line, in JSON their
// reason. Thread: any (pure).
QString rowsAsText(const std::vector<RowRef> &rows, CopyFormat format);
qint64 valueBytes(const std::vector<RowRef> &rows);

} // namespace topicscope::ui
