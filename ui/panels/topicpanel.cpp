#include "ui/panels/topicpanel.h"

#include "ui/delegates/topicbardelegate.h"
#include "ui/models/topicfilter.h"
#include "ui/theme/icons.h"
#include "ui/views/topictreeview.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QSet>
#include <QToolButton>
#include <QVBoxLayout>

#include <map>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;
using NodeKind = TopicTreeModel::NodeKind;

namespace
{

/// Arrow keys held down pass many rows; the one they rest on is shown.
constexpr int kSettleMs = 150;
/// While scrolling, offsets are asked for no more often than this.
constexpr int kLookMs = 50;

NodeKind kindOf(const QModelIndex &index)
{
    return index.data(TopicTreeModel::NodeKindRole).value<NodeKind>();
}

/// Of a column with one.
int numberWidth(const QTreeView *tree)
{
    return tree->fontMetrics().horizontalAdvance(u"0 000 000"_s) + 8;
}

/// What the names of topics have at least, beside numbers.
int nameRoom(const QTreeView *tree)
{
    return tree->fontMetrics().horizontalAdvance(u"a-topic-of-operators"_s);
}

bool isTopic(const QModelIndex &index)
{
    const NodeKind kind = kindOf(index);
    return kind == NodeKind::Topic || kind == NodeKind::Partition;
}

} // namespace

TopicPanel::TopicPanel(TopicTreeModel *model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_proxy(new TopicFilter(this))
    , m_filter(new QLineEdit(this))
    , m_tree(new TopicTreeView(TopicTreeModel::NoteRole, this))
    , m_internal(new QAction(tr("Show &Internal Topics"), this))
{
    m_proxy->setSourceModel(m_model);
    m_internal->setObjectName(u"showInternalTopics"_s);
    m_internal->setCheckable(true);
    m_internal->setToolTip(tr("Show topics that a broker keeps for itself"));

    m_filter->setObjectName(u"topicFilter"_s);
    m_filter->setPlaceholderText(tr("Filter topics"));
    m_filter->setAccessibleName(tr("Filter topics by name"));
    m_filter->setClearButtonEnabled(true);
    m_filter->addAction(icon(IconName::Search, Tone::Muted), QLineEdit::LeadingPosition);

    m_tree->setObjectName(u"topicTree"_s);
    m_tree->setAccessibleName(tr("Connections, topics and partitions"));
    // Before the view, which moves the current row to a neighbour.
    connect(m_proxy, &QAbstractItemModel::rowsAboutToBeRemoved, this,
            [this] { m_rowsGoing = true; });
    m_tree->setModel(m_proxy);
    connect(m_proxy, &QAbstractItemModel::rowsRemoved, this, [this] { m_rowsGoing = false; });
    m_tree->setItemDelegate(new TopicBarDelegate(m_tree));
    m_tree->setUniformRowHeights(true);
    m_tree->setSortingEnabled(true);
    m_tree->sortByColumn(TopicTreeModel::NameColumn, Qt::AscendingOrder);
    m_tree->setAllColumnsShowFocus(true);
    m_tree->setIndentation(14);
    m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setMinimumSectionSize(36);
    m_tree->header()->setSectionResizeMode(TopicTreeModel::NameColumn, QHeaderView::Stretch);
    const int number = numberWidth(m_tree);
    m_tree->setColumnWidth(TopicTreeModel::RecordsColumn, number);
    m_tree->setColumnWidth(TopicTreeModel::LogStartColumn, number - 14);
    m_tree->setColumnWidth(TopicTreeModel::HighWatermarkColumn, number + 4);
    m_tree->setColumnWidth(TopicTreeModel::ReplicasColumn,
                           m_tree->fontMetrics().horizontalAdvance(u"00 · 3/3"_s) + 12);
    m_tree->setColumnHidden(TopicTreeModel::ReplicasColumn, true);
    updateOffsets();

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto *filterRow = new QHBoxLayout;
    filterRow->setContentsMargins(4, 4, 4, 4);
    filterRow->addWidget(m_filter);
    layout->addLayout(filterRow);
    layout->addWidget(m_tree, 1);
    setFocusProxy(m_tree);

    m_settled.setObjectName(u"settled"_s);
    m_settled.setSingleShot(true);
    m_settled.setInterval(kSettleMs);
    connect(&m_settled, &QTimer::timeout, this, &TopicPanel::onSettled);
    connect(m_filter, &QLineEdit::textChanged, this, &TopicPanel::setFilter);
    connect(m_filter, &QLineEdit::returnPressed, this, &TopicPanel::focusTree);
    connect(m_tree, &TopicTreeView::opened, this, &TopicPanel::onOpened);
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &TopicPanel::onCurrentChanged);
    connect(m_tree, &QWidget::customContextMenuRequested, this, &TopicPanel::onContextMenu);
    connect(m_model, &QAbstractItemModel::dataChanged, this, [this](const QModelIndex &first) {
        if (!first.parent().isValid())
            updateRetryButtons();
    });
    // A new connection shows its topics; which topics are open is the user's choice.
    connect(m_proxy, &QAbstractItemModel::rowsInserted, this,
            [this](const QModelIndex &parentIndex) {
                if (parentIndex.isValid() && !parentIndex.parent().isValid() &&
                    m_proxy->rowCount(parentIndex) > 0 && m_filter->text().isEmpty())
                    m_tree->expand(parentIndex);
            });
    connect(m_internal, &QAction::toggled, this, &TopicPanel::setShowsInternal);
    connect(m_model, &QAbstractItemModel::rowsInserted, this, &TopicPanel::updateReplicas);
    connect(m_model, &QAbstractItemModel::rowsRemoved, this, &TopicPanel::updateReplicas);

    m_look.setObjectName(u"look"_s);
    m_look.setSingleShot(true);
    m_look.setInterval(kLookMs);
    connect(&m_look, &QTimer::timeout, this, [this] {
        updateOffsets();
        lookForWanted();
    });
    connect(m_tree->verticalScrollBar(), &QScrollBar::valueChanged, this, &TopicPanel::look);
    connect(m_tree->verticalScrollBar(), &QScrollBar::rangeChanged, this, &TopicPanel::look);
    connect(m_tree, &QTreeView::expanded, this, &TopicPanel::look);
    connect(m_tree, &QTreeView::collapsed, this, &TopicPanel::look);
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &TopicPanel::look);
    connect(m_proxy, &QAbstractItemModel::rowsInserted, this, &TopicPanel::look);
    connect(m_proxy, &QAbstractItemModel::rowsRemoved, this, &TopicPanel::look);
    connect(m_proxy, &QAbstractItemModel::layoutChanged, this, &TopicPanel::look);
    connect(m_proxy, &QAbstractItemModel::dataChanged, this, &TopicPanel::look);
}

/// Soon, and not at each of many changes: what is in view is another.
void TopicPanel::look()
{
    if (!m_look.isActive())
        m_look.start();
}

void TopicPanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    look();
}

/// Whose offsets are not known yet: the current row's, then what is in view, and everything once it
/// is sorted by them.
void TopicPanel::lookForWanted()
{
    if (!m_tree->isVisible())
        return;
    std::map<ConnectionId, QStringList> wanted;
    QSet<QModelIndex> seen;
    const auto add = [&](const QModelIndex &shown) {
        QModelIndex index = m_proxy->mapToSource(shown.siblingAtColumn(0));
        if (kindOf(index) == NodeKind::Partition)
            index = index.parent();
        if (!index.data(TopicTreeModel::WantsOffsetsRole).toBool() || seen.contains(index))
            return;
        seen.insert(index);
        wanted[*m_model->connectionOf(index)].append(index.data().toString());
    };
    add(m_tree->currentIndex());
    const int bottom = m_tree->viewport()->height();
    for (QModelIndex row = m_tree->indexAt({0, 0});
         row.isValid() && m_tree->visualRect(row).top() <= bottom; row = m_tree->indexBelow(row))
        add(row);
    if (m_proxy->sortColumn() != TopicTreeModel::NameColumn) {
        for (int i = 0; i < m_proxy->rowCount(); ++i) {
            const QModelIndex connection = m_proxy->index(i, 0);
            for (int row = 0; row < m_proxy->rowCount(connection); ++row)
                add(m_proxy->index(row, 0, connection));
        }
    }
    for (const auto &[connection, names] : wanted)
        emit offsetsWanted(connection, names);
}

/// Leaders and replicas have a column while a connection has several brokers: with one they are
/// always the same, and names need the room.
void TopicPanel::updateReplicas()
{
    bool any = false;
    for (int i = 0; i < m_model->rowCount() && !any; ++i) {
        const QModelIndex first = m_model->index(0, 0, m_model->index(i, 0));
        any = kindOf(first) == NodeKind::Brokers && m_model->rowCount(first) > 1;
    }
    if (any != m_tree->isColumnHidden(TopicTreeModel::ReplicasColumn))
        return;
    m_tree->setColumnHidden(TopicTreeModel::ReplicasColumn, !any);
    updateOffsets();
    // Names have what the numbers leave of the width.
    m_tree->setMinimumWidth(any ? m_tree->columnWidth(TopicTreeModel::RecordsColumn) +
                                      m_tree->columnWidth(TopicTreeModel::ReplicasColumn) +
                                      nameRoom(m_tree)
                                : 0);
}

void TopicPanel::setShowsOffsets(std::optional<bool> shows)
{
    m_showsOffsets = shows;
    updateOffsets();
}

bool TopicPanel::hasRoomForOffsets() const
{
    const int others = m_tree->columnWidth(TopicTreeModel::RecordsColumn) +
                       m_tree->columnWidth(TopicTreeModel::ReplicasColumn);
    if (m_tree->viewport()->width() < others + 2 * numberWidth(m_tree) + nameRoom(m_tree))
        return false;
    for (int i = 0; i < m_proxy->rowCount(); ++i) {
        const QModelIndex connection = m_proxy->index(i, 0);
        for (int row = 0; row < m_proxy->rowCount(connection); ++row) {
            const QModelIndex topic = m_proxy->index(row, 0, connection);
            if (m_tree->isExpanded(topic) && kindOf(topic) == NodeKind::Topic)
                return true;
        }
    }
    return false;
}

/// Only partitions have them: without some in view they would be empty columns beside cut names.
void TopicPanel::updateOffsets()
{
    const bool shows = m_showsOffsets.value_or(hasRoomForOffsets());
    for (const int column : {TopicTreeModel::LogStartColumn, TopicTreeModel::HighWatermarkColumn})
        m_tree->setColumnHidden(column, !shows);
    updateRetryButtons();
}

void TopicPanel::setShowsInternal(bool shows)
{
    m_internal->setChecked(shows);
    m_proxy->setShowsInternal(shows);
}

bool TopicPanel::showsInternal() const
{
    return m_internal->isChecked();
}

QModelIndex TopicPanel::current() const
{
    return m_proxy->mapToSource(m_tree->currentIndex());
}

std::optional<ConnectionId> TopicPanel::currentConnection() const
{
    if (const auto connection = m_model->connectionOf(current()))
        return connection;
    return m_model->rowCount() > 0 ? m_model->connectionOf(m_model->index(0, 0)) : std::nullopt;
}

void TopicPanel::select(ConnectionId connection, const TopicPartition &partition)
{
    QModelIndex index = m_model->partitionIndex(connection, partition);
    if (!index.isValid())
        index = m_model->topicIndex(connection, partition.topic);
    const QModelIndex shown = m_proxy->mapFromSource(index);
    if (shown.isValid() && shown != m_tree->currentIndex().siblingAtColumn(0)) {
        m_tree->setCurrentIndex(shown);
        m_tree->scrollTo(shown);
        m_settled.stop(); // whoever selects it shows it
    }
}

void TopicPanel::setFilter(const QString &text)
{
    if (m_filter->text() != text) {
        m_filter->setText(text); // comes back here
        return;
    }
    m_proxy->setFilterFixedString(text);
    if (m_tree->currentIndex().isValid())
        m_tree->scrollTo(m_tree->currentIndex());
}

void TopicPanel::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void TopicPanel::focusTree()
{
    m_tree->setFocus(Qt::ShortcutFocusReason);
    if (!m_tree->currentIndex().isValid())
        m_tree->setCurrentIndex(m_proxy->index(0, 0));
}

QByteArray TopicPanel::saveColumns() const
{
    return m_tree->header()->saveState();
}

void TopicPanel::restoreColumns(const QByteArray &state)
{
    m_tree->header()->restoreState(state);
    updateReplicas();
    updateOffsets();
}

void TopicPanel::onOpened(const QModelIndex &proxyIndex)
{
    m_settled.stop();
    const QModelIndex index = m_proxy->mapToSource(proxyIndex);
    const auto connection = m_model->connectionOf(index);
    if (!connection)
        return;
    if (const auto topic = m_model->topicOf(index))
        emit partitionActivated(*connection, *topic, m_model->partitionOf(index));
    else if (kindOf(index) == NodeKind::Connection &&
             index.data(TopicTreeModel::NodeStateRole).value<TopicTreeModel::NodeState>() ==
                 TopicTreeModel::NodeState::Failed)
        emit retryRequested(*connection);
    else
        m_tree->setExpanded(proxyIndex.siblingAtColumn(0),
                            !m_tree->isExpanded(proxyIndex.siblingAtColumn(0)));
}

void TopicPanel::onCurrentChanged(const QModelIndex &proxyIndex)
{
    // Only what is chosen here. In place of a row that went the view takes its neighbour, which
    // nobody asked for: it is neither shown nor looked at.
    if (m_rowsGoing) {
        m_settled.stop();
        return;
    }
    if (m_tree->hasFocus() && isTopic(proxyIndex))
        m_settled.start();
    else
        m_settled.stop();
    const QModelIndex index = m_proxy->mapToSource(proxyIndex);
    const auto connection = m_model->connectionOf(index);
    if (!connection)
        return;
    emit connectionSelected(*connection);
    if (const auto topic = m_model->topicOf(index))
        emit topicSelected(*connection, topic->name);
}

void TopicPanel::onSettled()
{
    const QModelIndex index = current();
    const auto connection = m_model->connectionOf(index);
    const auto topic = m_model->topicOf(index);
    if (connection && topic && !topic->partitions.isEmpty())
        emit partitionSettled(*connection, *topic, m_model->partitionOf(index));
}

void TopicPanel::onContextMenu(const QPoint &position)
{
    const QModelIndex index = m_proxy->mapToSource(m_tree->indexAt(position));
    const auto connection = m_model->connectionOf(index);
    if (!connection)
        return;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(u"topicMenu"_s);
    if (const auto topic = m_model->topicOf(index)) {
        const auto partition = m_model->partitionOf(index);
        menu->setDefaultAction(
            menu->addAction(tr("&Open"), this, [this, connection, topic, partition] {
                emit partitionActivated(*connection, *topic, partition);
            }));
        menu->addAction(tr("Open &at…"), this, [this, connection, topic, partition] {
            emit openAtRequested(*connection, *topic, partition);
        });
        menu->addSeparator();
        const QString name = partition
                                 ? u"%1/%2"_s.arg(topic->name, QString::number(partition->value))
                                 : topic->name;
        menu->addAction(icon(IconName::Copy), tr("&Copy Name"), this,
                        [name] { QGuiApplication::clipboard()->setText(name); });
    } else if (kindOf(index) == NodeKind::Broker) {
        const QString address = index.data(TopicTreeModel::AddressRole).toString();
        menu->addAction(icon(IconName::Copy), tr("&Copy Address"), this,
                        [address] { QGuiApplication::clipboard()->setText(address); });
    } else {
        menu->addAction(icon(IconName::Connect), tr("&Connect Again"), this,
                        [this, connection] { emit retryRequested(*connection); });
        menu->addAction(icon(IconName::Close), tr("&Disconnect"), this,
                        [this, connection] { emit closeRequested(*connection); });
    }
    menu->addSeparator();
    menu->addAction(m_internal);
    menu->popup(m_tree->viewport()->mapToGlobal(position));
}

void TopicPanel::updateRetryButtons()
{
    const bool isNarrow = m_tree->isColumnHidden(TopicTreeModel::HighWatermarkColumn);
    const auto [column, other] =
        isNarrow ? std::pair(TopicTreeModel::RecordsColumn, TopicTreeModel::HighWatermarkColumn)
                 : std::pair(TopicTreeModel::HighWatermarkColumn, TopicTreeModel::RecordsColumn);
    for (int row = 0; row < m_proxy->rowCount(); ++row) {
        m_tree->setIndexWidget(m_proxy->index(row, other), nullptr);
        const QModelIndex index = m_proxy->index(row, column);
        const bool lost =
            index.data(TopicTreeModel::NodeStateRole).value<TopicTreeModel::NodeState>() ==
            TopicTreeModel::NodeState::Failed;
        if (lost == (m_tree->indexWidget(index) != nullptr))
            continue;
        if (!lost) {
            m_tree->setIndexWidget(index, nullptr);
            continue;
        }
        auto *button = new QToolButton;
        button->setObjectName(u"retryButton"_s);
        button->setText(tr("Retry now"));
        button->setAccessibleName(
            tr("Connect to %1 again now").arg(index.siblingAtColumn(0).data().toString()));
        button->setFocusPolicy(Qt::NoFocus); // Enter on the row does the same
        const auto connection = m_model->connectionOf(m_proxy->mapToSource(index));
        connect(button, &QToolButton::clicked, this,
                [this, connection] { emit retryRequested(connection.value()); });
        m_tree->setIndexWidget(index, button);
    }
}

} // namespace topicscope::ui
