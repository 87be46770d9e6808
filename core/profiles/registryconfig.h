#pragma once

#include <QMap>
#include <QString>
#include <QUrl>

#include <optional>

namespace topicscope
{

/// Where the schemas of a connection's topics are registered, and who we are there. Kept among the
/// connection's properties by the names Confluent's clients have for it.
struct RegistryConfig {
    QUrl url; ///< without user info
    QString user;
    QString password;
    QString caFile; ///< certificates trusted there beside the system's

    /// Takes out of the properties what belongs here, so that the rest is the broker's:
    /// "schema.registry.url" (of several the first), "basic.auth.user.info" (user:password, also
    /// as "schema.registry.basic.auth.user.info", or in the address),
    /// "schema.registry.ssl.ca.location", and what else goes with them. nullopt without an address.
    static std::optional<RegistryConfig> takeFrom(QMap<QString, QString> &properties);
    /// Makes the login in the address one of its own, "basic.auth.user.info", which is kept as a
    /// secret. Where there is one already that one stays, and the address's is dropped.
    static void moveLogin(QMap<QString, QString> &properties);
    /// Whether takeFrom() takes it.
    static bool isOwn(const QString &property);

    static inline const QString kUrl = QStringLiteral("schema.registry.url");
    static inline const QString kUserInfo = QStringLiteral("basic.auth.user.info");
    static inline const QString kCaFile = QStringLiteral("schema.registry.ssl.ca.location");
};

} // namespace topicscope
