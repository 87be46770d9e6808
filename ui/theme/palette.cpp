#include "ui/theme/palette.h"

#include "ui/theme/style.h"

#include <QApplication>
#include <QStyle>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace topicscope::ui
{

namespace
{

struct Colors {
    QRgb window, base, alternate, button, text, muted, disabled, border, light, dark, accent, link;
};

constexpr Colors kLight{
    .window = 0xfff4f5f7,
    .base = 0xffffffff,
    .alternate = 0xfff7f8fa,
    .button = 0xfffbfcfd,
    .text = 0xff1b2128,
    .muted = 0xff58626e,
    .disabled = 0xff8d96a0,
    .border = 0xffc4cad1,
    .light = 0xffffffff,
    .dark = 0xff9aa3ad,
    .accent = 0xff1566b0,
    .link = 0xff0f5fa8,
};

constexpr Colors kDark{
    .window = 0xff22262b,
    .base = 0xff1a1d21,
    .alternate = 0xff1f2327,
    .button = 0xff2d3238,
    .text = 0xffe4e7eb,
    .muted = 0xffa2abb5,
    .disabled = 0xff6d757e,
    .border = 0xff4d5661,
    .light = 0xff4a525b,
    .dark = 0xff121417,
    .accent = 0xff2f6fb3,
    .link = 0xff7db8f0,
};

QPalette makePalette(const Colors &c)
{
    QPalette p;
    const auto set = [&p](QPalette::ColorRole role, QRgb rgb) { p.setColor(role, QColor(rgb)); };
    set(QPalette::Window, c.window);
    set(QPalette::WindowText, c.text);
    set(QPalette::Base, c.base);
    set(QPalette::AlternateBase, c.alternate);
    set(QPalette::Text, c.text);
    set(QPalette::Button, c.button);
    set(QPalette::ButtonText, c.text);
    set(QPalette::BrightText, 0xffffffff);
    set(QPalette::ToolTipBase, c.button);
    set(QPalette::ToolTipText, c.text);
    set(QPalette::PlaceholderText, c.muted);
    set(QPalette::Highlight, c.accent);
    set(QPalette::HighlightedText, 0xffffffff);
    set(QPalette::Link, c.link);
    set(QPalette::LinkVisited, c.link);
    set(QPalette::Light, c.light);
    set(QPalette::Midlight, c.border);
    set(QPalette::Mid, c.border);
    set(QPalette::Dark, c.dark);
    set(QPalette::Shadow, c.dark);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, QColor(c.disabled));
    p.setColor(QPalette::Disabled, QPalette::Highlight, QColor(c.border));
    p.setColor(QPalette::Disabled, QPalette::HighlightedText, QColor(c.text));
    return p;
}

double channelLuminance(double c)
{
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(const QColor &color)
{
    return 0.2126 * channelLuminance(color.redF()) + 0.7152 * channelLuminance(color.greenF()) +
           0.0722 * channelLuminance(color.blueF());
}

/// The desktop's own palette, as it was before ours was set for the first time.
const QPalette &systemPalette()
{
    static const QPalette palette = QApplication::palette();
    return palette;
}

} // namespace

QColor toneColor(Tone tone, const QPalette &palette)
{
    const bool dark = isDark(palette);
    switch (tone) {
    case Tone::Normal:
        break;
    case Tone::Muted:
        return palette.color(QPalette::PlaceholderText);
    case Tone::Accent:
        return palette.color(QPalette::Link);
    case Tone::Good:
        return QColor(dark ? 0xff6cc58a : 0xff1c7340);
    case Tone::Warning:
        return QColor(dark ? 0xffe6b450 : 0xff875300);
    case Tone::Danger:
        return QColor(dark ? 0xffff8a80 : 0xffb3261e);
    }
    return palette.color(QPalette::Text);
}

QColor toneFill(Tone tone, const QPalette &palette)
{
    const bool dark = isDark(palette);
    switch (tone) {
    case Tone::Normal:
    case Tone::Muted:
        break;
    case Tone::Accent:
        return QColor(dark ? 0xff1c3247 : 0xffe4effa);
    case Tone::Good:
        return QColor(dark ? 0xff1d3526 : 0xffe5f4ea);
    case Tone::Warning:
        return QColor(dark ? 0xff3a2f18 : 0xfffdf1d8);
    case Tone::Danger:
        return QColor(dark ? 0xff402321 : 0xfffce8e6);
    }
    return palette.color(QPalette::AlternateBase);
}

QPalette lightPalette()
{
    return makePalette(kLight);
}

QPalette darkPalette()
{
    return makePalette(kDark);
}

bool isDark(const QPalette &palette)
{
    return luminance(palette.color(QPalette::Window)) <
           luminance(palette.color(QPalette::WindowText));
}

double contrastRatio(const QColor &a, const QColor &b)
{
    const auto [darker, lighter] = std::minmax({luminance(a), luminance(b)});
    return (lighter + 0.05) / (darker + 0.05);
}

void applyColorScheme(ColorScheme scheme)
{
    const bool systemIsDark = isDark(systemPalette());
    const bool dark =
        scheme == ColorScheme::Dark || (scheme == ColorScheme::System && systemIsDark);
    if (!qobject_cast<Style *>(QApplication::style()))
        QApplication::setStyle(new Style);
    const QPalette palette = dark ? darkPalette() : lightPalette();
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
}

} // namespace topicscope::ui
