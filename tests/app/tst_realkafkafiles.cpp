// Files to and from a released Apache Kafka, by the built program. What is in the topics is said by
// kafka-python and kcat, what is in an export by a reader in Python; none shares code with ours.

#include "tests/support/cliprogram.h"
#include "tests/support/kafkatest.h"

#include <QFile>
#include <QJsonArray>
#include <QMap>
#include <QSet>

#include <algorithm>

using namespace topicscope::test;
using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 kFirstTime = 1'700'000'000'000;

/// As peer.py writes and takes it: bytes in base64.
QJsonValue packed(const std::optional<QByteArray> &bytes)
{
    return bytes ? QJsonValue(QString::fromLatin1(bytes->toBase64())) : QJsonValue();
}

std::optional<QByteArray> unpacked(const QJsonValue &text)
{
    return text.isNull() ? std::nullopt
                         : std::optional(QByteArray::fromBase64(text.toString().toLatin1()));
}

/// The i-th of records that have all there is: null, empty, bytes, headers that repeat.
QJsonObject recordAt(int i)
{
    std::optional<QByteArray> key = "key-" + QByteArray::number(i % 37);
    if (i % 4 == 0)
        key = std::nullopt;
    else if (i % 4 == 1)
        key = QByteArray("");
    std::optional<QByteArray> value = QByteArray("\x00\xff{", 3) + QByteArray::number(i);
    if (i % 5 == 0)
        value = std::nullopt;
    else if (i % 5 == 1)
        value = QByteArray("");
    QJsonArray headers;
    for (int h = 0; h < i % 3; ++h)
        headers += QJsonArray{u"h\u00e4"_s, packed(QByteArray("\xfe", h))};
    if (i % 3 == 2)
        headers += QJsonArray{u"none"_s, packed({})};
    return {{u"partition"_s, i % 3},
            {u"key"_s, packed(key)},
            {u"value"_s, packed(value)},
            {u"headers"_s, headers},
            {u"timestamp"_s, kFirstTime + i}};
}

/// {"encoding":"base64",…} or null, as docs/export.md has bytes.
QJsonValue exported(const QJsonValue &bytes)
{
    if (bytes.isNull())
        return bytes;
    return QJsonObject{{u"encoding"_s, u"base64"_s}, {u"data"_s, bytes}};
}

QByteArray line(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
}

/// As an export would have these records.
QByteArray ndjson(const QList<QJsonObject> &records)
{
    QByteArray file =
        R"({"type":"export","format":"topicscope-records","version":1,"source":"x:1",)"
        R"("capabilities":{"keys":true,"timestamps":true,"headers":true,)"
        R"("recordChecksums":false,"emptyValues":true,"nullValues":true}})"
        "\n";
    qint64 offset = 0;
    for (const QJsonObject &record : records) {
        QJsonArray headers;
        for (const auto &header : record[u"headers"_s].toArray()) {
            const QByteArray name = header[0].toString().toUtf8();
            headers +=
                QJsonObject{{u"name"_s, exported(packed(name))}, {u"value"_s, exported(header[1])}};
        }
        const auto value = unpacked(record[u"value"_s]);
        file += line({{u"type"_s, u"record"_s},
                      {u"topic"_s, u"elsewhere"_s},
                      {u"partition"_s, record[u"partition"_s]},
                      {u"offset"_s, offset++},
                      {u"size"_s, value ? value->size() : 0},
                      {u"timestamp"_s, record[u"timestamp"_s]},
                      {u"timestampType"_s, u"create"_s},
                      {u"key"_s, exported(record[u"key"_s])},
                      {u"headers"_s, headers},
                      {u"value"_s, exported(record[u"value"_s])},
                      {u"checksum"_s, u"batch"_s}});
    }
    return file + line({{u"type"_s, u"export-end"_s},
                        {u"records"_s, records.size()},
                        {u"complete"_s, true}});
}

QStringList texts(const QList<QJsonObject> &records)
{
    QStringList lines;
    for (const QJsonObject &record : records)
        lines += QString::fromUtf8(line(record));
    return lines;
}

} // namespace

class tst_RealKafkaFiles final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_cluster.reset(); }

    void aStoppedRunOfAnExportEndsWithEachRecordOnce();
    void aStoppedRunOfCsvEndsWithEachRecordOnce();
    void aKilledRunSendsNothingTwice();
    void redriven_data();
    void redriven();
    void anExportIsReadByPython_data();
    void anExportIsReadByPython();

private:
    QString path(const QString &name) const { return m_files.filePath(name); }
    QString written(const QString &name, const QByteArray &bytes) const
    {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("no file");
        return file.fileName();
    }
    QStringList arguments(const QStringList &verb) const
    {
        return verb + QStringList{u"-b"_s, u"kafka://"_s + m_cluster->bootstrap()};
    }
    Ran cli(const QStringList &verb) const { return runProgram(cliProgram(), arguments(verb)); }
    qint64 count(const QString &topic, int partitions) const
    {
        qint64 all = 0;
        for (int partition = 0; partition < partitions; ++partition) {
            const auto watermarks = m_peer->watermarks(topic, partition);
            all += watermarks ? watermarks->second : 0; // a new topic's leader may not know yet
        }
        return all;
    }
    /// Publishes slowly and stops in the midst, then goes on. @param by  ends the program
    void publishInTwo(const QString &topic, int partitions, int records, const QStringList &verb,
                      void (QProcess::*end)());
    /// What kcat reads, a line a record, sorted. @param format  of kcat's -f
    QByteArrayList byKcat(const QString &topic, const QString &format) const
    {
        const auto ran = runKcat({u"-b"_s, m_cluster->bootstrap(), u"-C"_s, u"-t"_s, topic, u"-o"_s,
                                  u"beginning"_s, u"-e"_s, u"-q"_s, u"-f"_s, format + u"\n"_s});
        if (ran.code != 0)
            qCritical("%s", ran.err.constData());
        QByteArrayList lines = ran.out.split('\n');
        lines.removeLast(); // behind the last line's end
        std::ranges::sort(lines);
        return lines;
    }
    /// All that python's client reads, in the order of their times, without their offsets.
    QList<QJsonObject> read(const QString &topic, int partitions) const;

    QTemporaryDir m_files;
    std::unique_ptr<KafkaCluster> m_cluster;
    std::unique_ptr<KafkaPeer> m_peer;
    QList<QJsonObject> m_sent; ///< to the topic "source", by librdkafka
};

void tst_RealKafkaFiles::initTestCase()
{
    m_cluster = std::make_unique<KafkaCluster>();
    VERIFY_DONE(m_cluster->start());
    m_peer = std::make_unique<KafkaPeer>(m_cluster->adminBootstrap());
    VERIFY_DONE(m_peer->createTopic(u"source"_s, 3));
    QList<PeerRecord> records;
    for (int i = 0; i < 60; ++i) {
        const QJsonObject record = recordAt(i);
        m_sent += record;
        records += {unpacked(record[u"key"_s]),
                    unpacked(record[u"value"_s]),
                    {},
                    record[u"timestamp"_s].toInteger(),
                    record[u"partition"_s].toInt()};
        for (const auto &header : record[u"headers"_s].toArray())
            records.last().headers.append({header[0].toString().toUtf8(), unpacked(header[1])});
    }
    VERIFY_DONE(m_peer->produce(u"source"_s, records));
}

void tst_RealKafkaFiles::publishInTwo(const QString &topic, int partitions, int records,
                                      const QStringList &verb, void (QProcess::*end)())
{
    QProcess process;
    // So slowly that it is still far from its end when it is seen to have begun.
    process.start(cliProgram(), arguments(verb) + QStringList{u"--rate"_s, u"20"_s});
    QTRY_VERIFY_WITH_TIMEOUT(count(topic, partitions) > records / 10, kLimitMs);
    (process.*end)();
    QVERIFY(process.waitForFinished(kLimitMs));
    QVERIFY(process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0);
    QVERIFY(count(topic, partitions) < records);
    const Ran rest = cli(verb + QStringList{u"--resume"_s});
    QVERIFY2(rest.code == 0 || end == &QProcess::kill, rest.err.constData());
}

QList<QJsonObject> tst_RealKafkaFiles::read(const QString &topic, int partitions) const
{
    QList<QJsonObject> records;
    for (int partition = 0; partition < partitions; ++partition) {
        const auto ran = runPythonPeer(
            {u"consume"_s, u"-b"_s, m_cluster->bootstrap(), topic, QString::number(partition)});
        if (ran.code != 0)
            qCritical("%s", ran.err.constData());
        qint64 offset = 0;
        for (const QByteArray &text : ran.out.split('\n')) {
            QJsonObject record = QJsonDocument::fromJson(text).object();
            if (record.isEmpty())
                continue;
            if (record.take(u"offset"_s).toInteger() != offset++)
                qCritical("offsets do not follow each other");
            records += record;
        }
    }
    std::ranges::sort(records, {},
                      [](const QJsonObject &record) { return record[u"timestamp"_s].toInteger(); });
    return records;
}

void tst_RealKafkaFiles::aStoppedRunOfAnExportEndsWithEachRecordOnce()
{
    constexpr int kRecords = 240;
    QList<QJsonObject> wanted;
    for (int i = 0; i < kRecords; ++i)
        wanted += recordAt(i);
    VERIFY_DONE(m_peer->createTopic(u"from-ndjson"_s, 3));
    publishInTwo(u"from-ndjson"_s, 3, kRecords,
                 {u"publish"_s, u"from-ndjson"_s, u"--input"_s,
                  written(u"a.ndjson"_s, ndjson(wanted)), u"--partitions"_s, u"keep"_s,
                  u"--keep-times"_s, u"--compression"_s, u"lz4"_s},
                 &QProcess::terminate);
    if (QTest::currentTestFailed())
        return;
    QCOMPARE(texts(read(u"from-ndjson"_s, 3)), texts(wanted));
}

void tst_RealKafkaFiles::aStoppedRunOfCsvEndsWithEachRecordOnce()
{
    constexpr int kRecords = 120;
    QByteArray csv = "id,doc,trace,when\r\n";
    QByteArrayList wanted; // time, lengths (-1: null), key, value, headers
    for (int i = 0; i < kRecords; ++i) {
        const QByteArray number = QByteArray::number(i);
        // Dates and ms since 1970: 1700000000 is 2023-11-14 22:13:20 UTC.
        const QByteArray time = QByteArray::number(kFirstTime + i);
        const QByteArray date =
            "2023-11-14T22:13:20." + number.rightJustified(3, '0') + (i % 4 ? "Z" : "+00:00");
        const QByteArray when = i % 2 ? time : date;
        if (i % 3 == 0) {
            csv += ",\"\",," + when + "\r\n";
            wanted += time + " -1 0   ";
        } else if (i % 3 == 1) {
            csv += "\"k,\"\"" + number + "\",,t" + number + ',' + when + "\r\n";
            const QByteArray key = R"(k,")" + number;
            wanted +=
                time + ' ' + QByteArray::number(key.size()) + " -1 " + key + "  trace=t" + number;
        } else {
            csv += "k" + number + ",\"v\xc3\xbc\",\"\"," + when + "\r\n";
            const QByteArray key = "k" + number;
            wanted +=
                time + ' ' + QByteArray::number(key.size()) + " 3 " + key + " v\xc3\xbc trace=";
        }
    }
    VERIFY_DONE(m_peer->createTopic(u"from-csv"_s, 4));
    publishInTwo(u"from-csv"_s, 4, kRecords,
                 {u"publish"_s, u"from-csv"_s, u"--input"_s, written(u"a.csv"_s, csv),
                  u"--format"_s, u"csv"_s, u"--columns"_s,
                  u"key=id,value=doc,timestamp=when,headers=*"_s, u"--keep-times"_s,
                  u"--partitioner"_s, u"consistent_random"_s},
                 &QProcess::terminate);
    if (QTest::currentTestFailed())
        return;
    // The times are in front, each with as many digits.
    QCOMPARE(byKcat(u"from-csv"_s, u"%T %K %S %k %s %h"_s), wanted);
    // The keys are where librdkafka's own partitioner has them.
    VERIFY_DONE(m_peer->createTopic(u"from-kcat"_s, 4));
    QByteArray keys;
    for (const QByteArray &row : wanted) {
        if (const QByteArray key = row.split(' ')[3]; !key.isEmpty())
            keys += key + ";v\n";
    }
    const auto sent = runKcat({u"-b"_s, m_cluster->bootstrap(), u"-P"_s, u"-t"_s, u"from-kcat"_s,
                               u"-K"_s, u";"_s, u"-X"_s, u"topic.partitioner=consistent_random"_s},
                              keys);
    QVERIFY2(sent.code == 0, sent.err.constData());
    const auto placed = [this](const QString &topic) {
        QByteArrayList rows = byKcat(topic, u"%K %k %p"_s);
        rows.removeIf([](const QByteArray &row) { return row.startsWith("-1 "); });
        return rows;
    };
    QCOMPARE(placed(u"from-csv"_s).size(), kRecords * 2 / 3);
    QCOMPARE(placed(u"from-csv"_s), placed(u"from-kcat"_s));
}

void tst_RealKafkaFiles::aKilledRunSendsNothingTwice()
{
    constexpr int kRecords = 150;
    QByteArray lines;
    for (int i = 0; i < kRecords; ++i)
        lines += "v" + QByteArray::number(i) + '\n';
    VERIFY_DONE(m_peer->createTopic(u"killed"_s));
    publishInTwo(u"killed"_s, 1, kRecords,
                 {u"publish"_s, u"killed"_s, u"--input"_s, written(u"killed.txt"_s, lines),
                  u"--format"_s, u"lines"_s},
                 &QProcess::kill);
    if (QTest::currentTestFailed())
        return;
    // What was in doubt, up to ten of them, may be missing.
    const QByteArrayList values = byKcat(u"killed"_s, u"%s"_s);
    QVERIFY2(values.size() >= kRecords - 10 && values.size() <= kRecords,
             QByteArray::number(values.size()).constData());
    QCOMPARE(QSet<QByteArray>(values.begin(), values.end()).size(), values.size());
    QVERIFY(values.contains("v0") && values.contains("v149"));
}

void tst_RealKafkaFiles::redriven_data()
{
    QTest::addColumn<QStringList>("how");
    QTest::newRow("keep") << QStringList{u"--partitions"_s, u"keep"_s};
    QTest::newRow("key") << QStringList{u"--partitions"_s, u"key"_s};
    QTest::newRow("fixed") << QStringList{u"--partition"_s, u"2"_s};
}

void tst_RealKafkaFiles::redriven()
{
    QFETCH(const QStringList, how);
    constexpr int kPartitions = 4;
    const QString topic = u"redriven-"_s + QLatin1StringView(QTest::currentDataTag());
    VERIFY_DONE(m_peer->createTopic(topic, kPartitions));
    const QString file = path(topic + u".ndjson"_s);
    const Ran out = cli({u"export"_s, u"source"_s, u"-o"_s, file});
    QVERIFY2(out.code == 0, out.err.constData());
    const Ran in =
        cli(QStringList{u"publish"_s, topic, u"--input"_s, file, u"--keep-times"_s} + how);
    QVERIFY2(in.code == 0, in.err.constData());

    // Where kafka-python would have put them; without a key it chooses any, and so may we.
    QByteArray keys;
    for (const QJsonObject &record : std::as_const(m_sent))
        keys += record[u"key"_s].toString().toLatin1() + '\n';
    const auto chosen = runPythonPeer({u"partition"_s, QString::number(kPartitions)}, keys);
    QVERIFY2(chosen.code == 0, chosen.err.constData());
    const QByteArrayList byKey = chosen.out.split('\n');
    QList<QJsonObject> there = read(topic, kPartitions);
    QCOMPARE(there.size(), m_sent.size());
    QList<QJsonObject> wanted = m_sent;
    for (int i = 0; i < int(wanted.size()); ++i) {
        if (how.last() == u"2"_s)
            wanted[i][u"partition"_s] = 2;
        else if (how.last() == u"key"_s && wanted[i][u"key"_s].isNull())
            wanted[i][u"partition"_s] = there[i][u"partition"_s];
        else if (how.last() == u"key"_s)
            wanted[i][u"partition"_s] = byKey[i].toInt();
    }
    QCOMPARE(texts(there), texts(wanted));
}

void tst_RealKafkaFiles::anExportIsReadByPython_data()
{
    QTest::addColumn<QString>("format");
    QTest::newRow("ndjson") << u"ndjson"_s;
    QTest::newRow("csv") << u"csv"_s;
}

void tst_RealKafkaFiles::anExportIsReadByPython()
{
    QFETCH(const QString, format);
    const QString file = path(u"out."_s + format);
    const Ran out = cli({u"export"_s, u"source"_s, u"--format"_s, format, u"-o"_s, file});
    QVERIFY2(out.code == 0, out.err.constData());
    const auto hex = [](const QJsonValue &value) {
        const auto bytes = unpacked(value);
        return bytes ? QJsonValue(QString::fromLatin1(bytes->toHex())) : QJsonValue();
    };
    QMap<int, QByteArray> partitions;
    QMap<int, qint64> offsets;
    for (const QJsonObject &record : std::as_const(m_sent)) {
        const int partition = record[u"partition"_s].toInt();
        QJsonArray headers;
        for (const auto &header : record[u"headers"_s].toArray())
            headers += QJsonArray{QString::fromLatin1(header[0].toString().toUtf8().toHex()),
                                  hex(header[1])};
        partitions[partition] += line({{u"topic"_s, u"source"_s},
                                       {u"partition"_s, partition},
                                       {u"offset"_s, offsets[partition]++},
                                       {u"key"_s, hex(record[u"key"_s])},
                                       {u"value"_s, hex(record[u"value"_s])},
                                       {u"headers"_s, headers},
                                       {u"timestamp"_s, record[u"timestamp"_s]},
                                       {u"timestampType"_s, u"create"_s}});
    }
    const QByteArrayList expected = partitions.values();
    const Ran checked = runProgram(QStringLiteral(TOPICSCOPE_PYTHON),
                                   {u"-B"_s, QStringLiteral(TOPICSCOPE_CHECK_EXPORT), format, file,
                                    written(u"expected"_s, expected.join())});
    QVERIFY2(checked.code == 0, (checked.out + checked.err).constData());
}

KAFKA_TEST_MAIN(tst_RealKafkaFiles)
#include "tst_realkafkafiles.moc"
