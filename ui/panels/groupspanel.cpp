#include "ui/panels/groupspanel.h"

#include "core/base/digits.h"
#include "ui/errortext.h"
#include "ui/models/grouplistmodel.h"
#include "ui/models/groupmembermodel.h"
#include "ui/models/groupoffsetmodel.h"
#include "ui/panels/elidedlabel.h"
#include "ui/theme/icons.h"
#include "ui/views/banner.h"
#include "ui/views/rowtable.h"

#include <QAction>
#include <QHeaderView>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

/// A sign before notes that tell of trouble, so that colour is not all there is.
class NoteDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (!index.data(GroupOffsetModel::TroubleRole).toBool())
            return;
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->icon = icon(IconName::Warning, Tone::Warning);
    }
};

QToolButton *buttonFor(QAction *action, const QString &name)
{
    auto *button = new QToolButton;
    button->setObjectName(name);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAutoRaise(true);
    return button;
}

QString headingOf(const GroupInfo &group)
{
    QStringList parts{groupStateText(group.summary.state)};
    if (!group.membersError)
        parts += GroupsPanel::tr("members %1").arg(group.members.size());
    if (!group.assignor.isEmpty())
        parts += group.assignor;
    if (const auto lag = group.totalLag())
        parts += GroupsPanel::tr("lag %1").arg(groupedDigits(*lag));
    if (group.summary.coordinatorId)
        parts += GroupsPanel::tr("coordinator %1").arg(*group.summary.coordinatorId);
    return group.summary.id + u": "_s + parts.join(u" · "_s);
}

/// What of the group could not be read, or that there is nothing to read.
QString noteOf(const GroupInfo &group)
{
    if (group.offsetsError)
        return errorText(*group.offsetsError).full();
    if (group.membersError)
        return errorText(*group.membersError).full();
    if (group.offsets.isEmpty())
        return GroupsPanel::tr("It has committed nothing and no member reads anything.");
    return {};
}

} // namespace

GroupsPanel::GroupsPanel(QWidget *parent)
    : QWidget(parent)
    , m_groups(new GroupListModel(this))
    , m_offsets(new GroupOffsetModel(this))
    , m_members(new GroupMemberModel(this))
    , m_groupProxy(new QSortFilterProxyModel(this))
    , m_offsetProxy(new QSortFilterProxyModel(this))
    , m_filter(new QLineEdit)
    , m_refresh(new QAction(icon(IconName::Refresh), tr("Refresh"), this))
    , m_open(new QAction(icon(IconName::GoTo), tr("Open at this position"), this))
    , m_banner(new Banner)
    , m_status(new ElidedLabel)
    , m_heading(new ElidedLabel)
    , m_note(new ElidedLabel(3))
    , m_tabs(new QTabWidget)
{
    m_groupProxy->setSourceModel(m_groups);
    m_groupProxy->setSortRole(GroupListModel::SortRole);
    m_groupProxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_groupProxy->setFilterKeyColumn(GroupListModel::GroupColumn);
    m_offsetProxy->setSourceModel(m_offsets);
    m_offsetProxy->setSortRole(GroupOffsetModel::SortRole);
    m_groupTable = makeTable(u"groupTable"_s, tr("Consumer groups"), m_groupProxy);
    m_offsetTable = makeTable(u"groupOffsetTable"_s, tr("Offsets of the group"), m_offsetProxy);
    m_memberTable = makeTable(u"groupMemberTable"_s, tr("Members of the group"), m_members);
    buildLayout();

    connect(m_refresh, &QAction::triggered, this, &GroupsPanel::refresh);
    connect(m_open, &QAction::triggered, this, &GroupsPanel::open);
    connect(m_banner, &Banner::actionTriggered, this, &GroupsPanel::refresh);
    connect(m_filter, &QLineEdit::textChanged, m_groupProxy,
            &QSortFilterProxyModel::setFilterFixedString);
    connect(m_groupTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &GroupsPanel::onSelected);
    connect(m_groupTable, &QTableView::activated, this, [this] {
        m_tabs->setCurrentIndex(0);
        m_offsetTable->setFocus();
        if (!m_offsetTable->currentIndex().isValid())
            m_offsetTable->selectRow(0);
    });
    connect(m_offsetTable, &QTableView::activated, this, &GroupsPanel::open);
    connect(m_offsetTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &GroupsPanel::updateOpen);
    connect(m_offsets, &QAbstractItemModel::modelReset, this, &GroupsPanel::updateOpen);
    setSession(nullptr);
}

GroupsPanel::~GroupsPanel()
{
    // The views must not tell of their models' end.
    m_groupTable->selectionModel()->disconnect(this);
    m_offsetTable->selectionModel()->disconnect(this);
    m_offsets->disconnect(this);
}

QTableView *GroupsPanel::makeTable(const QString &name, const QString &accessibleName,
                                   QAbstractItemModel *model)
{
    QTableView *table = makeRowTable(name, accessibleName, model);
    table->horizontalHeader()->setMinimumSectionSize(36);
    return table;
}

void GroupsPanel::buildLayout()
{
    const int digit = fontMetrics().horizontalAdvance(u'0');
    QHeaderView *header = m_groupTable->horizontalHeader();
    m_groupTable->setSortingEnabled(true);
    m_groupTable->sortByColumn(GroupListModel::GroupColumn, Qt::AscendingOrder);
    header->setSectionResizeMode(GroupListModel::GroupColumn, QHeaderView::Stretch);
    m_groupTable->setColumnWidth(GroupListModel::StateColumn, 9 * digit);
    m_groupTable->setColumnWidth(GroupListModel::MembersColumn, 10 * digit);
    m_groupTable->setColumnWidth(GroupListModel::LagColumn, 9 * digit);
    m_offsetTable->setSortingEnabled(true);
    m_offsetTable->sortByColumn(GroupOffsetModel::PartitionColumn, Qt::AscendingOrder);
    m_offsetTable->setItemDelegateForColumn(GroupOffsetModel::NoteColumn,
                                            new NoteDelegate(m_offsetTable));
    m_offsetTable->horizontalHeader()->setSectionResizeMode(GroupOffsetModel::NoteColumn,
                                                            QHeaderView::Stretch);
    m_offsetTable->setColumnWidth(GroupOffsetModel::PartitionColumn, 9 * digit);
    m_offsetTable->setColumnWidth(GroupOffsetModel::CommittedColumn, 10 * digit);
    m_offsetTable->setColumnWidth(GroupOffsetModel::EndColumn, 13 * digit / 2);
    m_offsetTable->setColumnWidth(GroupOffsetModel::LagColumn, 5 * digit);
    m_offsetTable->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_offsetTable->addAction(m_open);
    m_memberTable->horizontalHeader()->setStretchLastSection(true);
    m_memberTable->setColumnWidth(GroupMemberModel::ClientColumn, 14 * digit);
    m_memberTable->setColumnWidth(GroupMemberModel::HostColumn, 12 * digit);
    m_memberTable->setColumnWidth(GroupMemberModel::PartitionsColumn, 16 * digit);

    m_filter->setObjectName(u"groupFilter"_s);
    m_filter->setPlaceholderText(tr("Filter groups"));
    m_filter->setAccessibleName(tr("Filter groups by name"));
    m_filter->setClearButtonEnabled(true);
    m_filter->addAction(icon(IconName::Search, Tone::Muted), QLineEdit::LeadingPosition);
    m_refresh->setObjectName(u"refreshGroupsAction"_s);
    m_refresh->setToolTip(tr("Read the groups again, and the selected one"));
    m_open->setObjectName(u"openAtPositionAction"_s);
    m_open->setIconText(tr("Open"));
    m_open->setToolTip(tr("Show the record at the committed offset: the next one to be read"));
    m_banner->setObjectName(u"groupBanner"_s);
    m_status->setObjectName(u"groupStatus"_s);
    m_heading->setObjectName(u"groupHeading"_s);
    QFont bold = m_heading->font();
    bold.setBold(true);
    m_heading->setFont(bold);
    m_note->setObjectName(u"groupNote"_s);
    m_tabs->setObjectName(u"groupTabs"_s);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_offsetTable, tr("Offsets"));
    m_tabs->addTab(m_memberTable, tr("Members"));
    m_tabs->setCornerWidget(buttonFor(m_open, u"openAtPositionButton"_s));

    auto *top = new QHBoxLayout;
    top->addWidget(m_filter, 1);
    top->addWidget(buttonFor(m_refresh, u"refreshGroupsButton"_s));
    auto *list = new QWidget;
    auto *listLayout = new QVBoxLayout(list);
    listLayout->setContentsMargins(0, 0, 0, 0);
    listLayout->setSpacing(4);
    listLayout->addWidget(m_groupTable, 1);
    listLayout->addWidget(m_status);
    auto *detail = new QWidget;
    auto *detailLayout = new QVBoxLayout(detail);
    detailLayout->setContentsMargins(0, 4, 0, 0);
    detailLayout->setSpacing(4);
    detailLayout->addWidget(m_heading);
    detailLayout->addWidget(m_note);
    detailLayout->addWidget(m_tabs, 1);
    auto *splitter = new QSplitter(Qt::Vertical);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(list);
    splitter->addWidget(detail);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 3);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->setSpacing(4);
    layout->addLayout(top);
    layout->addWidget(m_banner);
    layout->addWidget(splitter, 1);
    setFocusProxy(m_groupTable);
}

void GroupsPanel::setSession(SessionHandle *session)
{
    if (session && m_session == session)
        return;
    if (m_session)
        m_session->disconnect(this);
    m_session = session;
    m_listing = {};
    m_describing = {};
    m_wantedId.clear();
    m_banner->hide();
    m_groups->setGroups({});
    clearGroup({});
    m_refresh->setEnabled(session != nullptr);
    m_status->setLine(session ? QString() : tr("This connection has no consumer groups."));
    if (!session)
        return;
    connect(session, &SessionHandle::groupsListed, this,
            [this](RequestId id, const GroupList &list) {
                if (id == m_listing)
                    onListed(list);
            });
    connect(session, &SessionHandle::groupDescribed, this,
            [this](RequestId id, const GroupInfo &group) {
                if (id == m_describing)
                    onDescribed(group);
            });
    connect(session, &SessionHandle::failed, this, &GroupsPanel::onFailed);
    if (isVisible())
        refresh();
}

void GroupsPanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh();
}

void GroupsPanel::refresh()
{
    if (!m_session)
        return;
    m_listing = m_session->listGroups();
    m_status->setLine(tr("Reading the groups…"));
}

void GroupsPanel::onListed(const GroupList &list)
{
    m_listing = {};
    const QString wanted = m_wantedId;
    m_groups->setGroups(list.groups);
    if (list.errors.isEmpty()) {
        m_banner->hide();
    } else {
        m_banner->say(Tone::Warning,
                      tr("Brokers without an answer: %1, so groups may be missing. %2")
                          .arg(QString::number(list.errors.size()),
                               errorText(list.errors.constFirst()).full()),
                      tr("Try again"));
    }
    if (!list.groups.isEmpty())
        m_status->setLine(tr("Groups: %1").arg(groupedDigits(list.groups.size())));
    else if (list.errors.isEmpty())
        m_status->setLine(tr("No groups, or none that this user may see."));
    else
        m_status->setLine(tr("No groups are known."));

    m_wantedId = wanted;
    const int row = m_groups->rowOf(wanted);
    const QModelIndex index = m_groupProxy->mapFromSource(m_groups->index(row, 0));
    if (row >= 0 && index.isValid())
        m_groupTable->setCurrentIndex(index); // which reads it again
    else
        clearGroup(wanted.isEmpty() || row >= 0 ? QString()
                                                : tr("%1 is not there any more.").arg(wanted));
}

QString GroupsPanel::selectedId() const
{
    const QModelIndex index = m_groupTable->currentIndex();
    return index.isValid() ? m_groups->idAt(m_groupProxy->mapToSource(index).row()) : QString();
}

void GroupsPanel::onSelected()
{
    const QString id = selectedId();
    if (id.isEmpty() || !m_session)
        return; // the list is just being read again, or the filter hides it
    if (id != m_wantedId) {
        clearGroup(tr("%1: reading…").arg(id));
        m_wantedId = id;
    }
    m_describing = m_session->describeGroup(id);
}

void GroupsPanel::onDescribed(const GroupInfo &group)
{
    m_describing = {};
    const QModelIndex current = m_offsetProxy->mapToSource(m_offsetTable->currentIndex());
    const auto place = current.isValid() ? std::optional(m_offsets->offset(current.row()).partition)
                                         : std::nullopt;
    m_groups->setDescribed(group);
    m_offsets->setGroup(group);
    const QAbstractItemView *view = m_offsetTable; // where the hint is public
    for (const int column : {GroupOffsetModel::CommittedColumn, GroupOffsetModel::EndColumn,
                             GroupOffsetModel::LagColumn}) {
        const int needed = view->sizeHintForColumn(column); // half a number is none
        if (needed > m_offsetTable->columnWidth(column))
            m_offsetTable->setColumnWidth(column, needed);
    }
    m_members->setMembers(group.members);
    m_heading->setLine(headingOf(group));
    m_note->setLine(noteOf(group));
    m_note->setVisible(!m_note->text().isEmpty());
    m_tabs->setTabText(1, group.membersError ? tr("Members")
                                             : tr("Members (%1)").arg(group.members.size()));
    for (int row = 0; place && row < m_offsets->rowCount(); ++row) {
        if (m_offsets->offset(row).partition == *place)
            m_offsetTable->setCurrentIndex(m_offsetProxy->mapFromSource(m_offsets->index(row, 0)));
    }
}

void GroupsPanel::onFailed(RequestId id, const Error &error)
{
    if (id == m_listing) {
        m_listing = {};
        m_status->setLine(tr("The groups could not be read."));
        m_banner->say(Tone::Danger, errorText(error).full(), tr("Try again"));
    } else if (id == m_describing) {
        m_describing = {};
        if (error.kind == ErrorKind::InvalidArgument) {
            clearGroup(tr("%1 is not there any more.").arg(m_wantedId));
            return;
        }
        clearGroup(tr("%1 could not be read.").arg(m_wantedId));
        m_note->setLine(errorText(error).full());
        m_note->show();
    }
}

void GroupsPanel::clearGroup(const QString &heading)
{
    m_offsets->clear();
    m_members->setMembers({});
    m_heading->setLine(heading);
    m_note->setLine({});
    m_note->hide();
    m_tabs->setTabText(1, tr("Members"));
}

void GroupsPanel::updateOpen()
{
    const QModelIndex index = m_offsetProxy->mapToSource(m_offsetTable->currentIndex());
    const GroupOffset *row = index.isValid() ? &m_offsets->offset(index.row()) : nullptr;
    m_open->setEnabled(row && row->committed && !row->gone);
}

void GroupsPanel::open()
{
    if (!m_open->isEnabled())
        return;
    const QModelIndex index = m_offsetProxy->mapToSource(m_offsetTable->currentIndex());
    const GroupOffset row = m_offsets->offset(index.row());
    emit openRequested(row.partition, *row.committed);
}

} // namespace topicscope::ui
