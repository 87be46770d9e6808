#include "ui/theme/glyphs.h"

#include <QFontMetrics>
#include <QGuiApplication>

#include <algorithm>
#include <array>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

constexpr char16_t kFirstPicture = 0x2400;
constexpr std::array<const char *, 34> kNames = {
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS",  "TAB", "LF",  "VT",
    "FF",  "CR",  "SO",  "SI",  "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB",
    "CAN", "EM",  "SUB", "ESC", "FS",  "GS",  "RS",  "US",  "SP",  "DEL"};

bool isPicture(QChar c)
{
    return c.unicode() >= kFirstPicture && c.unicode() < kFirstPicture + kNames.size();
}

bool canShow(char16_t character)
{
    return QFontMetrics(QGuiApplication::font()).inFont(QChar(character));
}

bool canShowPictures()
{
    static const bool can = canShow(u'␛');
    return can;
}

QString first(std::initializer_list<char16_t> choices, const QString &otherwise)
{
    const auto *found = std::find_if(choices.begin(), choices.end(), canShow);
    return found == choices.end() ? otherwise : QString(QChar(*found));
}

} // namespace

QString withGlyphs(const QString &text)
{
    if (canShowPictures() || std::none_of(text.begin(), text.end(), isPicture))
        return text;
    QString named;
    for (const QChar c : text) {
        if (isPicture(c))
            named += u'‹' + QString::fromLatin1(kNames[c.unicode() - kFirstPicture]) + u'›';
        else
            named += c;
    }
    return named;
}

QString lineEndGlyph()
{
    static const QString glyph = first({u'␊', u'↵'}, u"‹LF›"_s);
    return glyph;
}

QString tabGlyph()
{
    static const QString glyph = first({u'␉', u'→'}, u"‹TAB›"_s);
    return glyph;
}

} // namespace topicscope::ui
