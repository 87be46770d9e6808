#include "tests/support/cliprogram.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace topicscope::test;
using namespace Qt::StringLiterals;

/// "publish --input", on a broker in a process of its own.
class tst_CliPublishFile final : public ServedTest
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(serve(u"from:3,to:3,plain:1"_s)); }
    void cleanupTestCase() { m_broker.reset(); }

    void anExportGoesToAnotherTopicByteForByte();
    void theDryRunSendsNothing();
    void aRunIsResumedAndNotRepeated();
    void wrongCommandLinesAreRefused_data();
    void wrongCommandLinesAreRefused();

private:
    QString path(const QString &name) const { return m_files.filePath(name); }
    QString write(const QString &name, const QByteArray &bytes) const
    {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("no file");
        return file.fileName();
    }
    /// Partition, offset and value of all records, as base64 or text.
    QStringList records(const QString &topic)
    {
        QStringList rows;
        const Ran ran = client({u"fetch"_s, topic, u"--json"_s});
        for (const QByteArray &line : ran.out.split('\n')) {
            const QJsonObject object = QJsonDocument::fromJson(line).object();
            if (object[u"type"_s] == u"record"_s) {
                rows += u"%1 %2 %3"_s.arg(object[u"partition"_s].toInt())
                            .arg(object[u"offset"_s].toInt())
                            .arg(object[u"value"_s].toObject()[u"data"_s].toString());
            }
        }
        return rows;
    }

    QTemporaryDir m_files;
};

void tst_CliPublishFile::anExportGoesToAnotherTopicByteForByte()
{
    publish(u"from"_s, QByteArray::fromHex("0080ff"), 2);
    publish(u"from"_s, "one", 1);
    publish(u"from"_s, "\"x\"\r\n", 2);
    const QString file = path(u"from.ndjson"_s);
    QCOMPARE(client({u"export"_s, u"from"_s, u"-o"_s, file}).code, 0);
    const Ran ran =
        client({u"publish"_s, u"to"_s, u"--input"_s, file, u"--partitions"_s, u"keep"_s});
    QVERIFY2(ran.code == 0, ran.err.constData());
    QVERIFY2(ran.err.contains("published: 3, refused: 0, unknown: 0"), ran.err.constData());
    QCOMPARE(records(u"to"_s), records(u"from"_s));
    QCOMPARE(records(u"to"_s).size(), 3);
    // The same again is refused: it would send everything twice.
    const Ran again =
        client({u"publish"_s, u"to"_s, u"--input"_s, file, u"--partitions"_s, u"keep"_s});
    QVERIFY(again.code != 0);
    QVERIFY2(again.err.contains("--resume goes on with it"), again.err.constData());
    const Ran resumed = client(
        {u"publish"_s, u"to"_s, u"--input"_s, file, u"--partitions"_s, u"keep"_s, u"--resume"_s});
    QCOMPARE(resumed.code, 0);
    QVERIFY2(resumed.err.contains("published: 0, refused: 0, unknown: 0, known from before: 3"),
             resumed.err.constData());
    QCOMPARE(records(u"to"_s).size(), 3);
}

void tst_CliPublishFile::theDryRunSendsNothing()
{
    const QString file = write(u"dry.csv"_s, "id,doc\norder-42,a\n,\n");
    const Ran ran = client({u"publish"_s, u"plain"_s, u"--input"_s, file, u"--format"_s, u"csv"_s,
                            u"--columns"_s, u"key=id,value=doc"_s, u"--dry-run"_s, u"--json"_s});
    QCOMPARE(ran.code, 4);
    const QByteArrayList lines = ran.out.split('\n');
    QCOMPARE(lines[0], R"({"type":"planned","record":1,"partition":0,"refused":false})");
    QCOMPARE(lines[1], R"({"type":"planned","record":2,"partition":null,"refused":true,)"
                       R"("text":"a null value is not stored there"})");
    QCOMPARE(records(u"plain"_s), QStringList());
    QVERIFY(!QFile::exists(file + u".outcomes"_s));
}

void tst_CliPublishFile::aRunIsResumedAndNotRepeated()
{
    QByteArray lines;
    QStringList expected;
    for (int i = 0; i < 200; ++i) {
        lines += "v" + QByteArray::number(i) + '\n';
        expected += u"0 %1 v%1"_s.arg(i);
    }
    const QString file = write(u"lines"_s, lines);
    const QStringList arguments{u"publish"_s, u"plain"_s, u"--broker"_s, m_broker->address(),
                                u"--input"_s, file,       u"--format"_s, u"lines"_s};
    QProcess process;
    // So slow that it cannot be finished within the limit below.
    process.start(cliProgram(), arguments + QStringList{u"--rate"_s, u"2"_s});
    QVERIFY(QTest::qWaitFor([&] { return records(u"plain"_s).size() > 3; }, kLimitMs));
    process.kill(); // as hard as it gets
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitStatus(), QProcess::CrashExit); // and not because it was finished
    const Ran rest = runProgram(cliProgram(), arguments + QStringList{u"--resume"_s});
    QVERIFY2(rest.code == 0 || rest.code == 3, rest.err.constData());
    // What was in doubt may be missing; nothing is there twice, and nothing else is lost.
    const QStringList values =
        records(u"plain"_s).replaceInStrings(QRegularExpression(u"^.* "_s), {});
    QCOMPARE(QSet<QString>(values.begin(), values.end()).size(), values.size());
    QVERIFY(values.size() >= 190 && values.size() <= 200);
}

void tst_CliPublishFile::wrongCommandLinesAreRefused_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("value too") << QStringList{u"--value"_s, u"x"_s}
                               << QByteArray("--input and --value exclude each other");
    QTest::newRow("format") << QStringList{u"--format"_s, u"xml"_s}
                            << QByteArray("--format is ndjson, csv, lines or files");
    QTest::newRow("partitions") << QStringList{u"--partitions"_s, u"any"_s}
                                << QByteArray("--partitions is key or keep");
    QTest::newRow("both") << QStringList{u"--partitions"_s, u"keep"_s, u"--partition"_s, u"0"_s}
                          << QByteArray("--partition and --partitions exclude each other");
    QTest::newRow("columns") << QStringList{u"--columns"_s, u"x=1"_s}
                             << QByteArray("is no key=, value=");
}

void tst_CliPublishFile::wrongCommandLinesAreRefused()
{
    QFETCH(const QStringList, arguments);
    QFETCH(const QByteArray, words);
    const Ran ran = client(QStringList{u"publish"_s, u"to"_s, u"--input"_s, u"x"_s} + arguments);
    QCOMPARE(ran.code, 2);
    QVERIFY2(ran.err.contains(words), ran.err.constData());
}

QTEST_GUILESS_MAIN(tst_CliPublishFile)
#include "tst_clipublishfile.moc"
