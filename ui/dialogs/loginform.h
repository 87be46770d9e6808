#pragma once

#include <QMap>
#include <QString>
#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QRadioButton;
class QStackedWidget;

namespace topicscope
{
class PropertyCatalog;
}

namespace topicscope::ui
{

/// How the connection is secured and how one logs in; as librdkafka's properties. What the library
/// is known not to manage is said beside it.
class LoginForm final : public QWidget
{
    Q_OBJECT
public:
    /// @param catalog  may be null
    explicit LoginForm(const PropertyCatalog *catalog, QWidget *parent = nullptr);
    Q_DISABLE_COPY_MOVE(LoginForm)

    /// Takes what it shows out of the properties.
    void takeFrom(QMap<QString, QString> &properties);
    QMap<QString, QString> properties() const;
    bool usesTls() const;
    bool usesLogin() const;

signals:
    void changed();

private:
    QLineEdit *field(const QString &name, const QString &property, bool secret = false);
    QWidget *passwordPage();
    QWidget *tokenPage();
    QWidget *kerberosPage();
    void onChanged();
    /// The login in a token endpoint's address is the client's: it goes to the fields that hide it.
    void takeLoginFromEndpoint();
    QString mechanism() const;
    /// Of the page shown.
    bool isShown(const QString &property) const;

    const PropertyCatalog *m_catalog;
    QComboBox *m_protocol;
    QComboBox *m_mechanism;
    QStackedWidget *m_pages;
    QRadioButton *m_pasted = nullptr;
    QRadioButton *m_fetched = nullptr;
    QLabel *m_note;
    QMap<QString, QLineEdit *> m_fields; ///< by property
};

} // namespace topicscope::ui
