#pragma once

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/broker/brokerconfig.h"
#include "core/session/workerthread.h"

#include <QByteArray>
#include <QObject>

#include <functional>

namespace topicscope::broker
{

class BrokerServer;

/// A broker inside this process, on a thread of its own. Start it once; it ends with this object.
///
/// Never blocks the owner's thread but in the destructor, which is bounded: the broker waits for
/// nobody when it stops.
/// Thread: the owner's, with an event loop to receive the signals.
class EmbeddedBroker final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(EmbeddedBroker)

public:
    explicit EmbeddedBroker(BrokerConfig config, QObject *parent = nullptr);
    ~EmbeddedBroker() override;

    /// Work for the broker's thread around its start.
    struct Hooks {
        std::function<Result<void>()> beforeStart; ///< an error is the start's error
        std::function<Result<void>()> afterStart;  ///< before listening(); likewise
    };

    /// Ends in listening() or failed().
    void start(Hooks hooks = {});
    /// Ends in stopped(), after held fetches were answered and everything is written. May be called
    /// at any time, also twice; a start under way may end in failed() with Cancelled before.
    void stop();

    const BrokerConfig &config() const { return m_config; }
    /// The port it listens on; 0 before listening() and after stop().
    quint16 port() const { return m_port; }

    /// Appends one record as a producer inside the process; what cannot be appended is reported by
    /// warning(). Returns at once.
    void append(const TopicPartition &partition, const QByteArray &body);

signals:
    void listening(quint16 port);
    void failed(const topicscope::Error &error);
    void stopped();
    /// A line for an operator: start-up, metrics, retention.
    void message(const QString &line);
    /// Something an operator has to know: repaired, lost or failed.
    void warning(const QString &line);

private:
    void onStarted(const Result<quint16> &outcome);

    BrokerConfig m_config;
    quint16 m_port = 0;
    BrokerServer *m_server = nullptr; ///< lives on m_thread, deleted when that finishes
    WorkerThread m_thread;
};

} // namespace topicscope::broker
