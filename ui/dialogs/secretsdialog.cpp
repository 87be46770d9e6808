#include "ui/dialogs/secretsdialog.h"

#include "core/profiles/registryconfig.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

QString secretTitle(const QString &property)
{
    if (property == u"sasl.password"_s)
        return SecretsDialog::tr("&Password");
    if (property == u"sasl.oauthbearer.token"_s)
        return SecretsDialog::tr("&Token");
    if (property == u"sasl.oauthbearer.client.secret"_s)
        return SecretsDialog::tr("Client &secret");
    if (property == u"ssl.key.password"_s || property == u"ssl.keystore.password"_s)
        return SecretsDialog::tr("&Key password");
    if (property == RegistryConfig::kUserInfo)
        return SecretsDialog::tr("Schema registry's &user:password");
    return property;
}

SecretsDialog::SecretsDialog(const ProfileSecrets *secrets, const SessionConfig &config,
                             const QStringList &needed, QWidget *parent)
    : QDialog(parent)
    , m_secrets(secrets)
    , m_remember(new QCheckBox(tr("&Remember in the keychain")))
    , m_note(new QLabel)
{
    setWindowTitle(tr("Log In"));
    m_remember->setObjectName(u"remember"_s);
    m_note->setObjectName(u"note"_s);
    m_note->setWordWrap(true);
    m_note->setMinimumHeight(2 * m_note->fontMetrics().lineSpacing());
    m_note->setAlignment(Qt::AlignLeft | Qt::AlignTop);

    auto *form = new QFormLayout(this);
    auto *where = new QLabel(config.name == config.endpoint()
                                 ? config.endpoint()
                                 : tr("%1 (%2)").arg(config.name, config.endpoint()));
    where->setTextFormat(Qt::PlainText);
    form->addRow(tr("Connection"), where);
    if (const QString user = config.properties.value(u"sasl.username"_s); !user.isEmpty()) {
        auto *name = new QLabel(user);
        name->setTextFormat(Qt::PlainText);
        form->addRow(tr("User"), name);
    }
    for (const QString &property : needed) {
        auto *line = new QLineEdit;
        line->setObjectName(property);
        line->setEchoMode(QLineEdit::Password);
        form->addRow(secretTitle(property), line);
        m_lines.insert(property, line);
        connect(line, &QLineEdit::textChanged, this, &SecretsDialog::refresh);
    }
    form->addRow({}, m_remember);
    form->addRow(m_note);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    m_ok = buttons->button(QDialogButtonBox::Ok);
    m_ok->setObjectName(u"okButton"_s);
    m_ok->setText(tr("&Connect"));
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_secrets, &ProfileSecrets::keychainFound, this, &SecretsDialog::refresh);
    setMinimumWidth(420);
    refresh();
}

void SecretsDialog::add(const Secrets &found)
{
    m_found.insert(found);
    for (auto secret = found.cbegin(); secret != found.cend(); ++secret) {
        QLineEdit *line = m_lines.value(secret.key());
        if (line && line->text().isEmpty()) // what is being typed stays
            line->setText(secret.value());
    }
}

void SecretsDialog::setAnswered()
{
    m_isAnswered = true;
    refresh();
}

bool SecretsDialog::isComplete() const
{
    return std::ranges::none_of(m_lines,
                                [](const QLineEdit *line) { return line->text().isEmpty(); });
}

Secrets SecretsDialog::entered() const
{
    Secrets secrets;
    for (auto line = m_lines.cbegin(); line != m_lines.cend(); ++line)
        secrets.insert(line.key(), line.value()->text());
    return secrets;
}

Secrets SecretsDialog::typed() const
{
    Secrets secrets = entered();
    secrets.removeIf(
        [this](const auto &secret) { return m_found.value(secret.key()) == secret.value(); });
    return secrets;
}

bool SecretsDialog::remember() const
{
    return m_remember->isEnabled() && m_remember->isChecked();
}

void SecretsDialog::refresh()
{
    const auto keychain = m_secrets->keychain();
    m_ok->setEnabled(isComplete());
    m_remember->setEnabled(keychain == ProfileSecrets::Keychain::Present);
    m_note->setText(keychain == ProfileSecrets::Keychain::None
                        ? tr("There is no keychain here: kept until the program ends.")
                    : !m_isAnswered
                        ? tr("The keychain has not answered yet; it may be waiting to be unlocked.")
                        : tr("The keychain does not have it. Without remembering, it is kept until "
                             "the program ends."));
}

} // namespace topicscope::ui
