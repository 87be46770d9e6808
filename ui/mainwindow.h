#pragma once

#include "core/profiles/connectionstore.h"
#include "core/session/brokersession.h"
#include "ui/dialogs/profileservices.h"
#include "ui/mainwindowactions.h"
#include "ui/models/comparedrecord.h"
#include "ui/models/topictreemodel.h"
#include "ui/panels/composetarget.h"
#include "ui/settings/uisettings.h"

#include <QHash>
#include <QMainWindow>
#include <QTimer>

#include <map>
#include <set>

class QLabel;

namespace topicscope::ui
{

class ComposePanel;
class GroupsPanel;
class InspectorPanel;
class OpenConnections;
class ProfileOpener;
class PublishFileDialog;
class PublishLogPanel;
class RecordPanel;
class RecordTabs;
class SearchPanel;
class TopicPanel;
struct ExportSubject;

/// The window: topics on the left, records in the middle, the inspector on the right, the composer
/// and its log below. It decides which panel hears which session and does nothing else.
///
/// One connection is current: that of the tab or of the row in the tree that was chosen last. The
/// frame shows when it is read-only. The composer has a target of its own.
///
/// Thread: GUI. Nothing here waits.
class MainWindow final : public QMainWindow
{
    Q_OBJECT
public:
    /// `settings`, `store` and `secrets` must outlive the window. Without `secrets` they are in
    /// memory only.
    MainWindow(const SessionFactory &factory, UiSettings *settings, ConnectionStore *store,
               ProfileSecrets *secrets = nullptr, QWidget *parent = nullptr);
    ~MainWindow() override;
    Q_DISABLE_COPY_MOVE(MainWindow)

    /// Opens a connection, and these places once its topics are known; a place without a topic is
    /// the first topic.
    ConnectionId connectTo(const SessionConfig &config, const std::vector<Place> &places = {});
    /// The same once its secrets are there, for which the user may be asked.
    void connectKept(const ConnectionStore::Connection &connection,
                     const std::vector<Place> &places = {});
    /// Lists a connection in the menu that is not kept by the user: the embedded broker.
    void offer(const SessionConfig &config);
    /// Whether closing the window keeps what is open for the next time; it does unless told.
    void setRemembersPlaces(bool remembers) { m_remembersPlaces = remembers; }
    /// Something outside of a connection went wrong or is worth knowing.
    void showNotice(const QString &text);

signals:
    /// The first rows of a tab, or the reason why there are none, are shown.
    void placeOpened();
    /// After that: the map beside them shows all it is going to, or there is none.
    void placeFilled();
    /// A place given to connectTo() cannot be opened (now); in words.
    void placeFailed(const QString &reason);

protected:
    void closeEvent(QCloseEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void makePanels(const SessionFactory &factory);
    void makeDocks(const SessionFactory &factory);
    QDockWidget *addDock(const QString &name, const QString &title, QWidget *panel,
                         Qt::DockWidgetArea area);
    void makeGroupsDock();
    void makeSearchDock(const SessionFactory &factory);
    void makeBars();
    void wirePanels();
    void wireActions();
    void wireRecordActions();
    void fillRecentConnections();
    void restore();

    void openPlaces(ConnectionId id);
    void openTopic(ConnectionId id, const TopicInfo &topic, std::optional<PartitionId> partition,
                   std::optional<Offset> at = {});
    /// The tree's session, and those of the tabs as soon as that is connected.
    void connectAgain(ConnectionId id);
    void wakeTabs(ConnectionId id);
    void setCurrentConnection(std::optional<ConnectionId> id);
    /// Of an open connection; nullopt: none.
    ComposeTarget::Place composePlace(std::optional<ConnectionId> id, const QString &topic) const;
    void onTabChanged(RecordPanel *panel);
    void onConnectionClosed(ConnectionId id);
    /// A session keeps the configuration it was made with: an open one is closed and made anew.
    void onConnectionUpdated(const SessionConfig &before, const SessionConfig &after);
    void onSecretChanged(const QString &profile);
    void reopen(ConnectionId id, const SessionConfig &config);
    /// The places put off of the connection with this name; they are no longer put off.
    std::vector<Place> takePutOff(const QString &connection);
    ProfileServices services() const;
    void showLookedAt();
    void showConnectDialog();
    void showConnectionsDialog();
    void showPreferences();
    void chooseRecordFile();
    void compare(const ComparedRecord &left, const ComparedRecord &right);
    void openRecordFile(const QString &path);
    PublishFileDialog *showPublishFileDialog();
    /// Exports what is selected, to be published from there: so it can be gone on with.
    void redrive(const RecordPanel *panel);
    void showExportDialog(const ExportSubject &subject);
    void exportHits();
    void setColorScheme(ColorScheme scheme);
    static void applyTimeStyle(const TimeStyle &style);
    void updateState();
    void updateConnectionText();
    void updateGroups(SessionHandle *session);
    void showSearch();
    void setSearchTopic(std::optional<std::pair<ConnectionId, QString>> topic);
    void updateSearch();
    void showHit(ConnectionId id, const TopicPartition &partition, Offset offset);
    void stepHit(int step);

    UiSettings *m_settings;
    ConnectionStore *m_store;
    MainWindowActions m_actions;
    ProfileSecrets *m_secrets;
    ProfileOpener *m_opener;
    OpenConnections *m_connections;
    TopicPanel *m_topics = nullptr;
    RecordTabs *m_tabs = nullptr;
    InspectorPanel *m_inspector = nullptr;
    ComposePanel *m_compose = nullptr;
    PublishLogPanel *m_log = nullptr;
    GroupsPanel *m_groups = nullptr;
    QDockWidget *m_groupsDock = nullptr;
    SearchPanel *m_search = nullptr;
    QDockWidget *m_searchDock = nullptr;
    QTimer m_hitsChanged;                                          ///< until the maps are told
    std::optional<std::pair<ConnectionId, QString>> m_searchTopic; ///< looked at
    bool m_groupsPutAway = false; ///< until a connection with groups is current again
    QLabel *m_state = nullptr;
    QAction *m_readOnly = nullptr; ///< shows the mark in the toolbar
    QByteArray m_defaultLayout;
    QList<SessionConfig> m_offered;
    bool m_remembersPlaces = true;
    ComparedRecord m_marked; ///< for comparison
    std::optional<ConnectionId> m_current;
    std::map<ConnectionId, std::vector<Place>> m_wantedPlaces; ///< until the topics are listed
    std::set<ConnectionId> m_tabsToWake; ///< until the tree's session is connected
    std::vector<Place> m_putOff;         ///< of connections that still want a login
    /// What is open of a kept connection (by its id) that was edited and waits for its secrets.
    QHash<QString, SessionConfig> m_edited;
};

} // namespace topicscope::ui
