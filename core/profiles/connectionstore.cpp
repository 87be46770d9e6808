#include "core/profiles/connectionstore.h"

#include "core/profiles/secrets.h"

#include <QCoreApplication>
#include <QUuid>

#include <algorithm>

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

constexpr QStringView kGroup = u"connections";
const QString kKafka = u"kafka"_s;
const QString kFile = u"file"_s;
const QString kServers = u"bootstrap.servers"_s;
const QString kSecrets = u"secrets"_s;
const QString kProperties = u"properties"_s;

/// The window's settings, whichever program asks.
QString ownFile()
{
    return QSettings(QSettings::NativeFormat, QSettings::UserScope,
                     QCoreApplication::organizationName(), u"topicscope"_s)
        .fileName();
}

QString orderKey()
{
    return kGroup.toString() + u"/order"_s;
}

QString groupKey(const QString &id)
{
    return kGroup.toString() + u'/' + id;
}

QString fieldKey(const QString &id, QStringView field)
{
    return groupKey(id) + u'/' + field.toString();
}

} // namespace

ConnectionStore::ConnectionStore(const QString &file, QObject *parent)
    : QObject(parent)
    , m_settings(file.isEmpty() ? ownFile() : file, QSettings::IniFormat)
{
    read();
}

std::optional<ConnectionStore::Connection> ConnectionStore::byId(const QString &id) const
{
    const auto found = std::ranges::find(m_connections, id, &Connection::id);
    return found == m_connections.end() ? std::nullopt : std::optional(*found);
}

std::optional<ConnectionStore::Connection> ConnectionStore::byName(const QString &name) const
{
    const auto found = std::ranges::find_if(m_connections, [&](const Connection &connection) {
        return connection.config.displayName() == name;
    });
    return found == m_connections.end() ? std::nullopt : std::optional(*found);
}

/// Ids as they were arranged, then those nobody arranged.
QStringList ConnectionStore::order() const
{
    QStringList ids = m_settings.value(orderKey()).toStringList();
    ids.removeDuplicates();
    const QStringList keys = m_settings.allKeys();
    for (const QString &name : keys) {
        const QStringList path = name.split(u'/');
        if (path.size() == 3 && path[0] == kGroup && !ids.contains(path[1]))
            ids << path[1];
    }
    return ids;
}

void ConnectionStore::read()
{
    m_connections.clear();
    const QStringList ids = order();
    for (const QString &id : ids) {
        const auto value = [&](QStringView field) { return m_settings.value(fieldKey(id, field)); };
        Connection connection;
        connection.id = id;
        SessionConfig &config = connection.config;
        config.host = value(u"host").toString();
        bool ok = false;
        const uint port = value(u"port").toUInt(&ok);
        if (config.host.isEmpty() || !ok || port < 1 || port > 65535)
            continue;
        config.port = quint16(port);
        config.name = value(u"name").toString().left(kMaxNameChars);
        config.readOnly = value(u"readOnly").toBool();
        if (value(u"engine").toString() == kKafka) {
            config.engine = Engine::Kafka;
            if (const QString servers = value(u"servers").toString(); !servers.isEmpty())
                config.properties.insert(kServers, servers);
            readProperties(connection);
        } else if (value(u"engine").toString() == kFile) {
            config.engine = Engine::File;
        }
        const auto readTimeout = [&](QStringView field, std::chrono::milliseconds &timeout) {
            const qint64 ms = value(field).toLongLong(&ok);
            if (ok)
                timeout = std::clamp(std::chrono::milliseconds(ms), kMinTimeout, kMaxTimeout);
        };
        readTimeout(u"connectTimeoutMs", config.connectTimeout);
        readTimeout(u"requestTimeoutMs", config.requestTimeout);
        readTimeout(u"publishTimeoutMs", config.publishTimeout);
        m_connections.append(connection);
        if (m_connections.size() == kMaxConnections)
            break;
    }
}

void ConnectionStore::readProperties(Connection &connection) const
{
    const QString prefix = fieldKey(connection.id, kProperties) + u'/';
    const QStringList keys = m_settings.allKeys();
    for (const QString &key : keys) {
        const QString name = key.mid(prefix.size());
        if (!key.startsWith(prefix) || isSecret(name))
            continue;
        if (connection.config.properties.size() < kMaxProperties)
            connection.config.properties.insert(
                name, m_settings.value(key).toString().left(kMaxValueChars));
    }
    connection.secrets = m_settings.value(fieldKey(connection.id, kSecrets)).toStringList();
    connection.secrets.removeIf([](const QString &name) { return !isSecret(name); });
}

/// @param secrets  names of those it has beside the ones in `config`
void ConnectionStore::write(const QString &id, const SessionConfig &config, QStringList secrets)
{
    const auto set = [&](QStringView field, const QVariant &value) {
        m_settings.setValue(fieldKey(id, field), value);
    };
    set(u"name", config.name.left(kMaxNameChars));
    set(u"host", config.host);
    set(u"port", config.port);
    set(u"readOnly", config.readOnly);
    const bool kafka = config.engine == Engine::Kafka;
    set(u"engine", kafka ? kKafka : config.engine == Engine::File ? kFile : u"booblik"_s);
    set(u"servers", kafka ? config.properties.value(kServers) : QString());
    m_settings.remove(fieldKey(id, kProperties));
    const auto properties =
        kafka ? withoutSecrets(config).properties : decltype(config.properties)();
    for (auto property = properties.cbegin(); property != properties.cend(); ++property) {
        if (property.key() != kServers)
            set(kProperties + u'/' + property.key(), property.value());
    }
    secrets += secretsOf(config).keys();
    secrets.removeDuplicates();
    secrets.sort();
    set(kSecrets, kafka ? secrets : QStringList());
    set(u"connectTimeoutMs", qint64(config.connectTimeout.count()));
    set(u"requestTimeoutMs", qint64(config.requestTimeout.count()));
    set(u"publishTimeoutMs", qint64(config.publishTimeout.count()));
}

/// Writes the file, and shows what is in it now.
Result<void> ConnectionStore::commit()
{
    m_settings.sync();
    read();
    emit changed();
    if (m_settings.status() == QSettings::NoError)
        return {};
    ErrorPlace where;
    where.endpoint = m_settings.fileName();
    return Error::make(ErrorKind::Io, u"The connections could not be saved."_s, where);
}

Result<QString> ConnectionStore::add(const SessionConfig &config)
{
    if (m_connections.size() >= kMaxConnections) {
        return Error::make(
            ErrorKind::InvalidArgument,
            u"There are %1 connections already; remove one first."_s.arg(kMaxConnections));
    }
    const QString id = QUuid::createUuid().toString(QUuid::WithoutBraces);
    m_settings.sync();
    const QStringList ids = order() << id;
    write(id, config, {});
    m_settings.setValue(orderKey(), ids);
    if (auto saved = commit(); !saved)
        return std::move(saved).error();
    return id;
}

Result<void> ConnectionStore::update(const QString &id, const SessionConfig &config,
                                     const QStringList &dropped)
{
    const auto before = byId(id);
    if (!before)
        return Error::make(ErrorKind::InvalidArgument, u"There is no such connection."_s);
    QStringList secrets = before->secrets;
    secrets.removeIf([&](const QString &name) { return dropped.contains(name); });
    write(id, config, secrets);
    Result<void> saved = commit();
    const auto after = byId(id);
    if (after && after->config != before->config)
        emit updated(before->config, after->config);
    return saved;
}

Result<void> ConnectionStore::remove(const QString &id)
{
    if (!byId(id))
        return Error::make(ErrorKind::InvalidArgument, u"There is no such connection."_s);
    m_settings.sync();
    QStringList ids = order();
    ids.removeAll(id);
    m_settings.setValue(orderKey(), ids);
    m_settings.remove(groupKey(id));
    return commit();
}

void ConnectionStore::reload()
{
    m_settings.sync();
    read();
    emit changed();
}

} // namespace topicscope
