#include "ui/dialogs/connectdialog.h"

#include "core/profiles/connectionstore.h"
#include "core/profiles/profilesecrets.h"
#include "core/profiles/propertycatalog.h"
#include "core/profiles/registryconfig.h"
#include "ui/dialogs/configurationimport.h"
#include "ui/dialogs/doctordialog.h"
#include "ui/dialogs/loginform.h"
#include "ui/dialogs/propertiesedit.h"
#include "ui/dialogs/recordfiles.h"
#include "ui/dialogs/registryform.h"
#include "ui/dialogs/tlsform.h"
#include "ui/views/outcomelabel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;
using std::chrono::milliseconds;

namespace
{

enum Tab { SecurityTab, TlsTab, RegistryTab, PropertiesTab, TimeoutTab };

const QString kKafka = u"kafka://"_s;
const QString kFile = u"file:"_s;
const QString kServers = u"bootstrap.servers"_s;

QSpinBox *timeoutBox(const QString &name)
{
    auto *box = new QSpinBox;
    box->setObjectName(name);
    box->setRange(int(ConnectionStore::kMinTimeout.count()),
                  int(ConnectionStore::kMaxTimeout.count()));
    box->setSingleStep(1000);
    box->setSuffix(ConnectDialog::tr(" ms"));
    box->setGroupSeparatorShown(true);
    return box;
}

} // namespace

ConnectDialog::ConnectDialog(const ProfileServices &services, Purpose purpose, QWidget *parent)
    : QDialog(parent)
    , m_purpose(purpose)
    , m_services(services)
    , m_engine(new QComboBox)
    , m_name(new QLineEdit)
    , m_address(new QLineEdit)
    , m_addressLabel(new QLabel)
    , m_browseButton(new QPushButton(tr("&Browse…")))
    , m_readOnly(new QCheckBox(tr("&Read-only: refuse to publish")))
    , m_keep(new QCheckBox(tr("&Keep in the list of connections")))
    , m_tabs(new QTabWidget)
    , m_login(new LoginForm(services.catalog))
    , m_tls(new TlsForm)
    , m_registry(new RegistryForm)
    , m_properties(new PropertiesEdit(services.catalog))
    , m_remember(new QCheckBox)
    , m_connectTimeout(timeoutBox(u"connectTimeout"_s))
    , m_requestTimeout(timeoutBox(u"requestTimeout"_s))
    , m_publishTimeout(timeoutBox(u"publishTimeout"_s))
    , m_importButton(new QPushButton(tr("&Import…")))
    , m_testButton(new QPushButton(tr("&Test…")))
    , m_result(new OutcomeLabel(u"result"_s, 2, Qt::AlignVCenter))
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel))
{
    setWindowTitle(purpose == Purpose::Connect ? tr("Connect to a Broker")
                   : purpose == Purpose::Add   ? tr("Add Connection")
                                               : tr("Edit Connection"));
    m_engine->setObjectName(u"engine"_s);
    m_name->setObjectName(u"name"_s);
    m_address->setObjectName(u"address"_s);
    m_browseButton->setObjectName(u"browseButton"_s);
    m_readOnly->setObjectName(u"readOnly"_s);
    m_keep->setObjectName(u"keep"_s);
    m_tabs->setObjectName(u"tabs"_s);
    m_remember->setObjectName(u"remember"_s);
    m_importButton->setObjectName(u"importButton"_s);
    m_testButton->setObjectName(u"testButton"_s);
    m_buttons->button(QDialogButtonBox::Ok)->setObjectName(u"okButton"_s);
    buildForm();

    connect(m_engine, &QComboBox::currentIndexChanged, this, &ConnectDialog::onEngineChanged);
    connect(m_address, &QLineEdit::textChanged, this, &ConnectDialog::onAddressEdited);
    for (QSpinBox *box : {m_connectTimeout, m_requestTimeout, m_publishTimeout})
        connect(box, &QSpinBox::valueChanged, this, &ConnectDialog::onEdited);
    connect(m_login, &LoginForm::changed, this, &ConnectDialog::onEdited);
    connect(m_tls, &TlsForm::changed, this, &ConnectDialog::onEdited);
    connect(m_registry, &RegistryForm::changed, this, &ConnectDialog::onEdited);
    connect(m_properties, &PropertiesEdit::changed, this, &ConnectDialog::onEdited);
    connect(m_browseButton, &QPushButton::clicked, this, &ConnectDialog::chooseFile);
    connect(m_importButton, &QPushButton::clicked, this, &ConnectDialog::importFile);
    connect(m_testButton, &QPushButton::clicked, this, &ConnectDialog::test);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    if (m_services.secrets) {
        connect(m_services.secrets, &ProfileSecrets::keychainFound, this,
                &ConnectDialog::showKeychain);
        m_services.secrets->probe();
    }
    showKeychain();
    setConfig({});
    m_address->clear();
}

void ConnectDialog::buildForm()
{
    m_engine->addItem(u"booblik"_s, int(Engine::Booblik));
    m_engine->addItem(u"Apache Kafka"_s, int(Engine::Kafka));
    m_engine->addItem(tr("A file of records"), int(Engine::File));
    m_name->setMaxLength(ConnectionStore::kMaxNameChars);
    m_name->setPlaceholderText(tr("as its address"));
    m_address->setMaxLength(2'000);
    m_readOnly->setToolTip(
        tr("Nothing can be published over this connection, whatever asks for it"));
    m_keep->setChecked(true);
    m_keep->setVisible(m_purpose == Purpose::Connect);
    m_browseButton->setAutoDefault(false);
    m_testButton->setAutoDefault(false);
    m_importButton->setAutoDefault(false);
    m_importButton->setToolTip(
        tr("Take over a Java client's client.properties or kcat's configuration file"));

    auto *form = new QFormLayout;
    m_addressLabel->setBuddy(m_address);
    form->addRow(tr("&Broker"), m_engine);
    auto *address = new QHBoxLayout;
    address->addWidget(m_address, 1);
    address->addWidget(m_browseButton);
    form->addRow(m_addressLabel, address);
    form->addRow(tr("&Name"), m_name);
    form->addRow({}, m_readOnly);
    form->addRow({}, m_keep);
    m_tabs->addTab(securityPage(), tr("Securit&y"));
    m_tabs->addTab(m_tls, tr("T&LS"));
    m_tabs->addTab(m_registry, tr("Schema Re&gistry"));
    m_tabs->addTab(m_properties, tr("&Properties"));
    m_tabs->addTab(timeoutPage(), tr("Time-&outs"));
    // Pages that appear later must not ask for more: wrapped texts make them a little higher.
    m_tabs->setMinimumHeight(m_tabs->sizeHint().height() + m_tabs->fontMetrics().lineSpacing());
    auto *result = new QHBoxLayout;
    result->addWidget(m_testButton, 0, Qt::AlignVCenter);
    result->addWidget(m_result, 1);
    QPushButton *ok = m_buttons->button(QDialogButtonBox::Ok);
    ok->setText(m_purpose == Purpose::Connect ? tr("&Connect")
                : m_purpose == Purpose::Add   ? tr("A&dd")
                                              : tr("&Save"));
    m_buttons->addButton(m_importButton, QDialogButtonBox::ActionRole);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(m_tabs, 1);
    layout->addLayout(result);
    layout->addWidget(m_buttons);
    setMinimumWidth(600);
    m_address->setFocus();
}

QWidget *ConnectDialog::securityPage()
{
    auto *page = new QWidget;
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins({});
    layout->addWidget(m_login, 1);
    auto *remember = new QHBoxLayout;
    remember->setContentsMargins(m_login->layout()->contentsMargins());
    remember->addWidget(m_remember);
    QSizePolicy policy = m_remember->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    m_remember->setSizePolicy(policy);
    layout->addLayout(remember);
    return page;
}

QWidget *ConnectDialog::timeoutPage()
{
    auto *page = new QWidget;
    auto *form = new QFormLayout(page);
    form->addRow(tr("Connect &within"), m_connectTimeout);
    form->addRow(tr("Answer wi&thin"), m_requestTimeout);
    form->addRow(tr("P&ublish within"), m_publishTimeout);
    return page;
}

Engine ConnectDialog::engine() const
{
    return Engine{m_engine->currentData().toInt()};
}

QString ConnectDialog::address() const
{
    QString text = m_address->text().trimmed();
    if (!isFile())
        return text;
    return text.isEmpty() ? QString() : kFile + QFileInfo(text).absoluteFilePath();
}

void ConnectDialog::setConfig(const SessionConfig &config)
{
    m_base = config;
    m_engine->setCurrentIndex(m_engine->findData(int(config.engine)));
    m_address->setText(config.engine == Engine::File ? config.host : config.endpoint());
    m_name->setText(config.name == config.endpoint() ? QString() : config.name);
    m_readOnly->setChecked(config.readOnly);
    m_connectTimeout->setValue(int(config.connectTimeout.count()));
    m_requestTimeout->setValue(int(config.requestTimeout.count()));
    m_publishTimeout->setValue(int(config.publishTimeout.count()));
    setProperties(config.properties);
    onEngineChanged();
}

void ConnectDialog::setProperties(QMap<QString, QString> properties)
{
    properties.remove(kServers);
    m_login->takeFrom(properties);
    m_tls->takeFrom(properties);
    m_registry->takeFrom(properties);
    m_properties->setProperties(properties);
}

std::optional<SessionConfig> ConnectDialog::config() const
{
    SessionConfig config = m_base;
    config.properties.clear();
    config.engine = engine();
    if (!addressProblem().isEmpty() || !config.setBroker(address()))
        return std::nullopt;
    if (isKafka()) {
        config.properties.insert(m_login->properties());
        if (m_login->usesTls())
            config.properties.insert(m_tls->properties());
        config.properties.insert(m_registry->properties());
        config.properties.insert(m_properties->properties());
        RegistryConfig::moveLogin(config.properties);
    }
    config.name = m_name->text().trimmed();
    if (config.name.isEmpty())
        config.name = isFile() ? QFileInfo(config.host).fileName() : config.endpoint();
    config.readOnly = isFile() || m_readOnly->isChecked();
    config.connectTimeout = milliseconds(m_connectTimeout->value());
    config.requestTimeout = milliseconds(m_requestTimeout->value());
    config.publishTimeout = milliseconds(m_publishTimeout->value());
    return config;
}

void ConnectDialog::addSecrets(const Secrets &found)
{
    m_found = found;
    if (found.isEmpty())
        return;
    // Also while the address is being typed and there is no config().
    QMap<QString, QString> properties = found;
    properties.insert(m_login->properties());
    properties.insert(m_tls->properties());
    properties.insert(m_registry->properties());
    properties.insert(m_properties->properties());
    setProperties(properties);
}

QStringList ConnectDialog::droppedSecrets() const
{
    QStringList names = m_found.keys();
    const auto entered = config();
    if (entered) {
        // Nobody needs to know the secrets of a login or of TLS to do without them.
        const QStringList needed = neededSecrets(*entered);
        for (const auto &name : {u"sasl.password"_s, u"sasl.oauthbearer.token"_s,
                                 u"sasl.oauthbearer.client.secret"_s}) {
            if (!needed.contains(name))
                names << name;
        }
        if (!m_login->usesTls())
            names << u"ssl.key.password"_s << u"ssl.key.pem"_s << u"ssl.keystore.password"_s;
    }
    names.removeIf(
        [&](const QString &name) { return !entered || entered->properties.contains(name); });
    return names;
}

bool ConnectDialog::isKept() const
{
    return m_purpose != Purpose::Connect || m_keep->isChecked();
}

bool ConnectDialog::remembersSecrets() const
{
    return m_remember->isEnabled() && m_remember->isChecked();
}

void ConnectDialog::showKeychain()
{
    const bool isThere =
        m_services.secrets && m_services.secrets->keychain() == ProfileSecrets::Keychain::Present;
    m_remember->setEnabled(isThere);
    m_remember->setChecked(isThere);
    m_remember->setText(isThere ? tr("Re&member secrets in the keychain")
                                : tr("Re&member secrets in the keychain (there is none here: they "
                                     "are asked for in every run)"));
}

/// Empty when there is none, and when nothing has been entered yet.
QString ConnectDialog::addressProblem() const
{
    const QString text = m_address->text().trimmed();
    if (isFile())
        return {};
    SessionConfig tried;
    tried.engine = engine();
    const bool understood = tried.setBroker(text);
    const QStringList parts = isKafka() ? text.split(u',') : QStringList(text);
    const bool isStrange = std::ranges::any_of(parts, [](const QString &part) {
        return std::ranges::any_of(part.trimmed(),
                                   [](QChar c) { return c.isSpace() || c == u'/'; });
    });
    if (isStrange)
        return tr("The address is a host and a port, without blanks and without “http://”.");
    if (!understood)
        return tr("The address needs a port from 1 to 65535: host:port or [IPv6 address]:port.");
    return {};
}

QString ConnectDialog::problem() const
{
    QString text = addressProblem();
    if (text.isEmpty() && isKafka())
        text = m_registry->problem();
    if (text.isEmpty() && isKafka())
        text = m_properties->problem();
    if (!text.isEmpty())
        return text;
    const auto entered = config();
    const QMap<QString, QString> properties =
        entered ? entered->properties : decltype(properties){};
    for (auto each = properties.cbegin(); each != properties.cend(); ++each) {
        if (breaksCommand(each.key(), each.value()))
            return tr("%1 holds characters that a shell would act on; the library gives it to the "
                      "kinit command.")
                .arg(each.key());
    }
    return text;
}

/// "kafka://" or "file:" in front chooses the engine, as it does elsewhere.
void ConnectDialog::onAddressEdited(const QString &text)
{
    for (const auto &[prefix, chosen] : {std::pair(kKafka, Engine::Kafka), {kFile, Engine::File}}) {
        if (!text.startsWith(prefix))
            continue;
        m_engine->setCurrentIndex(m_engine->findData(int(chosen)));
        m_address->setText(text.sliced(prefix.size()));
        return;
    }
    onEdited();
}

void ConnectDialog::onEngineChanged()
{
    const bool kafka = isKafka();
    m_addressLabel->setText(kafka ? tr("&Addresses") : isFile() ? tr("P&ath") : tr("&Address"));
    m_address->setPlaceholderText(kafka      ? u"broker-1:9092, broker-2:9092"_s
                                  : isFile() ? u"orders.ndjson"_s
                                             : u"127.0.0.1:9092"_s);
    m_browseButton->setVisible(isFile());
    m_readOnly->setVisible(!isFile()); // it always is
    m_tabs->setVisible(!isFile());
    m_address->setToolTip(
        isFile() ? tr("A file that was exported as NDJSON; it is only looked at")
        : kafka
            ? tr("One or several brokers of the cluster, with commas between: host, host:port or "
                 "[IPv6 address]:port; the others are learnt from them")
            : tr("host, host:port or [IPv6 address]:port; the port is 9092 when there is none"));
    for (const int tab : {SecurityTab, TlsTab, RegistryTab, PropertiesTab})
        m_tabs->setTabVisible(tab, kafka);
    m_tabs->setCurrentIndex(kafka ? SecurityTab : TimeoutTab);
    m_importButton->setVisible(kafka);
    onEdited();
}

void ConnectDialog::onEdited()
{
    m_tabs->setTabEnabled(TlsTab, m_login->usesTls());
    m_remember->setVisible(m_login->usesTls() || m_login->usesLogin() || m_registry->hasLogin());
    const QString wrong = problem();
    const bool usable = wrong.isEmpty() && !m_address->text().trimmed().isEmpty();
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(usable);
    m_testButton->setEnabled(usable);
    QString said = wrong;
    if (said.isEmpty() && isKafka())
        said = m_registry->warning();
    if (said.isEmpty() && isKafka())
        said = m_properties->warning();
    m_result->say(said, false);
}

void ConnectDialog::chooseFile()
{
    auto *chooser = new QFileDialog(this, tr("Open Records"), m_address->text());
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setFileMode(QFileDialog::ExistingFile);
    chooser->setNameFilters(recordFileFilters());
    connect(chooser, &QFileDialog::fileSelected, m_address, &QLineEdit::setText);
    chooser->open();
}

void ConnectDialog::importFile()
{
    importConfiguration(this, [this](QMap<QString, QString> properties) {
        if (const QString servers = properties.take(kServers); !servers.isEmpty())
            m_address->setText(servers);
        setProperties(properties);
        onEdited();
    });
}

void ConnectDialog::test()
{
    if (const auto tested = config())
        DoctorDialog::open(m_services.factory, *tested, this);
}

} // namespace topicscope::ui
