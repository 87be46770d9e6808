#include "core/transfer/publishrun.h"
#include "tests/support/fakesession.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <thread>

using namespace topicscope;
using namespace topicscope::transfer;
using namespace topicscope::test;
using namespace Qt::StringLiterals;

/// Publishing from files: what they say, where it goes, and that nothing goes twice.
class tst_PublishRun : public QObject
{
    Q_OBJECT

private slots:
    void init();

    void csvAsPythonWritesIt();
    void csvByItsColumns();
    void csvColumnsMayBeHeadersTimesOrNothing();
    void csvColumnsAreFoundByTheirNames();
    void anExportsCsvKeepsNullAndHeaders();
    void linesAndFiles();
    void wrongCsvNamesItsRow_data();
    void wrongCsvNamesItsRow();
    void wherePlannedRecordsGo();
    void whatATopicWouldRefuseIsSaidBefore();
    void eachRecordHasOneOutcome();
    void aStoppedRunGoesOnBehindTheLastOutcome();
    void anUnknownOutcomeIsNeverRepeated();
    void aProgramThatDiedLeavesTheReservedInDoubt();
    void whatIsInDoubtStaysSoWhateverEndsTheRun();
    void aPipeIsReadToItsEnd();
    void aCutExportIsNoWholeSource();
    void csvOfOthersIsRead();
    void anotherFileIsNoticed();
    void anotherPartitionerIsAnotherRun();
    void aStopEndsTheReadingOfOutcomes();
    void aLostConnectionEndsTheRunWithNothingSent();

private:
    QString write(const QString &name, const QByteArray &bytes) const
    {
        QFile file(m_dir.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("no file");
        return file.fileName();
    }
    QList<SourceRecord> read(const QString &path, SourceFormat format,
                             const CsvMapping &mapping = {}, QString *problem = nullptr) const
    {
        QList<SourceRecord> records;
        const auto source = openSource(path, format, mapping);
        if (!source) {
            *problem = source.error().detail;
            return records;
        }
        while (true) {
            const auto record = (*source)->next();
            if (!record && problem)
                *problem = record.error().detail;
            if (!record || !*record)
                return records;
            records += **record;
        }
    }
    /// One run over ten lines "l1" … "l10".
    PublishSummary run(
        bool resume,
        const std::function<void(const PublishProgress &)> &progress =
            [](const PublishProgress &) {},
        const std::stop_token &stop = {})
    {
        const auto session = m_broker.factory()({});
        const auto target = findTarget(*session, m_plan, CallContext());
        const auto source = openSource(m_lines, SourceFormat::Lines);
        const OutcomeFile::Run about = runOf(m_lines, SourceFormat::Lines, {}, m_plan);
        const auto outcomes = resume ? OutcomeFile::resume(m_outcomes, about, {})
                                     : OutcomeFile::create(m_outcomes, about);
        if (!target || !source || !outcomes)
            qFatal("%s", qPrintable(describe(outcomes ? Error() : outcomes.error())));
        return publishAll(*session, **source, m_plan, *target, **outcomes, progress, stop);
    }
    QStringList outcomes() const
    {
        QFile file(m_outcomes);
        QStringList all;
        if (!file.open(QIODevice::ReadOnly))
            return all;
        for (const QByteArray &line : file.readAll().split('\n')) {
            const QJsonObject object = QJsonDocument::fromJson(line).object();
            if (object.contains(u"record"_s))
                all += u"%1 %2"_s.arg(object[u"record"_s].toInteger())
                           .arg(object[u"type"_s].toString());
        }
        return all;
    }

    QTemporaryDir m_dir;
    FakeBroker m_broker;
    PublishPlan m_plan;
    QString m_lines;
    QString m_outcomes;
};

void tst_PublishRun::init()
{
    m_broker = FakeBroker();
    m_broker.addTopic(u"t"_s, 3);
    m_plan = {};
    m_plan.topic = u"t"_s;
    m_plan.mapping = PublishPlan::Mapping::Fixed;
    m_plan.fixed = PartitionId{1};
    m_lines = write(u"lines"_s, "l1\nl2\nl3\nl4\nl5\nl6\nl7\nl8\nl9\nl10");
    m_outcomes = m_dir.filePath(u"outcomes"_s);
    QFile::remove(m_outcomes);
}

void tst_PublishRun::csvAsPythonWritesIt()
{
    const QString path = m_dir.filePath(u"python.csv"_s);
    QCOMPARE(
        QProcess::execute(QStringLiteral(TOPICSCOPE_PYTHON),
                          {u"-c"_s,
                           u"import csv, sys\n"
                           "w = csv.writer(open(sys.argv[1], 'w', newline='', encoding='utf-8'))\n"
                           "w.writerow(['key', 'value'])\n"
                           "w.writerow(['k,1', 'a \"quoted\" one'])\n"
                           "w.writerow(['', 'two\\r\\nlines'])\n"
                           "w.writerow(['\\u00fc', '\\ufeff'])\n"_s,
                           path}),
        0);
    const QList<SourceRecord> records = read(path, SourceFormat::Csv);
    QCOMPARE(records.size(), 3);
    QCOMPARE(records[0].content.key, "k,1");
    QCOMPARE(records[0].content.value, "a \"quoted\" one");
    QCOMPARE(records[1].content.key, std::nullopt);
    QCOMPARE(records[1].content.value, "two\r\nlines");
    QCOMPARE(records[2].content.key, "\xC3\xBC");
    QCOMPARE(records[2].content.value, "\xEF\xBB\xBF");
    QCOMPARE(records[2].number, 3);
}

void tst_PublishRun::csvByItsColumns()
{
    const QString path = write(u"mapped.csv"_s, "id,doc,part,when\n7,\"\",2,1796047500000\n8,,,\n"
                                                "9,,-1,-1\n10,,,-2\n");
    const auto mapping = CsvMapping::parse(u"value=doc,key=1,partition=part,timestamp=when"_s);
    QVERIFY(mapping);
    const QList<SourceRecord> records = read(path, SourceFormat::Csv, *mapping);
    QCOMPARE(records.size(), 4);
    QCOMPARE(records[0].content.key, "7");
    QCOMPARE(records[0].content.value, QByteArray("")); // quoted: empty
    QVERIFY(records[0].content.value.has_value());
    QCOMPARE(records[0].partition, PartitionId{2});
    QCOMPARE(records[0].content.timestampMs, 1796047500000);
    QCOMPARE(records[1].content.value, std::nullopt); // not quoted: null
    QCOMPARE(records[1].partition, std::nullopt);
    QCOMPARE(records[2].partition, std::nullopt); // -1 is how brokers write that there is none
    QCOMPARE(records[2].content.timestampMs, std::nullopt);
    QCOMPARE(records[3].content.timestampMs, -2); // and no other number is
    QString problem;
    read(path, SourceFormat::Csv, {.value = u"nosuch"_s}, &problem);
    QCOMPARE(problem, u"no column \"nosuch\"; there are: id, doc, part, when"_s);
    read(path, SourceFormat::Csv, {}, &problem);
    QVERIFY(problem.startsWith(u"which column is the value?"_s));
    QVERIFY(!CsvMapping::parse(u"values=x"_s));
}

void tst_PublishRun::csvColumnsMayBeHeadersTimesOrNothing()
{
    const QString path = write(u"others.csv"_s, "key,trace,when,,trace\n"
                                                "k,t1,2026-11-30T14:05:00Z,x,\n"
                                                "l,,,\"\",t2\n");
    auto mapping = CsvMapping::parse(u"key=,value=4,headers=*,timestamp=when"_s);
    QVERIFY(mapping);
    QList<SourceRecord> records = read(path, SourceFormat::Csv, *mapping);
    QCOMPARE(records.size(), 2);
    QCOMPARE(records[0].content.key, std::nullopt); // its name is not enough any more
    QCOMPARE(records[0].content.value, "x");
    QCOMPARE(records[0].content.timestampMs, 1'796'047'500'000); // date -d 2026-11-30T14:05Z +%s
    QCOMPARE(records[0].content.headers, (HeaderList{{"key", "k"}, {"trace", "t1"}}));
    QCOMPARE(records[1].content.value, QByteArray(""));
    QCOMPARE(records[1].content.timestampMs, std::nullopt);
    QCOMPARE(records[1].content.headers, (HeaderList{{"key", "l"}, {"trace", "t2"}}));

    // Keys alone are tombstones, where it is said.
    mapping = CsvMapping::parse(u"value="_s);
    records = read(path, SourceFormat::Csv, *mapping);
    QCOMPARE(records.size(), 2);
    QCOMPARE(records[1].content.key, "l");
    QCOMPARE(records[1].content.value, std::nullopt);

    // A list as exported, in a file that is none.
    const QString listed =
        write(u"listed.csv"_s, "value,h\n"
                               "v,\"[{\"\"name\"\":{\"\"encoding\"\":\"\"base64\"\","
                               "\"\"data\"\":\"\"/w==\"\"},\"\"value\"\":null}]\"\n"
                               "v,x\n");
    QString problem;
    records = read(listed, SourceFormat::Csv, {.headers = u"h"_s}, &problem);
    QCOMPARE(records.size(), 1);
    QCOMPARE(records[0].content.headers, (HeaderList{{"\xff", std::nullopt}}));
    QCOMPARE(problem, u"row 3: \"h\" is no list of headers"_s);

    for (const char *time : {"-1h", "14:05", "soon", "2026-13-01"}) {
        const QString wrong = write(u"time.csv"_s, QByteArray("value,timestamp\nv,") + time + '\n');
        QVERIFY(read(wrong, SourceFormat::Csv, {}, &problem).isEmpty());
        QCOMPARE(problem, u"row 2: \"%1\" is no time"_s.arg(QLatin1StringView(time)));
    }
}

void tst_PublishRun::csvColumnsAreFoundByTheirNames()
{
    const QStringList names{u"id"_s, u"value"_s, u"headers"_s, u"value"_s, u""_s, u"timestamp"_s};
    const auto found = CsvColumns::find(names);
    QVERIFY(found);
    QCOMPARE(found->key, std::nullopt);
    QCOMPARE(found->value, 1);
    QCOMPARE(found->headers, std::nullopt); // may mean anything
    QCOMPARE(found->timestamp, 5);
    QCOMPARE(CsvColumns::find({u"type"_s, u"headers"_s, u"keyEncoding"_s, u"valueEncoding"_s})
                 .value()
                 .headers,
             1); // of an export
    // Each can be said, whatever its name.
    for (qsizetype i = 0; i < names.size(); ++i)
        QCOMPARE(CsvColumns::find(names, {.key = CsvMapping::columnAt(names, i)}).value().key, i);
    QCOMPARE(CsvMapping::columnAt(names, 0), u"id"_s);
    QVERIFY(!CsvColumns::find(names, {.key = u"0"_s}));
    QVERIFY(!CsvColumns::find(names, {.key = u"7"_s}));
}

void tst_PublishRun::anExportsCsvKeepsNullAndHeaders()
{
    const QString path = write(
        u"export.csv"_s,
        "type,topic,partition,offset,end,timestamp,timestampType,key,keyEncoding,headers,value,"
        "valueEncoding,checksum,note\r\n"
        "record,\"t\",2,7,8,5,create,\"AP8=\",base64,"
        "\"[{\"\"name\"\":{\"\"encoding\"\":\"\"utf-8\"\",\"\"data\"\":\"\"h\"\"},\"\"value\"\":"
        "null}]\","
        ",null,batch,\r\n"
        "gap,\"t\",2,8,9,,,,,,,,,\"why\"\r\n"
        "record,\"t\",2,9,10,,,,null,,\"x\",utf-8,mismatch,\r\n");
    const QList<SourceRecord> records = read(path, SourceFormat::Csv);
    QCOMPARE(records.size(), 2);
    QCOMPARE(records[0].content.key, QByteArray::fromHex("00ff"));
    QCOMPARE(records[0].content.value, std::nullopt);
    QCOMPARE(records[0].content.headers, (HeaderList{{"h", std::nullopt}}));
    QCOMPARE(records[0].partition, PartitionId{2});
    QVERIFY(records[0].problem.isEmpty());
    QVERIFY(!records[1].problem.isEmpty()); // damaged: not to be spread

    // Whichever column is the key, its encoding is its own.
    const auto swapped = read(path, SourceFormat::Csv, {.key = u"value"_s, .value = u"key"_s});
    QCOMPARE(swapped[0].content.value, QByteArray::fromHex("00ff"));
    QCOMPARE(swapped[1].content.key, "x");

    // Half of a surrogate pair stands for no bytes at all.
    const QString half =
        write(u"half.csv"_s, "type,keyEncoding,headers,value,valueEncoding\n"
                             "record,null,\"[{\"\"name\"\":{\"\"encoding\"\":\"\"utf-8\"\","
                             "\"\"data\"\":\"\"\\ud800\"\"},\"\"value\"\":null}]\",x,utf-8\n");
    QString problem;
    QVERIFY(read(half, SourceFormat::Csv, {}, &problem).isEmpty());
    QCOMPARE(problem, u"row 2: \"headers\" is no list of headers"_s);
}

void tst_PublishRun::linesAndFiles()
{
    QList<SourceRecord> records =
        read(write(u"x"_s, QByteArray("a\n\nb\0c\r\n", 8)), SourceFormat::Lines);
    QCOMPARE(records.size(), 3);
    QCOMPARE(records[0].content.value, "a");
    QCOMPARE(records[1].content.value, QByteArray(""));
    QCOMPARE(records[2].content.value, QByteArray("b\0c\r", 4)); // only the line feed ends it
    QVERIFY(QDir(m_dir.path()).mkpath(u"raw"_s));
    write(u"raw/t-2-00000000000000000009"_s, "nine");
    write(u"raw/t-2-00000000000000000010"_s, "ten");
    write(u"raw/zzz"_s, "other");
    records = read(m_dir.filePath(u"raw"_s), SourceFormat::Files);
    QCOMPARE(records.size(), 3);
    QCOMPARE(records[0].content.value, "nine");
    QCOMPARE(records[0].partition, PartitionId{2});
    QCOMPARE(records[1].content.value, "ten");
    QCOMPARE(records[2].partition, std::nullopt);
}

void tst_PublishRun::wrongCsvNamesItsRow_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("problem");
    QTest::newRow("open quote") << QByteArray("value\n\"abc")
                                << u"row 2: a quote that does not end"_s;
    QTest::newRow("behind") << QByteArray("value\n\"a\"b\n")
                            << u"row 2: something behind a closing quote"_s;
    QTest::newRow("inside") << QByteArray("value\na\"b\n")
                            << u"row 2: a quote inside a field that does not begin with one"_s;
    QTest::newRow("fields") << QByteArray("value,key\na\n") << u"row 2: 1 fields instead of 2"_s;
    QTest::newRow("partition") << QByteArray("value,partition\na,-2\n")
                               << u"row 2: \"-2\" is no partition"_s;
}

void tst_PublishRun::wrongCsvNamesItsRow()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const QString, problem);
    QString found;
    read(write(u"wrong.csv"_s, bytes), SourceFormat::Csv, {}, &found);
    QCOMPARE(found, problem);
}

void tst_PublishRun::wherePlannedRecordsGo()
{
    const auto session = m_broker.factory()({});
    const auto target = findTarget(*session, m_plan, CallContext());
    QVERIFY(target);
    SourceRecord record{1, {}, PartitionId{0}, {}};
    record.content.key = "order-42"; // FNV-1a 0x572446f4, mod 3 = 2
    record.content.value = "v";
    m_plan.mapping = PublishPlan::Mapping::ByKey;
    QCOMPARE(planRecord(record, m_plan, *target).partition, PartitionId{2});
    QVERIFY(!planRecord(record, m_plan, *target).request.partition); // the engine chooses the same
    m_plan.mapping = PublishPlan::Mapping::Keep;
    m_plan.dropUnstored = true; // the key is not stored there
    QCOMPARE(planRecord(record, m_plan, *target).request.partition, PartitionId{0});
    record.partition = PartitionId{7};
    QCOMPARE(planRecord(record, m_plan, *target).refusal, u"the topic has no partition 7"_s);
    record.partition.reset();
    QVERIFY(!planRecord(record, m_plan, *target).refusal.isEmpty());
    m_plan.mapping = PublishPlan::Mapping::Fixed;
    m_plan.fixed = PartitionId{9};
    QCOMPARE(findTarget(*session, m_plan, CallContext()).error().kind, ErrorKind::InvalidArgument);
}

void tst_PublishRun::whatATopicWouldRefuseIsSaidBefore()
{
    const auto session = m_broker.factory()({});
    PublishTarget target = findTarget(*session, m_plan, CallContext()).value();
    SourceRecord record{1, {}, {}, {}};
    const auto refusal = [&] { return planRecord(record, m_plan, target).refusal; };
    QCOMPARE(refusal(), u"a null value is not stored there"_s);
    record.content.value = "";
    QCOMPARE(refusal(), u"an empty value is not stored there"_s);
    record.content.value = "v";
    QCOMPARE(refusal(), QString());
    record.content.headers = {{"h", "1"}};
    QCOMPARE(refusal(), u"it has headers, which would not be stored there"_s);
    m_plan.dropUnstored = true;
    QCOMPARE(refusal(), QString());
    record.content.timestampMs = 0;
    m_plan.keepTimes = true;
    target.capabilities.timestamps = true;
    QVERIFY(refusal().startsWith(u"the time 0"_s));
    record.content.timestampMs.reset();
    target.capabilities.nullValues = target.capabilities.keys = target.capabilities.headers = true;
    target.rules = {.compacted = true, .maxRecordBytes = 20, .recordOverhead = 10};
    QCOMPARE(refusal(), u"the topic is compacted: it takes no record without a key"_s);
    record.content.key = "k";
    QCOMPARE(refusal(), QString());
    record.content.value = "0123456789";
    QCOMPARE(refusal(), u"23 bytes, the topic takes at most 20"_s); // 1 + 10 + 2 + 10
}

void tst_PublishRun::eachRecordHasOneOutcome()
{
    m_lines = write(u"lines"_s, "l1\n\nl3\n"); // an empty value is not stored
    const PublishSummary summary = run(false);
    QVERIFY(summary.finished);
    QCOMPARE(summary.published, 2);
    QCOMPARE(summary.refused, 1);
    QCOMPARE(m_broker.values(u"t"_s, 1), (QList<QByteArray>{"l1", "l3"}));
    QCOMPARE(outcomes(), (QStringList{u"1 published"_s, u"2 refused"_s, u"3 published"_s}));
    const PublishSummary again = run(true);
    QVERIFY(again.finished);
    QCOMPARE(again.before, 3);
    QCOMPARE(again.published, 0);
    QCOMPARE(m_broker.values(u"t"_s, 1).size(), 2);
}

void tst_PublishRun::aStoppedRunGoesOnBehindTheLastOutcome()
{
    std::stop_source stop;
    const PublishSummary summary = run(
        false, [&](const PublishProgress &) { stop.request_stop(); }, stop.get_token());
    QCOMPARE(summary.error->kind, ErrorKind::Cancelled);
    const auto sent = m_broker.values(u"t"_s, 1).size();
    QVERIFY(sent > 0 && sent < 10);
    QCOMPARE(summary.next, sent + 1);
    const PublishSummary rest = run(true);
    QVERIFY(rest.finished);
    QCOMPARE(rest.unknown, 0); // what was reserved and not sent is not in doubt
    QCOMPARE(rest.published, 10 - sent);
    QCOMPARE(m_broker.values(u"t"_s, 1),
             (QList<QByteArray>{"l1", "l2", "l3", "l4", "l5", "l6", "l7", "l8", "l9", "l10"}));
}

void tst_PublishRun::anUnknownOutcomeIsNeverRepeated()
{
    m_broker.loseNextPublishAnswer(true);
    const PublishSummary summary = run(false);
    QCOMPARE(summary.error->kind, ErrorKind::OutcomeUnknown);
    QCOMPARE(summary.unknown, 1);
    QCOMPARE(outcomes(), QStringList{u"1 unknown"_s});
    const PublishSummary rest = run(true);
    QVERIFY(rest.finished);
    QCOMPARE(rest.published, 9);
    QCOMPARE(m_broker.values(u"t"_s, 1).count("l1"), 1);
    QCOMPARE(m_broker.values(u"t"_s, 1).size(), 10);
}

void tst_PublishRun::aProgramThatDiedLeavesTheReservedInDoubt()
{
    QVERIFY(run(false).finished);
    // As after a crash while record 4 was sent: its outcome, and a half line, is all there is of
    // it.
    QFile file(m_outcomes);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QByteArray bytes = file.readAll();
    bytes.truncate(bytes.indexOf("{\"type\":\"published\",\"record\":4") + 20);
    QVERIFY(file.resize(0) && file.seek(0));
    file.write(bytes);
    file.close();
    const PublishSummary rest = run(true);
    QVERIFY(rest.finished);
    QCOMPARE(rest.before, 3);
    QCOMPARE(rest.unknown, 7); // 4 to 10 were reserved
    QCOMPARE(rest.published, 0);
    QCOMPARE(m_broker.values(u"t"_s, 1).size(), 10); // not one of them twice
    QCOMPARE(outcomes().size(), 10);
    QVERIFY(run(true).finished);
}

void tst_PublishRun::whatIsInDoubtStaysSoWhateverEndsTheRun()
{
    // A program died with 1 to 10 reserved; the next run was stopped before it had read so far.
    QVERIFY(run(false).finished);
    QFile file(m_outcomes);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QByteArray bytes = file.readAll();
    bytes.truncate(bytes.indexOf("{\"type\":\"published\",\"record\":4"));
    QVERIFY(file.resize(0) && file.seek(0));
    file.write(bytes);
    file.close();
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(run(
                true, [](const PublishProgress &) {}, stop.get_token())
                .error);
    const PublishSummary rest = run(true);
    QCOMPARE(rest.unknown, 7);
    QCOMPARE(rest.published, 0);
    QCOMPARE(m_broker.values(u"t"_s, 1).size(), 10); // not one of them twice
}

void tst_PublishRun::aPipeIsReadToItsEnd()
{
    const QString path = m_dir.filePath(u"pipe"_s);
    QCOMPARE(::mkfifo(QFile::encodeName(path).constData(), 0600), 0);
    const std::jthread writer([this, path] {
        QFile file(path);
        if (file.open(QIODevice::WriteOnly | QIODevice::Unbuffered)) {
            for (const char *part : {"l1\nl", "2\n\nl", "4"})
                file.write(part);
        }
    });
    const auto records = read(path, SourceFormat::Lines);
    QCOMPARE(records.size(), 4);
    QCOMPARE(records[1].content.value, QByteArray("l2"));
    QCOMPARE(records[2].content.value, QByteArray(""));
    QCOMPARE(records[3].content.value, QByteArray("l4"));
}

void tst_PublishRun::aCutExportIsNoWholeSource()
{
    const QByteArray head =
        R"({"type":"export","format":"topicscope-records","version":1,"source":"x:1",)"
        R"("capabilities":{"keys":true,"timestamps":true,"headers":true,"recordChecksums":false,)"
        R"("emptyValues":true,"nullValues":true}})"
        "\n";
    const QByteArray record = R"({"type":"record","topic":"t","partition":0,"offset":0,"size":1,)"
                              R"("timestamp":null,"key":null,"headers":[],)"
                              R"("value":{"encoding":"utf-8","data":"v"},"checksum":"batch"})"
                              "\n";
    const QByteArray end = R"({"type":"export-end","records":1,"complete":true})"
                           "\n";
    QString problem;
    QCOMPARE(read(write(u"cut"_s, head + record), SourceFormat::Ndjson, {}, &problem).size(), 1);
    QVERIFY2(problem.startsWith(u"the file is not whole"_s), qPrintable(problem));
    problem.clear();
    QCOMPARE(
        read(write(u"whole"_s, head + record + end), SourceFormat::Ndjson, {}, &problem).size(), 1);
    QCOMPARE(problem, QString());
}

/// A byte order mark before a quoted name, a blank line at the end, more fields than anybody has.
void tst_PublishRun::csvOfOthersIsRead()
{
    const QString path = write(u"bom"_s, "\xEF\xBB\xBF\"value\"\r\n\"a\"\r\n\r\n");
    const auto records = read(path, SourceFormat::Csv);
    QCOMPARE(records.size(), 1);
    QCOMPARE(records[0].content.value, QByteArray("a"));
    QString problem;
    const QString commas = write(u"commas"_s, "value\n" + QByteArray(20'000, ',') + '\n');
    QVERIFY(read(commas, SourceFormat::Csv, {}, &problem).isEmpty());
    QCOMPARE(problem, u"row 2: more than 10000 fields"_s);
}

void tst_PublishRun::anotherFileIsNoticed()
{
    m_broker.loseNextPublishAnswer(false);
    QVERIFY(run(false).error);
    m_lines = write(u"lines"_s, "other\nl2\n");
    const PublishSummary rest = run(true);
    QCOMPARE(rest.error->kind, ErrorKind::InvalidArgument);
    QVERIFY(rest.error->detail.startsWith(u"record 1 is not the one"_s));
    QCOMPARE(rest.published, 0);
    // Of another topic, it is another run.
    OutcomeFile::Run about = runOf(m_lines, SourceFormat::Lines, {}, m_plan);
    about.insert(u"topic"_s, u"u"_s);
    QCOMPARE(OutcomeFile::resume(m_outcomes, about, {}).error().kind, ErrorKind::InvalidArgument);
    about = runOf(m_lines, SourceFormat::Lines, {}, m_plan);
    const auto held = OutcomeFile::resume(m_outcomes, about, {});
    QVERIFY(held);
    QCOMPARE(OutcomeFile::resume(m_outcomes, about, {}).error().kind, ErrorKind::Busy);
    QCOMPARE(OutcomeFile::create(m_outcomes, {}).error().kind, ErrorKind::InvalidArgument);
}

/// Half of the keys would be in two partitions.
void tst_PublishRun::anotherPartitionerIsAnotherRun()
{
    m_plan.mapping = PublishPlan::Mapping::ByKey;
    QVERIFY(run(false).finished);
    m_plan.partitioner = PartitionAlgorithm::Murmur2Random;
    const auto refused =
        OutcomeFile::resume(m_outcomes, runOf(m_lines, SourceFormat::Lines, {}, m_plan), {});
    QVERIFY(!refused);
    QCOMPARE(refused.error().detail,
             u"it is of another run: partitioner was \"booblik\", not \"murmur2_random\""_s);
}

void tst_PublishRun::aStopEndsTheReadingOfOutcomes()
{
    QVERIFY(run(false).finished);
    QFile file(m_outcomes);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray before = file.readAll();
    const auto about = runOf(m_lines, SourceFormat::Lines, {}, m_plan);
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = OutcomeFile::resume(m_outcomes, about, stop.get_token());
    QVERIFY(!stopped);
    QCOMPARE(stopped.error().kind, ErrorKind::Cancelled);
    QVERIFY(file.seek(0));
    QCOMPARE(file.readAll(), before);
    QCOMPARE(OutcomeFile::resume(m_outcomes, about, {}).value()->next(), 11);
}

void tst_PublishRun::aLostConnectionEndsTheRunWithNothingSent()
{
    m_broker.failNext(Call::Publish, FakeBroker::networkError(), 2);
    const PublishSummary summary = run(false);
    QCOMPARE(summary.error->kind, ErrorKind::Network);
    QCOMPARE(summary.next, 1);
    QCOMPARE(outcomes(), QStringList());
    m_broker.failNext(Call::Publish, FakeBroker::networkError(), 1); // an idle one: tried again
    QVERIFY(run(true).finished);
    QCOMPARE(m_broker.values(u"t"_s, 1).size(), 10);
}

QTEST_APPLESS_MAIN(tst_PublishRun)
#include "tst_publishrun.moc"
