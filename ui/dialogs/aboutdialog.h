#pragma once

class QWidget;

namespace topicscope::ui
{

/// Opens a box with name, version and licence; returns at once.
void showAboutDialog(QWidget *parent);

} // namespace topicscope::ui
