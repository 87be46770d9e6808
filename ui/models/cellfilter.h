#pragma once

#include "core/records/recordstore.h"
#include "ui/models/recordtext.h"

#include <QString>

#include <optional>

namespace topicscope::ui
{

/// A filter for records that have in this column what this row has there. nullopt for a row that is
/// no record, where the language has no word for it, and where it is too long.
/// Thread: any (pure).
std::optional<QString> cellFilter(const RowRef &row, RecordColumn column);

} // namespace topicscope::ui
