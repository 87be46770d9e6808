#include "tests/support/cliprogram.h"
#include "tests/support/hostilebroker.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <atomic>
#include <csignal>

using namespace topicscope::test;
using namespace Qt::StringLiterals;

namespace
{

constexpr qint16 kFetchKey = 2;

QByteArray expectedLine(int partition, int offset, const QByteArray &value)
{
    return R"({"topic":"hostile","partition":)" + QByteArray::number(partition) + R"(,"offset":)" +
           QByteArray::number(offset) + R"(,"value":")" + value.toHex() + "\"}";
}

} // namespace

/// "export", with its files read again by Python.
class tst_CliExport final : public ServedTest
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_broker.reset(); }

    void anIndependentReaderGetsTheBytesBack_data();
    void anIndependentReaderGetsTheBytesBack();
    void theReaderSeesOneChangedByte();
    void theFileIsASource();
    void timesAreOfTheZoneAskedFor();
    void rangesAreChosen();
    void nothingIsOverwritten();
    void damageIsNoted();
    void aFolderThatIsNotThereIsSaid();
    void interruptedLeavesWholeLines();
    void wrongCommandLinesAreRefused();

private:
    /// Exports into a file of this name; the arguments say what and how.
    Ran exported(const QString &name, const QStringList &arguments)
    {
        return client(QStringList{u"export"_s, u"--output"_s, path(name)} + arguments);
    }
    QString path(const QString &name) const { return m_files.filePath(name); }
    QByteArray contents(const QString &name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(not there)");
    }
    Ran checked(const QString &format, const QString &name, const QByteArrayList &expected)
    {
        QFile file(path(u"expected"_s));
        if (!file.open(QIODevice::WriteOnly))
            qCritical("no file for what is expected");
        for (const QByteArray &line : expected)
            file.write(line + '\n');
        file.close();
        return runProgram(QStringLiteral(TOPICSCOPE_PYTHON),
                          {u"-B"_s, QStringLiteral(TOPICSCOPE_CHECK_EXPORT), format, path(name),
                           path(u"expected"_s)});
    }

    QTemporaryDir m_files;
    QByteArrayList m_expected;
};

void tst_CliExport::initTestCase()
{
    QVERIFY(serve(u"hostile:2,damage:1,long:1,none:1"_s));
    QByteArray all;
    for (int byte = 0; byte < 256; ++byte)
        all += char(byte);
    const QByteArrayList values{QByteArray::fromHex("0080ff"),
                                QByteArray::fromHex("c3"),     // half a character
                                QByteArray::fromHex("eda080"), // a surrogate, no UTF-8
                                QByteArray("\xE2\x80\xA8 and \xE2\x80\xAE"), // a line separator
                                QByteArray("\"quotes\", 'these' and \\ \r\n lines \n"),
                                QByteArray("\0\n\0", 3),
                                QByteArray("=1+1"),
                                all,
                                QByteArray(1024 * 1024, 'x'),
                                QByteArray(1024 * 1024, '\xFE')};
    for (int i = 0; i < values.size(); ++i) {
        publish(u"hostile"_s, values[i]);
        m_expected += expectedLine(0, i, values[i]);
    }
    publish(u"hostile"_s, "other", 1);
    m_expected += expectedLine(1, 0, "other");
    for (const char *value : {"first", "123456789", "third"})
        publish(u"damage"_s, value);
    for (int i = 0; i < 3; ++i)
        publish(u"long"_s, "r-" + QByteArray::number(i));
}

void tst_CliExport::anIndependentReaderGetsTheBytesBack_data()
{
    QTest::addColumn<QString>("format");
    for (const char *format : {"ndjson", "csv", "raw"})
        QTest::newRow(format) << QString::fromLatin1(format);
}

void tst_CliExport::anIndependentReaderGetsTheBytesBack()
{
    QFETCH(const QString, format);
    const QString name = u"hostile."_s + format;
    const Ran ran = exported(name, {u"hostile"_s, u"--format"_s, format});
    QVERIFY2(ran.code == 0, ran.err.constData());
    QVERIFY(ran.out.isEmpty());
    QVERIFY2(ran.err.contains("records: 11, offsets without a record: 0; that is each of 11 "
                              "offsets, partitions: 2"),
             ran.err.constData());
    QVERIFY(!QFileInfo::exists(path(name + u".part"_s)));
    const Ran check = checked(format, name, m_expected);
    QVERIFY2(check.code == 0, (check.out + check.err).constData());
}

void tst_CliExport::theReaderSeesOneChangedByte()
{
    QVERIFY(exported(u"changed"_s, {u"hostile"_s}).code == 0);
    QFile file(path(u"changed"_s));
    QVERIFY(file.open(QIODevice::ReadWrite));
    QByteArray bytes = file.readAll();
    bytes[bytes.indexOf("xxxx") + 1000] = 'y';
    QVERIFY(file.seek(0));
    QCOMPARE(file.write(bytes), bytes.size());
    file.close();
    QCOMPARE(checked(u"ndjson"_s, u"changed"_s, m_expected).code, 1);
}

void tst_CliExport::theFileIsASource()
{
    QCOMPARE(exported(u"source"_s, {u"hostile"_s}).code, 0);
    const QString file = u"file:"_s + path(u"source"_s);
    const Ran live =
        client({u"fetch"_s, u"hostile"_s, u"--json"_s, u"--max-bytes"_s, u"2000000"_s});
    const Ran kept = cli({u"fetch"_s, u"-b"_s, file, u"hostile"_s, u"--json"_s});
    QVERIFY2(kept.code == 0, kept.err.constData());
    QVERIFY(kept.out == live.out);
    const Ran found = cli({u"search"_s, u"-b"_s, file, u"hostile"_s, u"value == other"_s});
    QVERIFY2(found.err.contains("1 hit: all 11 offsets of 2 partitions were searched."),
             found.err.constData());
    // An export of the export says the same of the records.
    QCOMPARE(cli({u"export"_s, u"-b"_s, file, u"hostile"_s, u"-o"_s, path(u"again"_s)}).code, 0);
    const Ran check = checked(u"ndjson"_s, u"again"_s, m_expected);
    QVERIFY2(check.code == 0, (check.out + check.err).constData());
    QVERIFY(cli({u"publish"_s, u"-b"_s, file, u"hostile"_s, u"--value"_s, u"x"_s}).code != 0);
}

/// A file written by hand, whose record is of 2026-11-30 14:05 UTC.
void tst_CliExport::timesAreOfTheZoneAskedFor()
{
    QFile file(path(u"timed"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(
        R"({"type":"export","format":"topicscope-records","version":1,"source":"x:1",)"
        R"("capabilities":{"keys":true,"timestamps":true,"headers":true,"recordChecksums":false,)"
        R"("emptyValues":true,"nullValues":true}})"
        "\n"
        R"({"type":"partition","topic":"t","partition":0,"from":0,"to":1,"logStart":0,)"
        R"("highWatermark":1})"
        "\n"
        R"({"type":"record","topic":"t","partition":0,"offset":0,"size":1,)"
        R"("timestamp":1796047500000,"timestampType":"create","key":null,"headers":[],)"
        R"("value":{"encoding":"utf-8","data":"v"},"checksum":"batch"})"
        "\n"
        R"({"type":"partition-end","topic":"t","partition":0,"from":0,"to":1,"records":1,)"
        R"("withoutRecord":0,"complete":true})"
        "\n"
        R"({"type":"export-end","records":1,"complete":true})"
        "\n");
    file.close();
    const auto fetched = [this](const QStringList &options) {
        return cli(QStringList{u"fetch"_s, u"-b"_s, u"file:"_s + path(u"timed"_s), u"t"_s} +
                   options);
    };
    QVERIFY(fetched({}).out.contains("2026-11-30 14:05:00.000Z"));
    QVERIFY(fetched({u"--time-zone"_s, u"Europe/Berlin"_s})
                .out.contains("2026-11-30 15:05:00.000+01:00"));
    QVERIFY(fetched({u"--time-zone"_s, u"epoch"_s}).out.contains(" 1796047500000 "));
    const Ran unknown = fetched({u"--time-zone"_s, u"Mars"_s});
    QCOMPARE(unknown.code, 2);
    QVERIFY2(unknown.err.contains("knows no time zone 'Mars'"), unknown.err.constData());
}

void tst_CliExport::rangesAreChosen()
{
    const Ran ran = exported(u"range"_s, {u"long"_s, u"--from"_s, u"1"_s, u"--to"_s, u"2"_s});
    QVERIFY2(ran.code == 0, ran.err.constData());
    const QByteArray bytes = contents(u"range"_s);
    QCOMPARE(bytes.count("\"type\":\"record\""), 1);
    QVERIFY(bytes.contains(R"({"type":"partition","topic":"long","partition":0,"from":1,"to":2,)"
                           R"("logStart":0,"highWatermark":3})"));
    QVERIFY(bytes.contains(R"("data":"r-1")"));

    QCOMPARE(exported(u"filtered"_s, {u"long"_s, u"--filter"_s, u"value == r-2"_s}).code, 0);
    QVERIFY(
        contents(u"filtered"_s)
            .contains(R"({"type":"filtered","topic":"long","partition":0,"offset":0,"end":2,)"));
    // Looked into, it says that the others are not there; it is not damaged.
    const QString file = u"file:"_s + path(u"filtered"_s);
    const Ran found = cli({u"search"_s, u"-b"_s, file, u"long"_s, u"value contains r"_s});
    QCOMPARE(found.code, 0);
    QVERIFY2(
        found.err.contains("long/0: offsets 0 to 1: not in this file (left out by the filter)\n"
                           "topicscope-cli: 1 hit: the one offset of 1 partition was "
                           "searched. Not there: 2 (not in this file).\n"),
        found.err.constData());
    const Ran fetched = cli({u"fetch"_s, u"-b"_s, file, u"long"_s});
    QCOMPARE(fetched.code, 0);
    QVERIFY2(fetched.out.contains("offsets 0 to 1: not in this file: left out by the filter"),
             fetched.out.constData());
    QCOMPARE(cli({u"export"_s, u"-b"_s, file, u"long"_s, u"-o"_s, path(u"twice"_s)}).code, 0);
    QVERIFY(contents(u"twice"_s)
                .contains(R"({"type":"filtered","topic":"long","partition":0,)"
                          R"("offset":0,"end":2,"text":"left out by the filter"})"));
    QCOMPARE(exported(u"empty"_s, {u"none"_s}).code, 0);
    QVERIFY(contents(u"empty"_s)
                .endsWith("{\"type\":\"export-end\",\"records\":0,"
                          "\"complete\":true}\n"));
    const Ran behind = exported(u"behind"_s, {u"long"_s, u"--from"_s, u"9"_s});
    QVERIFY(behind.code != 0);
    QVERIFY2(behind.err.contains("the log ends at 3, before offset 9"), behind.err.constData());
    QVERIFY(!QFileInfo::exists(path(u"behind.part"_s)));
}

void tst_CliExport::nothingIsOverwritten()
{
    QFile file(path(u"mine"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("mine");
    file.close();
    const Ran refused = exported(u"mine"_s, {u"long"_s});
    QVERIFY(refused.code != 0);
    QVERIFY2(refused.err.contains("is there already; --force replaces it"),
             refused.err.constData());
    QCOMPARE(contents(u"mine"_s), "mine");
    QCOMPARE(exported(u"mine"_s, {u"long"_s, u"--force"_s}).code, 0);
    QVERIFY(contents(u"mine"_s).startsWith("{\"type\":\"export\""));

    QVERIFY(QDir(m_files.path()).mkdir(u"folder"_s));
    QVERIFY(exported(u"folder"_s, {u"long"_s, u"--force"_s}).code != 0);
    QVERIFY(exported(u"folder"_s, {u"long"_s, u"--force"_s, u"--format"_s, u"raw"_s}).code != 0);
    QVERIFY(QFileInfo(path(u"folder"_s)).isDir());
}

void tst_CliExport::damageIsNoted()
{
    // Behind the broker's back: "123456789" becomes "12345678!", and the size of "third" 0.
    QFile segment(m_data.filePath(u"damage-0/00000000000000000000.log"_s));
    QVERIFY(segment.open(QIODevice::ReadWrite));
    QVERIFY(segment.seek(13 + 8 + 8));
    QCOMPARE(segment.write("!"), 1);
    QVERIFY(segment.seek(13 + 17));
    QCOMPARE(segment.write(QByteArray(4, '\0')), 4);
    segment.close();
    const Ran ran = exported(u"damage"_s, {u"damage"_s});
    QVERIFY2(ran.code == 4, ran.err.constData());
    const QByteArray bytes = contents(u"damage"_s);
    QVERIFY(bytes.contains(R"("crc32c":{"stored":"e3069283",)"));
    QVERIFY(bytes.contains(R"("ok":false},"value":{"encoding":"utf-8","data":"12345678!"})"));
    QVERIFY(bytes.contains(R"("records":2,"withoutRecord":1,"complete":true})"));
}

void tst_CliExport::aFolderThatIsNotThereIsSaid()
{
    const Ran ran = exported(u"no/such/folder"_s, {u"long"_s});
    QCOMPARE(ran.code, 1);
    QVERIFY(!ran.err.isEmpty());
}

void tst_CliExport::interruptedLeavesWholeLines()
{
    // A broker that answers once and falls silent: stopped while the next answer is waited for.
    MemoryLog log({{"slow", 1}});
    for (const char fill : {'a', 'b', 'c'})
        log.append("slow", 0, storedRecord(QByteArray(700 * 1024, fill)));
    std::atomic<int> fetches = 0;
    log.intercept = [&](const HostileBroker::Peer::Request &request) {
        const bool silent = request.apiKey == kFetchKey && ++fetches > 1;
        return silent ? std::optional(QByteArray()) : std::nullopt;
    };
    const HostileBroker broker(log.script());
    QProcess process;
    process.start(cliProgram(), {u"export"_s, u"--broker"_s, broker.config().endpoint(),
                                 u"--output"_s, path(u"stopped"_s), u"slow"_s});
    QVERIFY(
        QTest::qWaitFor([&] { return contents(u"stopped.part"_s).size() > 700 * 1024; }, kLimitMs));
    ::kill(pid_t(process.processId()), SIGTERM);
    QVERIFY(QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, kLimitMs));
    QCOMPARE(process.exitCode(), 130);
    const QByteArray said = process.readAllStandardError();
    QVERIFY2(said.contains("stopped.part holds what was read before, in whole lines: records: 1, "
                           "offsets without a record: 0; slow/0 up to offset 1"),
             said.constData());
    const QByteArray part = contents(u"stopped.part"_s);
    QCOMPARE(part.count('\n'), 5); // export, partition, record, and their ends
    QVERIFY(part.endsWith("\"complete\":false}\n{\"type\":\"export-end\",\"records\":1,"
                          "\"complete\":false}\n"));
    QVERIFY(!QFileInfo::exists(path(u"stopped"_s)));
}

void tst_CliExport::wrongCommandLinesAreRefused()
{
    QCOMPARE(client({u"export"_s, u"long"_s}).code, 2);
    QCOMPARE(exported(u"wrong"_s, {}).code, 2);
    QCOMPARE(exported(u"wrong"_s, {u"long"_s, u"--format"_s, u"xml"_s}).code, 2);
    QCOMPARE(exported(u"wrong"_s, {u"long"_s, u"--filter"_s, u"size >"_s}).code, 2);
    QCOMPARE(exported(u"wrong"_s, {u"nosuch"_s}).code, 1);
    QVERIFY(!QFileInfo::exists(path(u"wrong.part"_s)));
}

QTEST_GUILESS_MAIN(tst_CliExport)
#include "tst_cliexport.moc"
