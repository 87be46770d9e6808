// The dialog of a connection to Apache Kafka: what is entered becomes librdkafka's properties and
// back, what is wrong is said, and secrets stay secret.

#include "core/profiles/connectionstore.h"
#include "core/profiles/profilesecrets.h"
#include "core/profiles/propertycatalog.h"
#include "tests/support/fakesession.h"
#include "ui/dialogs/connectdialog.h"
#include "ui/dialogs/connectionsdialog.h"
#include "ui/dialogs/profileopener.h"
#include "ui/dialogs/secretsdialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

using namespace topicscope;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;
using test::FakeBroker;

using Properties = QMap<QString, QString>;

namespace
{

class Catalog final : public PropertyCatalog
{
public:
    QString library() const override { return u"lib 1"_s; }
    const QList<EngineProperty> &properties() const override { return m_properties; }
    QString problem(const QString &name, const QString &value) const override
    {
        if (name != u"socket.timeout.ms"_s && name != u"ssl.cipher.suites"_s &&
            name != u"sasl.kerberos.kinit.cmd"_s)
            return u"lib 1 has no property "_s + name;
        return value == u"bad"_s ? u"not that"_s : QString();
    }
    QString loginLimit(const QString &mechanism) const override
    {
        return mechanism == u"SCRAM-SHA-256"_s ? u"lib 1 cannot."_s : QString();
    }
    QStringList missingFeatures() const override { return {}; }

private:
    QList<EngineProperty> m_properties = {
        {u"socket.timeout.ms"_s, u"10 .. 300000"_s, u"60000"_s, u"How long."_s},
        {u"ssl.cipher.suites"_s, u"string"_s, QString(), u"Which."_s}};
};

/// A keychain that has what it is given, and answers when told to, or at once.
class Keychain final : public SecretStore
{
public:
    struct Kept {
        QHash<SecretKey, QString> secrets;
        bool isSilent = false;
        std::vector<std::function<void()>> late;
    };
    explicit Keychain(Kept *kept)
        : m_kept(kept)
    {
    }
    void read(const SecretKey &key, QObject *context, ReadAnswer answer) override
    {
        if (m_kept->isSilent) {
            m_kept->late.emplace_back(
                [this, key, answer] { answer(std::optional(m_kept->secrets.value(key))); });
            return;
        }
        std::optional<QString> found;
        if (m_kept->secrets.contains(key))
            found = m_kept->secrets.value(key);
        QMetaObject::invokeMethod(
            context, [answer, found] { answer(found); }, Qt::QueuedConnection);
    }
    void write(const SecretKey &key, const QString &secret, QObject *, DoneAnswer answer) override
    {
        m_kept->secrets.insert(key, secret);
        answer({});
    }
    void remove(const SecretKey &key, QObject *, DoneAnswer answer) override
    {
        m_kept->secrets.remove(key);
        answer({});
    }

private:
    Kept *m_kept;
};

template <typename T>
T *child(const QWidget &parent, const char *name)
{
    T *found = parent.findChild<T *>(QString::fromLatin1(name));
    Q_ASSERT(found);
    return found;
}

SessionConfig kafka(const Properties &properties)
{
    SessionConfig config;
    config.engine = Engine::Kafka;
    config.name = u"prod"_s;
    config.host = u"a"_s;
    config.port = 1;
    config.properties = properties;
    return config;
}

const Properties kPlain = {{u"security.protocol"_s, u"sasl_ssl"_s},
                           {u"sasl.mechanism"_s, u"PLAIN"_s},
                           {u"sasl.username"_s, u"me"_s},
                           {u"sasl.password"_s, u"Geheim"_s}};

} // namespace

class tst_KafkaProfile : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
        m_kept = {};
        m_secrets = std::make_unique<ProfileSecrets>(std::make_unique<Keychain>(&m_kept));
    }
    void everyConfigComesBackAsItWas_data();
    void everyConfigComesBackAsItWas();
    void onlyWhatTheEngineAndTheLoginNeedIsShown();
    void theWindowKeepsItsSize();
    void aLoginWithoutAMechanismIsKerberos();
    void blanksBehindCommasAreNoFault();
    void secretsComeInWhileTheAddressIsTyped();
    void aSecretPropertyIsShownAsDots();
    void aLoginInTheRegistrysAddressIsKeptAsASecret();
    void aLoginInTheTokenEndpointIsHidden();
    void limitsAndDangersAreSaid();
    void aCommandTypedByHandIsSaidToRun();
    void propertiesAreCheckedAsTheyAreEntered_data();
    void propertiesAreCheckedAsTheyAreEntered();
    void aFileIsImportedAndWhatWasNotTakenIsSaid();
    void secretsGoToTheKeychainAndComeBack();
    void aMissingSecretIsAskedFor();
    void whatItWasGivenIsAskedFor();
    void aSilentKeychainIsNotWaitedFor();
    void aLateKeychainDoesNotInterruptTyping();

private:
    ProfileServices services() { return {m_broker.factory(), &m_catalog, m_secrets.get()}; }

    FakeBroker m_broker;
    Catalog m_catalog;
    Keychain::Kept m_kept;
    std::unique_ptr<ProfileSecrets> m_secrets;
};

void tst_KafkaProfile::everyConfigComesBackAsItWas_data()
{
    QTest::addColumn<Properties>("properties");
    QTest::newRow("plain") << Properties{};
    QTest::newRow("several") << Properties{{u"bootstrap.servers"_s, u"a:1,b:2"_s}};
    QTest::newRow("TLS") << Properties{{u"security.protocol"_s, u"ssl"_s},
                                       {u"ssl.ca.location"_s, u"/ca"_s},
                                       {u"ssl.certificate.location"_s, u"/c"_s},
                                       {u"ssl.key.location"_s, u"/k"_s},
                                       {u"ssl.key.password"_s, u" p "_s},
                                       {u"ssl.endpoint.identification.algorithm"_s, u"none"_s}};
    QTest::newRow("PEM") << Properties{{u"security.protocol"_s, u"ssl"_s},
                                       {u"ssl.ca.pem"_s, u"-----BEGIN X\n"_s},
                                       {u"ssl.key.pem"_s, u"-----BEGIN Y\n"_s},
                                       {u"enable.ssl.certificate.verification"_s, u"false"_s}};
    QTest::newRow("PKCS12") << Properties{{u"security.protocol"_s, u"ssl"_s},
                                          {u"ssl.keystore.location"_s, u"/k.p12"_s},
                                          {u"ssl.keystore.password"_s, u"p"_s}};
    QTest::newRow("store without an ending") << Properties{{u"security.protocol"_s, u"ssl"_s},
                                                           {u"ssl.keystore.location"_s, u"/k"_s},
                                                           {u"ssl.keystore.password"_s, u"p"_s}};
    QTest::newRow("PLAIN") << kPlain;
    QTest::newRow("SCRAM") << Properties{{u"security.protocol"_s, u"sasl_plaintext"_s},
                                         {u"sasl.mechanism"_s, u"SCRAM-SHA-512"_s},
                                         {u"sasl.username"_s, u"me"_s},
                                         {u"sasl.password"_s, u"p"_s}};
    QTest::newRow("token") << Properties{{u"security.protocol"_s, u"sasl_ssl"_s},
                                         {u"sasl.mechanism"_s, u"OAUTHBEARER"_s},
                                         {u"sasl.oauthbearer.token"_s, u"t"_s}};
    QTest::newRow("client credentials")
        << Properties{{u"security.protocol"_s, u"sasl_ssl"_s},
                      {u"sasl.mechanism"_s, u"OAUTHBEARER"_s},
                      {u"sasl.oauthbearer.method"_s, u"oidc"_s},
                      {u"sasl.oauthbearer.token.endpoint.url"_s, u"https://x"_s},
                      {u"sasl.oauthbearer.client.id"_s, u"i"_s},
                      {u"sasl.oauthbearer.client.secret"_s, u"s"_s},
                      {u"sasl.oauthbearer.scope"_s, u"sc"_s}};
    QTest::newRow("Kerberos with the ticket there is")
        << Properties{{u"security.protocol"_s, u"sasl_plaintext"_s},
                      {u"sasl.mechanism"_s, u"GSSAPI"_s},
                      {u"sasl.kerberos.service.name"_s, u"kafka"_s},
                      {u"sasl.kerberos.min.time.before.relogin"_s, u"0"_s}};
    QTest::newRow("Kerberos with a keytab")
        << Properties{{u"security.protocol"_s, u"sasl_plaintext"_s},
                      {u"sasl.mechanism"_s, u"GSSAPI"_s},
                      {u"sasl.kerberos.principal"_s, u"me@R"_s},
                      {u"sasl.kerberos.keytab"_s, u"/k"_s}};
    QTest::newRow("free") << Properties{{u"socket.timeout.ms"_s, u"5000"_s}};
}

void tst_KafkaProfile::everyConfigComesBackAsItWas()
{
    QFETCH(const Properties, properties);
    ConnectDialog dialog(services(), ConnectDialog::Purpose::Edit);
    const SessionConfig config = kafka(properties);
    dialog.setConfig(config);
    QVERIFY(dialog.config());
    QCOMPARE(dialog.config()->properties, properties);
    QCOMPARE(*dialog.config(), config);
    // Another engine takes nothing of it along.
    auto *engine = child<QComboBox>(dialog, "engine");
    engine->setCurrentIndex(0);
    if (const auto booblik = dialog.config())
        QCOMPARE(booblik->properties, Properties());
}

void tst_KafkaProfile::onlyWhatTheEngineAndTheLoginNeedIsShown()
{
    ConnectDialog dialog(services(), ConnectDialog::Purpose::Add);
    dialog.show();
    auto *tabs = child<QTabWidget>(dialog, "tabs");
    const auto visible = [tabs] {
        QStringList names;
        for (int i = 0; i < tabs->count(); ++i) {
            if (tabs->isTabVisible(i) && tabs->isTabEnabled(i))
                names << tabs->tabText(i).remove(u'&');
        }
        return names;
    };
    QCOMPARE(visible(), QStringList({u"Time-outs"_s}));
    QVERIFY(!child<QPushButton>(dialog, "importButton")->isVisible());
    QTest::keyClicks(child<QLineEdit>(dialog, "address"), u"kafka://a:1"_s);
    QCOMPARE(child<QLineEdit>(dialog, "address")->text(), u"a:1"_s);
    QCOMPARE(visible(),
             QStringList({u"Security"_s, u"Schema Registry"_s, u"Properties"_s, u"Time-outs"_s}));
    QVERIFY(child<QPushButton>(dialog, "importButton")->isVisible());
    QVERIFY(!child<QComboBox>(dialog, "mechanism")->isEnabled());
    QVERIFY(!child<QLineEdit>(dialog, "password")->isVisible());
    child<QComboBox>(dialog, "protocol")->setCurrentIndex(3);
    QVERIFY(visible().contains(u"TLS"_s));
    QVERIFY(child<QLineEdit>(dialog, "password")->isVisible());
    QCOMPARE(child<QLineEdit>(dialog, "password")->echoMode(), QLineEdit::Password);
    child<QComboBox>(dialog, "mechanism")->setCurrentIndex(3);
    QVERIFY(child<QLineEdit>(dialog, "clientSecret")->isEnabled());
    QVERIFY(!child<QLineEdit>(dialog, "token")->isEnabled());
    child<QRadioButton>(dialog, "tokenPasted")->setChecked(true);
    QVERIFY(!child<QLineEdit>(dialog, "clientSecret")->isEnabled());
    QVERIFY(child<QLineEdit>(dialog, "token")->isEnabled());
}

void tst_KafkaProfile::theWindowKeepsItsSize()
{
    ConnectDialog dialog(services(), ConnectDialog::Purpose::Connect);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    const QSize size = dialog.size();
    QVERIFY2(size.width() <= 1280 && size.height() <= 760,
             qPrintable(QString::number(size.height())));
    auto *engine = child<QComboBox>(dialog, "engine");
    engine->setCurrentIndex(1);
    for (int protocol = 0; protocol < 4; ++protocol) {
        child<QComboBox>(dialog, "protocol")->setCurrentIndex(protocol);
        for (int mechanism = 0; mechanism < 5; ++mechanism) {
            child<QComboBox>(dialog, "mechanism")->setCurrentIndex(mechanism);
            QCoreApplication::processEvents();
            QCOMPARE(dialog.size(), size);
        }
    }
}

void tst_KafkaProfile::aLoginWithoutAMechanismIsKerberos()
{
    ConnectDialog dialog(services(), ConnectDialog::Purpose::Edit);
    dialog.setConfig(kafka({{u"security.protocol"_s, u"sasl_ssl"_s}}));
    QCOMPARE(dialog.config()->properties.value(u"sasl.mechanism"_s), u"GSSAPI"_s);
}

void tst_KafkaProfile::blanksBehindCommasAreNoFault()
{
    ConnectDialog dialog(services(), ConnectDialog::Purpose::Add);
    dialog.setConfig(kafka({}));
    auto *address = child<QLineEdit>(dialog, "address");
    address->setText(u" a:1, b:2 "_s);
    QVERIFY(child<QPushButton>(dialog, "okButton")->isEnabled());
    QCOMPARE(dialog.config()->properties.value(u"bootstrap.servers"_s), u"a:1,b:2"_s);
    for (const auto &wrong : {u"a:1, b :2"_s, u"a b"_s, u"http://a:1, b:2"_s}) {
        address->setText(wrong);
        QVERIFY2(!dialog.config(), qPrintable(wrong));
    }
}

void tst_KafkaProfile::secretsComeInWhileTheAddressIsTyped()
{
    ConnectDialog dialog(services(), ConnectDialog::Purpose::Edit);
    dialog.setConfig(withoutSecrets(kafka(kPlain)));
    auto *address = child<QLineEdit>(dialog, "address");
    address->setText(u"a:"_s);
    address->setText(u"a:x"_s);
    QVERIFY(!dialog.config());
    dialog.addSecrets({{u"sasl.password"_s, u"Geheim"_s}});
    address->setText(u"a:1"_s);
    QCOMPARE(dialog.config()->properties, kPlain);
    QVERIFY(!dialog.droppedSecrets().contains(u"sasl.password"_s));
    child<QComboBox>(dialog, "protocol")->setCurrentIndex(1);
    QVERIFY(dialog.droppedSecrets().contains(u"sasl.password"_s));
    QVERIFY(!dialog.droppedSecrets().contains(u"ssl.key.password"_s));
}

void tst_KafkaProfile::aSecretPropertyIsShownAsDots()
{
    ConnectDialog dialog(services(), ConnectDialog::Purpose::Edit);
    const Properties properties = {{u"ssl.truststore.password"_s, u"Geheim"_s}};
    dialog.setConfig(kafka(properties));
    auto *table = child<QTableWidget>(dialog, "properties");
    const QModelIndex value = table->model()->index(0, 1);
    for (const int role : {Qt::DisplayRole, Qt::AccessibleTextRole})
        QCOMPARE(value.data(role).toString(), QString(8, u'•'));
    QCOMPARE(value.data(Qt::EditRole).toString(), u"Geheim"_s);
    QCOMPARE(table->model()->index(1, 1).data().toString(), QString());
    QCOMPARE(dialog.config()->properties, properties);
}

void tst_KafkaProfile::aLoginInTheRegistrysAddressIsKeptAsASecret()
{
    ConnectDialog dialog(services(), ConnectDialog::Purpose::Add);
    dialog.setConfig(
        kafka({{u"schema.registry.url"_s, u"https://me:Gehe%69m@r:8081,https://me:Wort@s"_s}}));
    QCOMPARE(child<QLineEdit>(dialog, "registryUrl")->text(), u"https://r:8081,https://s"_s);
    QCOMPARE(child<QLineEdit>(dialog, "registryUser")->text(), u"me"_s);
    QCOMPARE(dialog.config()->properties,
             Properties({{u"schema.registry.url"_s, u"https://r:8081,https://s"_s},
                         {u"basic.auth.user.info"_s, u"me:Geheim"_s}}));
}

/// It is the client's: its secret goes where it is shown as dots.
void tst_KafkaProfile::aLoginInTheTokenEndpointIsHidden()
{
    ConnectDialog dialog(services(), ConnectDialog::Purpose::Add);
    const Properties oauth{{u"security.protocol"_s, u"sasl_ssl"_s},
                           {u"sasl.mechanism"_s, u"OAUTHBEARER"_s},
                           {u"sasl.oauthbearer.method"_s, u"oidc"_s}};
    dialog.setConfig(kafka(oauth));
    auto *endpoint = child<QLineEdit>(dialog, "tokenEndpoint");
    auto *secret = child<QLineEdit>(dialog, "clientSecret");
    QTest::keyClicks(endpoint, u"https://me:Gehe%69m@idp.example/token"_s);
    emit endpoint->editingFinished();
    QCOMPARE(endpoint->text(), u"https://idp.example/token"_s);
    QCOMPARE(child<QLineEdit>(dialog, "clientId")->text(), u"me"_s);
    QCOMPARE(secret->text(), u"Geheim"_s);
    QCOMPARE(secret->echoMode(), QLineEdit::Password);

    // From a file the same; but another client's is no secret of this one.
    Properties kept = oauth;
    kept.insert(u"sasl.oauthbearer.token.endpoint.url"_s, u"https://you:Wort@idp.example/token"_s);
    kept.insert(u"sasl.oauthbearer.client.id"_s, u"me"_s);
    dialog.setConfig(kafka(kept));
    QCOMPARE(endpoint->text(), u"https://idp.example/token"_s);
    QCOMPARE(child<QLineEdit>(dialog, "clientId")->text(), u"me"_s);
    QCOMPARE(secret->text(), QString());
}

void tst_KafkaProfile::limitsAndDangersAreSaid()
{
    ConnectDialog dialog(services(), ConnectDialog::Purpose::Add);
    Properties properties = kPlain;
    dialog.setConfig(kafka(properties));
    auto *note = child<QLabel>(dialog, "loginNote");
    QCOMPARE(note->text(), QString());
    child<QComboBox>(dialog, "mechanism")->setCurrentIndex(1);
    QCOMPARE(note->text(), u"lib 1 cannot."_s);
    child<QComboBox>(dialog, "mechanism")->setCurrentIndex(0);
    child<QComboBox>(dialog, "protocol")->setCurrentIndex(2);
    QCOMPARE(note->text(), u"Without TLS, the secret itself can be seen on the way."_s);

    properties = {{u"security.protocol"_s, u"sasl_ssl"_s},
                  {u"sasl.mechanism"_s, u"OAUTHBEARER"_s},
                  {u"sasl.oauthbearer.method"_s, u"oidc"_s},
                  {u"sasl.oauthbearer.token.endpoint.url"_s, u"https://idp.example/token"_s}};
    dialog.setConfig(kafka(properties));
    QCOMPARE(note->text(), QString());
    auto *endpoint = child<QLineEdit>(dialog, "tokenEndpoint");
    endpoint->setText(u"HTTP://idp.example:8080/token"_s);
    QVERIFY2(note->text().contains(u"sent to idp.example without TLS"_s), qPrintable(note->text()));
    QVERIFY(child<QPushButton>(dialog, "okButton")->isEnabled()); // a warning, no refusal
    endpoint->setText(u"http://127.0.0.1:8080/token"_s);
    QCOMPARE(note->text(), QString());
}

void tst_KafkaProfile::aCommandTypedByHandIsSaidToRun()
{
    ConnectDialog dialog(services(), ConnectDialog::Purpose::Add);
    dialog.setConfig(kafka({}));
    auto *table = child<QTableWidget>(dialog, "properties");
    table->item(0, 0)->setText(u"sasl.kerberos.kinit.cmd"_s);
    table->item(0, 1)->setText(u"kinit -k me"_s);
    const auto *result = child<QLabel>(dialog, "result");
    QVERIFY2(result->text().contains(u"has a shell run this command"_s),
             qPrintable(result->text()));
    QVERIFY(child<QPushButton>(dialog, "okButton")->isEnabled());
    QCOMPARE(dialog.config()->properties.value(u"sasl.kerberos.kinit.cmd"_s), u"kinit -k me"_s);
    table->setCurrentCell(0, 0);
    child<QPushButton>(dialog, "removeProperty")->click();
    QCOMPARE(result->text(), QString());

    dialog.setConfig(
        kafka({{u"security.protocol"_s, u"sasl_ssl"_s}, {u"sasl.mechanism"_s, u"GSSAPI"_s}}));
    child<QLineEdit>(dialog, "kerberosPrincipal")->setText(u"me; id"_s);
    QVERIFY2(result->text().startsWith(u"sasl.kerberos.principal holds characters"_s),
             qPrintable(result->text()));
    QVERIFY(!child<QPushButton>(dialog, "okButton")->isEnabled());
}

void tst_KafkaProfile::propertiesAreCheckedAsTheyAreEntered_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("said"); // by the dialog; empty: all right
    QTest::newRow("good") << u"socket.timeout.ms"_s << u"5"_s << QString();
    QTest::newRow("unknown") << u"nope"_s << u"5"_s << u"lib 1 has no property nope"_s;
    QTest::newRow("bad value") << u"socket.timeout.ms"_s << u"bad"_s << u"not that"_s;
    QTest::newRow("fixed") << u"enable.auto.commit"_s << u"true"_s
                           << u"enable.auto.commit is set by the program"_s;
    QTest::newRow("foreign code")
        << u"plugin.library.paths"_s << u"/x.so"_s
        << u"plugin.library.paths is not allowed: it would load foreign code."_s;
    QTest::newRow("has a field") << u"sasl.password"_s << u"x"_s
                                 << u"sasl.password has a field of its own."_s;
    QTest::newRow("no name") << QString() << u"x"_s << u"A value needs the name"_s;
}

void tst_KafkaProfile::propertiesAreCheckedAsTheyAreEntered()
{
    QFETCH(const QString, name);
    QFETCH(const QString, value);
    QFETCH(const QString, said);
    ConnectDialog dialog(services(), ConnectDialog::Purpose::Add);
    dialog.setConfig(kafka({}));
    auto *table = child<QTableWidget>(dialog, "properties");
    QCOMPARE(table->rowCount(), 1); // the empty one
    table->item(0, 0)->setText(name);
    table->item(0, 1)->setText(value);
    QCOMPARE(table->rowCount(), 2);
    const QString result = child<QLabel>(dialog, "result")->text();
    QVERIFY2(said.isEmpty() ? result.isEmpty() : result.startsWith(said), qPrintable(result));
    QCOMPARE(child<QPushButton>(dialog, "okButton")->isEnabled(), said.isEmpty());
    table->setCurrentCell(0, 0);
    child<QPushButton>(dialog, "removeProperty")->click();
    QVERIFY(child<QPushButton>(dialog, "okButton")->isEnabled());
}

void tst_KafkaProfile::aFileIsImportedAndWhatWasNotTakenIsSaid()
{
    QTemporaryDir dir;
    QFile file(dir.filePath(u"client.properties"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("bootstrap.servers=x:1,y:2\nsecurity.protocol=SASL_SSL\nsasl.mechanism=PLAIN\n"
               "sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required "
               "username=\"me\" password=\"Geheim\";\nssl.truststore.location=/t.jks\n");
    file.close();
    ConnectDialog dialog(services(), ConnectDialog::Purpose::Add);
    dialog.setConfig(kafka({}));
    dialog.show();
    child<QPushButton>(dialog, "importButton")->click();
    auto *chooser = child<QFileDialog>(dialog, "importChooser");
    emit chooser->fileSelected(file.fileName());
    chooser->close();
    Properties expected = kPlain;
    expected.insert(u"bootstrap.servers"_s, u"x:1,y:2"_s);
    QCOMPARE(dialog.config()->properties, expected);
    const auto *notes = dialog.findChild<QMessageBox *>();
    QVERIFY(notes);
    QVERIFY2(notes->informativeText().contains(u"keytool"_s), qPrintable(notes->informativeText()));
    QVERIFY(!notes->informativeText().contains(u"Geheim"_s));
}

void tst_KafkaProfile::secretsGoToTheKeychainAndComeBack()
{
    QTemporaryDir dir;
    ConnectionStore store(dir.filePath(u"settings.ini"_s));
    ConnectionsDialog list(&store, services());
    list.show();
    child<QPushButton>(list, "addButton")->click();
    auto *add = list.findChild<ConnectDialog *>();
    QTRY_VERIFY(child<QCheckBox>(*add, "remember")->isEnabled());
    add->setConfig(kafka(kPlain));
    add->accept();
    const auto kept = store.connections().value(0);
    QCOMPARE(kept.secrets, QStringList(u"sasl.password"_s));
    QCOMPARE(m_kept.secrets.value({kept.id, u"sasl.password"_s}), u"Geheim"_s);
    QFile file(dir.filePath(u"settings.ini"_s));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(!file.readAll().contains("Geheim"));
    QTRY_VERIFY(!list.findChild<ConnectDialog *>());

    // Another run of the program.
    m_secrets = std::make_unique<ProfileSecrets>(std::make_unique<Keychain>(&m_kept));
    ConnectionsDialog later(&store, services());
    later.show();
    child<QPushButton>(later, "editButton")->click();
    auto *edit = later.findChild<ConnectDialog *>();
    QTRY_COMPARE(child<QLineEdit>(*edit, "password")->text(), u"Geheim"_s);
    child<QLineEdit>(*edit, "password")->clear();
    edit->accept();
    QVERIFY(m_kept.secrets.isEmpty());
    QVERIFY(store.connections().at(0).secrets.isEmpty());
}

void tst_KafkaProfile::aMissingSecretIsAskedFor()
{
    QWidget window;
    ProfileOpener opener(m_secrets.get(), &window);
    std::optional<SessionConfig> opened;
    const ConnectionStore::Connection kept{u"id"_s, withoutSecrets(kafka(kPlain)), {}};
    opener.open(kept, [&](const SessionConfig &config) { opened = config; });
    QTRY_VERIFY(window.findChild<SecretsDialog *>());
    auto *dialog = window.findChild<SecretsDialog *>();
    QVERIFY(!opened);
    QVERIFY(!child<QPushButton>(*dialog, "okButton")->isEnabled());
    // On a busy machine it may be asked before the keychain has answered.
    QTRY_VERIFY(child<QCheckBox>(*dialog, "remember")->isEnabled());
    auto *line = child<QLineEdit>(*dialog, "sasl.password");
    QCOMPARE(line->echoMode(), QLineEdit::Password);
    QTest::keyClicks(line, u"Geheim"_s);
    child<QCheckBox>(*dialog, "remember")->setChecked(true);
    dialog->accept();
    QVERIFY(opened);
    QCOMPARE(*opened, kafka(kPlain));
    QCOMPARE(m_kept.secrets.value({u"id"_s, u"sasl.password"_s}), u"Geheim"_s);
    // Not a second time.
    opened.reset();
    opener.open(kept, [&](const SessionConfig &config) { opened = config; });
    QTRY_VERIFY(opened);
    // Nothing secret, nothing asked: at once.
    opened.reset();
    opener.open({u"x"_s, SessionConfig(), {}}, [&](const auto &config) { opened = config; });
    QVERIFY(opened);
}

void tst_KafkaProfile::whatItWasGivenIsAskedFor()
{
    const Properties properties = {{u"security.protocol"_s, u"ssl"_s},
                                   {u"ssl.certificate.location"_s, u"/c"_s},
                                   {u"ssl.key.location"_s, u"/k"_s},
                                   {u"ssl.key.password"_s, u"Geheim"_s}};
    QWidget window;
    ProfileOpener opener(m_secrets.get(), &window);
    std::optional<SessionConfig> opened;
    opener.open({u"id"_s, withoutSecrets(kafka(properties)), {u"ssl.key.password"_s}},
                [&](const SessionConfig &config) { opened = config; });
    QTRY_VERIFY(window.findChild<SecretsDialog *>());
    QVERIFY(!opened);
    auto *dialog = window.findChild<SecretsDialog *>();
    QTest::keyClicks(child<QLineEdit>(*dialog, "ssl.key.password"), u"Geheim"_s);
    dialog->accept();
    QVERIFY(opened);
    QCOMPARE(*opened, kafka(properties));
}

/// What is typed stays, whatever comes; and what the keychain has stays there unless one says so.
void tst_KafkaProfile::aLateKeychainDoesNotInterruptTyping()
{
    const SecretKey key{u"id"_s, u"sasl.password"_s};
    const ConnectionStore::Connection kept{u"id"_s, withoutSecrets(kafka(kPlain)), {key.property}};
    for (const bool isTyping : {true, false}) {
        m_kept = {{{key, u"Geheim"_s}}, true, {}};
        m_secrets = std::make_unique<ProfileSecrets>(std::make_unique<Keychain>(&m_kept));
        QWidget window;
        ProfileOpener opener(m_secrets.get(), &window);
        std::optional<SessionConfig> opened;
        opener.open(kept, [&](const SessionConfig &config) { opened = config; });
        QTRY_VERIFY(window.findChild<SecretsDialog *>());
        auto *dialog = window.findChild<SecretsDialog *>();
        auto *line = child<QLineEdit>(*dialog, "sasl.password");
        if (isTyping)
            QTest::keyClicks(line, u"Gehe"_s);
        m_kept.late.back()();
        QCOMPARE(opened.has_value(), !isTyping);
        if (isTyping) {
            QCOMPARE(line->text(), u"Gehe"_s);
            child<QCheckBox>(*dialog, "remember")->setChecked(false);
            dialog->accept();
        }
        QVERIFY(opened);
        QCOMPARE(m_kept.secrets.value(key), u"Geheim"_s);
    }
}

void tst_KafkaProfile::aSilentKeychainIsNotWaitedFor()
{
    m_kept.isSilent = true;
    QWidget window;
    ProfileOpener opener(m_secrets.get(), &window);
    std::optional<SessionConfig> opened;
    opener.open({u"id"_s, withoutSecrets(kafka(kPlain)), {}},
                [&](const SessionConfig &config) { opened = config; });
    QTRY_VERIFY(window.findChild<SecretsDialog *>());
    auto *dialog = window.findChild<SecretsDialog *>();
    QVERIFY(!child<QCheckBox>(*dialog, "remember")->isEnabled());
    QVERIFY(child<QLabel>(*dialog, "note")->text().contains(u"has not answered yet"_s));
    QTest::keyClicks(child<QLineEdit>(*dialog, "sasl.password"), u"Geheim"_s);
    dialog->accept();
    QVERIFY(opened);
    QCOMPARE(*opened, kafka(kPlain));
}

QTEST_MAIN(tst_KafkaProfile)
#include "tst_kafkaprofile.moc"
