#pragma once

#include "ui/models/recordcopy.h"

#include <QList>

#include <vector>

class QAction;
class QActionGroup;
class QMainWindow;
class QMenu;

namespace topicscope::ui
{

/// The window's menus and actions with their texts, icons and shortcuts; nothing is wired here.
/// Everything the program can do is in a menu, so it can be found and reached by keyboard, and
/// Help → Keyboard Shortcuts lists it.
struct MainWindowActions {
    explicit MainWindowActions(QMainWindow *window);

    QMenu *fileMenu;
    QMenu *connectionMenu;
    QMenu *recentConnections; ///< filled by the window
    QMenu *editMenu;
    QMenu *viewMenu;
    QMenu *recordColumns; ///< filled by the window
    QMenu *valueFormats;  ///< the same
    QMenu *keyFormats;    ///< the same
    QMenu *goMenu;
    QMenu *recordMenu;
    QMenu *helpMenu;

    QAction *openRecordFile;
    QAction *exportRecords;
    QAction *exportHits;
    QAction *publishFile;
    QAction *quit;

    QAction *connectTo;
    QAction *manageConnections;
    QAction *refresh;
    QAction *retry;
    QAction *disconnect;

    QAction *search;
    QAction *preferences;
    QAction *showMap;
    QAction *resetLayout;
    QActionGroup *colorScheme;  ///< data(): int(ColorScheme)
    QActionGroup *topicOffsets; ///< data(): bool, or kWhereThereIsRoom
    static constexpr int kWhereThereIsRoom = -1;
    QActionGroup *refreshInterval; ///< data(): int, seconds

    QAction *focusTopics;
    QAction *filterTopics;
    QAction *focusRecords;
    QAction *focusGroups;
    QAction *goTo;
    QAction *goToFirst;
    QAction *goToLast;
    QAction *nextFlagged;
    QAction *previousFlagged;
    QAction *nextHit;
    QAction *previousHit;
    QAction *nextTab;
    QAction *previousTab;
    QAction *closeTab;

    QAction *filterRecords;
    QAction *follow;
    QAction *pause;
    QAction *filterForCell;
    QAction *filterOutCell;
    QAction *searchForCell;
    QAction *fetchWhole;
    QAction *stop;
    struct Copy {
        QAction *action;
        CopyWhat what;
        CopyFormat format;
    };
    std::vector<Copy> copies;
    QAction *copyToComposer;
    QAction *compareRecords;
    QAction *comparePrevious;
    QAction *markForComparison;
    QAction *compareMarked;
    QAction *redrive;
    QAction *compose;

    QAction *shortcuts;
    QAction *about;

    /// Those that need an open tab.
    QList<QAction *> needTab() const;
};

} // namespace topicscope::ui
