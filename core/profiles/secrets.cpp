#include "core/profiles/secrets.h"

#include <QHostAddress>
#include <QRegularExpression>
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

// The login of an address is up to the last "@" of its host: typed by hand, a password may hold
// what a URL must not.
const QRegularExpression &loginInUrl()
{
    static const QRegularExpression login(u"(^\\s*|,\\s*|://)([^/?#\\s]*)@"_s);
    return login;
}

bool isUrl(QStringView property)
{
    return property.endsWith(u".url", Qt::CaseInsensitive);
}

/// The texts that would give this property away.
QStringList secretTexts(const QString &property, const QString &value)
{
    QStringList texts;
    if (isSecret(property))
        texts << value;
    if (property.endsWith(u"user.info"_s, Qt::CaseInsensitive))
        texts << value.section(u':', 1);
    if (isUrl(property)) {
        for (const auto &match : loginInUrl().globalMatch(value)) {
            const QString login = match.captured(2);
            for (const QString &part : {login, login.section(u':', 1)})
                texts << part << QUrl::fromPercentEncoding(part.toUtf8());
        }
    }
    return texts;
}

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

QString urlLogin(const QString &urls)
{
    for (const auto &match : loginInUrl().globalMatch(urls)) {
        if (!match.captured(2).isEmpty())
            return match.captured(2);
    }
    return {};
}

QString withoutUrlLogin(QString urls)
{
    return urls.replace(loginInUrl(), u"\\1"_s);
}

SessionConfig withoutSecrets(SessionConfig config)
{
    config.properties.removeIf([](const auto &property) { return isSecret(property.key()); });
    for (auto property = config.properties.begin(); property != config.properties.end();
         ++property) {
        if (isUrl(property.key()))
            *property = withoutUrlLogin(*property);
    }
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
    for (auto property = properties.cbegin(); property != properties.cend(); ++property)
        values += secretTexts(property.key(), property.value());
    values.removeAll(QString());
    std::ranges::sort(values, std::ranges::greater(), &QString::size);
    for (const QString &value : values)
        text.replace(value, u"…"_s);
    static const QRegularExpression anyLogin(u"://[^/?#\\s]*@"_s);
    return text.replace(anyLogin, u"://…@"_s);
}

} // namespace topicscope
