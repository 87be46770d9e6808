#include "tests/support/cliprogram.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace topicscope::test;
using namespace Qt::StringLiterals;

/// Command lines, and what each verb prints. Each test has topics of its own.
class tst_Cli final : public ServedTest
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY(serve(u"acks:1,bytes:1,damage:1,empty:2,files:1,follow:2,keys:3,large:1,one:1,"
                      "ranges:1,terminal:1"_s));
    }
    void cleanupTestCase() { m_broker.reset(); }

    void everyVerbHasHelp_data();
    void everyVerbHasHelp();
    void helpNamesEveryVerbAndExitCode();
    void wrongCommandLinesAreUsageErrors_data();
    void wrongCommandLinesAreUsageErrors();
    void argumentsThatAreNotUtf8AreRefused();
    void hashShowsEveryPartitioner();
    void listsTopicsAndPartitions();
    void unknownTopicIsReportedAndNotCreated_data();
    void unknownTopicIsReportedAndNotCreated();
    void anyBytesComeBack_data();
    void anyBytesComeBack();
    void valuesComeFromFilesAndStandardInput();
    void jsonLinesAreHarmlessToATerminal();
    void keysSelectThePartition_data();
    void keysSelectThePartition();
    void ackPoliciesSayWhatTheyPromise();
    void publishIsRefusedWithAReason_data();
    void publishIsRefusedWithAReason();
    void fetchReadsTheRangeAskedFor_data();
    void fetchReadsTheRangeAskedFor();
    void fetchOfNothingSaysSo();
    void fetchBeyondTheEndIsAnError();
    void groupsAndTimesAreRefusedWhereThereAreNone();
    void damagedRecordIsFlaggedAndReadingGoesOn();
    void tooLargeRecordIsNamedAndCanBeFetched();
};

void tst_Cli::everyVerbHasHelp_data()
{
    QTest::addColumn<QString>("verb");
    for (const char *verb : {"topics", "partitions", "fetch", "follow", "groups", "publish", "hash",
                             "serve", "conformance"})
        QTest::newRow(verb) << QString::fromLatin1(verb);
}

void tst_Cli::everyVerbHasHelp()
{
    QFETCH(QString, verb);
    const Ran ran = cli({verb, u"--help"_s});
    QCOMPARE(ran.code, 0);
    QCOMPARE(ran.err, "");
    QVERIFY(ran.lines().contains(u"Usage: topicscope-cli "_s + verb) ||
            ran.out.contains("Usage: topicscope-cli " + verb.toUtf8() + ' '));
    for (const QString &line : ran.lines())
        QVERIFY2(line.size() <= 100, qPrintable(line));
}

void tst_Cli::helpNamesEveryVerbAndExitCode()
{
    const Ran ran = cli({u"--help"_s});
    QCOMPARE(ran.code, 0);
    QCOMPARE(ran.err, "");
    QStringList first;
    for (const QString &line : ran.lines()) {
        if (line.startsWith(u"  "_s) && line[2] != u' ')
            first += line.simplified().section(u' ', 0, 0);
    }
    QCOMPARE(first, QStringList({u"topics"_s, u"partitions"_s, u"fetch"_s, u"follow"_s, u"search"_s,
                                 u"export"_s, u"groups"_s, u"publish"_s, u"hash"_s, u"serve"_s,
                                 u"doctor"_s, u"conformance"_s, u"0"_s, u"1"_s, u"2"_s, u"3"_s,
                                 u"4"_s, u"130"_s}));
    QVERIFY(cli({u"--version"_s}).out.startsWith("topicscope-cli "));
}

void tst_Cli::wrongCommandLinesAreUsageErrors_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("reason");
    const auto row = [](const char *arguments, const char *reason) {
        QTest::newRow(arguments) << QString::fromLatin1(arguments).split(u' ')
                                 << QByteArray(reason);
    };
    QTest::newRow("no verb") << QStringList() << QByteArray("no verb");
    row("peek", "unknown verb 'peek'");
    row("topics --colour", "unknown option --colour");
    row("topics extra", "unexpected 'extra'");
    row("topics --broker", "needs a value");
    row("topics --broker host:0", "HOST:PORT");
    row("topics --broker host:65536", "HOST:PORT");
    row("topics --timeout 0", "--timeout");
    row("topics --timeout nan", "--timeout");
    row("topics --json=yes", "takes no value");
    row("topics --json --json", "twice");
    row("fetch", "no topic");
    row("fetch ranges --from soon", "--from");
    row("fetch ranges --from --5", "--from");
    row("fetch ranges --at soon", "--at needs a time");
    row("fetch ranges --at -5", "--at needs a time");
    row("fetch ranges --at 14:05 --from 1", "exclude each other");
    row("follow ranges --group g --at 14:05", "exclude each other");
    row("groups one two", "unexpected 'two'");
    row("fetch ranges --count -1", "--count");
    row("fetch ranges --max-bytes 2147483648", "--max-bytes");
    row("fetch ranges --raw --json", "exclude each other");
    row("publish", "one topic");
    row("publish acks", "needs a value");
    row("publish acks --value a --value-hex 61", "exclude each other");
    row("publish acks --value-hex 6", "odd number");
    row("publish acks --value a --ack all", "--ack");
    row("publish acks --value a --null-value", "exclude each other");
    row("publish acks --null-value", "no null values");
    row("publish acks --value a --header n=v", "no headers");
    row("publish acks --value a --timestamp 5", "no timestamps");
    row("topics -X nothing", "KEY=VALUE");
    row("publish acks --value a --partition x", "--partition");
    row("publish acks --value a --partitioner md5", "unknown partitioner");
    row("publish acks --value a --compression gzip", "compresses nothing");
    row("publish acks --value 300 --value-format int8", "not between -128 and 127");
    row("publish acks --value a --value-format avro", "unknown format 'avro'");
    row("publish acks --value-hex 61 --value-format hex", "--value TEXT");
    row("hash --key a", "--partitions");
    row("hash --partitions 3", "one key");
    row("hash a b --partitions 3", "one key");
    row("hash a --key b --partitions 3", "one key");
    row("hash --key a --partitions 0", "--partitions");
    row("conformance", "unknown verb");
    row("conformance peek", "unknown verb");
    row("conformance metadata", "arguments");
}

void tst_Cli::wrongCommandLinesAreUsageErrors()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, reason);
    const Ran ran = cli(arguments);
    QCOMPARE(ran.code, 2);
    QCOMPARE(ran.out, "");
    QVERIFY2(ran.err.contains(reason), ran.err.constData());
    QVERIFY2(ran.err.contains("--help'"), ran.err.constData());
}

void tst_Cli::argumentsThatAreNotUtf8AreRefused()
{
    const Ran ran = runProgram(
        u"/bin/sh"_s,
        {u"-c"_s, u"\"$0\" hash --partitions 3 --key \"$(printf '\\377')\""_s, cliProgram()});
    QCOMPARE(ran.code, 2);
    QVERIFY2(ran.err.contains("--key-hex"), ran.err.constData());
}

void tst_Cli::hashShowsEveryPartitioner()
{
    // "user-1" over three partitions: hashes of the published vectors of both booblik partitioners;
    // zlib's crc32 by Python.
    const Ran json = cli({u"hash"_s, u"--key"_s, u"user-1"_s, u"-n"_s, u"3"_s, u"--json"_s});
    QCOMPARE(json.code, 0);
    const QList<QJsonObject> rows = json.objects();
    QCOMPARE(rows.size(), 9);
    QCOMPARE(rows[0][u"partitioner"_s], u"booblik"_s);
    QCOMPARE(rows[0][u"hash"_s].toInteger(), 4115888500);
    QCOMPARE(rows[0][u"partition"_s].toInteger(), 1);
    QCOMPARE(rows[1][u"partitioner"_s], u"booblik-legacy"_s);
    QCOMPARE(rows[1][u"hash"_s].toInteger(), 51471856);
    QCOMPARE(rows[1][u"partition"_s].toInteger(), 1);

    // The empty key is a key, and bytes are not text.
    const Ran empty = cli({u"hash"_s, u""_s, u"-n"_s, u"3"_s, u"--json"_s});
    QCOMPARE(empty.objects().value(0)[u"hash"_s].toInteger(), 2166136261);
    const Ran high = cli({u"hash"_s, u"--key-hex"_s, u"80"_s, u"-n"_s, u"64"_s, u"--json"_s});
    QCOMPARE(high.objects().value(0)[u"hash"_s].toInteger(), 2232128415);
    QCOMPARE(high.objects().value(0)[u"partition"_s].toInteger(), 31);

    const Ran number = cli({u"hash"_s, u"--key"_s, u"128"_s, u"--key-format"_s, u"uint8"_s, u"-n"_s,
                            u"64"_s, u"--json"_s});
    QCOMPARE(number.out, high.out);

    const Ran text = cli({u"hash"_s, u"--key"_s, u"user-1"_s, u"-n"_s, u"3"_s});
    QCOMPARE(text.lines().size(), 10);
    QVERIFY(rows[8][u"partition"_s].isNull());
    QVERIFY(text.lines()[9].startsWith(u"random                   any  -"_s));
    QVERIFY(text.lines()[1].contains(u"0xf5537974"_s)); // 4115888500
}

void tst_Cli::listsTopicsAndPartitions()
{
    const Ran topics = client({u"topics"_s});
    QCOMPARE(topics.code, 0);
    QVERIFY(topics.lines().contains(u"empty              2             0"_s));

    const Ran json = client({u"partitions"_s, u"empty"_s, u"--json"_s});
    QCOMPARE(json.code, 0);
    QCOMPARE(json.lines(),
             QStringList({u"{\"type\":\"partition\",\"topic\":\"empty\",\"partition\":0,"
                          "\"logStartOffset\":0,\"highWatermark\":0}"_s,
                          u"{\"type\":\"partition\",\"topic\":\"empty\",\"partition\":1,"
                          "\"logStartOffset\":0,\"highWatermark\":0}"_s}));
}

void tst_Cli::unknownTopicIsReportedAndNotCreated_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("partitions") << QStringList({u"partitions"_s, u"typo"_s});
    QTest::newRow("fetch") << QStringList({u"fetch"_s, u"typo"_s});
    QTest::newRow("follow") << QStringList({u"follow"_s, u"typo/0"_s});
    QTest::newRow("publish") << QStringList({u"publish"_s, u"typo"_s, u"--value"_s, u"x"_s});
    QTest::newRow("partition") << QStringList({u"fetch"_s, u"empty/7"_s});
    QTest::newRow("publish to partition")
        << QStringList({u"publish"_s, u"empty"_s, u"--value"_s, u"x"_s, u"--partition"_s, u"7"_s});
}

void tst_Cli::unknownTopicIsReportedAndNotCreated()
{
    QFETCH(QStringList, arguments);
    const QStringList before = QDir(m_data.path()).entryList();
    const Ran ran = client(arguments);
    QCOMPARE(ran.code, 1);
    QCOMPARE(ran.out, "");
    QVERIFY2(ran.err.contains("no topic 'typo'") || ran.err.contains("no such topic") ||
                 ran.err.contains("no partition '7'") || ran.err.contains("no such partition"),
             ran.err.constData());
    QCOMPARE(QDir(m_data.path()).entryList(), before);
    QVERIFY(!client({u"topics"_s}).out.contains("typo"));
}

void tst_Cli::anyBytesComeBack_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QString>("encoding");
    QByteArray all;
    for (int byte = 0; byte < 256; ++byte)
        all += char(byte);
    QTest::newRow("00 80 ff") << QByteArray("\x00\x80\xff", 3) << u"base64"_s;
    QTest::newRow("every byte") << all << u"base64"_s;
    QTest::newRow("NUL alone") << QByteArray(1, '\0') << u"utf-8"_s;
    QTest::newRow("text") << u"naïve \"quoted\" \\ 🚀\r\n\t"_s.toUtf8() << u"utf-8"_s;
    QTest::newRow("byte order mark") << QByteArray("\xef\xbb\xbfx") << u"utf-8"_s;
    QTest::newRow("overlong") << QByteArray("\xc0\x80") << u"base64"_s;
    QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80") << u"base64"_s;
    QTest::newRow("bidi, tag") << QByteArray("\xe2\x80\xae\xf3\xa0\x80\x81") << u"utf-8"_s;
}

void tst_Cli::anyBytesComeBack()
{
    QFETCH(QByteArray, value);
    const Ran published = client({u"publish"_s, u"bytes"_s, u"--value-hex"_s,
                                  QString::fromLatin1(value.toHex(' ')), u"--json"_s});
    QVERIFY2(published.code == 0, published.err.constData());
    const qint64 offset = published.objects().value(0)[u"offset"_s].toInteger(-1);
    QVERIFY(offset >= 0);

    const QStringList fetch{u"fetch"_s, u"bytes/0"_s, u"--from"_s, QString::number(offset)};
    const Ran json = client(fetch + QStringList{u"--json"_s});
    QCOMPARE(json.code, 0);
    QCOMPARE(json.objects().size(), 1);
    const QJsonObject record = json.objects()[0];
    QCOMPARE(record[u"type"_s], u"record"_s);
    QCOMPARE(record[u"topic"_s], u"bytes"_s);
    QCOMPARE(record[u"partition"_s].toInteger(-1), 0);
    QCOMPARE(record[u"offset"_s].toInteger(-1), offset);
    QCOMPARE(record[u"size"_s].toInteger(-1), value.size());
    QCOMPARE(record[u"crc32c"_s][u"ok"_s], true);
    QTEST(record[u"value"_s][u"encoding"_s].toString(), "encoding");
    QCOMPARE(decoded(record[u"value"_s].toObject()), value);
    // Python's json module and ours agree on the line: it is one object with nothing around it.
    QCOMPARE(json.out.count('\n'), 1);

    QCOMPARE(client(fetch + QStringList{u"--raw"_s}).out, value);
}

void tst_Cli::valuesComeFromFilesAndStandardInput()
{
    const QByteArray value("line one\nline two\n\0end", 22);
    QFile file(m_data.filePath(u"value.bin"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(value);
    file.close();
    QCOMPARE(client({u"publish"_s, u"files"_s, u"--value-file"_s, file.fileName()}).code, 0);
    QCOMPARE(client({u"publish"_s, u"files"_s, u"--value-file"_s, u"-"_s}, value).code, 0);
    QCOMPARE(client({u"publish"_s, u"files"_s, u"--value"_s, u"-"_s}, value).code, 0);
    QCOMPARE(client({u"fetch"_s, u"files"_s, u"--raw"_s}).out, value + value + value);

    const Ran missing = client({u"publish"_s, u"files"_s, u"--value-file"_s, u"/no/such/file"_s});
    QCOMPARE(missing.code, 1);
    QVERIFY2(missing.err.contains("/no/such/file"), missing.err.constData());
    // 8 MiB and one byte: more than any record; read no further.
    const Ran large = client({u"publish"_s, u"files"_s, u"--value"_s, u"-"_s},
                             QByteArray(8 * 1024 * 1024 + 1, 'x'));
    QCOMPARE(large.code, 2);
    QVERIFY2(large.err.contains("8388585"), large.err.constData());
}

void tst_Cli::jsonLinesAreHarmlessToATerminal()
{
    publish(u"terminal"_s, QByteArray("\x1b[31m\x07\xc2\x9b\x7f\xe2\x80\xae\n"));
    for (const QStringList &format : {QStringList(), QStringList(u"--json"_s)}) {
        const Ran ran = client(QStringList{u"fetch"_s, u"terminal"_s} + format);
        QCOMPARE(ran.code, 0);
        for (const char *raw : {"\x1b", "\x07", "\xc2\x9b", "\x7f", "\xe2\x80\xae"})
            QVERIFY2(!ran.out.contains(raw), ran.out.toHex().constData());
    }
    QCOMPARE(client({u"fetch"_s, u"terminal"_s}).lines().value(1).section(u" ok"_s, 1).trimmed(),
             u"␛[31m␇‹U+009B›␡‹U+202E›␊"_s);
}

void tst_Cli::keysSelectThePartition_data()
{
    QTest::addColumn<QStringList>("key");
    QTest::addColumn<int>("partition");
    // published vectors for three partitions
    QTest::newRow("empty") << QStringList({u"--key"_s, u""_s}) << 1;
    QTest::newRow("empty hex") << QStringList({u"--key-hex"_s, u""_s}) << 1;
    QTest::newRow("zero byte") << QStringList({u"--key-hex"_s, u"00"_s}) << 0;
    QTest::newRow("ff") << QStringList({u"--key-hex"_s, u"ff"_s}) << 2;
    QTest::newRow("ascii") << QStringList({u"--key"_s, u"user-1"_s}) << 1;
    QTest::newRow("emoji") << QStringList({u"--key"_s, u"order-🚀"_s}) << 2;
    QTest::newRow("before 0.3") << QStringList({u"--key-hex"_s, u"7f"_s, u"--partitioner"_s,
                                                u"booblik-legacy"_s})
                                << 2;
    QTest::newRow("by hand") << QStringList({u"--key"_s, u"user-1"_s, u"--partition"_s, u"0"_s})
                             << 0;
    QTest::newRow("dashed") << QStringList({u"--key=-"_s + u"-"_s, u"--partition"_s, u"2"_s}) << 2;
}

void tst_Cli::keysSelectThePartition()
{
    QFETCH(QStringList, key);
    const Ran ran =
        client(QStringList{u"publish"_s, u"keys"_s, u"--value"_s, u"v"_s, u"--json"_s} + key);
    QVERIFY2(ran.code == 0, ran.err.constData());
    QTEST(int(ran.objects().value(0)[u"partition"_s].toInteger(-1)), "partition");
}

void tst_Cli::ackPoliciesSayWhatTheyPromise()
{
    const QStringList publish{u"publish"_s, u"acks"_s, u"--value"_s, u"a"_s, u"--ack"_s};
    QCOMPARE(client(publish + QStringList{u"written"_s}).out,
             "published to acks/0 at offset 0 (ack written)\n");
    QCOMPARE(client(publish + QStringList{u"forced"_s}).out,
             "published to acks/0 at offset 1 (ack forced)\n");
    QCOMPARE(client(publish + QStringList{u"none"_s}).out,
             "sent to acks/0, not confirmed (ack none)\n");
    QCOMPARE(client(publish + QStringList{u"none"_s, u"--json"_s}).out,
             "{\"type\":\"published\",\"topic\":\"acks\",\"partition\":0,\"offset\":null,"
             "\"logEndOffset\":null,\"ack\":\"none\"}\n");
    QTRY_COMPARE(client({u"fetch"_s, u"acks"_s, u"--raw"_s}).out, "aaaa");
}

void tst_Cli::publishIsRefusedWithAReason_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("reason");
    QTest::newRow("empty value") << QStringList({u"--value"_s, u""_s})
                                 << QByteArray("an empty value cannot be stored");
    QTest::newRow("read-only") << QStringList({u"--value"_s, u"x"_s, u"--read-only"_s})
                               << QByteArray("--read-only");
}

void tst_Cli::publishIsRefusedWithAReason()
{
    QFETCH(QStringList, options);
    QFETCH(QByteArray, reason);
    const Ran text = client(QStringList{u"publish"_s, u"empty"_s} + options);
    QCOMPARE(text.code, 1);
    QCOMPARE(text.out, "");
    QVERIFY2(text.err.contains(reason), text.err.constData());
    const Ran json = client(QStringList{u"publish"_s, u"empty"_s, u"--json"_s} + options);
    QCOMPARE(json.code, 1);
    const QJsonObject error = QJsonDocument::fromJson(json.err).object();
    QCOMPARE(error[u"type"_s], u"error"_s);
    QCOMPARE(error[u"topic"_s], u"empty"_s);
    QVERIFY(client({u"fetch"_s, u"empty"_s, u"--raw"_s}).out.isEmpty());
}

void tst_Cli::fetchReadsTheRangeAskedFor_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("values");
    QTest::newRow("all") << QStringList() << QByteArray("abcde");
    QTest::newRow("start") << QStringList({u"--from"_s, u"start"_s}) << QByteArray("abcde");
    QTest::newRow("end") << QStringList({u"--from"_s, u"end"_s}) << QByteArray();
    QTest::newRow("offset") << QStringList({u"--from"_s, u"3"_s}) << QByteArray("de");
    QTest::newRow("high watermark") << QStringList({u"--from"_s, u"5"_s}) << QByteArray();
    QTest::newRow("relative") << QStringList({u"--from"_s, u"-2"_s}) << QByteArray("de");
    QTest::newRow("relative, =") << QStringList({u"--from=-1"_s}) << QByteArray("e");
    QTest::newRow("more than there are")
        << QStringList({u"--from"_s, u"-9223372036854775807"_s}) << QByteArray("abcde");
    QTest::newRow("count") << QStringList({u"--from"_s, u"1"_s, u"--count"_s, u"2"_s})
                           << QByteArray("bc");
    QTest::newRow("count 0") << QStringList({u"--count"_s, u"0"_s}) << QByteArray();
    // 9 bytes a record: one at a time, its successor cut
    QTest::newRow("max bytes") << QStringList({u"--max-bytes"_s, u"17"_s}) << QByteArray("abcde");
}

void tst_Cli::fetchReadsTheRangeAskedFor()
{
    QFETCH(QStringList, options);
    if (client({u"fetch"_s, u"ranges"_s, u"--raw"_s}).out.isEmpty()) {
        for (const char *value : {"a", "b", "c", "d", "e"})
            publish(u"ranges"_s, value);
    }
    const Ran ran = client(QStringList{u"fetch"_s, u"ranges/0"_s, u"--raw"_s} + options);
    QCOMPARE(ran.code, 0);
    QCOMPARE(ran.err, "");
    QTEST(ran.out, "values");
}

void tst_Cli::fetchOfNothingSaysSo()
{
    publish(u"one"_s, "record");
    const Ran empty = client({u"fetch"_s, u"empty/0"_s});
    QCOMPARE(empty.code, 0);
    QVERIFY2(empty.err.contains("empty/0: no records: the log is 0..0"), empty.err.constData());
    const Ran behind = client({u"fetch"_s, u"one/0"_s, u"--from"_s, u"1"_s});
    QCOMPARE(behind.code, 0);
    QVERIFY2(behind.err.contains("one/0: no records from offset 1 on: the log is 0..1"),
             behind.err.constData());
    QCOMPARE(client({u"fetch"_s, u"one/0"_s}).err, "");
    QCOMPARE(client({u"fetch"_s, u"empty/0"_s, u"--json"_s}).err, "");
}

void tst_Cli::fetchBeyondTheEndIsAnError()
{
    const Ran ran =
        client({u"fetch"_s, u"empty/1"_s, u"--from"_s, u"9007199254740993"_s, u"--json"_s});
    QCOMPARE(ran.code, 1);
    const QJsonObject error = QJsonDocument::fromJson(ran.err).object();
    QCOMPARE(error[u"name"_s], u"OFFSET_OUT_OF_RANGE"_s);
    QCOMPARE(error[u"partition"_s].toInteger(-1), 1);
    QVERIFY2(ran.err.contains("\"offset\":9007199254740993,"), ran.err.constData()); // exact
}

void tst_Cli::groupsAndTimesAreRefusedWhereThereAreNone()
{
    const auto refused = [this](const QStringList &arguments, const char *reason) {
        const Ran ran = client(arguments);
        QCOMPARE(ran.code, 1);
        QVERIFY2(ran.err.contains(reason), ran.err.constData());
    };
    refused({u"groups"_s}, "keeps no consumer groups");
    refused({u"groups"_s, u"billing"_s}, "keeps no consumer groups");
    refused({u"fetch"_s, u"one"_s, u"--group"_s, u"billing"_s}, "keeps no consumer groups");
    refused({u"fetch"_s, u"one"_s, u"--at"_s, u"14:05"_s}, "keeps no times");
    refused({u"follow"_s, u"one"_s, u"--at"_s, u"1796047815250"_s}, "keeps no times");
}

void tst_Cli::damagedRecordIsFlaggedAndReadingGoesOn()
{
    for (const char *value : {"first", "123456789", "third"})
        publish(u"damage"_s, value);
    // Behind the broker's back: "123456789" becomes "12345678!". It stands behind 8 + 5 + 8 bytes.
    QFile segment(m_data.filePath(u"damage-0/00000000000000000000.log"_s));
    QVERIFY(segment.open(QIODevice::ReadWrite));
    QVERIFY(segment.seek(21 + 8));
    QCOMPARE(segment.write("!"), 1);
    segment.close();

    const Ran text = client({u"fetch"_s, u"damage"_s});
    QCOMPARE(text.code, 4);
    QCOMPARE(text.lines().size(), 4);
    // stored: the check value of CRC-32C; computed by an independent implementation
    QVERIFY2(text.lines()[2].contains(u"e3069283 ≠ 79810d23"_s), qPrintable(text.lines()[2]));
    QVERIFY(text.lines()[2].endsWith(u"12345678!"_s));
    QVERIFY(text.lines()[3].endsWith(u"third"_s));

    const Ran json = client({u"fetch"_s, u"damage"_s, u"--json"_s});
    QCOMPARE(json.code, 4);
    const QJsonObject sums = json.objects().value(1)[u"crc32c"_s].toObject();
    QCOMPARE(sums[u"stored"_s], u"e3069283"_s);
    QCOMPARE(sums[u"computed"_s], u"79810d23"_s);
    QCOMPARE(sums[u"ok"_s], false);
    QCOMPARE(json.objects().value(2)[u"crc32c"_s][u"ok"_s], true);
}

void tst_Cli::tooLargeRecordIsNamedAndCanBeFetched()
{
    const QByteArray large(5'000'000, 'L');
    publish(u"large"_s, "before");
    publish(u"large"_s, large);
    publish(u"large"_s, "behind");

    const Ran text = client({u"fetch"_s, u"large"_s});
    QCOMPARE(text.code, 4);
    QCOMPARE(text.lines().size(), 4);
    QVERIFY(text.lines()[2].contains(u" 5000000 "_s));
    QVERIFY2(text.lines()[2].contains(u"--max-bytes 5000008"_s), qPrintable(text.lines()[2]));
    QVERIFY(text.lines()[3].endsWith(u"behind"_s));

    const Ran json = client({u"fetch"_s, u"large"_s, u"--json"_s});
    QCOMPARE(json.code, 4);
    QCOMPARE(json.objects().value(1)[u"type"_s], u"too-large"_s);
    QCOMPARE(json.objects().value(1)[u"offset"_s].toInteger(), 1);
    QCOMPARE(json.objects().value(1)[u"size"_s].toInteger(), 5'000'000);

    const QStringList cured{u"fetch"_s,   u"large"_s, u"--from"_s,      u"1"_s,
                            u"--count"_s, u"1"_s,     u"--max-bytes"_s, u"5000008"_s};
    const Ran raw = client(cured + QStringList{u"--raw"_s});
    QCOMPARE(raw.code, 0);
    QVERIFY(raw.out == large);
    const Ran whole = client(cured + QStringList{u"--json"_s});
    QVERIFY(decoded(whole.objects().value(0)[u"value"_s].toObject()) == large);
}

QTEST_GUILESS_MAIN(tst_Cli)
#include "tst_cli.moc"
