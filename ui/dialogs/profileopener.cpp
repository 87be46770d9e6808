#include "ui/dialogs/profileopener.h"

#include "core/profiles/secrets.h"
#include "ui/dialogs/secretsdialog.h"

#include <QTimer>
#include <QWidget>

#include <algorithm>
#include <memory>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{
constexpr std::chrono::milliseconds kPatience{700};

SessionConfig completed(SessionConfig config, const Secrets &secrets)
{
    config.properties.insert(secrets);
    return config;
}

/// Those its login cannot do without, and those it was given.
QStringList wantedSecrets(const ConnectionStore::Connection &connection)
{
    QStringList names = neededSecrets(connection.config) + connection.secrets;
    names.removeDuplicates();
    return names;
}

bool hasAll(const Secrets &secrets, const QStringList &names)
{
    return std::ranges::all_of(names, [&](const QString &name) { return secrets.contains(name); });
}

} // namespace

ProfileOpener::ProfileOpener(ProfileSecrets *secrets, QWidget *window)
    : QObject(window)
    , m_secrets(secrets)
    , m_window(window)
{
}

void ProfileOpener::open(const ConnectionStore::Connection &connection, const Opened &opened)
{
    const QStringList wanted = wantedSecrets(connection);
    if (wanted.isEmpty()) {
        opened(connection.config);
        return;
    }
    // Answered in time, or asked meanwhile: only one of them goes on.
    auto *patience = new QTimer(this);
    patience->setSingleShot(true);
    connect(patience, &QTimer::timeout, this, [this, patience, connection, opened] {
        patience->deleteLater();
        ask(connection, {}, false, opened);
    });
    patience->start(kPatience);
    m_secrets->find(connection.id, wanted, patience,
                    [this, patience, connection, wanted, opened](const Secrets &found) {
                        if (!patience->isActive())
                            return;
                        patience->stop();
                        patience->deleteLater();
                        if (hasAll(found, wanted))
                            opened(completed(connection.config, found));
                        else
                            ask(connection, found, true, opened);
                    });
}

void ProfileOpener::ask(const ConnectionStore::Connection &connection, const Secrets &found,
                        bool isAnswered, const Opened &opened)
{
    QStringList names = wantedSecrets(connection);
    names.removeIf([&](const QString &name) { return found.contains(name); });
    auto *dialog = new SecretsDialog(m_secrets, connection.config, names, m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->add(found);
    if (isAnswered) {
        dialog->setAnswered();
    } else {
        m_secrets->find(connection.id, names, dialog, [dialog](const Secrets &late) {
            dialog->add(late);
            dialog->setAnswered();
            // Half a password is none.
            if (dialog->typed().isEmpty() && dialog->isComplete())
                dialog->accept();
        });
    }
    connect(dialog, &QDialog::accepted, this, [this, dialog, connection, found, opened] {
        if (dialog->remember())
            m_secrets->keep(connection.id, dialog->typed(), true);
        else
            m_secrets->use(connection.id, dialog->typed());
        opened(completed(completed(connection.config, found), dialog->entered()));
    });
    dialog->open();
}

} // namespace topicscope::ui
