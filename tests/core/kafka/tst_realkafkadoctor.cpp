// What the doctor says of a released Apache Kafka with every kind of door, and of the wrong
// connection settings for each.

#include "core/doctor/doctor.h"
#include "tests/core/kafka/kafkacalls.h"

using namespace topicscope;
using namespace topicscope::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using doctor::Check;

namespace
{

struct Examined {
    bool passed = false;
    QStringList steps;
    QString text;
    QString failed; ///< the step that failed last
};

Examined examined(const KafkaProperties &properties)
{
    SessionConfig config;
    config.engine = Engine::Kafka;
    config.properties = properties;
    Examined result;
    const auto make = [](const SessionConfig &each) -> std::unique_ptr<BrokerSession> {
        return std::make_unique<kafka::KafkaSession>(each);
    };
    const auto passed =
        doctor::examine(config, make, CallContext(60'000ms), [&](const Check &check) {
            result.steps << doctor::stepName(check.step);
            if (check.outcome == Check::Outcome::Failed)
                result.failed = result.steps.last();
            result.text += u"%1 %2: %3 | %4\n"_s.arg(result.steps.last(), check.subject,
                                                     check.result, check.advice);
        });
    if (!passed)
        result.text += describe(passed.error());
    result.passed = passed && *passed;
    return result;
}

KafkaProperties changed(KafkaProperties properties, const KafkaProperties &changes)
{
    properties.insert(changes);
    return properties;
}

} // namespace

#define FAILS_AT(step, words, properties)                                                          \
    do {                                                                                           \
        const Examined examined_ = examined(properties);                                           \
        QVERIFY2(!examined_.passed, qPrintable(examined_.text));                                   \
        QVERIFY2(examined_.failed == step, qPrintable(examined_.text));                            \
        QVERIFY2(examined_.text.contains(words, Qt::CaseInsensitive), qPrintable(examined_.text)); \
        QVERIFY2(!examined_.text.contains(u"Geheim"_s), qPrintable(examined_.text));               \
    } while (false)

class tst_RealKafkaDoctor : public QObject
{
    Q_OBJECT
private slots:
    void plain();
    void tls();
    void login();
};

void tst_RealKafkaDoctor::plain()
{
    KafkaCluster cluster;
    VERIFY_DONE(cluster.start());
    KafkaPeer peer(cluster.adminBootstrap());
    VERIFY_DONE(peer.createTopic(u"orders"_s));
    VERIFY_DONE(peer.produce(u"orders"_s, {{.value = "v"}}));
    const auto before = peer.topics();
    const Examined good = examined(cluster.clientProperties());
    QVERIFY2(good.passed, qPrintable(good.text));
    QCOMPARE(good.steps, QStringList({u"connect"_s, u"protocol"_s, u"login"_s, u"metadata"_s,
                                      u"broker"_s, u"fetch"_s}));
    QVERIFY2(good.text.contains(u"fetch orders/0: 1 record from offset 0"_s),
             qPrintable(good.text));
    QCOMPARE(peer.topics().value(), before.value());
    QVERIFY(peer.groups().value().isEmpty());

    FAILS_AT(u"tls"_s, u"without TLS"_s,
             changed(cluster.clientProperties(), {{u"security.protocol"_s, u"ssl"_s}}));
    FAILS_AT(u"login"_s, u"takes no login"_s,
             changed(cluster.clientProperties(), {{u"security.protocol"_s, u"sasl_plaintext"_s},
                                                  {u"sasl.mechanism"_s, u"PLAIN"_s},
                                                  {u"sasl.username"_s, u"u"_s},
                                                  {u"sasl.password"_s, u"Geheim"_s}}));
}

void tst_RealKafkaDoctor::tls()
{
    KafkaCluster cluster({.tls = true});
    VERIFY_DONE(cluster.start());
    const KafkaProperties good = cluster.clientProperties();
    const Examined passed = examined(good);
    QVERIFY2(passed.passed, qPrintable(passed.text));
    QVERIFY(passed.steps.contains(u"tls"_s));
    QVERIFY2(passed.text.contains(u"localhost"_s), qPrintable(passed.text));

    FAILS_AT(u"protocol"_s, u"speaks TLS"_s,
             changed(good, {{u"security.protocol"_s, u"plaintext"_s}}));
    FAILS_AT(u"tls"_s, u"not trusted"_s,
             changed(good, {{u"ssl.ca.location"_s, cluster.certificate(u"other-ca.pem"_s)}}));
    KafkaProperties withoutCertificate = good;
    withoutCertificate.remove(u"ssl.certificate.location"_s);
    withoutCertificate.remove(u"ssl.key.location"_s);
    const Examined unknown = examined(withoutCertificate);
    QVERIFY2(!unknown.passed, qPrintable(unknown.text));
    QVERIFY2(unknown.text.contains(u"client certificate"_s), qPrintable(unknown.text));

    KafkaCluster elsewhere({.tls = true, .certificateNames = {u"DNS:kafka.example"_s}});
    VERIFY_DONE(elsewhere.start());
    FAILS_AT(u"tls"_s, u"the certificate is for kafka.example, and not for 127.0.0.1"_s,
             elsewhere.clientProperties());
}

void tst_RealKafkaDoctor::login()
{
    KafkaCluster cluster({.sasl = true});
    VERIFY_DONE(cluster.start());
    const KafkaProperties good = cluster.clientProperties();
    const Examined passed = examined(good);
    QVERIFY2(passed.passed, qPrintable(passed.text));
    FAILS_AT(u"login"_s, u"authentication failed"_s,
             changed(good, {{u"sasl.password"_s, u"Geheim"_s}}));
    FAILS_AT(u"login"_s, u"wants a login"_s,
             changed(good, {{u"security.protocol"_s, u"plaintext"_s}}));
    FAILS_AT(u"login"_s, u"SCRAM-SHA-256"_s, changed(good, {{u"sasl.mechanism"_s, u"GSSAPI"_s}}));
}

KAFKA_TEST_MAIN(tst_RealKafkaDoctor)

#include "tst_realkafkadoctor.moc"
