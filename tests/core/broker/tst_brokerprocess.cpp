#include "tests/support/cliprogram.h"
#include "tests/support/rawclient.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>

#include <csignal>
#include <thread>

using namespace topicscope::test;
using namespace Qt::StringLiterals;

namespace
{

constexpr char kWritten = 1;

/// "topicscope-cli serve" as a process.
class ServeProcess
{
public:
    explicit ServeProcess(const QStringList &arguments, const QStringList &environment = {},
                          const QString &shellPrefix = {})
    {
        QStringList variables;
        for (const QString &variable : QProcess::systemEnvironment()) {
            if (!variable.startsWith(u"BOOBLIK_"_s))
                variables << variable;
        }
        m_process.setEnvironment(variables + environment);
        const QString program = cliProgram();
        if (shellPrefix.isEmpty()) {
            m_process.start(program, QStringList{u"serve"_s} + arguments);
        } else {
            m_process.start(
                u"/bin/sh"_s,
                QStringList{u"-c"_s, shellPrefix + u" exec \"$0\" \"$@\""_s, program, u"serve"_s} +
                    arguments);
        }
    }
    ~ServeProcess()
    {
        m_process.kill();
        m_process.waitForFinished(kLimitMs);
    }
    Q_DISABLE_COPY_MOVE(ServeProcess)

    /// Waits for the line that says it is ready; 0 when the process ends before.
    quint16 port()
    {
        static const QRegularExpression ready(u"booblik listening on /127\\.0\\.0\\.1:(\\d+)\n"_s);
        for (;;) {
            const auto match = ready.match(QString::fromUtf8(m_output));
            if (match.hasMatch())
                return match.captured(1).toUShort();
            if (!m_process.waitForReadyRead(kLimitMs))
                return 0;
            m_output += m_process.readAllStandardOutput();
        }
    }
    void signal(int number) { ::kill(pid_t(m_process.processId()), number); }
    /// Exit code once it has ended; -1 when it does not end or was killed.
    int exitCode()
    {
        const bool ended =
            m_process.state() == QProcess::NotRunning || m_process.waitForFinished(kLimitMs);
        m_output += m_process.readAllStandardOutput();
        return ended && m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    }
    qint64 processId() const { return m_process.processId(); }
    void kill9()
    {
        m_process.kill();
        m_process.waitForFinished(kLimitMs);
    }
    QString output() const { return QString::fromUtf8(m_output); }
    QString errors() { return QString::fromUtf8(m_process.readAllStandardError()); }

private:
    QProcess m_process;
    QByteArray m_output;
};

} // namespace

class tst_BrokerProcess : public QObject
{
    Q_OBJECT

    QTemporaryDir m_dir;
    int m_run = 0;
    QString freshDirectory() { return m_dir.filePath(QString::number(++m_run)); }
    static QStringList arguments(const QString &data)
    {
        return {u"--data"_s, data, u"--topics"_s, u"demo:1"_s, u"--port"_s, u"0"_s};
    }

private slots:
    void killingItLosesNoAcknowledgedRecord();
    void sigtermAnswersHoldsAndEndsWith143();
    void aSecondInstanceOnTheDirectoryRefuses();
    void aLockOfAKilledBrokerIsNoObstacle();
    void optionsBeatEnvironmentBeatsFile();
    void unknownSettingsAreRefused();
    void fileNamesAndNumbersStayAsciiUnderArabicLocales();
    void runningOutOfDescriptorsDoesNotEndAccepting();
    void helpDescribesTheVerb();
};

void tst_BrokerProcess::killingItLosesNoAcknowledgedRecord()
{
    const QString data = freshDirectory();
    qint64 acknowledged = 0; // records 0 .. acknowledged - 1, record n is "record <n>"
    for (int round = 0; round < 5; ++round) {
        ServeProcess broker(arguments(data));
        const quint16 port = broker.port();
        QVERIFY(port != 0);
        RawClient client(port);
        // What was acknowledged is there; more may be.
        const QByteArray metadata = client.exchange(metadataFrame(1, {"demo"}));
        const qint64 end = qFromBigEndian<qint64>(metadata.constData() + metadata.size() - 8);
        QVERIFY2(end >= acknowledged, qPrintable(u"%1 < %2"_s.arg(end).arg(acknowledged)));
        for (qint64 offset = 0; offset < end;) {
            const QByteArray answer = client.exchange(fetchFrame(2, "demo", 0, offset, 1 << 20));
            qsizetype at = 22;
            while (at + 8 <= answer.size()) {
                const qint32 size = qFromBigEndian<qint32>(answer.constData() + at);
                if (at + 8 + size > answer.size())
                    break;
                QCOMPARE(answer.sliced(at + 8, size), "record " + QByteArray::number(offset));
                at += 8 + size;
                ++offset;
            }
        }
        acknowledged = end;
        // Pipelined, so that the kill hits requests in every state.
        QByteArray requests;
        constexpr int kRequests = 3000;
        for (int i = 0; i < kRequests; ++i) {
            requests += produceFrame(i, "demo", 0, kWritten,
                                     {"record " + QByteArray::number(acknowledged + i)});
        }
        client.socket().write(requests);
        const int killAfter = 100 + 400 * round; // answers
        while (client.socket().bytesAvailable() < 26 * killAfter)
            QVERIFY(client.socket().waitForReadyRead(kLimitMs));
        broker.kill9();
        while (client.socket().waitForReadyRead(kLimitMs)) {
        }
        acknowledged += client.socket().bytesAvailable() / 26;
    }
    QVERIFY(acknowledged >= 100 + 500 + 900 + 1300 + 1700);
}

void tst_BrokerProcess::sigtermAnswersHoldsAndEndsWith143()
{
    ServeProcess broker(arguments(freshDirectory()));
    RawClient client(broker.port());
    client.send(fetchFrame(1, "demo", 0, 0, 100, 60'000, 1));
    QVERIFY(client.isSilentFor(50));
    broker.signal(SIGTERM);
    QCOMPARE(client.receiveFrame(), fetchAnswer(1, 0, {}));
    QVERIFY(client.sawClose());
    QCOMPARE(broker.exitCode(), 143);
    QVERIFY(broker.output().endsWith(u"booblik stopping\nbooblik stopped\n"_s));
}

void tst_BrokerProcess::aSecondInstanceOnTheDirectoryRefuses()
{
    const QString data = freshDirectory();
    ServeProcess first(arguments(data));
    QVERIFY(first.port() != 0);
    ServeProcess second(arguments(data));
    QCOMPARE(second.port(), quint16(0));
    QCOMPARE(second.exitCode(), 1);
    QVERIFY(second.errors().contains(
        u"another broker uses this data directory (process %1)"_s.arg(first.processId())));
    QCOMPARE(RawClient(first.port()).exchange(produceFrame(1, "demo", 0, kWritten, {"n"})),
             produceAnswer(1, 0, 1));
}

void tst_BrokerProcess::aLockOfAKilledBrokerIsNoObstacle()
{
    const QString data = freshDirectory();
    ServeProcess first(arguments(data));
    QVERIFY(first.port() != 0);
    first.kill9();
    // Its number may be another process's by now, of the same name even: here it is our own.
    QFile left(data + u"/.topicscope.lock"_s);
    QVERIFY(left.exists());
    QVERIFY(left.open(QIODevice::WriteOnly));
    left.write(QByteArray::number(QCoreApplication::applicationPid()) + "\ntst_brokerprocess\n" +
               QSysInfo::machineHostName().toUtf8() + '\n');
    left.close();
    ServeProcess second(arguments(data));
    QVERIFY(second.port() != 0);
}

void tst_BrokerProcess::optionsBeatEnvironmentBeatsFile()
{
    const QString data = freshDirectory();
    QFile file(m_dir.filePath(u"file.properties"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("booblik.topics=f:1\nbooblik.segment.capacity.bytes=100\n"
               "booblik.index.interval.bytes=300\n");
    file.close();
    ServeProcess broker({u"--data"_s, data, u"--topics"_s, u"o:1"_s, u"--port"_s, u"0"_s,
                         u"--config"_s, file.fileName()},
                        {u"BOOBLIK_TOPICS=e:1"_s, u"BOOBLIK_SEGMENT_CAPACITY_BYTES=200"_s,
                         u"BOOBLIK_SEGMENT_MODE="_s});
    QVERIFY(broker.port() != 0);
    QVERIFY(broker.output().contains(u"  topics=o:1\n"_s));
    QVERIFY(broker.output().contains(u"mode=FILE_CHANNEL capacity=200 index.interval=300\n"_s));
}

void tst_BrokerProcess::unknownSettingsAreRefused()
{
    ServeProcess environment(arguments(freshDirectory()), {u"BOOBLIK_PROT=7"_s});
    QVERIFY(environment.exitCode() > 0);
    QVERIFY(environment.errors().contains(u"BOOBLIK_PROT"_s));
    ServeProcess twice({u"--data"_s, freshDirectory(), u"--topics"_s, u"t:2,t:1"_s});
    QVERIFY(twice.exitCode() > 0);
    ServeProcess missing({u"--config"_s, u"/nonexistent"_s});
    QCOMPARE(missing.exitCode(), 1);
}

void tst_BrokerProcess::fileNamesAndNumbersStayAsciiUnderArabicLocales()
{
    for (const QString &locale : {u"ar_EG.UTF-8"_s, u"fa_IR.UTF-8"_s}) {
        const QString data = freshDirectory();
        ServeProcess broker(arguments(data), {u"LC_ALL="_s + locale, u"LANG="_s + locale});
        const quint16 port = broker.port();
        QVERIFY(port != 0);
        RawClient(port).exchange(produceFrame(1, "demo", 0, kWritten, {"n"}));
        QCOMPARE(QDir(data + u"/demo-0"_s).entryList(QDir::Files),
                 QStringList{u"00000000000000000000.log"_s});
    }
}

void tst_BrokerProcess::runningOutOfDescriptorsDoesNotEndAccepting()
{
    ServeProcess broker(arguments(freshDirectory()), {}, u"ulimit -n 100;"_s);
    const quint16 port = broker.port();
    QVERIFY(port != 0);
    {
        std::vector<std::unique_ptr<RawClient>> clients;
        for (int i = 0; i < 60; ++i)
            clients.push_back(std::make_unique<RawClient>(port));
        // The first is served while the last waits for a descriptor.
        QVERIFY(!clients.front()->exchange(metadataFrame(1)).isEmpty());
        clients.back()->send(metadataFrame(1));
        QVERIFY(clients.back()->isSilentFor(100));
    }
    QVERIFY(!RawClient(port).exchange(metadataFrame(1)).isEmpty());
    broker.signal(SIGTERM);
    QCOMPARE(broker.exitCode(), 143);
    QVERIFY(broker.errors().contains(u"accepting no further connection"_s));
}

void tst_BrokerProcess::helpDescribesTheVerb()
{
    ServeProcess help({u"--help"_s});
    QCOMPARE(help.exitCode(), 0);
    for (const QString &word : {u"--data"_s, u"--topics"_s, u"--segment-bytes"_s, u"143"_s})
        QVERIFY(help.output().contains(word));
}

QTEST_GUILESS_MAIN(tst_BrokerProcess)
#include "tst_brokerprocess.moc"
