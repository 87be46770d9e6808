#pragma once

#include <QString>

namespace topicscope::ui
{

/// The control pictures (U+2400 … U+2421) in a text replaced by ‹ESC›, ‹LF› and so on, where no
/// font of this system has them; they would all look alike. Otherwise the text as it is. Thread:
/// GUI.
QString withGlyphs(const QString &text);

/// Mark for the end of a line that is obeyed as well: "␊", or the nearest thing there is.
QString lineEndGlyph();
/// Mark in front of a tab that is obeyed as well.
QString tabGlyph();

} // namespace topicscope::ui
