#pragma once

#include <QString>
#include <QTextDocument>

namespace topicscope::ui
{

/// A tool tip that shows these characters. Qt takes for HTML what looks like it, and a record or a
/// broker may send that.
inline QString plainToolTip(const QString &text)
{
    return Qt::mightBeRichText(text) ? Qt::convertFromPlainText(text, Qt::WhiteSpaceNormal) : text;
}

} // namespace topicscope::ui
