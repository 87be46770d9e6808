#pragma once

#include "core/broker/embeddedbroker.h"

#include <QEventLoop>

namespace topicscope::test
{

/// Starts a broker and runs an event loop until it listens, or not.
inline Result<quint16> startAndWait(broker::EmbeddedBroker &broker)
{
    Result<quint16> outcome = quint16{0};
    QEventLoop loop;
    QObject::connect(&broker, &broker::EmbeddedBroker::listening, &loop, [&](quint16 port) {
        outcome = port;
        loop.quit();
    });
    QObject::connect(&broker, &broker::EmbeddedBroker::failed, &loop, [&](const Error &error) {
        outcome = error;
        loop.quit();
    });
    broker.start();
    loop.exec();
    return outcome;
}

} // namespace topicscope::test
