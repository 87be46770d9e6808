#pragma once

#include "core/base/result.h"
#include "core/session/sessionconfig.h"

#include <QProcess>
#include <QTemporaryDir>

namespace topicscope::bench
{

/// A broker in a process of its own: `topicscope-cli serve` beside this program, on a free port,
/// with a temporary data directory that goes with it. Ends with its owner.
/// Thread: confined to its owner's.
class BrokerProcess
{
public:
    BrokerProcess() = default;
    ~BrokerProcess();
    Q_DISABLE_COPY_MOVE(BrokerProcess)

    /// @param topics  "name:partitions,…"
    /// @error Io when it does not start or does not say where it listens.
    Result<void> start(const QString &topics);
    /// How to connect; after start().
    SessionConfig config() const;

    /// Publishes `count` values of exactly `valueBytes` (at least 32) to partition 0, in large
    /// batches: JSON texts that differ.
    Result<void> fill(const QString &topic, qint64 count, qsizetype valueBytes) const;

private:
    QTemporaryDir m_data;
    QProcess m_process;
    quint16 m_port = 0;
};

/// The value with this number as fill() makes it.
QByteArray sampleValue(qint64 number, qsizetype bytes);

/// A program of ours in the folder of this one.
QString siblingProgram(const QString &name);

} // namespace topicscope::bench
