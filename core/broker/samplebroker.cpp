#include "core/broker/samplebroker.h"

#include <utility>

namespace topicscope::broker
{

namespace
{

constexpr int kGrowthMs = 320; ///< about three records a second

BrokerConfig sampleConfig(BrokerConfig config, const QString &directory)
{
    config.dataDirectory = directory;
    config.topics = sampleTopics();
    return config;
}

} // namespace

SampleBroker::SampleBroker(BrokerConfig config, QObject *parent)
    : QObject(parent)
    , m_places(std::make_shared<SamplePlaces>())
    , m_broker(sampleConfig(std::move(config), m_directory.path()))
    , m_growth(this)
{
    m_growth.setInterval(kGrowthMs);
    connect(&m_growth, &QTimer::timeout, this, [this] {
        m_broker.append(growingPartition(),
                        makeSampleClick(m_random, QDateTime::currentDateTimeUtc()));
    });
    connect(&m_broker, &EmbeddedBroker::listening, &m_growth, qOverload<>(&QTimer::start));
    connect(&m_broker, &EmbeddedBroker::stopped, &m_growth, &QTimer::stop);
}

SampleBroker::~SampleBroker() = default;

void SampleBroker::start()
{
    const QString directory = m_directory.path();
    m_broker.start({.beforeStart = [directory, places = m_places]() -> Result<void> {
                        const SampleData data = makeSampleData(QDateTime::currentDateTimeUtc());
                        *places = data.places;
                        return writeSampleData(data, directory);
                    },
                    .afterStart = [directory, places = m_places]() -> Result<void> {
                        return damageRecord(directory, places->partition, places->damaged);
                    }});
}

} // namespace topicscope::broker
