#pragma once

#include "ui/theme/palette.h"

#include <QLabel>

namespace topicscope::ui
{

/// Plain text that gives way: one line (or a few, broken between words), drawn with an ellipsis
/// when there is no room, whole in its tooltip and for a screen reader. An icon may stand before
/// it.
class ElidedLabel final : public QLabel
{
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget *parent = nullptr);
    /// With room for `lines` lines, used when one is not enough.
    explicit ElidedLabel(int lines, QWidget *parent = nullptr);
    Q_DISABLE_COPY_MOVE(ElidedLabel)

    void setLine(const QString &text, const QIcon &icon = {});
    /// The text's colour.
    void setTone(Tone tone);
    Tone tone() const { return m_tone; }

    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    int m_lines = 1;
    QIcon m_icon;
    Tone m_tone = Tone::Normal;
};

/// Breaks a text between words into at most so many lines of this width (pixels); the last one ends
/// with an ellipsis when there is more.
QStringList breakLines(const QString &text, const QFont &font, int width, int lines);

} // namespace topicscope::ui
