#include "core/profiles/registryconfig.h"

namespace topicscope
{

using namespace Qt::StringLiterals;

bool RegistryConfig::isOwn(const QString &property)
{
    return property.startsWith(u"schema.registry."_s) || property.startsWith(u"basic.auth."_s);
}

std::optional<RegistryConfig> RegistryConfig::takeFrom(QMap<QString, QString> &properties)
{
    RegistryConfig config;
    config.url = QUrl(properties.value(kUrl).section(u',', 0, 0).trimmed());
    QString login = properties.value(kUserInfo);
    if (login.isEmpty())
        login = properties.value(u"schema.registry.basic.auth.user.info"_s);
    config.user = login.isEmpty() ? config.url.userName() : login.section(u':', 0, 0);
    config.password = login.isEmpty() ? config.url.password() : login.section(u':', 1);
    config.url.setUserInfo({});
    config.caFile = properties.value(kCaFile);
    properties.removeIf([](const auto &property) { return isOwn(property.key()); });
    return config.url.isEmpty() ? std::nullopt : std::optional(config);
}

} // namespace topicscope
