#include "core/base/bytewriter.h"
#include "core/records/payloadformat.h"
#include "ui/panels/elidedlabel.h"
#include "ui/panels/payloadedit.h"

#include <QComboBox>
#include <QSignalBlocker>

// Of a PayloadEdit, how the same bytes go from one way of writing them to another.

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

bool hasModeOfItsOwn(const PayloadCodec *format)
{
    return format->name() == u"text"_s || format->name() == u"json"_s || format->name() == u"hex"_s;
}

} // namespace

void PayloadEdit::fillModes()
{
    const QSignalBlocker blocker(m_modeBox);
    m_modeBox->clear();
    const auto add = [this](Mode mode, const QString &text) {
        if (m_setup.modes.contains(mode) || (mode == Mode::Held && !m_held.isEmpty()))
            m_modeBox->addItem(text, QVariant::fromValue(mode));
    };
    add(Mode::None, m_setup.noneItem);
    add(Mode::Text, tr("text"));
    add(Mode::Json, tr("JSON"));
    add(Mode::Hex, tr("hex"));
    add(Mode::File, tr("file"));
    add(Mode::Held, tr("as it is"));
    m_modeBox->insertSeparator(m_modeBox->count());
    for (const PayloadCodec *format : PayloadCodec::all()) {
        if (hasModeOfItsOwn(format) || !format->writes())
            continue;
        const int index = m_modeBox->count();
        m_modeBox->addItem(format->name(), QVariant::fromValue(Mode::Format));
        m_modeBox->setItemData(index, format->title(), Qt::ToolTipRole);
    }
    m_modeBox->setCurrentIndex(m_mode == Mode::Format
                                   ? m_modeBox->findText(m_format->name(), Qt::MatchExactly)
                                   : m_modeBox->findData(QVariant::fromValue(m_mode)));
}

void PayloadEdit::setNoneAllowed(bool allowed)
{
    if (allowed == m_setup.modes.contains(Mode::None))
        return;
    if (allowed)
        m_setup.modes.prepend(Mode::None);
    else
        m_setup.modes.removeAll(Mode::None);
    if (!allowed && m_mode == Mode::None)
        showMode(m_textMode);
    else
        fillModes();
}

void PayloadEdit::setNoneSentence(const QString &sentence, const QIcon &icon)
{
    m_setup.noneSentence = sentence;
    m_noneIcon = icon;
    if (m_mode == Mode::None)
        m_sentence->setLine(sentence, icon);
}

void PayloadEdit::onModeActivated()
{
    const auto mode = m_modeBox->currentData().value<Mode>();
    if (mode == Mode::Format) {
        const auto *format = PayloadCodec::byName(m_modeBox->currentText());
        if (setFormat(format))
            emit formatChosen(format);
    } else if (setMode(mode) && (mode == Mode::Text || mode == Mode::Json)) {
        emit formatChosen(nullptr);
    }
}

/// Of what the editor holds, also while another page is shown; nullopt: it is not right as it is.
std::optional<QByteArray> PayloadEdit::editorBytes() const
{
    Result<QByteArray> bytes = m_editor->text().toUtf8();
    if (m_textMode == Mode::Hex)
        bytes = parseHex(m_editor->text());
    else if (m_textMode == Mode::Format)
        bytes = m_format->encode(m_editor->text(), m_context);
    return bytes ? std::optional(std::move(bytes).value()) : std::nullopt;
}

bool PayloadEdit::setMode(Mode mode)
{
    if (mode == m_mode)
        return true;
    if (mode == Mode::Format || m_modeBox->findData(QVariant::fromValue(mode)) < 0)
        return false;
    const bool sameText = (mode == Mode::Hex) == (m_textMode == Mode::Hex);
    std::optional<QByteArray> bytes;
    if (isTextual(mode) && m_mode == Mode::Held)
        bytes = m_held;
    else if (isTextual(mode) && !sameText)
        bytes = editorBytes(); // wrong hex has none: it becomes text as it stands
    if (bytes && !(mode == Mode::Hex ? showAsHex(*bytes) : showAsText(*bytes))) {
        fillModes();
        emit refused(bytes->size() > PayloadText::kMaxChars
                         ? tr("The %1 is too large to be edited here.").arg(m_setup.noun)
                         : tr("These bytes are no text: as text they would not stay the same."));
        return false;
    }
    if (isTextual(mode))
        m_held.clear(); // it is in the editor now
    showMode(mode);
    return true;
}

bool PayloadEdit::setFormat(const PayloadCodec *format)
{
    if (m_mode == Mode::Format && m_format == format)
        return true;
    std::optional<QByteArray> bytes;
    if (m_mode == Mode::Held)
        bytes = m_held;
    else if (m_textMode == Mode::Hex)
        bytes = editorBytes();
    if (bytes && !bytes->isEmpty() && !showAsFormat(*bytes, format)) {
        fillModes();
        emit refused(noFormatText(*bytes, format));
        return false;
    }
    m_held.clear();
    m_format = format;
    showMode(Mode::Format);
    return true;
}

bool PayloadEdit::showAsFormat(const QByteArray &bytes, const PayloadCodec *format)
{
    const DecodedPayload decoded =
        format->decode(asBytes(bytes), m_context, PayloadText::kMaxChars);
    const auto again = format->encode(decoded.text, m_context);
    if (!decoded.problem.isEmpty() || !again || *again != bytes)
        return false;
    setEditorText(decoded.text);
    return true;
}

QString PayloadEdit::noFormatText(const QByteArray &bytes, const PayloadCodec *format) const
{
    const QString problem = format->decode(asBytes(bytes), m_context).problem;
    return problem.isEmpty() ? tr("These bytes are no %1.").arg(format->name())
                             : tr("These bytes are no %1: %2.").arg(format->name(), problem);
}

void PayloadEdit::preferFormat(const PayloadCodec *format)
{
    if (format && (hasModeOfItsOwn(format) || !format->writes()))
        format = nullptr;
    if (!m_editor->text().isEmpty() || m_mode == Mode::File || m_mode == Mode::Held)
        return; // something is composed: it stays what it is
    if (m_textMode == Mode::Format || format) {
        m_textMode = format ? Mode::Format : Mode::Text;
        m_format = format;
        if (isTextual(m_mode))
            showMode(m_textMode);
    }
}

void PayloadEdit::setContext(const PayloadContext &context)
{
    m_context = context;
    if (m_mode == Mode::Format)
        evaluate();
}

} // namespace topicscope::ui
