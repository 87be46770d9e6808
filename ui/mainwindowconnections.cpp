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
    connect(m_connections->session(id), &SessionHandle::remarked, this, &MainWindow::showNotice,
            Qt::UniqueConnection);
    std::vector<Place> wanted = takePutOff(config.displayName());
    wanted.insert(wanted.end(), places.begin(), places.end());
    if (!wanted.empty()) {
        m_wantedPlaces[id] = wanted;
        if (!m_connections->model()->topics(id).isEmpty())
            openPlaces(id);
    }
    setCurrentConnection(id);
    return id;
}

void MainWindow::connectKept(const ConnectionStore::Connection &connection,
                             const std::vector<Place> &places)
{
    // Kept until its secrets are there, should that be never.
    m_putOff.insert(m_putOff.end(), places.begin(), places.end());
    m_opener->open(connection, [this](const SessionConfig &config) { connectTo(config); });
}

std::vector<Place> MainWindow::takePutOff(const QString &connection)
{
    const auto others =
        std::stable_partition(m_putOff.begin(), m_putOff.end(),
                              [&](const Place &place) { return place.connection == connection; });
    std::vector<Place> taken(m_putOff.begin(), others);
    m_putOff.erase(m_putOff.begin(), others);
    return taken;
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
    for (Place &place : m_putOff) {
        if (place.connection == before.displayName())
            place.connection = after.displayName();
    }
    const auto kept =
        std::ranges::find(m_store->connections(), after, &ConnectionStore::Connection::config);
    if (kept == m_store->connections().end())
        return;
    const SessionConfig open =
        m_connections->find(before) ? before : m_edited.value(kept->id, before);
    if (!m_connections->find(open))
        return;
    m_edited.insert(kept->id, open);
    m_opener->open(*kept, [this, open, id = kept->id, after](const SessionConfig &config) {
        const auto now = m_store->byId(id);
        if (!now || now->config != after)
            return; // edited again meanwhile, or removed
        m_edited.remove(id);
        if (const auto connection = m_connections->find(open))
            reopen(*connection, config);
    });
}

void MainWindow::onSecretChanged(const QString &profile)
{
    const auto kept = m_store->byId(profile);
    if (!kept || !m_connections->find(kept->config))
        return;
    m_opener->open(*kept, [this, profile, was = kept->config](const SessionConfig &config) {
        // Edited meanwhile, it is opened anew as it is now: the new secret is not for the old
        // broker.
        const auto now = m_store->byId(profile);
        if (now && now->config == was && m_connections->find(was))
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
