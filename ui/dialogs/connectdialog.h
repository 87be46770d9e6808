#pragma once

#include "core/session/brokersession.h"

#include <QDialog>

#include <optional>

class QCheckBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace topicscope::ui
{

class ConnectionTest;

/// Asks for one connection, checks it while one types, and tries it on demand.
class ConnectDialog final : public QDialog
{
    Q_OBJECT
public:
    enum class Purpose {
        Connect, ///< to be used now, and kept if wanted
        Add,     ///< to be kept
        Edit,    ///< one that is kept already
    };

    ConnectDialog(const SessionFactory &factory, Purpose purpose, QWidget *parent = nullptr);
    Q_DISABLE_COPY_MOVE(ConnectDialog)

    void setConfig(const SessionConfig &config);
    /// As entered; without a name the endpoint is the name. nullopt while the address is wrong.
    std::optional<SessionConfig> config() const;
    /// Purpose Connect: whether it shall be kept as well.
    bool isKept() const;

private:
    void buildForm();
    void buildAdvanced();
    void onEdited();
    void toggleTest();
    void onTested(bool ok, const QString &words);
    void showResult(const QString &text, bool warning);
    QString addressProblem() const;

    Purpose m_purpose;
    SessionConfig m_base; ///< fields that are not asked for
    ConnectionTest *m_test;
    QLineEdit *m_name;
    QLineEdit *m_address;
    QCheckBox *m_readOnly;
    QCheckBox *m_keep;
    QToolButton *m_advancedButton;
    QWidget *m_advanced;
    QSpinBox *m_connectTimeout;
    QSpinBox *m_requestTimeout;
    QSpinBox *m_publishTimeout;
    QPushButton *m_testButton;
    QLabel *m_resultIcon;
    QLabel *m_result;
    QDialogButtonBox *m_buttons;
};

} // namespace topicscope::ui
