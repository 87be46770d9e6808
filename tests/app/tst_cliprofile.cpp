#include "core/profiles/connectionstore.h"
#include "tests/support/cliprogram.h"

#include <QDirIterator>

using namespace topicscope;
using namespace topicscope::test;
using namespace Qt::StringLiterals;

using More = QMap<QString, QString>; ///< properties

class tst_CliProfile : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void aKeptConnectionIsUsed();
    void anUnknownOneNamesThoseThereAre();
    void aReadOnlyOneStaysSo();
    void aMissingSecretIsAskedForByItsVariable();
    void aConfigurationFileIsRead();
    void anOpenTokenEndpointIsWarnedOf();
    void noSecretIsSaidOrWritten_data();
    void noSecretIsSaidOrWritten();

private:
    Ran cli(const QStringList &arguments, const QMap<QString, QString> &variables = {}) const
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"XDG_CONFIG_HOME"_s, m_config.path());
        environment.insert(u"DBUS_SESSION_BUS_ADDRESS"_s, u"unix:path=/nonexistent"_s);
        for (auto each = variables.cbegin(); each != variables.cend(); ++each)
            environment.insert(each.key(), each.value());
        // Not this terminal's questions: a session of its own has none.
        return runProgram(u"setsid"_s, QStringList{u"-w"_s, cliProgram()} + arguments, {},
                          environment);
    }
    static SessionConfig kafka(const QString &name)
    {
        SessionConfig config;
        config.engine = Engine::Kafka;
        config.name = name;
        config.host = u"127.0.0.1"_s;
        config.properties = {{u"bootstrap.servers"_s, u"127.0.0.1:1"_s},
                             {u"security.protocol"_s, u"sasl_plaintext"_s},
                             {u"sasl.mechanism"_s, u"PLAIN"_s},
                             {u"sasl.username"_s, u"me"_s}};
        return config;
    }
    QString file() const
    {
        QDirIterator files(m_config.path(), QDir::Files, QDirIterator::Subdirectories);
        return files.hasNext() ? files.next() : QString();
    }

    QTemporaryDir m_config;
    QTemporaryDir m_data;
    std::unique_ptr<ServedBroker> m_broker;
};

void tst_CliProfile::initTestCase()
{
    m_broker = std::make_unique<ServedBroker>(m_data.path(), u"orders:2"_s);
    QVERIFY(m_broker->port() != 0);
    // Where the window's settings are for whoever has this XDG_CONFIG_HOME.
    qputenv("XDG_CONFIG_HOME", m_config.path().toLocal8Bit());
    ConnectionStore store;
    SessionConfig local;
    local.name = u"my local"_s;
    local.host = u"127.0.0.1"_s;
    local.port = m_broker->port();
    QVERIFY(store.add(local));
    local.name = u"guarded"_s;
    local.readOnly = true;
    QVERIFY(store.add(local));
    SessionConfig secured = kafka(u"prod"_s);
    secured.properties.insert(u"sasl.password"_s, u"Geheim-1"_s);
    QVERIFY(store.add(secured));
}

void tst_CliProfile::aKeptConnectionIsUsed()
{
    const Ran ran = cli({u"topics"_s, u"--profile"_s, u"my local"_s});
    QVERIFY2(ran.code == 0, ran.err.constData());
    QVERIFY2(ran.out.contains("orders"), ran.out.constData());
    QCOMPARE(cli({u"topics"_s, u"--profile"_s, u"my local"_s, u"-b"_s, u"x"_s}).code, 2);
}

void tst_CliProfile::anUnknownOneNamesThoseThereAre()
{
    const Ran ran = cli({u"topics"_s, u"--profile"_s, u"Local"_s});
    QCOMPARE(ran.code, 2);
    QVERIFY2(ran.err.contains("there is no kept connection \"Local\"; there are: \"my local\", "
                              "\"guarded\", \"prod\""),
             ran.err.constData());
}

void tst_CliProfile::aReadOnlyOneStaysSo()
{
    const Ran ran =
        cli({u"publish"_s, u"--profile"_s, u"guarded"_s, u"orders"_s, u"--value"_s, u"v"_s});
    QCOMPARE(ran.code, 1);
    QVERIFY2(ran.err.contains("read-only"), ran.err.constData());
}

void tst_CliProfile::aMissingSecretIsAskedForByItsVariable()
{
    const Ran ran = cli({u"topics"_s, u"--profile"_s, u"prod"_s});
    QCOMPARE(ran.code, 2);
    QVERIFY2(ran.err.contains("sasl.password is missing: set TOPICSCOPE_SECRET_SASL_PASSWORD"),
             ran.err.constData());
    const Ran given = cli({u"topics"_s, u"--profile"_s, u"prod"_s, u"--timeout"_s, u"5"_s},
                          {{u"TOPICSCOPE_SECRET_SASL_PASSWORD"_s, u"Geheim-1"_s}});
    QCOMPARE(given.code, 1); // nobody listens there
    QVERIFY2(given.err.contains("no connection"), given.err.constData());
}

void tst_CliProfile::aConfigurationFileIsRead()
{
    QFile config(m_data.filePath(u"client.properties"_s));
    QVERIFY(config.open(QIODevice::WriteOnly));
    config.write("bootstrap.servers=127.0.0.1:1\nsecurity.protocol=SASL_PLAINTEXT\n"
                 "sasl.mechanism=PLAIN\nsasl.jaas.config=org.apache.kafka.common.security.plain."
                 "PlainLoginModule required username=\"me\" password=\"Geheim-1\";\ngroup.id=g\n");
    config.close();
    const Ran ran = cli({u"topics"_s, u"--config"_s, config.fileName(), u"--timeout"_s, u"5"_s});
    QCOMPARE(ran.code, 1);
    QVERIFY2(ran.err.contains("group.id was not taken"), ran.err.constData());
    QVERIFY2(ran.err.contains("127.0.0.1:1: no connection"), ran.err.constData());
    QCOMPARE(cli({u"topics"_s, u"--config"_s, u"/nonexistent"_s}).code, 1);
}

void tst_CliProfile::anOpenTokenEndpointIsWarnedOf()
{
    const auto said = [this](const QString &endpoint) {
        const Ran ran = cli(
            {u"topics"_s, u"-b"_s, u"kafka://127.0.0.1:1"_s, u"--timeout"_s, u"2"_s, u"-X"_s,
             u"security.protocol=sasl_plaintext"_s, u"-X"_s, u"sasl.mechanism=OAUTHBEARER"_s,
             u"-X"_s, u"sasl.oauthbearer.method=oidc"_s, u"-X"_s, u"sasl.oauthbearer.client.id=i"_s,
             u"-X"_s, u"sasl.oauthbearer.client.secret=Geheim-1"_s, u"-X"_s,
             u"sasl.oauthbearer.token.endpoint.url="_s + endpoint});
        return ran.code == 1 ? ran.err : QByteArray(); // tried, in any case
    };
    const QByteArray open = said(u"http://idp.invalid/token"_s);
    QVERIFY2(open.contains("the client's secret is sent to idp.invalid without TLS"),
             open.constData());
    QVERIFY(!open.contains("Geheim-1"));
    const QByteArray here = said(u"http://127.0.0.1:1/token"_s);
    QVERIFY(!here.isEmpty());
    QVERIFY2(!here.contains("without TLS"), here.constData());
}

void tst_CliProfile::noSecretIsSaidOrWritten_data()
{
    QTest::addColumn<More>("more");
    QTest::newRow("refused connection") << More();
    QTest::newRow("a peer that is no broker") << More{{u"bootstrap.servers"_s, u"our own"_s}};
    QTest::newRow("a mechanism there is not") << More{{u"sasl.mechanism"_s, u"GEHEIM"_s}};
    QTest::newRow("a key that is none")
        << More{{u"security.protocol"_s, u"sasl_ssl"_s}, {u"ssl.key.pem"_s, u"Geheim-1"_s}};
    QTest::newRow("a password in a property there is not")
        << More{{u"my.password"_s, u"Geheim-1"_s}};
    QTest::newRow("a pasted token that is none") << More{
        {u"sasl.mechanism"_s, u"OAUTHBEARER"_s}, {u"sasl.oauthbearer.token"_s, u"Geheim-1 x"_s}};
    QTest::newRow("everything the library logs")
        << More{{u"debug"_s, u"all"_s}, {u"log_level"_s, u"7"_s}};
}

/// Whatever is wrong: the bytes of the secret are nowhere.
void tst_CliProfile::noSecretIsSaidOrWritten()
{
    QFETCH(More, more);
    if (more.contains(u"bootstrap.servers"_s))
        more[u"bootstrap.servers"_s] = m_broker->address();
    QStringList options;
    for (auto each = more.cbegin(); each != more.cend(); ++each)
        options << u"-X"_s << each.key() + u'=' + each.value();
    QByteArray said;
    for (const QString &json : {QString(), u"--json"_s}) {
        QStringList arguments{u"topics"_s, u"--profile"_s, u"prod"_s, u"--timeout"_s, u"3"_s};
        arguments += options;
        if (!json.isEmpty())
            arguments << json;
        const Ran ran = cli(arguments, {{u"TOPICSCOPE_SECRET_SASL_PASSWORD"_s, u"Geheim-1"_s},
                                        {u"QT_LOGGING_RULES"_s, u"*=true"_s}});
        QVERIFY2(ran.code == 1 || ran.code == 2, ran.err.constData());
        QVERIFY(!ran.err.isEmpty());
        said += ran.out + ran.err;
    }
    QFile settings(file());
    QVERIFY(settings.open(QIODevice::ReadOnly));
    const QByteArray kept = settings.readAll();
    QVERIFY(kept.contains("sasl.username"));
    for (const QByteArray &form : {QByteArray("Geheim-1"), QByteArray("Geheim-1").toBase64(),
                                   QByteArray("Geheim-1").toHex()}) {
        QVERIFY2(!said.contains(form), said.constData());
        QVERIFY2(!kept.contains(form), kept.constData());
    }
}

QTEST_GUILESS_MAIN(tst_CliProfile)
#include "tst_cliprofile.moc"
