#include "core/base/bytewriter.h"
#include "core/decode/formats.h"
#include "core/decode/schemaregistry.h"
#include "tests/support/registryserver.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTcpSocket>
#include <QTest>

#include <sys/socket.h>
#include <unistd.h>

using namespace topicscope;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using test::RegistryServer;

// Payloads are put together by hand from Confluent's description of the wire format.
class tst_SchemaRegistry final : public QObject
{
    Q_OBJECT
private slots:
    void decodesAvro();
    void decodesWhatASchemaRefersTo();
    void decodesJson();
    void whatHasNoIdIsAsItSeemsToBe();
#ifdef TOPICSCOPE_WITH_PROTOBUF
    void decodesProtobuf_data();
    void decodesProtobuf();
    void decodesProtobufWithReferences();
#endif
    void asksOnce();
    void whatIsNotThereIsAskedOnce();
    void anUnreachableRegistryCostsOneAttempt();
    void logsIn();
    void aRefusalNamesNoSecret();
    void whatFailedIsTriedAgainWhenAskedTo();
    void aSchemaWithAllItRefersToIsLimited();
    void answersThatAreNone_data();
    void answersThatAreNone();
    void askingLaterNeverBlocks();
    void endsWithARequestOut();
    void automaticAsksForIdsOnly();
    void readsItsProperties();
};

namespace
{

QByteArray answer(const QByteArray &schema, const QString &type = {},
                  const QJsonArray &references = {})
{
    QJsonObject object{{u"schema"_s, QString::fromUtf8(schema)}};
    if (!type.isEmpty())
        object[u"schemaType"_s] = type;
    if (!references.isEmpty())
        object[u"references"_s] = references;
    return QJsonDocument(object).toJson();
}

QJsonObject reference(const QString &name, const QString &subject, int version)
{
    return {{u"name"_s, name}, {u"subject"_s, subject}, {u"version"_s, version}};
}

constexpr const char *kTest = R"({"type":"record","name":"test","fields":[
    {"name":"a","type":"long"},{"name":"b","type":"string"}]})";

struct Bench {
    explicit Bench(SchemaRegistry::Asking asking = SchemaRegistry::Asking::Blocking)
        : Bench(RegistryConfig{}, asking)
    {
    }
    explicit Bench(RegistryConfig config,
                   SchemaRegistry::Asking asking = SchemaRegistry::Asking::Blocking)
    {
        if (config.url.isEmpty())
            config.url = QUrl(server.url());
        registry = std::make_shared<SchemaRegistry>(config, asking);
        format = *formatNamed(u"registry"_s, registry);
    }

    DecodedPayload decode(const QByteArray &hex) const
    {
        const QByteArray bytes = QByteArray::fromHex(hex);
        return format->decode(asBytes(bytes), {});
    }

    RegistryServer server;
    std::shared_ptr<SchemaRegistry> registry;
    std::shared_ptr<const PayloadCodec> format;
};

} // namespace

/// Not as something only the registry's codec can lay out: a large text is drawn from its bytes.
void tst_SchemaRegistry::whatHasNoIdIsAsItSeemsToBe()
{
    const Bench bench;
    const auto format = *formatNamed(u"auto"_s, bench.registry);
    QCOMPARE(format->chosenFor(asBytes("plain text")).format->name(), u"text"_s);
    QCOMPARE(format->chosenFor(asBytes("{\"a\": 1}")).format->name(), u"json"_s);
    const QByteArray framed = QByteArray::fromHex("00000000073606666f6f");
    QCOMPARE(format->chosenFor(asBytes(framed)).format->name(), bench.format->name());
}

void tst_SchemaRegistry::decodesAvro()
{
    Bench bench;
    bench.server.answer("/schemas/ids/7", answer(kTest));
    const DecodedPayload decoded = bench.decode("00000000073606666f6f");
    QCOMPARE(decoded.problem, QString());
    QCOMPARE(decoded.text, u"{\"a\": 27, \"b\": \"foo\"}"_s);
    QCOMPARE(decoded.why, u"schema 7: test (Avro)"_s);
    QCOMPARE(bench.decode("00000000073606666f").problem,
             u"byte 6: string: 3 bytes, but 2 are left"_s);
    QCOMPARE(bench.decode("013606666f6f").problem,
             u"byte 0: no schema id in the first five bytes"_s);
}

void tst_SchemaRegistry::decodesWhatASchemaRefersTo()
{
    Bench bench;
    bench.server.answer("/schemas/ids/1", answer(R"({"type":"record","name":"Order","fields":[
                            {"name":"line","type":"shop.Line"},{"name":"sum","type":"shop.Money"}]})",
                                                 {},
                                                 {reference(u"shop.Line"_s, u"lines/all"_s, 3),
                                                  reference(u"shop.Money"_s, u"money"_s, 1)}));
    bench.server.answer("/subjects/lines%2Fall/versions/3",
                        answer(R"({"type":"record","name":"shop.Line","fields":[
                            {"name":"price","type":"Money"}]})",
                               {}, {reference(u"shop.Money"_s, u"money"_s, 1)}));
    bench.server.answer("/subjects/money/versions/1",
                        answer(R"({"type":"record","name":"shop.Money","fields":[
                            {"name":"cents","type":"long"}]})"));
    const DecodedPayload decoded = bench.decode("00000000010204");
    QCOMPARE(decoded.problem, QString());
    QCOMPARE(decoded.text, u"{\"line\": {\"price\": {\"cents\": 1}}, \"sum\": {\"cents\": 2}}"_s);
    QCOMPARE(bench.server.paths().count("/subjects/money/versions/1"), 1);
}

void tst_SchemaRegistry::decodesJson()
{
    Bench bench;
    bench.server.answer("/schemas/ids/2", answer(R"({"type":"object"})", u"JSON"_s));
    const QByteArray json = QByteArray("{\"a\":1.10}").toHex();
    const DecodedPayload decoded = bench.decode("0000000002" + json);
    QCOMPARE(decoded.text, u"{\"a\":1.10}"_s);
    QCOMPARE(decoded.why, u"schema 2: JSON Schema, not validated"_s);
    const QByteArray bytes = QByteArray::fromHex("0000000002" + json);
    QCOMPARE(bench.format->layOut(asBytes(bytes), {}).text, u"{\n  \"a\": 1.10\n}"_s);
    QCOMPARE(bench.decode("00000000027b").byte, 6);
}

#ifdef TOPICSCOPE_WITH_PROTOBUF
void tst_SchemaRegistry::decodesProtobuf_data()
{
    QTest::addColumn<QByteArray>("hex");
    QTest::addColumn<QString>("expected");
    QTest::newRow("the short form of the first") << QByteArray("00089601") << u"{a: 150}"_s;
    QTest::newRow("the first") << QByteArray("0200089601") << u"{a: 150}"_s;
    QTest::newRow("the second") << QByteArray("0202089601") << u"{b: 75}"_s;
    QTest::newRow("inside the second") << QByteArray("0402000801") << u"{c: true}"_s;
    QTest::newRow("none") << QByteArray("0204089601")
                          << u"byte 5: a path to a message the schema does not have"_s;
    QTest::newRow("backwards") << QByteArray("0201089601")
                               << u"byte 5: a path to a message the schema does not have"_s;
    QTest::newRow("too long") << QByteArray("fe0f00") << u"byte 5: no path to a message"_s;
    QTest::newRow("no path") << QByteArray("") << u"byte 5: no path to a message"_s;
    QTest::newRow("broken") << QByteArray("0008") << u"byte 6: field 1: no whole varint"_s;
}

void tst_SchemaRegistry::decodesProtobuf()
{
    QFETCH(const QByteArray, hex);
    QFETCH(const QString, expected);
    Bench bench;
    bench.server.answer("/schemas/ids/3", answer(R"(syntax = "proto3";
        message A { int32 a = 1; }
        message B { message C { bool c = 1; } sint32 b = 1; })",
                                                 u"PROTOBUF"_s));
    const DecodedPayload decoded = bench.decode("0000000003" + hex);
    QCOMPARE(decoded.problem.isEmpty() ? decoded.text : decoded.problem, expected);
}

void tst_SchemaRegistry::decodesProtobufWithReferences()
{
    Bench bench;
    bench.server.answer("/schemas/ids/4",
                        answer(R"(syntax = "proto3"; import "money.proto";
        message Order { Money sum = 1; })",
                               u"PROTOBUF"_s, {reference(u"money.proto"_s, u"money"_s, 1)}));
    bench.server.answer(
        "/subjects/money/versions/1",
        answer(R"(syntax = "proto3"; message Money { int64 cents = 1; })", u"PROTOBUF"_s));
    QCOMPARE(bench.decode("0000000004000a020805").text, u"{sum: {cents: 5}}"_s);
    bench.server.answer("/schemas/ids/5", answer("message A { int23 a = 1; }", u"PROTOBUF"_s));
    QVERIFY(bench.decode("000000000500").problem.startsWith(u"schema 5: schema 5:1:13: "_s));
}
#endif

void tst_SchemaRegistry::asksOnce()
{
    Bench bench;
    bench.server.answer("/schemas/ids/7", answer(kTest));
    for (int i = 0; i < 100; ++i)
        QCOMPARE(bench.decode("00000000073606666f6f").problem, QString());
    QCOMPARE(bench.server.paths().size(), 1);
}

void tst_SchemaRegistry::whatIsNotThereIsAskedOnce()
{
    Bench bench;
    for (int i = 0; i < 100; ++i)
        QCOMPARE(bench.decode("0000000009ff").problem, u"schema 9 is not in the registry"_s);
    QCOMPARE(bench.server.paths().size(), 1);
    QCOMPARE(bench.decode("0000000009ff").text, u"0000000009ff"_s);
    QCOMPARE(bench.registry->problem(), QString()); // the registry is fine
}

void tst_SchemaRegistry::anUnreachableRegistryCostsOneAttempt()
{
    // After an attempt nobody is asked for two seconds at least. 200 records take less, but on a
    // busy machine they may not: then there may be one more for each pause that could be over.
    constexpr qint64 kPauseMs = 2'000;
    QTcpSocket closed; // has the port, and does not listen
    QVERIFY(
        closed.bind(QHostAddress(QHostAddress::LocalHost), 0, QAbstractSocket::DontShareAddress));
    const int descriptor = int(closed.socketDescriptor());
    RegistryConfig config;
    config.url = QUrl(u"http://127.0.0.1:%1"_s.arg(closed.localPort()));
    const Bench bench(config);
    QElapsedTimer timer;
    timer.start();
    for (int id = 1; id <= 200; ++id) {
        const DecodedPayload decoded =
            bench.decode("00" + QByteArray::number(id, 16).rightJustified(8, '0') + "aa");
        QVERIFY(decoded.problem.startsWith(u"schema registry http://127.0.0.1:"_s));
        QVERIFY(decoded.text.endsWith(u"aa"_s));
        if (id == 1) {
            QVERIFY(bench.registry->problem().contains(u"cannot be reached: Connection refused"_s));
            QCOMPARE(::listen(descriptor, 8), 0); // whoever comes from now on can be counted
        }
    }
    qint64 further = 0;
    for (int peer = ::accept(descriptor, nullptr, nullptr); peer >= 0;
         peer = ::accept(descriptor, nullptr, nullptr)) {
        ++further;
        ::close(peer);
    }
    QVERIFY2(further <= timer.elapsed() / kPauseMs, qPrintable(QString::number(further)));

    // One that answers, but not what it should.
    Bench busy;
    busy.server.refuseWith("503 Service Unavailable");
    timer.restart();
    for (int id = 1; id <= 200; ++id)
        busy.decode("00" + QByteArray::number(id, 16).rightJustified(8, '0') + "aa");
    const qint64 attempts = busy.server.paths().size();
    QVERIFY(attempts >= 1);
    QVERIFY2(attempts <= 1 + timer.elapsed() / kPauseMs, qPrintable(QString::number(attempts)));
}

void tst_SchemaRegistry::whatFailedIsTriedAgainWhenAskedTo()
{
    Bench bench;
    bench.server.answer("/schemas/ids/7", answer(kTest));
    bench.server.refuseWith("401 Unauthorized");
    const DecodedPayload refused = bench.decode("00000000073606666f6f");
    QVERIFY(refused.lacksSchema);
    QVERIFY(bench.registry->problem().contains(u"refuses the login"_s));
    bench.server.refuseWith({});
    QVERIFY(bench.decode("00000000073606666f6f").lacksSchema);
    QCOMPARE(bench.server.paths().size(), 1); // nobody knocks again by himself
    bench.registry->tryAgain();
    QCOMPARE(bench.registry->problem(), QString());
    const DecodedPayload decoded = bench.decode("00000000073606666f6f");
    QCOMPARE(decoded.text, u"{\"a\": 27, \"b\": \"foo\"}"_s);
    QVERIFY(!decoded.lacksSchema);
    // What is not there is, too.
    QVERIFY(bench.decode("000000000900").lacksSchema == false);
    bench.server.answer("/schemas/ids/9", answer("\"int\""));
    QCOMPARE(bench.decode("000000000902").problem, u"schema 9 is not in the registry"_s);
    bench.registry->tryAgain();
    QCOMPARE(bench.decode("000000000902").text, u"1"_s);
}

/// Each of them is small enough: together they are not.
void tst_SchemaRegistry::aSchemaWithAllItRefersToIsLimited()
{
    Bench bench;
    QJsonArray references;
    for (int i = 0; i < 4; ++i) {
        const QString name = u"r%1"_s.arg(i);
        references.append(reference(name, name, 1));
        bench.server.answer("/subjects/" + name.toLatin1() + "/versions/1",
                            answer(R"({"type":"fixed","name":")" + name.toLatin1() +
                                   R"(","size":1,"doc":")" + QByteArray(3'000'000, 'x') + "\"}"));
    }
    bench.server.answer("/schemas/ids/7", answer("\"r0\"", {}, references));
    const DecodedPayload decoded = bench.decode("0000000007ff");
    QVERIFY2(decoded.problem.contains(u"answers too much"_s), qPrintable(decoded.problem));
}

void tst_SchemaRegistry::logsIn()
{
    RegistryConfig config;
    config.user = u"viewer"_s;
    config.password = u"p:ä"_s;
    Bench bench(config);
    bench.server.answer("/schemas/ids/7", answer(kTest));
    QCOMPARE(bench.decode("00000000073606666f6f").problem, QString());
    const QByteArray pair = QByteArray("viewer:p:\xc3\xa4").toBase64();
    QVERIFY(bench.server.requests().first().contains("Authorization: Basic " + pair + "\r\n"));
}

void tst_SchemaRegistry::aRefusalNamesNoSecret()
{
    RegistryConfig config;
    config.user = u"viewer"_s;
    config.password = u"hush-hush"_s;
    Bench bench(config);
    bench.server.refuseWith("401 Unauthorized");
    const DecodedPayload decoded = bench.decode("0000000007aa");
    QVERIFY(decoded.problem.endsWith(u"refuses the login (HTTP 401)"_s));
    QVERIFY(!decoded.problem.contains(u"hush"_s));
    QCOMPARE(bench.registry->problem(), decoded.problem);
}

void tst_SchemaRegistry::answersThatAreNone_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("why");
    QTest::newRow("no JSON") << QByteArray("<html>") << u"answers without a schema"_s;
    QTest::newRow("no schema") << QByteArray("{}") << u"answers without a schema"_s;
    QTest::newRow("no Avro") << answer("{") << u"schema 7: the schema is no JSON"_s;
    QTest::newRow("unknown") << answer("{}", u"THRIFT"_s) << u"of the unknown type \"THRIFT\""_s;
    QTest::newRow("a reference that is not there")
        << answer(kTest, {}, {reference(u"x"_s, u"gone"_s, 1)})
        << u"version 1 of gone, which a schema refers to, is not in the registry"_s;
    QTest::newRow("too large") << QByteArray(9'000'000, ' ') << u"answers too much"_s;
}

void tst_SchemaRegistry::answersThatAreNone()
{
    QFETCH(const QByteArray, body);
    QFETCH(const QString, why);
    Bench bench;
    bench.server.answer("/schemas/ids/7", body);
    const QString problem = bench.decode("0000000007aa").problem;
    QVERIFY2(problem.contains(why), qPrintable(problem));
}

void tst_SchemaRegistry::askingLaterNeverBlocks()
{
    Bench bench(SchemaRegistry::Asking::Later);
    bench.server.answer("/schemas/ids/7", answer(kTest));
    QSignalSpy changed(bench.registry.get(), &SchemaRegistry::changed);
    QCOMPARE(bench.decode("00000000073606666f6f").problem, u"schema 7 is being asked for"_s);
    QTRY_COMPARE(changed.size(), 1);
    QCOMPARE(bench.decode("00000000073606666f6f").text, u"{\"a\": 27, \"b\": \"foo\"}"_s);
    QCOMPARE(bench.server.paths().size(), 1);
}

void tst_SchemaRegistry::endsWithARequestOut()
{
    QTcpServer silent; // takes the connection and says nothing
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    QElapsedTimer timer;
    timer.start();
    {
        RegistryConfig config;
        config.url = QUrl(u"http://127.0.0.1:%1"_s.arg(silent.serverPort()));
        const Bench bench(config, SchemaRegistry::Asking::Later);
        QCOMPARE(bench.decode("0000000007aa").problem, u"schema 7 is being asked for"_s);
        QVERIFY(silent.waitForNewConnection(5'000));
    }
    QVERIFY(timer.elapsed() < 5'000);
}

void tst_SchemaRegistry::automaticAsksForIdsOnly()
{
    Bench bench;
    bench.server.answer("/schemas/ids/7", answer(kTest));
    bench.format = *formatNamed(u"auto"_s, bench.registry);
    QCOMPARE(bench.decode("7b7d").why, u"valid JSON"_s);
    QCOMPARE(bench.decode("a10102").text, u"{1: 2}"_s);
    QVERIFY(bench.server.paths().isEmpty());
    QCOMPARE(bench.decode("00000000073606666f6f").why, u"schema 7: test (Avro)"_s);
}

void tst_SchemaRegistry::readsItsProperties()
{
    QMap<QString, QString> properties{
        {u"bootstrap.servers"_s, u"a:9092"_s},
        {u"schema.registry.url"_s, u"https://u:p%3Aq@registry:8081/base, http://other"_s},
        {u"schema.registry.ssl.ca.location"_s, u"/ca.pem"_s},
        {u"basic.auth.credentials.source"_s, u"URL"_s}};
    const auto config = RegistryConfig::takeFrom(properties);
    QVERIFY(config.has_value());
    QCOMPARE(config->url, QUrl(u"https://registry:8081/base"_s));
    QCOMPARE(config->user, u"u"_s);
    QCOMPARE(config->password, u"p:q"_s);
    QCOMPARE(config->caFile, u"/ca.pem"_s);
    QCOMPARE(properties.keys(), QStringList(u"bootstrap.servers"_s));
    QVERIFY(!RegistryConfig::takeFrom(properties));
}

QTEST_GUILESS_MAIN(tst_SchemaRegistry)
#include "tst_schemaregistry.moc"
