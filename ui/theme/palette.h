#pragma once

#include <QColor>
#include <QPalette>

namespace topicscope::ui
{

/// Which colours the program uses. System: light or dark, whichever the desktop's palette is.
enum class ColorScheme { System, Light, Dark };

/// Meanings that have a colour of their own. Colour is never the only sign: an icon or a text says
/// the same.
enum class Tone {
    Normal,  ///< the palette's text colour
    Muted,   ///< secondary text
    Accent,  ///< the thing being looked at
    Good,    ///< verified, connected
    Warning, ///< needs attention: larger than max bytes, gap, read-only
    Danger,  ///< broken: checksum mismatch, connection lost
};

/// Text or line colour for a tone: contrast of at least 4.5:1 on the palette's Window, Base and
/// AlternateBase.
QColor toneColor(Tone tone, const QPalette &palette);

/// Fill for the background of a row or banner with that tone; the palette's Text and the tone's own
/// colour are readable on it (4.5:1).
QColor toneFill(Tone tone, const QPalette &palette);

QPalette lightPalette();
QPalette darkPalette();
bool isDark(const QPalette &palette);

/// WCAG 2 contrast ratio of two opaque colours, 1…21.
double contrastRatio(const QColor &a, const QColor &b);

/// Fusion style and the scheme's palette for the whole application. May be called again at any
/// time.
void applyColorScheme(ColorScheme scheme);

} // namespace topicscope::ui
