#include "ui/panels/recordpanel.h"

#include "core/base/bytewriter.h"
#include "core/base/digits.h"
#include "core/session/backoff.h"
#include "ui/delegates/recorddelegate.h"
#include "ui/errortext.h"
#include "ui/panels/recordbar.h"
#include "ui/panels/recordpanel_p.h"
#include "ui/theme/icons.h"
#include "ui/views/banner.h"
#include "ui/views/recordtableview.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFontDatabase>
#include <QHeaderView>
#include <QLabel>
#include <QMessageBox>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

/// Records above this, or of unknown size, are fetched whole only after asking.
constexpr qint64 kAskAboveBytes = qint64(64) * 1024 * 1024;

/// A label that gives way to others instead of widening its window.
QLabel *narrowLabel(QWidget *parent, const QString &objectName)
{
    auto *label = new QLabel(parent);
    label->setObjectName(objectName);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    return label;
}

} // namespace

RecordPanel::Private::Private(RecordPanel *panel, SessionFactory sessionFactory,
                              SessionConfig sessionConfig)
    : q(panel)
    , factory(std::move(sessionFactory))
    , config(std::move(sessionConfig))
    , session(factory, config)
    , loader(&session, &model)
    , scan(&session)
{
    buildWidgets();
    addActions();
    loader.setVisibleRows([this] {
        // At the end of what is followed, a row that a filter found long ago keeps nothing.
        const int rows = model.rowCount();
        return feed && model.isFiltered() && view->isAtBottom() ? std::pair(rows, rows - 1)
                                                                : view->visibleRows();
    });

    connect(&session, &SessionHandle::capabilitiesKnown, q, [this](const Capabilities &known) {
        model.reset(known, !partition);
        setColumnWidths();
        emit q->stateChanged();
    });
    connect(&session, &SessionHandle::stateChanged, q, [this](ConnectionState state) {
        if (state == ConnectionState::Connected && loader.hasFailed() &&
            isConnectionFailure(lastFailure))
            retry();
        updateStatus();
        emit q->stateChanged();
    });
    connect(&loader, &RecordLoader::jobChanged, q, [this] {
        updatePlaceholder();
        updateStatus();
    });
    connect(&loader, &RecordLoader::rangesChanged, q, [this] { updateHeader(); });
    connect(&loader, &RecordLoader::shown, q, [this] { onShown(); });
    connect(&loader, &RecordLoader::failed, q, [this](const Error &error) { onFailed(error); });
    connect(&loader, &RecordLoader::followGoesOn, q, [this](PartitionId id, Offset offset) {
        banner->hide();
        if (feed)
            feed->skipTo({topic.name, id}, offset);
    });
    connect(&loader, &RecordLoader::noticed, q, [this](const QString &text) { say(text); });
    connect(&model, &RecordTableModel::windowChanged, q, [this] {
        bar->setFlaggedCount(model.flaggedCount());
        updateHeader();
        updateStatus();
        updatePlaceholder();
    });
    connect(&model, &QAbstractItemModel::dataChanged, q, [this](const QModelIndex &changed) {
        if (changed.row() == view->currentIndex().row())
            onCurrentChanged();
    });
    connect(&scan, &FlagScan::progressed, q, [this] { updateStatus(); });
    connect(&scan, &FlagScan::found, q,
            [this](const TopicPartition &where, Offset offset) { onScanFound(where, offset); });
    connect(&scan, &FlagScan::finishedWithout, q, [this] {
        say(tr("No flagged record in %1 offsets scanned.").arg(groupedDigits(scan.scanned())));
    });
    connect(&scan, &FlagScan::failed, q, [this](const Error &error) {
        say(tr("The scan stopped after %1 offsets.").arg(groupedDigits(scan.scanned())));
        banner->say(Tone::Danger, errorText(error).full());
    });
    everySecond.setInterval(1000);
    connect(&everySecond, &QTimer::timeout, q, [this] {
        loader.readOffsets();
        updateStatus();
    });
}

void RecordPanel::Private::buildWidgets()
{
    titleLabel = new QLabel(q);
    titleLabel->setTextFormat(Qt::PlainText);
    QFont bold = titleLabel->font();
    bold.setBold(true);
    titleLabel->setFont(bold);
    header = narrowLabel(q, u"recordHeader"_s);
    bar = new RecordBar(q);
    banner = new Banner(q);
    banner->setObjectName(u"recordBanner"_s);
    view = new RecordTableView(q);
    view->setObjectName(u"recordTable"_s);
    view->setAccessibleName(tr("Records"));
    view->setModel(&model);
    view->setItemDelegate(new RecordDelegate(view));
    view->setContextMenuPolicy(Qt::ActionsContextMenu);
    status = narrowLabel(q, u"recordStatus"_s);
    cancelButton = new QToolButton(q);
    cancelButton->setObjectName(u"cancelButton"_s);
    cancelButton->setText(tr("Cancel"));
    cancelButton->hide();

    auto *top = new QHBoxLayout;
    top->setSpacing(16);
    top->addWidget(titleLabel);
    top->addWidget(header, 1);
    auto *bottom = new QHBoxLayout;
    bottom->addWidget(status, 1);
    bottom->addWidget(cancelButton);
    auto *layout = new QVBoxLayout(q);
    layout->setContentsMargins(6, 6, 6, 4);
    layout->setSpacing(4);
    layout->addLayout(top);
    layout->addWidget(bar);
    layout->addWidget(banner);
    layout->addWidget(view, 1);
    layout->addLayout(bottom);
    q->setFocusProxy(view);

    connect(bar, &RecordBar::goToRequested, q, &RecordPanel::goTo);
    connect(bar, &RecordBar::firstRequested, q, &RecordPanel::goToFirst);
    connect(bar, &RecordBar::lastRequested, q, &RecordPanel::goToLast);
    connect(bar, &RecordBar::nextFlaggedRequested, q, &RecordPanel::nextFlagged);
    connect(bar, &RecordBar::previousFlaggedRequested, q, &RecordPanel::previousFlagged);
    connect(bar, &RecordBar::followToggled, q, &RecordPanel::setFollowing);
    connect(bar, &RecordBar::pauseToggled, q, &RecordPanel::setPaused);
    connect(bar, &RecordBar::filterChanged, q, &RecordPanel::setFilter);
    connect(banner, &Banner::actionTriggered, q, [this] { retry(); });
    connect(cancelButton, &QToolButton::clicked, q, &RecordPanel::cancel);
    connect(view, &RecordTableView::topNeared, q, [this] { loadNear(true); });
    connect(view, &RecordTableView::bottomNeared, q, [this] { loadNear(false); });
    connect(view, &RecordTableView::scrolled, q, [this] { updateHeld(); });
    // Queued: it may evict rows, and the range changes while rows come and go.
    connect(
        view->verticalScrollBar(), &QScrollBar::rangeChanged, q, [this] { updateHeld(); },
        Qt::QueuedConnection);
    connect(view, &QAbstractItemView::activated, q, [this] {
        const RowRef row = currentRow();
        if (row.block && row.block->kind == RowKind::Oversized)
            q->fetchWhole();
    });
    connect(view->selectionModel(), &QItemSelectionModel::currentChanged, q,
            [this] { onCurrentChanged(); });
}

void RecordPanel::Private::addActions()
{
    const auto add = [this](const QString &text, const QKeySequence &keys, auto slot) {
        auto *action = new QAction(text, view);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, q, slot);
        view->addAction(action);
        return action;
    };
    const auto copy = [this](CopyFormat format) { return [this, format] { q->copyAs(format); }; };
    add(tr("&Copy value as text"), QKeySequence::Copy, copy(CopyFormat::Text));
    add(tr("Copy value as &hex"), tr("Ctrl+Shift+C"), copy(CopyFormat::Hex));
    add(tr("Copy row as &JSON"), tr("Ctrl+Alt+C"), copy(CopyFormat::Json));
    add(tr("Copy ce&ll"), {}, copy(CopyFormat::Cell));
    auto *separator = new QAction(view);
    separator->setSeparator(true);
    view->addAction(separator);
    add(tr("Copy to co&mposer"), {}, &RecordPanel::copyToComposer);
    fetchWholeAction = add(tr("Fetch &whole"), {}, &RecordPanel::fetchWhole);
    fetchWholeAction->setIcon(icon(IconName::Download));
    fetchWholeAction->setEnabled(false);
}

void RecordPanel::Private::setColumnWidths()
{
    const QFontMetrics plain(view->font());
    const QFontMetrics fixed(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    constexpr int kPadding = 14;
    const auto set = [this](RecordColumn column, int width) {
        if (const int section = model.section(column); section >= 0)
            view->setColumnWidth(section, width + kPadding);
    };
    set(RecordColumn::Partition, plain.horizontalAdvance(columnTitle(RecordColumn::Partition)));
    Offset largest{9'999};
    for (const PartitionInfo &info : topic.partitions)
        largest = std::max(largest, info.highWatermark);
    set(RecordColumn::Offset, std::max(fixed.horizontalAdvance(groupedDigits(largest.value)),
                                       plain.horizontalAdvance(columnTitle(RecordColumn::Offset))));
    set(RecordColumn::Flags, plain.horizontalAdvance(stateName(RowState::ChecksumMismatch)) + 22);
    set(RecordColumn::Time, plain.horizontalAdvance(u"2026-12-30 23:59:59.999"_s));
    set(RecordColumn::Key, plain.averageCharWidth() * 20);
    set(RecordColumn::Size, fixed.horizontalAdvance(u"9 999 999"_s));
    set(RecordColumn::Crc, fixed.horizontalAdvance(u"9a71bb4c ≠ 681a384f"_s));
}

// ------------------------------------------------------------------------------------ what is
// shown

void RecordPanel::Private::updateHeader()
{
    const auto &parts = loader.parts();
    QString text;
    titleLabel->setText(q->title());
    if (partition && !parts.empty()) {
        const RecordLoader::Part &only = parts.front();
        text +=
            tr("log start %1 · high watermark %2")
                .arg(groupedDigits(only.logStart.value), groupedDigits(only.highWatermark.value));
        if (only.begin < only.end) {
            text += tr(" · showing %1 … %2")
                        .arg(groupedDigits(only.begin.value), groupedDigits(only.end.value - 1));
        }
    } else if (!parts.empty()) {
        qint64 all = 0;
        for (const RecordLoader::Part &each : parts)
            all += each.highWatermark - each.logStart;
        text = tr("partitions %1 · offsets %2 · rows shown %3: by partition, followed ones as they "
                  "arrive")
                   .arg(QString::number(parts.size()), groupedDigits(all),
                        groupedDigits(model.store().rowCount()));
    }
    header->setText(text);
    header->setToolTip(text);
}

void RecordPanel::Private::updateStatus()
{
    QString text;
    if (scan.isRunning()) {
        text = tr("Looking for a flagged record: %1 offsets scanned, at %2 / %3 offset %4")
                   .arg(groupedDigits(scan.scanned()), scan.partition().topic,
                        QString::number(scan.partition().partition.value),
                        groupedDigits(scan.position().value));
    } else if (loader.job() == RecordLoader::Job::Whole) {
        text = tr("Fetching the whole record…");
    } else if (loader.job() == RecordLoader::Job::Older) {
        text = tr("Loading older records…");
    } else if (loader.job() != RecordLoader::Job::None) {
        text = tr("Loading…");
    } else if (session.state() == ConnectionState::Lost) {
        text = tr("Connection lost; trying again. What was loaded stays.");
    } else if (following) {
        text = tr("%1 records/s · behind by %2")
                   .arg(QString::number(feed ? feed->rate() : 0, 'f', 0), groupedDigits(behind()));
        if (paused)
            text += tr(" · paused");
        else if (readingBack)
            text += tr(" · held while you read back: scroll to the end to go on");
        else if (feed && feed->state() == ConnectionState::Lost)
            text += tr(" · connection lost, trying again");
    } else if (model.isFiltered()) {
        text = tr("Filter: %1 of %2 rows loaded")
                   .arg(groupedDigits(model.rowCount()), groupedDigits(model.store().rowCount()));
        if (model.isFilterScanning())
            text += u'…';
    } else {
        text = message;
    }
    status->setText(text);
    cancelButton->setVisible(scan.isRunning() || loader.job() == RecordLoader::Job::Whole);
}

void RecordPanel::Private::updatePlaceholder()
{
    if (loader.job() != RecordLoader::Job::None || !(isLoaded || loader.hasFailed()))
        view->setPlaceholder(tr("Loading…"));
    else if (loader.hasFailed())
        view->setPlaceholder(tr("Nothing was loaded"));
    else if (model.isFiltered() && model.store().rowCount() > 0)
        view->setPlaceholder(tr("No row loaded matches the filter"));
    else
        view->setPlaceholder(partition ? tr("This partition holds no records")
                                       : tr("This topic holds no records"));
}

void RecordPanel::Private::say(const QString &text)
{
    message = text;
    updateStatus();
}

RowRef RecordPanel::Private::currentRow() const
{
    const int row = view->currentIndex().row();
    return row >= 0 && row < model.rowCount() ? model.row(row) : RowRef{};
}

void RecordPanel::Private::onCurrentChanged()
{
    const RowRef row = currentRow();
    if (!row.block && model.rowCount() > 0)
        return; // evicted: whoever looks at the record goes on doing so
    fetchWholeAction->setEnabled(row.block && row.block->kind == RowKind::Oversized);
    const RecordChunkPtr chunk = row.block ? row.block->chunk : nullptr; // null for a note as well
    emit q->currentRecordChanged(chunk, row.index);
    emit q->currentNoteChanged(row.block && !row.record ? rowNote(row) : QString());
}

void RecordPanel::Private::onShown()
{
    settle();
    if (following && !feed)
        startFeed();
    if (!std::exchange(isLoaded, true)) {
        updatePlaceholder();
        emit q->loaded();
    }
}

void RecordPanel::Private::onFailed(const Error &error)
{
    lastFailure = error;
    banner->say(Tone::Danger, errorText(error).full(), tr("Try again"));
}

void RecordPanel::Private::retry()
{
    banner->hide();
    scan.cancel();
    loader.retry();
}

void RecordPanel::Private::loadNear(bool older)
{
    // A filter looks at what is loaded; it does not pull in the whole partition.
    if (loader.job() != RecordLoader::Job::None || loader.hasFailed() || scan.isRunning() ||
        model.isFiltered())
        return;
    if (older && loader.canLoadOlder())
        loader.loadOlder();
    else if (!older && loader.canLoadNewer())
        loader.loadNewer();
}

std::vector<RowRef> RecordPanel::Private::selectedRows() const
{
    std::vector<int> rows;
    for (const QModelIndex &index : view->selectionModel()->selectedRows())
        rows.push_back(index.row());
    std::ranges::sort(rows);
    std::vector<RowRef> result;
    result.reserve(rows.size());
    for (const int row : rows)
        result.push_back(model.row(row));
    if (result.empty() && currentRow().block)
        result.push_back(currentRow());
    return result;
}

// ------------------------------------------------------------------------------------------- panel

RecordPanel::RecordPanel(SessionFactory factory, SessionConfig config, QWidget *parent)
    : QWidget(parent)
    , d(std::make_unique<Private>(this, std::move(factory), std::move(config)))
{
}

RecordPanel::~RecordPanel()
{
    // The view must not hear of the model's end after this panel is half gone.
    disconnect(d->view->selectionModel(), nullptr, this, nullptr);
    delete d->view;
}

void RecordPanel::open(const TopicInfo &topic, std::optional<PartitionId> partition,
                       std::optional<Offset> at)
{
    setFollowing(false);
    d->scan.cancel();
    d->topic = topic;
    d->partition = partition;
    d->isLoaded = false;
    d->banner->hide();
    d->model.reset(d->session.capabilities(), !partition);
    d->setColumnWidths();
    d->loader.open(topic, partition);
    emit titleChanged(title());
    if (at)
        d->goTo({GoToTarget::From::Zero, at->value});
    else
        d->goTo({GoToTarget::From::End, 0});
}

const QString &RecordPanel::topic() const
{
    return d->topic.name;
}

std::optional<PartitionId> RecordPanel::partition() const
{
    return d->partition;
}

QString RecordPanel::title() const
{
    return d->partition ? u"%1 / %2"_s.arg(d->topic.name).arg(d->partition->value) : d->topic.name;
}

const Capabilities &RecordPanel::capabilities() const
{
    return d->session.capabilities();
}

ConnectionState RecordPanel::connectionState() const
{
    return d->session.state();
}

bool RecordPanel::isFollowing() const
{
    return d->following;
}

bool RecordPanel::isPaused() const
{
    return d->paused;
}

bool RecordPanel::isLoaded() const
{
    return d->isLoaded;
}

int RecordPanel::flaggedCount() const
{
    return d->model.flaggedCount();
}

void RecordPanel::setByteBudget(qint64 bytes)
{
    d->model.setByteBudget(bytes);
}

void RecordPanel::setMaxBytes(qint32 bytes)
{
    d->loader.setMaxBytes(bytes);
}

void RecordPanel::refresh()
{
    d->banner->hide();
    d->scan.cancel();
    if (d->loader.hasFailed()) {
        d->retry();
        return;
    }
    d->loader.readOffsets();
    d->loader.loadNewer();
}

void RecordPanel::fetchWhole()
{
    const RowRef row = d->currentRow();
    if (!row.block || row.block->kind != RowKind::Oversized)
        return;
    const RecordBlock block = *row.block;
    const auto fetch = [this, block] {
        d->scan.cancel();
        d->loader.fetchWhole(block.partition, block.first, block.noteBytes);
    };
    if (block.noteBytes > 0 && block.noteBytes <= kAskAboveBytes) {
        fetch();
        return;
    }
    const QString text = block.noteBytes > 0
                             ? tr("The record has %1. Fetching it takes that much memory.")
                                   .arg(byteText(block.noteBytes))
                             : tr("The record's size is not known. Fetching it takes as much "
                                  "memory as it has, up to 8 MiB.");
    auto *question =
        new QMessageBox(QMessageBox::Question, tr("Fetch whole"), text, QMessageBox::Cancel, this);
    QPushButton *accept = question->addButton(tr("Fetch it"), QMessageBox::AcceptRole);
    question->setAttribute(Qt::WA_DeleteOnClose);
    connect(question, &QMessageBox::buttonClicked, this, [fetch, accept](QAbstractButton *clicked) {
        if (static_cast<void *>(clicked) == static_cast<void *>(accept))
            fetch();
    });
    question->open();
}

void RecordPanel::copyAs(CopyFormat format)
{
    const bool isCell = format == CopyFormat::Cell;
    const RowRef current = d->currentRow();
    if (isCell && !current.block)
        return;
    const QModelIndex index = d->view->currentIndex();
    if (isCell && !(current.record && d->model.column(index.column()) == RecordColumn::Value)) {
        const QVariant number = index.data(SortRole);
        QApplication::clipboard()->setText(number.isValid() ? QString::number(number.toLongLong())
                                                            : index.data().toString());
        return;
    }
    const std::vector<RowRef> rows = isCell ? std::vector{current} : d->selectedRows();
    if (valueBytes(rows) > kMaxCopyBytes) {
        d->say(tr("Not copied: the selected rows hold more than %1.").arg(byteText(kMaxCopyBytes)));
        return;
    }
    QApplication::clipboard()->setText(rowsAsText(rows, isCell ? CopyFormat::Text : format));
    if (!isCell)
        d->say(tr("Rows copied: %1").arg(groupedDigits(qint64(rows.size()))));
}

void RecordPanel::copyToComposer()
{
    const RowRef row = d->currentRow();
    if (!row.record)
        return;
    const RecordChunk &chunk = *row.block->chunk;
    emit copyToComposerRequested(toByteArray(chunk.value(*row.record)), chunk.partition());
}

void RecordPanel::setFilter(const QString &text)
{
    d->model.setFilter(text.toUtf8());
}

void RecordPanel::focusGoTo()
{
    d->bar->focusGoTo();
}

void RecordPanel::focusFilter()
{
    d->bar->focusFilter();
}

void RecordPanel::cancel()
{
    if (d->scan.isRunning()) {
        d->scan.cancel();
        d->say(tr("Cancelled after %1 offsets, at offset %2.")
                   .arg(groupedDigits(d->scan.scanned()), groupedDigits(d->scan.position().value)));
    }
    d->cancelLoading();
    d->updateStatus();
}

} // namespace topicscope::ui
