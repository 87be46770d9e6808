#pragma once

#include <QWidget>

#include <optional>

class QLabel;

namespace topicscope::ui
{

/// What became of something, in words that can be copied, with a sign before them that says whether
/// it is good. Thread: GUI.
class OutcomeLabel final : public QWidget
{
    Q_OBJECT
public:
    /// @param name      object name of the words' label
    /// @param lines     it has room for from the start, so that the window does not jump
    /// @param vertical  where fewer lines stand
    OutcomeLabel(const QString &name, int lines, Qt::AlignmentFlag vertical,
                 QWidget *parent = nullptr);

    /// @param isGood  nullopt: no sign, as without words
    void say(const QString &text, std::optional<bool> isGood = {});

private:
    QLabel *m_sign;
    QLabel *m_text;
};

} // namespace topicscope::ui
