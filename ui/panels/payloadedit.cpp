#include "ui/panels/payloadedit.h"

#include "core/base/digits.h"
#include "core/records/jsontext.h"
#include "core/records/payloadformat.h"
#include "ui/panels/elidedlabel.h"
#include "ui/theme/icons.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFocusEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kSpacing = 6;
constexpr qsizetype kHexBytesPerLine = 16;

std::span<const std::byte> bytesOf(const QByteArray &bytes)
{
    return std::as_bytes(std::span(bytes.constData(), size_t(bytes.size())));
}

Payload ofBytes(QByteArray bytes)
{
    Payload payload;
    payload.kind = Payload::Kind::Bytes;
    payload.size = bytes.size();
    payload.bytes = std::move(bytes);
    return payload;
}

} // namespace

PayloadEdit::PayloadEdit(Setup setup, QWidget *parent)
    : QWidget(parent)
    , m_setup(std::move(setup))
    , m_modeBox(new QComboBox)
    , m_pages(new QStackedWidget)
    , m_editor(new PayloadText(m_setup.lines))
    , m_filePage(new QWidget)
    , m_path(new QLineEdit)
    , m_browse(new QToolButton)
    , m_fileSize(new ElidedLabel)
    , m_sentencePage(new QWidget)
    , m_sentence(new ElidedLabel)
{
    const bool oneLine = m_setup.lines == PayloadText::Lines::One;
    const Qt::Alignment top = oneLine ? Qt::AlignVCenter : Qt::AlignTop;
    setFocusPolicy(Qt::ClickFocus);
    buildPages();
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(kSpacing);
    layout->addWidget(m_modeBox, 0, top);
    layout->addWidget(m_pages, 1);

    m_modeBox->setAccessibleName(tr("How the %1 is given").arg(m_setup.noun));
    m_modeBox->setObjectName(m_setup.noun + u"Mode"_s);
    m_editor->setObjectName(m_setup.noun + u"Edit"_s);
    m_editor->setAccessibleName(m_setup.noun);
    m_path->setObjectName(m_setup.noun + u"Path"_s);
    m_sentence->setObjectName(m_setup.noun + u"Sentence"_s);
    fillModes();

    connect(m_modeBox, &QComboBox::activated, this, &PayloadEdit::onModeActivated);
    connect(m_editor, &QPlainTextEdit::textChanged, this, &PayloadEdit::evaluate);
    connect(m_editor, &PayloadText::pasteRefused, this, &PayloadEdit::onPasteRefused);
    connect(m_path, &QLineEdit::textChanged, this, &PayloadEdit::onPathEdited);
    connect(m_browse, &QToolButton::clicked, this, &PayloadEdit::onBrowse);
    connect(&m_fileWatcher, &QFutureWatcherBase::finished, this, &PayloadEdit::onFileLooked);
    showMode(m_setup.modes.constFirst());
}

void PayloadEdit::buildPages()
{
    auto *fileLayout = new QHBoxLayout(m_filePage);
    fileLayout->setContentsMargins({});
    fileLayout->setSpacing(kSpacing);
    if (m_setup.lines == PayloadText::Lines::Many)
        fileLayout->setAlignment(Qt::AlignTop);
    fileLayout->addWidget(m_path, 2);
    fileLayout->addWidget(m_browse);
    fileLayout->addWidget(m_fileSize, 1);
    m_path->setPlaceholderText(tr("Path of the file"));
    m_path->setAccessibleName(tr("Path of the file with the %1").arg(m_setup.noun));
    m_browse->setIcon(icon(IconName::File));
    m_browse->setToolTip(tr("Choose the file…"));
    m_browse->setAccessibleName(tr("Choose the file with the %1").arg(m_setup.noun));
    m_browse->setFocusPolicy(Qt::StrongFocus);
    m_pages->addWidget(m_editor);
    m_pages->addWidget(m_filePage);
    m_pages->addWidget(m_sentencePage);
    auto *sentenceLayout = new QVBoxLayout(m_sentencePage);
    sentenceLayout->setContentsMargins({});
    sentenceLayout->addWidget(m_sentence);
    sentenceLayout->addStretch();
    m_sentence->setMinimumHeight(m_modeBox->sizeHint().height());
    m_modeBox->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    if (m_setup.lines == PayloadText::Lines::One)
        m_pages->setFixedHeight(m_editor->maximumHeight());
}

bool PayloadEdit::isTextual(Mode mode) const
{
    return mode == Mode::Text || mode == Mode::Json || mode == Mode::Hex || mode == Mode::Format;
}

bool PayloadEdit::isBlank() const
{
    return isTextual(m_mode) && m_editor->text().isEmpty();
}

/// Switches pages; what the pages hold is as it should be.
void PayloadEdit::showMode(Mode mode)
{
    m_mode = mode;
    if (isTextual(mode))
        m_textMode = mode;
    fillModes();
    QWidget *page = m_sentencePage;
    if (isTextual(mode)) {
        page = m_editor;
        m_editor->setPlaceholderText(mode == Mode::Json ? tr("JSON")
                                     : mode == Mode::Format
                                         ? m_format->title()
                                         : tr("empty %1 (0 bytes)").arg(m_setup.noun));
    } else if (mode == Mode::File) {
        page = m_filePage;
    } else {
        m_sentence->setLine(mode == Mode::None ? m_setup.noneSentence
                                               : tr("%1 bytes, kept as they are: %2")
                                                     .arg(groupedDigits(m_held.size()),
                                                          previewText(bytesOf(m_held))),
                            mode == Mode::None ? m_noneIcon : QIcon());
    }
    m_pages->setCurrentWidget(page);
    evaluate();
}

void PayloadEdit::setBytes(const std::optional<QByteArray> &bytes)
{
    if (!bytes) {
        showMode(Mode::None);
        return;
    }
    m_held.clear();
    const bool json = m_textMode == Mode::Json && jsonCheck(bytesOf(*bytes)).ok();
    if (m_textMode == Mode::Format && showAsFormat(*bytes, m_format))
        showMode(Mode::Format);
    else if (showAsText(*bytes))
        showMode(json ? Mode::Json : Mode::Text);
    else if (showAsHex(*bytes))
        showMode(Mode::Hex);
    else
        hold(*bytes);
}

bool PayloadEdit::showAsText(const QByteArray &bytes)
{
    if (bytes.size() > PayloadText::kMaxChars || !isValidUtf8(bytesOf(bytes)))
        return false;
    const QString text = QString::fromUtf8(bytes);
    if (!m_editor->canShow(text))
        return false;
    const QString before = m_editor->text();
    setEditorText(text);
    if (m_editor->text().toUtf8() == bytes)
        return true;
    setEditorText(before);
    return false;
}

bool PayloadEdit::showAsHex(const QByteArray &bytes)
{
    if (bytes.size() > PayloadText::kMaxChars)
        return false;
    setEditorText(m_setup.lines == PayloadText::Lines::Many ? hexLines(bytes)
                                                            : hexLines(bytes).replace(u'\n', u' '));
    return true;
}

void PayloadEdit::hold(const QByteArray &bytes)
{
    m_held = bytes;
    showMode(Mode::Held);
}

void PayloadEdit::setEditorText(const QString &text)
{
    const QSignalBlocker blocker(m_editor);
    m_editor->setText(text);
}

QString PayloadEdit::hexLines(const QByteArray &bytes)
{
    QString text;
    text.reserve(bytes.size() * 3);
    for (qsizetype at = 0; at < bytes.size(); at += kHexBytesPerLine) {
        if (at > 0)
            text += u'\n';
        text += QString::fromLatin1(
            bytes.sliced(at, std::min(kHexBytesPerLine, bytes.size() - at)).toHex(' '));
    }
    return text;
}

void PayloadEdit::focusInEvent(QFocusEvent *event)
{
    QWidget *target = m_modeBox;
    if (isTextual(m_mode))
        target = m_editor;
    else if (m_mode == Mode::File)
        target = m_path;
    target->setFocus(event->reason());
}

PayloadEdit::State PayloadEdit::state() const
{
    return {m_mode, m_textMode, m_editor->text(), m_held, m_path->text(), m_format};
}

void PayloadEdit::setState(const State &state)
{
    setEditorText(state.text);
    m_textMode = state.textMode;
    m_format = state.format;
    m_held = state.held;
    {
        const QSignalBlocker blocker(m_path);
        m_path->setText(state.path);
    }
    onPathEdited();
    showMode(state.mode);
}

void PayloadEdit::onPasteRefused(const QString &whole)
{
    // Taken as bytes, which shows them in a way that fits.
    const auto fromHex = m_mode == Mode::Hex ? parseHex(whole) : Result<QByteArray>(QByteArray());
    if (!fromHex) {
        emit refused(tr("Not pasted: it is no hex, and cannot be corrected here."));
        return;
    }
    if (m_mode != Mode::Hex)
        setBytes(whole.toUtf8());
    else if (showAsHex(*fromHex))
        showMode(Mode::Hex);
    else
        hold(*fromHex);
}

void PayloadEdit::evaluate()
{
    m_editor->markError(std::nullopt);
    m_payload = evaluated();
    emit changed();
}

Payload PayloadEdit::evaluated()
{
    switch (m_mode) {
    case Mode::None:
        return {};
    case Mode::Text:
        return ofBytes(m_editor->text().toUtf8());
    case Mode::Held:
        return ofBytes(m_held);
    case Mode::Format: {
        auto bytes = m_format->encode(m_editor->text(), m_context);
        if (bytes)
            return ofBytes(std::move(bytes).value());
        if (const auto position = bytes.error().where.byte)
            m_editor->markError(*position);
        return Payload::invalid(tr("no %1: %2").arg(m_format->name(), bytes.error().detail));
    }
    case Mode::File:
        return evaluatedFile();
    case Mode::Json: {
        QByteArray bytes = m_editor->text().toUtf8();
        const auto checked = jsonCheck(bytesOf(bytes));
        if (checked)
            return ofBytes(std::move(bytes));
        const Error &error = checked.error();
        const qsizetype at = std::clamp<qsizetype>(error.where.byte.value_or(0), 0, bytes.size());
        const qsizetype position = QString::fromUtf8(bytes.constData(), at).size();
        if (!bytes.isEmpty())
            m_editor->markError(position);
        return Payload::invalid(
            tr("no JSON, %1: %2").arg(positionWords(m_editor->text(), position), error.detail));
    }
    case Mode::Hex: {
        const QString text = m_editor->text();
        auto parsed = parseHex(text);
        if (parsed)
            return ofBytes(std::move(parsed).value());
        const Error &error = parsed.error();
        const qsizetype position = error.where.byte.value_or(0);
        m_editor->markError(position);
        return Payload::invalid(
            tr("no hex, %1: %2").arg(positionWords(text, position), error.detail));
    }
    }
    return {};
}

QString PayloadEdit::positionWords(const QString &text, qsizetype position) const
{
    const QStringView before = QStringView(text).first(std::min(position, text.size()));
    const qsizetype lineStart = before.lastIndexOf(u'\n') + 1;
    if (!text.contains(u'\n'))
        return tr("character %1").arg(position + 1);
    return tr("line %1, character %2").arg(before.count(u'\n') + 1).arg(position - lineStart + 1);
}

} // namespace topicscope::ui
