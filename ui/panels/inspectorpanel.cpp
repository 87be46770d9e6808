#include "ui/panels/inspectorpanel.h"

#include "core/base/digits.h"
#include "core/records/jsontext.h"
#include "ui/models/recordtext.h"
#include "ui/panels/framefields.h"
#include "ui/theme/palette.h"
#include "ui/views/hexview.h"
#include "ui/views/textview.h"

#include <QFutureWatcher>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPromise>
#include <QSplitter>
#include <QTabWidget>
#include <QThreadPool>
#include <QVBoxLayout>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

/// JSON up to this size is laid out at once; larger, off the GUI thread.
constexpr quint32 kJsonAtOnceBytes = 64 * 1024;
constexpr qsizetype kMebi = qsizetype(1024) * 1024;
constexpr JsonLimits kJsonLimits{16 * kMebi, 32 * kMebi};

/// JSON laid out, as UTF-8 bytes for a TextView, or why not.
using Pretty = Result<QByteArray>;

Pretty layOutJson(std::span<const std::byte> value)
{
    const Result<QString> text = jsonPretty(value, kJsonLimits);
    return text ? Pretty(text->toUtf8()) : Pretty(text.error());
}

QString jsonErrorText(const Error &error)
{
    if (error.recordBytes)
        return InspectorPanel::tr("Too large to be laid out: the limit is %1.")
            .arg(byteText(error.limitBytes.value_or(0)));
    return InspectorPanel::tr("Not JSON: at byte %1, %2. Below is the text as it is.")
        .arg(groupedDigits(error.where.byte.value_or(0)), error.detail);
}

} // namespace

class InspectorPanel::Private
{
public:
    explicit Private(InspectorPanel *panel);

    const Record &record() const { return chunk->records()[size_t(index)]; }
    std::span<const std::byte> value() const { return chunk->value(record()); }
    void show(const QString &headline, const QString &note);
    void tintNote();
    void fillCurrentTab();
    void fillJson();
    void showPretty(const Pretty &pretty);
    void fillFrame();
    ByteView *currentView() const;
    void find(bool forward);

    InspectorPanel *const q;
    QLabel *headline = nullptr;
    QLabel *note = nullptr;
    QTabWidget *tabs = nullptr;
    TextView *text = nullptr;
    QLabel *jsonState = nullptr;
    TextView *json = nullptr;
    HexView *hex = nullptr;
    FrameFields *fields = nullptr;
    HexView *frame = nullptr;
    QLineEdit *findEdit = nullptr;

    RecordChunkPtr chunk;
    int index = -1;
    Capabilities capabilities;
    std::array<bool, 4> filled{}; ///< by tab, for the current record
    std::unique_ptr<QFutureWatcher<Pretty>> jsonWatcher;
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

    text = new TextView(q);
    text->setObjectName(u"textView"_s);

    auto *jsonPage = new QWidget(q);
    jsonState = new QLabel(jsonPage);
    jsonState->setObjectName(u"jsonState"_s);
    jsonState->setTextFormat(Qt::PlainText);
    jsonState->setWordWrap(true);
    jsonState->setMargin(6);
    json = new TextView(jsonPage);
    json->setObjectName(u"jsonView"_s);
    auto *jsonLayout = new QVBoxLayout(jsonPage);
    jsonLayout->setContentsMargins(0, 0, 0, 0);
    jsonLayout->setSpacing(0);
    jsonLayout->addWidget(jsonState);
    jsonLayout->addWidget(json, 1);

    hex = new HexView(q);
    hex->setObjectName(u"hexView"_s);

    auto *framePage = new QSplitter(Qt::Vertical, q);
    fields = new FrameFields(framePage);
    fields->setObjectName(u"frameFields"_s);
    frame = new HexView(framePage);
    framePage->setChildrenCollapsible(false);

    tabs = new QTabWidget(q);
    tabs->setDocumentMode(true);
    tabs->addTab(text, tr("Text"));
    tabs->addTab(jsonPage, tr("JSON"));
    tabs->addTab(hex, tr("Hex"));
    tabs->addTab(framePage, tr("Frame"));

    findEdit = new QLineEdit(q);
    findEdit->setObjectName(u"findEdit"_s);
    findEdit->setPlaceholderText(tr("Find in the payload; Return for the next place"));
    findEdit->setAccessibleName(tr("Find in the payload"));
    findEdit->setClearButtonEnabled(true);
    findEdit->hide();
    findEdit->installEventFilter(q);

    auto *layout = new QVBoxLayout(q);
    layout->setContentsMargins(0, 6, 0, 0);
    layout->addWidget(headline);
    layout->addWidget(note);
    layout->addWidget(tabs, 1);
    layout->addWidget(findEdit);
    headline->setContentsMargins(6, 0, 6, 0);

    QObject::connect(findEdit, &QLineEdit::returnPressed, q, [this] {
        find(!QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier));
    });
    QObject::connect(tabs, &QTabWidget::currentChanged, q, [this] { fillCurrentTab(); });
    QObject::connect(fields, &FrameFields::bytesChosen, frame, &HexView::select);
}

void InspectorPanel::Private::show(const QString &headlineText, const QString &noteText)
{
    headline->setText(headlineText);
    note->setText(noteText);
    note->setVisible(!noteText.isEmpty());
    tintNote();
    jsonWatcher.reset(); // an answer for another record is no longer wanted
    filled = {};
    text->clear();
    json->clear();
    jsonState->hide();
    hex->clear();
    frame->clear();
    fields->clear();
    tabs->setEnabled(chunk != nullptr);
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
        text->setBytes(value(), chunk);
        break;
    case Tab::Json:
        fillJson();
        break;
    case Tab::Hex:
        hex->setBytes(value(), chunk);
        break;
    case Tab::Frame:
        fillFrame();
        break;
    }
}

void InspectorPanel::Private::fillJson()
{
    if (record().valueSize <= kJsonAtOnceBytes) {
        showPretty(layOutJson(value()));
        return;
    }
    jsonState->setText(tr("Laying out %1…").arg(byteText(record().valueSize)));
    jsonState->show();
    const auto promise = std::make_shared<QPromise<Pretty>>();
    jsonWatcher = std::make_unique<QFutureWatcher<Pretty>>();
    QObject::connect(jsonWatcher.get(), &QFutureWatcherBase::finished, q, [this] {
        const QFuture<Pretty> future = jsonWatcher->future();
        if (future.resultCount() > 0)
            showPretty(future.result());
    });
    jsonWatcher->setFuture(promise->future());
    QThreadPool::globalInstance()->start([promise, held = chunk, which = index] {
        promise->start();
        if (!promise->isCanceled())
            promise->addResult(layOutJson(held->value(held->records()[size_t(which)])));
        promise->finish();
    });
}

void InspectorPanel::Private::showPretty(const Pretty &pretty)
{
    jsonState->setVisible(!pretty.ok());
    if (pretty) {
        const auto owner = std::make_shared<const QByteArray>(*pretty);
        json->setSource(TextView::Source::Drawn);
        json->setBytes(std::as_bytes(std::span(owner->constData(), size_t(owner->size()))), owner);
        return;
    }
    jsonState->setText(jsonErrorText(pretty.error()));
    json->setSource(TextView::Source::Payload);
    json->setBytes(value(), chunk);
    if (const auto byte = pretty.error().where.byte)
        json->select(*byte, *byte + 1);
}

void InspectorPanel::Private::fillFrame()
{
    fields->showRecord(*chunk, record(), capabilities);
    frame->setBytes(chunk->frame(record()), chunk);
}

ByteView *InspectorPanel::Private::currentView() const
{
    return std::array<ByteView *, 4>{text, json, hex, frame}[size_t(tabs->currentIndex())];
}

void InspectorPanel::Private::find(bool forward)
{
    const bool found = currentView()->find(findEdit->text().toUtf8(), forward);
    QPalette shown = q->palette();
    if (!found)
        shown.setColor(QPalette::Base, toneFill(Tone::Warning, shown));
    findEdit->setPalette(shown);
    findEdit->setToolTip(found ? QString() : tr("Not found in what this tab shows"));
}

InspectorPanel::InspectorPanel(QWidget *parent)
    : QWidget(parent)
    , d(std::make_unique<Private>(this))
{
    setAccessibleName(tr("Inspector"));
    showNote({});
}

InspectorPanel::~InspectorPanel() = default;

void InspectorPanel::setCurrentTab(Tab tab)
{
    d->tabs->setCurrentIndex(int(tab));
}

void InspectorPanel::showRecord(RecordChunkPtr chunk, int index, const Capabilities &capabilities)
{
    if (!chunk || index < 0) {
        showNote({});
        return;
    }
    if (chunk == d->chunk && index == d->index)
        return;
    d->chunk = std::move(chunk);
    d->index = index;
    d->capabilities = capabilities;
    RecordBlock block = RecordBlock::records(d->chunk);
    const RowRef row{&block, &d->record(), index};
    const TopicPartition &from = d->chunk->partition();
    d->show(tr("%1 / %2 · offset %3 · %4 bytes · %5")
                .arg(from.topic, QString::number(from.partition.value),
                     groupedDigits(d->record().offset.value), groupedDigits(d->record().valueSize),
                     payloadKindText(d->value())),
            rowNote(row));
}

bool InspectorPanel::event(QEvent *event)
{
    // Find is about the payload here, whatever it is to the window around.
    if (event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent *>(event)->matches(QKeySequence::Find)) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::PaletteChange && d)
        d->tintNote();
    return QWidget::event(event);
}

void InspectorPanel::keyPressEvent(QKeyEvent *event)
{
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
        d->findEdit->hide();
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
