#include "core/broker/embeddedbroker.h"

#include "core/broker/brokerserver.h"

#include <utility>

namespace topicscope::broker
{

namespace
{

Result<quint16> startWithHooks(BrokerServer &server, const EmbeddedBroker::Hooks &hooks)
{
    if (hooks.beforeStart) {
        if (auto done = hooks.beforeStart(); !done)
            return done.error();
    }
    auto port = server.start();
    if (port && hooks.afterStart) {
        if (auto done = hooks.afterStart(); !done) {
            server.stop();
            return done.error();
        }
    }
    return port;
}

} // namespace

EmbeddedBroker::EmbeddedBroker(BrokerConfig config, QObject *parent)
    : QObject(parent)
    , m_config(std::move(config))
    , m_server(new BrokerServer(m_config))
    , m_thread(new QThread)
{
    m_thread->setObjectName("embedded broker");
    m_server->moveToThread(m_thread.get());
    connect(m_thread.get(), &QThread::finished, m_server, &QObject::deleteLater);
    connect(m_server, &BrokerServer::message, this, &EmbeddedBroker::message);
    connect(m_server, &BrokerServer::warning, this, &EmbeddedBroker::warning);
    m_thread->start();
}

EmbeddedBroker::~EmbeddedBroker()
{
    m_thread->requestInterruption();
}

void EmbeddedBroker::start(Hooks hooks)
{
    QMetaObject::invokeMethod(m_server, [this, server = m_server, hooks = std::move(hooks)] {
        auto outcome = startWithHooks(*server, hooks);
        QMetaObject::invokeMethod(this,
                                  [this, outcome = std::move(outcome)] { onStarted(outcome); });
    });
}

void EmbeddedBroker::onStarted(const Result<quint16> &outcome)
{
    if (!outcome) {
        emit failed(outcome.error());
        return;
    }
    m_port = *outcome;
    emit listening(m_port);
}

void EmbeddedBroker::stop()
{
    m_port = 0;
    m_thread->requestInterruption(); // a recovery under way ends behind its segment
    QMetaObject::invokeMethod(m_server, [this, server = m_server] {
        server->stop();
        QMetaObject::invokeMethod(this, &EmbeddedBroker::stopped);
    });
}

void EmbeddedBroker::append(const TopicPartition &partition, const QByteArray &body)
{
    QMetaObject::invokeMethod(m_server, [server = m_server, partition, body] {
        if (auto offset = server->append(partition, body); !offset)
            emit server->warning(describe(offset.error()));
    });
}

} // namespace topicscope::broker
