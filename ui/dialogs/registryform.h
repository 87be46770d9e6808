#pragma once

#include <QMap>
#include <QString>
#include <QWidget>

class QLineEdit;

namespace topicscope::ui
{

/// Where the schemas of a connection's topics are registered, and who we are there; as the
/// properties RegistryConfig reads.
class RegistryForm final : public QWidget
{
    Q_OBJECT
public:
    explicit RegistryForm(QWidget *parent = nullptr);
    Q_DISABLE_COPY_MOVE(RegistryForm)

    /// Takes what it shows out of the properties.
    void takeFrom(QMap<QString, QString> &properties);
    QMap<QString, QString> properties() const;
    bool hasLogin() const;
    /// What is wrong, and what is worth knowing; empty: nothing.
    QString problem() const;
    QString warning() const;

signals:
    void changed();

private:
    void chooseFile();

    QLineEdit *m_url;
    QLineEdit *m_user;
    QLineEdit *m_password;
    QLineEdit *m_caFile;
};

} // namespace topicscope::ui
