// No secret leaves the window: a connection is entered by hand, tested, opened against peers that
// refuse, and everything that can then be seen, read aloud, copied, logged or read from the
// settings is searched for the secrets it was given.

#include "core/profiles/connectionstore.h"
#include "core/profiles/profilesecrets.h"
#include "core/profiles/secrets.h"
#include "core/sessionfactory.h"
#include "tests/support/tokenserver.h"
#include "ui/dialogs/connectdialog.h"
#include "ui/dialogs/connectionsdialog.h"
#include "ui/dialogs/doctordialog.h"
#include "ui/mainwindow.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QLoggingCategory>
#include <QMessageBox>
#include <QMetaProperty>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

#include <mutex>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

using Fields = QMap<QString, QString>; ///< object name of a line to what is typed there

namespace
{

std::mutex logMutex;
QString logged; ///< of any thread
QtMessageHandler handlerBefore = nullptr;

void keepMessage(QtMsgType type, const QMessageLogContext &context, const QString &message)
{
    {
        const std::scoped_lock lock(logMutex);
        logged += QLatin1StringView(context.category) + u": "_s + message + u'\n';
    }
    if (type != QtDebugMsg && type != QtInfoMsg)
        handlerBefore(type, context, message);
}

/// What of a secret would give it away.
QStringList formsOf(const QString &secret)
{
    const QByteArray bytes = secret.toUtf8();
    return {secret, QString::fromLatin1(bytes.toBase64()), QString::fromLatin1(bytes.toHex()),
            QString::fromLatin1(bytes.toPercentEncoding())};
}

/// All that a model shows.
void addModel(QStringList &texts, const QAbstractItemModel &model, const QModelIndex &parent)
{
    for (int row = 0; row < model.rowCount(parent); ++row) {
        for (int column = 0; column < model.columnCount(parent); ++column) {
            const QModelIndex index = model.index(row, column, parent);
            for (const int role : {Qt::DisplayRole, Qt::ToolTipRole, Qt::StatusTipRole,
                                   Qt::AccessibleTextRole, Qt::AccessibleDescriptionRole})
                texts << index.data(role).toString();
        }
        addModel(texts, model, model.index(row, 0, parent));
    }
}

/// All that any widget of the program shows or tells a screen reader.
QStringList visibleTexts()
{
    QStringList texts;
    for (const QWidget *widget : QApplication::allWidgets()) {
        const auto *line = qobject_cast<const QLineEdit *>(widget);
        const bool isHidden = line && line->echoMode() == QLineEdit::Password;
        const QMetaObject &type = *widget->metaObject();
        for (int i = 0; i < type.propertyCount(); ++i) {
            const QString name = QString::fromLatin1(type.property(i).name());
            if (isHidden && name == u"text"_s)
                continue; // drawn as dots: "displayText"
            texts << type.property(i).read(widget).toString();
        }
        if (QAccessibleInterface *accessible = QAccessible::queryAccessibleInterface(
                const_cast<QWidget *>(widget))) { // NOLINT: only read
            for (const auto what : {QAccessible::Name, QAccessible::Description, QAccessible::Value,
                                    QAccessible::Help})
                texts << accessible->text(what);
        }
        if (const auto *view = qobject_cast<const QAbstractItemView *>(widget);
            view && view->model())
            addModel(texts, *view->model(), {});
        for (const QAction *action : widget->actions())
            texts << action->text() << action->toolTip();
    }
    texts.removeAll(QString());
    return texts;
}

template <typename Widget>
Widget *child(const QObject *parent, const QString &name)
{
    auto *found = parent->findChild<Widget *>(name);
    if (!found)
        qFatal("no widget %s", qPrintable(name));
    return found;
}

void choose(const QWidget *dialog, const QString &box, const QVariant &data)
{
    auto *combo = child<QComboBox>(dialog, box);
    combo->setCurrentIndex(combo->findData(data));
    QCOMPARE(combo->currentData(), data);
}

} // namespace

class tst_WindowSecrets : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanupTestCase();
    void nothingGivesASecretAway_data();
    void nothingGivesASecretAway();

private:
    void look(const QString &where);
    void test(ConnectDialog *dialog);

    QStringList m_secrets;
    QString m_found; ///< where a secret was, with what was there
    bool m_sawUser = false;
};

void tst_WindowSecrets::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QLoggingCategory::setFilterRules(u"topicscope.*=true"_s);
    handlerBefore = qInstallMessageHandler(keepMessage);
}

void tst_WindowSecrets::cleanupTestCase()
{
    qInstallMessageHandler(handlerBefore);
}

void tst_WindowSecrets::look(const QString &where)
{
    QStringList texts = visibleTexts();
    texts << QApplication::clipboard()->text();
    for (const QString &text : std::as_const(texts)) {
        m_sawUser = m_sawUser || text.contains(u"alice"_s);
        for (const QString &secret : std::as_const(m_secrets)) {
            for (const QString &form : formsOf(secret)) {
                if (text.contains(form) && m_found.isEmpty())
                    m_found = where + u": "_s + text;
            }
        }
    }
}

/// Runs *Test…* to its end and copies its report.
void tst_WindowSecrets::test(ConnectDialog *dialog)
{
    child<QPushButton>(dialog, u"testButton"_s)->click();
    auto *doctor = dialog->findChild<DoctorDialog *>();
    QVERIFY(doctor);
    const auto *again = child<QPushButton>(doctor, u"againButton"_s);
    QTRY_VERIFY_WITH_TIMEOUT(again->text().contains(u"Again"_s), 20'000);
    QVERIFY(child<QTreeWidget>(doctor, u"steps"_s)->topLevelItemCount() > 0);
    child<QPushButton>(doctor, u"copyButton"_s)->click();
    QVERIFY(!QApplication::clipboard()->text().isEmpty());
    look(u"Test"_s);
    doctor->close();
}

void tst_WindowSecrets::nothingGivesASecretAway_data()
{
    QTest::addColumn<QString>("protocol");
    QTest::addColumn<QString>("mechanism");
    QTest::addColumn<QString>("choice"); ///< a radio button
    QTest::addColumn<Fields>("open");
    QTest::addColumn<Fields>("secret");
    QTest::addColumn<Fields>("logins"); ///< property to a login, or an address with one
    const Fields user{{u"user"_s, u"alice"_s}};
    QTest::newRow("password") << u"sasl_plaintext"_s << u"PLAIN"_s << QString() << user
                              << Fields{{u"password"_s, u"Geheim wort/1"_s}} << Fields();
    QTest::newRow("password over TLS, with a client certificate's")
        << u"sasl_ssl"_s << u"SCRAM-SHA-512"_s << QString()
        << Fields{{u"user"_s, u"alice"_s},
                  {u"keyFile"_s, u"/nonexistent/alice.key"_s},
                  {u"certificateFile"_s, u"/nonexistent/alice.pem"_s}}
        << Fields{{u"password"_s, u"Geheim-2"_s}, {u"keyPassword"_s, u"Schluessel-3"_s}}
        << Fields();
    // Tokens that are none are told of in the library's words or ours.
    QTest::newRow("pasted token") << u"sasl_plaintext"_s << u"OAUTHBEARER"_s << u"tokenPasted"_s
                                  << Fields{{u"name"_s, u"alice's"_s}}
                                  << Fields{{u"token"_s, u"Marke-4.Geheim.xyz"_s}} << Fields();
    QTest::newRow("client credentials")
        << u"sasl_plaintext"_s << u"OAUTHBEARER"_s << u"tokenFetched"_s
        << Fields{{u"clientId"_s, u"alice"_s}, {u"scope"_s, u"kafka"_s}}
        << Fields{{u"clientSecret"_s, u"Kunde-5 geheim"_s}} << Fields();
    const Fields password{{u"password"_s, u"Geheim-6"_s}};
    QTest::newRow("registry's login")
        << u"sasl_plaintext"_s << u"PLAIN"_s << QString() << user << password
        << Fields{{u"schema.registry.url"_s, u"http://127.0.0.1:1"_s},
                  {u"basic.auth.user.info"_s, u"alice:Amt 7"_s}};
    QTest::newRow("registry's address with a login")
        << u"sasl_plaintext"_s << u"PLAIN"_s << QString() << user << password
        << Fields{{u"schema.registry.url"_s, u"http://alice:Amt-8@127.0.0.1:1,http://b"_s}};
}

void tst_WindowSecrets::nothingGivesASecretAway()
{
    QFETCH(const QString, protocol);
    QFETCH(const QString, mechanism);
    QFETCH(const QString, choice);
    QFETCH(const Fields, open);
    QFETCH(const Fields, secret);
    QFETCH(const Fields, logins);
    m_secrets = secret.values();
    for (const QString &value : logins) {
        const QString login = value.contains(u"://"_s) ? urlLogin(value) : value;
        if (!login.isEmpty())
            m_secrets << login.section(u':', 1);
    }
    m_found.clear();
    m_sawUser = false;
    logged.clear();
    QApplication::clipboard()->clear();

    QTcpServer nobody; // a port where nobody listens
    QVERIFY(nobody.listen(QHostAddress::LocalHost));
    const quint16 port = nobody.serverPort();
    nobody.close();
    TokenServer tokens; // that repeats what it is sent
    tokens.answerWith("401 Unauthorized", "{\"error\":\"invalid_client\",\"error_description\":"
                                          "\"alice may not, not with Kunde-5 geheim\"}");

    const QTemporaryDir dir;
    UiSettings settings(dir.filePath(u"window.ini"_s));
    ConnectionStore store(dir.filePath(u"connections.ini"_s));
    ProfileSecrets secrets(nullptr);
    auto window =
        std::make_unique<MainWindow>(defaultSessionFactory(), &settings, &store, &secrets);
    window->resize(1280, 800);
    window->show();
    QVERIFY(QTest::qWaitForWindowExposed(window.get()));

    child<QAction>(window.get(), u"connectAction"_s)->trigger();
    auto *dialog = window->findChild<ConnectDialog *>();
    QVERIFY(dialog);
    child<QLineEdit>(dialog, u"address"_s)->setText(u"kafka://127.0.0.1:%1"_s.arg(port));
    choose(dialog, u"protocol"_s, protocol);
    choose(dialog, u"mechanism"_s, mechanism);
    if (!choice.isEmpty())
        child<QRadioButton>(dialog, choice)->setChecked(true);
    child<QLineEdit>(dialog, u"tokenEndpoint"_s)->setText(tokens.url());
    for (const Fields &fields : {open, secret}) {
        for (auto field = fields.cbegin(); field != fields.cend(); ++field)
            child<QLineEdit>(dialog, field.key())->setText(field.value());
    }
    const auto *table = child<QTableWidget>(dialog, u"properties"_s);
    for (auto login = logins.cbegin(); login != logins.cend(); ++login) {
        const int row = table->rowCount() - 1;
        table->item(row, 0)->setText(login.key());
        table->item(row, 1)->setText(login.value());
    }
    const auto config = dialog->config();
    QVERIFY(config);
    const QString entered = secretsOf(*config).values().join(u'\n');
    for (const QString &each : std::as_const(m_secrets))
        QVERIFY2(entered.contains(each), qPrintable(each)); // it is on its way
    look(u"dialog"_s);
    test(dialog);
    child<QPushButton>(dialog, u"okButton"_s)->click();

    const auto *state = child<QLabel>(window.get(), u"connectionStateLabel"_s);
    const QRegularExpression failure(u"lost|cannot be used|login was refused"_s);
    QTRY_VERIFY_WITH_TIMEOUT(failure.match(state->text()).hasMatch(), 20'000);
    look(u"window"_s);
    child<QAction>(window.get(), u"retryAction"_s)->trigger();
    child<QAction>(window.get(), u"aboutAction"_s)->trigger();
    look(u"about"_s);
    child<QMessageBox>(window.get(), u"aboutDialog"_s)->close();

    // Once more, as it was kept.
    child<QAction>(window.get(), u"manageConnectionsAction"_s)->trigger();
    auto *list = window->findChild<ConnectionsDialog *>();
    QVERIFY(list);
    child<QPushButton>(list, u"editButton"_s)->click();
    auto *edit = list->findChild<ConnectDialog *>();
    QVERIFY(edit);
    QTRY_COMPARE(secretsOf(*edit->config()).values().join(u'\n'), entered);
    look(u"edit"_s);
    edit->reject();
    list->reject();
    window->close();
    window.reset();

    QVERIFY2(m_found.isEmpty(), qPrintable(m_found));
    QVERIFY(m_sawUser); // the search does see what is there
    QString written;
    for (const QFileInfo &info : QDir(dir.path()).entryInfoList(QDir::Files)) {
        QFile file(info.filePath());
        QVERIFY(file.open(QIODevice::ReadOnly));
        written += QString::fromUtf8(file.readAll());
    }
    QVERIFY(written.contains(u"alice"_s));
    const std::scoped_lock lock(logMutex);
    for (const QString &each : std::as_const(m_secrets)) {
        for (const QString &form : formsOf(each)) {
            QVERIFY2(!written.contains(form), qPrintable(written));
            QVERIFY2(!logged.contains(form), qPrintable(logged));
        }
    }
}

QTEST_MAIN(tst_WindowSecrets)

#include "tst_windowsecrets.moc"
