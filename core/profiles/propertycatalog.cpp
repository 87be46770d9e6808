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

bool loadsForeignCode(QStringView property)
{
    // Whatever follows: the library reads the name up to the first NUL.
    return property.startsWith(u"plugin.library.paths") || property.startsWith(u"interceptors");
}

} // namespace topicscope
