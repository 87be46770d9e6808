#include "ui/panels/publishlogpanel.h"

#include "ui/models/publishhistorymodel.h"
#include "ui/panels/elidedlabel.h"
#include "ui/theme/icons.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

/// Puts the sign of an outcome before its words.
class OutcomeDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->icon =
            sign(PublishEntry::Outcome(index.data(PublishHistoryModel::OutcomeRole).toInt()));
    }

private:
    static QIcon sign(PublishEntry::Outcome outcome)
    {
        switch (outcome) {
        case PublishEntry::Outcome::Waiting:
            return icon(IconName::Clock, Tone::Muted);
        case PublishEntry::Outcome::Published:
            return icon(IconName::Verified, Tone::Good);
        case PublishEntry::Outcome::NotConfirmed:
        case PublishEntry::Outcome::Unknown:
            return icon(IconName::Unknown, Tone::Warning);
        case PublishEntry::Outcome::Failed:
            return icon(IconName::Warning, Tone::Danger);
        }
        return {};
    }
};

} // namespace

PublishLogPanel::PublishLogPanel(QWidget *parent)
    : QWidget(parent)
    , m_history(new PublishHistoryModel(this))
    , m_table(new QTableView)
    , m_detail(new ElidedLabel)
    , m_goTo(addRowAction(u"goToAction"_s, tr("Go to"), tr("Show the record in its partition")))
    , m_lookFor(addRowAction(
          u"lookForAction"_s, tr("Look for it"),
          tr("Search the log, from its end before sending, for a record with the same bytes")))
    , m_editAgain(addRowAction(u"editAgainAction"_s, tr("Edit again"),
                               tr("Put the record back into the composer")))
    , m_stop(
          addRowAction(u"stopAction"_s, tr("Stop waiting"), tr("Stop the publish or the search")))
    , m_copy(addRowAction(u"copyAction"_s, tr("Copy"), tr("Copy the entry as one line of text")))
    , m_clear(addRowAction(u"clearAction"_s, tr("Clear"), tr("Empty the list")))
{
    m_goTo->setIcon(icon(IconName::GoTo));
    m_lookFor->setIcon(icon(IconName::Search));
    m_editAgain->setIcon(icon(IconName::Edit));
    m_stop->setIcon(icon(IconName::Close));
    m_copy->setShortcut(QKeySequence::Copy);
    m_copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    buildLayout();

    connect(m_goTo, &QAction::triggered, this, &PublishLogPanel::goTo);
    connect(m_lookFor, &QAction::triggered, this, &PublishLogPanel::lookFor);
    connect(m_editAgain, &QAction::triggered, this, &PublishLogPanel::editAgain);
    connect(m_stop, &QAction::triggered, this, &PublishLogPanel::stopWaiting);
    connect(m_copy, &QAction::triggered, this, &PublishLogPanel::copyLine);
    connect(m_clear, &QAction::triggered, m_history, &PublishHistoryModel::clear);
    connect(m_table, &QTableView::activated, this, &PublishLogPanel::onActivated);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &PublishLogPanel::refresh);
    connect(m_history, &QAbstractItemModel::dataChanged, this, &PublishLogPanel::refresh);
    connect(m_history, &QAbstractItemModel::modelReset, this, &PublishLogPanel::refresh);
    connect(m_history, &QAbstractItemModel::rowsInserted, this, &PublishLogPanel::refresh);
    refresh();
}

QAction *PublishLogPanel::addRowAction(const QString &name, const QString &text,
                                       const QString &toolTip)
{
    auto *action = new QAction(text, this);
    action->setObjectName(name);
    action->setToolTip(toolTip);
    return action;
}

void PublishLogPanel::buildLayout()
{
    m_table->setObjectName(u"publishLogTable"_s);
    m_table->setAccessibleName(tr("Published records"));
    m_table->setModel(m_history);
    m_table->setItemDelegateForColumn(PublishHistoryModel::OutcomeColumn,
                                      new OutcomeDelegate(m_table));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 6);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setHighlightSections(false);
    const int digit = m_table->fontMetrics().horizontalAdvance(u'0');
    m_table->setColumnWidth(PublishHistoryModel::TimeColumn, 9 * digit);
    m_table->setColumnWidth(PublishHistoryModel::TopicColumn, 12 * digit);
    m_table->setColumnWidth(PublishHistoryModel::PartitionColumn, 9 * digit);
    m_table->setColumnWidth(PublishHistoryModel::OffsetColumn, 10 * digit);
    m_table->setColumnWidth(PublishHistoryModel::AckColumn, 8 * digit);
    m_table->setColumnWidth(PublishHistoryModel::BytesColumn, 8 * digit);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_table->addActions({m_goTo, m_lookFor, m_editAgain, m_stop, m_copy, m_clear});
    m_detail->setObjectName(u"publishLogDetail"_s);

    auto *top = new QHBoxLayout;
    top->addWidget(m_detail, 1);
    for (QAction *action : {m_goTo, m_lookFor, m_editAgain, m_stop}) {
        auto *button = new QToolButton;
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        // Only what can be done with the entry: there is no room for more.
        button->setVisible(false);
        connect(action, &QAction::enabledChanged, button, &QWidget::setVisible);
        button->setObjectName(action->objectName().replace(u"Action"_s, u"Button"_s));
        button->setFocusPolicy(Qt::TabFocus);
        button->setAutoRaise(true);
        top->addWidget(button);
        m_detail->setMinimumHeight(button->sizeHint().height());
    }
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 6);
    layout->setSpacing(4);
    layout->addLayout(top);
    layout->addWidget(m_table, 1);
    setFocusProxy(m_table);
}

QByteArray PublishLogPanel::saveColumns() const
{
    return m_table->horizontalHeader()->saveState();
}

void PublishLogPanel::restoreColumns(const QByteArray &state)
{
    m_table->horizontalHeader()->restoreState(state);
}

void PublishLogPanel::addSession(SessionHandle *session)
{
    if (m_sessions.contains(session))
        return;
    m_sessions.append(session);
    connect(session, &SessionHandle::published, m_history,
            [this, session](RequestId id, const PublishResult &result) {
                m_history->onPublished(session, id, result);
            });
    connect(session, &SessionHandle::failed, m_history,
            [this, session](RequestId id, const Error &error) {
                m_history->onFailed(session, id, error);
            });
    connect(session, &SessionHandle::lookedFor, m_history,
            [this, session](RequestId id, const LookForResult &result) {
                m_history->onLookedFor(session, id, result);
            });
    connect(session, &QObject::destroyed, this, [this, session] {
        m_sessions.removeOne(session);
        m_history->onSessionClosed(session);
        refresh();
    });
    refresh();
}

SessionHandle *PublishLogPanel::sessionOf(const PublishEntry &entry) const
{
    const auto own = std::ranges::find(m_sessions, entry.session);
    const auto other =
        std::ranges::find(m_sessions, entry.config.endpoint(),
                          [](const SessionHandle *handle) { return handle->config().endpoint(); });
    const auto found = own != m_sessions.end() ? own : other;
    return found == m_sessions.end() ? nullptr : *found;
}

void PublishLogPanel::addSubmitted(SessionHandle *session, RequestId id,
                                   const PublishRequest &request)
{
    addSession(session);
    const bool onTop = !currentRow() || *currentRow() == 0;
    m_history->add(session, id, request, session->config(), QDateTime::currentDateTime());
    // The selection stays where somebody put it; otherwise it follows the newest.
    if (onTop)
        m_table->selectRow(0);
}

std::optional<int> PublishLogPanel::currentRow() const
{
    const QModelIndex index = m_table->currentIndex();
    return index.isValid() ? std::optional(index.row()) : std::nullopt;
}

void PublishLogPanel::refresh()
{
    const auto row = currentRow();
    const PublishEntry *entry = row ? &m_history->entry(*row) : nullptr;
    const bool here = entry && sessionOf(*entry);
    const bool waits = entry && (entry->outcome == PublishEntry::Outcome::Waiting ||
                                 entry->search == PublishEntry::Search::Running);
    m_goTo->setEnabled(here && entry->partition && entry->offset);
    m_lookFor->setEnabled(here && entry->isSearchable());
    m_editAgain->setEnabled(entry && entry->payloadKept);
    m_stop->setEnabled(waits);
    m_copy->setEnabled(entry);
    m_clear->setEnabled(m_history->rowCount() > 0);
    if (entry) {
        m_detail->setLine(m_table->currentIndex().data(PublishHistoryModel::LineRole).toString());
    } else {
        m_detail->setLine(m_history->rowCount() > 0
                              ? QString()
                              : tr("Records published by hand are listed here."));
    }
}

void PublishLogPanel::onActivated()
{
    if (m_goTo->isEnabled())
        goTo();
    else if (m_lookFor->isEnabled())
        lookFor();
    else if (currentRow() &&
             m_history->entry(*currentRow()).outcome == PublishEntry::Outcome::Failed)
        editAgain();
}

void PublishLogPanel::goTo()
{
    if (!m_goTo->isEnabled())
        return;
    const PublishEntry &entry = m_history->entry(*currentRow());
    emit goToRequested(sessionOf(entry), *entry.partition, *entry.offset);
}

void PublishLogPanel::lookFor()
{
    if (!m_lookFor->isEnabled())
        return;
    const int row = *currentRow();
    const PublishEntry &entry = m_history->entry(row);
    SessionHandle *session = sessionOf(entry);
    const RequestId id =
        session->lookFor(*entry.partition, *entry.searchFrom, *entry.request.value);
    m_history->onSearchStarted(row, session, id);
}

void PublishLogPanel::editAgain()
{
    if (!m_editAgain->isEnabled())
        return;
    const PublishEntry &entry = m_history->entry(*currentRow());
    emit editAgainRequested(sessionOf(entry), entry.config, entry.request);
}

void PublishLogPanel::stopWaiting()
{
    if (!m_stop->isEnabled())
        return;
    const PublishEntry &entry = m_history->entry(*currentRow());
    const bool publishes = entry.outcome == PublishEntry::Outcome::Waiting;
    const QObject *session = publishes ? entry.session : entry.searchSession;
    // What waits has its session: without it, it would not wait any more.
    const auto found = std::ranges::find(m_sessions, session);
    (*found)->cancel(publishes ? entry.id : entry.searchId);
}

void PublishLogPanel::copyLine()
{
    if (currentRow()) {
        QGuiApplication::clipboard()->setText(
            m_table->currentIndex().data(PublishHistoryModel::LineRole).toString());
    }
}

} // namespace topicscope::ui
