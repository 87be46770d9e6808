#include "core/base/callcontext.h"
#include "core/base/error.h"
#include "core/session/sessionconfig.h"

#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;

class tst_Error : public QObject
{
    Q_OBJECT
private slots:
    void oneLineNamesEverythingKnown();
    void sumsAreEightUnsignedHexDigits();
    void interruptionTellsCancelFromTimeout();
    void endpoints_data();
    void endpoints();
};

void tst_Error::oneLineNamesEverythingKnown()
{
    Error error = Error::make(ErrorKind::Broker, u"asked beyond the end"_s,
                              {u"orders"_s, PartitionId{1}, Offset{70}, u"127.0.0.1:9092"_s, {}});
    error.brokerCode = 2;
    error.brokerName = u"OFFSET_OUT_OF_RANGE"_s;
    QCOMPARE(describe(error), u"Broker: OFFSET_OUT_OF_RANGE (2) at orders/1 offset 70 from "
                              "127.0.0.1:9092: asked beyond the end"_s);
}

void tst_Error::sumsAreEightUnsignedHexDigits()
{
    Error error = Error::make(ErrorKind::Checksum, {});
    error.storedCrc = 0xC1D04330;
    error.computedCrc = 0x0000ABCD;
    QCOMPARE(describe(error), u"Checksum: stored c1d04330, computed 0000abcd"_s);
}

void tst_Error::interruptionTellsCancelFromTimeout()
{
    std::stop_source source;
    const CallContext context(std::chrono::milliseconds(0), source.get_token());
    QCOMPARE(context.interruption()->kind, ErrorKind::Timeout);
    QCOMPARE(context.slice(), std::chrono::milliseconds(0));
    source.request_stop();
    QCOMPARE(context.interruption()->kind, ErrorKind::Cancelled);
    QVERIFY(!CallContext().interruption().has_value());
}

void tst_Error::endpoints_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("ok");
    QTest::addColumn<QString>("host");
    QTest::addColumn<int>("port");
    QTest::newRow("both") << u"broker:1234"_s << true << u"broker"_s << 1234;
    QTest::newRow("host only") << u"broker"_s << true << u"broker"_s << 9092;
    QTest::newRow("port only") << u":1234"_s << true << u"127.0.0.1"_s << 1234;
    QTest::newRow("colon at the end") << u"broker:"_s << true << u"broker"_s << 9092;
    QTest::newRow("IPv6") << u"[::1]:1234"_s << true << u"::1"_s << 1234;
    QTest::newRow("IPv6 without port") << u"[::1]"_s << true << u"::1"_s << 9092;
    QTest::newRow("bare IPv6") << u"fe80::1"_s << true << u"fe80::1"_s << 9092;
    QTest::newRow("port 0") << u"broker:0"_s << false << QString() << 0;
    QTest::newRow("port 65536") << u"broker:65536"_s << false << QString() << 0;
    QTest::newRow("no number") << u"broker:x"_s << false << QString() << 0;
    QTest::newRow("open bracket") << u"[::1"_s << false << QString() << 0;
}

void tst_Error::endpoints()
{
    QFETCH(const QString, text);
    QFETCH(const bool, ok);
    QString host;
    quint16 port = 0;
    QCOMPARE(parseEndpoint(text, &host, &port), ok);
    if (ok) {
        QTEST(host, "host");
        QTEST(int(port), "port");
    }
}

QTEST_APPLESS_MAIN(tst_Error)
#include "tst_error.moc"
