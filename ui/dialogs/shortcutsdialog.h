#pragma once

class QMenuBar;
class QWidget;

namespace topicscope::ui
{

/// Opens the list of everything in the menus with its shortcut, and the keys that work inside the
/// panels; returns at once.
void showShortcutsDialog(const QMenuBar *menuBar, QWidget *parent);

} // namespace topicscope::ui
