#pragma once

#include "core/records/recordchunk.h"
#include "core/session/capabilities.h"

#include <QTreeWidget>

namespace topicscope::ui
{

/// Where a record is and each field of the frame it was stored in, with its name and its bytes.
/// Thread: GUI.
class FrameFields final : public QTreeWidget
{
    Q_OBJECT
public:
    explicit FrameFields(QWidget *parent = nullptr);
    Q_DISABLE_COPY_MOVE(FrameFields)

    void showRecord(const RecordChunk &chunk, const Record &record,
                    const Capabilities &capabilities);

signals:
    /// The user is at a field that has these bytes of the frame, [begin, end).
    void bytesChosen(qint64 begin, qint64 end);
};

} // namespace topicscope::ui
