#pragma once

#include "core/records/recordstore.h"
#include "core/session/capabilities.h"
#include "core/session/rangereader.h"
#include "core/session/sessionconfig.h"

#include <QList>

#include <map>
#include <optional>
#include <vector>

namespace topicscope::ui
{

/// Offsets of several partitions: of each in order and apart from one another.
using OffsetSpans = std::map<TopicPartition, std::vector<OffsetSpan>>;

/// What these rows stand for, notes included.
OffsetSpans spansOf(const std::vector<RowRef> &rows, const QString &topic);
/// How many offsets that are.
qint64 offsetsIn(const OffsetSpans &spans);

/// What a tab or a search offers to be exported.
struct ExportSubject {
    SessionConfig config;
    Capabilities capabilities;
    Isolation isolation = Isolation::ReadUncommitted;
    QString title; ///< "orders / 1"
    QString topic;
    QList<TopicPartition> partitions;      ///< of the tab
    QList<TopicPartition> topicPartitions; ///< of its topic
    OffsetSpans selected;                  ///< rows
    OffsetSpans shown;                     ///< rows of the table, in view or not
    std::optional<qint64>
        found; ///< a search's hits, all it found; then nothing but rows is offered
};

} // namespace topicscope::ui
