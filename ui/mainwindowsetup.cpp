// The building and wiring of the window; what it does is in mainwindow.cpp.

#include "core/base/digits.h"
#include "core/profiles/profilesecrets.h"
#include "core/sessionfactory.h"
#include "ui/dialogs/aboutdialog.h"
#include "ui/dialogs/shortcutsdialog.h"
#include "ui/errortext.h"
#include "ui/mainwindow.h"
#include "ui/openconnections.h"
#include "ui/panels/composepanel.h"
#include "ui/panels/formatmenu.h"
#include "ui/panels/inspectorpanel.h"
#include "ui/panels/publishlogpanel.h"
#include "ui/panels/recordpanel.h"
#include "ui/panels/topicpanel.h"
#include "ui/recordtabs.h"
#include "ui/recordtemplates.h"
#include "ui/theme/icons.h"
#include "ui/views/columnlayout.h"

#include <QAction>
#include <QActionGroup>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

QWidget *makeReadOnlyMark()
{
    auto *mark = new QToolButton;
    mark->setObjectName(u"readOnlyMark"_s);
    mark->setIcon(icon(IconName::ReadOnly, Tone::Warning));
    mark->setText(MainWindow::tr("Read-only"));
    mark->setToolTip(MainWindow::tr("This connection cannot publish: it is refused below any "
                                    "button. Change it in Manage Connections."));
    mark->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    mark->setAutoRaise(true);
    mark->setFocusPolicy(Qt::NoFocus);
    return mark;
}

} // namespace

void MainWindow::makePanels(const SessionFactory &factory)
{
    m_topics = new TopicPanel(m_connections->model());
    m_topics->setObjectName(u"topicPanel"_s);
    m_tabs = new RecordTabs(factory, m_settings);
    m_tabs->setObjectName(u"recordArea"_s);
    m_inspector = new InspectorPanel;
    m_inspector->setObjectName(u"inspectorPanel"_s);
    m_inspector->setFormatSource([this](const QString &name) { return m_tabs->formatNamed(name); });
    connect(m_inspector, &InspectorPanel::formatChosen, m_tabs,
            [this](PayloadPart part, const QString &name) {
                if (RecordPanel *panel = m_tabs->current())
                    panel->chooseFormat(part, name);
            });
    m_compose = new ComposePanel;
    m_compose->setObjectName(u"composePanel"_s);
    m_compose->setFormatMemory(
        {[this](const QString &connection, const QString &topic, PayloadPart part) {
             return PayloadCodec::byName(m_settings->format(connection, topic, part));
         },
         [this](const QString &connection, const QString &topic, PayloadPart part,
                const PayloadCodec *format) {
             // What is read by a schema still is, however one record was written.
             if (!m_settings->format(connection, topic, part).contains(u':'))
                 m_settings->setFormat(connection, topic, part,
                                       format ? format->name() : QString());
         }});
    new RecordTemplates(m_settings->folder() + u"/templates.json"_s, m_compose);
    m_log = new PublishLogPanel;
    m_log->setObjectName(u"publishLogPanel"_s);
    setCentralWidget(m_tabs);
}

QDockWidget *MainWindow::addDock(const QString &name, const QString &title, QWidget *panel,
                                 Qt::DockWidgetArea area)
{
    auto *dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(panel);
    addDockWidget(area, dock);
    m_actions.viewMenu->addAction(dock->toggleViewAction());
    return dock;
}

void MainWindow::makeDocks(const SessionFactory &factory)
{
    setDockNestingEnabled(true);
    QDockWidget *topics = addDock(u"topicsDock"_s, tr("Topics"), m_topics, Qt::LeftDockWidgetArea);
    QDockWidget *inspector =
        addDock(u"inspectorDock"_s, tr("Inspector"), m_inspector, Qt::RightDockWidgetArea);
    QDockWidget *compose =
        addDock(u"composeDock"_s, tr("Compose"), m_compose, Qt::BottomDockWidgetArea);
    QDockWidget *log =
        addDock(u"publishLogDock"_s, tr("Published"), m_log, Qt::BottomDockWidgetArea);
    makeGroupsDock();
    makeSearchDock(factory);
    tabifyDockWidget(inspector, m_groupsDock);
    splitDockWidget(compose, log, Qt::Horizontal);
    tabifyDockWidget(compose, m_searchDock);
    resizeDocks({topics, inspector}, {260, 290}, Qt::Horizontal);
    resizeDocks({compose, log}, {690, 590}, Qt::Horizontal);
    resizeDocks({compose, log}, {170, 170}, Qt::Vertical);
}

void MainWindow::makeBars()
{
    QToolBar *bar = addToolBar(tr("Toolbar"));
    bar->setObjectName(u"mainToolBar"_s);
    bar->setIconSize(QSize(16, 16));
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    auto *connectButton = new QToolButton;
    connectButton->setObjectName(u"connectButton"_s);
    connectButton->setDefaultAction(m_actions.connectTo);
    connectButton->setText(tr("Connect"));
    connectButton->setMenu(m_actions.recentConnections);
    connectButton->setPopupMode(QToolButton::MenuButtonPopup);
    connectButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->addWidget(connectButton);
    bar->addAction(m_actions.refresh);
    bar->addSeparator();
    bar->addAction(m_actions.compose);
    auto *space = new QWidget;
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    m_actions.viewMenu->addAction(bar->toggleViewAction());

    m_readOnly = bar->addWidget(makeReadOnlyMark());
    m_state = new QLabel;
    m_state->setObjectName(u"connectionStateLabel"_s);
    m_state->setTextFormat(Qt::PlainText);
    m_state->setContentsMargins(4, 0, 4, 0);
    statusBar()->addWidget(m_state, 1);
}

void MainWindow::wirePanels()
{
    connect(m_connections, &OpenConnections::stateChanged, this, [this](ConnectionId id) {
        updateState();
        wakeTabs(id);
        const SessionHandle *session = m_connections->session(id);
        if (session->state() == ConnectionState::Lost && m_wantedPlaces.contains(id))
            emit placeFailed(errorText(session->lastError()).full());
    });
    connect(m_connections, &OpenConnections::reading, this, &MainWindow::updateConnectionText);
    connect(m_connections, &OpenConnections::topicsListed, this, [this](ConnectionId id) {
        m_compose->setTopics(m_connections->session(id), m_connections->model()->topics(id));
        openPlaces(id);
    });
    connect(m_connections, &OpenConnections::topicsDescribed, this,
            [this](ConnectionId id, const QStringList &topics) {
                if (topics.contains(m_compose->topic()))
                    m_compose->setTopics(m_connections->session(id),
                                         m_connections->model()->topics(id));
            });
    connect(m_connections, &OpenConnections::listingFailed, this,
            [this](ConnectionId id, const Error &error) {
                // What a lost connection means is told by its state.
                if (m_connections->session(id)->state() == ConnectionState::Connected)
                    showNotice(errorText(error).full());
            });
    connect(m_connections, &OpenConnections::closed, this, &MainWindow::onConnectionClosed);
    connect(m_store, &ConnectionStore::updated, this, &MainWindow::onConnectionUpdated);
    connect(m_secrets, &ProfileSecrets::changed, this, &MainWindow::onSecretChanged);
    connect(m_secrets, &ProfileSecrets::notKept, this, [this](const Error &error) {
        showNotice(tr("The keychain did not take it: kept until the program ends. ") +
                   errorText(error).full());
    });

    connect(m_topics, &TopicPanel::partitionActivated, this,
            [this](ConnectionId id, const TopicInfo &topic, std::optional<PartitionId> partition) {
                openTopic(id, topic, partition);
            });
    connect(m_topics, &TopicPanel::partitionSettled, this,
            [this](ConnectionId id, const TopicInfo &topic, std::optional<PartitionId> partition) {
                if (const SessionHandle *session = m_connections->session(id))
                    m_tabs->preview(id, session->config(), topic, partition);
            });
    connect(m_topics, &TopicPanel::openAtRequested, this,
            [this](ConnectionId id, const TopicInfo &topic, std::optional<PartitionId> partition) {
                openTopic(id, topic, partition);
                m_actions.goTo->trigger();
            });
    connect(m_topics, &TopicPanel::connectionSelected, this, &MainWindow::setCurrentConnection);
    connect(m_topics, &TopicPanel::topicSelected, this,
            [this](ConnectionId id, const QString &topic) {
                m_compose->lookAt(composePlace(id, topic));
                setSearchTopic({{id, topic}});
            });
    connect(m_topics, &TopicPanel::offsetsWanted, m_connections, &OpenConnections::wantOffsets);
    connect(m_topics, &TopicPanel::retryRequested, this, &MainWindow::connectAgain);
    connect(m_topics, &TopicPanel::closeRequested, m_connections, &OpenConnections::close);

    connect(m_tabs, &RecordTabs::currentChanged, this, &MainWindow::onTabChanged);
    connect(m_tabs, &RecordTabs::lookedChanged, this, &MainWindow::showLookedAt);
    connect(m_tabs, &RecordTabs::stateChanged, this, &MainWindow::updateState);
    connect(m_tabs, &RecordTabs::loaded, this, &MainWindow::placeOpened);
    connect(m_tabs, &RecordTabs::mapFilled, this, &MainWindow::placeFilled);
    connect(this, &MainWindow::placeFailed, this, &MainWindow::showNotice);
    connect(m_tabs, &RecordTabs::exportRequested, this,
            [this](const RecordPanel *panel) { showExportDialog(panel->exportSubject()); });
    connect(m_tabs, &RecordTabs::compareRequested, this, &MainWindow::compare);
    connect(m_tabs, &RecordTabs::markRequested, this, [this](const ComparedRecord &record) {
        m_marked = record;
        showNotice(tr("Marked: %1 / %2, offset %3. Compare with the Marked shows another record "
                      "beside it.")
                       .arg(record.chunk->partition().topic,
                            QString::number(record.chunk->partition().partition.value),
                            groupedDigits(record.record().offset.value)));
    });
    connect(m_tabs, &RecordTabs::compareWithMarkedRequested, this,
            [this](const ComparedRecord &record) {
                if (m_marked.chunk)
                    compare(m_marked, record);
                else
                    showNotice(tr("No record is marked for comparison yet."));
            });
    connect(m_tabs, &RecordTabs::redriveRequested, this, &MainWindow::redrive);
    connect(m_tabs, &RecordTabs::copyToComposerRequested, this,
            [this](const RecordContent &content, const TopicPartition &partition) {
                // Where records have keys, the key chooses again.
                const SessionHandle *session =
                    m_current ? m_connections->session(*m_current) : nullptr;
                const bool byKey = session && session->capabilities().keys;
                m_compose->setDraft(content, composePlace(m_current, partition.topic),
                                    byKey ? std::nullopt : std::optional(partition.partition));
                m_actions.compose->trigger();
            });

    connect(m_compose, &ComposePanel::submitted, m_log, &PublishLogPanel::addSubmitted);
    connect(m_compose, &ComposePanel::topicsOutdated, m_connections, &OpenConnections::refresh);
    connect(
        m_log, &PublishLogPanel::editAgainRequested, this,
        [this](SessionHandle *session, const SessionConfig &config, const PublishRequest &request) {
            const auto id = session ? m_connections->find(session->config()) : std::nullopt;
            ComposeTarget::Place place = composePlace(id, request.topic);
            if (!id)
                place.config = config;
            m_compose->setRequest(request, place);
            m_actions.compose->trigger();
        });
    connect(m_log, &PublishLogPanel::goToRequested, this,
            [this](const SessionHandle *session, const TopicPartition &partition, Offset offset) {
                const auto id = m_connections->find(session->config());
                if (!id)
                    return;
                const QModelIndex row = m_connections->model()->topicIndex(*id, partition.topic);
                if (const auto topic = m_connections->model()->topicOf(row))
                    openTopic(*id, *topic, partition.partition, offset);
            });
}

void MainWindow::wireActions()
{
    const MainWindowActions &a = m_actions;
    connect(a.connectTo, &QAction::triggered, this, &MainWindow::showConnectDialog);
    connect(a.publishFile, &QAction::triggered, this, [this] { showPublishFileDialog(); });
    connect(a.openRecordFile, &QAction::triggered, this, &MainWindow::chooseRecordFile);
    connect(a.preferences, &QAction::triggered, this, &MainWindow::showPreferences);
    connect(a.manageConnections, &QAction::triggered, this, &MainWindow::showConnectionsDialog);
    connect(a.recentConnections, &QMenu::aboutToShow, this, &MainWindow::fillRecentConnections);
    connect(a.refresh, &QAction::triggered, this, [this] {
        m_connections->refresh();
        if (RecordPanel *panel = m_tabs->current())
            panel->refresh();
    });
    connect(a.retry, &QAction::triggered, this, [this] {
        if (m_current)
            connectAgain(*m_current);
    });
    connect(a.disconnect, &QAction::triggered, this, [this] {
        if (m_current)
            m_connections->close(*m_current);
    });
    connect(a.quit, &QAction::triggered, this, &QWidget::close);
    connect(a.colorScheme, &QActionGroup::triggered, this,
            [this](const QAction *choice) { setColorScheme(ColorScheme{choice->data().toInt()}); });
    connect(a.refreshInterval, &QActionGroup::triggered, this, [this](const QAction *choice) {
        const std::chrono::seconds interval(choice->data().toInt());
        m_settings->setRefreshInterval(interval);
        m_connections->setRefreshInterval(interval);
    });
    connect(a.topicOffsets, &QActionGroup::triggered, this, [this](const QAction *choice) {
        const int chosen = choice->data().toInt();
        const auto shows = chosen == MainWindowActions::kWhereThereIsRoom
                               ? std::nullopt
                               : std::optional(chosen != 0);
        m_settings->setShowsTopicOffsets(shows);
        m_topics->setShowsOffsets(shows);
    });
    a.showMap->setChecked(m_settings->showsMap());
    connect(a.showMap, &QAction::toggled, this, [this](bool shown) {
        m_settings->setShowsMap(shown);
        m_tabs->applySettings();
    });
    connect(a.resetLayout, &QAction::triggered, this, [this] { restoreState(m_defaultLayout); });
    connect(a.focusTopics, &QAction::triggered, m_topics, &TopicPanel::focusTree);
    connect(a.filterTopics, &QAction::triggered, m_topics, &TopicPanel::focusFilter);
    connect(a.nextTab, &QAction::triggered, m_tabs, [this] { m_tabs->showNextTab(1); });
    connect(a.previousTab, &QAction::triggered, m_tabs, [this] { m_tabs->showNextTab(-1); });
    connect(a.closeTab, &QAction::triggered, m_tabs, &RecordTabs::closeCurrent);
    connect(a.compose, &QAction::triggered, this, [this] {
        if (auto *dock = findChild<QDockWidget *>(u"composeDock"_s)) {
            dock->show();
            dock->raise();
        }
        m_compose->focusValue();
    });
    connect(a.shortcuts, &QAction::triggered, this,
            [this] { showShortcutsDialog(menuBar(), this); });
    connect(a.about, &QAction::triggered, this,
            [this] { showAboutDialog(this, kafkaPropertyCatalog()); });
}

void MainWindow::wireRecordActions()
{
    const MainWindowActions &a = m_actions;
    const auto onPanel = [this](QAction *action, auto call) {
        connect(action, &QAction::triggered, this, [this, call](bool checked) {
            RecordPanel *panel = m_tabs->current();
            if (!panel)
                return;
            if constexpr (std::is_invocable_v<decltype(call), RecordPanel *, bool>)
                std::invoke(call, panel, checked);
            else
                std::invoke(call, panel);
        });
    };
    onPanel(a.focusRecords, [](RecordPanel *panel) { panel->setFocus(Qt::ShortcutFocusReason); });
    onPanel(a.goTo, &RecordPanel::focusGoTo);
    onPanel(a.goToFirst, &RecordPanel::goToFirst);
    onPanel(a.goToLast, &RecordPanel::goToLast);
    onPanel(a.nextFlagged, &RecordPanel::nextFlagged);
    onPanel(a.previousFlagged, &RecordPanel::previousFlagged);
    onPanel(a.filterRecords, &RecordPanel::focusFilter);
    onPanel(a.follow, &RecordPanel::setFollowing);
    onPanel(a.pause, &RecordPanel::setPaused);
    onPanel(a.filterForCell, &RecordPanel::filterForCell);
    onPanel(a.filterOutCell, &RecordPanel::filterOutCell);
    onPanel(a.searchForCell, &RecordPanel::searchForCell);
    onPanel(a.fetchWhole, &RecordPanel::fetchWhole);
    onPanel(a.stop, &RecordPanel::cancel);
    onPanel(a.copyToComposer, &RecordPanel::copyToComposer);
    onPanel(a.compareRecords, &RecordPanel::compareSelected);
    onPanel(a.comparePrevious, &RecordPanel::compareWithPrevious);
    onPanel(a.markForComparison, &RecordPanel::markForComparison);
    onPanel(a.compareMarked, &RecordPanel::compareWithMarked);
    onPanel(a.redrive, [this](RecordPanel *panel) { redrive(panel); });
    onPanel(a.exportRecords,
            [this](RecordPanel *panel) { showExportDialog(panel->exportSubject()); });
    for (const MainWindowActions::Copy &copy : a.copies) {
        onPanel(copy.action, [what = copy.what, format = copy.format](RecordPanel *panel) {
            panel->copyAs(what, format);
        });
    }
    const auto addFormats = [this](QMenu *menu, PayloadPart part) {
        auto *formats = new FormatMenu(menu, [this, part] {
            const RecordPanel *panel = m_tabs->current();
            return panel
                       ? FormatMenu::State{panel->formats().of(part), panel->formats().hasRegistry}
                       : FormatMenu::State();
        });
        connect(formats, &FormatMenu::chosen, this, [this, part](const QString &name) {
            if (RecordPanel *panel = m_tabs->current())
                panel->chooseFormat(part, name);
        });
    };
    addFormats(a.valueFormats, PayloadPart::Value);
    addFormats(a.keyFormats, PayloadPart::Key);
    connect(a.recordColumns, &QMenu::aboutToShow, this, [this] {
        m_actions.recordColumns->clear();
        if (const RecordPanel *panel = m_tabs->current())
            panel->columns()->fillMenu(m_actions.recordColumns);
    });
}

} // namespace topicscope::ui
