#pragma once

#include "core/session/loginrefusal.h"

#include <QMap>
#include <QString>
#include <QtGlobal>

#include <chrono>

namespace topicscope
{

/// Which kind of broker a session speaks to.
enum class Engine {
    Booblik,
    Kafka,
    File, ///< an exported file, only to look at: `host` is its path
};

/// Everything needed to open one session; a plain value, kept as a connection by the UI's settings.
struct SessionConfig {
    QString name; ///< what the user calls it
    Engine engine = Engine::Booblik;
    QString host; ///< name, IPv4 or IPv6 address (without brackets)
    quint16 port = 9092;
    /// Kafka: librdkafka's own properties, "bootstrap.servers" among them when there are several
    /// (otherwise host and port). May hold secrets: never logged, never stored as it is.
    QMap<QString, QString> properties;
    bool readOnly = false; ///< publish is refused in core, whoever asks
    std::chrono::milliseconds connectTimeout{10'000};
    std::chrono::milliseconds requestTimeout{30'000}; ///< for one answer
    std::chrono::milliseconds publishTimeout{20'000};
    std::chrono::milliseconds reconnectFirst{500};  ///< wait before the first new attempt; doubles
    std::chrono::milliseconds reconnectMax{15'000}; ///< up to this
    SharedRefusal refusal; ///< set where several clients are made of one connection

    /// "host:port", an IPv6 address in brackets; for Kafka all of "bootstrap.servers"; "file:PATH".
    QString endpoint() const;
    /// What setBroker() takes: the endpoint, with "kafka://" in front for Kafka.
    QString address() const;
    /// Takes a broker as people write it: what parseEndpoint() understands, or "kafka://" and one
    /// or several of those with commas between; or "file:" and a path. @return false, changing
    /// nothing but the engine, when it is neither.
    bool setBroker(const QString &text);
    /// The name, or the endpoint where there is none.
    QString displayName() const { return name.isEmpty() ? endpoint() : name; }
    bool operator==(const SessionConfig &) const = default;
};

/// Splits "host:port" at the last colon; "[::1]:9092", "host", ":9092" and "host:" are understood
/// (defaults 127.0.0.1 and 9092). Returns false when the port is not 1..65535.
bool parseEndpoint(const QString &text, QString *host, quint16 *port);

} // namespace topicscope
