#include "core/kafka/kafkalimits.h"

#include <QCoreApplication>

#include <librdkafka/rdkafka.h>

#include <array>
#include <memory>

namespace topicscope::kafka
{

using namespace Qt::StringLiterals;

namespace
{

// 0xMMmmrrpp
constexpr int kScramMended = 0x02060100;
constexpr int kKerberosMended = 0x020b0000;

/// What came with which version.
struct Feature {
    int since; ///< 0xMMmmrrpp
    const char *what;
};
constexpr Feature kFeatures[] = {
    {0x020100ff, QT_TRANSLATE_NOOP("KafkaLimits", "leader epoch of a record")},
    {0x020100ff, QT_TRANSLATE_NOOP("KafkaLimits", "notice of a truncated log")},
    {kScramMended, QT_TRANSLATE_NOOP("KafkaLimits", "SCRAM login to Kafka 4.x")},
    {0x020a00ff, QT_TRANSLATE_NOOP("KafkaLimits", "members of KIP-848 groups")},
    {kKerberosMended, QT_TRANSLATE_NOOP("KafkaLimits", "Kerberos login to Kafka 4.0.0")},
};

QString versionText(int version)
{
    return u"%1.%2.%3"_s.arg(version >> 24).arg((version >> 16) & 0xff).arg((version >> 8) & 0xff);
}

QString tr(const char *text)
{
    return QCoreApplication::translate("KafkaLimits", text);
}

QString builtInFeatures()
{
    const std::unique_ptr<rd_kafka_conf_t, decltype(&rd_kafka_conf_destroy)> conf(
        rd_kafka_conf_new(), &rd_kafka_conf_destroy);
    std::array<char, 1024> text{};
    size_t size = text.size();
    rd_kafka_conf_get(conf.get(), "builtin.features", text.data(), &size);
    return QString::fromUtf8(text.data());
}

} // namespace

QString libraryName()
{
    return u"librdkafka "_s + QLatin1StringView(rd_kafka_version_str());
}

bool isBuiltIn(QLatin1StringView feature)
{
    static const QStringList features = builtInFeatures().split(u',');
    return features.contains(feature);
}

QStringList missingFeatures()
{
    QStringList missing;
    for (const Feature &feature : kFeatures) {
        if (rd_kafka_version() < feature.since)
            missing.append(
                tr("%1 (librdkafka %2)").arg(tr(feature.what), versionText(feature.since)));
    }
    return missing;
}

QString loginLimit(const QString &mechanism)
{
    const auto missing = [](const char *feature) {
        return isBuiltIn(QLatin1StringView(feature))
                   ? QString()
                   : tr("%1 was built without it.").arg(libraryName());
    };
    if (mechanism.startsWith(u"SCRAM-"_s)) {
        if (QString text = missing("sasl_scram"); !text.isEmpty())
            return text;
        if (rd_kafka_version() < kScramMended)
            return tr("Kafka 4.x will refuse this login by %1; it needs librdkafka 2.6.1.")
                .arg(libraryName());
    } else if (mechanism == u"GSSAPI"_s) {
        if (QString text = missing("sasl_gssapi"); !text.isEmpty())
            return text;
        if (rd_kafka_version() < kKerberosMended)
            return tr("Kafka 4.0.0 cannot be reached with this login by %1; it needs "
                      "librdkafka 2.11.0 or Kafka 4.0.1.")
                .arg(libraryName());
    } else if (mechanism == u"OAUTHBEARER"_s) {
        return missing("sasl_oauthbearer");
    } else if (mechanism == u"PLAIN"_s) {
        return missing("sasl_plain");
    }
    return {};
}

} // namespace topicscope::kafka
