#include "core/kafka/kafkasession.h"
#include "core/kafka/oauthtoken.h"
#include "tests/support/tokenserver.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QTest>

#include <atomic>
#include <thread>

using namespace topicscope;
using namespace topicscope::kafka;
using namespace topicscope::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{

// Made by hand: {"alg":"none"} . {"sub":"alice","exp":4102444800} . (the year 2100)
constexpr auto kJwt = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSIsImV4cCI6NDEwMjQ0NDgwMH0.";
// {"sub":"alice","exp":1000000000}
constexpr auto kExpired = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSIsImV4cCI6MTAwMDAwMDAwMH0.";

qint64 now()
{
    return QDateTime::currentMSecsSinceEpoch();
}

} // namespace

class tst_OAuthToken : public QObject
{
    Q_OBJECT
private slots:
    void propertiesAreTakenOut();
    void aPastedTokenIsReadAndChecked();
    void aTokenIsFetchedWithTheClientsCredentials();
    void refusalsAreToldWithoutTheSecret_data();
    void refusalsAreToldWithoutTheSecret();
    void redirectsAreNotFollowed();
    void waitingEnds();
    void theSessionSaysWhyThereIsNoToken();

private:
    OAuthConfig config(const TokenServer &server)
    {
        OAuthConfig config;
        config.endpoint = QUrl(server.url());
        config.clientId = u"my client"_s;
        config.clientSecret = u"Ge/heim"_s;
        config.scope = u"read write&x"_s;
        return config;
    }
    std::stop_source m_stop;
};

void tst_OAuthToken::propertiesAreTakenOut()
{
    const QMap<QString, QString> given = {
        {u"sasl.mechanism"_s, u"OAUTHBEARER"_s},
        {u"sasl.oauthbearer.method"_s, u"oidc"_s},
        {u"sasl.oauthbearer.token.endpoint.url"_s, u"https://x/t"_s},
        {u"sasl.oauthbearer.client.id"_s, u"id"_s},
        {u"sasl.oauthbearer.client.secret"_s, u"s"_s},
        {u"sasl.oauthbearer.scope"_s, u"sc"_s},
        {u"sasl.oauthbearer.extensions"_s, u"logicalCluster=lkc-1,pool=a=b"_s},
        {u"https.ca.location"_s, u"/ca"_s},
    };
    auto properties = given;
    const auto config = OAuthConfig::takeFrom(properties);
    QVERIFY(config);
    QCOMPARE(properties.size(), 1);
    QCOMPARE(config->endpoint, QUrl(u"https://x/t"_s));
    QCOMPARE(config->clientSecret, u"s"_s);
    QCOMPARE(config->scope, u"sc"_s);
    QCOMPARE(config->caFile, u"/ca"_s);
    const QMap<QString, QString> extensions = {{u"logicalCluster"_s, u"lkc-1"_s},
                                               {u"pool"_s, u"a=b"_s}};
    QCOMPARE(config->extensions, extensions);

    properties = {{u"sasl.mechanism"_s, u"PLAIN"_s}, {u"sasl.oauthbearer.token"_s, u"t"_s}};
    QVERIFY(!OAuthConfig::takeFrom(properties));
    QVERIFY(!properties.contains(u"sasl.oauthbearer.token"_s));
    properties = {{u"sasl.mechanism"_s, u"OAUTHBEARER"_s},
                  {u"enable.sasl.oauthbearer.unsecure.jwt"_s, u"true"_s}};
    QVERIFY(!OAuthConfig::takeFrom(properties));
}

void tst_OAuthToken::aPastedTokenIsReadAndChecked()
{
    OAuthConfig config;
    config.token = QString::fromLatin1(kJwt);
    const auto token = oauthToken(config, 1s, m_stop.get_token());
    QVERIFY(token);
    QCOMPARE(token->value, QByteArray(kJwt));
    QCOMPARE(token->principal, u"alice"_s);
    QVERIFY(token->expiresMs <= 4'102'444'800'000 && token->expiresMs > now() + 86'400'000);

    config.token = u"opaque"_s;
    QVERIFY(oauthToken(config, 1s, m_stop.get_token()));
    config.token = QString::fromLatin1(kExpired);
    const auto expired = oauthToken(config, 1s, m_stop.get_token());
    QVERIFY(!expired);
    QCOMPARE(expired.error().detail, u"the token expired on 2001-09-09T01:46:40Z"_s);
    for (const auto &bad : {u"two words"_s, u"bör"_s, u"a\nb"_s}) {
        config.token = bad;
        QCOMPARE(oauthToken(config, 1s, m_stop.get_token()).error().kind,
                 ErrorKind::InvalidArgument);
    }
}

void tst_OAuthToken::aTokenIsFetchedWithTheClientsCredentials()
{
    TokenServer server;
    server.answerWith("200 OK", R"({"access_token":"abc.def","expires_in":60})");
    const qint64 before = now();
    const auto token = oauthToken(config(server), 5s, m_stop.get_token());
    QVERIFY2(token, qPrintable(token ? QString() : describe(token.error())));
    QCOMPARE(token->value, QByteArray("abc.def"));
    QVERIFY(token->expiresMs >= before + 60'000 && token->expiresMs <= now() + 60'000);
    const QByteArray request = server.requests().value(0);
    QVERIFY2(request.startsWith("POST /token HTTP/1.1\r\n"), request.constData());
    // printf '%s' 'my%20client:Ge%2Fheim' | base64
    QVERIFY2(request.contains("Authorization: Basic bXklMjBjbGllbnQ6R2UlMkZoZWlt\r\n"),
             request.constData());
    QVERIFY2(request.endsWith("grant_type=client_credentials&scope=read%20write%26x"),
             request.constData());
    // Without expires_in the token's own time counts.
    server.answerWith("200 OK", QByteArray(R"({"access_token":")") + kJwt + R"("})");
    QVERIFY(oauthToken(config(server), 5s, m_stop.get_token())->expiresMs > now() + 86'400'000);
}

void tst_OAuthToken::refusalsAreToldWithoutTheSecret_data()
{
    QTest::addColumn<QByteArray>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("said");
    QTest::newRow("refused")
        << QByteArray("401 Unauthorized")
        << QByteArray(R"({"error":"invalid_client","error_description":"Ge/heim is wrong"})")
        << ErrorKind::InvalidArgument
        << u"the token endpoint answered HTTP 401: invalid_client: … is wrong"_s;
    QTest::newRow("down") << QByteArray("503 Busy") << QByteArray("try\r\n later")
                          << ErrorKind::Network
                          << u"the token endpoint answered HTTP 503: try later"_s;
    QTest::newRow("too often") << QByteArray("429 Slow down") << QByteArray() << ErrorKind::Network
                               << u"the token endpoint answered HTTP 429"_s;
    QTest::newRow("no token") << QByteArray("200 OK") << QByteArray("{}") << ErrorKind::Protocol
                              << u"the token endpoint's answer holds no token"_s;
    QTest::newRow("too much") << QByteArray("200 OK") << QByteArray(1'500'000, 'x')
                              << ErrorKind::Protocol << u"the token endpoint answers too much"_s;
    QTest::newRow("long") << QByteArray("400 Bad") << QByteArray(5'000, 'x')
                          << ErrorKind::InvalidArgument
                          << u"the token endpoint answered HTTP 400: "_s + QString(300, u'x') +
                                 u'…';
}

void tst_OAuthToken::refusalsAreToldWithoutTheSecret()
{
    QFETCH(const QByteArray, status);
    QFETCH(const QByteArray, body);
    QFETCH(const ErrorKind, kind);
    TokenServer server;
    server.answerWith(status, body);
    const auto token = oauthToken(config(server), 5s, m_stop.get_token());
    QVERIFY(!token);
    QTEST(token.error().detail, "said");
    QCOMPARE(token.error().kind, kind);
}

void tst_OAuthToken::redirectsAreNotFollowed()
{
    TokenServer elsewhere;
    TokenServer server;
    server.answerWith("302 Found", "{}", "Location: " + elsewhere.url().toLatin1() + "\r\n");
    QVERIFY(!oauthToken(config(server), 5s, m_stop.get_token()));
    QCOMPARE(elsewhere.requests().size(), 0);
}

void tst_OAuthToken::waitingEnds()
{
    TokenServer server;
    server.answerWith({}, {});
    QCOMPARE(oauthToken(config(server), 100ms, m_stop.get_token()).error().kind,
             ErrorKind::Timeout);
    // Another server: the first one may hear of its request late, or never.
    TokenServer silent;
    silent.answerWith({}, {});
    QElapsedTimer timer;
    timer.start();
    std::atomic<bool> isBack = false;
    std::thread stopper([&] {
        while (silent.requests().isEmpty() && !isBack)
            QThread::msleep(1);
        m_stop.request_stop();
    });
    const auto stopped = oauthToken(config(silent), 30s, m_stop.get_token());
    isBack = true;
    stopper.join();
    QVERIFY(!stopped);
    QCOMPARE(stopped.error().kind, ErrorKind::Cancelled);
    QVERIFY(timer.elapsed() < 5'000);
}

void tst_OAuthToken::theSessionSaysWhyThereIsNoToken()
{
    TokenServer server;
    server.answerWith("401 Unauthorized", R"({"error":"invalid_client"})");
    SessionConfig config;
    config.engine = Engine::Kafka;
    config.properties = {{u"bootstrap.servers"_s, u"127.0.0.1:1"_s},
                         {u"security.protocol"_s, u"sasl_plaintext"_s},
                         {u"sasl.mechanism"_s, u"OAUTHBEARER"_s},
                         {u"sasl.oauthbearer.method"_s, u"oidc"_s},
                         {u"sasl.oauthbearer.token.endpoint.url"_s, server.url()},
                         {u"sasl.oauthbearer.client.id"_s, u"viewer"_s},
                         {u"sasl.oauthbearer.client.secret"_s, u"Geheim"_s}};
    KafkaSession session(config);
    (void)session.open(CallContext(10'000ms)); // the port may be found closed before
    QTRY_VERIFY(!server.requests().isEmpty());
    Result<void> opened;
    QTRY_VERIFY(!(opened = session.open(CallContext(10'000ms))).ok() &&
                opened.error().networkCause == NetworkCause::LoginRefused);
    QCOMPARE(opened.error().detail,
             u"OAUTHBEARER as viewer: the token endpoint answered HTTP 401: invalid_client"_s);
    QCOMPARE(server.requests().size(), 1);
}

QTEST_GUILESS_MAIN(tst_OAuthToken)
#include "tst_oauthtoken.moc"
