#include "ui/dialogs/loginform.h"

#include "core/profiles/propertycatalog.h"
#include "core/profiles/secrets.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRadioButton>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

enum Page { NoPage, PasswordPage, TokenPage, KerberosPage };

const QString kUser = u"sasl.username"_s;
const QString kPassword = u"sasl.password"_s;
const QString kToken = u"sasl.oauthbearer.token"_s;
const QString kMethod = u"sasl.oauthbearer.method"_s;
const QString kEndpoint = u"sasl.oauthbearer.token.endpoint.url"_s;
const QString kClient = u"sasl.oauthbearer.client.id"_s;
const QString kClientSecret = u"sasl.oauthbearer.client.secret"_s;
const QString kScope = u"sasl.oauthbearer.scope"_s;
const QString kService = u"sasl.kerberos.service.name"_s;
const QString kPrincipal = u"sasl.kerberos.principal"_s;
const QString kKeytab = u"sasl.kerberos.keytab"_s;
const QString kRelogin = u"sasl.kerberos.min.time.before.relogin"_s;

Page pageOf(const QString &mechanism)
{
    return mechanism == u"OAUTHBEARER"_s ? TokenPage
           : mechanism == u"GSSAPI"_s    ? KerberosPage
                                         : PasswordPage;
}

QFormLayout *formIn(QWidget *page)
{
    auto *form = new QFormLayout(page);
    form->setContentsMargins({});
    return form;
}

} // namespace

LoginForm::LoginForm(const PropertyCatalog *catalog, QWidget *parent)
    : QWidget(parent)
    , m_catalog(catalog)
    , m_protocol(new QComboBox)
    , m_mechanism(new QComboBox)
    , m_pages(new QStackedWidget)
    , m_note(new QLabel)
{
    m_protocol->setObjectName(u"protocol"_s);
    m_protocol->addItem(tr("Nothing: in the clear, without a login"), u"plaintext"_s);
    m_protocol->addItem(tr("TLS: encrypted"), u"ssl"_s);
    m_protocol->addItem(tr("Login (SASL), in the clear"), u"sasl_plaintext"_s);
    m_protocol->addItem(tr("Login (SASL) over TLS"), u"sasl_ssl"_s);
    m_mechanism->setObjectName(u"mechanism"_s);
    m_mechanism->addItem(tr("User and password (PLAIN)"), u"PLAIN"_s);
    m_mechanism->addItem(tr("User and password (SCRAM-SHA-256)"), u"SCRAM-SHA-256"_s);
    m_mechanism->addItem(tr("User and password (SCRAM-SHA-512)"), u"SCRAM-SHA-512"_s);
    m_mechanism->addItem(tr("Token (OAUTHBEARER)"), u"OAUTHBEARER"_s);
    m_mechanism->addItem(tr("Kerberos (GSSAPI)"), u"GSSAPI"_s);
    m_pages->addWidget(new QWidget);
    m_pages->addWidget(passwordPage());
    m_pages->addWidget(tokenPage());
    m_pages->addWidget(kerberosPage());
    m_note->setObjectName(u"loginNote"_s);
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setMinimumHeight(3 * m_note->fontMetrics().lineSpacing());
    m_note->setAlignment(Qt::AlignLeft | Qt::AlignTop);

    auto *form = new QFormLayout;
    form->addRow(tr("Prot&ection"), m_protocol);
    form->addRow(tr("Log in &with"), m_mechanism);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(m_pages);
    layout->addStretch();
    layout->addWidget(m_note);
    for (QComboBox *box : {m_protocol, m_mechanism})
        connect(box, &QComboBox::currentIndexChanged, this, &LoginForm::onChanged);
    onChanged();
}

QLineEdit *LoginForm::field(const QString &name, const QString &property, bool secret)
{
    auto *line = new QLineEdit;
    line->setObjectName(name);
    if (secret) {
        line->setEchoMode(QLineEdit::Password);
        line->setPlaceholderText(tr("asked for when empty"));
    }
    connect(line, &QLineEdit::textChanged, this, &LoginForm::onChanged);
    m_fields.insert(property, line);
    return line;
}

QWidget *LoginForm::passwordPage()
{
    auto *page = new QWidget;
    auto *form = formIn(page);
    form->addRow(tr("&User"), field(u"user"_s, kUser));
    form->addRow(tr("Passwor&d"), field(u"password"_s, kPassword, true));
    return page;
}

QWidget *LoginForm::tokenPage()
{
    auto *page = new QWidget;
    auto *form = formIn(page);
    m_pasted = new QRadioButton(tr("A token pasted &here"));
    m_fetched = new QRadioButton(tr("A token &fetched with a client's credentials"));
    m_pasted->setObjectName(u"tokenPasted"_s);
    m_fetched->setObjectName(u"tokenFetched"_s);
    m_fetched->setChecked(true);
    form->addRow(m_pasted);
    form->addRow(tr("Token"), field(u"token"_s, kToken, true));
    form->addRow(m_fetched);
    form->addRow(tr("Token endpoint"), field(u"tokenEndpoint"_s, kEndpoint));
    form->addRow(tr("Client id"), field(u"clientId"_s, kClient));
    form->addRow(tr("Client secret"), field(u"clientSecret"_s, kClientSecret, true));
    form->addRow(tr("Scope"), field(u"scope"_s, kScope));
    m_fields[kEndpoint]->setPlaceholderText(u"https://…/token"_s);
    m_fields[kScope]->setPlaceholderText(tr("if the endpoint wants one"));
    connect(m_fetched, &QRadioButton::toggled, this, &LoginForm::onChanged);
    connect(m_fields[kEndpoint], &QLineEdit::editingFinished, this,
            &LoginForm::takeLoginFromEndpoint);
    return page;
}

QWidget *LoginForm::kerberosPage()
{
    auto *page = new QWidget;
    auto *form = formIn(page);
    form->addRow(tr("Ser&vice name"), field(u"kerberosService"_s, kService));
    form->addRow(tr("Principal"), field(u"kerberosPrincipal"_s, kPrincipal));
    form->addRow(tr("Keytab"), field(u"kerberosKeytab"_s, kKeytab));
    m_fields[kService]->setPlaceholderText(u"kafka"_s);
    m_fields[kPrincipal]->setPlaceholderText(tr("of the ticket you have"));
    m_fields[kKeytab]->setPlaceholderText(tr("file; without one the ticket you have is used"));
    return page;
}

QString LoginForm::mechanism() const
{
    return m_mechanism->currentData().toString();
}

bool LoginForm::usesTls() const
{
    return m_protocol->currentData().toString().endsWith(u"ssl"_s);
}

bool LoginForm::usesLogin() const
{
    return m_protocol->currentData().toString().startsWith(u"sasl"_s);
}

bool LoginForm::isShown(const QString &property) const
{
    const bool isFetched = m_fetched->isChecked();
    if (property == kToken)
        return !isFetched;
    if (property == kEndpoint || property == kClient || property == kClientSecret ||
        property == kScope)
        return isFetched;
    return true;
}

void LoginForm::onChanged()
{
    m_mechanism->setEnabled(usesLogin());
    m_pages->setCurrentIndex(usesLogin() ? pageOf(mechanism()) : NoPage);
    for (auto each = m_fields.cbegin(); each != m_fields.cend(); ++each)
        each.value()->setEnabled(isShown(each.key()));
    QStringList notes;
    if (usesLogin()) {
        if (m_catalog)
            notes << m_catalog->loginLimit(mechanism());
        if (!usesTls() && pageOf(mechanism()) != KerberosPage)
            notes << (mechanism().startsWith(u"SCRAM"_s)
                          ? tr("Without TLS, what is read and published can be seen on the way.")
                          : tr("Without TLS, the secret itself can be seen on the way."));
        if (const QString host = openTokenHost(properties()); !host.isEmpty())
            notes << tr("The client's secret is sent to %1 without TLS: it can be seen on the way. "
                        "Use https.")
                         .arg(host);
    }
    notes.removeAll(QString());
    m_note->setText(notes.join(u' '));
    emit changed();
}

void LoginForm::takeLoginFromEndpoint()
{
    QLineEdit *endpoint = m_fields[kEndpoint];
    const QString login = urlLogin(endpoint->text());
    if (login.isEmpty())
        return;
    if (m_fields[kClient]->text().isEmpty()) { // else it is another client's
        const auto plain = [](const QString &encoded) {
            return QUrl::fromPercentEncoding(encoded.toUtf8());
        };
        m_fields[kClient]->setText(plain(login.section(u':', 0, 0)));
        m_fields[kClientSecret]->setText(plain(login.section(u':', 1)));
    }
    endpoint->setText(withoutUrlLogin(endpoint->text()));
}

void LoginForm::takeFrom(QMap<QString, QString> &properties)
{
    const auto choose = [](QComboBox *box, const QString &value) {
        const int index = box->findData(value, Qt::UserRole, Qt::MatchFixedString);
        box->setCurrentIndex(std::max(0, index));
        return index >= 0;
    };
    const QString protocol = properties.take(u"security.protocol"_s);
    if (!choose(m_protocol, protocol) && !protocol.isEmpty())
        properties.insert(u"security.protocol"_s, protocol); // shown as what it is: wrong
    const QString older = properties.take(u"sasl.mechanisms"_s);
    QString mechanismName = properties.take(u"sasl.mechanism"_s);
    if (mechanismName.isEmpty())
        mechanismName = older;
    if (mechanismName.isEmpty() && usesLogin())
        mechanismName = u"GSSAPI"_s; // the library's default
    if (!choose(m_mechanism, mechanismName) && !mechanismName.isEmpty())
        properties.insert(u"sasl.mechanism"_s, mechanismName);
    const QString method = properties.take(kMethod);
    for (auto each = m_fields.cbegin(); each != m_fields.cend(); ++each)
        each.value()->setText(properties.take(each.key()));
    takeLoginFromEndpoint();
    const bool isPasted = method != u"oidc"_s && m_fields[kEndpoint]->text().isEmpty() &&
                          mechanismName == u"OAUTHBEARER"_s;
    (isPasted ? m_pasted : m_fetched)->setChecked(true);
    if (properties.value(kRelogin) == u"0"_s)
        properties.remove(kRelogin); // follows from there being no keytab
    onChanged();
}

QMap<QString, QString> LoginForm::properties() const
{
    QMap<QString, QString> properties;
    const QString protocol = m_protocol->currentData().toString();
    if (protocol != u"plaintext"_s)
        properties.insert(u"security.protocol"_s, protocol);
    if (!usesLogin())
        return properties;
    properties.insert(u"sasl.mechanism"_s, mechanism());
    const QWidget *page = m_pages->widget(pageOf(mechanism()));
    for (auto each = m_fields.cbegin(); each != m_fields.cend(); ++each) {
        const bool isSecretField = each.value()->echoMode() == QLineEdit::Password;
        const QString text = isSecretField ? each.value()->text() : each.value()->text().trimmed();
        if (page->isAncestorOf(each.value()) && isShown(each.key()) && !text.isEmpty())
            properties.insert(each.key(), text);
    }
    if (pageOf(mechanism()) == TokenPage && m_fetched->isChecked())
        properties.insert(kMethod, u"oidc"_s);
    if (pageOf(mechanism()) == KerberosPage && !properties.contains(kKeytab))
        properties.insert(kRelogin, u"0"_s);
    return properties;
}

} // namespace topicscope::ui
