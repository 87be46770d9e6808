#pragma once

#include "ui/theme/palette.h"

#include <QFrame>

class QLabel;
class QToolButton;

namespace topicscope::ui
{

/// A line across a panel that says what failed or what to know, with one thing to do about it.
/// Hidden until something is said. Thread: GUI.
class Banner final : public QFrame
{
    Q_OBJECT
public:
    explicit Banner(QWidget *parent = nullptr);

    /// @param action  text of the button; empty = none
    void say(Tone tone, const QString &text, const QString &action = {});
    QString text() const;

signals:
    void actionTriggered();

protected:
    void changeEvent(QEvent *event) override;

private:
    void applyTone();

    Tone m_tone = Tone::Normal;
    QLabel *m_icon;
    QLabel *m_text;
    QToolButton *m_action;
    QToolButton *m_close;
};

} // namespace topicscope::ui
