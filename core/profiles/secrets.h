#pragma once

#include "core/session/sessionconfig.h"

#include <QMap>
#include <QString>
#include <QStringView>

namespace topicscope
{

/// Secret values by the name of their property.
using Secrets = QMap<QString, QString>;

// The one place that knows which properties are secret. Whatever keeps, shows or logs properties
// asks here. Thread: any (pure).

/// Whether the value of this property (librdkafka's, Java's or ours) must never be written to
/// settings, a log, an export or an error text. By name, so that a property nobody thought of is
/// rather taken for a secret; a place where a secret lies (a file, an address) is none.
bool isSecret(QStringView property);

/// The secrets among the config's properties.
Secrets secretsOf(const SessionConfig &config);

/// The login ("user:password", as it stands there) in an address, or in the first that has one of a
/// list with commas; empty: none.
QString urlLogin(const QString &urls);
/// The same address or list without logins.
QString withoutUrlLogin(QString urls);

/// The config as it may be kept and shown: without secrets, and without logins in addresses.
SessionConfig withoutSecrets(SessionConfig config);

/// Which secrets the login and the certificates of this config cannot do without.
QStringList neededSecrets(const SessionConfig &config);

/// The host that is sent the client's secret over plain HTTP, when a token is fetched with these
/// properties; empty: none is, or only this machine itself.
QString openTokenHost(const QMap<QString, QString> &properties);

/// `text` with "…" wherever a secret of these properties, or the login in any URL, stands in it;
/// for texts of others, who may repeat what they were given.
QString hideSecrets(QString text, const QMap<QString, QString> &properties);

} // namespace topicscope
