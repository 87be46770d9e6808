#include "tests/support/cliprogram.h"
#include "tests/support/promptness.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

#include <csignal>

using namespace topicscope::test;
using namespace Qt::StringLiterals;

/// Follow, pipes, Ctrl-C, brokers that go away, and the conformance contract.
class tst_CliStreams final : public ServedTest
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY(serve(
            u"bytes:1,empty:2,follow:2,keys:3,large:1,tail:1,pipe:1,one:1,quiet:1,strict:1"_s));
    }
    void cleanupTestCase() { m_broker.reset(); }

    void followFetchesWhatMaxBytesAllows();
    void followPrintsSeveralPartitions();
    void followEndsOnCtrlC();
    void followEndsWhenItsReaderGoes();
    void followGoesOnWhenTheBrokerIsBack();
    void brokenPipeEndsQuietly();
    void fullDiskIsAnError();
    void nobodyListening();
    void silentBrokerTimesOut();
    void lostAnswerIsOutcomeUnknown();
    void conformanceKeepsItsContract();
};

void tst_CliStreams::followFetchesWhatMaxBytesAllows()
{
    const QByteArray large(2'000'000, 'F');
    publish(u"tail"_s, large);
    const QStringList follow{u"follow"_s, u"tail"_s, u"--from"_s, u"start"_s, u"--count"_s, u"1"_s};
    QCOMPARE(client(follow).code, 4); // too large for the default
    const Ran whole = client(follow + QStringList{u"--max-bytes"_s, u"2000008"_s, u"--json"_s});
    QCOMPARE(whole.code, 0);
    QCOMPARE(whole.objects().value(0)[u"size"_s].toInteger(), 2'000'000);
}

void tst_CliStreams::followPrintsSeveralPartitions()
{
    publish(u"follow"_s, "old", 0);
    QProcess follow;
    follow.start(cliProgram(), {u"follow"_s, u"follow"_s, u"--broker"_s, m_broker->address(),
                                u"--from"_s, u"-1"_s, u"--count"_s, u"3"_s, u"--json"_s});
    QByteArray out;
    const auto arrived = [&](const char *text) {
        out += follow.readAllStandardOutput();
        return out.contains(text);
    };
    QTRY_VERIFY_WITH_TIMEOUT(arrived("\"old\""), kLimitMs);
    publish(u"follow"_s, "one", 1);
    QTRY_VERIFY_WITH_TIMEOUT(arrived("\"one\""), kLimitMs); // as it comes, not at the end
    QCOMPARE(follow.state(), QProcess::Running);
    publish(u"follow"_s, "zero", 0);
    QTRY_VERIFY_WITH_TIMEOUT(follow.state() == QProcess::NotRunning, kLimitMs);
    QCOMPARE(follow.exitCode(), 0);
    out += follow.readAllStandardOutput();
    const QList<QJsonObject> rows = Ran{0, out, {}}.objects();
    QCOMPARE(rows.size(), 3);
    QCOMPARE(rows[1][u"partition"_s].toInteger(), 1);
    QCOMPARE(rows[2][u"partition"_s].toInteger(), 0);
    QCOMPARE(rows[2][u"offset"_s].toInteger(), 1);
}

void tst_CliStreams::followEndsOnCtrlC()
{
    const qint64 quickestMs = quickest([&](qint64 &took) {
        QProcess follow;
        follow.start(cliProgram(), {u"follow"_s, u"quiet"_s, u"--broker"_s, m_broker->address()});
        QByteArray out;
        const auto arrived = [&](const char *text) {
            out += follow.readAllStandardOutput();
            return out.contains(text);
        };
        QTRY_VERIFY_WITH_TIMEOUT(arrived("OFFSET"), kLimitMs);
        publish(u"quiet"_s, "heard");
        QTRY_VERIFY_WITH_TIMEOUT(arrived("heard\n"), kLimitMs);
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(::kill(pid_t(follow.processId()), SIGINT), 0);
        QTRY_VERIFY_WITH_TIMEOUT(follow.state() == QProcess::NotRunning, kLimitMs);
        took = timer.elapsed();
        QCOMPARE(follow.exitStatus(), QProcess::NormalExit);
        QCOMPARE(follow.exitCode(), 130);
        QCOMPARE(follow.readAllStandardError(), "");
    });
    QVERIFY2(quickestMs < 2000, qPrintable(QString::number(quickestMs)));
}

void tst_CliStreams::followEndsWhenItsReaderGoes()
{
    // Nothing is ever written to the pipe after the reader has gone.
    const Ran ran =
        runProgram(u"/bin/sh"_s,
                   {u"-c"_s, u"{ \"$0\" follow empty --json --broker \"$1\"; echo $? >&2; } | :"_s,
                    cliProgram(), m_broker->address()});
    QCOMPARE(ran.err, "0\n");
}

void tst_CliStreams::followGoesOnWhenTheBrokerIsBack()
{
    QTemporaryDir data;
    auto broker = std::make_unique<ServedBroker>(data.path(), u"back:1"_s);
    const quint16 port = broker->port();
    QVERIFY(port != 0);
    const QString address = broker->address();
    const auto publishTo = [&](const QString &value) {
        return cli({u"publish"_s, u"back"_s, u"--broker"_s, address, u"--value"_s, value}).code;
    };
    QCOMPARE(publishTo(u"one"_s), 0);

    QProcess follow;
    follow.start(cliProgram(), {u"follow"_s, u"back"_s, u"--broker"_s, address, u"--from"_s,
                                u"start"_s, u"--raw"_s, u"--count"_s, u"2"_s});
    QByteArray out;
    QTRY_VERIFY_WITH_TIMEOUT((out += follow.readAllStandardOutput()) == "one", kLimitMs);
    broker.reset();
    QByteArray err;
    QTRY_VERIFY_WITH_TIMEOUT((err += follow.readAllStandardError()).contains(address.toUtf8()),
                             kLimitMs);
    broker = std::make_unique<ServedBroker>(data.path(), u"back:1"_s, port);
    QCOMPARE(broker->port(), port);
    QCOMPARE(publishTo(u"two"_s), 0);
    QTRY_VERIFY_WITH_TIMEOUT(follow.state() == QProcess::NotRunning, kLimitMs);
    QCOMPARE(follow.exitCode(), 0);
    QCOMPARE(out + follow.readAllStandardOutput(), "onetwo");
}

void tst_CliStreams::brokenPipeEndsQuietly()
{
    publish(u"pipe"_s, QByteArray(3'000'000, 'x')); // more than a pipe holds
    const Ran ran = runProgram(
        u"/bin/sh"_s,
        {u"-c"_s,
         u"{ \"$0\" fetch pipe --raw --max-bytes 4000000 --broker \"$1\"; echo $? >&2; } | "
         u"head -c 5"_s,
         cliProgram(), m_broker->address()});
    QCOMPARE(ran.out, "xxxxx");
    QCOMPARE(ran.err, "0\n");
}

void tst_CliStreams::fullDiskIsAnError()
{
    if (!QFile::exists(u"/dev/full"_s))
        QSKIP("this system has no /dev/full");
    const Ran ran =
        runProgram(u"/bin/sh"_s, {u"-c"_s, u"\"$0\" --help > /dev/full"_s, cliProgram()});
    QCOMPARE(ran.code, 1);
    QVERIFY2(ran.err.contains("standard output"), ran.err.constData());
}

void tst_CliStreams::nobodyListening()
{
    quint16 port = 0;
    {
        QTcpServer server;
        QVERIFY(server.listen(QHostAddress::LocalHost));
        port = server.serverPort();
    }
    const QString address = u"127.0.0.1:%1"_s.arg(port);
    for (const QStringList &verb :
         {QStringList{u"topics"_s}, QStringList{u"partitions"_s}, QStringList{u"fetch"_s, u"t"_s},
          QStringList{u"follow"_s, u"t"_s}, QStringList{u"publish"_s, u"t"_s, u"--value=x"_s}}) {
        const Ran ran = cli(verb + QStringList{u"--broker"_s, address});
        QCOMPARE(ran.code, 1);
        QCOMPARE(ran.out, "");
        QVERIFY2(ran.err.contains(address.toUtf8()), ran.err.constData());
        QVERIFY2(ran.err.contains("no connection"), ran.err.constData());
    }
}

void tst_CliStreams::silentBrokerTimesOut()
{
    QTcpServer silent;
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    QElapsedTimer timer;
    timer.start();
    const Ran ran = cli({u"topics"_s, u"--timeout"_s, u"0.3"_s, u"--broker"_s,
                         u"127.0.0.1:%1"_s.arg(silent.serverPort())});
    QVERIFY2(timer.elapsed() >= 300 && timer.elapsed() < 5000,
             qPrintable(QString::number(timer.elapsed())));
    QCOMPARE(ran.code, 1);
    QVERIFY2(ran.err.contains("--timeout"), ran.err.constData());
}

void tst_CliStreams::lostAnswerIsOutcomeUnknown()
{
    // Answers METADATA (topic demo, one partition, offsets 0..7), and to a record nothing: it hangs
    // up or stays silent.
    bool hangsUp = true;
    QTcpServer broker;
    QVERIFY(broker.listen(QHostAddress::LocalHost));
    connect(&broker, &QTcpServer::newConnection, &broker, [&] {
        QTcpSocket *const peer = broker.nextPendingConnection();
        connect(peer, &QTcpSocket::readyRead, peer, [&hangsUp, peer] {
            const QByteArray request = peer->readAll();
            if (request.mid(4, 2) != QByteArray::fromHex("0003")) {
                if (hangsUp)
                    peer->disconnectFromHost();
                return;
            }
            peer->write(QByteArray::fromHex("00000028") + request.mid(8, 4) +
                        QByteArray::fromHex("0000"
                                            "00000001"
                                            "0004"
                                            "64656d6f"
                                            "00000001"
                                            "00000000"
                                            "0000000000000000"
                                            "0000000000000007"));
        });
    });
    const QStringList publish{u"publish"_s,  u"demo"_s,
                              u"--value"_s,  u"x"_s,
                              u"--broker"_s, u"127.0.0.1:%1"_s.arg(broker.serverPort())};
    const Ran text = cli(publish);
    QCOMPARE(text.code, 3);
    QCOMPARE(text.out, "");
    QVERIFY2(text.err.contains("outcome unknown"), text.err.constData());
    QVERIFY2(text.err.contains("demo/0 offset 7"), text.err.constData());
    const Ran json = cli(publish + QStringList{u"--json"_s});
    QCOMPARE(json.code, 3);
    const QJsonObject error = QJsonDocument::fromJson(json.err).object();
    QCOMPARE(error[u"kind"_s], u"OutcomeUnknown"_s);
    QCOMPARE(error[u"offset"_s].toInteger(-1), 7);
    QCOMPARE(error[u"retriable"_s], false);
    // The time counts from connecting on: it must not be over before the record is sent.
    hangsUp = false;
    const Ran silent = cli(publish + QStringList{u"--timeout"_s, u"3"_s});
    QCOMPARE(silent.code, 3);
    QVERIFY2(silent.err.contains("outcome unknown"), silent.err.constData());
}

void tst_CliStreams::conformanceKeepsItsContract()
{
    // The 14 checks themselves are run by conformance.py.
    QVERIFY(cli({u"conformance"_s, u"capabilities"_s}).out.startsWith("roles=producer,consumer\n"));
    const Ran noBroker = cli({u"conformance"_s, u"metadata"_s, u"strict"_s});
    QCOMPARE(noBroker.code, 2);
    QVERIFY2(noBroker.err.contains("BOOBLIK_BROKER"), noBroker.err.constData());

    // Empty arguments stay: an empty key, an empty record.
    QCOMPARE(conformance({u"produce-keyed"_s, u"keys"_s, u""_s, u"61"_s}).out.left(12),
             "partition=1\n");
    const Ran empty = conformance({u"produce"_s, u"strict"_s, u"0"_s, u"written"_s, u"61,,62"_s});
    QCOMPARE(empty.code, 0);
    QCOMPARE(empty.out, "error=CORRUPT_REQUEST\n");
    QCOMPARE(conformance({u"produce"_s, u"strict"_s, u"0"_s, u"written"_s, u"6"_s}).code, 2);
    QCOMPARE(conformance({u"produce"_s, u"strict"_s, u"-1"_s, u"written"_s, u"61"_s}).out,
             "error=CORRUPT_REQUEST\n");
    QCOMPARE(conformance({u"produce"_s, u"strict"_s, u"0"_s, u"written"_s, u"6162,6364"_s}).out,
             "baseOffset=0\nlogEndOffset=2\n");
    QCOMPARE(conformance({u"fetch"_s, u"strict"_s, u"0"_s, u"0"_s, u"14"_s}).out,
             "highWatermark=2\nrecord=6162\n");
    // cut inside the header: the size is not known
    QCOMPARE(conformance({u"fetch"_s, u"strict"_s, u"0"_s, u"0"_s, u"7"_s}).out,
             "highWatermark=2\nrecordExceedsMaxBytes=0\n");

    QFile segment(m_data.filePath(u"strict-0/00000000000000000000.log"_s));
    QVERIFY(segment.open(QIODevice::ReadWrite));
    QVERIFY(segment.seek(8));
    QCOMPARE(segment.write("X"), 1);
    segment.close();
    const Ran damaged = conformance({u"fetch"_s, u"strict"_s, u"0"_s, u"0"_s, u"1024"_s});
    QCOMPARE(damaged.code, 1);
    QCOMPARE(damaged.out, "");
}

QTEST_GUILESS_MAIN(tst_CliStreams)
#include "tst_clistreams.moc"
