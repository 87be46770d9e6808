#pragma once

#include <QMap>
#include <QString>

namespace topicscope
{

/// The login of a `sasl.jaas.config`: `module flag name="value" …;`
struct JaasLogin {
    QString module; ///< its class; empty when the text makes no sense
    QMap<QString, QString> options;
};

/// Reads the first login, also of a text quoted as a whole; an unfinished quote ends with the text.
/// Thread: any (pure). Source: javax.security.auth.login.Configuration, as Kafka reads it.
JaasLogin parseJaas(const QString &text);

} // namespace topicscope
