#include "ui/panels/inspectorpanel.h"

#include "core/base/digits.h"
#include "ui/panels/formatmenu.h"
#include "ui/panels/framefields.h"
#include "ui/panels/headerspage.h"
#include "ui/panels/payloadpages.h"
#include "ui/theme/palette.h"
#include "ui/views/hexview.h"
#include "ui/views/textview.h"

#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

class InspectorPanel::Private
{
public:
    explicit Private(InspectorPanel *panel);

    const Record &record() const { return chunk->records()[size_t(index)]; }
    InspectedPayload payload() const;
    QString headlineText() const;
    void buildPartSwitch();
    void choosePart(PayloadPart chosen);
    void buildFormatButton();
    std::shared_ptr<const PayloadCodec> format() const;
    void chooseFormat(const QString &name);
    void fillText();
    void show(const QString &headline, const QString &note);
    void tintNote();
    void refill();
    void fillCurrentTab();
    void fillFrame();
    std::array<ByteView *, 5> views() const;
    ByteView *currentView() const { return views()[size_t(tabs->currentIndex())]; }
    void buildFind();
    void showFound(bool found);
    bool isWorking() const;
    void stopWorking();
    void updateWork();

    InspectorPanel *const q;
    QLabel *headline = nullptr;
    QLabel *note = nullptr;
    QTabWidget *tabs = nullptr;
    QWidget *partSwitch = nullptr; ///< between value and key
    TextPage *text = nullptr;
    TextPage *json = nullptr;
    HexView *hex = nullptr;
    HeadersPage *headers = nullptr;
    FrameFields *fields = nullptr;
    HexView *frame = nullptr;
    QLineEdit *findEdit = nullptr;
    QWidget *workLine = nullptr; ///< what takes its time, or was not found
    QLabel *workText = nullptr;
    QToolButton *stopButton = nullptr;
    bool isFound = true;

    RecordChunkPtr chunk;
    int index = -1;
    Capabilities capabilities;
    RecordFormats formats;
    FormatSource formatSource;
    QString chosenFormat; ///< for this record, by name; empty: as for the topic
    QToolButton *formatButton = nullptr;
    PayloadPart part = PayloadPart::Value;
    std::array<bool, 5> filled{}; ///< by tab, for the current record
};

InspectorPanel::Private::Private(InspectorPanel *panel)
    : q(panel)
{
    headline = new QLabel(q);
    headline->setTextFormat(Qt::PlainText);
    headline->setTextInteractionFlags(Qt::TextSelectableByMouse);
    headline->setWordWrap(true);
    note = new QLabel(q);
    note->setObjectName(u"note"_s);
    note->setTextFormat(Qt::PlainText);
    note->setWordWrap(true);
    note->setTextInteractionFlags(Qt::TextSelectableByMouse);
    note->setMargin(6);
    note->setAutoFillBackground(true);

    text = new TextPage(u"text"_s, q);
    json = new TextPage(u"json"_s, q);
    hex = new HexView(q);
    hex->setObjectName(u"hexView"_s);

    headers = new HeadersPage(q);

    auto *framePage = new QSplitter(Qt::Vertical, q);
    fields = new FrameFields(framePage);
    fields->setObjectName(u"frameFields"_s);
    frame = new HexView(framePage);
    framePage->setChildrenCollapsible(false);

    tabs = new QTabWidget(q);
    tabs->setDocumentMode(true);
    tabs->addTab(text, tr("Text"));
    tabs->addTab(json, tr("JSON"));
    tabs->addTab(hex, tr("Hex"));
    tabs->addTab(headers, tr("Headers"));
    tabs->addTab(framePage, tr("Frame"));
    buildPartSwitch();
    buildFormatButton();
    buildFind();

    auto *layout = new QVBoxLayout(q);
    layout->setContentsMargins(0, 6, 0, 0);
    auto *top = new QHBoxLayout;
    top->setSpacing(4);
    top->addWidget(headline, 1);
    top->addWidget(partSwitch, 0, Qt::AlignTop);
    layout->addLayout(top);
    layout->addWidget(note);
    layout->addWidget(tabs, 1);
    layout->addWidget(workLine);
    layout->addWidget(findEdit);
    headline->setContentsMargins(6, 0, 6, 0);

    QObject::connect(tabs, &QTabWidget::currentChanged, q, [this] {
        fillCurrentTab();
        showFound(true);
    });
    QObject::connect(fields, &FrameFields::bytesChosen, frame, &HexView::select);
}

void InspectorPanel::Private::buildFind()
{
    findEdit = new QLineEdit(q);
    findEdit->setObjectName(u"findEdit"_s);
    findEdit->setPlaceholderText(tr("Find in the payload; Return for the next place"));
    findEdit->setAccessibleName(tr("Find in the payload"));
    findEdit->setClearButtonEnabled(true);
    findEdit->hide();
    findEdit->installEventFilter(q);
    workLine = new QWidget(q);
    workText = new QLabel;
    workText->setObjectName(u"workText"_s);
    workText->setTextFormat(Qt::PlainText);
    stopButton = new QToolButton;
    stopButton->setObjectName(u"stopWorkButton"_s);
    stopButton->setText(tr("Stop"));
    stopButton->setToolTip(tr("Stop (Esc)"));
    stopButton->setFocusPolicy(Qt::TabFocus);
    stopButton->setAutoRaise(true);
    auto *layout = new QHBoxLayout(workLine);
    layout->setContentsMargins(6, 0, 4, 0);
    layout->addWidget(workText, 1);
    layout->addWidget(stopButton);
    workLine->hide();

    QObject::connect(findEdit, &QLineEdit::returnPressed, q, [this] {
        const bool backward = QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier);
        currentView()->find(findEdit->text().toUtf8(), !backward);
    });
    QObject::connect(findEdit, &QLineEdit::textEdited, q, [this] { showFound(true); });
    QObject::connect(stopButton, &QToolButton::clicked, q, [this] { stopWorking(); });
    for (ByteView *view : views()) {
        QObject::connect(view, &ByteView::findEnded, q, [this](bool found) { showFound(found); });
        QObject::connect(view, &ByteView::workingChanged, q, [this] { updateWork(); });
    }
}

/// The value or, where records have one, the key.
void InspectorPanel::Private::buildPartSwitch()
{
    partSwitch = new QWidget(q);
    auto *layout = new QHBoxLayout(partSwitch);
    layout->setContentsMargins(0, 0, 4, 0);
    layout->setSpacing(0);
    const auto add = [&](const QString &name, const QString &tip, PayloadPart chosen) {
        auto *button = new QToolButton(partSwitch);
        button->setText(name);
        button->setToolTip(tip);
        button->setAutoRaise(true);
        button->setCheckable(true);
        button->setAutoExclusive(true);
        button->setChecked(chosen == part);
        QObject::connect(button, &QToolButton::clicked, q, [this, chosen] { choosePart(chosen); });
        layout->addWidget(button);
        return button;
    };
    add(tr("Value"), tr("Text, JSON and Hex show the value"), PayloadPart::Value)
        ->setObjectName(u"valueButton"_s);
    add(tr("Key"), tr("Text, JSON and Hex show the key"), PayloadPart::Key)
        ->setObjectName(u"keyButton"_s);
}

void InspectorPanel::Private::choosePart(PayloadPart chosen)
{
    if (chosen == part)
        return;
    part = chosen;
    chosenFormat.clear();
    if (chunk)
        headline->setText(headlineText());
    refill();
}

/// What the text is read as: chosen for one record here, for the topic in the menu of its table.
void InspectorPanel::Private::buildFormatButton()
{
    formatButton = new QToolButton(q);
    formatButton->setObjectName(u"formatButton"_s);
    formatButton->setToolTip(tr("What this record is read as"));
    formatButton->setPopupMode(QToolButton::InstantPopup);
    formatButton->setAutoRaise(true);
    auto *menu = new QMenu(formatButton);
    formatButton->setMenu(menu);
    auto *choices = new FormatMenu(menu, [this] {
        return FormatMenu::State{format(), formats.hasRegistry};
    });
    QObject::connect(choices, &FormatMenu::chosen, q,
                     [this](const QString &name) { chooseFormat(name); });
    QObject::connect(menu, &QMenu::aboutToShow, q, [this, menu] {
        menu->addSeparator();
        QAction *all =
            menu->addAction(part == PayloadPart::Key ? tr("Use for A&ll Keys of the Topic")
                                                     : tr("Use for A&ll Values of the Topic"));
        all->setObjectName(u"useForAll"_s);
        all->setEnabled(!chosenFormat.isEmpty());
        QObject::connect(all, &QAction::triggered, q,
                         [this] { emit q->formatChosen(part, std::exchange(chosenFormat, {})); });
    });
    text->addAbove(formatButton);
}

std::shared_ptr<const PayloadCodec> InspectorPanel::Private::format() const
{
    if (chosenFormat.isEmpty())
        return formats.of(part);
    return formatSource ? formatSource(chosenFormat) : PayloadCodec::sharedByName(chosenFormat);
}

void InspectorPanel::Private::chooseFormat(const QString &name)
{
    chosenFormat = name;
    if (chunk)
        fillText();
}

void InspectorPanel::Private::fillText()
{
    const auto used = format();
    const QString title = (used ? used.get() : PayloadCodec::automatic())->title();
    const QString shown = tr("Read as: %1").arg(title);
    formatButton->setText(chosenFormat.isEmpty() ? shown : tr("%1, this record").arg(shown));
    text->showText(payload(), used, {chunk->partition().topic, part, {}});
}

InspectedPayload InspectorPanel::Private::payload() const
{
    if (part == PayloadPart::Key && capabilities.keys) {
        return {record().flags & RecordFlag::HasKey ? std::optional(chunk->key(record()))
                                                    : std::nullopt,
                chunk};
    }
    return {record().flags & RecordFlag::NullValue ? std::nullopt
                                                   : std::optional(chunk->value(record())),
            chunk};
}

QString InspectorPanel::Private::headlineText() const
{
    const auto bytes = payload().bytes;
    const bool isKey = part == PayloadPart::Key && capabilities.keys;
    const QString what =
        bytes
            ? tr("%1 bytes · %2").arg(groupedDigits(qint64(bytes->size())), payloadKindText(*bytes))
            : tr("null");
    const TopicPartition &from = chunk->partition();
    return tr("%1 / %2 · offset %3 · %4")
        .arg(from.topic, QString::number(from.partition.value),
             groupedDigits(record().offset.value), isKey ? tr("key: %1").arg(what) : what);
}

void InspectorPanel::Private::show(const QString &headlineText, const QString &noteText)
{
    headline->setText(headlineText);
    note->setText(noteText);
    note->setVisible(!noteText.isEmpty());
    tintNote();
    partSwitch->setVisible(capabilities.keys);
    tabs->setTabVisible(int(Tab::Headers), capabilities.headers);
    tabs->setEnabled(chunk != nullptr);
    formatButton->setVisible(chunk != nullptr);
    refill();
}

void InspectorPanel::Private::refill()
{
    filled = {};
    showFound(true);
    text->clear();
    json->clear();
    hex->clear();
    headers->clear();
    frame->clear();
    fields->clear();
    fillCurrentTab();
}

void InspectorPanel::Private::tintNote()
{
    QPalette tinted = q->palette();
    tinted.setColor(QPalette::Window, toneFill(Tone::Warning, q->palette()));
    note->setPalette(tinted);
}

void InspectorPanel::Private::fillCurrentTab()
{
    const int current = tabs->currentIndex();
    if (!chunk || filled[size_t(current)])
        return;
    filled[size_t(current)] = true;
    switch (Tab(current)) {
    case Tab::Text:
        fillText();
        break;
    case Tab::Json:
        json->showJson(payload());
        break;
    case Tab::Hex:
        if (const auto bytes = payload().bytes)
            hex->setBytes(*bytes, chunk);
        break;
    case Tab::Headers:
        headers->showHeaders(*chunk, record());
        break;
    case Tab::Frame:
        fillFrame();
        break;
    }
}

void InspectorPanel::Private::fillFrame()
{
    fields->showRecord(*chunk, record(), capabilities);
    frame->setBytes(chunk->frame(record()), chunk);
}

/// By tab.
std::array<ByteView *, 5> InspectorPanel::Private::views() const
{
    return {text->view(), json->view(), hex, headers->bytesView(), frame};
}

void InspectorPanel::Private::showFound(bool found)
{
    isFound = found;
    QPalette shown;
    if (!found)
        shown.setColor(QPalette::Base, toneFill(Tone::Warning, q->palette()));
    findEdit->setPalette(shown);
    updateWork();
}

bool InspectorPanel::Private::isWorking() const
{
    return std::ranges::any_of(views(),
                               [](const ByteView *view) { return !view->working().isEmpty(); });
}

void InspectorPanel::Private::stopWorking()
{
    for (ByteView *view : views())
        view->stopWorking();
}

void InspectorPanel::Private::updateWork()
{
    QString shown;
    for (const ByteView *view : views()) {
        if (shown.isEmpty())
            shown = view->working();
    }
    stopButton->setVisible(!shown.isEmpty());
    if (shown.isEmpty() && !isFound)
        shown = tr("Not found in what this tab shows.");
    workText->setText(shown);
    workLine->setVisible(!shown.isEmpty());
}

InspectorPanel::InspectorPanel(QWidget *parent)
    : QWidget(parent)
    , d(std::make_unique<Private>(this))
{
    setAccessibleName(tr("Inspector"));
    showNote({});
}

InspectorPanel::~InspectorPanel() = default;

void InspectorPanel::setFormatSource(FormatSource source)
{
    d->formatSource = std::move(source);
}

void InspectorPanel::setCurrentTab(Tab tab)
{
    d->tabs->setCurrentIndex(int(tab));
}

void InspectorPanel::showRecord(RecordChunkPtr chunk, int index, const Capabilities &capabilities,
                                const RecordFormats &formats)
{
    if (!chunk || index < 0) {
        showNote({});
        return;
    }
    const bool isSame = chunk == d->chunk && index == d->index;
    if (isSame && formats == d->formats) {
        if (d->text->lacksSchema())
            d->fillText();
        return;
    }
    if (!isSame)
        d->chosenFormat.clear();
    d->chunk = std::move(chunk);
    d->index = index;
    d->capabilities = capabilities;
    d->formats = formats;
    RecordBlock block = RecordBlock::records(d->chunk);
    d->show(d->headlineText(), rowNote({&block, &d->record(), index}));
}

bool InspectorPanel::event(QEvent *event)
{
    // Find is about the payload here, whatever it is to the window around.
    if (event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent *>(event)->matches(QKeySequence::Find)) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::PaletteChange && d) {
        d->tintNote();
        d->showFound(d->isFound);
    }
    if (event->type() == QEvent::LocaleChange && d && d->chunk)
        d->fillFrame(); // the record's time is written in another way
    return QWidget::event(event);
}

void InspectorPanel::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && d->isWorking()) {
        d->stopWorking();
        return;
    }
    if (!event->matches(QKeySequence::Find)) {
        QWidget::keyPressEvent(event);
        return;
    }
    d->findEdit->show();
    d->findEdit->setFocus();
    d->findEdit->selectAll();
}

bool InspectorPanel::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        if (d->isWorking()) {
            d->stopWorking();
            return true;
        }
        d->findEdit->hide();
        d->showFound(true);
        d->currentView()->setFocus();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void InspectorPanel::showNote(const QString &note)
{
    d->chunk = nullptr;
    d->index = -1;
    d->show(note.isEmpty() ? tr("No record selected") : QString(), note);
}

} // namespace topicscope::ui
