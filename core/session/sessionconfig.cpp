#include "core/session/sessionconfig.h"

namespace topicscope
{

using namespace Qt::StringLiterals;

QString SessionConfig::endpoint() const
{
    return (host.contains(u':') ? u"[%1]:%2"_s : u"%1:%2"_s).arg(host).arg(port);
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
