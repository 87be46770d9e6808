#include "tests/support/cliprogram.h"
#include "tests/support/registryserver.h"

#include <QFile>
#include <QJsonDocument>

using namespace topicscope;
using namespace topicscope::test;
using namespace Qt::StringLiterals;

// What fetch makes of payloads in the formats it is told, or in those they seem to be.
class tst_CliDecoding final : public ServedTest
{
    Q_OBJECT
private slots:
    void initTestCase();
    void valuesAreShownInTheFormatWanted();
    void aValueThatIsNoneIsShownWithTheReason();
    void jsonHasBothBytesAndText();
    void automaticSaysWhatItChose();
    void registeredSchemasAreAskedFor();
    void anUnreachableRegistryIsSaidOnce();
    void wrongFormatsAreRefused_data();
    void wrongFormatsAreRefused();
};

void tst_CliDecoding::initTestCase()
{
    QVERIFY(serve(u"cbor:1,avro:1"_s));
    publish(u"cbor"_s, QByteArray::fromHex("a2616101616282f5c11a514b67b0"));
    publish(u"cbor"_s, QByteArray::fromHex("a2616101"));
    publish(u"avro"_s, QByteArray::fromHex("00000000073606666f6f"));
    publish(u"avro"_s, "plain");
    publish(u"avro"_s, QByteArray::fromHex("00000000073602"));
}

void tst_CliDecoding::valuesAreShownInTheFormatWanted()
{
    const Ran ran = client({u"fetch"_s, u"cbor"_s, u"--value-format"_s, u"cbor"_s});
    QVERIFY(ran.lines()[1].endsWith(u"{\"a\": 1, \"b\": [true, 1(1363896240)]}"_s));
    const Ran base64 = client({u"fetch"_s, u"cbor"_s, u"--value-format"_s, u"base64"_s});
    QVERIFY(base64.lines()[2].endsWith(u"omFhAQ=="_s));
}

void tst_CliDecoding::aValueThatIsNoneIsShownWithTheReason()
{
    const Ran ran = client({u"fetch"_s, u"cbor"_s, u"--value-format"_s, u"cbor"_s});
    QVERIFY(ran.lines()[2].endsWith(u"a2616101 (byte 4: the bytes end inside a value)"_s));
    QCOMPARE(ran.code, 0); // the records are sound
}

void tst_CliDecoding::jsonHasBothBytesAndText()
{
    const auto rows =
        client({u"fetch"_s, u"cbor"_s, u"--json"_s, u"--value-format"_s, u"cbor"_s}).objects();
    QCOMPARE(rows.size(), 2);
    QCOMPARE(decoded(rows[0][u"value"_s].toObject()).toHex(), "a2616101616282f5c11a514b67b0");
    QCOMPARE(rows[0][u"valueDecoded"_s].toObject(),
             QJsonObject({{u"format"_s, u"cbor"_s},
                          {u"text"_s, u"{\"a\": 1, \"b\": [true, 1(1363896240)]}"_s}}));
    QCOMPARE(rows[1][u"valueDecoded"_s].toObject(),
             QJsonObject({{u"format"_s, u"cbor"_s},
                          {u"problem"_s, u"byte 4: the bytes end inside a value"_s}}));
}

void tst_CliDecoding::automaticSaysWhatItChose()
{
    const auto rows =
        client({u"fetch"_s, u"cbor"_s, u"--json"_s, u"--value-format"_s, u"auto"_s}).objects();
    const QJsonObject shown = rows[0][u"valueDecoded"_s].toObject();
    QCOMPARE(shown[u"format"_s], u"cbor"_s);
    QCOMPARE(shown[u"why"_s], u"all of it is one value"_s);
    QCOMPARE(rows[1][u"valueDecoded"_s].toObject()[u"why"_s], u"4 bytes, not text"_s);
}

void tst_CliDecoding::registeredSchemasAreAskedFor()
{
    RegistryServer registry;
    registry.answer("/schemas/ids/7", R"({"schema":"{\"type\":\"record\",\"name\":\"test\",)"
                                      R"(\"fields\":[{\"name\":\"a\",\"type\":\"long\"},)"
                                      R"({\"name\":\"b\",\"type\":\"string\"}]}"})");
    const QStringList verb{u"fetch"_s, u"avro"_s, u"--registry"_s, registry.url(),
                           u"--value-format"_s};
    const Ran ran = client(verb + QStringList(u"registry"_s));
    QVERIFY(ran.lines()[1].endsWith(u"{\"a\": 27, \"b\": \"foo\"}"_s));
    QVERIFY(
        ran.lines()[2].endsWith(u"706c61696e (byte 0: no schema id in the first five bytes)"_s));
    QVERIFY(ran.lines()[3].endsWith(u"(byte 6: string: 1 bytes, but 0 are left)"_s));
    QCOMPARE(ran.err, QByteArray());
    QCOMPARE(registry.paths(), {"/schemas/ids/7"});
    QVERIFY(client(verb + QStringList(u"auto"_s)).lines()[2].endsWith(u" plain"_s));
}

void tst_CliDecoding::anUnreachableRegistryIsSaidOnce()
{
    QTcpServer closed;
    QVERIFY(closed.listen(QHostAddress::LocalHost));
    const QString url = u"http://u:hush@127.0.0.1:%1"_s.arg(closed.serverPort());
    closed.close();
    const Ran ran =
        client({u"fetch"_s, u"avro"_s, u"--registry"_s, url, u"--value-format"_s, u"auto"_s});
    QCOMPARE(ran.lines().size(), 4); // all the records all the same
    QVERIFY(ran.err.contains("cannot be reached: Connection refused; 2 records shown raw"));
    QCOMPARE(ran.err.count('\n'), 1);
    QVERIFY(!ran.err.contains("hush") && !ran.out.contains("hush"));
}

void tst_CliDecoding::wrongFormatsAreRefused_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("why");
    QTest::newRow("unknown") << QStringList({u"--value-format"_s, u"cobr"_s})
                             << QByteArray("--value-format: unknown format 'cobr'; there are: ");
    QTest::newRow("no file") << QStringList({u"--key-format"_s, u"avro:/nowhere"_s})
                             << QByteArray("--key-format: /nowhere: No such file or directory");
    QTest::newRow("no registry") << QStringList({u"--value-format"_s, u"registry"_s})
                                 << QByteArray("which registry? --registry URL says so");
    QTest::newRow("raw") << QStringList({u"--value-format"_s, u"hex"_s, u"--raw"_s})
                         << QByteArray("--raw prints the bytes");
}

void tst_CliDecoding::wrongFormatsAreRefused()
{
    QFETCH(const QStringList, options);
    QFETCH(const QByteArray, why);
    const Ran ran = client(QStringList{u"fetch"_s, u"cbor"_s} + options);
    QVERIFY(ran.code != 0);
    QVERIFY2(ran.err.contains(why), ran.err.constData());
}

QTEST_GUILESS_MAIN(tst_CliDecoding)
#include "tst_clidecoding.moc"
