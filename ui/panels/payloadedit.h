#pragma once

#include "core/records/payloadcodec.h"
#include "ui/panels/payloadfile.h"
#include "ui/panels/payloadtext.h"

#include <QFutureWatcher>
#include <QIcon>
#include <QWidget>

#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;
class QStackedWidget;
class QToolButton;

namespace topicscope::ui
{

class ElidedLabel;

/// What a PayloadEdit holds. Nothing at all, zero bytes and bytes are three different things.
struct Payload {
    enum class Kind {
        None,    ///< null: chosen, never guessed from an empty field
        Bytes,   ///< `bytes`, maybe none of them
        File,    ///< `size` bytes of `path`; in `bytes` as well when asked for and small enough
        Invalid, ///< see `problem`
    };
    Kind kind = Kind::None;
    std::optional<QByteArray> bytes; ///< not set for None, Invalid, and a File not read
    qint64 size = 0;
    QString path;
    QString problem; ///< why it cannot be sent, in plain words, with the position

    static Payload invalid(const QString &problem) { return {Kind::Invalid, {}, 0, {}, problem}; }
};

/// Edits one key or value as text, checked JSON, hex digits, another format's text (a number, a
/// UUID, …) or the name of a file.
///
/// Changing to or from hex shows the same bytes in the other way; a change that would alter them is
/// refused and said. Between the others what is typed stays, and says then what it is: "42" as
/// text, as JSON, as int64. Bytes too large to edit are held as they are.
class PayloadEdit final : public QWidget
{
    Q_OBJECT
public:
    enum class Mode {
        None,
        Text,
        Json,
        Hex,
        File,
        Held,
        Format, ///< of the PayloadCodec chosen
    };

    struct Setup {
        QString noun; ///< "key", "value": for names and sentences
        QList<Mode> modes;
        PayloadText::Lines lines = PayloadText::Lines::Many;
        QString noneItem;       ///< what mode None is called, e.g. "none"
        QString noneSentence;   ///< what it means
        qint64 readAtOnce = -1; ///< a file of up to so many bytes is read when it is chosen
    };

    /// All that is in it, to be put back later.
    struct State {
        Mode mode = Mode::Text;
        Mode textMode = Mode::Text; ///< how `text` is to be read: Text, Json, Hex, Format
        QString text;
        QByteArray held;
        QString path;
        const PayloadCodec *format = nullptr; ///< with textMode Format
    };

    explicit PayloadEdit(Setup setup, QWidget *parent = nullptr);
    Q_DISABLE_COPY_MOVE(PayloadEdit)

    const Payload &payload() const { return m_payload; }
    Mode mode() const { return m_mode; }
    /// Whether it is to be typed and nothing is; for some formats that is not a payload yet.
    bool isBlank() const;
    /// As choosing it by hand; false when refused.
    bool setMode(Mode mode);
    /// As choosing mode Format with this codec by hand; false when refused.
    bool setFormat(const PayloadCodec *format);
    /// What an empty editor is written in, and what setBytes() tries first; nullptr: text.
    void preferFormat(const PayloadCodec *format);
    /// Where the record goes, for formats that depend on it.
    void setContext(const PayloadContext &context);
    /// Adds or takes away mode None.
    void setNoneAllowed(bool allowed);
    /// What mode None means where the record goes.
    void setNoneSentence(const QString &sentence, const QIcon &icon = {});

    /// Shows these bytes exactly: in the format in use where it can, as text when they survive that
    /// (JSON when that mode is on and they are), else in hex, else held.
    void setBytes(const std::optional<QByteArray> &bytes);

    State state() const;
    void setState(const State &state);

    /// Bytes as PayloadEdit would edit them in hex: 16 a line, pairs parted by blanks.
    static QString hexLines(const QByteArray &bytes);

signals:
    void changed();
    /// By the user: what is typed from now on; nullptr: text or JSON.
    void formatChosen(const topicscope::PayloadCodec *format);
    /// Something asked for was not done, and why; for a status line.
    void refused(const QString &why);

protected:
    /// Passes it on to where one types. Not a focus proxy: that would put the field before the mode
    /// in the tab order.
    void focusInEvent(QFocusEvent *event) override;

private:
    void buildPages();
    void fillModes();
    void showMode(Mode mode);
    void evaluate();
    Payload evaluated();
    Payload evaluatedFile();
    void onPathEdited();
    void onBrowse();
    void onFileLooked();
    void onPasteRefused(const QString &whole);
    bool showAsText(const QByteArray &bytes);
    bool showAsHex(const QByteArray &bytes);
    bool showAsFormat(const QByteArray &bytes, const PayloadCodec *format);
    void onModeActivated();
    std::optional<QByteArray> editorBytes() const;
    QString noFormatText(const QByteArray &bytes, const PayloadCodec *format) const;
    void hold(const QByteArray &bytes);
    void setEditorText(const QString &text);
    QString positionWords(const QString &text, qsizetype position) const;
    bool isTextual(Mode mode) const;

    Setup m_setup;
    QIcon m_noneIcon;
    Mode m_mode = Mode::Text;
    Mode m_textMode = Mode::Text;
    const PayloadCodec *m_format = nullptr; ///< with m_textMode Format
    PayloadContext m_context;
    QByteArray m_held;
    Payload m_payload;
    std::optional<Result<PayloadFile>> m_file;
    QFutureWatcher<Result<PayloadFile>> m_fileWatcher;

    QComboBox *m_modeBox;
    QStackedWidget *m_pages;
    PayloadText *m_editor;
    QWidget *m_filePage;
    QLineEdit *m_path;
    QToolButton *m_browse;
    ElidedLabel *m_fileSize;
    QWidget *m_sentencePage;
    ElidedLabel *m_sentence;
};

} // namespace topicscope::ui
