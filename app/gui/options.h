#pragma once

#include "core/base/result.h"
#include "core/session/sessionconfig.h"
#include "ui/settings/uisettings.h"
#include "ui/theme/palette.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>

namespace topicscope::gui
{

/// What the command line asks for.
struct Options {
    enum class Start { Window, Help, Version };
    Start start = Start::Window;
    QString helpText;

    bool sample = false;                     ///< embedded broker on temporary sample data
    std::optional<SessionConfig> connection; ///< a broker elsewhere; otherwise the embedded one
    std::optional<ui::Place> open;
    std::optional<ui::ColorScheme> scheme;
    QString snapshotFile; ///< empty: a window
    QSize snapshotSize{1280, 800};
};

/// Needs no application object, so it can be asked before there is a display.
/// @param arguments  the program's name first
/// @error InvalidArgument, with what to write instead in `detail`.
Result<Options> parseOptions(const QStringList &arguments);

/// Whether this machine has a display, by the environment alone (Linux: DISPLAY, WAYLAND_DISPLAY,
/// or QT_QPA_PLATFORM set by hand). Thread: any, before QApplication.
bool hasDisplay();

} // namespace topicscope::gui
