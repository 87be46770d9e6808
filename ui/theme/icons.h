#pragma once

#include "ui/theme/palette.h"

#include <QIcon>

namespace topicscope::ui
{

/// The program's own line icons; resources/icons/<name in lower case>.svg.
enum class IconName {
    Add,
    Broker,
    Clock,
    Close,
    Connect,
    Copy,
    Corrupt,
    Download,
    Edit,
    File,
    Filter,
    Flag,
    Follow,
    Gap,
    GoFirst,
    GoLast,
    GoTo,
    Inspect,
    Offline,
    Oversized,
    Partition,
    Pause,
    Publish,
    ReadOnly,
    Refresh,
    Remove,
    Search,
    Settings,
    Topic,
    Topicscope, ///< the program's own, in its own colours
    Unknown,
    Verified,
    Warning,
};

/// An icon drawn from its SVG at the size and pixel ratio asked for, in the application palette's
/// text colour (or the tone's) at the time of painting: it follows a change between light and dark
/// by itself.
QIcon icon(IconName name, Tone tone = Tone::Normal);

} // namespace topicscope::ui
