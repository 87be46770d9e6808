#include "core/profiles/secrets.h"

#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;

class tst_Secrets : public QObject
{
    Q_OBJECT
private slots:
    void isSecret_data();
    void isSecret();
    void aConfigIsSplit();
    void whatALoginNeeds_data();
    void whatALoginNeeds();
    void textsOfOthersAreCleaned();
    void loginsInAddressesAreSecret_data();
    void loginsInAddressesAreSecret();
    void passwordsOfLoginsAreHidden();
    void anOpenTokenEndpointIsKnown_data();
    void anOpenTokenEndpointIsKnown();
};

void tst_Secrets::isSecret_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("secret");
    for (const char *name :
         {"sasl.password", "ssl.key.password", "ssl.keystore.password", "ssl.truststore.password",
          "ssl.key.pem", "SSL.Key.PEM", "ssl.keystore.key", "sasl.oauthbearer.config",
          "sasl.oauthbearer.client.secret", "sasl.oauthbearer.token", "sasl.jaas.config",
          "listener.name.x.sasl.jaas.config", "sasl.oauthbearer.assertion.private.key.pem",
          "sasl.oauthbearer.assertion.private.key.passphrase", "basic.auth.user.info",
          "some.api.secret", "aws.credentials"})
        QTest::newRow(name) << QString::fromLatin1(name) << true;
    for (const char *name :
         {"sasl.username", "sasl.mechanism", "ssl.ca.pem", "ssl.certificate.pem",
          "ssl.key.location", "ssl.keystore.location", "sasl.oauthbearer.token.endpoint.url",
          "sasl.oauthbearer.client.id", "sasl.oauthbearer.scope", "sasl.kerberos.keytab",
          "ssl.keystore.type", "bootstrap.servers", "", "client.id"})
        QTest::addRow("open %s", name) << QString::fromLatin1(name) << false;
}

void tst_Secrets::isSecret()
{
    QFETCH(const QString, name);
    QTEST(topicscope::isSecret(name), "secret");
}

void tst_Secrets::aConfigIsSplit()
{
    SessionConfig config;
    config.properties = {{u"sasl.username"_s, u"u"_s}, {u"sasl.password"_s, u"p"_s}};
    QCOMPARE(secretsOf(config), Secrets({{u"sasl.password"_s, u"p"_s}}));
    config.properties.remove(u"sasl.password"_s);
    SessionConfig given = config;
    given.properties.insert(u"sasl.password"_s, u"p"_s);
    QCOMPARE(withoutSecrets(given), config);
    config.properties.insert(u"schema.registry.url"_s, u"http://r:8081/x"_s);
    given.properties.insert(u"schema.registry.url"_s, u"http://u:p@r:8081/x"_s);
    QCOMPARE(withoutSecrets(given), config);
}

void tst_Secrets::whatALoginNeeds_data()
{
    QTest::addColumn<QString>("protocol");
    QTest::addColumn<QString>("mechanism");
    QTest::addColumn<QString>("method");
    QTest::addColumn<QStringList>("needed");
    const QStringList password{u"sasl.password"_s};
    QTest::newRow("none") << QString() << u"PLAIN"_s << QString() << QStringList();
    QTest::newRow("TLS") << u"ssl"_s << u"PLAIN"_s << QString() << QStringList();
    QTest::newRow("PLAIN") << u"sasl_ssl"_s << u"PLAIN"_s << QString() << password;
    QTest::newRow("SCRAM") << u"SASL_PLAINTEXT"_s << u"SCRAM-SHA-512"_s << QString() << password;
    QTest::newRow("Kerberos") << u"sasl_ssl"_s << u"GSSAPI"_s << QString() << QStringList();
    QTest::newRow("token") << u"sasl_ssl"_s << u"OAUTHBEARER"_s << QString()
                           << QStringList{u"sasl.oauthbearer.token"_s};
    QTest::newRow("client") << u"sasl_ssl"_s << u"OAUTHBEARER"_s << u"oidc"_s
                            << QStringList{u"sasl.oauthbearer.client.secret"_s};
}

void tst_Secrets::whatALoginNeeds()
{
    QFETCH(const QString, protocol);
    QFETCH(const QString, mechanism);
    QFETCH(const QString, method);
    SessionConfig config;
    config.properties = {{u"security.protocol"_s, protocol},
                         {u"sasl.mechanism"_s, mechanism},
                         {u"sasl.oauthbearer.method"_s, method}};
    QCOMPARE(neededSecrets(config), QStringList()); // booblik has no login
    config.engine = Engine::Kafka;
    QTEST(neededSecrets(config), "needed");
}

void tst_Secrets::textsOfOthersAreCleaned()
{
    const QMap<QString, QString> properties = {{u"sasl.password"_s, u"abc"_s},
                                               {u"ssl.key.password"_s, u"abcdef"_s},
                                               {u"ssl.keystore.password"_s, QString()},
                                               {u"sasl.username"_s, u"user"_s}};
    QCOMPARE(hideSecrets(u"abcdef of user is not abc"_s, properties), u"… of user is not …"_s);
}

void tst_Secrets::loginsInAddressesAreSecret_data()
{
    QTest::addColumn<QString>("property");
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("kept");
    QTest::addColumn<QString>("hidden");
    const QString registry = u"schema.registry.url"_s;
    QTest::newRow("list") << registry << u"http://u:geheim%40q@r:8081/x,https://u:Wort@s:1"_s
                          << u"http://r:8081/x,https://s:1"_s
                          << u"http://…@r:8081/x,https://…@s:1"_s;
    QTest::newRow("raw characters")
        << registry << u"https://u:a,b@c@r"_s << u"https://r"_s << u"https://…@r"_s;
    QTest::newRow("no scheme") << registry << u"u:geheim@r:8081"_s << u"r:8081"_s << u"…@r:8081"_s;
    QTest::newRow("none") << registry << u"http://a:1, http://b/x@y?z=@"_s
                          << u"http://a:1, http://b/x@y?z=@"_s << u"http://a:1, http://b/x@y?z=@"_s;
    QTest::newRow("token endpoint")
        << u"sasl.oauthbearer.token.endpoint.url"_s << u"https://u:Wort@idp/token"_s
        << u"https://idp/token"_s << u"https://…@idp/token"_s;
    QTest::newRow("unknown") << u"Some.Other.URL"_s << u"ftp://Token@h"_s << u"ftp://h"_s
                             << u"ftp://…@h"_s;
}

void tst_Secrets::loginsInAddressesAreSecret()
{
    QFETCH(const QString, property);
    QFETCH(const QString, url);
    SessionConfig config;
    config.properties.insert(property, url);
    QTEST(withoutSecrets(config).properties.value(property), "kept");
    QTEST(hideSecrets(url, config.properties), "hidden");
    QTEST(hideSecrets(u"at "_s + url, {}).sliced(3), url.contains(u"://"_s) ? "hidden" : "url");
}

void tst_Secrets::passwordsOfLoginsAreHidden()
{
    const QMap<QString, QString> properties = {
        {u"schema.registry.url"_s, u"https://me:Wort%2F1@r"_s},
        {u"basic.auth.user.info"_s, u"me:Wort-2"_s}};
    QCOMPARE(hideSecrets(u"me: Wort/1, Wort%2F1 and Wort-2 refused"_s, properties),
             u"me: …, … and … refused"_s);
}

void tst_Secrets::anOpenTokenEndpointIsKnown_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("host"); // empty: nothing to warn of
    QTest::newRow("https") << u"https://idp/token"_s << QString();
    QTest::newRow("http") << u"http://idp.example:8080/token"_s << u"idp.example"_s;
    QTest::newRow("capitals, blanks") << u" HTTP://IDP/t "_s << u"idp"_s;
    QTest::newRow("user") << u"http://me:geheim@10.1.2.3/t"_s << u"10.1.2.3"_s;
    QTest::newRow("localhost") << u"http://localhost:8080/t"_s << QString();
    QTest::newRow("127") << u"http://127.0.0.2/t"_s << QString();
    QTest::newRow("::1") << u"http://[::1]:8080/t"_s << QString();
    QTest::newRow("looks like it")
        << u"http://localhost.evil.example/t"_s << u"localhost.evil.example"_s;
    QTest::newRow("none") << QString() << QString();
}

void tst_Secrets::anOpenTokenEndpointIsKnown()
{
    QFETCH(const QString, url);
    QTEST(openTokenHost({{u"sasl.oauthbearer.token.endpoint.url"_s, url}}), "host");
}

QTEST_APPLESS_MAIN(tst_Secrets)
#include "tst_secrets.moc"
