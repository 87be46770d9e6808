// The desktop program as it is built, run from outside and without a display.

#include <QDir>
#include <QElapsedTimer>
#include <QImage>
#include <QProcess>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;

namespace
{

struct Ran {
    int code = -1; ///< -1: crashed, or did not end in time
    QString out;
    QString err;
};

Ran run(const QStringList &arguments)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const QString &name : {u"DISPLAY"_s, u"WAYLAND_DISPLAY"_s, u"QT_QPA_PLATFORM"_s})
        environment.remove(name);
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(TOPICSCOPE_GUI), arguments);
    if (!QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, 40'000))
        process.kill();
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

} // namespace

class tst_Topicscope : public QObject
{
    Q_OBJECT
private slots:
    void helpAndVersion();
    void wrongArgumentsAreRefused_data();
    void wrongArgumentsAreRefused();
    void withoutADisplayItSaysWhatWorks();
    void snapshotShowsTheSampleData();
    void snapshotShowsTheWholeMap();
    void snapshotOfAnUnreachableBrokerFails();
    void snapshotOfAMissingTopicFails();
    void snapshotThatCannotBeWrittenFails();

private:
    QTemporaryDir m_dir;
};

void tst_Topicscope::helpAndVersion()
{
    const Ran help = run({u"--help"_s});
    QCOMPARE(help.code, 0);
    for (const QString &option : {u"--snapshot"_s, u"--size"_s, u"--open"_s, u"--sample"_s,
                                  u"--read-only"_s, u"--theme"_s, u"HOST:PORT"_s})
        QVERIFY2(help.out.contains(option), qPrintable(option));
    const Ran version = run({u"--version"_s});
    QCOMPARE(version.code, 0);
    QCOMPARE(version.out, QStringLiteral("topicscope " TOPICSCOPE_VERSION "\n"));
}

void tst_Topicscope::wrongArgumentsAreRefused_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("told");
    QTest::newRow("unknown option") << QStringList{u"--frob"_s} << u"frob"_s;
    QTest::newRow("port") << QStringList{u"localhost:99999"_s} << u"localhost:99999"_s;
    QTest::newRow("two brokers") << QStringList{u"a:1"_s, u"b:2"_s} << u"One broker"_s;
    QTest::newRow("read-only alone") << QStringList{u"--read-only"_s} << u"HOST:PORT"_s;
    QTest::newRow("place") << QStringList{u"--open"_s, u"orders/x"_s} << u"orders/x"_s;
    QTest::newRow("theme") << QStringList{u"--theme"_s, u"pink"_s} << u"pink"_s;
    QTest::newRow("size") << QStringList{u"--snapshot"_s, u"x.png"_s, u"--size"_s, u"0x5"_s}
                          << u"0x5"_s;
    QTest::newRow("size alone") << QStringList{u"--size"_s, u"10x10"_s} << u"--snapshot"_s;
}

void tst_Topicscope::wrongArgumentsAreRefused()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, told);
    const Ran ran = run(arguments);
    QCOMPARE(ran.code, 2);
    QVERIFY2(ran.err.contains(told), qPrintable(ran.err));
    QVERIFY(ran.out.isEmpty());
}

void tst_Topicscope::withoutADisplayItSaysWhatWorks()
{
    const Ran ran = run({});
    QCOMPARE(ran.code, 1);
    QCOMPARE(ran.err.count(u'\n'), 1);
    QVERIFY(ran.err.contains(u"--snapshot"_s));
    QVERIFY(ran.err.contains(u"topicscope-cli"_s));
}

void tst_Topicscope::snapshotShowsTheSampleData()
{
    const QString light = m_dir.filePath(u"light.png"_s);
    const Ran ran = run({u"--sample"_s, u"--snapshot"_s, light, u"--size"_s, u"1000x700"_s,
                         u"--theme"_s, u"light"_s});
    QVERIFY2(ran.code == 0, qPrintable(ran.err));
    const QImage picture(light);
    QCOMPARE(picture.size(), QSize(1000, 700));

    const QString dark = m_dir.filePath(u"dark.png"_s);
    QCOMPARE(run({u"--sample"_s, u"--snapshot"_s, dark, u"--size"_s, u"1000x700"_s, u"--theme"_s,
                  u"dark"_s})
                 .code,
             0);
    // What a corner of the menu bar looks like tells them apart.
    const QPoint corner(995, 5);
    QVERIFY(picture.pixelColor(corner).lightness() > 200);
    QVERIFY(QImage(dark).pixelColor(corner).lightness() < 80);
}

/// Damaged records are far from the rows shown: only samples find them.
void tst_Topicscope::snapshotShowsTheWholeMap()
{
    const QString records = m_dir.filePath(u"records.ndjson"_s);
    QFile out(records);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(R"({"type":"export","format":"topicscope-records","version":1,"source":"b:1",)"
              R"("capabilities":{"keys":false,"timestamps":false,"headers":false,)"
              R"("recordChecksums":true,"emptyValues":false,"nullValues":false}})"
              "\n"
              R"({"type":"partition","topic":"t","partition":0,"from":0,"to":6000,)"
              R"("logStart":0,"highWatermark":6000})"
              "\n");
    for (int offset = 0; offset < 6000; ++offset) {
        const bool isDamaged = offset >= 1000 && offset < 1400;
        out.write(R"({"type":"record","topic":"t","partition":0,"offset":)" +
                  QByteArray::number(offset) +
                  R"(,"size":1000,"value":{"encoding":"utf-8","data":")" + QByteArray(1000, 'a') +
                  R"("},"crc32c":{"stored":")" + (isDamaged ? "00000000" : "9f19ef6a") +
                  R"(","computed":"9f19ef6a","ok":)" + (isDamaged ? "false" : "true") + "}}\n");
    }
    out.close();
    const QString file = m_dir.filePath(u"map.png"_s);
    const Ran ran = run({u"file:"_s + records, u"--snapshot"_s, file, u"--theme"_s, u"light"_s});
    QVERIFY2(ran.code == 0, qPrintable(ran.err));
    const QImage picture(file);
    int longest = 0; // of red pixels in a row: the mark of a flagged record
    for (int y = 0; y < picture.height(); ++y) {
        int run = 0;
        for (int x = 0; x < picture.width(); ++x) {
            const QColor color = picture.pixelColor(x, y);
            run = color.red() > 150 && color.green() < 80 && color.blue() < 80 ? run + 1 : 0;
            longest = std::max(longest, run);
        }
    }
    QVERIFY2(longest >= 16, qPrintable(QString::number(longest)));
}

void tst_Topicscope::snapshotOfAnUnreachableBrokerFails()
{
    QTcpServer unused;
    QVERIFY(unused.listen(QHostAddress::LocalHost));
    const QString address = u"127.0.0.1:%1"_s.arg(unused.serverPort());
    unused.close();
    const QString file = m_dir.filePath(u"none.png"_s);
    QElapsedTimer timer;
    timer.start();
    // A broker wins over --sample, which run.sh always gives.
    const Ran ran = run({u"--sample"_s, u"--snapshot"_s, file, address});
    QCOMPARE(ran.code, 1);
    QVERIFY2(ran.err.contains(u"Nothing listens there"_s), qPrintable(ran.err));
    QVERIFY(!QFile::exists(file));
    QVERIFY(timer.elapsed() < 15'000); // told at once, not when patience ends
}

void tst_Topicscope::snapshotOfAMissingTopicFails()
{
    const Ran ran = run({u"--sample"_s, u"--snapshot"_s, m_dir.filePath(u"missing.png"_s),
                         u"--open"_s, u"odrers/0"_s});
    QCOMPARE(ran.code, 1);
    QVERIFY2(ran.err.contains(u"odrers"_s), qPrintable(ran.err));
}

void tst_Topicscope::snapshotThatCannotBeWrittenFails()
{
    const QString file = m_dir.filePath(u"no/such/folder.png"_s);
    const Ran ran = run({u"--sample"_s, u"--snapshot"_s, file});
    QCOMPARE(ran.code, 1);
    QVERIFY2(ran.err.contains(file), qPrintable(ran.err));
}

QTEST_GUILESS_MAIN(tst_Topicscope)
#include "tst_topicscope.moc"
