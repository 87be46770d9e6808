#pragma once

#include "core/profiles/profilesecrets.h"

#include <QDialog>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace topicscope::ui
{

/// Asks for the secrets of a kept connection that nobody knows.
class SecretsDialog final : public QDialog
{
    Q_OBJECT
public:
    /// @param needed  those without which the login makes no sense
    SecretsDialog(const ProfileSecrets *secrets, const SessionConfig &config,
                  const QStringList &needed, QWidget *parent = nullptr);
    Q_DISABLE_COPY_MOVE(SecretsDialog)

    /// What the keychain had after all.
    void add(const Secrets &found);
    /// The keychain has said all it knows.
    void setAnswered();
    bool isComplete() const;

    Secrets entered() const;
    /// Those of them that nobody had.
    Secrets typed() const;
    bool remember() const;

private:
    void refresh();

    const ProfileSecrets *m_secrets;
    bool m_isAnswered = false;
    Secrets m_found;
    QMap<QString, QLineEdit *> m_lines;
    QCheckBox *m_remember;
    QLabel *m_note;
    QPushButton *m_ok;
};

/// What a secret property is called in the window.
QString secretTitle(const QString &property);

} // namespace topicscope::ui
