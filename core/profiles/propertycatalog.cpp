#include "core/profiles/propertycatalog.h"

#include <algorithm>
#include <array>

namespace topicscope
{

bool isFixedByProgram(QStringView property)
{
    static constexpr std::array kFixed{
        QStringView(u"acks"),
        QStringView(u"allow.auto.create.topics"),
        QStringView(u"auto.offset.reset"),
        QStringView(u"check.crcs"),
        QStringView(u"delivery.timeout.ms"),
        QStringView(u"enable.auto.commit"),
        QStringView(u"enable.auto.offset.store"),
        QStringView(u"enable.idempotence"),
        QStringView(u"enable.partition.eof"),
        QStringView(u"fetch.wait.max.ms"),
        QStringView(u"isolation.level"),
        QStringView(u"linger.ms"),
        QStringView(u"log.queue"),
        QStringView(u"message.max.bytes"),
        QStringView(u"queued.max.messages.kbytes"),
        QStringView(u"queued.min.messages"),
        QStringView(u"retries"),
    };
    return loadsForeignCode(property) || std::ranges::find(kFixed, property) != kFixed.end();
}

// Names are compared by their beginning: the library reads one up to the first NUL.

bool loadsForeignCode(QStringView property)
{
    static constexpr std::array kLoaders{
        QStringView(u"plugin.library.paths"), QStringView(u"interceptors"),
        QStringView(u"ssl.engine"), // .location, .id: OpenSSL engines
        QStringView(u"ssl_engine"),           QStringView(u"ssl.provider"), // modules of OpenSSL 3
    };
    return std::ranges::any_of(
        kLoaders, [property](QStringView loader) { return property.startsWith(loader); });
}

bool runsCommand(QStringView property)
{
    return property.startsWith(u"sasl.kerberos.kinit.cmd");
}

bool breaksCommand(QStringView property, QStringView value)
{
    // kinit -t "%{sasl.kerberos.keytab}" -k %{sasl.kerberos.principal}, with nothing escaped.
    constexpr QStringView kInQuotes = u"\"$`\\";
    constexpr QStringView kOutside = u"'; &|<>(){}*?[]!#~";
    const bool isKeytab = property.startsWith(u"sasl.kerberos.keytab");
    if (!isKeytab && !property.startsWith(u"sasl.kerberos.principal") &&
        !property.startsWith(u"sasl.kerberos.service.name"))
        return false;
    return std::ranges::any_of(value, [&](QChar c) {
        return c < u' ' || kInQuotes.contains(c) || (!isKeytab && kOutside.contains(c));
    });
}

} // namespace topicscope
