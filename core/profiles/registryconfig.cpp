#include "core/profiles/registryconfig.h"

#include "core/profiles/secrets.h"

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

QString loginOf(const QMap<QString, QString> &properties)
{
    const QString login = properties.value(RegistryConfig::kUserInfo);
    return login.isEmpty() ? properties.value(u"schema.registry.basic.auth.user.info"_s) : login;
}

} // namespace

bool RegistryConfig::isOwn(const QString &property)
{
    return property.startsWith(u"schema.registry."_s) || property.startsWith(u"basic.auth."_s);
}

void RegistryConfig::moveLogin(QMap<QString, QString> &properties)
{
    const auto url = properties.find(kUrl);
    if (url == properties.end())
        return;
    const QString login = urlLogin(*url);
    *url = withoutUrlLogin(*url);
    if (!login.isEmpty() && loginOf(properties).isEmpty())
        properties.insert(kUserInfo, QUrl::fromPercentEncoding(login.toUtf8()));
}

std::optional<RegistryConfig> RegistryConfig::takeFrom(QMap<QString, QString> &properties)
{
    moveLogin(properties);
    const QString login = loginOf(properties);
    RegistryConfig config;
    config.url = QUrl(properties.value(kUrl).section(u',', 0, 0).trimmed());
    config.user = login.section(u':', 0, 0);
    config.password = login.section(u':', 1);
    config.caFile = properties.value(kCaFile);
    properties.removeIf([](const auto &property) { return isOwn(property.key()); });
    return config.url.isEmpty() ? std::nullopt : std::optional(config);
}

} // namespace topicscope
