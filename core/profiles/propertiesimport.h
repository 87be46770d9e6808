#pragma once

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QStringList>

namespace topicscope
{

/// What a configuration file of another client says, as librdkafka's properties.
struct ImportedProperties {
    QMap<QString, QString> properties; ///< may hold secrets
    QStringList notes;                 ///< what was not taken, one sentence each; without secrets
};

/// Reads a Java client's `client.properties` or kcat's configuration file (`name=value` lines with
/// librdkafka's names); which of them it is, its names tell. What both know means the same; what
/// has nothing to do with a connection, or cannot be read by librdkafka, gets a note; so does what
/// would load code or run a command, which is never taken.
/// @param text  UTF-8; bytes that are not are replaced.
/// Thread: any (pure). Source: java.util.Properties#load; Kafka's security documentation (JAAS, PEM
/// stores); librdkafka's CONFIGURATION.md.
ImportedProperties importProperties(const QByteArray &text);

/// One `name=value` a line, as kcat reads them: nothing is escaped, `#` begins a comment line.
QMap<QString, QString> parseKcatConfig(const QString &text);

/// As java.util.Properties reads them: `=`, `:` or blanks separate, `\` escapes (also \uXXXX) and
/// goes on in the next line, `#` and `!` begin comment lines.
QMap<QString, QString> parseJavaProperties(const QString &text);

} // namespace topicscope
