#include "core/base/bytewriter.h"
#include "core/transfer/exportfile.h"
#include "core/transfer/exportrun.h"
#include "core/transfer/exportwriter.h"
#include "core/transfer/recordfile.h"
#include "tests/support/chunks.h"
#include "tests/support/fakesession.h"

#include <QBuffer>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace topicscope;
using namespace topicscope::transfer;
using namespace topicscope::test;
using namespace Qt::StringLiterals;

namespace
{

ExportSource kafkaSource()
{
    Capabilities can;
    can.keys = can.timestamps = can.headers = can.emptyValues = can.nullValues = true;
    return {u"kafka://broker:9092"_s, can};
}

/// Null and empty, bytes that are no text, names that repeat, times of both clocks and none.
RecordChunkPtr hostileChunk()
{
    return fullChunkOf(7, {{"k", {{"h", "1"}, {"h", std::nullopt}, {"", QByteArray()}}, "v", 1'000},
                           {std::nullopt, {}, std::nullopt, std::nullopt},
                           {QByteArray(), {}, QByteArray(), -1, RecordFlag::LogAppendTime},
                           {QByteArray::fromHex("0080ff"),
                            {{QByteArray::fromHex("ff"), "x"}},
                            "a\"b\n\xE2\x80\xA8\xF0\x9F\x98\x80",
                            2'000}});
}

QByteArray exported(ExportFormat format, const RecordChunk &chunk, const ExportSource &source)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    const auto writer = makeExportWriter(format, &buffer, source);
    for (const Record &record : chunk.records())
        writer->record(chunk, record);
    writer->note(chunk.partition(), {ExportNote::Kind::Gap, Offset{11}, Offset{20}, u"why"_s});
    writer->flush();
    return bytes;
}

/// The first line of every file these tests write by hand.
const QByteArray kHead = R"({"type":"export","format":"topicscope-records","version":1,)"
                         R"("source":"x","capabilities":{"keys":true}})"
                         "\n";

/// Why reading fails; empty: it does not.
QString problemOf(QByteArray bytes, qint64 maxLineBytes = RecordFileReader::kMaxLineBytes)
{
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::ReadOnly);
    RecordFileReader reader(&buffer, maxLineBytes);
    while (true) {
        const auto line = reader.next();
        if (!line)
            return line.error().detail;
        if (!*line)
            return {};
    }
}

} // namespace

class tst_RecordFile : public QObject
{
    Q_OBJECT

private slots:
    void ndjsonIsAsDescribed();
    void csvTellsNullFromEmpty();
    void kcatCountsWhatItLoses();
    void rawNamesFilesHarmlessly();
    void everythingComesBack();
    void anIndependentReaderGetsItBack_data();
    void anIndependentReaderGetsItBack();
    void aByteOrderMarkStays();
    void whatEscapesWouldBlowUpIsBase64();
    void checksumsComeBack();
    void hostileLinesAreRefused_data();
    void hostileLinesAreRefused();
    void unknownIsSteppedOver();
    void eachOffsetIsAccountedFor();
    void filterAndCount();
    void onlyWhatWasChosen();
    void stoppedIsNotComplete();
    void fullDeviceIsAnError();
    void oneExportAtATimeHasThePart();
};

void tst_RecordFile::ndjsonIsAsDescribed()
{
    const QByteArrayList lines =
        exported(ExportFormat::Ndjson, *hostileChunk(), kafkaSource()).split('\n');
    QCOMPARE(lines.size(), 7);
    QCOMPARE(lines[0],
             R"({"type":"export","format":"topicscope-records","version":1,)"
             R"("source":"kafka://broker:9092","capabilities":{"keys":true,"timestamps":true,)"
             R"("headers":true,"recordChecksums":false,"emptyValues":true,"nullValues":true}})");
    QCOMPARE(lines[1],
             R"({"type":"record","topic":"orders","partition":0,"offset":7,"size":1,)"
             R"("timestamp":1000,"timestampType":"create",)"
             R"("key":{"encoding":"utf-8","data":"k"},"headers":[)"
             R"({"name":{"encoding":"utf-8","data":"h"},"value":{"encoding":"utf-8","data":"1"}},)"
             R"({"name":{"encoding":"utf-8","data":"h"},"value":null},)"
             R"({"name":{"encoding":"utf-8","data":""},"value":{"encoding":"utf-8","data":""}}],)"
             R"("value":{"encoding":"utf-8","data":"v"},"checksum":"batch"})");
    QCOMPARE(lines[2], R"({"type":"record","topic":"orders","partition":0,"offset":8,"size":0,)"
                       R"("timestamp":null,"key":null,"headers":[],"value":null,)"
                       R"("checksum":"batch"})");
    QVERIFY(lines[4].contains(R"("key":{"encoding":"base64","data":"AID/"})"));
    QVERIFY(lines[4].contains(R"("data":"a\"b\n\u2028)"
                              "\xF0\x9F\x98\x80\""));
    QCOMPARE(lines[5], R"({"type":"gap","topic":"orders","partition":0,"offset":11,"end":20,)"
                       R"("text":"why"})");
}

void tst_RecordFile::csvTellsNullFromEmpty()
{
    const QByteArray csv = exported(ExportFormat::Csv, *hostileChunk(), kafkaSource());
    QVERIFY(csv.startsWith("type,topic,partition,offset,end,timestamp,timestampType,time,key,"
                           "keyEncoding,headers,value,valueEncoding,checksum,note\r\n"));
    QVERIFY(csv.contains("record,\"orders\",0,8,9,,,,,null,,,null,batch,\r\n"));
    QVERIFY(
        csv.contains("record,\"orders\",0,9,10,-1,logAppend,,\"\",utf-8,,\"\",utf-8,batch,\r\n"));
    QVERIFY(csv.contains(",1000,create,1970-01-01 00:00:01.000Z,"));
    QVERIFY(csv.contains(",\"AID/\",base64,"));
    QVERIFY(csv.contains(",\"a\"\"b\n\xE2\x80\xA8\xF0\x9F\x98\x80\",utf-8,batch,\r\n"));
    QVERIFY(csv.endsWith("gap,\"orders\",0,11,20,,,,,,,,,,\"why\"\r\n"));
}

void tst_RecordFile::kcatCountsWhatItLoses()
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    const auto writer = makeExportWriter(ExportFormat::Kcat, &buffer, kafkaSource());
    const RecordChunkPtr chunk = hostileChunk();
    for (const Record &record : chunk->records())
        writer->record(*chunk, record);
    writer->flush();
    const QByteArrayList lines = bytes.split('\n');
    QCOMPARE(lines[0],
             R"({"topic":"orders","partition":0,"offset":7,"tstype":"create","ts":1000,)"
             R"("broker":-1,"headers":["h","1","h",null,"",""],"key":"k","payload":"v"})");
    QCOMPARE(lines[1], R"({"topic":"orders","partition":0,"offset":8,"broker":-1,"key":null,)"
                       R"("payload":null})");
    QCOMPARE(writer->inexact(), 1);
}

void tst_RecordFile::rawNamesFilesHarmlessly()
{
    const QTemporaryDir dir;
    const auto writer = makeRawWriter(dir.path());
    const RecordChunkPtr chunk = chunkOf(3, 41, {"one", "two"}, u"../etc/x"_s);
    for (const Record &record : chunk->records())
        writer->record(*chunk, record);
    QVERIFY(!writer->error());
    QCOMPARE(QDir(dir.path()).entryList(QDir::Files),
             (QStringList{u"%2E.%2Fetc%2Fx-3-00000000000000000041"_s,
                          u"%2E.%2Fetc%2Fx-3-00000000000000000042"_s}));
    QFile file(dir.filePath(u"%2E.%2Fetc%2Fx-3-00000000000000000042"_s));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), "two");
    writer->record(*chunk, chunk->records()[0]); // again: nothing is overwritten
    QVERIFY(writer->error());
}

void tst_RecordFile::everythingComesBack()
{
    const RecordChunkPtr chunk = hostileChunk();
    QByteArray bytes = exported(ExportFormat::Ndjson, *chunk, kafkaSource());
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::ReadOnly);
    RecordFileReader reader(&buffer);
    const auto head = reader.next();
    QVERIFY(head);
    QCOMPARE(std::get<ExportSource>(**head).address, u"kafka://broker:9092"_s);
    QCOMPARE(std::get<ExportSource>(**head).capabilities, kafkaSource().capabilities);
    ChunkBuilder builder;
    for (size_t i = 0; i < chunk->records().size(); ++i) {
        const auto line = reader.next();
        QVERIFY2(line, line ? "" : qPrintable(line.error().detail));
        builder.append(std::get<FileRecord>(**line));
    }
    const RecordChunkPtr back = builder.take(chunk->partition());
    for (size_t i = 0; i < chunk->records().size(); ++i) {
        const Record &was = chunk->records()[i];
        const Record &is = back->records()[i];
        QCOMPARE(is.offset, was.offset);
        QCOMPARE(is.flags, was.flags);
        QCOMPARE(back->timestampMs(is), chunk->timestampMs(was));
        QVERIFY(contentOf(*back, is) == contentOf(*chunk, was));
    }
    const auto note = reader.next();
    QCOMPARE(std::get<FileNote>(**note).note,
             (ExportNote{ExportNote::Kind::Gap, Offset{11}, Offset{20}, u"why"_s}));
    QCOMPARE(reader.lineNumber(), 6);
    const auto atEnd = reader.next();
    QVERIFY(atEnd && !*atEnd);
}

void tst_RecordFile::anIndependentReaderGetsItBack_data()
{
    QTest::addColumn<ExportFormat>("format");
    QTest::newRow("ndjson") << ExportFormat::Ndjson;
    QTest::newRow("csv") << ExportFormat::Csv;
}

/// By Python; what the records are is written by hand.
void tst_RecordFile::anIndependentReaderGetsItBack()
{
    QFETCH(const ExportFormat, format);
    const QTemporaryDir dir;
    QFile file(dir.filePath(u"file"_s));
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    const auto writer = makeExportWriter(format, &file, kafkaSource());
    const RecordChunkPtr chunk = hostileChunk();
    const TopicPartition partition = chunk->partition();
    writer->beginPartition({partition, Offset{7}, Offset{11}, Offset{7}, Offset{11}});
    for (const Record &record : chunk->records())
        writer->record(*chunk, record);
    writer->endPartition({partition, Offset{7}, Offset{11}, 4, 0, true});
    writer->end(true);
    writer->flush();
    QVERIFY(!writer->error());
    file.close();
    QFile expected(dir.filePath(u"expected"_s));
    QVERIFY(expected.open(QIODevice::WriteOnly));
    const QByteArray where = R"({"topic":"orders","partition":0,"offset":)";
    expected.write(where + R"(7,"key":"6b","headers":[["68","31"],["68",null],["",""]],)"
                           R"("value":"76","timestamp":1000,"timestampType":"create"})"
                           "\n");
    expected.write(where + "8,\"value\":null}\n");
    expected.write(where + R"(9,"key":"","value":"","timestamp":-1,"timestampType":"logAppend"})"
                           "\n");
    expected.write(where + R"(10,"key":"0080ff","headers":[["ff","78"]],)"
                           R"("value":"6122620ae280a8f09f9880","timestamp":2000,)"
                           R"("timestampType":"create"})"
                           "\n");
    expected.close();
    QProcess python;
    python.start(QStringLiteral(TOPICSCOPE_PYTHON),
                 {u"-B"_s, QStringLiteral(TOPICSCOPE_CHECK_EXPORT), exportFormatName(format),
                  file.fileName(), expected.fileName()});
    QVERIFY(python.waitForFinished());
    QVERIFY2(python.exitCode() == 0,
             (python.readAllStandardOutput() + python.readAllStandardError()).constData());
}

void tst_RecordFile::aByteOrderMarkStays()
{
    const QByteArray mark("\xEF\xBB\xBFx");
    const RecordChunkPtr chunk =
        fullChunkOf(0, {{mark, {}, mark, {}}, {{}, {}, mark + '\xFF', {}}});
    const QByteArrayList kcat = exported(ExportFormat::Kcat, *chunk, kafkaSource()).split('\n');
    QVERIFY2(kcat[0].endsWith(R"("key":"\ufeffx","payload":"\ufeffx"})"), kcat[0].constData());
    QVERIFY2(kcat[1].endsWith("\"payload\":\"\\ufeffx\xEF\xBF\xBD\"}"), kcat[1].constData());
    // As others may write it: not escaped.
    QByteArray bytes = kHead +
                       R"({"type":"record","topic":"t","partition":0,"offset":0,"value":)"
                       R"({"encoding":"utf-8","data":")" +
                       mark + "\"}}\n";
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::ReadOnly);
    RecordFileReader reader(&buffer);
    QVERIFY(reader.next());
    QCOMPARE(std::get<FileRecord>(*reader.next().value()).content.value, mark);
}

void tst_RecordFile::whatEscapesWouldBlowUpIsBase64()
{
    const QByteArray controls(2 * 1024 * 1024, '\1');
    const RecordChunkPtr chunk = fullChunkOf(0, {{{}, {}, controls, {}}});
    QByteArray bytes = exported(ExportFormat::Ndjson, *chunk, kafkaSource());
    QVERIFY(bytes.size() < controls.size() * 3 / 2);
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::ReadOnly);
    RecordFileReader reader(&buffer);
    QVERIFY(reader.next());
    QVERIFY(std::get<FileRecord>(*reader.next().value()).content.value == controls);
}

void tst_RecordFile::checksumsComeBack()
{
    // CRC-32C of "123456789" is e3069283.
    const auto record = [](const QByteArray &more, const QByteArray &value = "123456789") {
        return R"({"type":"record","topic":"t","partition":1,"offset":9007199254740993,)" + more +
               R"("value":{"encoding":"utf-8","data":")" + value + "\"}}\n";
    };
    const QByteArray good = R"("crc32c":{"stored":"e3069283","ok":true},)";
    QByteArray bytes = kHead + record(good) + record(good, "12345678!") +
                       record(R"("sizeDamaged":true,"crc32c":{"stored":"e3069283","ok":false},)");
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::ReadOnly);
    RecordFileReader reader(&buffer);
    QVERIFY(reader.next());
    ChunkBuilder builder;
    for (int i = 0; i < 3; ++i)
        builder.append(std::get<FileRecord>(**reader.next()));
    const RecordChunkPtr chunk = builder.take({u"t"_s, PartitionId{1}});
    const auto &records = chunk->records();
    QCOMPARE(records[0].offset.value, 9007199254740993);
    QCOMPARE(records[0].flags, RecordFlags(RecordFlag::ChecksumVerified));
    QCOMPARE(records[1].flags, RecordFlags(RecordFlag::ChecksumMismatch)); // somebody changed it
    QCOMPARE(records[2].flags, RecordFlag::ChecksumMismatch | RecordFlag::SizeDamaged);
    QCOMPARE(chunk->storedCrc(records[2]).value(), 0xE3069283);
    QCOMPARE(toByteArray(chunk->value(records[1])), "12345678!");
}

void tst_RecordFile::hostileLinesAreRefused_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("problem");
    const auto line = [](const char *name, const QByteArray &text, const QString &problem) {
        QTest::newRow(name) << kHead + "\n" + text + "\n" << problem;
    };
    const QByteArray at = R"({"type":"record","topic":"t","partition":0,"offset":)";
    line("no JSON", "{\"type\":", u"line 3: "_s);
    line("an array", "[1]", u"line 3: no JSON object"_s);
    line("no type", "{}", u"line 3: \"type\""_s);
    line("fraction", at + "1.5,\"value\":null}", u"line 3: \"offset\""_s);
    line("above 64 bits", at + "9223372036854775808,\"value\":null}", u"line 3: \"offset\""_s);
    line("the last number", at + "9223372036854775807,\"value\":null}", u"line 3: \"offset\""_s);
    line("negative", at + "-1,\"value\":null}", u"line 3: \"offset\""_s);
    line("text for a number", at + "\"1\",\"value\":null}", u"line 3: \"offset\""_s);
    line("no value", at + "1}", u"line 3: a record without"_s);
    line("bad base64", at + R"(1,"value":{"encoding":"base64","data":"A*=="}})",
         u"line 3: \"value\""_s);
    line("odd encoding", at + R"(1,"value":{"encoding":"rot13","data":"a"}})",
         u"line 3: \"value\""_s);
    line("half a surrogate", at + R"(1,"value":{"encoding":"utf-8","data":"\ud800"}})",
         u"line 3: \"value\""_s);
    line("a header without a value",
         at + R"(1,"headers":[{"name":{"encoding":"utf-8","data":"h"}}],"value":null})",
         u"line 3: a header without \"value\""_s);
    line("a header without a name", at + R"(1,"headers":[{"value":null}],"value":null})",
         u"line 3: a header without a name"_s);
    line("a header's odd name", at + R"(1,"headers":[{"name":5,"value":null}],"value":null})",
         u"line 3: a header's \"name\""_s);
    line("checksum and key",
         at + R"(1,"key":{"encoding":"utf-8","data":"a"},"crc32c":{"stored":"00000000"},)"
              R"("value":{"encoding":"utf-8","data":"a"}})",
         u"line 3: a checksum"_s);
    line("a gap backwards", R"({"type":"gap","topic":"t","partition":0,"offset":5,"end":5})",
         u"line 3: \"end\""_s);
    line("deep", QByteArray(100'000, '['), u"line 3: "_s);
    QTest::newRow("no header") << QByteArray("{\"type\":\"note\"}\n") << u"line 1: this is no"_s;
    QTest::newRow("next version")
        << QByteArray(R"({"type":"export","format":"topicscope-records","version":2,"source":""})")
        << u"line 1: version 2"_s;
    QTest::newRow("long") << kHead + QByteArray(70'000, ' ') << u"line 2: longer than 65536"_s;
}

void tst_RecordFile::hostileLinesAreRefused()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const QString, problem);
    const QString found = problemOf(bytes, QByteArray(QTest::currentDataTag()) == "long"
                                               ? 65'536
                                               : RecordFileReader::kMaxLineBytes);
    QVERIFY2(found.startsWith(problem), qPrintable(found));
}

void tst_RecordFile::unknownIsSteppedOver()
{
    QCOMPARE(problemOf(kHead +
                       R"({"type":"comment","of":"tomorrow"})"
                       "\n\r\n"
                       R"({"type":"record","topic":"t","partition":0,"offset":1,"value":null,)"
                       R"("new":{"a":[1,2]}})"),
             QString());
}

void tst_RecordFile::eachOffsetIsAccountedFor()
{
    FakeBroker broker;
    broker.addTopic(u"t"_s, 1);
    broker.appendMany(u"t"_s, 0, 3);
    broker.append(u"t"_s, 0, QByteArray(5'000, 'x'));  // 3: larger than an answer, fetched alone
    broker.append(u"t"_s, 0, QByteArray(50'000, 'y')); // 4: larger than is asked for at all
    broker.appendMany(u"t"_s, 0, 3);
    broker.damage(u"t"_s, 0, Offset{1}, Damage::Checksum);
    broker.damage(u"t"_s, 0, Offset{6}, Damage::Size);
    const auto session = broker.factory()({});
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    const auto writer =
        makeExportWriter(ExportFormat::Ndjson, &buffer, {u"x"_s, session->capabilities()});
    const ExportRange range{{u"t"_s, PartitionId{0}}, Offset{0}, Offset{8}, Offset{0}, Offset{8}};
    ExportOptions options;
    options.limits.maxBytes = 1'000;
    options.limits.maxRecordBytes = 10'000;
    int told = 0;
    const ExportOutcome outcome = exportPartition(*session, {range}, options, *writer,
                                                  [&](const ExportCount &) { ++told; }, {});
    writer->end(outcome.count.isWhole());
    writer->flush();
    QVERIFY(!outcome.error);
    QVERIFY(outcome.count.isWhole());
    QCOMPARE(outcome.count.records, 6);
    QCOMPARE(outcome.count.withoutRecord, 2);
    QCOMPARE(outcome.findings, 3);
    QVERIFY(told > 3);
    QVERIFY(bytes.contains(R"({"type":"too-large","topic":"t","partition":0,"offset":4,"end":5,)"
                           R"("text":"50000 bytes"})"));
    QVERIFY(
        bytes.contains(R"({"type":"damaged-size","topic":"t","partition":0,"offset":6,"end":7,)"));
    QVERIFY(bytes.endsWith(R"({"type":"partition-end","topic":"t","partition":0,"from":0,"to":8,)"
                           R"("records":6,"withoutRecord":2,"complete":true})"
                           "\n"
                           R"({"type":"export-end","records":6,"complete":true})"
                           "\n"));
    QCOMPARE(problemOf(bytes), QString());
}

void tst_RecordFile::filterAndCount()
{
    FakeBroker broker;
    broker.addTopic(u"t"_s, 1);
    broker.appendMany(u"t"_s, 0, 10);
    const auto session = broker.factory()({});
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    const auto writer =
        makeExportWriter(ExportFormat::Ndjson, &buffer, {u"x"_s, session->capabilities()});
    const ExportRange range{{u"t"_s, PartitionId{0}}, Offset{0}, Offset{10}, Offset{0}, Offset{10}};
    ExportOptions options;
    options.filter = search::Filter::parse(u"value == r-3 or value == r-6"_s, 0).value();
    options.count = 2;
    const auto outcome =
        exportPartition(*session, {range}, options, *writer, [](const ExportCount &) {}, {});
    writer->flush();
    QCOMPARE(outcome.count, (ExportCount{range.partition, Offset{0}, Offset{7}, 2, 5, true}));
    QCOMPARE(bytes.count(R"("type":"filtered")"), 2); // 0 to 2 and 4 to 5
}

void tst_RecordFile::onlyWhatWasChosen()
{
    FakeBroker broker;
    broker.addTopic(u"t"_s, 1);
    broker.appendMany(u"t"_s, 0, 100);
    const auto session = broker.factory()({});
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    const auto writer =
        makeExportWriter(ExportFormat::Ndjson, &buffer, {u"x"_s, session->capabilities()});
    const ExportRange range{
        {u"t"_s, PartitionId{0}}, Offset{2}, Offset{90}, Offset{0}, Offset{100}};
    ExportOptions options;
    options.limits.maxBytes = 30; // two or three records
    const ExportPart part{
        range, {{Offset{2}, Offset{3}}, {Offset{4}, Offset{5}}, {Offset{89}, Offset{90}}}};
    const auto outcome =
        exportPartition(*session, part, options, *writer, [](const ExportCount &) {}, {});
    writer->flush();
    QCOMPARE(outcome.count, (ExportCount{range.partition, Offset{2}, Offset{90}, 3, 85, true}));
    QCOMPARE(outcome.findings, 0);
    QCOMPARE(outcome.missed, 0);
    QCOMPARE(bytes.count(R"("type":"record")"), 3);
    for (const char *value : {"r-2", "r-4", "r-89"})
        QVERIFY(bytes.contains(QByteArray("\"") + value + '"'));
    QVERIFY(bytes.contains(R"("offset":5,"end":89,"text":"not chosen"})"));
    QVERIFY(broker.fetchRequests().size() <= 3); // what lies between is not even asked for

    // Of what retention took meanwhile, only what was chosen is missed.
    broker.setLogStart(u"t"_s, 0, Offset{50});
    const auto later =
        exportPartition(*session, part, options, *writer, [](const ExportCount &) {}, {});
    QCOMPARE(later.count, (ExportCount{range.partition, Offset{2}, Offset{90}, 1, 87, true}));
    QCOMPARE(later.missed, 2);
}

void tst_RecordFile::stoppedIsNotComplete()
{
    FakeBroker broker;
    broker.addTopic(u"t"_s, 1);
    broker.appendMany(u"t"_s, 0, 10);
    const auto session = broker.factory()({});
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    const auto writer =
        makeExportWriter(ExportFormat::Ndjson, &buffer, {u"x"_s, session->capabilities()});
    const ExportRange range{{u"t"_s, PartitionId{0}}, Offset{0}, Offset{10}, Offset{0}, Offset{10}};
    ExportOptions options;
    options.limits.maxBytes = 30; // two or three records
    std::stop_source stop;
    const auto outcome = exportPartition(
        *session, {range}, options, *writer, [&](const ExportCount &) { stop.request_stop(); },
        stop.get_token());
    writer->flush();
    QCOMPARE(outcome.error->kind, ErrorKind::Cancelled);
    QVERIFY(!outcome.count.isWhole());
    QVERIFY(outcome.count.records > 0 && outcome.count.records < 10);
    QVERIFY(bytes.endsWith("\"complete\":false}\n"));
    QCOMPARE(problemOf(bytes), QString());
}

void tst_RecordFile::fullDeviceIsAnError()
{
    QFile full(u"/dev/full"_s);
    QVERIFY(full.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    const auto writer = makeExportWriter(ExportFormat::Ndjson, &full, kafkaSource());
    writer->flush();
    QVERIFY(writer->error());
    QCOMPARE(writer->error()->kind, ErrorKind::Io);
    QCOMPARE(writer->bytesWritten(), 0);
}

void tst_RecordFile::oneExportAtATimeHasThePart()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"records"_s);
    const auto contents = [](const QString &name) {
        QFile file(name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(not there)");
    };
    const auto create = [&] {
        return ExportFile::create(path, ExportFormat::Kcat, kafkaSource(), true);
    };
    const auto chunk = hostileChunk();
    {
        const auto first = create();
        QVERIFY(first);
        (*first)->writer().record(*chunk, chunk->records().front());
        (*first)->writer().flush();
        const QByteArray written = contents((*first)->partPath());
        QVERIFY(written.endsWith('\n'));

        const auto second = create();
        QVERIFY(!second);
        QCOMPARE(second.error().kind, ErrorKind::Busy);
        QCOMPARE(contents((*first)->partPath()), written);
        QVERIFY((*first)->commit());
        QCOMPARE(contents(path), written);
    }
    // What one that ended left is replaced, and so is the file itself.
    {
        const auto left = create();
        QVERIFY(left);
        (*left)->writer().record(*chunk, chunk->records().front());
        (*left)->writer().flush();
    }
    const auto last = create();
    QVERIFY(last);
    QCOMPARE(contents((*last)->partPath()), QByteArray());
    QVERIFY((*last)->commit());
    QCOMPARE(contents(path), QByteArray());
}

QTEST_APPLESS_MAIN(tst_RecordFile)
#include "tst_recordfile.moc"
