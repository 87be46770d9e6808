#pragma once

#include <QString>

class QAbstractItemModel;
class QTableView;

namespace topicscope::ui
{

/// A table of whole rows that are read, one selected at a time; without lines between them, and a
/// stop of the Tab key. Thread: GUI.
QTableView *makeRowTable(const QString &name, const QString &accessibleName,
                         QAbstractItemModel *model);

} // namespace topicscope::ui
