// Which connections are opened, and with what.

#include "core/profiles/profilesecrets.h"
#include "core/sessionfactory.h"
#include "ui/dialogs/connectdialog.h"
#include "ui/dialogs/connectionsdialog.h"
#include "ui/dialogs/profileopener.h"
#include "ui/errortext.h"
#include "ui/mainwindow.h"
#include "ui/openconnections.h"
#include "ui/panels/publishlogpanel.h"
#include "ui/recordtabs.h"
#include "ui/theme/icons.h"

#include <QMenu>

#include <algorithm>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

ConnectionId MainWindow::connectTo(const SessionConfig &config, const std::vector<Place> &places)
{
    // The same connection with another secret is no second one.
    if (const auto same = m_connections->find(config);
        same && m_connections->session(*same)->config() != config) {
        reopen(*same, config);
        return *m_connections->find(config);
    }
    const ConnectionId id = m_connections->open(config);
    m_log->addSession(m_connections->session(id));
    if (!places.empty()) {
        m_wantedPlaces[id] = places;
        if (!m_connections->model()->topics(id).isEmpty())
            openPlaces(id);
    }
    setCurrentConnection(id);
    return id;
}

void MainWindow::connectKept(const ConnectionStore::Connection &connection,
                             const std::vector<Place> &places)
{
    m_opener->open(connection,
                   [this, places](const SessionConfig &config) { connectTo(config, places); });
}

ProfileServices MainWindow::services() const
{
    return {m_connections->factory(), kafkaPropertyCatalog(), m_secrets};
}

void MainWindow::offer(const SessionConfig &config)
{
    m_offered.append(config);
}

void MainWindow::fillRecentConnections()
{
    QMenu *menu = m_actions.recentConnections;
    menu->clear();
    const auto add = [this, menu](const ConnectionStore::Connection &connection) {
        const SessionConfig &config = connection.config;
        QString text = config.displayName();
        if (text != config.endpoint())
            text += u'\t' + config.endpoint();
        menu->addAction(icon(config.readOnly ? IconName::ReadOnly : IconName::Broker),
                        text.replace(u'&', u"&&"_s), this,
                        [this, connection] { connectKept(connection); });
    };
    for (const SessionConfig &config : std::as_const(m_offered))
        add({{}, config, {}});
    if (!m_offered.isEmpty())
        menu->addSeparator();
    for (const ConnectionStore::Connection &connection : m_store->connections())
        add(connection);
    if (menu->isEmpty())
        menu->addAction(tr("No connections are kept yet"))->setEnabled(false);
}

void MainWindow::showConnectDialog()
{
    auto *dialog = new ConnectDialog(services(), ConnectDialog::Purpose::Connect, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        const auto config = dialog->config();
        if (!config)
            return;
        connectTo(*config);
        if (!dialog->isKept())
            return;
        if (const auto kept = m_store->add(*config); !kept)
            showNotice(errorText(kept.error()).full());
        else
            m_secrets->keep(*kept, secretsOf(*config), dialog->remembersSecrets());
    });
    dialog->open();
}

void MainWindow::showConnectionsDialog()
{
    auto *dialog = new ConnectionsDialog(m_store, services(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ConnectionsDialog::connectRequested, this,
            [this](const ConnectionStore::Connection &kept) { connectKept(kept); });
    dialog->open();
}

void MainWindow::onConnectionUpdated(const SessionConfig &before, const SessionConfig &after)
{
    if (!m_connections->find(before))
        return;
    const auto kept =
        std::ranges::find(m_store->connections(), after, &ConnectionStore::Connection::config);
    if (kept == m_store->connections().end())
        return;
    m_opener->open(*kept, [this, before](const SessionConfig &config) {
        if (const auto id = m_connections->find(before))
            reopen(*id, config);
    });
}

void MainWindow::onSecretChanged(const QString &profile)
{
    const auto kept = m_store->byId(profile);
    if (!kept || !m_connections->find(kept->config))
        return;
    // When its secrets are known it may have been edited, or closed.
    m_opener->open(*kept, [this, was = kept->config](const SessionConfig &config) {
        if (m_connections->find(was))
            connectTo(config);
    });
}

void MainWindow::reopen(ConnectionId id, const SessionConfig &config)
{
    std::vector<Place> places = m_tabs->places(id);
    if (const auto wanted = m_wantedPlaces.extract(id); !wanted.empty())
        places.insert(places.begin(), wanted.mapped().begin(), wanted.mapped().end());
    m_connections->close(id);
    connectTo(config, places);
}

} // namespace topicscope::ui
