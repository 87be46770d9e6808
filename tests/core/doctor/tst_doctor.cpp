#include "core/booblik/boobliksession.h"
#include "core/doctor/doctor.h"
#include "core/sessionfactory.h"
#include "tests/support/hostilebroker.h"

#include <QFile>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>

using namespace topicscope;
using namespace topicscope::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using doctor::Check;

namespace
{

std::unique_ptr<BrokerSession> makeBooblik(const SessionConfig &config)
{
    return std::make_unique<booblik::BooblikSession>(config);
}

struct Examined {
    bool passed = false;
    QList<Check> checks;

    /// "connect ok, protocol FAILED: a web server…"
    QString text() const
    {
        QStringList lines;
        for (const Check &check : checks) {
            const bool ok = check.outcome == Check::Outcome::Passed;
            lines << doctor::stepName(check.step) + (ok ? u" ok: "_s : u" FAILED: "_s) +
                         check.result + u" | "_s + check.advice;
        }
        return lines.join(u'\n');
    }
    QStringList steps() const
    {
        QStringList names;
        for (const Check &check : checks)
            names << doctor::stepName(check.step);
        return names;
    }
};

Examined examined(const SessionConfig &config, const SessionFactory &factory = makeBooblik)
{
    Examined result;
    const auto passed = doctor::examine(config, factory, CallContext(20'000ms),
                                        [&](const Check &check) { result.checks << check; });
    if (!passed) {
        Check ended;
        ended.result = describe(passed.error());
        result.checks << ended;
    }
    result.passed = passed && *passed;
    return result;
}

SessionConfig localConfig(quint16 port, Engine engine = Engine::Booblik)
{
    SessionConfig config;
    config.engine = engine;
    config.host = u"127.0.0.1"_s;
    config.port = port;
    return config;
}

} // namespace

class tst_Doctor : public QObject
{
    Q_OBJECT
private slots:
    void aHealthyBrokerPassesEveryStep();
    void aNameNobodyKnows();
    void aPortNobodyListensOn();
    void theOtherEngineIsNamed();
    void strangersAreNamed_data();
    void strangersAreNamed();
    void oneServerOfSeveralIsMissing();
    void cancelEndsIt();
    void aFileIsReadAndJudged();
};

void tst_Doctor::aHealthyBrokerPassesEveryStep()
{
    MemoryLog log({{"orders", 2}});
    log.append("orders", 1, "one");
    const HostileBroker broker(log.script());
    const Examined result = examined(localConfig(broker.port()));
    QVERIFY2(result.passed, qPrintable(result.text()));
    QCOMPARE(result.steps(), QStringList({u"connect"_s, u"protocol"_s, u"metadata"_s, u"fetch"_s}));
    QCOMPARE(result.checks.last().subject, u"orders/1"_s);
    QVERIFY2(result.checks.last().result.contains(u"1 record from offset 0"_s),
             qPrintable(result.text()));
}

void tst_Doctor::aFileIsReadAndJudged()
{
    const QTemporaryDir dir;
    SessionConfig config;
    QVERIFY(config.setBroker(u"file:"_s + dir.filePath(u"kept.ndjson"_s)));
    const Examined missing = examined(config, defaultSessionFactory());
    QVERIFY(!missing.passed);
    QCOMPARE(missing.text(), u"file FAILED: there is no such file | Check its path."_s);

    const QByteArray begin =
        R"({"type":"export","format":"topicscope-records","version":1,"source":"x","capabilities":{}})"
        "\n"
        R"({"type":"record","topic":"t","partition":0,"offset":3,"value":null})"
        "\n";
    QFile file(config.host);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(begin);
    file.close();
    const Examined cut = examined(config, defaultSessionFactory());
    QVERIFY(!cut.passed);
    QCOMPARE(cut.steps(), QStringList({u"file"_s, u"metadata"_s, u"fetch"_s}));
    QVERIFY2(cut.text().contains(u"metadata FAILED: 1 topic, 1 partition: The file is not whole"_s),
             qPrintable(cut.text()));

    QVERIFY(file.open(QIODevice::Append));
    file.write(R"({"type":"export-end","records":1,"complete":true})");
    file.close();
    const Examined whole = examined(config, defaultSessionFactory());
    QVERIFY2(whole.passed, qPrintable(whole.text()));
    QVERIFY(whole.checks.last().result.contains(u"1 record from offset 3"_s));
}

void tst_Doctor::aNameNobodyKnows()
{
    SessionConfig config = localConfig(9092);
    config.host = u"no-such-host.invalid"_s;
    config.connectTimeout = 5s;
    const Examined result = examined(config);
    QVERIFY(!result.passed);
    QCOMPARE(result.steps(), QStringList(u"name"_s));
    QVERIFY2(result.checks[0].advice.contains(u"spelling"_s), qPrintable(result.text()));
}

void tst_Doctor::aPortNobodyListensOn()
{
    quint16 port = 0;
    {
        QTcpServer server;
        QVERIFY(server.listen(QHostAddress::LocalHost));
        port = server.serverPort();
    }
    const Examined result = examined(localConfig(port));
    QVERIFY(!result.passed);
    QCOMPARE(result.steps(), QStringList(u"connect"_s));
    QVERIFY2(result.checks[0].advice.contains(u"nothing listens"_s), qPrintable(result.text()));
}

void tst_Doctor::theOtherEngineIsNamed()
{
    MemoryLog log({{"orders", 1}});
    const HostileBroker booblik(log.script());
    const Examined asKafka = examined(localConfig(booblik.port(), Engine::Kafka));
    QVERIFY(!asKafka.passed);
    QVERIFY2(asKafka.text().contains(u"protocol FAILED: a booblik broker"_s),
             qPrintable(asKafka.text()));
    QVERIFY(asKafka.checks.last().advice.contains(u"without kafka://"_s));

    // ApiVersions version 0: error code, then how many keys of 6 bytes each.
    const HostileBroker kafka([](HostileBroker::Peer &peer) {
        if (const auto request = peer.read())
            peer.write(be32(16) + be32(request->correlationId) + be16(0) + be32(1) + be16(18) +
                       be16(0) + be16(4));
        peer.waitForEnd();
    });
    const Examined asBooblik = examined(localConfig(kafka.port()));
    QVERIFY(!asBooblik.passed);
    QVERIFY2(asBooblik.text().contains(u"protocol FAILED: an Apache Kafka broker"_s),
             qPrintable(asBooblik.text()));
    QVERIFY(asBooblik.checks.last().advice.contains(u"kafka://127.0.0.1"_s));
}

void tst_Doctor::strangersAreNamed_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<bool>("hangsUp");
    QTest::addColumn<QString>("words");
    QTest::newRow("HTTP") << QByteArray("HTTP/1.1 400 Bad Request\r\n\r\n") << true
                          << u"web server"_s;
    // A fatal alert (decode_error), as RFC 8446 writes it.
    QTest::newRow("TLS") << QByteArray::fromHex("15030100020232") << true << u"speaks TLS"_s;
    QTest::newRow("SSH") << QByteArray("SSH-2.0-x\r\n") << true << u"53 53 48 2d"_s;
    QTest::newRow("hangs up") << QByteArray() << true << u"hung up"_s;
    QTest::newRow("silent") << QByteArray() << false << u"no answer"_s;
    QTest::newRow("a frame without an end")
        << QByteArray::fromHex("7fffffff") << true << u"7f ff ff ff"_s;
}

void tst_Doctor::strangersAreNamed()
{
    QFETCH(const QByteArray, answer);
    QFETCH(const bool, hangsUp);
    QFETCH(const QString, words);
    const HostileBroker stranger([&](HostileBroker::Peer &peer) {
        peer.readBytes(4);
        peer.write(answer);
        if (!hangsUp)
            peer.waitForEnd();
    });
    SessionConfig config = localConfig(stranger.port(), Engine::Kafka);
    if (!hangsUp)
        config.connectTimeout = 500ms; // how long the silent one is waited for
    const Examined result = examined(config);
    QVERIFY(!result.passed);
    QCOMPARE(result.steps().last(), u"protocol"_s);
    QVERIFY2(result.checks.last().result.contains(words), qPrintable(result.text()));
    QVERIFY(!result.checks.last().advice.isEmpty());
}

void tst_Doctor::oneServerOfSeveralIsMissing()
{
    MemoryLog log({{"orders", 1}});
    const HostileBroker broker(log.script());
    SessionConfig config = localConfig(broker.port(), Engine::Kafka);
    config.properties.insert(u"bootstrap.servers"_s,
                             u"no-such-host.invalid:9092,127.0.0.1:%1"_s.arg(broker.port()));
    config.connectTimeout = 5s;
    const Examined result = examined(config);
    QVERIFY(!result.passed);
    QCOMPARE(result.steps(), QStringList({u"name"_s, u"connect"_s, u"protocol"_s}));
}

void tst_Doctor::cancelEndsIt()
{
    const HostileBroker silent([](HostileBroker::Peer &peer) { peer.waitForEnd(); });
    SessionConfig config = localConfig(silent.port());
    config.connectTimeout = 20s;
    std::stop_source stop;
    CallContext context(20'000ms, stop.get_token());
    const auto passed = doctor::examine(config, makeBooblik, context, [&](const Check &check) {
        if (check.step == Check::Step::Connect)
            stop.request_stop();
    });
    QVERIFY(!passed);
    QCOMPARE(passed.error().kind, ErrorKind::Cancelled);
}

QTEST_GUILESS_MAIN(tst_Doctor)

#include "tst_doctor.moc"
