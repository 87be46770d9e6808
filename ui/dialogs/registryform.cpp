#include "ui/dialogs/registryform.h"

#include "core/profiles/registryconfig.h"

#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHostAddress>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

const QString kOtherUserInfo = u"schema.registry.basic.auth.user.info"_s;

/// Of several the one that is used.
QUrl firstUrl(const QString &text)
{
    return QUrl(text.section(u',', 0, 0).trimmed());
}

} // namespace

RegistryForm::RegistryForm(QWidget *parent)
    : QWidget(parent)
    , m_url(new QLineEdit)
    , m_user(new QLineEdit)
    , m_password(new QLineEdit)
    , m_caFile(new QLineEdit)
{
    m_url->setObjectName(u"registryUrl"_s);
    m_url->setPlaceholderText(u"https://registry.example:8081"_s);
    m_url->setToolTip(tr("Confluent's, or one that speaks like it; empty: none"));
    m_user->setObjectName(u"registryUser"_s);
    m_user->setPlaceholderText(tr("if the registry asks for one"));
    m_password->setObjectName(u"registryPassword"_s);
    m_password->setEchoMode(QLineEdit::Password);
    m_caFile->setObjectName(u"registryCaFile"_s);
    m_caFile->setPlaceholderText(tr("whom this system trusts"));
    m_caFile->setToolTip(tr("Certificates (PEM) trusted there beside the system's"));
    auto *choose = new QPushButton(tr("Choose…"));
    choose->setAccessibleName(tr("Choose the file of the trusted authority"));
    choose->setAutoDefault(false);
    connect(choose, &QPushButton::clicked, this, &RegistryForm::chooseFile);
    auto *authority = new QHBoxLayout;
    authority->addWidget(m_caFile, 1);
    authority->addWidget(choose);
    auto *note = new QLabel(tr("Records that begin with the id of a registered schema (Avro, "
                               "Protobuf or JSON Schema) are shown by it."));
    note->setWordWrap(true);
    note->setForegroundRole(QPalette::PlaceholderText);

    auto *form = new QFormLayout(this);
    form->addRow(tr("&URL"), m_url);
    form->addRow(tr("Us&er"), m_user);
    form->addRow(tr("Pass&word"), m_password);
    auto *authorityLabel = new QLabel(tr("Trusted aut&hority"));
    authorityLabel->setBuddy(m_caFile);
    form->addRow(authorityLabel, authority);
    form->addRow({}, note);
    for (QLineEdit *line : {m_url, m_user, m_password, m_caFile})
        connect(line, &QLineEdit::textChanged, this, &RegistryForm::changed);
}

void RegistryForm::takeFrom(QMap<QString, QString> &properties)
{
    RegistryConfig::moveLogin(properties);
    m_url->setText(properties.take(RegistryConfig::kUrl));
    const QString other = properties.take(kOtherUserInfo);
    QString login = properties.take(RegistryConfig::kUserInfo);
    if (login.isEmpty())
        login = other;
    m_user->setText(login.section(u':', 0, 0));
    m_password->setText(login.section(u':', 1));
    m_caFile->setText(properties.take(RegistryConfig::kCaFile));
}

QMap<QString, QString> RegistryForm::properties() const
{
    QMap<QString, QString> properties;
    if (m_url->text().trimmed().isEmpty())
        return properties;
    properties.insert(RegistryConfig::kUrl, m_url->text().trimmed());
    if (hasLogin())
        properties.insert(RegistryConfig::kUserInfo, m_user->text() + u':' + m_password->text());
    if (const QString file = m_caFile->text().trimmed(); !file.isEmpty())
        properties.insert(RegistryConfig::kCaFile, file);
    return properties;
}

bool RegistryForm::hasLogin() const
{
    return !m_url->text().trimmed().isEmpty() &&
           !(m_user->text().isEmpty() && m_password->text().isEmpty());
}

QString RegistryForm::problem() const
{
    if (m_url->text().trimmed().isEmpty())
        return {};
    const QUrl url = firstUrl(m_url->text());
    const bool isHttp = url.scheme() == u"http" || url.scheme() == u"https";
    if (!url.isValid() || !isHttp || url.host().isEmpty())
        return tr("The schema registry's address begins with http:// or https://.");
    if (m_user->text().contains(u':'))
        return tr("The schema registry's user cannot have a colon.");
    return {};
}

QString RegistryForm::warning() const
{
    const QUrl url = firstUrl(m_url->text());
    const bool isHere = url.host() == u"localhost" || QHostAddress(url.host()).isLoopback();
    if (!hasLogin() || url.scheme() != u"http" || isHere)
        return {};
    return tr("Anybody on the way to %1 can read the login for the schema registry: http:// is not "
              "encrypted.")
        .arg(url.host());
}

void RegistryForm::chooseFile()
{
    auto *dialog = new QFileDialog(this, tr("Certificates of the Authority"), m_caFile->text());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, m_caFile, &QLineEdit::setText);
    dialog->open();
}

} // namespace topicscope::ui
