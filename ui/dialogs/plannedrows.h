#pragma once

#include "core/session/capabilities.h"
#include "core/transfer/publishhandle.h"

#include <QTreeWidget>

namespace topicscope::ui
{

/// Records of a file as they would be published. Thread: GUI.
class PlannedRows final : public QTreeWidget
{
    Q_OBJECT
public:
    enum Column { Number, Partition, Time, Key, Headers, Value };

    explicit PlannedRows(QWidget *parent = nullptr);

    /// Of what an engine does not store there is no column.
    void setCapabilities(const Capabilities &capabilities);
    void setRows(const QList<transfer::PlannedRow> &rows);
};

} // namespace topicscope::ui
