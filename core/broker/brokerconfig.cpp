#include "core/broker/brokerconfig.h"

#include "core/booblik/topicname.h"
#include "core/segments/logdirectory.h"
#include "core/segments/segmentfile.h"

#include <QFile>
#include <QSet>
#include <QStandardPaths>

#include <algorithm>
#include <functional>
#include <limits>

namespace topicscope::broker
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 kMaxI64 = std::numeric_limits<qint64>::max();
constexpr qint64 kMinI64 = std::numeric_limits<qint64>::min();
constexpr qsizetype kMaxFileNameBytes = 255;
constexpr qint64 kMaxPartitions = 10'000; ///< of one topic; each holds a file open

Error refuse(QString why)
{
    return Error::make(ErrorKind::InvalidArgument, std::move(why));
}

/// A plain decimal; a sign is allowed, blanks and other scripts' digits are not.
Result<qint64> parseNumber(const QString &key, const QString &text, qint64 low, qint64 high)
{
    const QStringView digits =
        QStringView(text).sliced(text.startsWith(u'-') || text.startsWith(u'+') ? 1 : 0);
    const bool plain = !digits.isEmpty() && std::all_of(digits.begin(), digits.end(), [](QChar c) {
        return c >= u'0' && c <= u'9';
    });
    bool fits = false;
    const qint64 value = text.toLongLong(&fits);
    if (!plain || !fits)
        return refuse(u"%1: \"%2\" is not a whole number"_s.arg(key, text));
    if (value < low || value > high) {
        return refuse(u"%1: %2 is not between %3 and %4"_s.arg(key, text).arg(low).arg(high));
    }
    return value;
}

Result<qint64> parseChoice(const QString &key, const QString &text, const QStringList &choices)
{
    const qsizetype at = choices.indexOf(text.toUpper());
    if (at < 0)
        return refuse(u"%1: \"%2\" is none of %3"_s.arg(key, text, choices.join(u", "_s)));
    return qint64(at);
}

/// One setting: its key and how its value gets into a configuration.
struct Setting {
    QString key;
    std::function<Result<void>(BrokerConfig &, const QString &)> apply;
};

template <typename Store>
Setting numberSetting(const QString &key, qint64 low, qint64 high, Store store)
{
    return {key, [=](BrokerConfig &config, const QString &text) -> Result<void> {
                const auto value = parseNumber(key, text, low, high);
                if (!value)
                    return value.error();
                store(config, *value);
                return {};
            }};
}

template <typename Store>
Setting choiceSetting(const QString &key, const QStringList &choices, Store store)
{
    return {key, [=](BrokerConfig &config, const QString &text) -> Result<void> {
                const auto value = parseChoice(key, text, choices);
                if (!value)
                    return value.error();
                store(config, *value);
                return {};
            }};
}

const QList<Setting> &allSettings()
{
    using std::chrono::milliseconds;
    static const QList<Setting> settings = {
        {u"booblik.data.dir"_s,
         [](BrokerConfig &c, const QString &text) -> Result<void> {
             c.dataDirectory = text;
             return {};
         }},
        {u"booblik.bind.address"_s,
         [](BrokerConfig &c, const QString &text) -> Result<void> {
             c.bindAddress = text;
             return {};
         }},
        {u"booblik.topics"_s,
         [](BrokerConfig &c, const QString &text) -> Result<void> {
             auto topics = parseTopics(text);
             if (!topics)
                 return topics.error();
             c.topics = std::move(topics).value();
             return {};
         }},
        numberSetting(u"booblik.port"_s, 0, 65535,
                      [](BrokerConfig &c, qint64 v) { c.port = quint16(v); }),
        choiceSetting(u"booblik.segment.mode"_s, {u"MAPPED"_s, u"FILE_CHANNEL"_s},
                      [](BrokerConfig &c, qint64 v) {
                          c.segmentMode = v == 0 ? SegmentMode::Mapped : SegmentMode::FileChannel;
                      }),
        numberSetting(u"booblik.segment.capacity.bytes"_s, 1, kMaxSegmentBytes,
                      [](BrokerConfig &c, qint64 v) { c.segmentCapacityBytes = v; }),
        numberSetting(u"booblik.index.interval.bytes"_s, 1, kMaxI64,
                      [](BrokerConfig &c, qint64 v) { c.indexIntervalBytes = v; }),
        numberSetting(u"booblik.flush.every.records"_s, 1, kMaxI64,
                      [](BrokerConfig &c, qint64 v) { c.flushEveryRecords = v; }),
        numberSetting(u"booblik.flush.every.millis"_s, 1, std::numeric_limits<int>::max(),
                      [](BrokerConfig &c, qint64 v) { c.flushEvery = milliseconds(v); }),
        numberSetting(u"booblik.retention.bytes"_s, kMinI64, kMaxI64,
                      [](BrokerConfig &c, qint64 v) { c.retentionBytes = v; }),
        numberSetting(u"booblik.retention.millis"_s, kMinI64, kMaxI64,
                      [](BrokerConfig &c, qint64 v) { c.retentionAge = milliseconds(v); }),
        numberSetting(u"booblik.retention.check.millis"_s, 1, std::numeric_limits<int>::max(),
                      [](BrokerConfig &c, qint64 v) { c.retentionCheck = milliseconds(v); }),
        numberSetting(u"booblik.metrics.interval.millis"_s, kMinI64,
                      std::numeric_limits<int>::max(),
                      [](BrokerConfig &c, qint64 v) { c.metricsInterval = milliseconds(v); }),
        // How the reference moves its bytes; there is one way here, so these only have to be right.
        choiceSetting(u"booblik.transport"_s, {u"SELECTOR"_s, u"VIRTUAL_THREADS"_s},
                      [](BrokerConfig &, qint64) {}),
        choiceSetting(u"booblik.fetch.mode"_s, {u"ZERO_COPY"_s, u"HEAP"_s},
                      [](BrokerConfig &, qint64) {}),
    };
    return settings;
}

QString environmentName(const QString &key)
{
    return key.toUpper().replace(u'.', u'_');
}

/// Unescapes one part of a properties line.
QString unescaped(QStringView text)
{
    QString out;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] != u'\\' || i + 1 == text.size()) {
            out += text[i];
            continue;
        }
        const QChar c = text[++i];
        if (c == u'u' && i + 4 < text.size()) {
            bool ok = false;
            const ushort unit = text.sliced(i + 1, 4).toUShort(&ok, 16);
            if (ok) {
                out += QChar(unit);
                i += 4;
                continue;
            }
        }
        out += c == u'n' ? QChar(u'\n') : c == u't' ? QChar(u'\t') : c == u'r' ? QChar(u'\r') : c;
    }
    return out;
}

bool endsWithOpenEscape(QStringView line)
{
    const auto last = std::find_if(line.rbegin(), line.rend(), [](QChar c) { return c != u'\\'; });
    return (last - line.rbegin()) % 2 == 1;
}

/// The lines of a properties file with continuations joined and comments left out.
QStringList logicalLines(const QString &text)
{
    QStringList lines;
    QString open;
    const QStringList natural = QString(text).replace(u"\r\n"_s, u"\n"_s).split(u'\n');
    for (const QString &line : natural) {
        qsizetype begin = 0;
        while (begin < line.size() && line[begin].isSpace())
            ++begin;
        const QString stripped = line.sliced(begin);
        if (open.isEmpty() &&
            (stripped.isEmpty() || stripped.startsWith(u'#') || stripped.startsWith(u'!')))
            continue;
        open += stripped;
        if (endsWithOpenEscape(open)) {
            open.chop(1);
            continue;
        }
        lines.append(std::exchange(open, {}));
    }
    if (!open.isEmpty())
        lines.append(open);
    return lines;
}

} // namespace

Result<BrokerSettings> readPropertiesFile(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error::make(ErrorKind::Io, file.errorString(), {{}, {}, {}, path, {}});
    BrokerSettings settings;
    const QStringList lines = logicalLines(QString::fromUtf8(file.readAll()));
    for (const QString &line : lines) {
        qsizetype end = 0;
        while (end < line.size() && line[end] != u'=' && line[end] != u':' && !line[end].isSpace())
            end += line[end] == u'\\' ? 2 : 1;
        end = std::min(end, line.size());
        qsizetype value = end;
        bool separated = false;
        while (value < line.size() &&
               (line[value].isSpace() ||
                (!separated && (line[value] == u'=' || line[value] == u':')))) {
            separated = separated || !line[value].isSpace();
            ++value;
        }
        settings.insert(unescaped(QStringView(line).first(end)),
                        unescaped(QStringView(line).sliced(value)));
    }
    return settings;
}

Result<BrokerSettings> readEnvironment(const QStringList &environment)
{
    BrokerSettings settings;
    for (const QString &entry : environment) {
        const qsizetype equals = entry.indexOf(u'=');
        const QString name = entry.first(std::max<qsizetype>(equals, 0));
        if (!name.startsWith(u"BOOBLIK_"_s) || name == u"BOOBLIK_BROKER"_s)
            continue;
        const auto &known = allSettings();
        const auto setting = std::find_if(known.begin(), known.end(), [&](const Setting &s) {
            return environmentName(s.key) == name;
        });
        if (setting == known.end())
            return refuse(u"the environment has %1, which is no setting"_s.arg(name));
        settings.insert(setting->key, entry.sliced(equals + 1));
    }
    return settings;
}

BrokerSettings overlaid(BrokerSettings base, const BrokerSettings &over)
{
    for (auto it = over.begin(); it != over.end(); ++it) {
        if (!it.value().trimmed().isEmpty() || !base.contains(it.key()))
            base.insert(it.key(), it.value());
    }
    return base;
}

Result<BrokerConfig> makeBrokerConfig(const BrokerSettings &settings)
{
    BrokerConfig config;
    for (auto it = settings.begin(); it != settings.end(); ++it) {
        const auto &known = allSettings();
        const auto setting = std::find_if(known.begin(), known.end(),
                                          [&](const Setting &s) { return s.key == it.key(); });
        if (setting == known.end())
            return refuse(u"\"%1\" is no setting"_s.arg(it.key()));
        if (it.value().trimmed().isEmpty())
            continue;
        if (auto applied = setting->apply(config, it.value()); !applied)
            return applied.error();
    }
    return config;
}

Result<QList<TopicConfig>> parseTopics(const QString &text)
{
    QList<TopicConfig> topics;
    QSet<QString> seen;
    QMap<QString, QString> byFoldedName;
    const QStringList entries = text.split(u',');
    for (const QString &raw : entries) {
        const QString entry = raw.trimmed();
        if (entry.isEmpty())
            continue;
        const QStringList parts = entry.split(u':');
        if (parts.size() != 2)
            return refuse(u"booblik.topics: \"%1\" is not name:count"_s.arg(entry));
        const QString &name = parts[0];
        if (!booblik::isValidTopicName(name)) {
            return refuse(u"booblik.topics: \"%1\" is not a topic name: 1 to 249 letters, digits, "
                          "'.', '_' or '-'"_s.arg(name));
        }
        const auto count =
            parseNumber(u"booblik.topics: partitions of "_s + name, parts[1], 1, kMaxPartitions);
        if (!count)
            return count.error();
        const TopicPartition last{name, PartitionId{qint32(*count - 1)}};
        if (partitionDirectoryName(last).toUtf8().size() > kMaxFileNameBytes)
            return refuse(u"booblik.topics: \"%1\" is too long for a directory name"_s.arg(name));
        if (seen.contains(name))
            return refuse(u"booblik.topics: \"%1\" is there twice"_s.arg(name));
        const QString folded = name.toCaseFolded();
        if (byFoldedName.contains(folded)) {
            return refuse(
                u"booblik.topics: \"%1\" and \"%2\" differ in case only and would share "
                "directories where file names ignore it"_s.arg(byFoldedName[folded], name));
        }
        seen.insert(name);
        byFoldedName.insert(folded, name);
        topics.append({name, qint32(*count)});
    }
    if (topics.isEmpty())
        return refuse(u"booblik.topics: \"%1\" names no topic"_s.arg(text));
    return topics;
}

QString applicationDataDirectory()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + u"/broker"_s;
}

} // namespace topicscope::broker
