#pragma once

#include <QMap>
#include <QString>
#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;

namespace topicscope::ui
{

class PemField;

/// Whom we trust and who we are, by certificates; as librdkafka's properties.
class TlsForm final : public QWidget
{
    Q_OBJECT
public:
    explicit TlsForm(QWidget *parent = nullptr);
    Q_DISABLE_COPY_MOVE(TlsForm)

    /// Takes what it shows out of the properties.
    void takeFrom(QMap<QString, QString> &properties);
    QMap<QString, QString> properties() const;

signals:
    void changed();

private:
    bool isStore() const;

    QString m_store; ///< the key store takeFrom() found
    PemField *m_ca;
    PemField *m_certificate;
    PemField *m_key;
    QLineEdit *m_password;
    QCheckBox *m_checkCertificate;
    QCheckBox *m_checkName;
    QLabel *m_warning;
};

} // namespace topicscope::ui
