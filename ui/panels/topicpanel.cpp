#include "ui/panels/topicpanel.h"

#include "ui/delegates/topicbardelegate.h"
#include "ui/theme/icons.h"
#include "ui/views/topictreeview.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QSortFilterProxyModel>
#include <QToolButton>
#include <QVBoxLayout>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;
using NodeKind = TopicTreeModel::NodeKind;

namespace
{

/// Arrow keys held down pass many rows; the one they rest on is shown.
constexpr int kSettleMs = 150;

NodeKind kindOf(const QModelIndex &index)
{
    return index.data(TopicTreeModel::NodeKindRole).value<NodeKind>();
}

/// Topics whose name contains the filter's text, with all their partitions. Connections always
/// stay, in the order they were opened.
class TopicFilter final : public QSortFilterProxyModel
{
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override
    {
        const QModelIndex index = sourceModel()->index(row, 0, parent);
        switch (kindOf(index)) {
        case NodeKind::Connection:
            return true;
        case NodeKind::Topic:
            return QSortFilterProxyModel::filterAcceptsRow(row, parent);
        case NodeKind::Partition:
            return QSortFilterProxyModel::filterAcceptsRow(parent.row(), parent.parent());
        }
        return true;
    }

    bool lessThan(const QModelIndex &left, const QModelIndex &right) const override
    {
        if (kindOf(left) == NodeKind::Connection)
            return (left.row() < right.row()) == (sortOrder() == Qt::AscendingOrder);
        return QSortFilterProxyModel::lessThan(left, right);
    }
};

} // namespace

TopicPanel::TopicPanel(TopicTreeModel *model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_proxy(new TopicFilter(this))
    , m_filter(new QLineEdit(this))
    , m_tree(new TopicTreeView(TopicTreeModel::NoteRole, this))
{
    m_proxy->setSourceModel(m_model);
    m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_proxy->setFilterKeyColumn(TopicTreeModel::NameColumn);
    m_proxy->setSortRole(TopicTreeModel::SortRole);

    m_filter->setObjectName(u"topicFilter"_s);
    m_filter->setPlaceholderText(tr("Filter topics"));
    m_filter->setAccessibleName(tr("Filter topics by name"));
    m_filter->setClearButtonEnabled(true);
    m_filter->addAction(icon(IconName::Search, Tone::Muted), QLineEdit::LeadingPosition);

    m_tree->setObjectName(u"topicTree"_s);
    m_tree->setAccessibleName(tr("Connections, topics and partitions"));
    m_tree->setModel(m_proxy);
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
    const int number = m_tree->fontMetrics().horizontalAdvance(u"0 000 000"_s) + 8;
    m_tree->setColumnWidth(TopicTreeModel::RecordsColumn, number);
    m_tree->setColumnWidth(TopicTreeModel::LogStartColumn, number - 14);
    m_tree->setColumnWidth(TopicTreeModel::HighWatermarkColumn, number + 4);

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
    else if (index.data(TopicTreeModel::NodeStateRole).value<TopicTreeModel::NodeState>() ==
             TopicTreeModel::NodeState::Failed)
        emit retryRequested(*connection);
    else
        m_tree->setExpanded(proxyIndex.siblingAtColumn(0),
                            !m_tree->isExpanded(proxyIndex.siblingAtColumn(0)));
}

void TopicPanel::onCurrentChanged(const QModelIndex &proxyIndex)
{
    // Only what is chosen here: rows come and go without the focus, too.
    if (m_tree->hasFocus() && kindOf(proxyIndex) != NodeKind::Connection)
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
        const QString name =
            partition ? u"%1/%2"_s.arg(topic->name).arg(partition->value) : topic->name;
        menu->addAction(icon(IconName::Copy), tr("&Copy Name"), this,
                        [name] { QGuiApplication::clipboard()->setText(name); });
    } else {
        menu->addAction(icon(IconName::Connect), tr("&Connect Again"), this,
                        [this, connection] { emit retryRequested(*connection); });
        menu->addAction(icon(IconName::Close), tr("&Disconnect"), this,
                        [this, connection] { emit closeRequested(*connection); });
    }
    menu->popup(m_tree->viewport()->mapToGlobal(position));
}

void TopicPanel::updateRetryButtons()
{
    for (int row = 0; row < m_proxy->rowCount(); ++row) {
        const QModelIndex index = m_proxy->index(row, TopicTreeModel::HighWatermarkColumn);
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
