#include "core/profiles/propertiesimport.h"

#include <QTest>

using namespace topicscope;
using namespace Qt::StringLiterals;

using Properties = QMap<QString, QString>;

class tst_PropertiesImport : public QObject
{
    Q_OBJECT
private slots:
    void javaEscapes();
    void javaLogin_data();
    void javaLogin();
    void javaStores_data();
    void javaStores();
    void theSchemaRegistryIsTaken();
    void theSchemaRegistryIsTakenFromKcatToo();
    void whatIsNotTakenIsSaid();
    void quotesAroundALoginGiveNothingAway();
    void kcatsFileIsTakenAsItIs();
    void nothingThatRunsIsTaken_data();
    void nothingThatRunsIsTaken();
    void hostileTextIsHarmless();
};

void tst_PropertiesImport::javaEscapes()
{
    // As java.util.Properties' documentation has them.
    const Properties read =
        parseJavaProperties(u"Truth = Beauty\r\n Truth2:Beauty\nTruth3\t\t\t:Beauty\n"
                            "fruits   apple, banana, \\\n         pear, \\\n         mango\n"
                            "cheeses\n# a=b\n! c=d\n\n"
                            "a\\:b\\ c = \\u0041\\t\\\\ x \nlast=\\u00fc\\"_s);
    const Properties expected = {
        {u"Truth"_s, u"Beauty"_s},  {u"Truth2"_s, u"Beauty"_s},
        {u"Truth3"_s, u"Beauty"_s}, {u"fruits"_s, u"apple, banana, pear, mango"_s},
        {u"cheeses"_s, QString()},  {u"a:b c"_s, u"A\t\\ x "_s},
        {u"last"_s, u"ü"_s}};
    QCOMPARE(read, expected);
}

void tst_PropertiesImport::javaLogin_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<Properties>("properties");
    const Properties scram = {{u"bootstrap.servers"_s, u"a:9092,b:9092"_s},
                              {u"security.protocol"_s, u"sasl_ssl"_s},
                              {u"sasl.mechanism"_s, u"SCRAM-SHA-512"_s},
                              {u"sasl.username"_s, u"ali ce"_s},
                              {u"sasl.password"_s, u"p\"=;w"_s}};
    QTest::newRow("SCRAM") << QByteArray(
                                  "bootstrap.servers=a:9092,b:9092\nsecurity.protocol=SASL_SSL\n"
                                  "sasl.mechanism=SCRAM-SHA-512\nsasl.jaas.config="
                                  "org.apache.kafka.common.security.scram.ScramLoginModule "
                                  "required \\\n  username=\"ali ce\" \\\n"
                                  "  password=\"p\\\\\"=;w\";\n")
                           << scram;
    QTest::newRow("client credentials")
        << QByteArray("sasl.mechanism=OAUTHBEARER\n"
                      "sasl.oauthbearer.token.endpoint.url=https\\://idp/token\n"
                      "sasl.login.callback.handler.class=org.apache.kafka.common.security."
                      "oauthbearer.OAuthBearerLoginCallbackHandler\n"
                      "sasl.jaas.config=org.apache.kafka.common.security.oauthbearer."
                      "OAuthBearerLoginModule required clientId='id' clientSecret='s' "
                      "scope='all' extension_logicalCluster='lkc-1';")
        << Properties{{u"sasl.mechanism"_s, u"OAUTHBEARER"_s},
                      {u"sasl.oauthbearer.method"_s, u"oidc"_s},
                      {u"sasl.oauthbearer.token.endpoint.url"_s, u"https://idp/token"_s},
                      {u"sasl.oauthbearer.client.id"_s, u"id"_s},
                      {u"sasl.oauthbearer.client.secret"_s, u"s"_s},
                      {u"sasl.oauthbearer.scope"_s, u"all"_s},
                      {u"sasl.oauthbearer.extensions"_s, u"logicalCluster=lkc-1"_s}};
    QTest::newRow("Kerberos with a ticket")
        << QByteArray("sasl.mechanism=GSSAPI\nsasl.kerberos.service.name=kafka\n"
                      "sasl.jaas.config=com.sun.security.auth.module.Krb5LoginModule required "
                      "useTicketCache=true;")
        << Properties{{u"sasl.mechanism"_s, u"GSSAPI"_s},
                      {u"sasl.kerberos.service.name"_s, u"kafka"_s},
                      {u"sasl.kerberos.min.time.before.relogin"_s, u"0"_s}};
    QTest::newRow("Kerberos with a keytab")
        << QByteArray("sasl.mechanism=GSSAPI\n"
                      "sasl.jaas.config=com.sun.security.auth.module.Krb5LoginModule required "
                      "useKeyTab=true keyTab=\"/k\" principal=\"me@R\";")
        << Properties{{u"sasl.mechanism"_s, u"GSSAPI"_s},
                      {u"sasl.kerberos.keytab"_s, u"/k"_s},
                      {u"sasl.kerberos.principal"_s, u"me@R"_s}};
}

void tst_PropertiesImport::javaLogin()
{
    QFETCH(const QByteArray, text);
    const auto imported = importProperties(text);
    QTEST(imported.properties, "properties");
    QCOMPARE(imported.notes, QStringList());
}

void tst_PropertiesImport::javaStores_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<Properties>("properties");
    QTest::addColumn<QString>("command");
    QTest::newRow("PEM files") << QByteArray(
                                      "ssl.truststore.type=PEM\nssl.truststore.location=/ca\n"
                                      "ssl.keystore.type=PEM\nssl.keystore.location=/me\n"
                                      "ssl.key.password=k\n"
                                      "ssl.endpoint.identification.algorithm=\n")
                               << Properties{{u"ssl.ca.location"_s, u"/ca"_s},
                                             {u"ssl.certificate.location"_s, u"/me"_s},
                                             {u"ssl.key.location"_s, u"/me"_s},
                                             {u"ssl.key.password"_s, u"k"_s},
                                             {u"ssl.endpoint.identification.algorithm"_s,
                                              u"none"_s}}
                               << QString();
    QTest::newRow("PEM inside") << QByteArray("ssl.truststore.type=PEM\n"
                                              "ssl.truststore.certificates=-----B \\\n C\n"
                                              "ssl.keystore.certificate.chain=D\n"
                                              "ssl.keystore.key=E\n")
                                << Properties{{u"ssl.ca.pem"_s, u"-----B C"_s},
                                              {u"ssl.certificate.pem"_s, u"D"_s},
                                              {u"ssl.key.pem"_s, u"E"_s}}
                                << QString();
    QTest::newRow("JKS trust") << QByteArray("ssl.truststore.location=/t.jks\n"
                                             "ssl.truststore.password=geheim\n")
                               << Properties() << u"keytool -list -rfc -keystore \"/t.jks\""_s;
    QTest::newRow("PKCS12 trust") << QByteArray("ssl.truststore.location=/t.p12\n") << Properties()
                                  << u"openssl pkcs12 -in \"/t.p12\" -nokeys -out ca.pem"_s;
    QTest::newRow("JKS keys") << QByteArray("ssl.keystore.location=/k.jks\n"
                                            "ssl.keystore.password=geheim\n")
                              << Properties()
                              << u"keytool -importkeystore -srckeystore \"/k.jks\""_s;
    QTest::newRow("PKCS12 keys") << QByteArray("ssl.keystore.type=PKCS12\n"
                                               "ssl.keystore.location=/k\n"
                                               "ssl.keystore.password=p\n")
                                 << Properties{{u"ssl.keystore.location"_s, u"/k"_s},
                                               {u"ssl.keystore.password"_s, u"p"_s}}
                                 << QString();
}

void tst_PropertiesImport::javaStores()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QString, command);
    const auto imported = importProperties(text);
    QTEST(imported.properties, "properties");
    QCOMPARE(imported.notes.isEmpty(), command.isEmpty());
    const QString notes = imported.notes.join(u'\n');
    QVERIFY2(notes.contains(command), qPrintable(notes));
    QVERIFY(!notes.contains(u"geheim"_s));
}

void tst_PropertiesImport::theSchemaRegistryIsTaken()
{
    const auto read = importProperties("bootstrap.servers=a:9092\n"
                                       "schema.registry.url=https://u:p%40q@r:8081,https://s\n"
                                       "basic.auth.credentials.source=URL\n"
                                       "schema.registry.ssl.truststore.location=/ca.pem\n"
                                       "schema.registry.ssl.truststore.type=PEM\n");
    const Properties expected = {{u"bootstrap.servers"_s, u"a:9092"_s},
                                 {u"schema.registry.url"_s, u"https://r:8081,https://s"_s},
                                 {u"basic.auth.user.info"_s, u"u:p@q"_s},
                                 {u"schema.registry.ssl.ca.location"_s, u"/ca.pem"_s}};
    QCOMPARE(read.properties, expected);
    QCOMPARE(read.notes.size(), 1); // of the type alone
    QCOMPARE(importProperties("schema.registry.url=http://r\nbasic.auth.user.info=a:b\n")
                 .properties.value(u"basic.auth.user.info"_s),
             u"a:b"_s);
    QCOMPARE(importProperties("schema.registry.url=http://x:y@r\n"
                              "schema.registry.basic.auth.user.info=a:b\n")
                 .properties,
             Properties({{u"schema.registry.url"_s, u"http://r"_s},
                         {u"basic.auth.user.info"_s, u"a:b"_s}}));
}

void tst_PropertiesImport::theSchemaRegistryIsTakenFromKcatToo()
{
    const auto read = importProperties("metadata.broker.list=a:9092\n"
                                       "schema.registry.url=https://u:p%40q@r:8081\n");
    QCOMPARE(read.properties, Properties({{u"bootstrap.servers"_s, u"a:9092"_s},
                                          {u"schema.registry.url"_s, u"https://r:8081"_s},
                                          {u"basic.auth.user.info"_s, u"u:p@q"_s}}));
    QCOMPARE(read.notes, QStringList());
}

void tst_PropertiesImport::whatIsNotTakenIsSaid()
{
    const auto imported = importProperties(
        "bootstrap.servers=a:1\ngroup.id=g\nssl.protocol=TLSv1.3\n"
        "sasl.jaas.config=software.amazon.msk.auth.iam.IAMLoginModule required x=\"geheim\";\n");
    QCOMPARE(imported.properties, Properties({{u"bootstrap.servers"_s, u"a:1"_s}}));
    QCOMPARE(
        imported.notes,
        QStringList(
            {u"The login module software.amazon.msk.auth.iam.IAMLoginModule is not known here."_s,
             u"group.id was not taken: it is not about the connection."_s,
             u"ssl.protocol was not taken: librdkafka has no such setting."_s}));
}

void tst_PropertiesImport::quotesAroundALoginGiveNothingAway()
{
    const QByteArray login = "org.apache.kafka.common.security.plain.PlainLoginModule required "
                             "username='me' password='geheim';";
    const auto quoted = importProperties("sasl.jaas.config=\"" + login + "\"\n");
    QCOMPARE(quoted.properties,
             Properties({{u"sasl.username"_s, u"me"_s}, {u"sasl.password"_s, u"geheim"_s}}));
    QCOMPARE(quoted.notes, QStringList());
    const auto half = importProperties("sasl.jaas.config=\"" + login + "\n");
    QCOMPARE(half.notes, QStringList(u"The login module of sasl.jaas.config is not known here."_s));
}

void tst_PropertiesImport::kcatsFileIsTakenAsItIs()
{
    const auto imported =
        importProperties("# mine\r\nmetadata.broker.list = a:1,b:2\nsecurity.protocol=SASL_SSL\n"
                         "sasl.mechanisms=PLAIN\nsasl.username=me\nsasl.password=a\\b=#c\n"
                         "enable.auto.commit=true\nplugin.library.paths=/x.so\nno line\n");
    const Properties expected = {{u"bootstrap.servers"_s, u"a:1,b:2"_s},
                                 {u"security.protocol"_s, u"sasl_ssl"_s},
                                 {u"sasl.mechanism"_s, u"PLAIN"_s},
                                 {u"sasl.username"_s, u"me"_s},
                                 {u"sasl.password"_s, u"a\\b=#c"_s}};
    QCOMPARE(imported.properties, expected);
    QCOMPARE(imported.notes,
             QStringList({u"plugin.library.paths was not taken: it would load foreign code."_s,
                          u"enable.auto.commit was not taken: the program sets it itself."_s}));
}

void tst_PropertiesImport::nothingThatRunsIsTaken_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("note"); // empty: it is taken, as it is
    const QByteArray jaas =
        "sasl.jaas.config=com.sun.security.auth.module.Krb5LoginModule required "
        "useKeyTab=true ";
    const QString code = u" was not taken: it would load foreign code."_s;
    const QString kinit =
        u" was not taken: it becomes part of the kinit command, and a shell would run what it "
        "holds."_s;
    for (const QByteArray &name :
         {QByteArray("plugin.library.paths"), QByteArray("ssl.engine.location"),
          QByteArray("ssl.engine.id"), QByteArray("ssl.providers"), QByteArray("ssl.provider"),
          QByteArray("interceptors")})
        QTest::newRow(name.constData()) << name + "=/x" << QString::fromLatin1(name) + code;
    QTest::newRow("command") << QByteArray("sasl.kerberos.kinit.cmd=touch /tmp/x")
                             << u"sasl.kerberos.kinit.cmd was not taken: its value is a command "
                                "that a shell would run. Type it by hand if you trust it."_s;
    QTest::newRow("principal") << QByteArray("sasl.kerberos.principal=me; touch /tmp/x")
                               << u"sasl.kerberos.principal"_s + kinit;
    QTest::newRow("substitution") << QByteArray("sasl.kerberos.principal=me$(id)")
                                  << u"sasl.kerberos.principal"_s + kinit;
    QTest::newRow("keytab") << QByteArray("sasl.kerberos.keytab=/k\"; touch /tmp/x; \"")
                            << u"sasl.kerberos.keytab"_s + kinit;
    QTest::newRow("JAAS principal")
        << jaas + "principal=\"me`id`\";" << u"sasl.kerberos.principal"_s + kinit;
    QTest::newRow("JAAS keytab") << jaas + "keyTab=\"/k$(id)\";"
                                 << u"sasl.kerberos.keytab"_s + kinit;
    QTest::newRow("ordinary principal")
        << QByteArray("sasl.kerberos.principal=kafka/b-1.example.org@EXAMPLE.ORG") << QString();
    QTest::newRow("keytab with a blank")
        << QByteArray("sasl.kerberos.keytab=/my keys (old)/k.keytab") << QString();
}

void tst_PropertiesImport::nothingThatRunsIsTaken()
{
    QFETCH(const QByteArray, line);
    QFETCH(const QString, note);
    // Once as kcat's file (a name only it has), once as Java's.
    const bool isJaas = line.startsWith("sasl.jaas");
    for (const bool kcat : {true, false}) {
        if (kcat ? isJaas : note.isEmpty())
            continue; // JAAS is Java's alone, the ordinary names are kcat's
        const QByteArray first = kcat ? "ssl.ca.location=/ca" : "client.id=x";
        const auto imported = importProperties(first + '\n' + line + '\n');
        const QByteArray name = line.first(line.indexOf('='));
        if (note.isEmpty()) {
            QCOMPARE(imported.properties.value(QString::fromLatin1(name)),
                     QString::fromLatin1(line.sliced(name.size() + 1)));
            QCOMPARE(imported.notes, QStringList());
            continue;
        }
        QCOMPARE(imported.notes, QStringList(note));
        for (auto each = imported.properties.cbegin(); each != imported.properties.cend(); ++each) {
            QVERIFY2(!each.value().contains(u"/tmp/x"_s), qPrintable(each.key()));
            QVERIFY2(!each.value().contains(u"id)"_s), qPrintable(each.key()));
            QVERIFY2(each.key() != note.section(u' ', 0, 0), qPrintable(each.key()));
        }
    }
}

void tst_PropertiesImport::hostileTextIsHarmless()
{
    for (const QByteArray &text :
         {QByteArray(), QByteArray("\\"), QByteArray("a\\"), QByteArray("=\n:\n \\\n\\\n"),
          QByteArray("\xff\xfe\0=\\u12", 8), QByteArray("sasl.jaas.config=\"\\"),
          QByteArray("sasl.jaas.config=x required a= \n"), QByteArray("sasl.jaas.config=;;;=")})
        (void)importProperties(text);
    QCOMPARE(importProperties("\xef\xbb\xbf"
                              "bootstrap.servers=a:1")
                 .properties,
             Properties({{u"bootstrap.servers"_s, u"a:1"_s}}));
}

QTEST_APPLESS_MAIN(tst_PropertiesImport)
#include "tst_propertiesimport.moc"
