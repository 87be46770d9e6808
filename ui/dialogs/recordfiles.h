#pragma once

#include <QCoreApplication>
#include <QStringList>

namespace topicscope::ui
{

/// Which files a chooser of exported records shows.
inline QStringList recordFileFilters()
{
    return {QCoreApplication::translate("RecordFiles", "Records (*.ndjson)"),
            QCoreApplication::translate("RecordFiles", "All (*)")};
}

} // namespace topicscope::ui
