#include "core/session/backoff.h"
#include "core/session/sessionconfig.h"

#include <QTest>

using namespace topicscope;
using namespace std::chrono_literals;

class tst_SessionConfig : public QObject
{
    Q_OBJECT
private slots:
    void endpointIsSplitAtTheLastColon_data();
    void endpointIsSplitAtTheLastColon();
    void brokersAreTakenAsPeopleWriteThem();
    void endpointOfIPv6HasBrackets();
    void backOffDoublesUpToItsMaximum();
};

void tst_SessionConfig::endpointIsSplitAtTheLastColon_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("ok");
    QTest::addColumn<QString>("host");
    QTest::addColumn<int>("port");
    QTest::newRow("host and port") << "broker.example:1234" << true << "broker.example" << 1234;
    QTest::newRow("host alone") << "broker" << true << "broker" << 9092;
    QTest::newRow("port alone") << ":70" << true << "127.0.0.1" << 70;
    QTest::newRow("colon, no port") << "broker:" << true << "broker" << 9092;
    QTest::newRow("nothing") << "" << true << "127.0.0.1" << 9092;
    QTest::newRow("blanks around") << "  h:1 " << true << "h" << 1;
    QTest::newRow("IPv6 in brackets") << "[::1]:9093" << true << "::1" << 9093;
    QTest::newRow("IPv6 in brackets alone") << "[fe80::1]" << true << "fe80::1" << 9092;
    QTest::newRow("bare IPv6") << "fe80::1" << true << "fe80::1" << 9092;
    QTest::newRow("port 0") << "h:0" << false << "" << 0;
    QTest::newRow("port 65536") << "h:65536" << false << "" << 0;
    QTest::newRow("port text") << "h:http" << false << "" << 0;
    QTest::newRow("negative port") << "h:-1" << false << "" << 0;
    QTest::newRow("open bracket") << "[::1" << false << "" << 0;
    QTest::newRow("text behind bracket") << "[::1]9092" << false << "" << 0;
}

void tst_SessionConfig::endpointIsSplitAtTheLastColon()
{
    QFETCH(QString, text);
    QFETCH(bool, ok);
    QString host;
    quint16 port = 0;
    QCOMPARE(parseEndpoint(text, &host, &port), ok);
    if (!ok)
        return;
    QTEST(host, "host");
    QTEST(int(port), "port");
}

void tst_SessionConfig::brokersAreTakenAsPeopleWriteThem()
{
    SessionConfig booblik;
    QVERIFY(booblik.setBroker(QStringLiteral("h:1")));
    QCOMPARE(booblik.engine, Engine::Booblik);
    QCOMPARE(booblik.address(), QStringLiteral("h:1"));

    SessionConfig one;
    QVERIFY(one.setBroker(QStringLiteral("kafka://[::1]:7")));
    QCOMPARE(one.engine, Engine::Kafka);
    QCOMPARE(one.host, QStringLiteral("::1"));
    QCOMPARE(one.address(), QStringLiteral("kafka://[::1]:7"));

    SessionConfig several;
    QVERIFY(several.setBroker(QStringLiteral(" kafka://a:1,b,c:3 ")));
    QCOMPARE(several.endpoint(), QStringLiteral("a:1,b:9092,c:3"));
    QCOMPARE(several.port, quint16(1));

    QVERIFY(!SessionConfig().setBroker(QStringLiteral("kafka://a:1,b:x")));
    QVERIFY(!SessionConfig().setBroker(QStringLiteral("kafka://,")));
    QVERIFY(!SessionConfig().setBroker(QStringLiteral("a:1,b:2")));
}

void tst_SessionConfig::endpointOfIPv6HasBrackets()
{
    SessionConfig config;
    config.host = QStringLiteral("::1");
    config.port = 9093;
    QCOMPARE(config.endpoint(), QStringLiteral("[::1]:9093"));
    config.host = QStringLiteral("broker");
    QCOMPARE(config.endpoint(), QStringLiteral("broker:9093"));
}

void tst_SessionConfig::backOffDoublesUpToItsMaximum()
{
    BackOff backOff(500ms, 15s);
    QList<qint64> waits;
    for (int i = 0; i < 7; ++i)
        waits << backOff.next().count();
    QCOMPARE(waits, QList<qint64>({500, 1000, 2000, 4000, 8000, 15000, 15000}));
    backOff.reset();
    QCOMPARE(backOff.next(), 500ms);
}

QTEST_APPLESS_MAIN(tst_SessionConfig)
#include "tst_sessionconfig.moc"
