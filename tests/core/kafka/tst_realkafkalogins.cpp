// The session at the secured doors of a released Apache Kafka: who comes in, what is said to who
// does not, and that no secret is in it.

#include "tests/core/kafka/kafkacalls.h"
#include "tests/support/tokenserver.h"

#include <QDateTime>
#include <QElapsedTimer>

using namespace topicscope;
using namespace topicscope::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{

constexpr int kScramMended = 0x020601ff; // the first librdkafka which Kafka 4 lets in with SCRAM

/// What opening with these properties says; nullopt when it succeeds.
std::optional<Error> refusal(const KafkaProperties &properties)
{
    SessionConfig config;
    config.engine = Engine::Kafka;
    config.properties = properties;
    kafka::KafkaSession session(config);
    const auto opened = session.open(soon());
    if (opened)
        return std::nullopt;
    return opened.error();
}

KafkaProperties changed(KafkaProperties properties, const KafkaProperties &changes)
{
    properties.insert(changes);
    return properties;
}

} // namespace

/// Refused within seconds, not by waiting, in words that hold this text and no secret.
#define REFUSED_WITH(text, properties)                                                             \
    do {                                                                                           \
        QElapsedTimer timer_;                                                                      \
        timer_.start();                                                                            \
        const auto error_ = refusal(properties);                                                   \
        QVERIFY(error_);                                                                           \
        const QString said_ = describe(*error_);                                                   \
        QVERIFY2(timer_.elapsed() < 5'000, qPrintable(said_));                                     \
        QVERIFY2(error_->kind == ErrorKind::Network, qPrintable(said_));                           \
        QVERIFY2(said_.contains(text, Qt::CaseInsensitive), qPrintable(said_));                    \
        QVERIFY2(!said_.contains(u"secret"_s) && !said_.contains(u"Geheim"_s), qPrintable(said_)); \
    } while (false)

class tst_RealKafkaLogins : public QObject
{
    Q_OBJECT

private slots:
    void tlsNeedsTheRightCertificates();
    void passwordsAreChecked_data();
    void passwordsAreChecked();
    void theLoginIsNamed();
    void tokensArePastedOrFetched();
    void scramWithKafka4NeedsANewerLibrary();
    void aTopicThatIsDeniedHidesNoOther();

private:
    std::unique_ptr<KafkaCluster> m_oldest; ///< for passwordsAreChecked()
    std::unique_ptr<KafkaCluster> m_newest; ///< with ACLs, for what follows
};

void tst_RealKafkaLogins::tlsNeedsTheRightCertificates()
{
    KafkaCluster cluster({.tls = true});
    VERIFY_DONE(cluster.start());
    const KafkaProperties good = cluster.clientProperties();
    QVERIFY(!refusal(good));
    const KafkaProperties encrypted =
        changed(good, {{u"ssl.key.location"_s, cluster.certificate(u"client-encrypted.key"_s)},
                       {u"ssl.key.password"_s, u"key-password"_s}});
    QVERIFY(!refusal(encrypted));
    const auto wrongKey = refusal(changed(encrypted, {{u"ssl.key.password"_s, u"Geheim"_s}}));
    QVERIFY(wrongKey);
    QCOMPARE(wrongKey->kind, ErrorKind::InvalidArgument);
    QVERIFY2(!describe(*wrongKey).contains(u"Geheim"_s), qPrintable(describe(*wrongKey)));
    REFUSED_WITH(u"certificate verify failed"_s,
                 changed(good, {{u"ssl.ca.location"_s, cluster.certificate(u"other-ca.pem"_s)}}));
    REFUSED_WITH(
        u"certificate"_s,
        changed(good, {{u"ssl.certificate.location"_s, cluster.certificate(u"stranger.pem"_s)},
                       {u"ssl.key.location"_s, cluster.certificate(u"stranger.key"_s)}}));
    // Records come through it, too.
    KafkaPeer peer(cluster.adminBootstrap());
    VERIFY_DONE(peer.createTopic(u"orders"_s));
    kafka::KafkaSession session(configFor(cluster));
    PublishRequest request;
    request.topic = u"orders"_s;
    request.value = QByteArray("v");
    request.ack = AckPolicy::AcksAll;
    VERIFY_DONE(session.publish(request, soon()));
    QCOMPARE(readAll(session, fetchFrom(u"orders"_s, 0, 0)).value().values.size(), size_t(1));
}

void tst_RealKafkaLogins::passwordsAreChecked_data()
{
    QTest::addColumn<QString>("mechanism");
    for (const auto &mechanism : {u"PLAIN"_s, u"SCRAM-SHA-256"_s, u"SCRAM-SHA-512"_s})
        QTest::newRow(qPrintable(mechanism)) << mechanism;
    m_oldest = std::make_unique<KafkaCluster>(KafkaOptions{.version = kOldestKafka, .sasl = true});
    VERIFY_DONE(m_oldest->start());
}

void tst_RealKafkaLogins::passwordsAreChecked()
{
    QFETCH(const QString, mechanism);
    const KafkaProperties good = m_oldest->clientProperties(u"admin"_s, mechanism);
    QVERIFY(!refusal(good));
    REFUSED_WITH(u"authentication failed"_s, changed(good, {{u"sasl.password"_s, u"Geheim"_s}}));
    REFUSED_WITH(u"authentication failed"_s, changed(good, {{u"sasl.username"_s, u"nobody"_s}}));
}

void tst_RealKafkaLogins::theLoginIsNamed()
{
    const auto properties = changed(m_oldest->clientProperties(u"admin"_s, u"SCRAM-SHA-512"_s),
                                    {{u"sasl.password"_s, u"Geheim"_s}});
    const auto error = refusal(properties);
    QVERIFY(error);
    QCOMPARE(error->networkCause, NetworkCause::LoginRefused);
    QVERIFY2(error->detail.startsWith(u"SCRAM-SHA-512 as admin: "_s), qPrintable(error->detail));
    QVERIFY2(!describe(*error).contains(u"Geheim"_s), qPrintable(describe(*error)));
}

void tst_RealKafkaLogins::tokensArePastedOrFetched()
{
    m_oldest.reset();
    // TLS as well: what a token is for must not be read on the way.
    KafkaCluster cluster({.tls = true, .sasl = true});
    VERIFY_DONE(cluster.start());
    KafkaProperties properties = cluster.clientProperties(u"admin"_s, u"OAUTHBEARER"_s);
    properties.remove(u"enable.sasl.oauthbearer.unsecure.jwt"_s);
    properties.remove(u"sasl.oauthbearer.config"_s);
    REFUSED_WITH(u"there is no token"_s, properties);
    const auto jwt = [](const QString &subject, qint64 forSeconds) {
        constexpr auto kForm = QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals;
        const qint64 now = QDateTime::currentSecsSinceEpoch();
        const QByteArray claims = u"{\"sub\":\"%1\",\"iat\":%2,\"exp\":%3}"_s.arg(subject)
                                      .arg(now)
                                      .arg(now + forSeconds)
                                      .toUtf8();
        return QByteArray("{\"alg\":\"none\"}").toBase64(kForm) + '.' + claims.toBase64(kForm) +
               '.';
    };
    const auto pasted = changed(
        properties, {{u"sasl.oauthbearer.token"_s, QString::fromLatin1(jwt(u"admin"_s, 600))}});
    QVERIFY(!refusal(pasted));
    REFUSED_WITH(u"the token expired on"_s,
                 changed(properties, {{u"sasl.oauthbearer.token"_s,
                                       QString::fromLatin1(jwt(u"admin"_s, -600))}}));

    TokenServer server;
    server.answerWith("200 OK", "{\"access_token\":\"" + jwt(u"admin"_s, 600) +
                                    "\",\"token_type\":\"Bearer\",\"expires_in\":600}");
    const auto fetched =
        changed(properties, {{u"sasl.oauthbearer.method"_s, u"oidc"_s},
                             {u"sasl.oauthbearer.token.endpoint.url"_s, server.url()},
                             {u"sasl.oauthbearer.client.id"_s, u"viewer"_s},
                             {u"sasl.oauthbearer.client.secret"_s, u"Geheim"_s}});
    QVERIFY(!refusal(fetched));
    QCOMPARE(server.requests().size(), 1);
    // What the broker does not accept: a token that is no JWT.
    server.answerWith("200 OK", R"({"access_token":"secret-opaque","expires_in":600})");
    REFUSED_WITH(u"OAUTHBEARER as viewer: "_s, fetched);
    server.answerWith("401 Unauthorized", R"({"error":"invalid_client"})");
    REFUSED_WITH(u"OAUTHBEARER as viewer: the token endpoint answered HTTP 401: invalid_client"_s,
                 fetched);
}

void tst_RealKafkaLogins::scramWithKafka4NeedsANewerLibrary()
{
    m_newest = std::make_unique<KafkaCluster>(KafkaOptions{.sasl = true, .acls = true});
    VERIFY_DONE(m_newest->start());
    QVERIFY(!refusal(m_newest->clientProperties()));
    const KafkaProperties scram = m_newest->clientProperties(u"admin"_s, u"SCRAM-SHA-256"_s);
    if (rd_kafka_version() < kScramMended)
        REFUSED_WITH(u"it needs librdkafka 2.6.1"_s, scram);
    else
        QVERIFY(!refusal(scram));
}

void tst_RealKafkaLogins::aTopicThatIsDeniedHidesNoOther()
{
    KafkaPeer peer(m_newest->adminBootstrap());
    for (const auto &topic : {u"open"_s, u"described"_s, u"closed"_s}) {
        VERIFY_DONE(peer.createTopic(topic));
        VERIFY_DONE(peer.produce(topic, {{.value = "v"}}));
    }
    VERIFY_DONE(
        peer.allow(u"limited"_s, RD_KAFKA_RESOURCE_TOPIC, u"open"_s, RD_KAFKA_ACL_OPERATION_READ));
    VERIFY_DONE(peer.allow(u"limited"_s, RD_KAFKA_RESOURCE_TOPIC, u"described"_s,
                           RD_KAFKA_ACL_OPERATION_DESCRIBE));
    SessionConfig config;
    config.engine = Engine::Kafka;
    config.properties = m_newest->clientProperties(u"limited"_s);
    kafka::KafkaSession session(config);
    const auto listed = session.listTopics(soon());
    VERIFY_DONE(listed);
    QCOMPARE(listed->size(), 2);
    const auto named =
        session.describeTopics({u"open"_s, u"closed"_s, u"described"_s, u"typo"_s}, soon());
    VERIFY_DONE(named);
    // The denied one with the reason; one that is not there is denied, too: nobody shall learn
    // which.
    QCOMPARE(named->size(), 4);
    QCOMPARE(named->at(3).name, u"typo"_s);
    QCOMPARE(named->at(3).error->brokerName, u"TOPIC_AUTHORIZATION_FAILED"_s);
    QCOMPARE(named->at(0).name, u"closed"_s);
    QVERIFY(named->at(0).error);
    QCOMPARE(named->at(0).error->brokerName, u"TOPIC_AUTHORIZATION_FAILED"_s);
    const auto topics = session.describeTopics({u"open"_s, u"described"_s}, soon());
    VERIFY_DONE(topics);
    // A broker does not list what may not be described.
    QCOMPARE(topics->size(), 2);
    QCOMPARE(topics->at(0).name, u"described"_s);
    QCOMPARE(topics->at(1).name, u"open"_s);
    QCOMPARE(topics->at(1).partitions.at(0).highWatermark, Offset{1});
    QCOMPARE(readAll(session, fetchFrom(u"open"_s, 0, 0)).value().values.size(), size_t(1));
    for (const auto &topic : {u"described"_s, u"closed"_s}) {
        const auto denied = session.fetch(fetchFrom(topic, 0, 0), soon());
        QVERIFY(!denied);
        QCOMPARE(denied.error().kind, ErrorKind::Broker);
        QCOMPARE(denied.error().brokerName, u"TOPIC_AUTHORIZATION_FAILED"_s);
    }
    for (const auto &topic : {u"open"_s, u"described"_s, u"closed"_s}) {
        PublishRequest request;
        request.topic = topic;
        request.value = QByteArray("v");
        request.ack = AckPolicy::Acks1;
        const auto denied = session.publish(request, CallContext(5'000ms));
        QVERIFY(!denied);
        QVERIFY2(denied.error().brokerName == u"TOPIC_AUTHORIZATION_FAILED"_s,
                 qPrintable(describe(denied.error())));
        QCOMPARE(peer.watermarks(topic).value(), std::pair(qint64(0), qint64(1)));
    }
    // None the worse for it.
    QCOMPARE(readAll(session, fetchFrom(u"open"_s, 0, 0)).value().values.size(), size_t(1));
}

KAFKA_TEST_MAIN(tst_RealKafkaLogins)

#include "tst_realkafkalogins.moc"
