#include "core/broker/brokerconfig.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace topicscope;
using namespace topicscope::broker;
using namespace Qt::StringLiterals;

class tst_BrokerConfig : public QObject
{
    Q_OBJECT
private slots:
    void defaultsAreCareful();
    void everyKeyOfTheReferenceIsUnderstood();
    void wrongValuesAreRefused_data();
    void wrongValuesAreRefused();
    void topicsAreParsedAsByTheReference();
    void wrongTopicsAreRefused_data();
    void wrongTopicsAreRefused();
    void environmentNamesAreKeysInUpperCase();
    void unknownEnvironmentNamesAreRefused();
    void laterLayersWinAndBlankValuesAreAbsent();
    void propertiesFilesAreReadAsJavaDoes();
    void aMissingFileIsAnError();
};

void tst_BrokerConfig::defaultsAreCareful()
{
    const auto config = makeBrokerConfig({});
    QVERIFY(config);
    QCOMPARE(config->port, quint16(9092));
    QCOMPARE(config->bindAddress, u"127.0.0.1"_s);
    QCOMPARE(config->segmentCapacityBytes, 536870912);
    QCOMPARE(config->segmentMode, SegmentMode::FileChannel);
    QVERIFY(!config->retentionBytes && !config->retentionAge && !config->flushEvery);
}

void tst_BrokerConfig::everyKeyOfTheReferenceIsUnderstood()
{
    const auto config = makeBrokerConfig({{u"booblik.data.dir"_s, u"/d"_s},
                                          {u"booblik.port"_s, u"+7"_s},
                                          {u"booblik.bind.address"_s, u"::1"_s},
                                          {u"booblik.topics"_s, u"a:2"_s},
                                          {u"booblik.segment.mode"_s, u"mapped"_s},
                                          {u"booblik.segment.capacity.bytes"_s, u"1024"_s},
                                          {u"booblik.index.interval.bytes"_s, u"1"_s},
                                          {u"booblik.flush.every.records"_s, u"10"_s},
                                          {u"booblik.flush.every.millis"_s, u"20"_s},
                                          {u"booblik.retention.bytes"_s, u"-5"_s},
                                          {u"booblik.retention.millis"_s, u"3600000"_s},
                                          {u"booblik.retention.check.millis"_s, u"100"_s},
                                          {u"booblik.transport"_s, u"virtual_threads"_s},
                                          {u"booblik.fetch.mode"_s, u"HEAP"_s},
                                          {u"booblik.metrics.interval.millis"_s, u"-1"_s}});
    QVERIFY(config);
    QCOMPARE(config->dataDirectory, u"/d"_s);
    QCOMPARE(config->port, quint16(7));
    QCOMPARE(config->topics, (QList<TopicConfig>{{u"a"_s, 2}}));
    QCOMPARE(config->segmentMode, SegmentMode::Mapped);
    QCOMPARE(config->segmentCapacityBytes, 1024);
    QCOMPARE(config->flushEveryRecords, std::optional<qint64>(10));
    QCOMPARE(config->flushEvery->count(), 20);
    QCOMPARE(config->retentionBytes, std::optional<qint64>(-5));
    QCOMPARE(config->retentionAge->count(), 3600000);
    QCOMPARE(config->retentionCheck.count(), 100);
    QCOMPARE(config->metricsInterval.count(), -1);
}

void tst_BrokerConfig::wrongValuesAreRefused_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    const auto row = [](const QString &key, const QString &value) {
        QTest::addRow("%s=%s", qPrintable(key), qPrintable(value)) << key << value;
    };
    row(u"booblik.port"_s, u"65536"_s);
    row(u"booblik.port"_s, u"-1"_s);
    row(u"booblik.port"_s, u" 9092"_s);
    row(u"booblik.port"_s, u"0x10"_s);
    row(u"booblik.port"_s, u"٩"_s);
    row(u"booblik.segment.mode"_s, u"FAST"_s);
    row(u"booblik.segment.capacity.bytes"_s, u"0"_s);
    row(u"booblik.segment.capacity.bytes"_s, u"2147483648"_s);
    row(u"booblik.index.interval.bytes"_s, u"0"_s);
    row(u"booblik.flush.every.records"_s, u"0"_s);
    row(u"booblik.flush.every.millis"_s, u"0"_s);
    row(u"booblik.retention.check.millis"_s, u"0"_s);
    row(u"booblik.transport"_s, u"CARRIER_PIGEON"_s);
    row(u"booblik.prot"_s, u"9092"_s);
    row(u"port"_s, u"9092"_s);
}

void tst_BrokerConfig::wrongValuesAreRefused()
{
    QFETCH(const QString, key);
    QFETCH(const QString, value);
    const auto config = makeBrokerConfig({{key, value}});
    QVERIFY(!config);
    QCOMPARE(config.error().kind, ErrorKind::InvalidArgument);
    QVERIFY2(config.error().detail.contains(key), qPrintable(config.error().detail));
}

void tst_BrokerConfig::topicsAreParsedAsByTheReference()
{
    const auto topics = parseTopics(u" orders:3 ,, тема.b-c_9:1,"_s);
    QVERIFY(topics);
    QCOMPARE(*topics, (QList<TopicConfig>{{u"orders"_s, 3}, {u"тема.b-c_9"_s, 1}}));
}

void tst_BrokerConfig::wrongTopicsAreRefused_data()
{
    QTest::addColumn<QString>("text");
    for (const char16_t *text : {u"t", u"t:0", u"t:-1", u"t:x", u"t:1:2", u"t :1", u"t: 1", u",",
                                 u"", u"a/b:1", u":1", u"t:2,t:1", u"T:1,t:1", u"ЖУК:1,жук:1"})
        QTest::addRow("'%s'", qPrintable(QString::fromUtf16(text))) << QString::fromUtf16(text);
    // 249 letters are a name, but with "-0" no directory where each takes two bytes.
    QTest::newRow("directory name too long") << QString(249, u'ж') + u":1"_s;
}

void tst_BrokerConfig::wrongTopicsAreRefused()
{
    QFETCH(const QString, text);
    const auto topics = parseTopics(text);
    QVERIFY(!topics);
    QCOMPARE(topics.error().kind, ErrorKind::InvalidArgument);
}

void tst_BrokerConfig::environmentNamesAreKeysInUpperCase()
{
    const auto settings =
        readEnvironment({u"PATH=/bin"_s, u"BOOBLIK_PORT=7"_s, u"BOOBLIK_BROKER=h:1"_s,
                         u"BOOBLIK_RETENTION_CHECK_MILLIS=5"_s, u"BOOBLIK_DATA_DIR=a=b"_s});
    QVERIFY(settings);
    QCOMPARE(*settings, (BrokerSettings{{u"booblik.port"_s, u"7"_s},
                                        {u"booblik.retention.check.millis"_s, u"5"_s},
                                        {u"booblik.data.dir"_s, u"a=b"_s}}));
}

void tst_BrokerConfig::unknownEnvironmentNamesAreRefused()
{
    const auto settings = readEnvironment({u"BOOBLIK_PROT=7"_s});
    QVERIFY(!settings);
    QVERIFY(settings.error().detail.contains(u"BOOBLIK_PROT"_s));
}

void tst_BrokerConfig::laterLayersWinAndBlankValuesAreAbsent()
{
    const BrokerSettings file = {{u"booblik.port"_s, u"1"_s}, {u"booblik.topics"_s, u"f:1"_s}};
    const BrokerSettings environment = {{u"booblik.port"_s, u"2"_s}, {u"booblik.topics"_s, u" "_s}};
    const auto config =
        makeBrokerConfig(overlaid(overlaid(file, environment), {{u"booblik.port"_s, u""_s}}));
    QVERIFY(config);
    QCOMPARE(config->port, quint16(2));
    QCOMPARE(config->topics, (QList<TopicConfig>{{u"f"_s, 1}}));
}

void tst_BrokerConfig::propertiesFilesAreReadAsJavaDoes()
{
    const QTemporaryDir dir;
    QFile file(dir.filePath(u"booblik.properties"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("# a comment\r\n"
               "! another\n"
               "\n"
               "booblik.port = 7\r\n"
               "booblik.data.dir:C\\:\\\\data\\u0041\n"
               "  booblik.topics a:1,\\\n"
               "      b:2\n"
               "empty\n");
    file.close();
    const auto settings = readPropertiesFile(file.fileName());
    QVERIFY(settings);
    QCOMPARE(*settings, (BrokerSettings{{u"booblik.port"_s, u"7"_s},
                                        {u"booblik.data.dir"_s, u"C:\\dataA"_s},
                                        {u"booblik.topics"_s, u"a:1,b:2"_s},
                                        {u"empty"_s, u""_s}}));
}

void tst_BrokerConfig::aMissingFileIsAnError()
{
    const auto settings = readPropertiesFile(u"/nonexistent/booblik.properties"_s);
    QVERIFY(!settings);
    QCOMPARE(settings.error().kind, ErrorKind::Io);
}

QTEST_APPLESS_MAIN(tst_BrokerConfig)
#include "tst_brokerconfig.moc"
