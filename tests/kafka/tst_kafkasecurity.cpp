// The cluster's secured doors, tried with kcat: they open to whom they should, and to nobody else.

#include "tests/support/kafkatest.h"

using namespace Qt::StringLiterals;
using namespace topicscope;
using namespace topicscope::test;

namespace
{

/// What kcat says to listing the topics with these properties; "" when it could. It goes on trying
/// for so long.
QByteArray refusal(const KafkaProperties &properties, int seconds = 1)
{
    const auto listed = runKcat(QStringList{u"-b"_s, properties[u"bootstrap.servers"_s], u"-L"_s,
                                            u"-m"_s, QString::number(seconds)} +
                                kcatOptions(properties));
    return listed.code == 0 ? QByteArray() : listed.err;
}

/// What kcat says to the same until this is in it, and then it is ended: it would go on trying.
QByteArray refusalWith(const QByteArray &text, const KafkaProperties &properties)
{
    constexpr int kPatienceSeconds = 60;
    QProcess kcat;
    kcat.start(u"kcat"_s, QStringList{u"-b"_s, properties[u"bootstrap.servers"_s], u"-L"_s, u"-m"_s,
                                      QString::number(kPatienceSeconds)} +
                              kcatOptions(properties));
    kcat.closeWriteChannel();
    QByteArray told;
    (void)QTest::qWaitFor(
        [&] {
            told += kcat.readAllStandardError();
            return told.contains(text) || kcat.state() == QProcess::NotRunning;
        },
        kPatienceSeconds * 1'000);
    kcat.kill();
    kcat.waitForFinished();
    return told + kcat.readAllStandardError();
}

bool isLetIn(const KafkaProperties &properties)
{
    return refusal(properties, 30).isEmpty();
}

/// An empty value removes the property.
KafkaProperties changed(KafkaProperties properties, const KafkaProperties &changes)
{
    properties.insert(changes);
    properties.removeIf([](const auto &property) { return property.value().isEmpty(); });
    return properties;
}

} // namespace

#define REFUSED_WITH(text, properties)                                                             \
    do {                                                                                           \
        const QByteArray told = refusalWith(text, properties);                                     \
        QVERIFY2(told.contains(text), told.constData());                                           \
    } while (false)

class tst_KafkaSecurity : public QObject
{
    Q_OBJECT
private slots:
    void tlsDemandsACertificate();
    void tlsChecksWhomTheCertificateIsFor();
    void loginsAreChecked_data();
    void loginsAreChecked();
    void scramWithKafka4NeedsANewerLibrary();
    void usersMayOnlyWhatTheyAreAllowed();

private:
    std::unique_ptr<KafkaCluster> m_oldest; ///< for loginsAreChecked()
    std::unique_ptr<KafkaCluster> m_newest; ///< with ACLs, for what follows
};

void tst_KafkaSecurity::tlsDemandsACertificate()
{
    KafkaCluster cluster({.tls = true});
    VERIFY_DONE(cluster.start());
    const KafkaProperties good = cluster.clientProperties();
    QVERIFY(isLetIn(good));
    QVERIFY(isLetIn(
        changed(good, {{u"ssl.key.location"_s, cluster.certificate(u"client-encrypted.key"_s)},
                       {u"ssl.key.password"_s, u"key-password"_s}})));
    REFUSED_WITH("certificate verify failed",
                 changed(good, {{u"ssl.ca.location"_s, cluster.certificate(u"other-ca.pem"_s)}}));
    const KafkaProperties bare =
        changed(good, {{u"ssl.certificate.location"_s, {}}, {u"ssl.key.location"_s, {}}});
    QVERIFY(!refusal(bare).isEmpty());
    const KafkaProperties stranger =
        changed(good, {{u"ssl.certificate.location"_s, cluster.certificate(u"stranger.pem"_s)},
                       {u"ssl.key.location"_s, cluster.certificate(u"stranger.key"_s)}});
    QVERIFY(!refusal(stranger).isEmpty());
    QVERIFY(!refusal({{u"bootstrap.servers"_s, cluster.bootstrap()}}).isEmpty());
    // The other door is for what a test prepares.
    VERIFY_DONE(KafkaPeer(cluster.adminBootstrap()).createTopic(u"orders"_s));
}

void tst_KafkaSecurity::tlsChecksWhomTheCertificateIsFor()
{
    KafkaCluster cluster(
        {.tls = true, .sasl = true, .certificateNames = {u"DNS:broker.example"_s}});
    VERIFY_DONE(cluster.start());
    const KafkaProperties strict = cluster.clientProperties();
    REFUSED_WITH("certificate verify failed", strict);
    QVERIFY(isLetIn(changed(strict, {{u"ssl.endpoint.identification.algorithm"_s, u"none"_s}})));
}

void tst_KafkaSecurity::loginsAreChecked_data()
{
    QTest::addColumn<QString>("mechanism");
    for (const QString &name :
         {u"PLAIN"_s, u"SCRAM-SHA-256"_s, u"SCRAM-SHA-512"_s, u"OAUTHBEARER"_s})
        QTest::newRow(qPrintable(name)) << name;
    m_oldest = std::make_unique<KafkaCluster>(KafkaOptions{.version = kOldestKafka, .sasl = true});
    VERIFY_DONE(m_oldest->start());
}

void tst_KafkaSecurity::loginsAreChecked()
{
    QFETCH(QString, mechanism);
    for (const QString &user : {u"admin"_s, u"limited"_s})
        QVERIFY(isLetIn(m_oldest->clientProperties(user, mechanism)));
    if (mechanism != u"OAUTHBEARER"_s)
        REFUSED_WITH("Authentication failed",
                     changed(m_oldest->clientProperties(u"admin"_s, mechanism),
                             {{u"sasl.password"_s, u"wrong"_s}}));
}

void tst_KafkaSecurity::scramWithKafka4NeedsANewerLibrary()
{
    m_oldest.reset();
    m_newest = std::make_unique<KafkaCluster>(KafkaOptions{.sasl = true, .acls = true});
    VERIFY_DONE(m_newest->start());
    QVERIFY(isLetIn(m_newest->clientProperties()));
    QVERIFY(isLetIn(m_newest->clientProperties(u"admin"_s, u"OAUTHBEARER"_s)));
    constexpr int kMended = 0x020601ff;
    const KafkaProperties scram = m_newest->clientProperties(u"admin"_s, u"SCRAM-SHA-512"_s);
    if (rd_kafka_version() >= kMended)
        QVERIFY(isLetIn(scram));
    else
        QVERIFY(!refusal(scram).isEmpty());
}

void tst_KafkaSecurity::usersMayOnlyWhatTheyAreAllowed()
{
    const KafkaCluster &cluster = *m_newest;
    KafkaPeer peer(cluster.adminBootstrap());
    VERIFY_DONE(peer.createTopic(u"open"_s));
    VERIFY_DONE(peer.createTopic(u"closed"_s));
    VERIFY_DONE(peer.produce(u"open"_s, {{.value = "seen"}}));
    VERIFY_DONE(peer.produce(u"closed"_s, {{.value = "secret"}}));
    VERIFY_DONE(
        peer.allow(u"limited"_s, RD_KAFKA_RESOURCE_TOPIC, u"open"_s, RD_KAFKA_ACL_OPERATION_READ));
    const auto read = [&](const QString &user, const QString &topic) {
        return runKcat(QStringList{u"-b"_s, cluster.bootstrap(), u"-C"_s, u"-t"_s, topic, u"-p"_s,
                                   u"0"_s, u"-o"_s, u"beginning"_s, u"-c"_s, u"1"_s, u"-q"_s} +
                       kcatOptions(cluster.clientProperties(user)));
    };
    QCOMPARE(read(u"limited"_s, u"open"_s).out, "seen\n");
    QCOMPARE(read(u"admin"_s, u"closed"_s).out, "secret\n");
    const auto denied = read(u"limited"_s, u"closed"_s);
    QCOMPARE(denied.out, "");
    QVERIFY2(denied.err.contains("Topic authorization failed"), denied.err.constData());
    PeerProducer producer(cluster.clientProperties(u"limited"_s));
    const auto published = producer.produce(u"open"_s, {{.value = "no"}});
    QVERIFY(!published.ok());
    QVERIFY2(published.error().detail.startsWith(u"TOPIC_AUTHORIZATION_FAILED"_s),
             qPrintable(published.error().detail));
}

KAFKA_TEST_MAIN(tst_KafkaSecurity)

#include "tst_kafkasecurity.moc"
