// The widgets of a RecordPanel, its context menu and its columns.

#include "core/base/digits.h"
#include "core/records/timestyle.h"
#include "ui/delegates/recorddelegate.h"
#include "ui/errortext.h"
#include "ui/panels/recordbar.h"
#include "ui/panels/recordpanel_p.h"
#include "ui/theme/icons.h"
#include "ui/views/banner.h"
#include "ui/views/columnlayout.h"
#include "ui/views/offsetscrollbar.h"
#include "ui/views/recordtableview.h"

#include <QAction>
#include <QFontDatabase>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kPreviewDelayMs = 250;

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

/// Columns of interest now and then are there, but hidden. Beside a time, a key and headers a size
/// would leave the value no room in a window of 1280 pixels; the inspector has it.
bool isShownFirst(RecordColumn column, bool hasHeaders)
{
    if (column == RecordColumn::Size)
        return !hasHeaders;
    return column != RecordColumn::TimeType && column != RecordColumn::KeySize &&
           column != RecordColumn::TotalSize && column != RecordColumn::Batch;
}

} // namespace

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
    formatBanner = new Banner(q);
    formatBanner->setObjectName(u"formatBanner"_s);
    connect(formatBanner, &Banner::actionTriggered, q, &RecordPanel::formatRetryRequested);
    view = new RecordTableView(q);
    view->setObjectName(u"recordTable"_s);
    view->setAccessibleName(tr("Records"));
    view->setModel(&model);
    view->setItemDelegate(new RecordDelegate(view));
    columns = new ColumnLayout(view->horizontalHeader());
    view->setContextMenuPolicy(Qt::ActionsContextMenu);
    view->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scrollBar = new OffsetScrollBar(q);
    scrollBar->setObjectName(u"offsetScrollBar"_s);
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
    layout->addWidget(formatBanner);
    middle = new QHBoxLayout;
    middle->setSpacing(0);
    middle->addWidget(view, 1);
    middle->addWidget(scrollBar);
    layout->addLayout(middle, 1);
    layout->addLayout(bottom);
    q->setFocusProxy(view);
    connectScrollBar();

    previewDelay.setParent(q);
    previewDelay.setObjectName(u"previewDelay"_s);
    previewDelay.setSingleShot(true);
    previewDelay.setInterval(kPreviewDelayMs);
    connect(bar, &RecordBar::goToEdited, q, [this](const QString &text) { preview(text); });
    connect(&previewDelay, &QTimer::timeout, q,
            [this] { previewed.find(topic.name, loader.parts(), previewRange); });
    connect(&previewed, &PlaceFinder::found, q, [this] { bar->setPreview(placeText(previewed)); });
    connect(&previewed, &PlaceFinder::failed, q, [this](const Error &error) {
        if (error.kind != ErrorKind::Cancelled)
            bar->setPreview(errorText(error).full());
    });
    connect(bar, &RecordBar::goToRequested, q, &RecordPanel::goTo);
    connect(bar, &RecordBar::firstRequested, q, &RecordPanel::goToFirst);
    connect(bar, &RecordBar::lastRequested, q, &RecordPanel::goToLast);
    connect(bar, &RecordBar::nextFlaggedRequested, q, &RecordPanel::nextFlagged);
    connect(bar, &RecordBar::previousFlaggedRequested, q, &RecordPanel::previousFlagged);
    connect(bar, &RecordBar::followToggled, q, &RecordPanel::setFollowing);
    connect(bar, &RecordBar::pauseToggled, q, &RecordPanel::setPaused);
    connect(bar, &RecordBar::filterChanged, q, &RecordPanel::setFilter);
    connect(bar, &RecordBar::committedOnlyToggled, q, [this](bool only) {
        q->setIsolation(only ? Isolation::ReadCommitted : Isolation::ReadUncommitted);
        emit q->isolationChosen(isolation);
    });
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
    const auto addSeparator = [this] {
        auto *separator = new QAction(view);
        separator->setSeparator(true);
        view->addAction(separator);
    };
    const auto addCopy = [&](const QString &text, const QKeySequence &keys, CopyWhat what,
                             CopyFormat format) {
        add(text, keys, [this, what, format] { q->copyAs(what, format); });
    };
    addCopy(tr("&Copy value as text"), QKeySequence::Copy, CopyWhat::Values, CopyFormat::Text);
    addCopy(tr("Copy value as &hex"), tr("Ctrl+Shift+C"), CopyWhat::Values, CopyFormat::Hex);
    addSeparator();
    addCopy(tr("Copy &row as text"), {}, CopyWhat::Rows, CopyFormat::Text);
    addCopy(tr("Copy row &as hex"), {}, CopyWhat::Rows, CopyFormat::Hex);
    addCopy(tr("Copy row as &JSON"), tr("Ctrl+Alt+C"), CopyWhat::Rows, CopyFormat::Json);
    addSeparator();
    addCopy(tr("Copy ce&ll as text"), {}, CopyWhat::Cell, CopyFormat::Text);
    addCopy(tr("Copy cell as he&x"), {}, CopyWhat::Cell, CopyFormat::Hex);
    addCopy(tr("Copy cell as JSO&N"), {}, CopyWhat::Cell, CopyFormat::Json);
    addSeparator();
    add(tr("&Filter for this"), {}, &RecordPanel::filterForCell)->setIcon(icon(IconName::Filter));
    add(tr("Filter &out this"), {}, &RecordPanel::filterOutCell);
    add(tr("&Search for this"), {}, &RecordPanel::searchForCell)->setIcon(icon(IconName::Search));
    addSeparator();
    add(tr("Compare the &two selected"), {}, &RecordPanel::compareSelected);
    previousAction =
        add(tr("Compare with the &previous of this key"), {}, &RecordPanel::compareWithPrevious);
    add(tr("Mar&k for comparison"), {}, &RecordPanel::markForComparison);
    add(tr("Compare with the marke&d"), {}, &RecordPanel::compareWithMarked);
    addSeparator();
    add(tr("Copy to co&mposer"), {}, &RecordPanel::copyToComposer);
    add(tr("&Export…"), {}, &RecordPanel::exportRequested)->setIcon(icon(IconName::Download));
    add(tr("Redr&ive…"), {}, &RecordPanel::redriveRequested);
    fetchWholeAction = add(tr("Fetch &whole"), {}, &RecordPanel::fetchWhole);
    fetchWholeAction->setIcon(icon(IconName::Download));
    fetchWholeAction->setEnabled(false);
    addSeparator();
    addFormatMenus();
    auto *columnMenu = new QMenu(tr("Col&umns"), view);
    connect(columnMenu, &QMenu::aboutToShow, columns, [this, columnMenu] {
        columnMenu->clear();
        columns->fillMenu(columnMenu);
    });
    view->addAction(columnMenu->menuAction());
}

void RecordPanel::Private::setColumns()
{
    const QFontMetrics plain(view->font());
    const QFontMetrics fixed(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    Offset largest{9'999};
    for (const PartitionInfo &info : topic.partitions)
        largest = std::max(largest, info.highWatermark);
    // Where there is more to show there is less room for each.
    const bool hasChecksums = model.section(RecordColumn::Crc) >= 0;
    const bool hasHeaders = model.section(RecordColumn::Headers) >= 0;
    const auto widthOf = [&](RecordColumn column) {
        switch (column) {
        case RecordColumn::Partition:
            return plain.horizontalAdvance(columnTitle(column));
        case RecordColumn::Offset:
            return std::max(fixed.horizontalAdvance(groupedDigits(largest.value)),
                            plain.horizontalAdvance(columnTitle(column)));
        case RecordColumn::Flags:
            return hasChecksums
                       ? plain.horizontalAdvance(stateName(RowState::ChecksumMismatch)) + 22
                       : plain.horizontalAdvance(columnTitle(column));
        case RecordColumn::Time:
            return plain.horizontalAdvance(TimeStyle::current().text(kLongTimeMs));
        case RecordColumn::TimeType:
        case RecordColumn::Batch:
            return plain.averageCharWidth() * 12;
        case RecordColumn::Key:
        case RecordColumn::Headers:
            return plain.averageCharWidth() * 10;
        case RecordColumn::KeySize:
        case RecordColumn::TotalSize:
        case RecordColumn::Size:
            return fixed.horizontalAdvance(hasChecksums ? u"9 999 999"_s : u"99 999"_s);
        case RecordColumn::Crc:
            return fixed.horizontalAdvance(u"9a71bb4c ≠ 681a384f"_s);
        case RecordColumn::Value:
            return plain.averageCharWidth() * 60;
        }
        return 0;
    };
    constexpr int kPadding = 14;
    std::vector<ColumnLayout::Column> all;
    for (const RecordColumn column : model.columns())
        all.push_back(
            {columnName(column), widthOf(column) + kPadding, !isShownFirst(column, hasHeaders)});
    columns->setColumns(all);
}

} // namespace topicscope::ui
