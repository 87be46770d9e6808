#include "ui/dialogs/tlsform.h"

#include "ui/dialogs/pemfield.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

bool isPkcs12(const QString &file)
{
    return file.endsWith(u".p12"_s, Qt::CaseInsensitive) ||
           file.endsWith(u".pfx"_s, Qt::CaseInsensitive);
}

void take(QMap<QString, QString> &properties, const QString &name, PemField *field)
{
    const QString pem = properties.take(name + u".pem"_s);
    const QString file = properties.take(name + u".location"_s);
    if (pem.isEmpty())
        field->setFile(file);
    else
        field->setPem(pem);
}

void put(QMap<QString, QString> &properties, const QString &name, const PemField *field)
{
    if (!field->pem().isEmpty())
        properties.insert(name + u".pem"_s, field->pem());
    else if (!field->file().isEmpty())
        properties.insert(name + u".location"_s, field->file());
}

} // namespace

TlsForm::TlsForm(QWidget *parent)
    : QWidget(parent)
    , m_ca(new PemField(u"caFile"_s, tr("Certificates of the Authority")))
    , m_certificate(new PemField(u"certificateFile"_s, tr("Client Certificate")))
    , m_key(new PemField(u"keyFile"_s, tr("Key of the Client Certificate")))
    , m_password(new QLineEdit)
    , m_checkCertificate(new QCheckBox(tr("Check the broker's certi&ficate")))
    , m_checkName(new QCheckBox(tr("Check that it is for the &host name connected to")))
    , m_warning(new QLabel)
{
    m_ca->setToolTip(tr("Whom to trust, as PEM; empty: whom this system trusts"));
    m_certificate->setToolTip(tr("Only where the broker asks for one; a PKCS#12 file (.p12) holds "
                                 "the key as well"));
    m_password->setObjectName(u"keyPassword"_s);
    m_password->setEchoMode(QLineEdit::Password);
    m_password->setPlaceholderText(tr("if the key has one"));
    m_checkCertificate->setObjectName(u"checkCertificate"_s);
    m_checkName->setObjectName(u"checkHostName"_s);
    m_checkCertificate->setChecked(true);
    m_checkName->setChecked(true);
    m_warning->setWordWrap(true);
    m_warning->setMinimumHeight(2 * m_warning->fontMetrics().lineSpacing());
    m_warning->setAlignment(Qt::AlignLeft | Qt::AlignTop);

    auto *form = new QFormLayout(this);
    form->addRow(tr("Trust&ed authority"), m_ca);
    form->addRow({}, m_checkCertificate);
    form->addRow({}, m_checkName);
    form->addRow(tr("Client certificate"), m_certificate);
    form->addRow(tr("Key"), m_key);
    form->addRow(tr("Key passwor&d"), m_password);
    form->addRow({}, m_warning);

    for (PemField *field : {m_ca, m_certificate, m_key})
        connect(field, &PemField::changed, this, &TlsForm::changed);
    connect(m_password, &QLineEdit::textChanged, this, &TlsForm::changed);
    for (QCheckBox *box : {m_checkCertificate, m_checkName}) {
        connect(box, &QCheckBox::toggled, this, [this] {
            m_checkName->setEnabled(m_checkCertificate->isChecked());
            m_warning->setText(
                !m_checkCertificate->isChecked()
                    ? tr("Anybody between here and the broker can read and change everything.")
                : !m_checkName->isChecked()
                    ? tr("Any broker with a certificate of the authority can pass for this one.")
                    : QString());
            emit changed();
        });
    }
    connect(m_certificate, &PemField::changed, this, [this] { m_key->setEnabled(!isStore()); });
}

void TlsForm::takeFrom(QMap<QString, QString> &properties)
{
    take(properties, u"ssl.ca"_s, m_ca);
    const QString store = properties.take(u"ssl.keystore.location"_s);
    m_store = store.trimmed();
    take(properties, u"ssl.certificate"_s, m_certificate);
    take(properties, u"ssl.key"_s, m_key);
    QString password = properties.take(u"ssl.key.password"_s);
    const QString storePassword = properties.take(u"ssl.keystore.password"_s);
    if (!store.isEmpty()) {
        m_certificate->setFile(store);
        password = storePassword;
    }
    m_password->setText(password);
    const QString verification = properties.take(u"enable.ssl.certificate.verification"_s);
    m_checkCertificate->setChecked(verification != u"false"_s);
    const QString name = properties.take(u"ssl.endpoint.identification.algorithm"_s);
    m_checkName->setChecked(name != u"none"_s);
}

/// By its ending, unless it came as one.
bool TlsForm::isStore() const
{
    const QString file = m_certificate->file();
    return isPkcs12(file) || (!file.isEmpty() && file == m_store);
}

QMap<QString, QString> TlsForm::properties() const
{
    QMap<QString, QString> properties;
    put(properties, u"ssl.ca"_s, m_ca);
    if (isStore()) {
        properties.insert(u"ssl.keystore.location"_s, m_certificate->file());
    } else {
        put(properties, u"ssl.certificate"_s, m_certificate);
        put(properties, u"ssl.key"_s, m_key);
    }
    if (!m_password->text().isEmpty())
        properties.insert(isStore() ? u"ssl.keystore.password"_s : u"ssl.key.password"_s,
                          m_password->text());
    if (!m_checkCertificate->isChecked())
        properties.insert(u"enable.ssl.certificate.verification"_s, u"false"_s);
    if (!m_checkName->isChecked())
        properties.insert(u"ssl.endpoint.identification.algorithm"_s, u"none"_s);
    return properties;
}

} // namespace topicscope::ui
