#include "core/kafka/librarycatalog.h"

#include "core/kafka/kafkalimits.h"
#include "core/profiles/registryconfig.h"
#include "core/profiles/secrets.h"

#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace topicscope::kafka
{

using namespace Qt::StringLiterals;

namespace
{

// Ours, and those this build of the library may not know; see oauthtoken.h and registryconfig.h.
bool isOwn(const QString &name)
{
    static const QStringList own = {u"sasl.oauthbearer.token"_s, u"sasl.oauthbearer.method"_s,
                                    u"https.ca.location"_s};
    return own.contains(name) || RegistryConfig::isOwn(name);
}

QString shownTable()
{
    char *text = nullptr;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return {};
    rd_kafka_conf_properties_show(memory);
    std::fclose(memory);
    QString table = QString::fromUtf8(text, qsizetype(size));
    std::free(text); // NOLINT(cppcoreguidelines-no-malloc): open_memstream's
    return table;
}

} // namespace

QList<EngineProperty> parseCatalog(const QString &table)
{
    // Property | C/P | Range | Default | Importance | Description
    enum Cell { Name, Kind, Range, Default, Importance, Description, CellCount };
    QList<EngineProperty> properties;
    for (const QString &line : table.split(u'\n')) {
        QStringList cells = line.split(u'|');
        if (cells.size() < CellCount)
            continue;
        for (QString &cell : cells)
            cell = cell.trimmed();
        const QString &name = cells[Name];
        QString text = cells.sliced(Description).join(u" | "_s);
        text.remove(u"<br>"_s);
        text.replace(u"<br/>"_s, u" "_s);
        const qsizetype type = text.lastIndexOf(u"*Type: "_s);
        const QString typeName =
            type < 0 ? QString() : text.sliced(type + 7).section(u'*', 0, 0).trimmed();
        if (type >= 0)
            text.truncate(type);
        if (name == u"Property"_s || name.startsWith(u'-') || name.endsWith(u"_cb"_s) ||
            name.startsWith(u"test."_s) || name == u"opaque"_s || name == u"default_topic_conf"_s ||
            typeName.startsWith(u"see "_s))
            continue;
        const bool isKnown =
            std::ranges::any_of(properties, [&](const auto &each) { return each.name == name; });
        if (!isKnown)
            properties.append({name, cells[Range].isEmpty() ? typeName : cells[Range],
                               cells[Default], text.simplified()});
    }
    std::ranges::sort(properties, {}, &EngineProperty::name);
    return properties;
}

LibraryCatalog::LibraryCatalog()
    : m_properties(parseCatalog(shownTable()))
{
}

QString LibraryCatalog::library() const
{
    return libraryName();
}

QString LibraryCatalog::problem(const QString &name, const QString &value) const
{
    if (isOwn(name))
        return {};
    if (loadsForeignCode(name))
        return u"%1 is not allowed: it would load foreign code"_s.arg(name);
    const std::unique_ptr<rd_kafka_conf_t, decltype(&rd_kafka_conf_destroy)> conf(
        rd_kafka_conf_new(), &rd_kafka_conf_destroy);
    std::array<char, 512> text{};
    const auto result = rd_kafka_conf_set(conf.get(), name.toUtf8().constData(),
                                          value.toUtf8().constData(), text.data(), text.size());
    if (result == RD_KAFKA_CONF_OK)
        return {};
    if (result == RD_KAFKA_CONF_UNKNOWN)
        return u"%1 has no property \"%2\""_s.arg(libraryName(), name);
    return hideSecrets(QString::fromUtf8(text.data()), {{name, value}});
}

QStringList LibraryCatalog::missingFeatures() const
{
    return kafka::missingFeatures();
}

QString LibraryCatalog::loginLimit(const QString &mechanism) const
{
    return kafka::loginLimit(mechanism);
}

} // namespace topicscope::kafka
