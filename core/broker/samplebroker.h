#pragma once

#include "core/broker/embeddedbroker.h"
#include "core/broker/sampledata.h"

#include <QObject>
#include <QTemporaryDir>
#include <QTimer>

#include <memory>
#include <random>

namespace topicscope::broker
{

/// An embedded broker with sample data in a temporary directory: one record damaged on disk after
/// the broker opened it, one larger than what readers ask for, and one partition that keeps
/// growing. Everything is gone with this object.
/// Thread: the owner's, with an event loop.
class SampleBroker final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(SampleBroker)

public:
    /// @param config  its data directory and topics are replaced
    explicit SampleBroker(BrokerConfig config, QObject *parent = nullptr);
    ~SampleBroker() override;

    /// Fills the directory and starts, all on the broker's thread; ends in the broker's listening()
    /// or failed().
    void start();
    EmbeddedBroker &broker() { return m_broker; }

    /// What to look at first; set before listening() is emitted.
    const SamplePlaces &places() const { return *m_places; }

private:
    QTemporaryDir m_directory;
    std::shared_ptr<SamplePlaces> m_places; ///< written on the broker's thread, before it listens
    EmbeddedBroker m_broker;                ///< ends before its directory goes
    QTimer m_growth;
    std::mt19937 m_random{kSampleSeed};
};

} // namespace topicscope::broker
