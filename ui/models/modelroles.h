#pragma once

#include "core/records/rowstate.h"

#include <Qt>

namespace topicscope::ui
{

/// Roles of RecordTableModel, for delegates and views, which know no model class.
enum RecordRole : int {
    SortRole = Qt::UserRole + 1, ///< qint64: the number behind the text, where there is one
    RowStateRole,                ///< int(RowState)
    NoteRole,                    ///< bool: the text is about the cell, not its content
    FixedPitchRole,              ///< bool: digits or bytes that line up
    FlagCellRole,                ///< bool: the cell that shows the row's state
};

} // namespace topicscope::ui
