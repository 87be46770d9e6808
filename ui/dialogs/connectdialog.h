#pragma once

#include "core/profiles/secrets.h"
#include "ui/dialogs/profileservices.h"

#include <QDialog>

#include <optional>

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QTabWidget;

namespace topicscope::ui
{

class LoginForm;
class OutcomeLabel;
class PropertiesEdit;
class RegistryForm;
class TlsForm;

/// Asks for one connection, checks it while one types, and has it tested on demand.
class ConnectDialog final : public QDialog
{
    Q_OBJECT
public:
    enum class Purpose {
        Connect, ///< to be used now, and kept if wanted
        Add,     ///< to be kept
        Edit,    ///< one that is kept already
    };

    ConnectDialog(const ProfileServices &services, Purpose purpose, QWidget *parent = nullptr);
    Q_DISABLE_COPY_MOVE(ConnectDialog)

    void setConfig(const SessionConfig &config);
    /// As entered, secrets included; without a name the endpoint is the name. nullopt while
    /// something is wrong.
    std::optional<SessionConfig> config() const;
    /// Fills in what the keychain has, where nothing was typed yet.
    void addSecrets(const Secrets &found);
    /// Those of addSecrets() that are no longer wanted, and those nothing entered has a use for.
    QStringList droppedSecrets() const;
    /// Purpose Connect: whether it shall be kept as well.
    bool isKept() const;
    /// Whether its secrets shall be kept in the keychain.
    bool remembersSecrets() const;

private:
    void buildForm();
    QWidget *securityPage();
    QWidget *timeoutPage();
    Engine engine() const;
    bool isKafka() const { return engine() == Engine::Kafka; }
    bool isFile() const { return engine() == Engine::File; }
    /// What setBroker() takes, however it was typed.
    QString address() const;
    void chooseFile();
    void setProperties(QMap<QString, QString> properties);
    void onAddressEdited(const QString &text);
    void onEngineChanged();
    void onEdited();
    void showKeychain();
    void importFile();
    void test();
    QString addressProblem() const;
    QString problem() const;

    Purpose m_purpose;
    ProfileServices m_services;
    SessionConfig m_base; ///< fields that are not asked for
    Secrets m_found;
    QComboBox *m_engine;
    QLineEdit *m_name;
    QLineEdit *m_address;
    QLabel *m_addressLabel;
    QPushButton *m_browseButton;
    QCheckBox *m_readOnly;
    QCheckBox *m_keep;
    QTabWidget *m_tabs;
    LoginForm *m_login;
    TlsForm *m_tls;
    RegistryForm *m_registry;
    PropertiesEdit *m_properties;
    QCheckBox *m_remember;
    QSpinBox *m_connectTimeout;
    QSpinBox *m_requestTimeout;
    QSpinBox *m_publishTimeout;
    QPushButton *m_importButton;
    QPushButton *m_testButton;
    OutcomeLabel *m_result;
    QDialogButtonBox *m_buttons;
};

} // namespace topicscope::ui
