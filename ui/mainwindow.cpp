#include "ui/mainwindow.h"

#include "core/profiles/profilesecrets.h"
#include "core/session/backoff.h"
#include "ui/dialogs/comparedialog.h"
#include "ui/dialogs/preferencesdialog.h"
#include "ui/dialogs/profileopener.h"
#include "ui/errortext.h"
#include "ui/openconnections.h"
#include "ui/panels/composepanel.h"
#include "ui/panels/inspectorpanel.h"
#include "ui/panels/publishlogpanel.h"
#include "ui/panels/recordpanel.h"
#include "ui/panels/searchpanel.h"
#include "ui/panels/topicpanel.h"
#include "ui/plaintooltip.h"
#include "ui/recordtabs.h"
#include "ui/theme/icons.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPointer>
#include <QStatusBar>

#include <algorithm>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{

constexpr int kFrameWidth = 3; ///< around a read-only connection
constexpr auto kNoticeTime = 10s;

std::pair<Tone, QString> connectionText(const SessionHandle *session)
{
    if (!session)
        return {Tone::Muted, MainWindow::tr("Not connected")};
    const QString name = session->config().displayName();
    switch (session->state()) {
    case ConnectionState::Connecting:
        if (const auto percent = session->percentRead())
            return {Tone::Muted, MainWindow::tr("Reading %1: %2 %").arg(name).arg(*percent)};
        return {Tone::Muted, MainWindow::tr("Connecting to %1…").arg(name)};
    case ConnectionState::Connected:
        return {Tone::Good, MainWindow::tr("Connected to %1")
                                .arg(name == session->config().endpoint()
                                         ? name
                                         : u"%1, %2"_s.arg(name, session->config().endpoint()))};
    case ConnectionState::Lost:
        if (session->lastError().kind == ErrorKind::InvalidArgument)
            return {Tone::Danger, MainWindow::tr("%1 cannot be used as it is set up. %2")
                                      .arg(name, errorText(session->lastError()).full())};
        if (!isTriedAgain(session->lastError()))
            return {Tone::Danger, MainWindow::tr("%1 is not connected. %2")
                                      .arg(name, errorText(session->lastError()).full())};
        return {Tone::Danger, MainWindow::tr("%1 is lost, trying again. %2")
                                  .arg(name, errorText(session->lastError()).full())};
    }
    return {};
}

/// Marks the choice with this value.
void check(const QActionGroup *group, int value)
{
    for (QAction *action : group->actions()) {
        if (action->data().toInt() == value)
            action->setChecked(true);
    }
}

} // namespace

MainWindow::MainWindow(const SessionFactory &factory, UiSettings *settings, ConnectionStore *store,
                       ProfileSecrets *secrets, QWidget *parent)
    : QMainWindow(parent)
    , m_settings(settings)
    , m_store(store)
    , m_actions(this)
    , m_secrets(secrets ? secrets : new ProfileSecrets(nullptr, this))
    , m_opener(new ProfileOpener(m_secrets, this))
    , m_connections(new OpenConnections(factory, this))
{
    setObjectName(u"mainWindow"_s);
    setWindowIcon(icon(IconName::Topicscope));
    makePanels(factory);
    makeDocks(factory);
    makeBars();
    wirePanels();
    wireActions();
    wireRecordActions();
    restore();
    updateState();
    m_topics->focusTree();
}

MainWindow::~MainWindow()
{
    // Panels first: they look into what the connections hold, and tell this window about it.
    m_tabs->disconnect(this);
    delete m_tabs;
    qDeleteAll(findChildren<QDockWidget *>(Qt::FindDirectChildrenOnly));
}

void MainWindow::restore()
{
    m_defaultLayout = saveState();
    if (!restoreGeometry(m_settings->windowGeometry()))
        resize(1280, 800);
    restoreState(m_settings->windowState());
    if (const QByteArray columns = m_settings->topicColumns(); !columns.isEmpty())
        m_topics->restoreColumns(columns);
    m_topics->setShowsInternal(m_settings->showsInternalTopics());
    const auto offsets = m_settings->showsTopicOffsets();
    m_topics->setShowsOffsets(offsets);
    check(m_actions.topicOffsets, offsets ? int(*offsets) : MainWindowActions::kWhereThereIsRoom);
    if (const QByteArray columns = m_settings->publishLogColumns(); !columns.isEmpty())
        m_log->restoreColumns(columns);
    check(m_actions.colorScheme, int(m_settings->colorScheme()));
    check(m_actions.refreshInterval, int(m_settings->refreshInterval().count()));
    m_connections->setRefreshInterval(m_settings->refreshInterval());
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    m_settings->setWindowGeometry(saveGeometry());
    m_settings->setWindowState(saveState());
    m_settings->setTopicColumns(m_topics->saveColumns());
    m_settings->setShowsInternalTopics(m_topics->showsInternal());
    m_settings->setPublishLogColumns(m_log->saveColumns());
    if (m_remembersPlaces) {
        std::vector<Place> places = m_putOff;
        for (const auto &[id, wanted] : m_wantedPlaces) // of connections that did not come about
            places.insert(places.end(), wanted.begin(), wanted.end());
        const std::vector<Place> open = m_tabs->places();
        places.insert(places.end(), open.begin(), open.end());
        m_settings->setPlaces(places);
    }
    QMainWindow::closeEvent(event);
}

void MainWindow::paintEvent(QPaintEvent *event)
{
    QMainWindow::paintEvent(event);
    if (contentsMargins().isNull())
        return;
    QPainter painter(this);
    painter.setPen(QPen(toneColor(Tone::Warning, palette()), 2 * kFrameWidth));
    painter.drawRect(rect());
}

void MainWindow::showPreferences()
{
    auto *dialog = new PreferencesDialog(m_settings, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this] {
        setColorScheme(m_settings->colorScheme());
        applyTimeStyle(m_settings->timeStyle());
        m_tabs->applySettings();
    });
    dialog->open();
}

void MainWindow::compare(const ComparedRecord &left, const ComparedRecord &right)
{
    auto *dialog = new CompareDialog(left, right, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show(); // beside the window, which goes on
}

void MainWindow::setColorScheme(ColorScheme scheme)
{
    m_settings->setColorScheme(scheme);
    check(m_actions.colorScheme, int(scheme));
    applyColorScheme(scheme);
}

void MainWindow::applyTimeStyle(const TimeStyle &style)
{
    if (style == TimeStyle::current())
        return;
    TimeStyle::setCurrent(style);
    // As when the system's way of writing times changes: most only draw again.
    const QWidgetList all = QApplication::allWidgets();
    const QList<QPointer<QWidget>> widgets(all.begin(), all.end());
    for (const QPointer<QWidget> &widget : widgets) {
        QEvent change(QEvent::LocaleChange);
        if (widget)
            QApplication::sendEvent(widget, &change);
        if (widget)
            widget->update();
    }
}

void MainWindow::showNotice(const QString &text)
{
    statusBar()->showMessage(text, int(std::chrono::milliseconds(kNoticeTime).count()));
}

void MainWindow::openPlaces(ConnectionId id)
{
    const auto wanted = m_wantedPlaces.extract(id);
    if (wanted.empty())
        return;
    for (const Place &place : wanted.mapped()) {
        const TopicTreeModel &model = *m_connections->model();
        const auto topic = model.topicOf(place.topic.isEmpty() ? model.firstTopicIndex(id)
                                                               : model.topicIndex(id, place.topic));
        const auto has = [&place](const PartitionInfo &p) { return p.id == place.partition; };
        if (!topic && place.topic.isEmpty()) {
            emit placeOpened(); // there is nothing to open
            emit placeFilled();
        } else if (!topic) {
            emit placeFailed(tr("There is no topic %1.").arg(place.topic));
        } else if (place.partition &&
                   std::none_of(topic->partitions.begin(), topic->partitions.end(), has)) {
            emit placeFailed(tr("%1 has no partition %2.")
                                 .arg(place.topic, QString::number(place.partition->value)));
        } else {
            openTopic(id, *topic, place.partition, place.offset);
        }
    }
}

void MainWindow::openTopic(ConnectionId id, const TopicInfo &topic,
                           std::optional<PartitionId> partition, std::optional<Offset> at)
{
    const SessionHandle *session = m_connections->session(id);
    if (!session)
        return;
    RecordPanel *panel = m_tabs->open(id, session->config(), topic, partition, at);
    panel->setFocus(Qt::OtherFocusReason);
}

void MainWindow::connectAgain(ConnectionId id)
{
    // One login tells whether the others may try theirs.
    m_tabsToWake.insert(id);
    m_connections->retry(id);
}

void MainWindow::wakeTabs(ConnectionId id)
{
    const SessionHandle *session = m_connections->session(id);
    if (session && session->state() == ConnectionState::Connected && m_tabsToWake.erase(id) > 0)
        m_tabs->reconnect(id);
}

void MainWindow::setCurrentConnection(std::optional<ConnectionId> id)
{
    if (m_current == id)
        return;
    m_current = id;
    m_compose->lookAt(composePlace(id, {}));
    updateState();
}

ComposeTarget::Place MainWindow::composePlace(std::optional<ConnectionId> id,
                                              const QString &topic) const
{
    SessionHandle *session = id ? m_connections->session(*id) : nullptr;
    if (!session)
        return {};
    return {session, session->config(), m_connections->model()->topics(*id), topic};
}

void MainWindow::onTabChanged(RecordPanel *panel)
{
    if (panel) {
        const auto id = m_tabs->connectionOf(panel);
        setCurrentConnection(id);
        m_topics->select(*id, {panel->topic(), panel->partition().value_or(PartitionId{-1})});
        m_compose->lookAt(composePlace(id, panel->topic()));
        setSearchTopic({{*id, panel->topic()}});
    }
    showLookedAt();
    updateState();
}

void MainWindow::onConnectionClosed(ConnectionId id)
{
    m_search->forget(id);
    m_tabs->closeConnection(id);
    m_wantedPlaces.erase(id);
    m_tabsToWake.erase(id);
    if (m_current == id) {
        const auto left = m_connections->ids();
        setCurrentConnection(left.empty() ? std::nullopt : std::optional(left.back()));
    }
}

void MainWindow::showLookedAt()
{
    const RecordPanel *panel = m_tabs->current();
    const RecordTabs::Looked looked = m_tabs->looked();
    m_inspector->showRecord(looked.chunk, looked.index,
                            panel ? panel->capabilities() : Capabilities(), looked.formats);
    if (!looked.chunk && !looked.note.isEmpty())
        m_inspector->showNote(looked.note);
    m_search->setSelected(looked.chunk, looked.index);
}

void MainWindow::updateState()
{
    SessionHandle *session = m_current ? m_connections->session(*m_current) : nullptr;
    updateGroups(session);
    updateSearch();
    const bool readOnly = session && session->config().readOnly;
    const int frame = readOnly ? kFrameWidth : 0;
    setContentsMargins(frame, frame, frame, frame);
    m_readOnly->setVisible(readOnly);

    const RecordPanel *panel = m_tabs->current();
    for (QAction *action : m_actions.needTab())
        action->setEnabled(panel != nullptr);
    m_actions.follow->setChecked(panel && panel->isFollowing());
    m_actions.pause->setChecked(panel && panel->isPaused());
    m_actions.pause->setEnabled(panel && panel->isFollowing());
    m_actions.retry->setEnabled(session != nullptr);
    m_actions.disconnect->setEnabled(session != nullptr);

    updateConnectionText();

    QStringList title;
    if (panel)
        title << panel->title();
    if (session)
        title << session->config().displayName() + (readOnly ? tr(" (read-only)") : QString());
    title << u"Topicscope"_s;
    setWindowTitle(title.join(u" – "_s));
}

void MainWindow::updateConnectionText()
{
    const auto [tone, text] =
        connectionText(m_current ? m_connections->session(*m_current) : nullptr);
    m_state->setText(text);
    m_state->setToolTip(plainToolTip(text));
    QPalette colors = statusBar()->palette();
    colors.setColor(QPalette::WindowText, toneColor(tone, colors));
    m_state->setPalette(colors);
}

} // namespace topicscope::ui
