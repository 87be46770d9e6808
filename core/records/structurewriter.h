#pragma once

#include <QString>

#include <cstddef>
#include <span>
#include <stop_token>

namespace topicscope
{

/// How a structured payload is written out.
struct TextShape {
    qsizetype maxChars;
    bool lines = false;        ///< one member or element a line; otherwise all on one line
    std::stop_token stop = {}; ///< nobody wants the text any more: it counts as full
};

struct ShapedText {
    QString text;
    bool cut = false;   ///< ends with '…': more would have followed
    QString about = {}; ///< what the bytes say of themselves, e.g. their schema's id
};

/// Nesting beyond this is refused by every structured format: what is open is held in memory, and
/// a byte of hostile input may open a level.
inline constexpr qsizetype kMaxDepth = 10'000;

/// Builds the text of nested values, element by element; knows nothing of any format. Callers ask
/// full() and stop, so that a text is never dearer than what of it is shown. Thread: not shared.
class StructureWriter
{
public:
    explicit StructureWriter(const TextShape &shape)
        : m_shape(shape)
    {
    }

    /// Nothing more will be shown.
    bool full() const { return m_text.size() > m_shape.maxChars || m_shape.stop.stop_requested(); }
    /// How many more characters matter.
    qsizetype room() const { return m_shape.maxChars + 1 - m_text.size(); }

    /// As it is.
    void write(QStringView text) { m_text += text; }
    void number(qint64 value) { m_text += QString::number(value); }
    void number(quint64 value) { m_text += QString::number(value); }
    /// In quotes, escaped as JSON does; what is invisible or malformed drawn as in
    /// records/payloadformat.h.
    void quoted(std::span<const std::byte> utf8);
    /// h'00ff'
    void hex(std::span<const std::byte> bytes);

    /// "[", "{" or a longer mark.
    void open(QStringView mark);
    /// Before every member or element.
    void item();
    void close(QChar mark);

    ShapedText take();

private:
    void newLine();

    TextShape m_shape;
    QString m_text;
    qsizetype m_depth = 0;
    bool m_isFirst = true; ///< nothing stands in the innermost container yet
};

/// The shortest digits that give the same number again, always with a point or an exponent: "1.0",
/// "1e+300"; "NaN", "Infinity", "-Infinity".
QString floatText(double number);
QString floatText(float number);

} // namespace topicscope
