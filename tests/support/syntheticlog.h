#pragma once

#include "core/session/brokersession.h"

#include <QList>

#include <atomic>
#include <memory>

namespace topicscope::test
{

/// Logs of any length, made as they are read: a record's value begins with its offset in decimal
/// digits and a blank. For what no memory holds: billions of offsets, hundreds of thousands of
/// records a second. Thread: a value, copied into the sessions made from it.
struct SyntheticLog {
    QString topic = QStringLiteral("long");
    /// Log start offset and high watermark of partition 0, 1, …
    QList<std::pair<qint64, qint64>> partitions;
    qsizetype valueBytes = 200;
    /// Records carry this time plus their offset in ms, and offsets can be looked up by it.
    std::optional<qint64> firstTimeMs = {};
    /// Followers get this many records a second from the high watermark on; 0: none.
    qint64 followRate = 0;
    /// Records handed to followers so far.
    std::shared_ptr<std::atomic<qint64>> followed = std::make_shared<std::atomic<qint64>>(0);

    /// Sessions of this log.
    SessionFactory factory() const;
    TopicInfo topicInfo() const;
};

} // namespace topicscope::test
