#include "core/profiles/secrets.h"

#include "core/profiles/registryconfig.h"

#include <QHostAddress>
#include <QUrl>

#include <algorithm>
#include <array>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

// Parts of a name. "client.secret" and the like need no entry of their own.
constexpr std::array kSecretParts{QStringView(u"password"),   QStringView(u"passphrase"),
                                  QStringView(u"secret"),     QStringView(u"token"),
                                  QStringView(u"key.pem"),    QStringView(u"keystore.key"),
                                  QStringView(u"credential"), QStringView(u"private.key"),
                                  QStringView(u"user.info"),  QStringView(u"jaas.config")};

// Names a part does not tell.
constexpr QStringView kUnsignedToken = u"sasl.oauthbearer.config";

// Where something lies, or what it is, is no secret.
constexpr std::array kPlaces{QStringView(u".location"), QStringView(u".url"), QStringView(u".file"),
                             QStringView(u".type"), QStringView(u".ms")};

} // namespace

bool isSecret(QStringView property)
{
    const auto contains = [&](QStringView part) {
        return property.contains(part, Qt::CaseInsensitive);
    };
    const auto ends = [&](QStringView end) { return property.endsWith(end, Qt::CaseInsensitive); };
    if (std::ranges::any_of(kPlaces, ends))
        return false;
    return property.compare(kUnsignedToken, Qt::CaseInsensitive) == 0 ||
           std::ranges::any_of(kSecretParts, contains);
}

Secrets secretsOf(const SessionConfig &config)
{
    Secrets secrets;
    for (auto property = config.properties.cbegin(); property != config.properties.cend();
         ++property) {
        if (isSecret(property.key()))
            secrets.insert(property.key(), property.value());
    }
    return secrets;
}

SessionConfig withoutSecrets(SessionConfig config)
{
    config.properties.removeIf([](const auto &property) { return isSecret(property.key()); });
    if (const auto url = config.properties.find(RegistryConfig::kUrl);
        url != config.properties.end() && url->contains(u'@'))
        *url = QUrl(*url).toString(QUrl::RemoveUserInfo);
    return config;
}

QStringList neededSecrets(const SessionConfig &config)
{
    if (config.engine != Engine::Kafka)
        return {};
    const auto value = [&](QStringView name) { return config.properties.value(name.toString()); };
    if (!value(u"security.protocol").startsWith(u"sasl_"_s, Qt::CaseInsensitive))
        return {};
    QString mechanism = value(u"sasl.mechanism");
    if (mechanism.isEmpty())
        mechanism = value(u"sasl.mechanisms");
    if (mechanism == u"PLAIN" || mechanism.startsWith(u"SCRAM-"_s))
        return {u"sasl.password"_s};
    if (mechanism != u"OAUTHBEARER" || value(u"enable.sasl.oauthbearer.unsecure.jwt") == u"true")
        return {};
    return {value(u"sasl.oauthbearer.method") == u"oidc" ? u"sasl.oauthbearer.client.secret"_s
                                                         : u"sasl.oauthbearer.token"_s};
}

QString openTokenHost(const QMap<QString, QString> &properties)
{
    const QUrl endpoint(properties.value(u"sasl.oauthbearer.token.endpoint.url"_s).trimmed());
    const QString host = endpoint.host();
    const bool isHere = host == u"localhost" || QHostAddress(host).isLoopback();
    return endpoint.scheme() == u"http" && !isHere ? host : QString();
}

QString hideSecrets(QString text, const QMap<QString, QString> &properties)
{
    // The longest first: one secret may begin with another.
    QStringList values;
    for (auto property = properties.cbegin(); property != properties.cend(); ++property) {
        if (isSecret(property.key()) && !property.value().isEmpty())
            values += property.value();
    }
    std::ranges::sort(values, std::ranges::greater(), &QString::size);
    for (const QString &value : values)
        text.replace(value, u"…"_s);
    return text;
}

} // namespace topicscope
