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

Payload invalid(const QString &problem)
{
    Payload payload;
    payload.kind = Payload::Kind::Invalid;
    payload.problem = problem;
    return payload;
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

    connect(m_modeBox, &QComboBox::activated, this,
            [this] { setMode(m_modeBox->currentData().value<Mode>()); });
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
    m_modeBox->setCurrentIndex(m_modeBox->findData(QVariant::fromValue(m_mode)));
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

bool PayloadEdit::isTextual(Mode mode) const
{
    return mode == Mode::Text || mode == Mode::Json || mode == Mode::Hex;
}

bool PayloadEdit::setMode(Mode mode)
{
    if (mode == m_mode)
        return true;
    if (m_modeBox->findData(QVariant::fromValue(mode)) < 0)
        return false;
    const bool sameText = (mode == Mode::Hex) == (m_textMode == Mode::Hex);
    std::optional<QByteArray> bytes;
    if (isTextual(mode) && m_mode == Mode::Held) {
        bytes = m_held;
    } else if (isTextual(mode) && !sameText) {
        // Bytes of what the editor holds, also while another page is shown. Wrong hex has none: it
        // becomes text as it stands.
        if (m_textMode != Mode::Hex)
            bytes = m_editor->text().toUtf8();
        else if (const auto parsed = parseHex(m_editor->text()))
            bytes = parsed.value();
    }
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
        m_editor->setPlaceholderText(
            mode == Mode::Json ? tr("JSON") : tr("empty %1 (0 bytes)").arg(m_setup.noun));
    } else if (mode == Mode::File) {
        page = m_filePage;
    } else {
        m_sentence->setLine(mode == Mode::None ? m_setup.noneSentence
                                               : tr("%1 bytes, kept as they are: %2")
                                                     .arg(groupedDigits(m_held.size()),
                                                          previewText(bytesOf(m_held))));
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
    if (showAsText(*bytes))
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
    return {m_mode, m_textMode, m_editor->text(), m_held, m_path->text()};
}

void PayloadEdit::setState(const State &state)
{
    setEditorText(state.text);
    m_textMode = state.textMode;
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

void PayloadEdit::onPathEdited()
{
    m_file.reset();
    m_fileWatcher.setFuture({}); // the answer about another path does not matter any more
    if (!m_path->text().isEmpty())
        m_fileWatcher.setFuture(lookAtFile(m_path->text(), m_setup.readAtOnce));
    evaluate();
}

void PayloadEdit::onFileLooked()
{
    if (m_fileWatcher.future().resultCount() > 0)
        m_file = m_fileWatcher.result();
    evaluate();
}

void PayloadEdit::onBrowse()
{
    auto *dialog = new QFileDialog(this, tr("File with the %1").arg(m_setup.noun));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, m_path, &QLineEdit::setText);
    dialog->open();
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
        return invalid(
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
        return invalid(tr("no hex, %1: %2").arg(positionWords(text, position), error.detail));
    }
    }
    return {};
}

Payload PayloadEdit::evaluatedFile()
{
    m_fileSize->setLine({});
    if (m_path->text().isEmpty())
        return invalid(tr("no file is chosen"));
    if (!m_file)
        return invalid(tr("the file is being looked at"));
    if (!*m_file) {
        m_fileSize->setLine(tr("not readable"));
        return invalid((*m_file).error().detail);
    }
    const PayloadFile &file = (*m_file).value();
    m_fileSize->setLine(tr("%1 bytes, read when it is sent").arg(groupedDigits(file.size)));
    Payload payload;
    payload.kind = Payload::Kind::File;
    payload.size = file.size;
    payload.path = m_path->text();
    payload.bytes = file.bytes;
    if (m_setup.readAtOnce >= 0 && !file.bytes)
        return invalid(
            tr("the file has %1 bytes, more than the %2 a %3 may have")
                .arg(groupedDigits(file.size), groupedDigits(m_setup.readAtOnce), m_setup.noun));
    return payload;
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
