#include "app/gui/localbroker.h"

#include <QCoreApplication>

namespace topicscope::gui
{

using namespace Qt::StringLiterals;

namespace
{

broker::BrokerConfig quietConfig()
{
    broker::BrokerConfig config;
    config.port = 0;
    config.metricsInterval = {};
    return config;
}

broker::BrokerConfig ownConfig()
{
    broker::BrokerConfig config = quietConfig();
    config.dataDirectory = broker::applicationDataDirectory();
    config.topics = {{u"orders"_s, 3}, {u"clicks"_s, 1}};
    return config;
}

} // namespace

LocalBroker::LocalBroker(Data data, QObject *parent)
    : QObject(parent)
{
    if (data == Data::Sample)
        m_sample = std::make_unique<broker::SampleBroker>(quietConfig());
    else
        m_own = std::make_unique<broker::EmbeddedBroker>(ownConfig());
    broker::EmbeddedBroker *running = m_sample ? &m_sample->broker() : m_own.get();
    connect(running, &broker::EmbeddedBroker::listening, this, &LocalBroker::onListening);
    connect(running, &broker::EmbeddedBroker::failed, this, &LocalBroker::failed);
    connect(running, &broker::EmbeddedBroker::warning, this, &LocalBroker::warning);
}

LocalBroker::~LocalBroker() = default;

void LocalBroker::start()
{
    if (m_sample)
        m_sample->start();
    else
        m_own->start();
}

void LocalBroker::onListening(quint16 port)
{
    SessionConfig config;
    config.name = m_sample ? tr("sample data") : tr("local");
    config.host = u"127.0.0.1"_s;
    config.port = port;
    std::vector<ui::Place> places;
    if (m_sample) {
        const broker::SamplePlaces &sample = m_sample->places();
        places.push_back(
            {config.name, sample.partition.topic, sample.partition.partition, sample.damaged});
    }
    emit ready(config, places);
}

} // namespace topicscope::gui
