#include "ui/mainwindowactions.h"

#include "ui/theme/icons.h"

#include <QAction>
#include <QActionGroup>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

#include <optional>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

QString tr(const char *text)
{
    return QMainWindow::tr(text);
}

QAction *add(QMenu *menu, const QString &name, const QString &text,
             const QKeySequence &shortcut = {}, std::optional<IconName> iconName = {})
{
    QAction *action = menu->addAction(text);
    action->setObjectName(name);
    action->setShortcut(shortcut);
    if (iconName)
        action->setIcon(icon(*iconName));
    return action;
}

QActionGroup *addChoices(QMenu *menu, const QList<std::pair<int, QString>> &choices)
{
    auto *group = new QActionGroup(menu);
    for (const auto &[value, text] : choices) {
        QAction *action = menu->addAction(text);
        action->setCheckable(true);
        action->setData(value);
        group->addAction(action);
    }
    return group;
}

} // namespace

MainWindowActions::MainWindowActions(QMainWindow *window)
{
    QMenuBar *bar = window->menuBar();

    fileMenu = bar->addMenu(tr("&File"));
    openRecordFile = add(fileMenu, u"openRecordFileAction"_s, tr("&Open Record File…"),
                         QKeySequence::Open, IconName::File);
    exportRecords = add(fileMenu, u"exportAction"_s, tr("&Export…"),
                        QKeySequence(tr("Ctrl+Shift+S")), IconName::Download);
    exportRecords->setToolTip(tr("Write records of this tab into a file"));
    exportHits = add(fileMenu, u"exportHitsAction"_s, tr("Export &Hits…"),
                     QKeySequence(tr("Ctrl+Shift+H")), IconName::Download);
    exportHits->setToolTip(tr("Write what the search has found into a file"));
    publishFile =
        add(fileMenu, u"publishFileAction"_s, tr("&Publish from File…"), {}, IconName::Publish);
    publishFile->setToolTip(tr("Publish the records of a file, each once"));
    fileMenu->addSeparator();
    quit = add(fileMenu, u"quitAction"_s, tr("&Quit"), QKeySequence(tr("Ctrl+Q")));
    quit->setMenuRole(QAction::QuitRole);

    connectionMenu = bar->addMenu(tr("&Connection"));
    connectTo = add(connectionMenu, u"connectAction"_s, tr("&Connect…"), QKeySequence::New,
                    IconName::Connect);
    recentConnections = connectionMenu->addMenu(tr("Connect &To"));
    manageConnections =
        add(connectionMenu, u"manageConnectionsAction"_s, tr("&Manage Connections…"),
            QKeySequence(tr("Ctrl+Shift+N")), IconName::Settings);
    connectionMenu->addSeparator();
    refresh = add(connectionMenu, u"refreshAction"_s, tr("&Refresh"), QKeySequence::Refresh,
                  IconName::Refresh);
    refresh->setToolTip(tr("Read topics and offsets again"));
    refreshInterval = addChoices(connectionMenu->addMenu(tr("Refresh &Automatically")),
                                 {{0, tr("&Off")},
                                  {1, tr("Every &Second")},
                                  {3, tr("Every &3 Seconds")},
                                  {10, tr("Every &10 Seconds")},
                                  {60, tr("Every &Minute")}});
    retry =
        add(connectionMenu, u"retryAction"_s, tr("Connect A&gain"), QKeySequence(tr("Shift+F5")));
    disconnect =
        add(connectionMenu, u"disconnectAction"_s, tr("&Disconnect"), {}, IconName::Offline);

    editMenu = bar->addMenu(tr("&Edit"));
    QMenu *copyMenu = editMenu->addMenu(icon(IconName::Copy), tr("&Copy"));
    const auto addCopy = [&](const QString &name, const QString &text, CopyWhat what,
                             CopyFormat format) {
        copies.push_back({add(copyMenu, name, text), what, format});
    };
    addCopy(u"copyValueTextAction"_s, tr("Copy &Value as Text"), CopyWhat::Values,
            CopyFormat::Text);
    addCopy(u"copyValueHexAction"_s, tr("Copy Value as &Hex"), CopyWhat::Values, CopyFormat::Hex);
    copyMenu->addSeparator();
    addCopy(u"copyRowTextAction"_s, tr("Copy &Row as Text"), CopyWhat::Rows, CopyFormat::Text);
    addCopy(u"copyRowHexAction"_s, tr("Copy Row &as Hex"), CopyWhat::Rows, CopyFormat::Hex);
    addCopy(u"copyRowJsonAction"_s, tr("Copy Row as &JSON"), CopyWhat::Rows, CopyFormat::Json);
    copyMenu->addSeparator();
    addCopy(u"copyCellTextAction"_s, tr("Copy &Cell as Text"), CopyWhat::Cell, CopyFormat::Text);
    addCopy(u"copyCellHexAction"_s, tr("Copy Cell as He&x"), CopyWhat::Cell, CopyFormat::Hex);
    addCopy(u"copyCellJsonAction"_s, tr("Copy Cell as J&SON"), CopyWhat::Cell, CopyFormat::Json);
    editMenu->addSeparator();
    search = add(editMenu, u"searchAction"_s, tr("&Search Partitions…"),
                 QKeySequence(tr("Ctrl+Shift+F")), IconName::Search);
    search->setToolTip(tr("Search partitions for records, with an account of what was searched"));
    editMenu->addSeparator();
    preferences = add(editMenu, u"preferencesAction"_s, tr("&Preferences…"),
                      QKeySequence(tr("Ctrl+,")), IconName::Settings);
    preferences->setMenuRole(QAction::PreferencesRole);

    viewMenu = bar->addMenu(tr("&View"));
    colorScheme = addChoices(viewMenu->addMenu(tr("&Colours")),
                             {{int(ColorScheme::System), tr("Like the &System")},
                              {int(ColorScheme::Light), tr("&Light")},
                              {int(ColorScheme::Dark), tr("&Dark")}});
    recordColumns = viewMenu->addMenu(tr("Record Col&umns"));
    valueFormats = viewMenu->addMenu(tr("Show &Values As"));
    keyFormats = viewMenu->addMenu(tr("Show &Keys As"));
    topicOffsets = addChoices(
        viewMenu->addMenu(tr("&Offsets of Partitions")),
        {{kWhereThereIsRoom, tr("Where There Is &Room")}, {1, tr("&Always")}, {0, tr("&Never")}});
    showMap = add(viewMenu, u"showMapAction"_s, tr("&Map of the Log"), QKeySequence(tr("Ctrl+M")));
    showMap->setCheckable(true);
    resetLayout = add(viewMenu, u"resetLayoutAction"_s, tr("&Reset Layout"));
    viewMenu->addSeparator();

    goMenu = bar->addMenu(tr("&Go"));
    focusTopics = add(goMenu, u"focusTopicsAction"_s, tr("&Topics"), QKeySequence(tr("Ctrl+1")));
    focusRecords = add(goMenu, u"focusRecordsAction"_s, tr("&Records"), QKeySequence(tr("Ctrl+2")));
    focusGroups =
        add(goMenu, u"focusGroupsAction"_s, tr("Consumer &Groups"), QKeySequence(tr("Ctrl+3")));
    filterTopics = add(goMenu, u"filterTopicsAction"_s, tr("&Filter Topics"),
                       QKeySequence(tr("Ctrl+Shift+T")), IconName::Search);
    goMenu->addSeparator();
    goTo = add(goMenu, u"goToAction"_s, tr("&Offset…"), QKeySequence(tr("Ctrl+G")), IconName::GoTo);
    goToFirst = add(goMenu, u"goToFirstAction"_s, tr("F&irst Record"),
                    QKeySequence(tr("Ctrl+Home")), IconName::GoFirst);
    goToLast = add(goMenu, u"goToLastAction"_s, tr("&Last Record"), QKeySequence(tr("Ctrl+End")),
                   IconName::GoLast);
    nextFlagged = add(goMenu, u"nextFlaggedAction"_s, tr("&Next Flagged Record"),
                      QKeySequence(tr("F8")), IconName::Flag);
    previousFlagged = add(goMenu, u"previousFlaggedAction"_s, tr("&Previous Flagged Record"),
                          QKeySequence(tr("Shift+F8")));
    nextHit = add(goMenu, u"nextHitAction"_s, tr("Next &Hit"), QKeySequence(tr("F3")));
    previousHit =
        add(goMenu, u"previousHitAction"_s, tr("Previo&us Hit"), QKeySequence(tr("Shift+F3")));
    goMenu->addSeparator();
    nextTab = add(goMenu, u"nextTabAction"_s, tr("N&ext Tab"), QKeySequence(tr("Ctrl+PgDown")));
    previousTab =
        add(goMenu, u"previousTabAction"_s, tr("Pre&vious Tab"), QKeySequence(tr("Ctrl+PgUp")));
    closeTab =
        add(goMenu, u"closeTabAction"_s, tr("&Close Tab"), QKeySequence::Close, IconName::Close);

    recordMenu = bar->addMenu(tr("&Record"));
    follow = add(recordMenu, u"followAction"_s, tr("&Follow"), QKeySequence(tr("Ctrl+L")),
                 IconName::Follow);
    follow->setCheckable(true);
    pause = add(recordMenu, u"pauseAction"_s, tr("&Pause"), QKeySequence(tr("Ctrl+Shift+L")),
                IconName::Pause);
    pause->setCheckable(true);
    filterRecords = add(recordMenu, u"filterRecordsAction"_s, tr("F&ilter Records"),
                        QKeySequence::Find, IconName::Filter);
    filterForCell = add(recordMenu, u"filterForCellAction"_s, tr("Filter for This &Cell"));
    filterOutCell = add(recordMenu, u"filterOutCellAction"_s, tr("Filter &Out This Cell"));
    searchForCell = add(recordMenu, u"searchForCellAction"_s, tr("Searc&h for This Cell"), {},
                        IconName::Search);
    recordMenu->addSeparator();
    stop = add(recordMenu, u"stopAction"_s, tr("&Stop Loading"), QKeySequence(tr("Shift+Esc")));
    fetchWhole = add(recordMenu, u"fetchWholeAction"_s, tr("Fetch &Whole Record"),
                     QKeySequence(tr("F7")), IconName::Download);
    recordMenu->addSeparator();
    compareRecords = add(recordMenu, u"compareAction"_s, tr("Compa&re the Two Selected"),
                         QKeySequence(tr("Ctrl+D")));
    comparePrevious =
        add(recordMenu, u"comparePreviousAction"_s, tr("Compare with the Pre&vious of This Key"),
            QKeySequence(tr("Ctrl+Shift+D")));
    markForComparison = add(recordMenu, u"markForComparisonAction"_s, tr("Mar&k for Comparison"),
                            QKeySequence(tr("Ctrl+K")));
    compareMarked = add(recordMenu, u"compareMarkedAction"_s, tr("Compare with the Marke&d"),
                        QKeySequence(tr("Ctrl+Shift+K")));
    recordMenu->addSeparator();
    copyToComposer = add(recordMenu, u"copyToComposerAction"_s, tr("Copy to Compos&er"),
                         QKeySequence(tr("Ctrl+E")), IconName::Publish);
    redrive = add(recordMenu, u"redriveAction"_s, tr("Redrive Se&lected…"));
    redrive->setToolTip(tr("Publish the selected records to another topic or connection"));
    compose = add(recordMenu, u"composeAction"_s, tr("Co&mpose"), QKeySequence(tr("Ctrl+Shift+E")),
                  IconName::Edit);
    compose->setToolTip(tr("Compose a record and publish it"));

    helpMenu = bar->addMenu(tr("&Help"));
    shortcuts =
        add(helpMenu, u"shortcutsAction"_s, tr("&Keyboard Shortcuts"), QKeySequence(tr("F1")));
    about = add(helpMenu, u"aboutAction"_s, tr("&About Topicscope"));
    about->setMenuRole(QAction::AboutRole);
}

QList<QAction *> MainWindowActions::needTab() const
{
    QList<QAction *> actions{focusRecords,
                             goTo,
                             goToFirst,
                             goToLast,
                             nextFlagged,
                             previousFlagged,
                             nextTab,
                             previousTab,
                             closeTab,
                             follow,
                             pause,
                             filterRecords,
                             stop,
                             fetchWhole,
                             exportRecords,
                             redrive,
                             copyToComposer,
                             compareRecords,
                             comparePrevious,
                             markForComparison,
                             compareMarked,
                             recordColumns->menuAction(),
                             valueFormats->menuAction(),
                             keyFormats->menuAction()};
    for (const Copy &copy : copies)
        actions.append(copy.action);
    return actions;
}

} // namespace topicscope::ui
