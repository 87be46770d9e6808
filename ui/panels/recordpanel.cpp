#include "ui/panels/recordpanel.h"

#include "core/base/digits.h"
#include "core/session/backoff.h"
#include "ui/errortext.h"
#include "ui/models/logsampler.h"
#include "ui/panels/recordbar.h"
#include "ui/panels/recordpanel_p.h"
#include "ui/views/banner.h"
#include "ui/views/offsetscrollbar.h"
#include "ui/views/partitionmap.h"
#include "ui/views/recordtableview.h"

#include <QMessageBox>
#include <QPushButton>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

/// Records above this, or of unknown size, are fetched whole only after asking.
constexpr qint64 kAskAboveBytes = qint64(64) * 1024 * 1024;
/// How long something said stands beside what the status line shows all the time.
constexpr int kSaidMs = 8000;

} // namespace

RecordPanel::Private::Private(RecordPanel *panel, SessionFactory sessionFactory,
                              SessionConfig sessionConfig)
    : q(panel)
    , factory(std::move(sessionFactory))
    , config(std::move(sessionConfig))
    , session(factory, config)
    , loader(&session, &model)
    , scan(&session)
    , finder(&session)
    , previewed(&session)
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
        chooseOrder();
        setColumns();
        openMap();
        bar->setTakesTimes(known.offsetsByTime);
        bar->setCommittedOnly(known.transactions, isolation == Isolation::ReadCommitted);
        emit q->stateChanged();
    });
    connect(&session, &SessionHandle::stateChanged, q, [this](ConnectionState state) {
        if (state == ConnectionState::Connected && loader.hasFailed() &&
            isConnectionFailure(lastFailure))
            retry();
        if (state == ConnectionState::Connected && sampler)
            sampler->goOn();
        updateStatus();
        emit q->stateChanged();
    });
    connect(&session, &SessionHandle::remarked, q, [this](const QString &remark) {
        if (!remark.isEmpty())
            banner->say(Tone::Warning, remark);
    });
    connect(&finder, &PlaceFinder::found, q, [this] { onPlacesFound(); });
    connect(&finder, &PlaceFinder::failed, q, [this](const Error &error) {
        say({});
        if (error.kind != ErrorKind::Cancelled)
            banner->say(Tone::Danger, errorText(error).full());
    });
    connect(&loader, &RecordLoader::jobChanged, q, [this] {
        updatePlaceholder();
        updateStatus();
        tellMap();
    });
    connect(&loader, &RecordLoader::rangesChanged, q, [this] {
        updateHeader();
        updateScrollBar();
        tellMap();
    });
    connect(&loader, &RecordLoader::shown, q, [this] { onShown(); });
    connect(&loader, &RecordLoader::failed, q, [this](const Error &error) { onFailed(error); });
    connect(&loader, &RecordLoader::partRefused, q,
            [this](const Error &error) { banner->say(Tone::Danger, errorText(error).full()); });
    connect(&loader, &RecordLoader::followGoesOn, q, [this](PartitionId id, Offset offset) {
        banner->hide();
        if (feed)
            feed->skipTo({topic.name, id}, offset);
    });
    connect(&loader, &RecordLoader::logShortened, q,
            [this](const QString &what) { onLogShortened(what); });
    connect(&loader, &RecordLoader::noticed, q, [this](const QString &text) { say(text); });
    connect(&model, &RecordTableModel::windowChanged, q, [this] {
        bar->setFlaggedCount(model.flaggedCount());
        updateHeader();
        updateStatus();
        updatePlaceholder();
        updateScrollBar();
    });
    connect(&model, &QAbstractItemModel::dataChanged, q, [this](const QModelIndex &changed) {
        if (changed.row() == view->currentIndex().row())
            onCurrentChanged();
    });
    connect(&scan, &FlagScan::progressed, q, [this] { updateStatus(); });
    connect(&scan, &FlagScan::found, q,
            [this](const TopicPartition &where, Offset offset) { onScanFound(where, offset); });
    connect(&scan, &FlagScan::finishedWithout, q, [this] {
        say((scan.isForWanted() ? tr("No earlier record with this key in %1 offsets scanned.")
                                : tr("No flagged record in %1 offsets scanned."))
                .arg(groupedDigits(scan.scanned())));
    });
    connect(&scan, &FlagScan::failed, q, [this](const Error &error) {
        say(tr("The scan stopped after %1 offsets.").arg(groupedDigits(scan.scanned())));
        banner->say(Tone::Danger, errorText(error).full());
    });
    justSaid.setSingleShot(true);
    justSaid.setInterval(kSaidMs);
    connect(&justSaid, &QTimer::timeout, q, [this] { updateStatus(); });
    everySecond.setInterval(1000);
    connect(&everySecond, &QTimer::timeout, q, [this] {
        loader.readOffsets();
        updateStatus();
    });
}

// ---------------------------------------------------------------------------------- what is shown

void RecordPanel::Private::chooseOrder()
{
    const Capabilities &known = session.capabilities();
    loader.setOrder(known.timestamps && known.offsetsByTime ? RecordLoader::Order::Time
                                                            : RecordLoader::Order::Partition);
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
    if (std::exchange(jumping, false))
        view->scrollToTop();
    view->setOutline(-1, {});
    settle();
    showDragLabel();
    if (!arrival.isEmpty() && !loader.hasFailed())
        say(std::exchange(arrival, {}));
    if (following && !feed && !loader.hasFailed())
        startFeed();
    if (!std::exchange(isLoaded, true)) {
        updatePlaceholder();
        emit q->loaded();
        tellMap();
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
    const auto [first, last] = view->visibleRows();
    if (older ? loader.wasEvictedInFront() && first > 0
              : loader.wasEvictedBehind() && last < model.rowCount() - 1)
        return;
    // Over the budget, rows at the end would go for those older: only when there are none above.
    if (older && model.store().overBudget() && first > 0)
        return;
    if (older && loader.canLoadOlder())
        loader.loadOlder();
    else if (!older && loader.canLoadNewer())
        loader.loadNewer();
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
    delete d->map; // it draws what the sampler knows
}

void RecordPanel::open(const TopicInfo &topic, std::optional<PartitionId> partition,
                       std::optional<Offset> at)
{
    setFollowing(false);
    d->scan.cancel();
    d->topic = topic;
    d->partition = partition;
    d->isLoaded = false;
    d->isMapFilled = false;
    d->banner->hide();
    d->model.reset(d->session.capabilities(), !partition);
    d->setColumns();
    d->chooseOrder();
    d->loader.open(topic, partition);
    d->openMap();
    emit titleChanged(title());
    if (at)
        d->goTo({LogPlace::Kind::Offset, at->value});
    else
        d->goTo(LogPlace::end());
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
    return d->partition ? u"%1 / %2"_s.arg(d->topic.name, QString::number(d->partition->value))
                        : d->topic.name;
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

ColumnLayout *RecordPanel::columns() const
{
    return d->columns;
}

void RecordPanel::setByteBudget(qint64 bytes)
{
    d->model.setByteBudget(bytes);
    d->loader.keepToBudget();
}

void RecordPanel::setMaxBytes(qint32 bytes)
{
    d->loader.setMaxBytes(bytes);
}

void RecordPanel::reconnect()
{
    d->session.reconnectNow();
    if (d->feed && d->feed->state() == ConnectionState::Lost && !isTriedAgain(d->feed->lastError()))
        d->openFeed(); // what is looked at stays where it is
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
