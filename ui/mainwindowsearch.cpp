// Searching in the window: what is searched is what is looked at, and hits lead back to it.

#include "ui/mainwindow.h"
#include "ui/openconnections.h"
#include "ui/panels/recordpanel.h"
#include "ui/panels/searchpanel.h"
#include "ui/recordtabs.h"

#include <QAction>
#include <QDockWidget>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kTellMapsMs = 200;   ///< there may be many hits, and they come fast
constexpr int kSearchHeight = 300; ///< of the dock, when it is asked for

} // namespace

void MainWindow::makeSearchDock(const SessionFactory &factory)
{
    m_search = new SearchPanel(factory);
    m_search->setObjectName(u"searchPanel"_s);
    m_searchDock = addDock(u"searchDock"_s, tr("Search"), m_search, Qt::BottomDockWidgetArea);
    m_searchDock->hide();

    connect(m_actions.search, &QAction::triggered, this, [this] { showSearch(); });
    connect(m_actions.nextHit, &QAction::triggered, this, [this] { stepHit(1); });
    connect(m_actions.previousHit, &QAction::triggered, this, [this] { stepHit(-1); });
    connect(m_tabs, &RecordTabs::searchRequested, this, [this](const QString &expression) {
        showSearch();
        m_search->searchFor(expression);
    });
    connect(m_actions.exportHits, &QAction::triggered, this, &MainWindow::exportHits);
    connect(m_search, &SearchPanel::exportRequested, this, &MainWindow::exportHits);
    connect(m_search, &SearchPanel::openRequested, this, &MainWindow::showHit);
    connect(m_search, &SearchPanel::noticed, this, &MainWindow::showNotice);
    m_hitsChanged.setSingleShot(true);
    m_hitsChanged.setInterval(kTellMapsMs);
    connect(&m_hitsChanged, &QTimer::timeout, this, [this] {
        SearchPanel::Hits hits = m_search->hits();
        m_tabs->showHits(hits.connection, hits.topic, std::move(hits.places));
    });
    const auto onHits = [this] {
        for (QAction *action : {m_actions.nextHit, m_actions.previousHit, m_actions.exportHits})
            action->setEnabled(m_search->hasHits());
        if (!m_hitsChanged.isActive())
            m_hitsChanged.start();
    };
    connect(m_search, &SearchPanel::hitsChanged, this, onHits);
    onHits();
}

void MainWindow::showSearch()
{
    const bool wasHidden = m_searchDock->isHidden();
    m_searchDock->show();
    m_searchDock->raise();
    if (wasHidden && m_searchDock->height() < kSearchHeight && !m_searchDock->isFloating())
        resizeDocks({m_searchDock}, {kSearchHeight}, Qt::Vertical);
    m_search->focusExpression();
}

/// The topic of the current tab, or the one selected in the tree.
void MainWindow::setSearchTopic(std::optional<std::pair<ConnectionId, QString>> topic)
{
    m_searchTopic = std::move(topic);
    updateSearch();
}

void MainWindow::updateSearch()
{
    SessionHandle *session = m_searchTopic ? m_connections->session(m_searchTopic->first) : nullptr;
    const TopicTreeModel &model = *m_connections->model();
    const auto info =
        session ? model.topicOf(model.topicIndex(m_searchTopic->first, m_searchTopic->second))
                : std::nullopt;
    if (!info) {
        m_search->lookAt({});
        return;
    }
    SearchPlace place{m_searchTopic->first, session->config(), *info, session->capabilities()};
    if (const RecordPanel *panel = m_tabs->current();
        panel && m_tabs->connectionOf(panel) == place.connection && panel->topic() == info->name) {
        place.formats = panel->formats();
        place.isolation = panel->isolation();
    }
    m_search->lookAt(place);
}

void MainWindow::showHit(ConnectionId id, const TopicPartition &partition, Offset offset)
{
    RecordPanel *panel = m_tabs->current();
    if (panel && m_tabs->connectionOf(panel) == id && panel->topic() == partition.topic &&
        panel->partition().value_or(partition.partition) == partition.partition) {
        panel->goToOffset(partition, offset);
        panel->setFocus(Qt::OtherFocusReason);
        return;
    }
    const TopicTreeModel &model = *m_connections->model();
    if (const auto topic = model.topicOf(model.topicIndex(id, partition.topic)))
        openTopic(id, *topic, partition.partition, offset);
    else
        showNotice(tr("There is no topic %1.").arg(partition.topic));
}

/// From the record looked at, where it is one of the topic searched.
void MainWindow::stepHit(int step)
{
    const RecordTabs::Looked looked = m_tabs->looked();
    const auto id = m_tabs->connectionOf(m_tabs->current());
    std::optional<std::pair<TopicPartition, Offset>> from;
    if (looked.chunk && id && m_search->isAbout(*id, looked.chunk->partition().topic))
        from = {looked.chunk->partition(), looked.chunk->records()[size_t(looked.index)].offset};
    m_search->step(step, from);
}

} // namespace topicscope::ui
