#include "core/session/sessionconfig.h"

namespace topicscope
{

using namespace Qt::StringLiterals;

namespace
{

constexpr QLatin1StringView kKafka("kafka://");
constexpr QLatin1StringView kFile("file:");

} // namespace

QString SessionConfig::endpoint() const
{
    if (engine == Engine::File)
        return kFile + host;
    QString servers = properties.value(u"bootstrap.servers"_s);
    if (engine == Engine::Kafka && !servers.isEmpty())
        return servers;
    return (host.contains(u':') ? u"[%1]:%2"_s : u"%1:%2"_s).arg(host).arg(port);
}

QString SessionConfig::address() const
{
    return engine == Engine::Kafka ? kKafka + endpoint() : endpoint();
}

bool SessionConfig::setBroker(const QString &text)
{
    QString rest = text.trimmed();
    if (rest.startsWith(kFile) && rest.size() > kFile.size()) {
        engine = Engine::File;
        host = rest.sliced(kFile.size());
        return true;
    }
    if (rest.startsWith(kKafka)) {
        rest = rest.sliced(kKafka.size());
        engine = Engine::Kafka;
    }
    if (!rest.contains(u','))
        return parseEndpoint(rest, &host, &port);
    if (engine != Engine::Kafka)
        return false;
    QStringList servers;
    for (const QString &part : rest.split(u',', Qt::SkipEmptyParts)) {
        SessionConfig one;
        if (!parseEndpoint(part, &one.host, &one.port))
            return false;
        servers += one.endpoint();
    }
    if (servers.isEmpty())
        return false;
    properties.insert(u"bootstrap.servers"_s, servers.join(u','));
    return parseEndpoint(servers.constFirst(), &host, &port);
}

bool parseEndpoint(const QString &text, QString *host, quint16 *port)
{
    *host = u"127.0.0.1"_s;
    *port = 9092;
    const QString trimmed = text.trimmed();
    QString hostPart = trimmed;
    QString portPart;
    if (trimmed.startsWith(u'[')) {
        const qsizetype end = trimmed.indexOf(u']');
        if (end < 0)
            return false;
        hostPart = trimmed.sliced(1, end - 1);
        const QString rest = trimmed.sliced(end + 1);
        if (!rest.isEmpty() && !rest.startsWith(u':'))
            return false;
        portPart = rest.mid(1);
    } else if (trimmed.count(u':') == 1) {
        const qsizetype colon = trimmed.lastIndexOf(u':');
        hostPart = trimmed.first(colon);
        portPart = trimmed.sliced(colon + 1);
    } // several colons without brackets: a bare IPv6 address
    if (!hostPart.isEmpty())
        *host = hostPart;
    if (portPart.isEmpty())
        return true;
    bool ok = false;
    const uint number = portPart.toUInt(&ok);
    if (!ok || number < 1 || number > 65535)
        return false;
    *port = quint16(number);
    return true;
}

} // namespace topicscope
