#pragma once

#include <QPlainTextEdit>

#include <optional>

namespace topicscope::ui
{

/// Plain text editor that gives back exactly the characters it shows: no-break spaces stay, and
/// nothing too large for an editor gets in. With one line it looks and behaves like a line edit.
class PayloadText final : public QPlainTextEdit
{
    Q_OBJECT
public:
    enum class Lines { One, Many };

    explicit PayloadText(Lines lines, QWidget *parent = nullptr);
    Q_DISABLE_COPY_MOVE(PayloadText)

    /// More than this is not edited: laying out one long line again at each key would be felt.
    static constexpr qsizetype kMaxChars = 32LL * 1024;

    /// Whether these characters are drawn and given back: no controls but line ends and tabs where
    /// there are several lines, and nothing the editor takes for a line end.
    bool canShow(const QString &text) const;

    QString text() const;
    /// Puts text in (undo history goes) and tells whether text() is exactly that now. Line ends
    /// other than line feeds, for one, do not survive.
    bool setText(const QString &text);

    /// Marks the character at `position`; nullopt: none.
    void markError(std::optional<qsizetype> position);

    QSize sizeHint() const override;

signals:
    /// A paste would have made the text longer than kMaxChars, or brought what cannot be shown:
    /// nothing changed, and this is what it would be.
    void pasteRefused(const QString &wholeText);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void insertFromMimeData(const QMimeData *source) override;

private:
    Lines m_lines;
};

} // namespace topicscope::ui
