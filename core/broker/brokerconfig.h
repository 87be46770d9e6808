#pragma once

#include "core/base/result.h"

#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <chrono>
#include <optional>

namespace topicscope::broker
{

struct TopicConfig {
    QString name;
    qint32 partitions = 1;

    bool operator==(const TopicConfig &) const = default;
};

/// How long a segment file is. Both have the same records and each opens the other's.
enum class SegmentMode {
    FileChannel, ///< exactly the bytes written
    Mapped,      ///< the full capacity from its creation on, zeroes behind the records
};

/// Everything the embedded broker can be told. Keys, values and defaults are booblik's, so that its
/// configuration files and environments work; the defaults differ where a desktop program has to be
/// more careful: it binds to this machine only and writes files of exact length.
struct BrokerConfig {
    QString dataDirectory = QStringLiteral("data");
    QString bindAddress = QStringLiteral("127.0.0.1");
    quint16 port = 9092; ///< 0 = any free one
    QList<TopicConfig> topics = {{QStringLiteral("default"), 1}};
    SegmentMode segmentMode = SegmentMode::FileChannel;
    qint64 segmentCapacityBytes = 536'870'912;
    qint64 indexIntervalBytes = 4096;
    std::optional<qint64> flushEveryRecords = {};
    std::optional<std::chrono::milliseconds> flushEvery = {};
    std::optional<qint64> retentionBytes = {};
    std::optional<std::chrono::milliseconds> retentionAge = {};
    std::chrono::milliseconds retentionCheck{30'000};
    std::chrono::milliseconds metricsInterval{10'000}; ///< <= 0 = no metrics line
};

/// Key -> value, in booblik's names ("booblik.port").
using BrokerSettings = QMap<QString, QString>;

/// The settings of a Java properties file: comments, `=`, `:` or blanks as separator, escapes,
/// continued lines. Read as UTF-8.
/// @error Io when the file cannot be read.
Result<BrokerSettings> readPropertiesFile(const QString &path);

/// The settings in an environment ("NAME=value" each): BOOBLIK_PORT is booblik.port.
/// @error InvalidArgument for a BOOBLIK_ name that is no setting. BOOBLIK_BROKER is a client's.
Result<BrokerSettings> readEnvironment(const QStringList &environment);

/// Later layers win: `base` beneath, `over` above. A blank value counts as absent.
BrokerSettings overlaid(BrokerSettings base, const BrokerSettings &over);

/// @error InvalidArgument: unknown key, value out of range, a topic twice, two topics that differ
/// in case only (they would share directories where file names ignore it).
Result<BrokerConfig> makeBrokerConfig(const BrokerSettings &settings);

/// "name:count,name:count". @error InvalidArgument
Result<QList<TopicConfig>> parseTopics(const QString &text);

/// Where the application keeps the data of its own broker.
QString applicationDataDirectory();

} // namespace topicscope::broker
