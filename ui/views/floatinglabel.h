#pragma once

#include <QLabel>

namespace topicscope::ui
{

/// Words laid over their parent, as a tool tip looks, for as long as they are about something.
/// Thread: GUI.
class FloatingLabel final : public QLabel
{
    Q_OBJECT
public:
    explicit FloatingLabel(QWidget *parent);

    /// As large as the text, with its corner there, moved so that all of it is in the parent.
    void showText(const QString &text, QPoint corner);
};

} // namespace topicscope::ui
