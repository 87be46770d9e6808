#pragma once

#include <QAbstractItemModel>
#include <QStringList>

namespace topicscope::test
{

/// One column of a table model as it is shown, top to bottom.
inline QStringList dumpColumn(const QAbstractItemModel &model, int column)
{
    QStringList result;
    for (int row = 0; row < model.rowCount(); ++row)
        result << model.index(row, column).data().toString();
    return result;
}

} // namespace topicscope::test
