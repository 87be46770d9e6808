// The consumer groups in the window: there where the current connection has some.

#include "ui/mainwindow.h"
#include "ui/openconnections.h"
#include "ui/panels/groupspanel.h"

#include <QAction>
#include <QDockWidget>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

void MainWindow::makeGroupsDock()
{
    m_groups = new GroupsPanel;
    m_groups->setObjectName(u"groupsPanel"_s);
    m_groupsDock =
        addDock(u"groupsDock"_s, tr("Consumer Groups"), m_groups, Qt::RightDockWidgetArea);
    m_groupsDock->hide();

    connect(m_actions.focusGroups, &QAction::triggered, this, [this] {
        m_groupsDock->show();
        m_groupsDock->raise();
        m_groups->setFocus(Qt::ShortcutFocusReason);
    });
    connect(m_actions.refresh, &QAction::triggered, m_groups, [this] {
        if (m_groups->isVisible())
            m_groups->refresh();
    });
    connect(m_groups, &GroupsPanel::openRequested, this,
            [this](const TopicPartition &partition, Offset offset) {
                const TopicTreeModel &model = *m_connections->model();
                const auto topic =
                    m_current ? model.topicOf(model.topicIndex(*m_current, partition.topic))
                              : std::nullopt;
                if (topic)
                    openTopic(*m_current, *topic, partition.partition, offset);
                else
                    showNotice(tr("There is no topic %1.").arg(partition.topic));
            });
}

void MainWindow::updateGroups(SessionHandle *session)
{
    const bool hasGroups = session && session->capabilities().groups;
    m_actions.focusGroups->setEnabled(hasGroups);
    m_groupsDock->toggleViewAction()->setVisible(hasGroups);
    m_groups->setSession(hasGroups ? session : nullptr);
    // Put away where there are none, and back where there are.
    if (!hasGroups && !m_groupsDock->isHidden()) {
        m_groupsDock->hide();
        m_groupsPutAway = true;
    } else if (hasGroups && std::exchange(m_groupsPutAway, false)) {
        m_groupsDock->show();
    }
}

} // namespace topicscope::ui
